"""Every type that a batch may hold, in one part and in several, sliced and with nulls."""

from __future__ import annotations

import itertools
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lockstep.decode import Decoded, Plan
from lockstep.errors import NullValueError, UsageError
from lockstep.memory import NumpyMemory

UTC = timezone.utc


def wire(**columns: pa.Array) -> pa.RecordBatch:
    rows = len(next(iter(columns.values())))
    return pa.record_batch(
        {
            **columns,
            "_sample": pa.array(range(100, 100 + rows), pa.uint64()),
            "_weight": pa.array([1] * (rows - 1) + [0], pa.uint8()),
        }
    )


def decode(batch: pa.RecordBatch, cuts: list[int], masks: set[str] = frozenset()) -> Decoded:  # type: ignore[assignment]
    """Decodes a batch in parts, as they come from several servers."""
    edges = [0, *cuts, batch.num_rows]
    parts = [batch.slice(a, b - a) for a, b in itertools.pairwise(edges)]
    return Plan("train", batch.schema, masks, NumpyMemory()).decode(parts, 2, 3)


CUTS: list[list[int]] = [[], [3], [1, 1, 4]]

NUMBERS = [
    pa.array([1, -2, 3, 4, 5], kind)
    for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64())
] + [
    pa.array([1, 2, 3, 4, 250], kind)
    for kind in (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
]


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize("values", NUMBERS, ids=lambda a: str(a.type))
def test_numbers_keep_type_and_values(values: pa.Array, cuts: list[int]) -> None:
    got = decode(wire(x=values), cuts).columns["x"]
    assert got.dtype == values.to_numpy().dtype
    assert got.tolist() == values.to_pylist()
    assert got.flags.writeable


def test_half_floats() -> None:
    values = pa.array(np.array([1.5, -2, 0.25], np.float16))
    got = decode(wire(x=values), [1]).columns["x"]
    assert got.dtype == np.float16
    assert got.tolist() == [1.5, -2.0, 0.25]


@pytest.mark.parametrize("cuts", CUTS)
def test_bools(cuts: list[int]) -> None:
    values = [i % 3 == 0 for i in range(21)]
    got = decode(wire(x=pa.array(values)), cuts).columns["x"]
    assert got.dtype == np.bool_
    assert got.tolist() == values


NOW = datetime(2024, 2, 29, 12, 30, 1, 234567)
MOMENTS: list[tuple[pa.DataType, Any, str]] = [
    (pa.date32(), date(1969, 7, 20), "datetime64[D]"),
    (pa.date64(), date(2024, 2, 29), "datetime64[ms]"),
    (pa.timestamp("us"), NOW, "datetime64[us]"),
    (pa.timestamp("s"), NOW.replace(microsecond=0), "datetime64[s]"),
    (pa.time32("ms"), time(1, 2, 3), "timedelta64[ms]"),
    (pa.time64("us"), time(1, 2, 3, 4), "timedelta64[us]"),
    (pa.duration("ms"), timedelta(days=-3, seconds=1), "timedelta64[ms]"),
]


@pytest.mark.parametrize(("kind", "value", "dtype"), MOMENTS, ids=lambda v: str(v))
def test_moments(kind: pa.DataType, value: Any, dtype: str) -> None:
    got = decode(wire(x=pa.array([value] * 3, kind)), [2]).columns["x"]
    assert got.dtype == np.dtype(dtype)
    back = got[2].item()
    if isinstance(value, time):
        back = (datetime.min + back).time()
    if isinstance(back, datetime) and not isinstance(value, datetime):
        back = back.date()
    assert back == value


def test_instants_with_a_zone_are_in_utc() -> None:
    instant = NOW.replace(tzinfo=UTC)
    values = pa.array([instant], pa.timestamp("us", "Europe/Berlin"))
    got = decode(wire(x=values), []).columns["x"]
    assert got[0].item() == NOW


@pytest.mark.parametrize("kind", [pa.decimal128(10, 2), pa.decimal256(50, 2)], ids=str)
def test_decimals_become_float64(kind: pa.DataType) -> None:
    values = [Decimal("-12.34"), Decimal("0.01"), Decimal("99999999.99")]
    got = decode(wire(x=pa.array(values, kind)), [1]).columns["x"]
    assert got.dtype == np.float64
    assert got.tolist() == [float(v) for v in values]


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize(
    "values",
    [
        pa.array(["a", "", "ü€😀", "d", "e"]),
        pa.array(["a", "", "ü€😀", "d", "e"], pa.large_string()),
        pa.array([b"a", b"", b"\x00\xff", b"d", b"e"]),
        pa.array([b"a", b"", b"\x00\xff", b"d", b"e"], pa.large_binary()),
        pa.array([b"ab", b"cd", b"\x00\xff", b"ef", b"gh"], pa.binary(2)),
    ],
    ids=lambda a: str(a.type),
)
def test_strings_and_binaries_are_lists(values: pa.Array, cuts: list[int]) -> None:
    assert decode(wire(x=values), cuts).columns["x"] == values.to_pylist()


@pytest.mark.parametrize("cuts", CUTS)
def test_fixed_size_lists_are_matrices(cuts: list[int]) -> None:
    values = [[i, i + 1, i + 2] for i in range(6)]
    got = decode(wire(x=pa.array(values, pa.list_(pa.float32(), 3))), cuts).columns["x"]
    assert got.shape == (6, 3)
    assert got.flags.c_contiguous
    assert got.tolist() == values
    flags = [[i % 2 == 0, i % 3 == 0] for i in range(6)]
    got = decode(wire(x=pa.array(flags, pa.list_(pa.bool_(), 2))), cuts).columns["x"]
    assert got.tolist() == flags
    words = [[str(i), "x"] for i in range(6)]
    assert decode(wire(x=pa.array(words, pa.list_(pa.string(), 2))), cuts).columns["x"] == words


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_lists_are_values_and_offsets(kind: Any, cuts: list[int]) -> None:
    lists = [[1, 2], [], [3], [4, 5, 6], []]
    values, offsets = decode(wire(x=pa.array(lists, kind(pa.int32()))), cuts).columns["x"]
    assert values.dtype == np.int32
    assert offsets.dtype == np.int64
    assert [values[a:b].tolist() for a, b in itertools.pairwise(offsets)] == lists
    words = [["a", "b"], [], ["c"], [], []]
    values, offsets = decode(wire(x=pa.array(words, kind(pa.string()))), cuts).columns["x"]
    assert [values[a:b] for a, b in itertools.pairwise(offsets)] == words


def test_lists_without_any_element() -> None:
    values, offsets = decode(wire(x=pa.array([[], []], pa.list_(pa.int32()))), []).columns["x"]
    assert values.tolist() == []
    assert offsets.tolist() == [0, 0, 0]


def test_samples_and_weights() -> None:
    got = decode(wire(x=pa.array([1, 2, 3])), [1])
    assert got.sample_ids.tolist() == [100, 101, 102]
    assert got.weight.dtype == np.float32
    assert got.weight.tolist() == [1.0, 1.0, 0.0]
    assert list(got.columns) == ["x"]


NULLS = [
    pa.array([1, 2, None]),
    pa.array([True, False, None]),
    pa.array(["a", "b", None]),
    pa.array([[1], [2], [None]], pa.list_(pa.int32())),
    pa.array([[1], [2], None], pa.list_(pa.int32())),
    pa.array([[1], [2], [None]], pa.list_(pa.int32(), 1)),
    pa.array([[1], [2], None], pa.list_(pa.int32(), 1)),
]


@pytest.mark.parametrize("cuts", [[], [1]])
@pytest.mark.parametrize("values", NULLS, ids=lambda a: str(a.type))
def test_a_null_names_column_place_and_remedy(values: pa.Array, cuts: list[int]) -> None:
    with pytest.raises(NullValueError) as caught:
        decode(wire(y=pa.array([1, 2, 3]), age=values), cuts)
    assert str(caught.value) == (
        "column 'age' of stream 'train' has a null at sample 102 (epoch 2, step 3): fill it by "
        "the stream's transforms, leave the column out of the stream's columns, or ask for a mask "
        "with Loader('train', masks={'age'}), or of every column with nulls='mask'"
    )


def test_a_null_elsewhere_in_the_memory_of_a_part_is_none_of_it() -> None:
    whole = wire(x=pa.array([[None], [2], [3]], pa.list_(pa.int32())), y=pa.array([None, 2, 3]))
    part = whole.slice(1)
    got = Plan("train", whole.schema, set(), NumpyMemory()).decode([part], 0, 0)
    assert got.columns["y"].tolist() == [2, 3]
    assert got.columns["x"][0].tolist() == [2, 3]


@pytest.mark.parametrize("cuts", CUTS)
def test_masks_of_single_values(cuts: list[int]) -> None:
    present = [True, False, True, True, False]
    columns = {
        "number": [1, None, 3, 4, None],
        "flag": [True, None, True, False, None],
        "text": ["a", None, "c", "", None],
        "bytes": [b"a", None, b"c", b"", None],
        "price": [Decimal("1.5"), None, Decimal(3), Decimal(4), None],
        "day": [date(2024, 1, 1), None, date(2024, 1, 3), date(2024, 1, 4), None],
        "full": [1, 2, 3, 4, 5],
    }
    batch = wire(**{name: pa.array(values) for name, values in columns.items()})
    got = decode(batch, cuts, set(columns))
    assert got.columns["number"].tolist() == [1, 0, 3, 4, 0]
    assert got.columns["number"].dtype == np.int64
    assert got.columns["flag"].tolist() == [True, False, True, False, False]
    assert got.columns["text"] == ["a", "", "c", "", ""]
    assert got.columns["bytes"] == [b"a", b"", b"c", b"", b""]
    assert got.columns["price"].tolist() == [1.5, 0, 3, 4, 0]
    assert got.columns["day"][1] == np.datetime64(0, "D")
    for name in columns:
        assert got.mask[name].tolist() == ([True] * 5 if name == "full" else present)


@pytest.mark.parametrize("cuts", CUTS)
def test_masks_of_lists(cuts: list[int]) -> None:
    # The elements under the null list are not values of the column.
    elements = pa.array([1, 2, 9, 9, None, 4], pa.int32())
    hidden = pa.ListArray.from_arrays(
        pa.array([0, 2, 4, 4, 6, 6], pa.int32()),
        elements,
        mask=pa.array([False, True, False, False, False]),
    )
    assert hidden.to_pylist() == [[1, 2], None, [], [None, 4], []]
    got = decode(wire(x=hidden), cuts, {"x"})
    values, offsets = got.columns["x"]
    of_values, of_rows = got.mask["x"]
    assert values.tolist() == [1, 2, 0, 4]
    assert offsets.tolist() == [0, 2, 2, 2, 4, 4]
    assert of_values.tolist() == [True, True, False, True]
    assert of_rows.tolist() == [True, False, True, True, True]


@pytest.mark.parametrize("cuts", CUTS)
def test_masks_of_fixed_size_lists(cuts: list[int]) -> None:
    lists = [[1, 2], None, [None, 4], [5, 6], [7, 8]]
    got = decode(wire(x=pa.array(lists, pa.list_(pa.float32(), 2))), cuts, {"x"})
    assert got.columns["x"].tolist() == [[1, 2], [0, 0], [0, 4], [5, 6], [7, 8]]
    assert got.mask["x"].tolist() == [
        [True] * 2,
        [False] * 2,
        [False, True],
        [True] * 2,
        [True] * 2,
    ]


@pytest.mark.parametrize(
    "values",
    [
        pa.array([{"a": 1}]),
        pa.array([[[1]]]),
        pa.array([None]),
        pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int32())),
    ],
    ids=lambda a: str(a.type),
)
def test_a_type_without_a_form_is_refused(values: pa.Array) -> None:
    with pytest.raises(UsageError, match=r"column 'x' has the type .* leave it out"):
        decode(wire(x=values), [])


def test_random_tables_agree_with_arrow() -> None:
    random = np.random.default_rng(5)
    for _ in range(50):
        rows = int(random.integers(1, 40))
        present = random.random(rows) < 0.7
        numbers = random.integers(-1000, 1000, rows)
        lists = [random.integers(0, 9, random.integers(0, 4)).tolist() for _ in range(rows)]
        batch = wire(
            n=pa.array(numbers, mask=~present),
            s=pa.array([str(n) for n in numbers]),
            v=pa.array(
                [v if p else None for v, p in zip(lists, present, strict=True)], pa.list_(pa.int8())
            ),
            b=pa.array(random.random(rows) < 0.5),
        )
        cuts = sorted(random.integers(0, rows + 1, 2).tolist())
        got = decode(batch, cuts, {"n", "v"})
        assert np.array_equal(got.columns["n"], np.where(present, numbers, 0))
        assert np.array_equal(got.mask["n"], present)
        assert got.columns["s"] == batch["s"].to_pylist()
        assert got.columns["b"].tolist() == batch["b"].to_pylist()
        values, offsets = got.columns["v"]
        for row, expected in enumerate(batch["v"].to_pylist()):
            assert values[offsets[row] : offsets[row + 1]].tolist() == (expected or [])
