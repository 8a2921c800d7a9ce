"""Batches as torch tensors: from lockstep.torch import Loader.

Columns are tensors of the same type if torch computes with it; uint16 becomes int32, uint32 and
uint64 become int64, and dates, times and timestamps int64 in the unit that Loader.schema names.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
import torch

from lockstep.arrays import Arrays
from lockstep.batch import Batch, StepStream
from lockstep.dataset_columns import DatasetColumns
from lockstep.decode import Decoded
from lockstep.errors import UsageError
from lockstep.loader import LoaderBase
from lockstep.location import RunLocation
from lockstep.memory import Array, Dtype, Memory
from lockstep.notebook import start
from lockstep.options import START_TIMEOUT_S
from lockstep.plural import counted
from lockstep.streams import Streams
from lockstep.torch_arrays import TorchArrays

__all__ = ["Loader", "TorchBatch", "open"]

_WIDER: dict[Dtype, Dtype] = {
    np.dtype(np.uint16): np.dtype(np.int32),
    np.dtype(np.uint32): np.dtype(np.int64),
    np.dtype(np.uint64): np.dtype(np.int64),
}


class TorchMemory:
    """New tensors, in pinned memory if requested."""

    def __init__(self, pin: bool) -> None:
        self._pin = pin

    def dtype(self, wire: Dtype) -> Dtype:
        return _WIDER.get(wire, wire)

    def empty(
        self, shape: tuple[int, ...], dtype: Dtype, moment: Dtype | None = None
    ) -> tuple[Array, Any]:
        if not self._pin:
            array = np.empty(shape, dtype)
            return array, torch.from_numpy(array)
        # From torch's own pool, which knows when a copy to the GPU has ended and the memory is
        # free. Empty tensors cannot be pinned, and need not be.
        kind = torch.from_numpy(np.empty(0, dtype)).dtype
        tensor = torch.empty(shape, dtype=kind, pin_memory=0 not in shape)
        return tensor.numpy(), tensor


class TorchBatch(Batch):
    """A batch whose numbers are tensors."""

    ready: torch.cuda.Event | None = None
    """The event that a stream has to wait for while copies to a GPU are in progress."""

    def to(self, device: torch.device | str | int, non_blocking: bool = False) -> TorchBatch:
        """Returns the batch with all tensors on a device."""
        moved = _map_all(self._decoded, lambda t: t.to(device, non_blocking=non_blocking))
        batch = TorchBatch(moved, self.epoch, self.step, self._stream)
        batch._whole = self._whole
        batch.micro_step, batch.micro_steps = self.micro_step, self.micro_steps
        return batch

    def _arrays(self) -> Arrays:
        return TorchArrays(self.sample_ids.device)

    def tensors(self, use: Callable[[torch.Tensor], object]) -> None:
        """Calls use with every tensor of the batch."""

        def visit(tensor: torch.Tensor) -> torch.Tensor:
            use(tensor)
            return tensor

        _map_all(self._decoded, visit)


class Loader(LoaderBase[TorchBatch]):
    __doc__ = f"""{LoaderBase.__doc__}
    device: the device of the tensors, which are copied there ahead of use; the host's memory by
        default.
    pin_memory: whether to pin host memory, so that copies to a GPU overlap with its work; by
        default if torch finds a GPU.
    """

    def __init__(
        self,
        stream: str = "train",
        *,
        device: torch.device | str | int | None = None,
        pin_memory: bool | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        launch: str | None = None,
        run: str | os.PathLike[str] | RunLocation | None = None,
        masks: Collection[str] = (),
        nulls: str = "error",
        prefetch: int = 2,
        ahead: int = 8,
        allow_uneven: bool = False,
        transport: str | None = None,
        alone: bool = False,
        micro_batch: int | None = None,
        start_timeout_s: float = START_TIMEOUT_S,
        retry_limit_s: float | None = None,
        skip_steps: Iterable[tuple[int, int]] = (),
        verify: str = "sample",
    ) -> None:
        self.device = None if device is None else _device(device)
        self._pin = _pins(pin_memory)
        super().__init__(
            stream,
            rank=rank,
            world_size=world_size,
            launch=launch,
            run=run,
            masks=masks,
            nulls=nulls,
            prefetch=prefetch,
            ahead=ahead,
            allow_uneven=allow_uneven,
            transport=transport,
            alone=alone,
            micro_batch=micro_batch,
            start_timeout_s=start_timeout_s,
            retry_limit_s=retry_limit_s,
            skip_steps=skip_steps,
            verify=verify,
        )

    def _memory(self) -> Memory:
        return TorchMemory(self._pin)

    def _pack(self) -> Callable[[Decoded, int, int, StepStream], TorchBatch]:
        if self.device is None:
            return TorchBatch
        return _Mover(self.device)

    def _hand_over(self, batch: TorchBatch) -> None:
        if batch.ready is not None:
            stream = torch.cuda.current_stream(self.device)
            stream.wait_event(batch.ready)
            # The memory came from the copying stream, which must not reuse it while this stream
            # still reads it.
            batch.tensors(lambda tensor: tensor.record_stream(stream))


def _device(given: torch.device | str | int) -> torch.device:
    """Raises UsageError if this process has no such device."""
    try:
        device = torch.device(given)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as e:
        found = f"it finds {counted(torch.cuda.device_count(), 'GPU')}"
        raise UsageError(
            f"device={given!r}: torch cannot use this device here ({found}): install a build of "
            f"torch for it, or leave device out. torch says: {str(e).splitlines()[0]}"
        ) from None
    return device


def _pins(given: bool | None) -> bool:
    """Whether to pin memory; like DataLoader, warns if that is asked for without a GPU."""
    available = torch.cuda.is_available()
    if given and not available:
        warnings.warn(
            "pin_memory=True, but torch finds no GPU: the memory of batches is not pinned",
            stacklevel=3,
        )
    return available and given is not False


class _Mover:
    """Copies batches to a device, on a GPU in a stream beside the training's."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._stream = (
            torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
            if device.type == "cuda"
            else None
        )

    def __call__(self, decoded: Decoded, epoch: int, step: int, stream: StepStream) -> TorchBatch:
        if self._stream is None:
            return TorchBatch(self._moved(decoded), epoch, step, stream)
        with torch.cuda.stream(self._stream):
            batch = TorchBatch(self._moved(decoded), epoch, step, stream)
            batch.ready = self._stream.record_event()
        return batch

    def _moved(self, decoded: Decoded) -> Decoded:
        return _map_all(decoded, lambda t: t.to(self._device, non_blocking=True))


