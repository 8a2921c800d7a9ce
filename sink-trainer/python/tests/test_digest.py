from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lockstep.digest import lane_digest, lane_digests, step_digest

_CHECKOUT = Path(__file__).parents[3]
_GOLDEN: dict[str, Any] = json.loads(
    (_CHECKOUT / "connector/src/test/resources/io/lockstep/digest/golden.json").read_text(
        encoding="utf-8"
    )
)


def _rows(vector: dict[str, Any]) -> pa.RecordBatch:
    return pa.ipc.open_stream(base64.b64decode(vector["rows"])).read_next_batch()


@pytest.mark.parametrize("vector", _GOLDEN["lanes"], ids=lambda vector: vector["name"])
class TestGoldenVectors:
    def test_the_digest_is_the_one_of_the_specification(self, vector: dict[str, Any]) -> None:
        assert lane_digest(_rows(vector)) == vector["digest"]

    def test_a_slice_of_a_longer_batch_has_the_same_digest(self, vector: dict[str, Any]) -> None:
        rows = _rows(vector)
        longer = pa.concat_batches([rows.slice(1), rows, rows])
        assert lane_digest(longer.slice(len(rows) - 1, len(rows))) == vector["digest"]


def test_each_lane_of_a_batch_has_its_digest() -> None:
    rows = [_rows(v) for v in _GOLDEN["lanes"] if v["name"].startswith("int32")]
    digests = [v["digest"] for v in _GOLDEN["lanes"] if v["name"].startswith("int32")]
    assert lane_digests(pa.concat_batches(rows), len(rows[0])) == digests


def test_the_digest_of_a_step_is_over_its_lanes_in_order() -> None:
    lanes = [vector["digest"] for vector in _GOLDEN["lanes"]]
    assert step_digest(lanes) == _GOLDEN["step"]
    assert step_digest(lanes[::-1]) != _GOLDEN["step"]
