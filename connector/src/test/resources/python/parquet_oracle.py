"""Writes Parquet files of every kind, and compares what was read of them.

make DIRECTORY     writes *.parquet of every type, codec, page version and encoding
small DIRECTORY    writes fewer and smaller ones, to be damaged
checksums DIRECTORY  writes v1.parquet and v2.parquet, whose pages have checksums
refused DIRECTORY  writes files that Lockstep does not read, each for another reason
compare DIRECTORY  NAME.arrow must hold, bit by bit, what pyarrow reads of NAME.parquet
"""

import base64
import decimal
import itertools
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

ROWS = 2_500
GROUP = 1_000


def with_nulls(array, rng, share=0.2):
    mask = rng.random(len(array)) < share
    return (
        pa.Array.from_buffers(
            array.type, len(array), [pa.array(~mask).buffers()[1], *array.buffers()[1:]]
        )
        if array.offset == 0
        else array
    )


def integers(rng, dtype, rows):
    info = np.iinfo(dtype)
    values = rng.integers(info.min, info.max, rows, dtype=dtype, endpoint=True)
    values[:2] = info.min, info.max
    return pa.array(values)


def floats(rng, dtype, rows):
    values = rng.standard_normal(rows).astype(dtype)
    values[:5] = np.nan, np.inf, -np.inf, -0.0, 0.0
    return pa.array(values)


def decimals(rng, precision, scale, rows):
    values = [
        decimal.Decimal((int(rng.integers(2)), rng.integers(0, 10, precision).tolist(), -scale))
        for _ in range(rows)
    ]
    return pa.array(values, pa.decimal128(precision, scale))


def texts(rng, rows):
    letters = np.array(list("abcdefghijklmnopqrstuvwxyzäß漢😀"))
    lengths = rng.integers(0, 40, rows)
    return ["".join(rng.choice(letters, n)) for n in lengths]


def scalars(rng, rows=ROWS):
    """Arrays without nulls, by name."""
    words = texts(rng, rows)
    stamps = rng.integers(-(2**61), 2**61, rows)
    return {
        "bool": pa.array(rng.random(rows) < 0.3),
        **{
            np.dtype(t).name: integers(rng, t, rows)
            for t in (
                np.int8,
                np.int16,
                np.int32,
                np.int64,
                np.uint8,
                np.uint16,
                np.uint32,
                np.uint64,
            )
        },
        **{np.dtype(t).name: floats(rng, t, rows) for t in (np.float16, np.float32, np.float64)},
        "decimal9": decimals(rng, 9, 2, rows),
        "decimal18": decimals(rng, 18, 0, rows),
        "decimal38": decimals(rng, 38, 10, rows),
        "date32": pa.array(rng.integers(-100_000, 100_000, rows, dtype=np.int32), pa.date32()),
        "time_ms": pa.array(rng.integers(0, 86_400_000, rows, dtype=np.int32), pa.time32("ms")),
        "time_us": pa.array(rng.integers(0, 86_400_000_000, rows), pa.time64("us")),
        "time_ns": pa.array(rng.integers(0, 86_400_000_000_000, rows), pa.time64("ns")),
        **{f"timestamp_{u}": pa.array(stamps, pa.timestamp(u)) for u in ("ms", "us", "ns")},
        **{
            f"timestamp_{u}_utc": pa.array(stamps, pa.timestamp(u, "UTC"))
            for u in ("ms", "us", "ns")
        },
        "timestamp_zone": pa.array(stamps, pa.timestamp("us", "Europe/Berlin")),
        "duration": pa.array(stamps, pa.duration("us")),
        "string": pa.array(words),
        "large_string": pa.array(words, pa.large_string()),
        "string_view": pa.array(words, pa.string_view()),
        "category": pa.array([w[:1] for w in words]).dictionary_encode(),
        "binary": pa.array([w.encode() for w in words]),
        "fixed16": pa.array([rng.bytes(16) for _ in range(rows)], pa.binary(16)),
        "few_ints": pa.array(rng.integers(0, 7, rows)),
        "few_floats": pa.array(rng.integers(0, 300, rows).astype(np.float32)),
        "constant": pa.array(np.full(rows, 42)),
        "few_strings": pa.array(rng.choice(["", "a", "a longer word than sixteen bytes"], rows)),
    }


def lists(rng, values, kind=pa.ListArray, rows=ROWS):
    """Lists of many lengths, some empty, some null, some elements null."""
    lengths = np.where(rng.random(rows) < 0.2, 0, rng.integers(1, 9, rows))
    chosen = rng.integers(0, len(values), lengths.sum())
    elements = values.take(pa.array(chosen, mask=rng.random(len(chosen)) < 0.1))
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
    if kind is pa.LargeListArray:
        offsets = offsets.cast(pa.int64())
    null = (lengths == 0) & (rng.random(rows) < 0.5)
    return kind.from_arrays(offsets, elements, mask=pa.array(null))


