"""The end of this process, by which the job learns which ranks are done.

A rank is done once all its Loaders are closed cleanly and its process ends, or done() was called.
After an exception, a signal or os._exit it is not, and the job waits for the next launch.
"""

from __future__ import annotations

import atexit
import os
import sys
from multiprocessing import parent_process, util

from lockstep.session import sessions
from lockstep.transport import WAIT_MS
from lockstep.waiting import end_calling

LAUNCHER = "LOCKSTEP_LAUNCHER"
"""Set to "run" by a launcher that tells the job itself, from exit codes, which ranks are done."""

# How long interpreter exit waits for calls in progress: long enough for one that requests a step.
# An answer that arrives during exit may crash the process.
_EXIT_S = WAIT_MS / 1000 + 0.5

_failed = False
_watched_pid: int | None = None


def done() -> None:
    """Closes all Loaders of this process and tells the job that its rank is done, at once instead
    of at the end of the process."""
    for session in sessions():
        for member in session.members():
            member.close()
        session.finish()


def _at_exit() -> None:
    """Stops the fetching threads, then finishes the ranks whose Loaders are closed."""
    own = sessions()
    for session in own:
        for member in session.members():
            member.halt()
    end_calling(_EXIT_S)
    if not _failed and not _has_failed() and os.environ.get(LAUNCHER) != "run":
        for session in own:
            if session.may_finish:
                session.finish(at_exit=True)


def _has_failed() -> bool:
    """Whether an exception ends this process. An interactive one has survived its exceptions."""
    return getattr(sys, "last_value", None) is not None and not hasattr(sys, "ps1")


def _at_end_of_worker() -> None:
    """The same in a process of multiprocessing, which handles its exceptions, and leaves out the
    interpreter's exit if it was forked."""
    global _failed
    error = sys.exc_info()[1]
    _failed = error is not None and getattr(error, "code", error) not in (None, 0)
    _at_exit()


def watch_process_end() -> None:
    """Makes a worker of multiprocessing report its end. Idempotent."""
    global _watched_pid
    if parent_process() is not None and _watched_pid != os.getpid():
        _watched_pid = os.getpid()
        util.Finalize(None, _at_end_of_worker, exitpriority=0)


atexit.register(_at_exit)
