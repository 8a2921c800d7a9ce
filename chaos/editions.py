"""The rules by which schedules are drawn, by schedule number."""

from __future__ import annotations

from dataclasses import dataclass

from chaos.kinds import Kind
from chaos.settings import Data


@dataclass(frozen=True)
class Edition:
    """The rules by which schedules are drawn.

    A reported schedule must never change. A new kind of fault, or any other change of the rules, is
    therefore a new edition, for numbers that have not been reported.

    since: the number of its first schedule.
    adaptive: the share of schedules with the adaptive scheduler, the only one that can rescale.
    rescales: how often that kind is drawn, relative to the other kinds, when it is possible.
    transforms: whether the rows are transformed.
    functions: whether Python functions are among the transforms.
    """

    since: int
    data: Data
    kinds: tuple[Kind, ...]
    adaptive: float
    rescales: int
    transforms: bool = False
    functions: bool = False

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
_ALL = (*_KINDS, Kind.MOVE, *_STORAGE, Kind.CACHE_CUT)

EDITIONS = (
    Edition(0, Data(23_950, 400), _KINDS, adaptive=1 / 3, rescales=1),
    Edition(9, Data(11_570, 193), _KINDS, adaptive=1 / 2, rescales=2),
    Edition(20, Data(11_570, 193), (*_KINDS, Kind.MOVE), adaptive=1 / 2, rescales=2),
    Edition(300, Data(11_570, 193), (*_KINDS, Kind.MOVE, *_STORAGE), adaptive=1 / 2, rescales=2),
    # More row groups than the windows of all lanes hold, for the fault of the full cache disk.
    Edition(500, Data(11_600, 97), _ALL, adaptive=1 / 2, rescales=2),
    Edition(600, Data(11_600, 97), _ALL, adaptive=1 / 2, rescales=2, transforms=True),
    Edition(
        700,
        Data(11_600, 97),
        # Three times, so that most schedules have one.
        (*_ALL, *[Kind.PYTHON_WORKER] * 3),
        adaptive=1 / 2,
        rescales=2,
        transforms=True,
        functions=True,
    ),
)


def of(number: int) -> Edition:
    """The edition of a schedule."""
    return next(each for each in reversed(EDITIONS) if each.since <= number)
