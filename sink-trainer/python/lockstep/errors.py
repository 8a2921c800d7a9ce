"""Everything that the client raises. Each message names what was wrong, where, and what to do."""

from __future__ import annotations


class LockstepError(RuntimeError):
    """The root of all errors of this package."""


class UsageError(LockstepError, ValueError):
    """An argument, a variable of the environment or a way of use that cannot work."""


class StateMismatchError(UsageError):
    """A saved state that does not fit the run."""


class ForkedError(UsageError):
    """A Loader was used in another process than the one that opened it."""


class NullValueError(LockstepError, ValueError):
    """A column that was asked for without a mask holds a null."""


class ProtocolError(LockstepError):
    """The server's answer is none of the protocol's, or the server found the request malformed."""


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


class RunDoneError(LockstepError):
    """The run is over: every rank has closed."""


class RunFailedError(LockstepError):
    """The job has failed for good."""


class DigestMismatchError(LockstepError):
    """A batch is not the one that the job made: something has changed it on its way."""


class ConnectionLostError(LockstepError, ConnectionError):
    """No server answered within the retry limit."""
