"""A trainer that only takes batches: python -m handoff.consume HOST:PORT TRANSPORT

Prints the bytes per second of each epoch as one line of JSON. Measured from the first available
batch to the last, because the first also waits until the steps are ready.
"""

from __future__ import annotations

import json
import os
import sys
import time

from lockstep import Loader


def main(endpoint: str, transport: str) -> None:
    os.environ["LOCKSTEP_ENDPOINTS"] = endpoint
    rates = []
    with Loader("train", rank=0, world_size=1, transport=transport) as loader:
        for _ in loader.epochs():
            batches = iter(loader)
            next(batches)
            started = time.monotonic()
            taken = sum(batch["features"].nbytes for batch in batches)
            rates.append(taken / (time.monotonic() - started))
    print(json.dumps(rates))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
