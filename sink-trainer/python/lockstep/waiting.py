"""Interruptible, bounded waits that report what they wait for."""

from __future__ import annotations

import math
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from lockstep.errors import ConnectionLostError
from lockstep.printable import printable

T = TypeVar("T")

# Threads that may be in a call, and the waits of those of in_background.
_calling: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
_waits: weakref.WeakSet[Wait] = weakref.WeakSet()

# How often a waiting trainer prints why.
SAY_EVERY_S = 10.0
# How long each part of closing may take after Ctrl-C.
INTERRUPTED_S = 0.5

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0


class CancelledError(Exception):
    """The background thread's work is no longer needed. Internal."""


class Wait:
    """Connects a worker thread and the thread that waits for it. Thread-safe.

    The worker sets the reason for a delay and pauses here; the other side reads the reason and may
    cancel, which ends any pause at once.
    """

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._release: Callable[[], None] | None = None
        self.reason = ""

    def tell(self, reason: str) -> None:
        self.reason = reason

    def cancel(self) -> None:
        self._cancelled.set()
        release = self._release
        if release is not None:
            name = "lockstep release"
            start_calling(threading.Thread(target=release, name=name, daemon=True))

    @contextmanager
    def released_by(self, release: Callable[[], None]) -> Iterator[None]:
        """Calls release, in a separate thread, to end the call in this block when cancelled.

        Raises CancelledError once cancelled.
        """
        self._release = release
        try:
            self.check()
            yield
        finally:
            self._release = None

    def check(self) -> None:
        """Raises CancelledError once cancelled."""
        if self._cancelled.is_set():
            raise CancelledError

    def pause(self, seconds: float) -> None:
        if self._cancelled.wait(seconds):
            raise CancelledError


class Retry:
    """Pauses between attempts to reach a server, and the limit after which they end."""

    def __init__(self, limit_s: float, wait: Wait, where: str) -> None:
        self._limit_s = limit_s
        self._wait = wait
        self._where = where
        self.alive()

    def alive(self) -> None:
        """Resets the limit and the pauses: a server has answered."""
        self._lost_at: float | None = None
        self._pause_s = _FIRST_PAUSE_S

    def lost(self, what: str, reason: Exception) -> None:
        """Pauses. Raises ConnectionLostError when no server has answered within the limit."""
        now = time.monotonic()
        self._lost_at = now if self._lost_at is None else self._lost_at
        left = self._lost_at + self._limit_s - now
        if left <= 0:
            raise ConnectionLostError(
                f"{what}: no server of {self._where} has answered for {self._limit_s:.0f} s "
                f"({reason}); see whether the job runs, or wait longer with retry_limit_s= or "
                "LOCKSTEP_RETRY_LIMIT_S"
            ) from reason
        self._wait.tell(f"{reason}; looking again in {self._where}")
        self.pause(left)

    def pause(self, at_most: float = _LONGEST_PAUSE_S) -> None:
        """Pauses, twice as long each time."""
        self._wait.pause(min(self._pause_s, at_most))
        self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)


class Announcer:
    """Prints on stderr, every ten seconds, what the trainer waits for, since when and why."""

    def __init__(self, who: str, what: str, wait: Wait) -> None:
        self._who = who
        self._what = what
        self._wait = wait
        self._since = time.time()
        self._start = time.monotonic()
        self._next = self._start + SAY_EVERY_S

    def seconds_left(self) -> float:
        """Until the next message."""
        return max(0.0, self._next - time.monotonic())

    def say_if_due(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + SAY_EVERY_S
        since = time.strftime("%H:%M:%S", time.localtime(self._since))
        reason = f": {self._wait.reason}" if self._wait.reason else ""
        say(
            self._who, f"waiting for {self._what} since {since} ({now - self._start:.0f} s){reason}"
        )


class SpokenWait(Wait):
    """A wait in the trainer's own thread, which prints by itself what it waits for."""

    def __init__(self, who: str, what: str) -> None:
        super().__init__()
        self._announcer = Announcer(who, what, self)

    def pause(self, seconds: float) -> None:
        self._announcer.say_if_due()
        super().pause(seconds)


def say(who: str, text: str) -> None:
    """Prints one line on stderr; a closed stderr does not stop the training."""
    try:
        sys.stderr.write(printable(f"lockstep {who}: {text}") + "\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return


class _Outcome(Generic[T]):
    def __init__(self) -> None:
        self.done = threading.Condition()
        self.finished = False
        self.value: T | None = None
        self.error: BaseException | None = None


def in_background(who: str, what: str, work: Callable[[Wait], T], at_most_s: float = math.inf) -> T:
    """Runs work in a separate thread, so that Ctrl-C reaches the caller at once.

    Raises TimeoutError if it takes longer than at_most_s.
    """
    wait, outcome = Wait(), _Outcome[T]()
    _waits.add(wait)

    def run() -> None:
        value, error = None, None
        try:
            value = work(wait)
        except BaseException as e:
            error = e
        with outcome.done:
            outcome.value, outcome.error, outcome.finished = value, error, True
            outcome.done.notify_all()

    thread = threading.Thread(target=run, name=f"lockstep {what}", daemon=True)
    start_calling(thread)
    announcer = Announcer(who, what, wait)
    until = time.monotonic() + at_most_s
    try:
        with outcome.done:
            while not outcome.finished:
                left = until - time.monotonic()
                if left <= 0:
                    why = f" ({wait.reason})" if wait.reason else ""
                    raise TimeoutError(f"it took longer than {at_most_s:.0f} s{why}")
                if not outcome.done.wait(min(left, announcer.seconds_left())):
                    announcer.say_if_due()
    except BaseException:
        wait.cancel()
        raise
    if outcome.error is not None:
        raise outcome.error
    return outcome.value  # type: ignore[return-value]  # set if error is not


def start_calling(thread: threading.Thread) -> None:
    """Starts a thread that calls servers; end_calling waits for it."""
    _calling.add(thread)
    thread.start()


def end_calling(seconds: float) -> None:
    """Cancels background work, and waits that long for all calls to return.

    Leaves a call that does not return because its server hangs.
    """
    for wait in list(_waits):
        wait.cancel()
    until = time.monotonic() + seconds
    for thread in list(_calling):
        thread.join(max(0.0, until - time.monotonic()))
