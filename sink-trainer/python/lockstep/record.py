"""Records the steps that this rank has consumed of one stream in the run directory."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lockstep.consumed import Consumed, Receipts
from lockstep.errors import LockstepError
from lockstep.plural import counted
from lockstep.protocol import ServerLostError
from lockstep.session import Session
from lockstep.waiting import INTERRUPTED_S, Retry, Wait, in_background, say

# How long a server may hold the call.
_HELD_S = 10.0
# How long a commit may wait for the record.
_COMMIT_LIMIT_S = 3.0
# How long to look for a server at the end, when the job may have ended too.
_END_LIMIT_S = 10.0


class Record:
    """Waits until consumed steps are recorded. Used by the trainer's thread.

    Receipts usually travel with the calls for later steps; this sends those that no later step
    follows.
    """

    def __init__(self, session: Session, stream: str, lanes: Sequence[int]) -> None:
        self.consumed = Consumed()
        self._session = session
        self._stream = stream
        self._lanes = list(lanes)

    def complete(self) -> None:
        """Returns when all consumed steps are recorded, or prints a message if they are not.

        Takes a few seconds at most; later calls report the rest.
        """
        self._complete(None, _COMMIT_LIMIT_S)

    def complete_at_end(self, interrupted: bool) -> None:
        """The same, with a short wait for a job that may have ended."""
        limit_s = min(self._session.retry_limit_s, _END_LIMIT_S)
        self._complete(limit_s, INTERRUPTED_S if interrupted else math.inf)

    def _complete(self, limit_s: float | None, at_most_s: float) -> None:
        """limit_s also bounds the wait for a server that cannot write, unless it is None."""
        if not len(self.consumed):
            return
        session = self._session
        what = f"the record of what was consumed of stream {self._stream!r}"
        try:
            in_background(session.who, what, lambda wait: self._tell(limit_s, wait), at_most_s)
        except (LockstepError, TimeoutError) as error:
            say(
                session.who,
                "the run directory has no record of the last "
                f"{counted(len(self.consumed), 'step')} consumed of stream {self._stream!r}: "
                f"{error}",
            )

    def _tell(self, limit_s: float | None, wait: Wait) -> None:
        session = self._session
        at_most_s = session.retry_limit_s if limit_s is None else limit_s
        retry = Retry(at_most_s, wait, session.location.name)
        receipts: dict[str, Receipts] = {}
        while True:
            try:
                why = self._tell_any(receipts)
                if why is None:
                    return
                if limit_s is not None:
                    raise ServerLostError(why)
                retry.alive()
                wait.tell(why)
                wait.check()
            except ServerLostError as lost:
                retry.lost(f"the record of stream {self._stream!r}", lost)

    def _tell_any(self, receipts: dict[str, Receipts]) -> str | None:
        """Reports to any one server, by address: the archive covers the whole run.

        Returns why the server has not recorded all yet.
        """
        connection = self._session.connect_any()
        try:
            mine = receipts.setdefault(connection.uri, Receipts(self.consumed, self._lanes))
            # Empty if the fetching thread has received the rest meanwhile.
            while told := mine.field():
                request = {
                    "generation": self._session.generation,
                    "rank": self._session.launch.rank,
                    "stream": self._stream,
                    "lanes": self._lanes,
                    **told,
                }
                reply = connection.call_held("consumed", request, _HELD_S)
                if "pending" in reply:
                    return str(reply["pending"])
                mine.answered(reply)
                # The server writes what it has in memory as soon as it can.
                self._session.warn_unrecorded(reply)
                if not mine.has_more:
                    break
            return None
        finally:
            connection.close()
