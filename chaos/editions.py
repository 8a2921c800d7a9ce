"""How schedules are drawn, by their numbers."""

from __future__ import annotations

from dataclasses import dataclass

from chaos.kinds import Kind
from chaos.settings import Data


@dataclass(frozen=True)
class Edition:
    """How schedules are drawn.

    A schedule that has been reported must stay what it was. So what adds a kind, or draws
    otherwise, is a new edition, for the numbers that nobody has reported.

    since: the number of the first schedule of it.
    adaptive: the share of the schedules that have the adaptive scheduler, which alone can rescale.
    rescales: how often that kind is drawn where it can be, to another kind's once.
    """

    since: int
    data: Data
    kinds: tuple[Kind, ...]
    adaptive: float
    rescales: int

    def kinds_of(self, adaptive: bool) -> list[Kind]:
        rescales = [Kind.RESCALE] * (self.rescales - 1)
        kinds = [kind for kind in self.kinds if adaptive or kind is not Kind.RESCALE]
        return kinds + rescales if adaptive else kinds


_KINDS = (
    Kind.TASK_MANAGER,
    Kind.JOB_MANAGER,
    Kind.CLUSTER,
    Kind.TRAINER,
    Kind.TRAINERS,
    Kind.OTHER_RANKS,
    Kind.SAVEPOINT,
    Kind.OTHER_PARALLELISM,
    Kind.BOTH,
    Kind.RESCALE,
    Kind.PAUSE,
    Kind.CUT,
)
_STORAGE = (
    Kind.CACHE_FLIPPED,
    Kind.CACHE_TRUNCATED,
    Kind.CACHE_FULL,
    Kind.RUN_FULL,
    Kind.REPLACED,
)

EDITIONS = (
    Edition(0, Data(23_950, 400), _KINDS, adaptive=1 / 3, rescales=1),
    Edition(9, Data(11_570, 193), _KINDS, adaptive=1 / 2, rescales=2),
    Edition(20, Data(11_570, 193), (*_KINDS, Kind.MOVE), adaptive=1 / 2, rescales=2),
    Edition(300, Data(11_570, 193), (*_KINDS, Kind.MOVE, *_STORAGE), adaptive=1 / 2, rescales=2),
)


def of(number: int) -> Edition:
    """That of the schedule of that number."""
    return next(each for each in reversed(EDITIONS) if each.since <= number)
