"""Runs several schedules in parallel, each on its own cluster."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from chaos.campaign import Campaign
from chaos.errors import CampaignError, DifferenceError
from chaos.references import References
from chaos.report import ScheduleEntry
from chaos.schedule import Schedule
from chaos.voice import speak_of

_END_S = 60.0


class Workers:
    """Worker processes with one campaign each. On exit their clusters are stopped."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._count = count
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> Workers:
        for number in range(self._count):
            ours, theirs = multiprocessing.Pipe()
            process = multiprocessing.Process(
                target=_work, args=(self._folder, number, theirs), name=f"campaign {number}"
            )
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(ours)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_END_S)

    def execute(self, schedules: Iterable[Schedule]) -> Iterator[ScheduleEntry]:
        """Yields their entries in order. After a difference no further schedule starts, and running
        ones complete.

        Raises CampaignError or DifferenceError if a worker could not continue.
        """
        left = iter(schedules)
        order: list[Schedule] = []
        entries: dict[int, ScheduleEntry] = {}
        working: set[Connection] = set()
        failed = False
        idle = list(self._pipes)
        reported = 0
        while True:
            while idle and not failed and (schedule := next(left, None)) is not None:
                pipe = idle.pop()
                pipe.send(schedule)
                order.append(schedule)
                working.add(pipe)
            while reported < len(order) and order[reported].number in entries:
                yield entries.pop(order[reported].number)
                reported += 1
            if not working:
                return
            ready = wait(list(working))
            for pipe in [each for each in self._pipes if each in ready]:
                entry = _receive(pipe)
                failed = failed or entry.difference is not None
                entries[entry.schedule] = entry
                working.remove(pipe)
                idle.append(pipe)


def _receive(pipe: Connection) -> ScheduleEntry:
    try:
        answer = pipe.recv()
    except EOFError:
        raise CampaignError("a worker has died; what it said is above") from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, ScheduleEntry)
    return answer


def _work(folder: Path, number: int, pipe: Connection) -> None:
    """Executes schedules from the pipe until this process is terminated."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with Campaign(folder / f"campaign-{number}", References(folder)) as campaign:
            while True:
                schedule = pipe.recv()
                speak_of(schedule.number)
                pipe.send(campaign.execute(schedule))
    except (CampaignError, DifferenceError) as error:
        pipe.send(error)
    except (EOFError, KeyboardInterrupt):
        pass
