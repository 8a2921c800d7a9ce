"""A Loader's saved states, and how it resumes from them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import lockstep
import lockstep.torch
from lockstep import StateMismatchError, UsageError
from lockstep.loader import B, LoaderBase
from lockstep.state_form import FORMAT
from tests.conftest import numbers
from tests.peer import Peer, Stream, serving

KEPT_STATES = Path(__file__).parent / "states"
"""After 7 steps of the stream train without step 1 of epoch 2, as written by each release."""


def positions(loader: LoaderBase[Any]) -> list[tuple[int, int]]:
    return [(b.epoch, b.step) for _ in loader.epochs() for b in loader]


def take(loader: LoaderBase[B], count: int) -> list[B]:
    batches: list[B] = []
    for _ in loader.epochs():
        for batch in loader:
            batches.append(batch)
            if len(batches) == count:
                return batches
    raise AssertionError("the stream ended before")


def test_goes_on_after_the_last_batch_received(peer: Peer, run: Path) -> None:
    loader = lockstep.Loader("train", run=run)
    everything = positions(loader)
    take(loader, 7)
    state = json.loads(json.dumps(loader.state_dict()))
    loader.close()

    later = lockstep.Loader("train", run=run)
    later.load_state_dict(state)
    assert (state["epoch"], state["step"]) == (1, 2)
    assert positions(later) == everything[7:]
    later.close()


def test_a_batch_knows_its_own_state(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        batches = take(loader, 6)
        assert batches[2].state_dict()["step"] == 3
        assert batches[4].state_dict()["epoch"] == 1
        assert batches[5].state_dict() == loader.state_dict()


def test_moved_batches_know_it_too(peer: Peer, run: Path) -> None:
    with lockstep.torch.Loader("train", run=run) as loader:
        batch = take(loader, 3)[-1]
        assert batch.to("cpu").state_dict() == batch.state_dict()


def test_before_the_first_batch_the_state_is_the_start(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = loader.state_dict()
        assert (state["epoch"], state["step"]) == (0, 0)


def test_after_the_end_nothing_is_left(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        positions(loader)
        loader.load_state_dict(loader.state_dict())
        assert positions(loader) == []


def test_going_back_within_a_process(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        early = take(loader, 3)[-1].state_dict()
        everything = positions(loader)
        loader.load_state_dict(early)
        assert positions(loader) == everything[3:]
        assert positions(loader) == everything


def test_an_iteration_ends_when_a_state_is_loaded(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        iteration = iter(loader)
        state = next(iteration).state_dict()
        loader.load_state_dict(state)
        with pytest.raises(UsageError, match="again before this iteration ended"):
            next(iteration)


def test_a_loop_that_counts_epochs_itself(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        loader.load_state_dict({**loader.state_dict(), "epoch": 1, "step": 3})
        seen = []
        for epoch in range(1, 3):
            loader.set_epoch(epoch)
            seen += [(b.epoch, b.step) for b in loader]
        assert seen == [(1, 3), (1, 4), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4)]
        with pytest.raises(UsageError, match="epochs 0 to 2"):
            loader.set_epoch(3)


def test_skipped_steps_shift_no_other(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        everything = positions(loader)
    left_out = [(0, 0), (0, 3), (0, 4), (2, 1)]
    with lockstep.Loader("train", run=run, skip_steps=left_out) as loader:
        assert positions(loader) == [p for p in everything if p not in left_out]
        state = take(loader, 1)[0].state_dict()
        assert len(loader) == 2
    assert state["skip_steps"] == [list(p) for p in left_out]
    with lockstep.Loader("train", run=run) as loader:
        loader.load_state_dict(state)
        assert positions(loader) == [p for p in everything[2:] if p not in left_out]


@pytest.mark.parametrize("wrong", [[(0, 5)], [(-1, 0)], [(3, 0)], [3], [(1, 2, 3)], [("a", "b")]])
def test_steps_that_cannot_be_skipped(peer: Peer, run: Path, wrong: Any) -> None:
    with pytest.raises(UsageError, match="skip_steps"):
        lockstep.Loader("train", run=run, skip_steps=wrong)


CHANGES: list[tuple[str, dict[str, Any], str]] = [
    ("seed", {"order": {"seed": "8"}}, "seed 8 -> 7"),
    ("batch", {"order": {"batch": 16}}, "batch 16 -> 8"),
    ("window", {"order": {"window": 9}}, "window 9 -> 8"),
    ("shuffle", {"order": {"shuffle": "lane"}}, "shuffle lane -> none"),
    ("data", {"manifest": "other"}, "the dataset has other content"),
    ("columns", {"columns": ["x", "label", "z"]}, "column 'z' is gone"),
    ("columns", {"columns": ["x"]}, "column 'label' is new"),
    ("columns", {"columns": ["label", "x"]}, "another order"),
    ("transforms", {"transforms": "u"}, "transforms"),
]


@pytest.mark.parametrize(("what", "changed", "text"), CHANGES)
def test_a_state_that_does_not_fit(
    peer: Peer, run: Path, what: str, changed: dict[str, Any], text: str
) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = take(loader, 2)[-1].state_dict()
        order = {**state["order"], **changed.get("order", {})}
        state = {**state, **changed, "order": order}
        with pytest.raises(StateMismatchError, match=text):
            loader.load_state_dict(state)
        with pytest.raises(StateMismatchError, match=text):
            loader.commit(state)
        assert peer.seen("note") == []
        loader.load_state_dict(state, allow_change=[what])
        (note,) = peer.seen("note")
        assert text in note["text"]
        assert (note["epoch"], note["step"]) == (0, 2)
        assert positions(loader)[0] == (0, 2)


def test_what_is_no_state_of_this_stream(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = loader.state_dict()
        with pytest.raises(UsageError, match="not a state"):
            loader.load_state_dict({"model": 1})
        with pytest.raises(StateMismatchError, match="format 9"):
            loader.load_state_dict({**state, "format": 9})
        with pytest.raises(StateMismatchError, match="of stream 'eval'"):
            loader.load_state_dict({**state, "stream": "eval"})
        with pytest.raises(StateMismatchError, match="has 5 steps"):
            loader.load_state_dict({**state, "step": 5})
        with pytest.raises(UsageError, match="did you mean 'seed'"):
            loader.load_state_dict(state, allow_change=["sed"])
        with pytest.raises(UsageError, match=r"give a list, \['seed'\]"):
            loader.load_state_dict(state, allow_change="seed")


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        ({"step": -1}, "its 'step' is -1"),
        ({"epoch": -3}, "its 'epoch' is -3"),
        ({"step": "x"}, "its 'step' is 'x'"),
        ({"order": {"seed": "7"}}, "its 'order' is"),
        ({"skip_steps": [[1]]}, "its 'skip_steps' is"),
    ],
)
def test_a_damaged_state(peer: Peer, run: Path, damage: dict[str, Any], text: str) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = loader.state_dict()
        for use in (loader.load_state_dict, loader.commit):
            with pytest.raises(UsageError, match=text):
                use({**state, **damage})
        for name in state.keys() - {"format"}:
            with pytest.raises(UsageError, match=f"it has no '{name}'"):
                loader.load_state_dict({k: v for k, v in state.items() if k != name})


def test_a_state_beyond_the_last_epoch(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = loader.state_dict()
        for beyond in ({"epoch": 99}, {"epoch": 3, "step": 1}):
            with pytest.raises(StateMismatchError, match=r"epochs 0 to 2: set order\.epochs"):
                loader.commit({**state, **beyond})
        loader.load_state_dict({**state, "epoch": 3})
        assert positions(loader) == []


def test_what_a_commit_cannot_hold(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        with pytest.raises(UsageError, match="the state's 'model' is a Tensor"):
            loader.commit({**loader.state_dict(), "model": torch.zeros(1)})
        assert peer.seen("commit") == []


def draws() -> list[float]:
    return [random.random(), float(np.random.random()), float(torch.rand(1))]


def test_generators_go_on(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        draws()
        np.random.standard_normal()  # leaves a second one cached
        state = json.loads(json.dumps(loader.state_dict(rng=True)))
        expected = draws()
        assert len(json.dumps(state)) < 20_000
        loader.load_state_dict(state)
        assert draws() == expected


@pytest.mark.parametrize("kept", sorted(KEPT_STATES.glob("*.json")), ids=lambda kept: kept.stem)
def test_a_state_of_each_earlier_format_is_taken_up(peer: Peer, run: Path, kept: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        loader.load_state_dict(json.loads(kept.read_text()))
        assert draws() == [0.13436424411240122, 0.43599490214200376, 0.004263520240783691]
        assert positions(loader) == [(1, 2), (1, 3), (1, 4), (2, 0), (2, 2), (2, 3), (2, 4)]


def test_the_newest_format_is_among_those_kept() -> None:
    newest = json.loads((KEPT_STATES / f"format-{FORMAT}.json").read_text())
    assert newest["format"] == FORMAT


def test_generators_of_another_world_start_from_the_order(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = {**loader.state_dict(rng=True), "world_size": 2}
        draws()
        loader.load_state_dict(state)
        assert "saved by 2 ranks and this launch has 1" in capsys.readouterr().err
        first = draws()
        draws()
        loader.load_state_dict(state)
        assert draws() == first
        loader.load_state_dict({**state, "step": 1})
        assert draws() != first
    with lockstep.Loader("train", run=run, rank=0, world_size=2, launch="a") as loader:
        loader.load_state_dict({**state, "world_size": 1})
        assert "saved by 1 rank and this launch has 2" in capsys.readouterr().err


def test_later_trainers_without_a_state_say_so(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lockstep.Loader("train", run=run, launch="first") as loader:
        positions(loader)
        state = loader.state_dict()
    peer.generation = 2
    without = "stream 'train' starts at epoch 0, step 0: no saved state was loaded"
    assert without not in capsys.readouterr().err
    with lockstep.Loader("train", run=run, launch="second") as loader:
        positions(loader)
    assert without in capsys.readouterr().err
    with lockstep.Loader("train", run=run, launch="third") as loader:
        loader.load_state_dict({**state, "epoch": 0, "step": 1})
        positions(loader)
    assert "no saved state" not in capsys.readouterr().err


def test_later_trainers_without_epochs_say_it_once(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.generation = 2
    without = "stream 'train' starts at epoch 0, step 0: no saved state was loaded"
    with lockstep.Loader("train", run=run) as loader:
        for _ in loader:
            pass
        assert without in capsys.readouterr().err
        with pytest.warns(UserWarning, match="starts epoch 0 again"):
            iter(loader)
        positions(loader)
    assert "no saved state" not in capsys.readouterr().err


def test_a_stream_without_epochs_needs_no_state_beside_one_that_has_it(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.generation = 2
    with lockstep.Loader("train", run=run) as loader, lockstep.Loader("eval", run=run) as other:
        loader.load_state_dict(loader.state_dict())
        for _ in other:
            pass
    assert "no saved state" not in capsys.readouterr().err


def test_commit_and_resume(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        assert loader.resume() is None
        state = take(loader, 4)[-1].state_dict(rng=True)
        loader.commit(state)
        (commit,) = peer.seen("commit")
        assert "rng" not in commit["state"]
        assert (commit["epoch"], commit["step"]) == (0, 4)
        assert loader.resume() == json.loads(json.dumps(state))


def test_a_committed_state_keeps_what_else_it_holds(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = take(loader, 2)[-1].state_dict()
        loader.commit({**state, "checkpoint": "checkpoints/0-2.pt"})
        resumed = loader.resume()
        assert resumed == {**state, "checkpoint": "checkpoints/0-2.pt"}
        loader.load_state_dict(resumed)
        assert positions(loader)[0] == (0, 2)


def test_ranks_compare_before_the_first_batch_and_after_a_load(peer: Peer, run: Path) -> None:
    with (
        lockstep.Loader("train", run=run) as loader,
        lockstep.Loader("eval", run=run) as evaluation,
    ):
        list(evaluation)
        assert peer.seen("start") == []
        state = take(loader, 7)[-1].state_dict()
        loader.load_state_dict(state)
        positions(loader)
        first, second = peer.seen("start")
        assert (first["round"], first["agreement"]["epoch"]) == (1, "0")
        assert first["agreement"]["skipped steps"] == "none"
        assert (second["round"], second["agreement"]["step"]) == (2, "2")


def test_a_refused_start_reaches_the_trainer(run: Path) -> None:
    with serving(run, {"train": Stream(numbers(40))}) as peer:
        peer.faults.errors["start"] = {"code": "refused", "message": "rank 1 has the step 3"}
        with lockstep.Loader("train", run=run) as loader:
            with pytest.raises(lockstep.RefusedError, match="rank 1"):
                positions(loader)
            peer.faults.errors.clear()
            loader.load_state_dict({**loader.state_dict(), "step": 3})
            peer.faults.errors["start"] = {"code": "refused", "message": "rank 1 has the step 4"}
            with pytest.raises(lockstep.RefusedError, match="rank 1"):
                positions(loader)
            peer.faults.errors.clear()
            assert positions(loader)[0] == (0, 3)
        starts = [(s["round"], s["agreement"]["step"]) for s in peer.seen("start")]
        assert starts == [(1, "0"), (2, "3"), (3, "3")]


def test_a_waiting_start_names_what_it_waits_for_and_ends(peer: Peer, run: Path) -> None:
    peer.faults.pending["start"] = "waiting for rank 1 to start the stream 'train'"
    with lockstep.Loader("train", run=run, start_timeout_s=0.5) as loader:
        loader.set_epoch(0)
        with pytest.raises(
            lockstep.StartTimeoutError, match=r"longer than 0 s \(waiting for rank 1 .*alone=True"
        ):
            iter(loader)
        del peer.faults.pending["start"]
        assert positions(loader)[0] == (0, 0)


def test_a_loader_that_is_alone_waits_for_no_rank(peer: Peer, run: Path) -> None:
    peer.faults.errors["start"] = {"code": "refused", "message": "rank 1 is done"}
    with lockstep.Loader("train", run=run, alone=True) as loader:
        assert len(positions(loader)) == 15
        loader.load_state_dict({**loader.state_dict(), "epoch": 1, "step": 2})
        assert positions(loader)[0] == (1, 2)
    with lockstep.torch.Loader("eval", run=run, alone=True) as evaluation:
        evaluation.set_epoch(0)
        assert len(list(evaluation)) == 2
    assert peer.seen("start") == []


def test_an_epoch_before_that_of_a_loaded_state_is_refused(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        loader.load_state_dict({**loader.state_dict(), "epoch": 1, "step": 3})
        with pytest.raises(UsageError, match=r"epoch 1; write: for epoch in loader\.epochs\(\)"):
            loader.set_epoch(0)
        served = []
        for epoch in range(1, 3):
            loader.set_epoch(epoch)
            served += [(b.epoch, b.step) for b in loader]
        assert served == [(1, 3), (1, 4), *((2, step) for step in range(5))]
        loader.set_epoch(0)  # the state was used
        loader.load_state_dict({**loader.state_dict(), "epoch": 1, "step": 3})
        with pytest.warns(UserWarning, match="the rest of epoch 1 .* is left out"):
            loader.set_epoch(2)
        assert next(iter(loader)).step == 0


def test_the_sampler_passes_on_what_a_framework_counts(peer: Peer, run: Path) -> None:
    with (
        lockstep.Loader("train", run=run) as train,
        lockstep.Loader("eval", run=run) as evaluation,
    ):
        train.sampler.set_epoch(2)
        assert {batch.epoch for batch in train} == {2}
        evaluation.sampler.set_epoch(2)  # one epoch, read again and again
        assert {batch.epoch for batch in evaluation} == {0}


def test_ranks_that_do_not_commit_are_named_once(peer: Peer, run: Path) -> None:
    with lockstep.Loader("train", run=run) as loader:
        state = take(loader, 2)[-1].state_dict()
        loader.commit(state)
        peer.warning = "the commit of epoch 0, step 2 is incomplete: rank 1 has not made it"
        with pytest.warns(UserWarning, match="rank 1 has not made it"):
            loader.commit(state)
        loader.commit(state)
    with (
        lockstep.Loader("train", run=run) as loader,
        pytest.warns(UserWarning, match="rank 1 has not made it"),
    ):
        loader.resume()
