"""Replaces lockstep serve with the peer; takes the arguments of serve --until-eof."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as parquet

from tests.peer import Stream, serving


def main(arguments: list[str]) -> int:
    options = dict(pairwise(arguments[2:]))
    print(f"serving {' '.join(arguments)}", file=sys.stderr, flush=True)
    data = Path(options["--data"])
    if not data.exists():
        print(f"there is no {data}: give a directory", file=sys.stderr)
        return 2
    table = parquet.read_table(data)
    stream = Stream(table, batch=int(options["--batch"]), epochs=int(options.get("--epochs", 1)))
    run = Path(options["--run"])
    run.mkdir(parents=True, exist_ok=True)
    # A killed peer leaves its memory to the owner of the run directory.
    with serving(run, {"train": stream}, memory=run) as peer:
        print(json.dumps({"run": str(run)}), flush=True)
        sys.stdin.read()
        Path(data, "closed").write_text(str(len(peer.seen("close"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
