from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lockstep.location import EndpointList, RunDirectory
from lockstep.manifest import difference

FORMER, NOW = "a" * 64, "b" * 64


def shard(path: str, length: int = 1_048_576, footer: str = "f") -> dict[str, Any]:
    return {"path": path, "length": length, "footer": footer}


def seal(run: Path, digest: str, shards: list[dict[str, Any]], rows: int = 10) -> None:
    folder = run / "manifests"
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"rows": rows, "shards": shards}).encode()
    (folder / f"{digest}.json.gz").write_bytes(gzip.compress(content))


@pytest.mark.parametrize(
    ("shards", "text"),
    [
        ([shard("a")], "file é is gone"),
        ([shard("a"), shard("b"), shard("é")], "file b is new"),
        (
            [shard("a", 1_048_580), shard("é", 1)],
            "file a has other content (1,048,576 bytes -> 1,048,580 bytes)",
        ),
        ([shard("a"), shard("é", footer="g")], "file é has other content"),
        ([shard("a"), shard("é")], "the dataset has other row groups (10 rows -> 1 row)"),
    ],
)
def test_the_first_file_that_differs(
    tmp_path: Path, shards: list[dict[str, Any]], text: str
) -> None:
    seal(tmp_path / "former", FORMER, [shard("a"), shard("é")])
    seal(tmp_path / "now", NOW, shards, rows=1)
    state = {"run": str(tmp_path / "former"), "manifest": FORMER}
    assert text in difference(state, NOW, RunDirectory(str(tmp_path / "now")))


def test_manifests_that_cannot_be_read_are_named_and_not_shown(tmp_path: Path) -> None:
    seal(tmp_path, NOW, [])
    (tmp_path / "manifests" / f"{FORMER}.json.gz").write_text("secret")
    (tmp_path / "secret.json.gz").write_bytes(gzip.compress(b'{"rows":1,"shards":[]}'))
    state = {"run": str(tmp_path), "manifest": FORMER}
    expected = f"the dataset has other content (manifest {FORMER} -> {NOW})"
    assert difference(state, NOW, RunDirectory(str(tmp_path))) == expected
    assert difference(state, NOW, EndpointList("a:1")) == expected
    other = {**state, "manifest": "../secret"}
    assert "../secret ->" in difference(other, NOW, RunDirectory(str(tmp_path)))
