"""What the trainer's own code has received, until the run directory has a record of it."""

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

# At most once in this time a server is told with a call for another step, and after it with one of
# its own: what is told of many steps together costs less, and to write it takes longer still.
TELL_EVERY_S = 0.1

# Steps that wait to be recorded at most: the oldest go first where the run directory takes none.
MAX_STEPS = 10_000

# Digests of one request, in digits: a server takes requests of at most 1 MiB.
_MOST_DIGITS = 1 << 19


def most_of(lanes: Sequence[int]) -> int:
    """How many receipts for these lanes fit into a request."""
    return max(1, _MOST_DIGITS // (32 * len(lanes) + 128))


class _Step:
    """A step that was received, and which of its lanes are not recorded yet."""

    def __init__(self, number: int, epoch: int, step: int, digests: LaneDigests) -> None:
        self.number = number
        self.epoch = epoch
        self.step = step
        self.digests = digests
        self.left = digests.lanes()


class Consumed:
    """The received steps of one stream that are not recorded everywhere. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = 0
        self._steps: deque[_Step] = deque()

    def received(self, epoch: int, step: int, digests: LaneDigests) -> None:
        """The trainer's code gets this step now; digests are of its lanes, none where the job makes
        none."""
        if not digests:
            return
        with self._lock:
            self._steps.append(_Step(self._numbers, epoch, step, digests))
            self._numbers += 1
            if len(self._steps) > MAX_STEPS:
                self._steps.popleft()

    def __len__(self) -> int:
        """How many steps are not recorded yet."""
        with self._lock:
            return len(self._steps)

    def after(self, number: int, lanes: Sequence[int]) -> list[dict[str, Any]]:
        """The receipts for a server of these lanes, of the first steps after that number.

        As many as fit into a request.

        Where some of the lanes are recorded already, by another server, it does no harm to tell
        them again.
        """
        with self._lock:
            # Mostly one: the steps before it wait for their record, for seconds.
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
        """These lanes of all steps up to that number are recorded."""
        with self._lock:
            for step in self._steps:
                if step.number > number:
                    break
                step.left.difference_update(lanes)
            while self._steps and not self._steps[0].left:
                self._steps.popleft()


class Receipts:
    """What one server is told, once for each step. Used by one thread at a time.

    A call whose answer was lost is repeated with the same receipts; another server gets an object
    of its own, and so all that is not recorded.
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
        """Whether the last field did not hold all that there was."""
        self._next_s = -math.inf

    def field(self) -> dict[str, Any]:
        """What to add to a request that names the lanes: nothing where there is nothing to tell
        or to ask for, or it is not time yet."""
        return {} if self._clock() < self._next_s else self._tell(self._told > self._recorded)

    def news(self) -> dict[str, Any]:
        """What to add to a request that is made for it, at any time: nothing where there is nothing
        to tell."""
        return self._tell(False)

    def _tell(self, asks: bool) -> dict[str, Any]:
        steps = self._consumed.after(self._told, self._lanes)
        if not steps and not asks:
            return {}
        self._telling = steps[-1]["number"] if steps else self._told
        self.has_more = len(steps) == most_of(self._lanes)
        return {"consumed": {"session": self._session, "steps": steps}}

    def answered(self, reply: Mapping[str, Any]) -> None:
        """The reply to the request with the last field."""
        recorded = reply.get("recorded")
        if recorded is None:
            return
        # What did not fit into this request is told with the next one.
        self._next_s = self._clock() + (0 if self.has_more else TELL_EVERY_S)
        self._told = max(self._told, self._telling)
        if recorded > self._recorded:
            self._recorded = recorded
            self._consumed.recorded(recorded, self._lanes)
