from __future__ import annotations

import gc
import pickle
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import lockstep
from lockstep import Loader, UnknownStreamError, UsageError
from tests.conftest import numbers
from tests.peer import Peer, Stream, serving


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_epochs_give_every_step_in_order(peer: Peer, run: Path, transport: str) -> None:
    with Loader("train", run=run, transport=transport) as train:
        assert len(train) == 5
        seen = [
            (batch.epoch, batch.step, batch.sample_ids.tolist(), batch["label"].tolist())
            for _ in train.epochs()
            for batch in train
        ]
    assert [(epoch, step) for epoch, step, _, _ in seen] == [
        (e, s) for e in range(3) for s in range(5)
    ]
    for _, step, ids, labels in seen:
        assert ids == [*range(4 * step, 4 * step + 4), *range(20 + 4 * step, 24 + 4 * step)]
        assert labels == ids


def test_batches_outlive_their_slots(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        kept = [batch for _ in train.epochs() for batch in train]
    for batch in kept:
        assert np.array_equal(batch["x"], batch.sample_ids.astype(np.float32) / 2)
        batch["x"][:] = 0  # the batch's own memory


def test_weight_and_generator(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, rank=1, world_size=2, launch="a") as train:
        batch = next(iter(train))
    assert batch.weight.tolist() == [1.0] * 4
    assert batch.sample_ids.tolist() == [20, 21, 22, 23]
    words = batch.generator.bit_generator.random_raw(2)
    key = np.array(_key(seed=7, epoch=0, step=0), np.uint64)
    counter = np.array([0, 0, 1, 0], np.uint64)
    assert np.array_equal(words, np.random.Philox(key=key, counter=counter).random_raw(2))


def _key(seed: int, epoch: int, step: int) -> list[int]:
    import hashlib

    text = b"order/1\0step\0" + b"".join(n.to_bytes(8, "little") for n in (seed, epoch, step))
    digest = hashlib.sha256(text).digest()
    return [int.from_bytes(digest[i : i + 8], "little") for i in (0, 8)]


def test_evaluation_starts_again_whenever_it_is_iterated(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train, Loader("eval", run=run) as evaluation:
        for _ in train.epochs():
            for batch in train:
                assert [b.step for b in evaluation] == [0, 1]
                assert batch.step < 5
    assert len(peer.seen("register")) == 1


def test_an_iteration_that_was_left_starts_anew(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        for epoch in train.epochs():
            for batch in train:
                assert batch.epoch == epoch
                if batch.step == 1:
                    break
            assert [b.step for b in train] == [0, 1, 2, 3, 4]


def test_only_the_latest_iteration_goes_on(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        first = iter(train)
        next(first)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            second = iter(train)
        assert next(second).step == 0
        with pytest.raises(UsageError, match="only the latest goes on"):
            next(first)


def test_repeating_epoch_0_of_a_stream_of_several_warns(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train, Loader("eval", run=run) as evaluation:
        assert len(list(train)) == 5
        with pytest.warns(UserWarning, match="starts epoch 0 again"):
            list(train)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            list(evaluation)
            list(evaluation)


def test_lanes_on_several_servers_are_concatenated_in_lane_order(run: Path) -> None:
    streams = {"train": Stream(numbers(64), lanes=4, batch=16)}
    with (
        serving(run, streams, lanes={"train": [0, 2]}, subtask=0) as even,
        serving(run, streams, lanes={"train": [1, 3]}, subtask=1) as odd,
        Loader("train", run=run) as train,
    ):
        for batch in train:
            expected = streams["train"].rows([0, 1, 2, 3], batch.step)
            assert batch.sample_ids.tolist() == expected["_sample"].to_pylist()
            assert batch["label"].tolist() == expected["_sample"].to_pylist()
        assert {tuple(r["lanes"]) for r in even.seen("get")} == {(0, 2)}
        assert {tuple(r["lanes"]) for r in odd.seen("get")} == {(1, 3)}


def test_ranks_concatenate_to_the_global_batch(run: Path) -> None:
    streams = {"train": Stream(numbers(96), lanes=6, batch=24)}
    with serving(run, streams):
        for world in (1, 2, 3, 6):
            ids: list[list[int]] = [[] for _ in range(4)]
            for rank in range(world):
                launch = f"w{world}"
                with Loader("train", run=run, rank=rank, world_size=world, launch=launch) as train:
                    for batch in train:
                        ids[batch.step] += batch.sample_ids.tolist()
            for step in range(4):
                expected = streams["train"].rows(list(range(6)), step)["_sample"].to_pylist()
                assert ids[step] == expected


@pytest.mark.parametrize("world", [1, 2, 3, 4])
def test_an_epoch_has_the_same_steps_on_every_rank(run: Path, world: int) -> None:
    """For any number of ranks, with skipped steps and a resume in mid-epoch."""
    streams = {"train": Stream(numbers(96), lanes=6, batch=24, epochs=2)}
    left_out = [(0, 3), (1, 0)]
    with serving(run, streams):
        seen = []
        for rank in range(world):
            who = {"rank": rank, "world_size": world, "launch": "a", "allow_uneven": True}
            with Loader("train", run=run, skip_steps=left_out, **who) as train:  # type: ignore[arg-type]
                train.load_state_dict({**train.state_dict(), "step": 1})
                seen.append([(b.epoch, b.step, len(train)) for _ in train.epochs() for b in train])
        assert seen == [[(0, 1, 3), (0, 2, 3), (1, 1, 3), (1, 2, 3), (1, 3, 3)]] * world


def test_a_trainer_that_sleeps_is_fetched_for_no_further_than_asked(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, prefetch=2) as train:
        batches = iter(train)
        next(batches)
        fetcher = train._fetcher
        with fetcher._changed:
            assert fetcher._changed.wait_for(lambda: not fetcher._has_work(), 10)
        assert [r["step"] for r in peer.seen("get")] == [0, 1, 2]
        assert [b.step for b in batches] == [1, 2, 3, 4]


def test_a_world_that_does_not_divide_the_lanes_is_refused(run: Path) -> None:
    with serving(run, {"train": Stream(numbers(96), lanes=6, batch=24)}) as peer:
        with pytest.raises(UsageError, match=r"6 lanes, which 4 ranks .* start 1, 2, 3, 6 ranks"):
            Loader("train", run=run, rank=0, world_size=4, launch="a")
        assert peer.seen("register") == []
        with Loader("train", run=run, rank=1, world_size=4, launch="a", allow_uneven=True) as t:
            assert next(iter(t)).rows == 8
        with pytest.raises(UsageError, match="7 ranks"):
            Loader("train", run=run, rank=0, world_size=7, launch="a", allow_uneven=True)


def test_an_unknown_stream_is_refused_with_the_nearest(peer: Peer, run: Path) -> None:
    with pytest.raises(UnknownStreamError, match=r"no stream 'trian' \(did you mean 'train'\?\)"):
        Loader("trian", run=run)


def test_all_loaders_of_a_process_have_one_rank(peer: Peer, run: Path) -> None:
    with (
        Loader("train", run=run, rank=0, world_size=2, launch="a"),
        pytest.raises(UsageError, match=r"already takes part .* as rank 0 of 2"),
    ):
        Loader("eval", run=run, rank=1, world_size=2, launch="a")


def test_slots_are_freed_and_steps_asked_for_ahead(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, ahead=3) as train:
        list(train)
    asked = peer.seen("get")
    assert [(r["step"], r["upTo"]) for r in asked] == [(0, 3), (1, 4), (2, 5), (3, 5), (4, 5)]
    assert all(len(r["free"]) == 1 for r in asked[1:])


def test_steps_of_the_next_epoch_are_asked_for_ahead(run: Path) -> None:
    with serving(run, {"train": Stream(numbers(24), batch=8, epochs=2)}) as peer:
        with Loader("train", run=run, ahead=2) as train:
            for _ in train.epochs():
                list(train)
            list(train)
        asked = [(r["epoch"], r["step"], r["upTo"]) for r in peer.seen("get")]
    both = [(0, 0, 2), (0, 1, 3), (0, 2, 4), (1, 0, 2), (1, 1, 3), (1, 2, 3)]
    assert asked == [*both, (0, 0, 2), (0, 1, 3), (0, 2, 3)]


def test_leaving_by_an_exception_is_no_clean_close(peer: Peer, run: Path) -> None:
    with pytest.raises(ZeroDivisionError), Loader("train", run=run) as train:
        raise ZeroDivisionError(next(iter(train)))
    assert peer.seen("close") == []


def test_one_loader_that_failed_keeps_the_rank_unfinished(peer: Peer, run: Path) -> None:
    evaluation = Loader("eval", run=run)
    with pytest.raises(ZeroDivisionError), Loader("train", run=run):
        raise ZeroDivisionError
    evaluation.close()
    assert peer.seen("close") == []


def test_a_loader_of_the_same_stream_replaces_the_earlier(peer: Peer, run: Path) -> None:
    first = Loader("train", run=run)
    second = Loader("train", run=run)
    with pytest.raises(UsageError, match="opened again"):
        next(iter(first))
    assert [b.step for b in second] == [0, 1, 2, 3, 4]
    first.close()
    second.close()
    second.close()
    assert peer.seen("close") == []


def test_a_rank_is_done_when_it_says_so_and_not_when_its_loaders_have_closed(
    peer: Peer, run: Path
) -> None:
    for _ in range(2):  # a Loader an epoch
        with Loader("train", run=run) as train:
            assert [b.step for b in train] == [0, 1, 2, 3, 4]
    with Loader("eval", run=run) as evaluation:
        assert [b.step for b in evaluation] == [0, 1]
    assert peer.seen("close") == []
    left_open = Loader("eval", run=run)
    lockstep.done()
    lockstep.done()
    with pytest.raises(UsageError, match="is closed"):
        next(iter(left_open))
    with pytest.raises(
        lockstep.RunDoneError, match=r"done\(\) was called; open all Loaders before"
    ):
        Loader("train", run=run)
    assert [(r["generation"], r["rank"]) for r in peer.seen("close")] == [(1, 0)]


def test_closing_one_of_several_detaches_it(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        with Loader("eval", run=run) as evaluation:
            list(evaluation)
        assert [r["stream"] for r in peer.seen("detach")] == ["eval"]
        assert peer.seen("close") == []
        list(train)


def test_a_dropped_loader_is_collected_and_its_thread_ends(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        evaluation = Loader("eval", run=run)
        list(evaluation)
        thread = evaluation._fetcher._thread
        dropped = weakref.ref(evaluation)
        del evaluation
        gc.collect()
        assert dropped() is None
        thread.join(5)
        assert not thread.is_alive()
        list(train)


def test_use_after_close_is_refused(peer: Peer, run: Path) -> None:
    train = Loader("train", run=run)
    train.close()
    with pytest.raises(UsageError, match=r"closed: close\(\) was called"):
        iter(train)


def test_use_as_a_dataset_is_refused(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        with pytest.raises(UsageError, match="without torch's DataLoader"):
            train[0]
        with pytest.raises(UsageError, match="cannot be pickled"):
            pickle.dumps(train)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nulls": "drop"}, "say 'error' or 'mask'"),
        ({"masks": "x"}, "give a set of columns"),
        ({"masks": {"lable"}}, "did you mean 'label'"),
        ({"prefetch": 0}, "prefetch=0"),
        ({"ahead": 0}, "ahead=0"),
        ({"transport": "udp"}, "'auto', 'shm', 'flight'"),
        ({"retry_limit_s": -1}, "cannot be negative"),
        ({"rank": 1}, "belong together"),
    ],
)
def test_wrong_options_are_refused(
    peer: Peer, run: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        Loader("train", run=run, **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="which run"):
        Loader("train")


def test_endpoints_in_place_of_a_run_directory(
    peer: Peer, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKSTEP_ENDPOINTS", f"127.0.0.1:9, 127.0.0.1:{peer.port}")
    monkeypatch.setenv("LOCKSTEP_TOKEN_FILE", str(run / "token"))
    with Loader("train") as train:
        assert len(list(train)) == 5
