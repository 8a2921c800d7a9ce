"""The length of each epoch of a stream. All arithmetic on steps is here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lockstep.errors import ProtocolError

if TYPE_CHECKING:
    from lockstep.routing import StreamInfo
    from lockstep.session import Session

Position = tuple[int, int]
"""(epoch, step)"""

_AT_ONCE = 64


@dataclass(frozen=True)
class Epoch:
    """One epoch: its number of steps, and the position of its first step, counted across epochs."""

    first: int
    steps: int


class EpochTable:
    """The epochs of a stream, including those beyond the run's. Thread-safe.

    ask returns successive epochs, at least the one given; each is requested once.
    """

    def __init__(self, ask: Callable[[int], Sequence[Epoch]]) -> None:
        self._ask = ask
        self._known: dict[int, Epoch] = {}
        self._lock = threading.Lock()

    @staticmethod
    def constant(steps: int) -> EpochTable:
        """Returns the table of a stream whose epochs all have this many steps."""
        return EpochTable(lambda epoch: [Epoch(epoch * steps, steps)])

    @staticmethod
    def of(stream: StreamInfo, session: Session) -> EpochTable:
        """Reads the table from the routing if all epochs are alike, else by the verb epochs."""
        if stream.steps is not None:
            return EpochTable.constant(stream.steps)
        return EpochTable(lambda epoch: _asked(stream.name, session, epoch))

    def epoch(self, number: int) -> Epoch:
        """Returns an epoch. Asks the job for an unknown one, which may wait for a server."""
        with self._lock:
            known = self._known.get(number)
        if known is None:
            asked = self._ask(number)
            with self._lock:
                self._known.update(enumerate(asked, number))
            known = asked[0]
        return known

    def steps(self, epoch: int) -> int:
        """Returns the number of steps of an epoch."""
        return self.epoch(epoch).steps

    def following(self, position: Position) -> Position:
        """Returns the next step's position, possibly in the next epoch."""
        epoch, step = position
        return (epoch, step + 1) if step + 1 < self.steps(epoch) else (epoch + 1, 0)

    def steps_through(self, epoch: int, last: int) -> int:
        """Returns the number of steps from the start of an epoch to the end of epoch last."""
        end = self.epoch(last)
        return end.first + end.steps - self.epoch(epoch).first


def _asked(stream: str, session: Session, epoch: int) -> Sequence[Epoch]:
    what = f"the length of epoch {epoch} of stream {stream!r}"
    request = {"stream": stream, "from": epoch, "count": _AT_ONCE}
    return _parse(session.ask(what, "epochs", request), epoch)


def _parse(reply: dict[str, Any], epoch: int) -> Sequence[Epoch]:
    try:
        found = [
            (int(e["epoch"]), Epoch(int(e["first"]), int(e["steps"]))) for e in reply["epochs"]
        ]
    except (KeyError, ValueError, TypeError) as e:
        raise ProtocolError(f"the server's epochs are wrong: {e}") from e
    if not found or [number for number, _ in found] != list(range(epoch, epoch + len(found))):
        raise ProtocolError(f"the server's epochs are not those from epoch {epoch} on")
    return [of for _, of in found]
