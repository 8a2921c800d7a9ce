from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch

from lockstep import LockstepError, UsageError
from lockstep.torch import Loader
from tests.peer import Peer, Stream, serving


def all_types(rows: int) -> pa.Table:
    numbers = list(range(rows))
    return pa.table(
        {
            "features": pa.array([[i, i + 0.5] for i in numbers], pa.list_(pa.float32(), 2)),
            "label": pa.array(numbers, pa.int64()),
            "flag": pa.array([i % 2 == 0 for i in numbers]),
            "u8": pa.array([200 + i for i in numbers], pa.uint8()),
            "u16": pa.array([65000 + i for i in numbers], pa.uint16()),
            "u32": pa.array([2**32 - 1 - i for i in numbers], pa.uint32()),
            "u64": pa.array([2**63 - 1 - i for i in numbers], pa.uint64()),
            "half": pa.array(np.arange(rows, dtype=np.float16)),
            "day": pa.array(numbers, pa.date32()),
            "at": pa.array(numbers, pa.timestamp("us", "UTC")),
            "name": pa.array([str(i) for i in numbers]),
            "tokens": pa.array([[i] * (i % 3) for i in numbers], pa.list_(pa.int32())),
            "maybe": pa.array([None if i % 4 == 0 else i for i in numbers], pa.float64()),
        }
    )


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_columns_become_tensors(run: Path, transport: str) -> None:
    with (
        serving(run, {"train": Stream(all_types(16))}),
        Loader("train", run=run, transport=transport, masks={"maybe"}) as train,
    ):
        first, second = list(train)
    ids = second.sample_ids
    assert ids.dtype == torch.int64
    assert ids.tolist() == [4, 5, 6, 7, 12, 13, 14, 15]
    assert second.weight.dtype == torch.float32
    expected = {
        "features": torch.stack([ids.float(), ids + 0.5], 1),
        "label": ids,
        "flag": ids % 2 == 0,
        "u8": (200 + ids).to(torch.uint8),
        "u16": (65000 + ids).to(torch.int32),
        "u32": 2**32 - 1 - ids,
        "u64": 2**63 - 1 - ids,
        "half": ids.half(),
        "day": ids,
        "at": ids,
        "maybe": torch.where(ids % 4 == 0, 0, ids).double(),
    }
    for name, tensor in expected.items():
        assert second[name].dtype == tensor.dtype, name
        assert torch.equal(second[name], tensor), name
    assert torch.equal(second.mask["maybe"], ids % 4 != 0)
    assert second["name"] == [str(i) for i in ids.tolist()]
    values, offsets = second["tokens"]
    assert values.dtype == torch.int32
    assert torch.equal(offsets.diff(), ids % 3)
    assert torch.equal(values, ids.int().repeat_interleave(ids % 3))
    assert train.schema.field("day").type == pa.date32()
    assert list(first) == all_types(1).column_names


def test_a_number_that_no_tensor_holds_is_refused(run: Path) -> None:
    table = pa.table({"id": pa.array([2**63 + 5] * 8, pa.uint64())})
    with (
        serving(run, {"train": Stream(table)}),
        Loader("train", run=run) as train,
        pytest.raises(LockstepError, match=r"column 'id' holds 9223372036854775813, .* uint64"),
    ):
        list(train)


def test_batches_move_to_a_device(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, device="meta") as train:
        batch = next(iter(train))
    assert batch["x"].device.type == "meta"
    assert batch.weight.device.type == "meta"
    assert batch.generator.integers(10) >= 0
    with Loader("train", run=run) as train:
        first = next(iter(train))
    moved = first.to("meta")
    assert moved["x"].device.type == "meta"
    assert (moved.epoch, moved.step) == (0, 0)
    assert batch.digests == moved.digests == first.digests
    assert first.digests


def test_use_in_a_torch_dataloader_is_refused(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        for workers in (0, 2):
            dataset: Any = train
            loader: Any = torch.utils.data.DataLoader(dataset, num_workers=workers)
            with pytest.raises(UsageError, match="Iterate over it directly"):
                next(iter(loader))


class Wrapped(torch.utils.data.IterableDataset[object]):
    """Hides a Loader from the DataLoader that forks."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.loader)


def test_iteration_in_forked_workers_is_refused(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        loader = torch.utils.data.DataLoader(
            Wrapped(train), num_workers=1, batch_size=None, multiprocessing_context="fork"
        )
        with pytest.raises(UsageError, match="used after a fork"):
            next(iter(loader))
        assert len(list(train)) == 5


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_batches_on_a_gpu(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, device="cuda") as train:
        kept = [batch for _ in train.epochs() for batch in train]
    for batch in kept:
        assert batch["x"].is_cuda
        assert torch.equal(batch["x"], batch.sample_ids.float() / 2)
    with Loader("train", run=run) as train:
        assert next(iter(train))["x"].is_pinned()


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_pinned_memory_without_a_gpu_warns(run: Path) -> None:
    with serving(run, {"train": Stream(all_types(16))}):
        with pytest.warns(UserWarning, match="torch finds no GPU"):
            train = Loader("train", run=run, pin_memory=True, masks={"maybe"})
        with train:
            assert len(list(train)) == 2


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_gpu_that_is_not_there_is_one_sentence(run: Path) -> None:
    with pytest.raises(UsageError, match=r"device='cuda': torch cannot use .*it finds 0 GPUs"):
        Loader("train", run=run, device="cuda")
    with pytest.raises(UsageError, match=r"device='nothing': torch cannot use"):
        Loader("train", run=run, device="nothing")
