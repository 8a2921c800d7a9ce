"""Bugs planted to test the runner: it must find each of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import Enum
from typing import TypeVar

from lockstep import Batch

VARIABLE = "LOCKSTEP_CHAOS_PLANT"

B = TypeVar("B", bound=Batch)


class Plant(str, Enum):
    """Alters the first batch of a restarted trainer."""

    NONE = ""
    SKIPPED = "skipped"
    DOUBLED = "doubled"
    WRONG_ROW = "wrong-row"

    @staticmethod
    def wanted() -> Plant:
        return Plant(os.environ.get(VARIABLE, ""))

    def spoil(self, batches: Iterator[B], restored: bool) -> Iterator[B]:
        for i, batch in enumerate(batches):
            if i > 0 or not restored or self is Plant.NONE:
                yield batch
            elif self is Plant.DOUBLED:
                yield batch
                yield batch
            elif self is Plant.WRONG_ROW:
                batch["label"][batch.rows // 2] ^= 1
                yield batch
