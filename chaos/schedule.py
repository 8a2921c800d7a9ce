"""A schedule, as a function of seed and number alone."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from enum import Enum

from chaos import editions, settings
from chaos.kinds import Kind
from chaos.plants import VARIABLE
from chaos.settings import Settings

SLOTS = 4
"""Of the cluster: the highest parallelism."""
MOST_RANKS = 4

_FEWEST, _MOST = 3, 8
_AT_ONCE = 1 / 3

# Faults that can hit a job that is not up, and those that they may follow.
_UPON_OTHERS = {Kind.TASK_MANAGER, Kind.CLUSTER, Kind.TRAINER, Kind.TRAINERS, Kind.OTHER_RANKS}
_AMID_RECOVERY = _UPON_OTHERS | {Kind.SAVEPOINT, Kind.OTHER_PARALLELISM, Kind.BOTH}
_FIRST_AT, _LAST_AT = 0.05, 0.9


class Moment(Enum):
    COMMIT = "commit"
    CHECKPOINT = "checkpoint"
    CLOSE = "close"


@dataclass(frozen=True)
class Fault:
    """One fault. Each kind uses the fields that it needs.

    at: the step, counted over all epochs, that all ranks must have passed.
    victim: a number that selects a rank or a TaskManager.
    ranks, parallelism: the values from then on.
    hold_s: how long a trainer or a link is stopped.
    orphans: whether the rest of a launch is left alive next to its successor, which fences it.
    moment: what the JobManager owes: a commit, a checkpoint or the end, which is after `at`.
    at_once: whether it happens before recovery from the previous fault, at any step.
    """

    kind: Kind
    at: int
    victim: int
    ranks: int
    parallelism: int
    hold_s: float
    orphans: bool
    moment: Moment
    at_once: bool


@dataclass(frozen=True)
class Schedule:
    seed: int
    number: int
    settings: Settings
    ranks: int
    parallelism: int
    adaptive: bool
    transport: str
    faults: tuple[Fault, ...]

    @property
    def command(self) -> str:
        """The arguments that repeat the schedule."""
        planted = os.environ.get(VARIABLE)
        return (
            f"{VARIABLE}={planted} " if planted else ""
        ) + f"./lockstep chaos --seed {self.seed} --first {self.number} --schedules 1"


def make(seed: int, number: int) -> Schedule:
    """The schedule with that number; the same on every machine, independent of earlier
    schedules.
    """
    draw = random.Random(f"{seed}/{number}")
    rules = editions.of(number)
    steps = rules.data.steps
    adaptive = draw.random() < rules.adaptive
    ranks = draw.randint(1, MOST_RANKS)
    parallelism = draw.randint(1, SLOTS)
    chosen = draw.choice(settings.choices(rules.data, rules.transforms, rules.functions))
    transport = draw.choice(("auto", "flight"))
    count = draw.randint(_FEWEST, _MOST)
    places = sorted(draw.sample(range(int(steps * _FIRST_AT), int(steps * _LAST_AT)), count))
    kinds = rules.kinds_of(adaptive)
    faults: list[Fault] = []
    now = ranks, parallelism
    before: Kind | None = None
    for place in places:
        kind = draw.choice(kinds)
        now = _next(kind, now, draw)
        last = place == places[-1]
        amid = kind in _UPON_OTHERS and before in _AMID_RECOVERY
        before = kind
        moments = (Moment.CLOSE,) if last else (Moment.COMMIT, Moment.CHECKPOINT)
        faults.append(
            Fault(
                kind,
                place,
                draw.randrange(1 << 16),
                *now,
                round(draw.uniform(1.0, 5.0), 1),
                draw.random() < 0.5,
                draw.choice(moments),
                amid and draw.random() < _AT_ONCE,
            )
        )
    return Schedule(seed, number, chosen, ranks, parallelism, adaptive, transport, tuple(faults))


def _next(kind: Kind, now: tuple[int, int], draw: random.Random) -> tuple[int, int]:
    """Ranks and parallelism from this fault on."""
    ranks, parallelism = now
    other_ranks = draw.choice([n for n in range(1, MOST_RANKS + 1) if n != ranks])
    other_parallelism = draw.choice([n for n in range(1, SLOTS + 1) if n != parallelism])
    if kind in (Kind.OTHER_RANKS, Kind.BOTH):
        ranks = other_ranks
    if kind in (Kind.OTHER_PARALLELISM, Kind.BOTH, Kind.RESCALE):
        parallelism = other_parallelism
    return ranks, parallelism
