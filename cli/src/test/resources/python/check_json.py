"""Compares rows as JSON with pyarrow's. Arguments: JSON file, Parquet file, number of rows."""

import base64
import json
import sys

import pyarrow.parquet as pq


def plain(value):
    """Converts a pyarrow value to the command's format."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, list):
        return [plain(v) for v in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def same(expected, found):
    """Normalises times, which ISO 8601 can write in several ways."""
    if isinstance(expected, str) and isinstance(found, str) and expected != found:
        clean = [t.replace("+00:00", "Z") for t in (expected, found)]
        digits = [t.rstrip("Z").rstrip("0") + "Z" * t.endswith("Z") for t in clean]
        return digits[0] == digits[1]
    return expected == found and type(expected) is type(found)


with open(sys.argv[1]) as lines:
    rows = [json.loads(line) for line in lines]
table = pq.read_table(sys.argv[2])
assert len(rows) == int(sys.argv[3]), len(rows)
for number, row in enumerate(rows):
    assert list(row) == table.column_names, list(row)
    for name, found in row.items():
        column = table[name]
        value = column[number].as_py()
        expected = plain(float(value) if str(column.type) == "halffloat" else value)
        assert same(expected, found), (number, name, expected, found)
print("same")
