"""Pieces of batches: the rows of a step, once each and in order, and states that name steps."""

from __future__ import annotations

import functools
import gc
import operator
import weakref
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch

import lockstep.torch
from lockstep import Loader, UsageError
from tests.peer import Peer, Stream, serving


def lists(rows: int) -> pa.Table:
    numbers = list(range(rows))
    return pa.table(
        {
            "label": pa.array(numbers, pa.int64()),
            "name": pa.array([str(i) for i in numbers]),
            "pair": pa.array([[i, -i] for i in numbers], pa.list_(pa.float32(), 2)),
            "tokens": pa.array(
                [None if i % 5 == 0 else [i] * (i % 3) for i in numbers], pa.list_(pa.int32())
            ),
        }
    )


def test_pieces_are_the_rows_of_the_batch_in_order(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        whole = [batch.sample_ids.tolist() for batch in train]
    with Loader("train", run=run, micro_batch=2) as train:
        assert len(train) == 20
        pieces = list(train)
    assert len(pieces) == 20
    for step, ids in enumerate(whole):
        of_step = pieces[4 * step : 4 * step + 4]
        assert [piece.step for piece in of_step] == [step] * 4
        assert [piece.micro_step for piece in of_step] == [0, 1, 2, 3]
        assert [piece.ends_step for piece in of_step] == [False, False, False, True]
        assert (
            functools.reduce(operator.iadd, (piece.sample_ids.tolist() for piece in of_step), [])
            == ids
        )
        assert (
            functools.reduce(operator.iadd, (piece["label"].tolist() for piece in of_step), [])
            == ids
        )
        assert {piece.weight.shape for piece in of_step} == {(2,)}
        draws = [piece.generator.random() for piece in of_step]
        assert len(set(draws)) == 4


def test_a_piece_stays_one_on_another_device(peer: Peer, run: Path) -> None:
    with lockstep.torch.Loader("train", run=run, micro_batch=2) as train:
        pieces = list(train)
    for piece in pieces:
        moved = piece.to("meta")
        assert (moved.micro_step, moved.micro_steps) == (piece.micro_step, 4)
        assert moved.ends_step == piece.ends_step
        assert moved.state_dict() == piece.state_dict()
        assert moved.generator is piece.generator


@pytest.mark.parametrize("micro_batch", [None, 4])
def test_a_batch_frees_its_memory_when_it_is_dropped(
    peer: Peer, run: Path, micro_batch: int | None
) -> None:
    with Loader("train", run=run, micro_batch=micro_batch) as train:
        batches = list(train)
    gc.disable()
    try:
        kept = [weakref.ref(batch) for batch in batches]
        arrays = [weakref.ref(batch["x"]) for batch in batches]
        del batches
        assert [ref() for ref in (*kept, *arrays)] == [None] * 2 * len(kept)
    finally:
        gc.enable()


@pytest.mark.parametrize("torch_tensors", [False, True])
def test_lists_and_masks_are_cut_with_their_rows(run: Path, torch_tensors: bool) -> None:
    kind = lockstep.torch.Loader if torch_tensors else Loader
    with (
        serving(run, {"train": Stream(lists(32))}),
        kind("train", run=run, micro_batch=4, masks={"tokens"}) as train,
    ):
        for piece in train:
            ids = [int(i) for i in piece.sample_ids]
            values, offsets = piece["tokens"]
            of_values, of_rows = piece.mask["tokens"]
            lengths = [0 if i % 5 == 0 else i % 3 for i in ids]
            assert np.diff(np.asarray(offsets)).tolist() == lengths
            assert int(offsets[0]) == 0
            assert np.asarray(values).tolist() == [
                i for i, length in zip(ids, lengths, strict=True) for _ in range(length)
            ]
            assert np.asarray(of_rows).tolist() == [i % 5 != 0 for i in ids]
            assert len(of_values) == len(values)
            assert piece["name"] == [str(i) for i in ids]
            assert np.asarray(piece["pair"]).tolist() == [[i, -i] for i in ids]
            assert isinstance(piece["pair"], torch.Tensor) == torch_tensors


def test_a_state_inside_a_step_names_that_step(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, micro_batch=4) as train:
        pieces = iter(train)
        first, second, third = next(pieces), next(pieces), next(pieces)
        assert (train.state_dict()["epoch"], train.state_dict()["step"]) == (0, 1)
        assert first.state_dict()["step"] == 0
        assert second.state_dict()["step"] == 1
        state = third.state_dict()
        assert state["step"] == 1
    with Loader("train", run=run, micro_batch=8) as train:
        train.load_state_dict(state)
        again = next(iter(train))
    assert again.step == 1
    assert again.sample_ids.tolist()[:4] == third.sample_ids.tolist()


def test_a_step_is_consumed_with_its_last_piece(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, micro_batch=4) as train:
        pieces = iter(train)
        next(pieces)
        assert train._next == (0, 0)
        next(pieces)
        assert train._next == (0, 1)


@pytest.mark.parametrize(
    ("micro_batch", "message"),
    [
        (3, "does not divide the 8 rows of this rank's batch in stream 'train': take 2 or 4"),
        (16, "does not divide the 8 rows .* take 4 or 8"),
        (0, "micro_batch=0: it is a number of rows, at least 1"),
        (True, "micro_batch=True: it is a number of rows"),
    ],
)
def test_pieces_must_be_equal(peer: Peer, run: Path, micro_batch: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Loader("train", run=run, micro_batch=micro_batch)


def test_ranks_with_unequal_batches_have_no_pieces(run: Path) -> None:
    streams = {"train": Stream(lists(96), lanes=6, batch=24)}
    with serving(run, streams), pytest.raises(UsageError, match="4 ranks have batches of unequal"):
        Loader(
            "train",
            run=run,
            rank=0,
            world_size=4,
            launch="a",
            allow_uneven=True,
            micro_batch=4,
        )
