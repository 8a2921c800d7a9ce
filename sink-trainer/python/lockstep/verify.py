"""Verifies that batches arrive as the job made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from lockstep.digest import lane_digest
from lockstep.errors import DigestMismatchError, UsageError

CHOICES = ("sample", "all", "off")

# A sample is one lane of the first step that a Loader receives, and of one in so many steps after
# it, each time the next lane.
_EVERY = 20


class Verifier:
    """Computes the digests of some or all received steps and compares them. Used by one thread.

    choice is one of CHOICES.
    """

    def __init__(self, choice: str, stream: str, lane_rows: int) -> None:
        self._every = {"sample": _EVERY, "all": 1, "off": 0}[choice]
        self._stream = stream
        self._lane_rows = lane_rows
        self._seen = 0
        self._turn = 0

    def check(
        self, epoch: int, step: int, parts: Sequence[pa.RecordBatch], digests: Mapping[int, str]
    ) -> None:
        """Checks the rows of the lanes, in ascending order in parts, against the job's digests.

        Raises DigestMismatchError at the first lane that differs, and UsageError if all steps are
        to be checked and the job makes no digests.
        """
        due = self._every > 0 and self._seen % self._every == 0
        self._seen += 1
        if not due:
            return
        if not digests:
            if self._every == 1:
                raise UsageError(
                    f"verify='all', but the run makes no digests of stream {self._stream!r}: take "
                    "run.digests: off out of its run file, or leave verify out"
                )
            return
        lanes = sorted(digests)
        places = [(part, start) for part in parts for start in range(0, len(part), self._lane_rows)]
        checked = range(len(lanes))
        if self._every > 1:
            checked = range(self._turn % len(lanes), len(lanes))[:1]
            self._turn += 1
        for index in checked:
            part, start = places[index]
            lane, digest = lanes[index], lane_digest(part.slice(start, self._lane_rows))
            if digests[lane] != digest:
                raise DigestMismatchError(
                    f"lane {lane} of step {step} of epoch {epoch} of stream {self._stream!r} came "
                    f"with the digest {digests[lane]}, but its rows have {digest}: they were "
                    "changed on the way, look for faulty memory or for another writer in /dev/shm"
                )
