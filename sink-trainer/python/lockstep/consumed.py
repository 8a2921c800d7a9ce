"""The steps that the trainer's own code has received, until the run directory records them."""

from __future__ import annotations

import itertools
import math
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lockstep.lane_digests import LaneDigests

# The minimum time between reports to a server, whether with a call for another step or in a call of
# their own. Reporting many steps at once costs less.
TELL_EVERY_S = 0.1

# The most steps that wait to be recorded; when the run directory rejects writes, the oldest are
# dropped first.
MAX_STEPS = 10_000

# The most digits of digests in one request: a server takes requests of at most 1 MiB.
_MOST_DIGITS = 1 << 19


def most_of(lanes: Sequence[int]) -> int:
    """The most receipts for these lanes that fit into a request."""
    return max(1, _MOST_DIGITS // (32 * len(lanes) + 128))


class _Step:
    """A received step, and those of its lanes that are not recorded yet."""

    def __init__(self, number: int, epoch: int, step: int, digests: LaneDigests) -> None:
        self.number = number
        self.epoch = epoch
        self.step = step
        self.digests = digests
        self.left = digests.lanes()


class Consumed:
    """The received steps of one stream that are not fully recorded. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = 0
        self._steps: deque[_Step] = deque()

    def received(self, epoch: int, step: int, digests: LaneDigests) -> None:
        """Adds a step that the trainer's code receives now, with the digests of its lanes; they are
        empty if the job makes none."""
        if not digests:
            return
        with self._lock:
            self._steps.append(_Step(self._numbers, epoch, step, digests))
            self._numbers += 1
            if len(self._steps) > MAX_STEPS:
                self._steps.popleft()

    def __len__(self) -> int:
        """The number of steps that are not recorded yet."""
        with self._lock:
            return len(self._steps)

    def after(self, number: int, lanes: Sequence[int]) -> list[dict[str, Any]]:
        """Returns the receipts for a server of these lanes, of the first steps after that number.

        As many as fit into a request. Receipts of lanes that another server has recorded already
        are sent again, which is harmless.
        """
        with self._lock:
            # Usually one: the steps before it wait for their record, for seconds.
            newest = itertools.takewhile(lambda s: s.number > number, reversed(self._steps))
            left = [step for step in newest if not step.left.isdisjoint(lanes)]
            return [
                {
                    "number": step.number,
                    "epoch": step.epoch,
                    "step": step.step,
                    "digests": step.digests.of(lanes),
                }
                for step in left[: -1 - most_of(lanes) : -1]
            ]

    def recorded(self, number: int, lanes: Sequence[int]) -> None:
        """Marks these lanes of all steps up to that number as recorded."""
        with self._lock:
            for step in self._steps:
                if step.number > number:
                    break
                step.left.difference_update(lanes)
            while self._steps and not self._steps[0].left:
                self._steps.popleft()


class Receipts:
    """The receipts sent to one server, each step once. Used by one thread at a time.

    A call whose answer was lost repeats the same receipts. Another server gets a new object, and so
    all receipts that are not recorded.
    """

    def __init__(
        self,
        consumed: Consumed,
        lanes: Sequence[int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._consumed = consumed
        self._clock = clock
        self._lanes = lanes
        self._session = uuid.uuid4().hex
        self._told = -1
        self._recorded = -1
        self._telling = -1
        self.has_more = False
        """Whether more receipts wait than the last request could hold."""
        self._next_s = -math.inf

    def field(self) -> dict[str, Any]:
        """The fields for a request that names the lanes; empty if no report is due."""
        return {} if self._clock() < self._next_s else self._tell(self._told > self._recorded)

    def news(self) -> dict[str, Any]:
        """The fields for a separate request, whether or not a report is due; empty if there is
        nothing to report."""
        return self._tell(False)

    def _tell(self, asks: bool) -> dict[str, Any]:
        steps = self._consumed.after(self._told, self._lanes)
        if not steps and not asks:
            return {}
        self._telling = steps[-1]["number"] if steps else self._told
        self.has_more = len(steps) == most_of(self._lanes)
        return {"consumed": {"session": self._session, "steps": steps}}

    def answered(self, reply: Mapping[str, Any]) -> None:
        """Handles the reply to the request with the last fields."""
        recorded = reply.get("recorded")
        if recorded is None:
            return
        # The next request has the receipts that did not fit into this one.
        self._next_s = self._clock() + (0 if self.has_more else TELL_EVERY_S)
        self._told = max(self._told, self._telling)
        if recorded > self._recorded:
            self._recorded = recorded
            self._consumed.recorded(recorded, self._lanes)
