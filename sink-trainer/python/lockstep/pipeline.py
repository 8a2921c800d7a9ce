"""From a position in the stream to a batch: pull, verify, decode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from lockstep.batch import StepStream
from lockstep.decode import Decoded, Plan
from lockstep.epochs import EpochTable
from lockstep.pull import Puller
from lockstep.verify import Verifier
from lockstep.waiting import Wait

B = TypeVar("B")


class Pipeline(Generic[B]):
    """Makes the batches of one rank and stream, by position. Used by one thread at a time.

    Does not reference the Loader, so that a dropped Loader can be collected.
    """

    def __init__(
        self,
        puller: Puller,
        verifier: Verifier,
        plan: Plan,
        table: EpochTable,
        ahead: int,
        stream: StepStream,
        pack: Callable[[Decoded, int, int, StepStream], B],
    ) -> None:
        self._puller = puller
        self._verifier = verifier
        self._plan = plan
        self._table = table
        self._ahead = ahead
        self._stream = stream
        self._pack = pack

    def __call__(self, epoch: int, step: int, last_epoch: int, wait: Wait) -> B:
        """Returns one step; the job makes the next ones ahead, at most to the end of last_epoch."""
        try:
            up_to = min(step + self._ahead, self._table.steps_through(epoch, last_epoch))
            pulled = self._puller.pull(epoch, step, up_to, wait)
            self._verifier.check(epoch, step, pulled.parts, pulled.digests)
            decoded = self._plan.decode(pulled.parts, epoch, step, pulled.digests)
        finally:
            self._puller.release()
        return self._pack(decoded, epoch, step, self._stream)
