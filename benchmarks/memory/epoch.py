"""One epoch of an embedded job with default settings: python -m memory.epoch DATA"""

from __future__ import annotations

import json
import sys

import lockstep

from tabular.workload import BATCH


def main(data: str) -> None:
    rows = 0
    with lockstep.open(data, batch=BATCH) as loader:
        for batch in loader:
            rows += len(batch.sample_ids)
    print(json.dumps({"rows": rows}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
