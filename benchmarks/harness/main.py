"""Runs the parts one after the other, writes their results, and prints the table."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.commands import PartFailedError
from harness.deadline import Deadline
from harness.machine import describe
from harness.paths import TARGET
from harness.report import Row, table
from harness.setup import Setup

_REPEATS = 3
_ROW_GROUPS = 1_000_000

PARTS = (
    "tabular",
    "handoff",
    "proof",
    "seek",
    "verbs",
    "memory",
    "idle",
    "transforms",
    "functions",
    "micro",
)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    TARGET.mkdir(exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    options.work.mkdir(parents=True, exist_ok=True)
    setup = Setup(
        work=options.work.resolve(),
        table=options.data and options.data.resolve(),
        python=Path(os.environ["LOCKSTEP_PYTHON"]),
        peers=options.peers and options.peers.resolve(),
        repeats=options.repeats or (1 if options.brief else _REPEATS),
        row_groups=options.row_groups,
        brief=options.brief,
    )
    machine = describe()
    _say(f"load at the start: {machine['load']:.1f}")
    results: dict[str, Any] = {}
    rows: list[Row] = []
    failed = False
    for name in options.parts or PARTS:
        part = importlib.import_module(f"{name}.part")
        _say(f"{name}: at most {part.LIMIT_S / 60:.0f} minutes")
        try:
            results[name] = part.measure(setup, Deadline(part.LIMIT_S))
        except PartFailedError as error:
            failed = True
            results[name] = {"error": str(error)}
            _say(f"{name} failed: {error}")
        else:
            rows += part.rows(results[name])
        _write(options.out, machine, results, rows)
    sys.stdout.write(table(rows) + "\n")
    return 1 if failed else 0


def _write(out: Path, machine: dict[str, Any], results: dict[str, Any], rows: list[Row]) -> None:
    """Written after each part, so that an interrupted run keeps its results."""
    content = {"machine": machine, "rows": [asdict(row) for row in rows], "parts": results}
    (out / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    (out / "results.md").write_text(table(rows) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", type=_part, metavar="PART", help=f"of {', '.join(PARTS)}; or all"
    )
    parser.add_argument("--repeats", type=int, help=f"of each figure (default {_REPEATS})")
    parser.add_argument(
        "--row-groups",
        type=int,
        default=_ROW_GROUPS,
        help=f"of the dataset in which seek locates steps (default {_ROW_GROUPS:,})",
    )
    parser.add_argument(
        "--brief",
        action="store_true",
        help="only see that it works: little data and time, what it prints are no figures",
    )
    parser.add_argument("--out", type=Path, default=TARGET / "results", help="for the results")
    parser.add_argument("--work", type=Path, default=TARGET / "work", help="for the data: 4 GB")
    parser.add_argument("--data", type=Path, help="a directory with the table, made before")
    parser.add_argument(
        "--peers", type=Path, help="take Petastorm and pyarrow as this folder's run.py runs them"
    )
    return parser


def _part(name: str) -> str:
    # Not argparse's choices, which reject a missing value before Python 3.12.
    if name not in PARTS:
        raise argparse.ArgumentTypeError(
            f"there is no part {name!r}; choose from {', '.join(PARTS)}"
        )
    return name


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
