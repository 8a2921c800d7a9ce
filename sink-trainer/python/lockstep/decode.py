"""Decodes Arrow record batches to arrays with one copy, into memory of this process.

A stream's plan is made once from its schema; each step then costs a few microseconds a column
besides the copy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as types

from lockstep.bitmap import first_null
from lockstep.columns import Column, FixedSizeLists, Lists, SingleValues
from lockstep.errors import NullValueError, UsageError
from lockstep.lane_digests import LaneDigests
from lockstep.memory import Array, Dtype, Memory
from lockstep.protocol import SAMPLE_COLUMN, WEIGHT_COLUMN
from lockstep.scalars import Booleans, Numbers, Objects, Scalars
from lockstep.suggest import nearest

_NO_DIGESTS = LaneDigests()


@dataclass(frozen=True)
class Decoded:
    """The arrays of one step."""

    columns: dict[str, Any]
    mask: dict[str, Any]
    sample_ids: Any
    weight: Any
    digests: LaneDigests
    """As they came with the rows; empty if the job makes none."""


class Plan:
    """Decodes the batches of one stream to arrays. Immutable; used by the fetching thread.

    masks names the columns that may hold nulls; a null in any other column is an error.
    """

    def __init__(
        self, stream: str, schema: pa.Schema, masks: Collection[str], memory: Memory
    ) -> None:
        self._stream = stream
        self._memory = memory
        names = [n for n in schema.names if n not in (SAMPLE_COLUMN, WEIGHT_COLUMN)]
        for name in masks:
            if name not in names:
                raise UsageError(
                    f"masks= names {name!r}, which is not a column of stream {stream!r}"
                    + nearest(name, names)
                )
        self._columns: list[tuple[int, str, Column, bool]] = [
            (
                schema.get_field_index(name),
                name,
                column_for(name, schema.field(name).type, memory),
                name in masks,
            )
            for name in names
        ]
        self._sample = schema.get_field_index(SAMPLE_COLUMN)
        self._weight = schema.get_field_index(WEIGHT_COLUMN)
        self._sample_ids = column_for(SAMPLE_COLUMN, pa.uint64(), memory)

    def decode(
        self,
        parts: Sequence[pa.RecordBatch],
        epoch: int,
        step: int,
        digests: LaneDigests = _NO_DIGESTS,
    ) -> Decoded:
        """Copies the parts, in order, into new arrays; the parts may be released afterwards.

        Raises NullValueError at a null in a column without a mask.
        """
        rows = sum(part.num_rows for part in parts)
        columns: dict[str, Any] = {}
        mask: dict[str, Any] = {}
        for index, name, column, masked in self._columns:
            arrays = [part.column(index) for part in parts]
            if masked:
                columns[name], mask[name] = column.decode_masked(arrays, rows)
            elif column.has_nulls(arrays):
                raise self._null(name, arrays, parts, epoch, step)
            else:
                columns[name] = column.decode(arrays, rows)
        sample_ids = self._sample_ids.decode([part.column(self._sample) for part in parts], rows)
        # Weights become float32, so that they can multiply a loss directly.
        out, weight = self._memory.empty((rows,), np.dtype(np.float32))
        _fill_bytes(out, [part.column(self._weight) for part in parts])
        return Decoded(columns, mask, sample_ids, weight, digests)

    def _null(
        self,
        name: str,
        arrays: Sequence[pa.Array],
        parts: Sequence[pa.RecordBatch],
        epoch: int,
        step: int,
    ) -> NullValueError:
        part, row = first_null(arrays)
        sample = parts[part].column(self._sample)[row].as_py()
        return NullValueError(
            f"column {name!r} of stream {self._stream!r} has a null at sample {sample} (epoch "
            f"{epoch}, step {step}): fill it by the stream's transforms, leave the column out of "
            f"the stream's columns, or ask for a mask with Loader({self._stream!r}, "
            f"masks={{{name!r}}}), or of every column with nulls='mask'"
        )


def column_for(name: str, kind: pa.DataType, memory: Memory) -> Column:
    """Raises UsageError for a type without an array form."""
    if types.is_fixed_size_list(kind):
        return FixedSizeLists(_scalars(name, kind.value_type, memory), kind.list_size, memory)
    if types.is_list(kind) or types.is_large_list(kind):
        return Lists(_scalars(name, kind.value_type, memory), memory)
    return SingleValues(_scalars(name, kind, memory), memory)


def _scalars(name: str, kind: pa.DataType, memory: Memory) -> Scalars:
    if types.is_boolean(kind):
        return Booleans(memory)
    if types.is_string(kind) or types.is_large_string(kind):
        return Objects("")
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return Objects(b"")
    if types.is_decimal(kind):
        return Numbers(name, np.dtype(np.float64), memory, cast=pa.float64())
    if types.is_temporal(kind) and not types.is_interval(kind):
        return Numbers(name, np.dtype(f"i{kind.bit_width // 8}"), memory, moment=_moment(kind))
    if types.is_integer(kind) or types.is_floating(kind):
        letter = "f" if types.is_floating(kind) else "i" if types.is_signed_integer(kind) else "u"
        return Numbers(name, np.dtype(f"{letter}{kind.bit_width // 8}"), memory)
    raise UsageError(
        f"column {name!r} has the type {kind}, which has no form as an array or tensor: leave it "
        "out of the stream's columns"
    )


def _moment(kind: pa.DataType) -> Dtype:
    """Instants are datetime64 (in UTC if the column has a zone), spans and times timedelta64."""
    if types.is_date(kind):
        return np.dtype("datetime64[D]" if types.is_date32(kind) else "datetime64[ms]")
    what = "datetime64" if types.is_timestamp(kind) else "timedelta64"
    return np.dtype(f"{what}[{kind.unit}]")


def _fill_bytes(out: Array, arrays: Sequence[pa.Array]) -> None:
    at = 0
    for array in arrays:
        n = len(array)
        if n:
            out[at : at + n] = np.frombuffer(array.buffers()[1], np.uint8, n, array.offset)
            at += n
