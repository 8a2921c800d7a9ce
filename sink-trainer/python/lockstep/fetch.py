"""The thread that fetches ahead."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from lockstep.epochs import EpochTable, Position
from lockstep.waiting import Announcer, CancelledError, Wait, say, start_calling

B = TypeVar("B")

_CHECK_EVERY_S = 2.0


class _Itinerary(Generic[B]):
    """The steps to fetch from a position on, those fetched but not taken yet, and the end."""

    def __init__(
        self, start: Position, last_epoch: int, table: EpochTable, skipped: Collection[Position]
    ) -> None:
        self.next_to_take = start
        self.next_to_fetch: Position | None = start
        self.last_epoch = last_epoch
        self.table = table
        self.skipped = skipped
        self.ready: deque[B] = deque()
        self.error: BaseException | None = None
        self.wait = Wait()

    def goes_on(self, start: Position, last_epoch: int, skipped: Collection[Position]) -> bool:
        """Whether the requested steps continue the current ones."""
        return (self.next_to_take, self.last_epoch, self.skipped) == (start, last_epoch, skipped)

    def after(self, position: Position) -> Position | None:
        following = position
        while True:
            following = self.table.following(following)
            if following[0] > self.last_epoch:
                return None
            if following not in self.skipped:
                return following


class Fetcher(Generic[B]):
    """Fetches up to depth steps ahead of those that are taken, by absolute position.

    fetch receives the epoch, the step, and the last epoch that will be taken. The consumer seeks,
    then takes one position after the other. The thread is a daemon, works in bounded calls and
    sleeps while there is nothing to fetch. It calls rest once after rest_s of idleness, and at its
    end if requested. rest must not raise. It calls check, if given, every 2 s while it is idle; the
    error that check raises is printed, and is the consumer's after the steps that are ready.
    """

    def __init__(
        self,
        fetch: Callable[[int, int, int, Wait], B],
        rest: Callable[[], None],
        rest_s: float,
        table: EpochTable,
        depth: int,
        who: str,
        stream: str,
        check: Callable[[], None] | None = None,
    ) -> None:
        self._fetch = fetch
        self._check = check
        self._rest = rest
        self._rest_s = rest_s
        self._table = table
        self._depth = depth
        self._who = who
        self._stream = stream
        self._changed = threading.Condition()
        self._itinerary: _Itinerary[B] | None = None
        self._changes = 0
        """The number of calls to seek and take."""
        self._stopped = False
        self._rests_at_end = False
        self._pid = os.getpid()
        self._thread = threading.Thread(
            target=self._run, name=f"lockstep fetch {stream}", daemon=True
        )
        start_calling(self._thread)

    def seek(
        self, start: Position, last_epoch: int, skipped: Collection[Position] = frozenset()
    ) -> None:
        """Continues with the steps from start to the end of last_epoch, in order, without the
        skipped.

        Keeps the fetched steps if start is the next step.
        """
        with self._changed:
            now = self._itinerary
            if now is not None:
                if now.error is None and now.goes_on(start, last_epoch, skipped):
                    return
                now.wait.cancel()
            self._itinerary = _Itinerary(start, last_epoch, self._table, skipped)
            self._changes += 1
            self._changed.notify_all()

    def take(self) -> tuple[B, float]:
        """Returns the next step and the seconds spent waiting for it. Raises the fetch's error."""
        started = time.monotonic()
        with self._changed:
            now = self._itinerary
            if now is None:
                raise RuntimeError("take before seek")
            if not now.ready:
                self._await(now)
            if not now.ready:
                raise now.error or RuntimeError("the fetching thread has ended")
            batch = now.ready.popleft()
            now.next_to_take = now.after(now.next_to_take) or (now.last_epoch + 1, 0)
            self._changes += 1
            self._changed.notify_all()
        return batch, time.monotonic() - started

    def _await(self, now: _Itinerary[B]) -> None:
        epoch, step = now.next_to_take
        what = f"step {step} of epoch {epoch} of stream {self._stream!r}"
        announcer = Announcer(self._who, what, now.wait)
        while not now.ready and now.error is None and not self._stopped:
            if not self._changed.wait(announcer.seconds_left()):
                announcer.say_if_due()

    def stop(self, join_s: float = 0, rest: bool = False) -> bool:
        """Stops the thread; any thread may call this. Returns whether it ended within join_s.

        rest: whether the thread calls rest first.
        """
        if os.getpid() != self._pid:
            return True  # a forked child lacks this thread, but may have inherited its lock locked
        with self._changed:
            self._stopped = True
            self._rests_at_end |= rest
            if self._itinerary is not None:
                self._itinerary.wait.cancel()
            self._changed.notify_all()
        if join_s:
            self._thread.join(join_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        self._fetch_and_rest()
        if self._rests_at_end:
            self._rest()

    def _fetch_and_rest(self) -> None:
        rested_after = -1
        while True:
            with self._changed:
                changes = self._changes
                if not self._stopped and not self._has_work():
                    self._changed.wait(
                        self._rest_s
                        if rested_after != changes
                        else None
                        if self._check is None
                        else _CHECK_EVERY_S
                    )
                if self._stopped:
                    return
                now = self._itinerary if self._has_work() else None
                position = now.next_to_fetch if now is not None else None
                at_rest = self._changes == changes
            if now is not None and position is not None:
                self._fetch_one(now, position)
            elif at_rest and rested_after != changes:
                self._rest()
                rested_after = changes
            elif at_rest and self._check is not None:
                self._check_now(self._check)

    def _check_now(self, check: Callable[[], None]) -> None:
        try:
            check()
        except Exception as error:
            self._check = None
            say(self._who, str(error))
            with self._changed:
                if self._itinerary is not None:
                    self._itinerary.error = error
                self._changed.notify_all()

    def _has_work(self) -> bool:
        now = self._itinerary
        return (
            now is not None
            and now.error is None
            and now.next_to_fetch is not None
            and len(now.ready) < self._depth
        )

    def _fetch_one(self, now: _Itinerary[B], position: Position) -> None:
        try:
            batch = self._fetch(*position, now.last_epoch, now.wait)
        except CancelledError:
            return
        except BaseException as error:
            with self._changed:
                now.error = error
                self._changed.notify_all()
            return
        with self._changed:
            now.ready.append(batch)
            now.next_to_fetch = now.after(position)
            now.wait.tell("")
            self._changed.notify_all()
