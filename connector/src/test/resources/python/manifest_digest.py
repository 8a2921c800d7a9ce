"""Computes a manifest's digest as the order's specification says, from the files alone.

manifest_digest.py DIRECTORY
"""

import hashlib
import pathlib
import sys

import pyarrow.parquet as pq


def footer(content):
    length = int.from_bytes(content[-8:-4], "little")
    return content[-8 - length : -8]


def digest(root):
    files = {f.relative_to(root).as_posix(): f for f in root.rglob("*.parquet")}
    total = hashlib.sha256()
    for name, file in sorted(files.items(), key=lambda item: item[0].encode()):
        content = file.read_bytes()
        own = hashlib.sha256(footer(content)).hexdigest()
        metadata = pq.read_metadata(file)
        for ordinal in range(metadata.num_row_groups):
            rows = metadata.row_group(ordinal).num_rows
            line = f"rowgroup {ordinal} {rows} {len(content)} {own} {name}\n"
            total.update(line.encode())
    return total.hexdigest()


print(digest(pathlib.Path(sys.argv[1])))
