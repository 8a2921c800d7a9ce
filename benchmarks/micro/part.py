"""JMH microbenchmarks of the operations on every row: decoding, gathering, hashing, drawing."""

from __future__ import annotations

import json
from tempfile import NamedTemporaryFile
from typing import Any

from harness.commands import run_command
from harness.deadline import Deadline
from harness.report import Row
from harness.setup import Setup
from tabular.workload import ROW_BYTES, ROW_GROUP

LIMIT_S = 6 * 60

# No warm-up, and one iteration.
_BRIEF = ["-wi", "0", "-i", "1", "-r", "10ms"]


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    """JMH's time per operation, by benchmark and parameter."""
    with NamedTemporaryFile(suffix=".json") as out:
        options = ["-rf", "json", "-rff", out.name, "-p", f"table={setup.tabular_data()}"]
        if setup.brief:
            options += _BRIEF
        run_command(setup.java("org.openjdk.jmh.Main", *options, "micro"), deadline.left())
        results = json.load(out)
    return {_name(result): result["primaryMetric"] for result in results}


def _name(result: dict[str, Any]) -> str:
    name = ".".join(result["benchmark"].split(".")[-2:])
    stored = result.get("params", {}).get("stored")
    return f"{name} from {stored}" if stored else name


def rows(result: dict[str, Any]) -> list[Row]:
    score = {name: metric["score"] for name, metric in result.items()}
    decode_ns = score["DecodeRowGroup.decode"] * 1e6 / ROW_GROUP
    columns, packed = score["GatherRows.gather from columns"], score["GatherRows.gather from rows"]
    return [
        Row("decoding a row of 52 columns, one core", _speed(decode_ns), "", ""),
        Row(
            "gathering a row of 52 columns from packed rows, one core",
            _speed(packed),
            f"from columns {_speed(columns)}",
            f"{columns / packed:.2f}",
        ),
        Row(
            "making the digest of a row of 52 columns, one core",
            _speed(score["DigestLane.digest"]),
            "",
            "",
        ),
        Row("finding a row's place, ns", f"{score['WindowPermutation.permute']:.1f}", "", ""),
        Row("reading a row's place, ns", f"{score['WindowPermutation.read']:.1f}", "", ""),
        Row(
            "drawing random words for samples, M words/s, one core",
            f"{1e3 / score['SampleNumbers.words']:.0f}",
            "goal: 100",
            f"{10 / score['SampleNumbers.words']:.2f}",
        ),
        Row(
            "drawing normal numbers for samples, M numbers/s, one core",
            f"{1e3 / score['SampleNumbers.normal']:.0f}",
            "",
            "",
        ),
    ]


def _speed(nanoseconds: float) -> str:
    return f"{nanoseconds:.0f} ns ({ROW_BYTES / nanoseconds:.2f} GB/s)"