def fixed_lists(array, size, null_lists, rng):
    rows = len(array) // size
    mask = pa.array(rng.random(rows) < 0.1) if null_lists else None
    return pa.FixedSizeListArray.from_arrays(array[: rows * size], size, mask=mask)


def nested(rng):
    out = {}
    for name in (
        "int64",
        "float32",
        "bool",
        "string",
        "decimal38",
        "int8",
        "timestamp_us_utc",
        "fixed16",
    ):
        array = scalars(rng, 60)[name]
        out[f"list_{name}"] = lists(rng, array)
    many = scalars(rng, ROWS * 4)
    for name in ("float32", "uint8", "bool", "string", "float16"):
        out[f"fixed_{name}"] = fixed_lists(many[name], 4, False, rng)
        out[f"fixed_null_{name}"] = fixed_lists(many[name], 4, True, rng)
    some = pa.array(
        [None if rng.random() < 0.1 else float(i) for i in range(ROWS * 4)], pa.float32()
    )
    out["fixed_elements_null"] = fixed_lists(some, 4, True, rng)
    out["large_list"] = lists(rng, pa.array([1, 2, 3]), pa.LargeListArray)
    return out


def table(rng):
    columns = {}
    for name, array in scalars(rng).items():
        columns[name] = array
        values = array.to_pylist() if name in ("category", "string_view") else None
        if values is None:
            columns[f"{name}_null"] = with_nulls(array, rng)
        else:
            columns[f"{name}_null"] = pa.array(
                [None if rng.random() < 0.2 else v for v in values], array.type
            )
    columns["all_null"] = pa.array([None] * ROWS, pa.int32())
    columns["null_strings"] = pa.array([None] * ROWS, pa.string())
    # Nulls in the second row group only.
    columns["late_null"] = pa.array([None if 1_200 < i < 1_300 else i for i in range(ROWS)])
    columns.update(nested(rng))
    return pa.table(columns)


def required(whole):
    """The columns without nulls, as such in the schema."""
    names = [
        f.name
        for f in whole.schema
        if whole[f.name].null_count == 0 and not pa.types.is_nested(f.type)
    ]
    schema = pa.schema([pa.field(n, whole.schema.field(n).type, nullable=False) for n in names])
    return whole.select(names).cast(schema)


ENCODINGS = {
    "delta": {
        "DELTA_BINARY_PACKED": lambda t: pa.types.is_integer(t) and t.bit_width >= 32,
        "DELTA_LENGTH_BYTE_ARRAY": lambda t: pa.types.is_string(t) or pa.types.is_binary(t),
    },
    "prefix": {
        "DELTA_BYTE_ARRAY": lambda t: pa.types.is_string(t) or pa.types.is_binary(t),
    },
    "split": {
        "BYTE_STREAM_SPLIT": lambda t: (
            pa.types.is_floating(t) or pa.types.is_integer(t) or pa.types.is_fixed_size_binary(t)
        ),
    },
}


def make(directory):
    rng = np.random.default_rng(11)
    whole = table(rng)

    def write(name, data, **options):
        pq.write_table(data, directory / f"{name}.parquet", row_group_size=GROUP, **options)

    for codec, version in itertools.product(("none", "snappy", "gzip", "zstd"), ("1.0", "2.0")):
        for dictionary in (True, False):
            write(
                f"{codec}-v{version[0]}-{'dictionary' if dictionary else 'plain'}",
                whole,
                compression=codec,
                data_page_version=version,
                use_dictionary=dictionary,
                data_page_size=2_000,
                write_batch_size=64,
            )
    write("required", required(whole), data_page_version="2.0")
    write("required-v1", required(whole), data_page_version="1.0", use_dictionary=False)
    # Dictionaries that grow too large, so that later pages are plain.
    write(
        "fallback", whole, dictionary_pagesize_limit=500, data_page_size=1_000, write_batch_size=64
    )
    write("checksums", whole, write_page_checksum=True)
    write("integer-decimals", whole, store_decimal_as_integer=True)
    nanoseconds = [n for n in whole.column_names if n.startswith("timestamp_ns")]
    write("int96", whole.select(nanoseconds), use_deprecated_int96_timestamps=True)
    write("flat-lists", whole, use_compliant_nested_type=False)
    write("no-arrow-schema", whole, store_schema=False)
    for name, encodings in ENCODINGS.items():
        for version in ("1.0", "2.0"):
            chosen = {
                f.name: e for f in whole.schema for e, fits in encodings.items() if fits(f.type)
            }
            write(
                f"{name}-v{version[0]}",
                whole.select(list(chosen)),
                use_dictionary=False,
                column_encoding=chosen,
                data_page_version=version,
            )


