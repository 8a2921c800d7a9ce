"""Pieces of a rank's batch, for gradient accumulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from lockstep.batch import Batch
from lockstep.decode import Decoded
from lockstep.errors import UsageError
from lockstep.routing import StreamInfo

B = TypeVar("B", bound=Batch)


def count(info: StreamInfo, lanes: range, world_size: int, micro_batch: int | None) -> int:
    """Returns the number of pieces of each step; 1 without micro_batch.

    Raises UsageError unless the pieces are equal, on all ranks.
    """
    rows = len(lanes) * info.lane_rows
    if micro_batch is None:
        return 1
    if isinstance(micro_batch, bool) or not isinstance(micro_batch, int) or micro_batch < 1:
        raise UsageError(f"micro_batch={micro_batch!r}: it is a number of rows, at least 1")
    if info.lanes % world_size:
        raise UsageError(
            f"micro_batch={micro_batch}: {world_size} ranks have batches of unequal size, and thus "
            "unequal numbers of pieces; take a world size that divides the "
            f"{info.lanes} lanes of stream {info.name!r}"
        )
    if rows % micro_batch:
        near = sorted((n for n in range(1, rows + 1) if rows % n == 0), key=_distance(micro_batch))
        raise UsageError(
            f"micro_batch={micro_batch} does not divide the {rows} rows of this rank's batch in "
            f"stream {info.name!r}: take {' or '.join(map(str, sorted(near[:2])))}"
        )
    return rows // micro_batch


def _distance(to: int) -> Any:
    return lambda n: abs(n - to)


def split(batch: B, pieces: int) -> Iterator[B]:
    """The pieces of a batch, in the order of its rows. They share its memory."""
    if pieces == 1:
        yield batch
        return
    rows = batch.rows // pieces
    for piece in range(pieces):
        first = piece * rows
        yield batch.piece(piece, pieces, partial(_part, first=first, end=first + rows))


def _part(decoded: Decoded, first: int, end: int) -> Decoded:
    columns = decoded.columns
    return replace(
        decoded,
        columns={name: _values(values, first, end) for name, values in columns.items()},
        mask={n: _mask(columns[n], mask, first, end) for n, mask in decoded.mask.items()},
        sample_ids=decoded.sample_ids[first:end],
        weight=decoded.weight[first:end],
    )


def _values(values: Any, first: int, end: int) -> Any:
    if not isinstance(values, tuple):
        return values[first:end]
    elements, offsets = values
    own = offsets[first : end + 1]
    return elements[int(own[0]) : int(own[-1])], own - own[0]


def _mask(values: Any, mask: Any, first: int, end: int) -> Any:
    if not isinstance(mask, tuple):
        return mask[first:end]
    offsets = values[1]
    of_elements, of_rows = mask
    return of_elements[int(offsets[first]) : int(offsets[end])], of_rows[first:end]
