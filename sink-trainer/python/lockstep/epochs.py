"""How long each epoch of a stream is. All arithmetic on steps is here."""

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
    """One epoch: the position of its first step, counted on from epoch to epoch, and its steps."""

    first: int
    steps: int


class EpochTable:
    """The epochs of a stream, those beyond the run's among them. Thread-safe.

    ask gives successive epochs from one on, at least that one; each is asked for once.
    """

    def __init__(self, ask: Callable[[int], Sequence[Epoch]]) -> None:
        self._ask = ask
        self._known: dict[int, Epoch] = {}
        self._lock = threading.Lock()

    @staticmethod
    def constant(steps: int) -> EpochTable:
        """Of epochs that all have as many steps."""
        return EpochTable(lambda epoch: [Epoch(epoch * steps, steps)])

    @staticmethod
    def of(stream: StreamInfo, session: Session) -> EpochTable:
        """As the job says: in the routing where all epochs are alike, else by the verb epochs."""
        if stream.steps is not None:
            return EpochTable.constant(stream.steps)
        return EpochTable(lambda epoch: _asked(stream.name, session, epoch))

    def epoch(self, number: int) -> Epoch:
        """An epoch. Where it is not known yet the job is asked, which may wait for a server."""
        with self._lock:
            known = self._known.get(number)
        if known is None:
            asked = self._ask(number)
            with self._lock:
                self._known.update(enumerate(asked, number))
            known = asked[0]
        return known

    def steps(self, epoch: int) -> int:
        """The number of its steps."""
        return self.epoch(epoch).steps

    def following(self, position: Position) -> Position:
        """The next step's position, which may be the first of the next epoch."""
        epoch, step = position
        return (epoch, step + 1) if step + 1 < self.steps(epoch) else (epoch + 1, 0)

    def steps_through(self, epoch: int, last: int) -> int:
        """The steps from the first of an epoch to the end of that or a later one."""
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
