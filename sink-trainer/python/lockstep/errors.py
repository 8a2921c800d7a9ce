"""All errors of the client. Each message names what was wrong, where, and what to do."""

from __future__ import annotations

from lockstep.printable import printable


class LockstepError(RuntimeError):
    """The base class of all errors of this package. Control characters in a message are escaped."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class UsageError(LockstepError, ValueError):
    """An invalid argument, environment variable or use."""


class StateMismatchError(UsageError):
    """A saved state that does not match the run."""


class ForkedError(UsageError):
    """A Loader was used in another process than the one that opened it."""


class NullValueError(LockstepError, ValueError):
    """A column without a mask holds a null."""


class ProtocolError(LockstepError):
    """The server's answer breaks the protocol, or the server found the request malformed."""


class VersionError(ProtocolError):
    """The job speaks another version of the hand-off protocol."""


class UnknownStreamError(LockstepError, KeyError):
    """The run has no stream of that name."""

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0])


class FencedError(LockstepError):
    """Newer trainers have taken over; this process belongs to an earlier generation."""


class RefusedError(LockstepError):
    """The job refused the request; asking again gives the same answer."""


class StartTimeoutError(LockstepError, TimeoutError):
    """Not all ranks started a stream in time."""


class RunDoneError(LockstepError):
    """The run is done: every rank has closed."""


class RunFailedError(LockstepError):
    """The job has failed permanently."""


class DigestMismatchError(LockstepError):
    """A batch differs from the one that the job made."""


class ConnectionLostError(LockstepError, ConnectionError):
    """No server answered within the retry limit."""