def small(directory):
    rng = np.random.default_rng(12)
    whole = table(rng).slice(0, 40)
    names = [
        "int64",
        "bool_null",
        "few_floats_null",
        "few_strings",
        "string_null",
        "decimal38_null",
        "int8",
        "list_float32",
        "list_string",
        "fixed_null_float32",
        "constant",
    ]
    some = pa.table({n: pa.concat_arrays(whole[n].chunks) for n in names})
    for codec in ("none", "snappy", "gzip", "zstd"):
        for version in ("1.0", "2.0"):
            for dictionary in (True, False):
                name = f"{codec}-v{version[0]}-{'dictionary' if dictionary else 'plain'}.parquet"
                pq.write_table(
                    some,
                    directory / name,
                    compression=codec,
                    data_page_version=version,
                    use_dictionary=dictionary,
                    row_group_size=25,
                )
    chosen = {
        "int64": "DELTA_BINARY_PACKED",
        "string_null": "DELTA_BYTE_ARRAY",
        "few_strings": "DELTA_LENGTH_BYTE_ARRAY",
        "few_floats_null": "BYTE_STREAM_SPLIT",
    }
    pq.write_table(
        some.select(list(chosen)),
        directory / "encodings.parquet",
        use_dictionary=False,
        column_encoding=chosen,
        compression="none",
    )


def checksums(directory):
    rows = pa.table({"x": range(200), "y": [str(i) for i in range(200)]})
    for version in ("1", "2"):
        pq.write_table(
            rows,
            directory / f"v{version}.parquet",
            row_group_size=100,
            data_page_version=f"{version}.0",
            use_dictionary=False,
            compression="none",
            write_page_checksum=True,
        )


def refused(directory):
    columns = {
        "id": pa.array([1, 2]),
        "struct": pa.array([{"a": 1}, {"a": 2}]),
        "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int32())),
        "list_of_lists": pa.array([[[1]], [[2, 3]]]),
        "list_of_structs": pa.array([[{"a": 1, "b": 2}], []]),
        "decimal76": pa.array([decimal.Decimal(1), None], pa.decimal256(76, 0)),
        "nothing": pa.nulls(2),
    }
    pq.write_table(pa.table(columns), directory / "types.parquet")
    fixed = pa.schema([pa.field("x", pa.list_(pa.int32(), 2))])
    stored = base64.b64encode(fixed.serialize()).decode()
    for name, ragged in {
        "short": [[1, 2], [3], [4, 5, 6]],
        "long": [[1, 2], [3, 4, 5], [6]],
        "empty": [[1, 2], [], [3, 4]],
        "short_null": [[1, None], [3], [4, 5, 6]],
        "long_null": [None, [3, 4, 5], [6]],
        "last": [[1, 2], [3]],
    }.items():
        wrong = pa.table({"x": pa.array(ragged, pa.list_(pa.int32()))})
        with pq.ParquetWriter(
            directory / f"{name}.parquet", wrong.schema, store_schema=False
        ) as writer:
            writer.write_table(wrong)
            writer.add_key_value_metadata({"ARROW:schema": stored})
    for codec, name in (("brotli", "BROTLI"), ("lz4", "LZ4_RAW")):
        pq.write_table(pa.table({"id": [1]}), directory / f"{name}.parquet", compression=codec)


def plain_type(kind):
    """The type that Lockstep gives for one that pyarrow gives."""
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(pa.field("element", plain_type(kind.value_type), kind.value_field.nullable))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(
            pa.field("element", plain_type(kind.value_type), kind.value_field.nullable),
            kind.list_size,
        )
    return kind


def same(got, want):
    """Whether two arrays hold the same bits, but for what lies under nulls."""
    if len(got) != len(want) or not got.is_valid().equals(want.is_valid()):
        return False
    got, want = got.drop_null(), want.drop_null()
    kind = got.type
    if pa.types.is_fixed_size_list(kind):
        return same(got.flatten(), want.flatten())
    if pa.types.is_list(kind):
        return got.value_lengths().equals(want.value_lengths()) and same(
            got.flatten(), want.flatten()
        )
    if pa.types.is_floating(kind):
        as_integer = {16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}[kind.bit_width]
        return got.view(as_integer).equals(want.view(as_integer))
    return got.equals(want)


def one_chunk(column):
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def compare(directory):
    files = sorted(directory.glob("*.parquet"))
    assert files
    for file in files:
        want = pq.read_table(file, coerce_int96_timestamp_unit="ns")
        with pa.ipc.open_file(file.with_suffix(".arrow")) as reader:
            got = reader.read_all()
        got.validate(full=True)
        assert got.column_names == want.column_names, (file, got.column_names, want.column_names)
        for name in want.column_names:
            expected = one_chunk(want[name])
            kind = plain_type(expected.type)
            if pa.types.is_dictionary(expected.type):
                expected = expected.dictionary_decode()
            expected = expected.cast(kind)
            actual = one_chunk(got[name])
            assert actual.type == kind, (file, name, actual.type, kind)
            assert got.schema.field(name).nullable == want.schema.field(name).nullable, (file, name)
            assert same(actual, expected), (file, name, actual, expected)
    print(len(files))


if __name__ == "__main__":
    {
        "make": make,
        "small": small,
        "checksums": checksums,
        "refused": refused,
        "compare": compare,
    }[sys.argv[1]](pathlib.Path(sys.argv[2]))
