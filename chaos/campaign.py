"""Runs schedules one after the other on one cluster."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from chaos import archive, history
from chaos.cluster import Cluster
from chaos.errors import DifferenceError
from chaos.faults import Injector
from chaos.history import Counts, Position, Reference
from chaos.kinds import Kind
from chaos.leftovers import Leftovers
from chaos.network import Network
from chaos.references import References
from chaos.report import FaultEntry, ScheduleEntry
from chaos.run import Run
from chaos.schedule import Fault, Schedule
from chaos.settings import EPOCHS, Settings
from chaos.trainer import START
from chaos.voice import say

_NO_COUNTS = Counts(0, 0, 0)
_REFERENCE_RANKS = 2
_BEHIND_LAST_COMMIT = 4


class Campaign:
    """Owns a cluster; shares the reference runs with other campaigns."""

    def __init__(self, folder: Path, references: References) -> None:
        self._folder = folder
        self._references = references
        self._network = Network()

    def __enter__(self) -> Campaign:
        self._network.open()
        self._cluster = Cluster(self._folder / "cluster", self._network.host)
        try:
            self._cluster.open()
        except BaseException:
            self.__exit__()
            raise
        self._leftovers = Leftovers(self._cluster)
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.close()
        self._network.close()

    def execute(self, schedule: Schedule) -> ScheduleEntry:
        """Runs a schedule. The returned entry contains any difference."""
        started = time.monotonic()
        reference = self._reference(schedule.settings)
        self._prepare(schedule.adaptive)
        place = self._folder / f"schedule-{schedule.seed}-{schedule.number}"
        run = Run(
            place,
            self._references.files(schedule.settings.data),
            schedule.settings,
            schedule.transport,
            self._cluster,
            self._network,
            (EPOCHS - 1, reference.steps - _BEHIND_LAST_COMMIT),
            kinds=frozenset(fault.kind for fault in schedule.faults),
        )
        entries: list[FaultEntry] = []
        counts, records, difference = _NO_COUNTS, 0, None
        try:
            self._disturb(run, schedule, reference, entries)
            counts = history.compare(history.read(place / "records"), reference)
            undisturbed = _archive(self._references.folder(schedule.settings))
            may_lose = any(fault.kind is Kind.RUN_FULL for fault in schedule.faults)
            records = archive.compare(_archive(place), undisturbed, may_lose)
            self._leftovers.check(run)
        except (DifferenceError, OSError) as found:
            difference = str(found)
        finally:
            run.close(keep=difference is not None)
        if difference is None:
            shutil.rmtree(place)
        return ScheduleEntry(
            schedule.seed,
            schedule.number,
            schedule.settings.name,
            schedule.ranks,
            schedule.parallelism,
            "adaptive" if schedule.adaptive else "default",
            schedule.transport,
            entries,
            len(run.launches),
            counts.steps,
            counts.lane_steps,
            counts.repeated,
            records,
            round(time.monotonic() - started, 1),
            difference,
        )

    def _disturb(
        self, run: Run, schedule: Schedule, reference: Reference, entries: list[FaultEntry]
    ) -> None:
        run.job.submit(schedule.parallelism)
        run.start_trainers(schedule.ranks)
        injector = Injector(run)
        followers = [*(fault.at_once for fault in schedule.faults[1:]), False]
        for fault, followed in zip(schedule.faults, followers, strict=True):
            if not fault.at_once:
                run.await_position(_position(fault.at, reference))
                if not run.launch.ended():
                    run.job.await_running()
            entries.append(self._inject(injector, run, fault, followed))
        run.await_end()

    @staticmethod
    def _inject(injector: Injector, run: Run, fault: Fault, followed: bool) -> FaultEntry:
        hit = None if run.launch.ended() else injector.inject(fault)
        if hit is None:
            say(f"{fault.kind.value}: nothing was owed")
            return FaultEntry(fault.kind.value, fault.at, False, [], "", None)
        owed = hit.owed + (", amid the recovery from the fault before" if fault.at_once else "")
        if followed:
            say(f"{fault.kind.value}: {owed}")
            return FaultEntry(fault.kind.value, fault.at, True, hit.pids, owed, None)
        run.await_position(hit.position)
        recovery_s = round(time.monotonic() - hit.time, 2)
        say(f"{fault.kind.value}: {owed}; next step after {recovery_s:.1f} s")
        return FaultEntry(fault.kind.value, fault.at, True, hit.pids, owed, recovery_s)

    def _reference(self, settings: Settings) -> Reference:
        return self._references.get(settings, lambda folder: self._undisturbed(settings, folder))

    def _undisturbed(self, settings: Settings, folder: Path) -> None:
        say(f"an undisturbed run of {settings.name}")
        self._prepare(self._cluster.adaptive)
        run = Run(
            folder,
            self._references.files(settings.data),
            settings,
            "auto",
            self._cluster,
            self._network,
            START,
            pace_ms=0,
        )
        run.job.submit(1)
        run.start_trainers(_REFERENCE_RANKS)
        try:
            run.await_end()
        finally:
            run.kill()

    def _prepare(self, adaptive: bool) -> None:
        """Makes a complete cluster available, without jobs and with the requested scheduler."""
        self._cluster.switch_scheduler(adaptive)
        self._cluster.await_ready()
        self._leftovers.expect()


def _archive(folder: Path) -> Path:
    return folder / "run" / "digests" / "train"


def _position(at: int, reference: Reference) -> Position:
    return divmod(at, reference.steps)
