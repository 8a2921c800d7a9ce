"""Epochs of different lengths, as in a dataset that grows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import lockstep
from lockstep import ProtocolError, StateMismatchError, UsageError
from lockstep.epochs import Epoch, EpochTable, _parse
from tests.conftest import numbers
from tests.peer import Stream, serving

LENGTHS = (3, 1, 5)


def test_a_constant_table() -> None:
    table = EpochTable.constant(5)
    assert table.epoch(3) == Epoch(15, 5)
    assert table.following((0, 3)) == (0, 4)
    assert table.following((0, 4)) == (1, 0)
    assert table.steps_through(1, 3) == 15
    last = 2**31 - 2
    assert table.epoch(last).first == last * 5


def test_each_epoch_is_asked_for_once() -> None:
    asked = []

    def ask(epoch: int) -> Sequence[Epoch]:
        asked.append(epoch)
        return [Epoch(0, 3), Epoch(3, 1), Epoch(4, 5)][epoch:]

    table = EpochTable(ask)
    assert [table.steps(epoch) for epoch in (0, 1, 2, 1, 0)] == [3, 1, 5, 1, 3]
    assert table.following((1, 0)) == (2, 0)
    assert table.steps_through(0, 2) == 9
    assert asked == [0]


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"epochs": []},
        {"epochs": [{"epoch": 1, "first": 0, "steps": 3}]},
        {"epochs": [{"epoch": 0, "first": 0}]},
    ],
)
def test_a_wrong_reply_is_named(reply: dict[str, object]) -> None:
    with pytest.raises(ProtocolError, match="the server's epochs"):
        _parse(reply, 0)


def test_a_loader_follows_the_lengths(run: Path) -> None:
    expected = [(epoch, step) for epoch, steps in enumerate(LENGTHS) for step in range(steps)]
    with serving(run, {"train": Stream(numbers(40), epochs=3, lengths=LENGTHS)}) as peer:
        with lockstep.Loader("train", run=run) as loader:
            seen, lengths, states = [], [], []
            for _ in loader.epochs():
                lengths.append(len(loader))
                for batch in loader:
                    seen.append((batch.epoch, batch.step))
                    states.append(batch.state_dict())
            assert seen == expected
            assert lengths == [3, 1, 5]
            following = [(s["epoch"], s["step"]) for s in states]
            assert following == [*expected[1:], (3, 0)]
            loader.load_state_dict(states[3])
            assert [(b.epoch, b.step) for _ in loader.epochs() for b in loader] == expected[4:]
            with pytest.raises(StateMismatchError, match="step 1 of epoch 1, which"):
                loader.load_state_dict({**states[0], "epoch": 1, "step": 1})
        assert len(peer.seen("epochs")) == 1
        # The job makes steps ahead to the end of the last epoch at most.
        ends = [r["upTo"] for r in peer.seen("get") if r["epoch"] == 0]
        assert max(ends) == sum(LENGTHS)


def test_steps_to_skip_are_checked_against_their_own_epoch(run: Path) -> None:
    with serving(run, {"train": Stream(numbers(40), epochs=3, lengths=LENGTHS)}):
        with lockstep.Loader("train", run=run, skip_steps=[(1, 0), (2, 4)]) as loader:
            loader.set_epoch(1)
            assert len(loader) == 0
        with pytest.raises(UsageError, match="that one with the steps 0 to 0"):
            lockstep.Loader("train", run=run, skip_steps=[(1, 1)])
