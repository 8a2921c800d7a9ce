"""Between Arrow and what functions take and return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from lockstep.worker.fault import FunctionFault

Convert = Callable[[pa.RecordBatch], Any]


def to_arrays(rows: pa.RecordBatch) -> dict[str, Any]:
    """numpy arrays by column name; they share memory with the rows where that is possible."""
    return {name: _array(name, rows.column(name)) for name in rows.schema.names}


def to_table(rows: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([rows])


def to_frame(rows: pa.RecordBatch) -> Any:
    """A pandas DataFrame; numbers with nulls become floats with NaN, as pyarrow converts them."""
    return rows.to_pandas()


def _array(name: str, column: pa.Array) -> Any:
    kind = column.type
    if column.null_count and (pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        row = column.is_null().to_numpy(zero_copy_only=False).argmax()
        raise FunctionFault(
            f'cannot get the column "{name}" as a numpy array: it has nulls, which arrays of {kind}'
            " cannot hold; fill them before, or take a pyarrow.RecordBatch or a pandas.DataFrame",
            row=int(row),
        )
    if pa.types.is_fixed_size_list(kind) and not column.null_count:
        return _array(name, column.flatten()).reshape(len(column), kind.list_size)
    return column.to_numpy(zero_copy_only=False)


def to_rows(result: Any, declared: pa.Schema, given: pa.RecordBatch) -> pa.RecordBatch:
    """The declared columns of a function's result.

    given: the columns that it read; those that it returns without declaring them are left out.
    Raises FunctionFault if the result has other columns, types or another number of rows.
    """
    columns = _columns(result)
    known = [*declared.names, *given.schema.names]
    for name in columns:
        if name not in known:
            raise FunctionFault(
                f"returned the column {name!r}, which it does not declare: add it to 'adds'"
            )
    made = []
    for field in declared:
        if field.name not in columns:
            raise FunctionFault(
                f"did not return the column \"{field.name}\", which 'adds' declares; it returned "
                + (", ".join(map(str, columns)) or "no column")
            )
        made.append(_column(field, columns[field.name], given.num_rows))
    return pa.RecordBatch.from_arrays(made, schema=declared)


def _columns(result: Any) -> Mapping[str, Any]:
    if isinstance(result, (pa.RecordBatch, pa.Table)):
        return dict(zip(result.schema.names, result.columns, strict=True))
    if isinstance(result, Mapping):
        return result
    if type(result).__name__ == "DataFrame":
        return {str(name): result[name] for name in result.columns}
    raise FunctionFault(
        f"returned {_kind(result)}; it must return the columns that it declares, as a dict of numpy"
        " arrays, a pyarrow.RecordBatch or Table, or a pandas.DataFrame"
    )


def _kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__module__}.{type(value).__qualname__}"


def _name(kind: pa.DataType) -> str:
    """The type as users declare it."""
    names = {"float": "float32", "double": "float64", "halffloat": "float16"}
    if pa.types.is_fixed_size_list(kind):
        return f"{_name(kind.value_type)}[{kind.list_size}]"
    return names.get(str(kind), str(kind))


def _column(field: pa.Field, values: Any, rows: int) -> pa.Array:
    column = _arrow(field, values)
    if len(column) != rows:
        raise FunctionFault(
            f'returned {len(column)} rows of {rows} in the column "{field.name}"; it must return a'
            " row for each row"
        )
    if column.type != field.type:
        raise FunctionFault(
            f'returned the column "{field.name}" as {_name(column.type)}, and declares it as'
            f" {_name(field.type)}: convert it in the function, or correct 'adds'"
        )
    if not field.nullable and column.null_count:
        raise FunctionFault(
            f'returned nulls in the column "{field.name}"; a tensor cannot hold any: fill them'
        )
    return column


def _arrow(field: pa.Field, values: Any) -> pa.Array:
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.Array):
        if pa.types.is_fixed_size_list(values.type) and not values.null_count:
            return _lists(field.type, values.flatten(), values.type.list_size)
        return _same_strings(values, field.type)
    array = np.asarray(values) if not hasattr(values, "to_numpy") else values.to_numpy()
    if array.ndim == 0:
        raise FunctionFault(
            f'returned {_kind(values)} as the column "{field.name}"; it must be an array with a'
            " value for each row"
        )
    if array.ndim == 2:
        return _lists(field.type, pa.array(np.ascontiguousarray(array).reshape(-1)), array.shape[1])
    if array.dtype == object or array.dtype.kind in "UT":
        try:
            return pa.array(values, type=field.type, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as e:
            raise FunctionFault(
                f'returned the column "{field.name}", which it declares as {field.type}, with'
                f" other values: {e}"
            ) from None
    return pa.array(array)


def _lists(declared: pa.DataType, values: pa.Array, size: int) -> pa.Array:
    """Lists of so many values; of the declared type if they differ only in the names of fields."""
    if (
        pa.types.is_fixed_size_list(declared)
        and declared.list_size == size
        and declared.value_type == values.type
    ):
        return pa.FixedSizeListArray.from_arrays(values, type=declared)
    return pa.FixedSizeListArray.from_arrays(values, size)


def _same_strings(column: pa.Array, declared: pa.DataType) -> pa.Array:
    """Arrow has several layouts for strings; they hold the same values."""
    is_text = pa.types.is_string(declared) and (
        pa.types.is_large_string(column.type) or pa.types.is_dictionary(column.type)
    )
    return column.cast(declared) if is_text else column
