"""One trainer: consumes the stream, records what it received, commits, and resumes from a commit.

Started as `python -m chaos.trainer FOLDER LAUNCH PACE_MS`. It prints a line of JSON before and
after each wait, so that the runner knows what it is owed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from lockstep import Batch, FencedError, Loader

from chaos.barrier import Barrier
from chaos.plants import Plant
from chaos.settings import EPOCHS

Position = tuple[int, int]
"""(epoch, step)"""

START: Position = (0, 0)

# Exit code of a trainer that was fenced by a newer launch.
FENCED = 7

# Not a divisor of an epoch's steps, so that some steps at its end are never committed.
_COMMIT_EVERY = 7
_DIGEST_BYTES = 16


class Trainer:
    """A rank from start to end."""

    def __init__(self, folder: Path, launch: int, lanes: int, pace_s: float) -> None:
        self._lanes = lanes
        self._pace_s = pace_s
        self._loader = Loader("train", nulls="mask", prefetch=1, ahead=4)
        rank, world = self._loader.rank, self._loader.world_size
        self._first_lane = rank * lanes // world
        self._barrier = Barrier(folder / f"barrier-{launch}", rank, world)
        self._record = os.open(
            folder / "records" / f"{launch:03d}-{rank}.jsonl",
            os.O_WRONLY | os.O_CREAT | os.O_APPEND,
        )

    def run(self) -> None:
        with self._loader:
            start = self._resume()
            self._write({"resumed": start, "world": self._loader.world_size})
            tell("resumed", start)
            batches = Plant.wanted().spoil(self._batches(start), start != START)
            for batch in batches:
                self._write({"at": [batch.epoch, batch.step], "lanes": self._digests(batch)})
                tell("got", (batch.epoch, batch.step))
                self._barrier.pass_by()
                time.sleep(self._pace_s)
                if (batch.step + 1) % _COMMIT_EVERY == 0:
                    tell("commit", (batch.epoch, batch.step))
                    # False if the run directory is full or read-only; training continues without.
                    if self._loader.commit(batch.state_dict(rng=True)):
                        self._write({"committed": [batch.epoch, batch.step]})
                    tell("committed", (batch.epoch, batch.step))
            self._write({"finished": True})
            tell("close", (EPOCHS, 0))
        tell("closed", (EPOCHS, 0))

    def _resume(self) -> Position:
        tell("resume", START)
        state = self._loader.resume()
        if state is None:
            return START
        self._loader.load_state_dict(state)
        return state["epoch"], state["step"]

    def _batches(self, start: Position) -> Iterator[Batch]:
        batches = (batch for _ in self._loader.epochs() for batch in self._loader)
        at = start
        while True:
            tell("want", at)
            batch = next(batches, None)
            if batch is None:
                return
            at = batch.epoch, batch.step + 1
            yield batch

    def _digests(self, batch: Batch) -> dict[int, str]:
        """The digest of each lane's part of the batch, over its rows in order of arrival."""
        lanes = self._lanes // self._loader.world_size
        rows = batch.rows // lanes
        return {
            self._first_lane + i: _digest(batch, slice(i * rows, (i + 1) * rows))
            for i in range(lanes)
        }

    def _write(self, entry: dict[str, Any]) -> None:
        os.write(self._record, json.dumps(entry).encode() + b"\n")


def _digest(batch: Batch, rows: slice) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in _parts(batch, rows):
        if isinstance(part, np.ndarray):
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(json.dumps(part).encode())
    return digest.hexdigest()


def _parts(batch: Batch, rows: slice) -> Iterator[Any]:
    """Everything that a trainer receives of these rows."""
    yield batch.sample_ids[rows]
    yield batch.weight[rows]
    for name, values in batch.items():
        mask = batch.mask[name]
        if isinstance(values, tuple):  # lists of any length: their elements and offsets
            elements, offsets = values
            inner = slice(offsets[rows.start], offsets[rows.stop])
            yield elements[inner]
            yield np.diff(offsets[rows.start : rows.stop + 1])
            yield mask[0][inner]
            yield mask[1][rows]
        else:
            yield values[rows]
            yield mask[rows]


def tell(what: str, at: Position) -> None:
    sys.stdout.write(json.dumps([what, *at]) + "\n")
    sys.stdout.flush()


def main() -> int:
    folder, launch, lanes, pace_ms = sys.argv[1:]
    try:
        Trainer(Path(folder), int(launch), int(lanes), float(pace_ms) / 1000).run()
    except FencedError as fenced:
        print(fenced, file=sys.stderr)
        return FENCED
    return 0


if __name__ == "__main__":
    sys.exit(main())