def _map_all(decoded: Decoded, change: Callable[[torch.Tensor], torch.Tensor]) -> Decoded:
    def mapped(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return change(value)
        if isinstance(value, tuple):
            return tuple(mapped(part) for part in value)
        return value  # strings and binaries stay lists

    return replace(
        decoded,
        columns={name: mapped(value) for name, value in decoded.columns.items()},
        mask={name: mapped(value) for name, value in decoded.mask.items()},
        sample_ids=mapped(decoded.sample_ids),
        weight=mapped(decoded.weight),
    )


@overload
def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int,
    columns: str | Iterable[str] | None = None,
    partitions: Mapping[str, str] | None = None,
    schema: Mapping[str, Any] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    transforms: Sequence[Any] = (),
    **loader: Any,
) -> Loader: ...


@overload
def open(data: str | os.PathLike[str], **loader: Any) -> Streams[Loader]: ...


def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int | None = None,
    columns: str | Iterable[str] | None = None,
    partitions: Mapping[str, str] | None = None,
    schema: Mapping[str, Any] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    transforms: Sequence[Any] = (),
    **loader: Any,
) -> Loader | Streams[Loader]:
    """Like lockstep.open, with tensors."""
    order = {"lanes": lanes, "window": window, "seed": seed, "shuffle": shuffle, "tail": tail}
    order["epochs"] = epochs
    rows = DatasetColumns(columns, partitions, schema)
    return start(Loader, data, batch, rows, order, transforms, loader)
