"""Run directories with sealed manifests of datasets that are not there, of any size."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

_ORDER = {
    "seed": 7,
    "lanes": 64,
    "batch": 4096,
    "window": 2,
    "shuffle": "lane",
    "tail": "drop",
}


def write(run: Path, files: int, row_groups: int, rows: int = 1000) -> None:
    """Writes a run whose stream `train` has files of so many row groups, with 10 columns."""
    digest = _manifest(run / "manifests", files, row_groups, rows)
    text = "order/1\n" + "".join(f"{key}={value}\n" for key, value in _ORDER.items())
    seal = {
        "version": 1,
        "manifest": digest,
        "fingerprint": hashlib.sha256(f"{text}manifest={digest}\n".encode()).hexdigest(),
        "columns": [column["name"] for column in _columns()],
    }
    (run / "streams").mkdir(parents=True)
    (run / "streams" / "train.json").write_text(json.dumps(seal))
    order = ", ".join(f"{key}: {value}" for key, value in _ORDER.items())
    (run / "run.yaml").write_text(f"streams: {{train: {{data: /data, order: {{{order}}}}}}}\n")


def _columns() -> list[dict[str, object]]:
    numbers = [
        {"name": f"f{n}", "nullable": True, "type": _FLOAT, "children": []} for n in range(8)
    ]
    texts = [{"name": f"s{n}", "nullable": True, "type": _TEXT, "children": []} for n in range(2)]
    return numbers + texts


_FLOAT = {"name": "floatingpoint", "precision": "SINGLE"}
_TEXT = {"name": "utf8"}


def _manifest(folder: Path, files: int, row_groups: int, rows: int) -> str:
    lines = hashlib.sha256()
    shards = []
    for number in range(files):
        path, footer = f"part-{number:05d}.parquet", hashlib.sha256(bytes(number)).hexdigest()
        length = 50_000 * row_groups
        for ordinal in range(row_groups):
            lines.update(f"rowgroup {ordinal} {rows} {length} {footer} {path}\n".encode())
        shard = {
            "path": path,
            "location": f"file:/data/{path}",
            "length": length,
            "modified": 1_700_000_000_000,
            "footer": footer,
            "rowGroups": [[rows, 48_000, 9_000 + n % 64, 5_000] for n in range(row_groups)],
        }
        shards.append(json.dumps(shard))
    digest = lines.hexdigest()
    head = {
        "version": 1,
        "digest": digest,
        "root": "file:/data",
        "rows": files * row_groups * rows,
        "schema": {"fields": _columns()},
        "unreadable": [],
    }
    text = json.dumps(head)[:-1] + ', "shards": [\n' + ",\n".join(shards) + "]}"
    folder.mkdir(parents=True)
    (folder / f"{digest}.json.gz").write_bytes(gzip.compress(text.encode(), 1))
    return digest
