"""Storage faults: cached row groups, disks, and training data."""

from __future__ import annotations

import subprocess

from chaos import cache_files, processes
from chaos.disks import Disk
from chaos.errors import DifferenceError
from chaos.job import REST_EVERY_S
from chaos.launch import Position
from chaos.moments import Hit, Moments
from chaos.replacement import Replacement
from chaos.run import STUCK_S, Run
from chaos.schedule import Fault
from chaos.settings import EPOCHS

# How far training must proceed while a disk is full: past a commit, which gives up after 6 s, and
# into row groups that have not been read yet.
_STEPS_BEYOND = 12
_REFUSED_S = 60.0
# What names the cache that has no room.
_NOT_CACHED = "cannot be written to the cache"
# The time within which trainers must exit with the cause after a job has failed.
_TOLD_S = 20.0


class StorageFaults:
    """The storage faults of one run. Each method injects one; None if no answer was owed or it is
    impossible.
    """

    def __init__(self, run: Run, moments: Moments) -> None:
        self._run = run
        self._moments = moments

    def flip(self, fault: Fault) -> Hit | None:
        """Flips a byte of each row group that a TaskManager has cached and does not use."""
        return self._damage(fault, cache_files.flip, "flipped")

    def truncate(self, fault: Fault) -> Hit | None:
        """Truncates to half each row group that a TaskManager has cached and does not use."""
        return self._damage(fault, cache_files.truncate, "truncated")

    def truncate_used(self, fault: Fault) -> Hit | None:
        """Truncates to half each row group that a TaskManager has cached, also those in use."""
        return self._damage(fault, cache_files.truncate, "truncated, used or not", used=True)

    def _damage(
        self, fault: Fault, damage: cache_files.Damage, what: str, used: bool = False
    ) -> Hit | None:
        cache = self._run.folder / "cache"
        for victim in self._victims(fault):
            if not cache_files.of(cache, victim.pid, used=True):
                continue
            owed = self._catch(victim)
            if not owed:
                continue
            files = cache_files.of(cache, victim.pid, used)
            for file in files:
                damage(file, fault.victim)
            hit = self._moments.hit([victim.pid], f"{owed}; {len(files)} of its files {what}")
            processes.thaw(victim.pid)
            return hit if files else None
        return None

    def fill_cache(self, fault: Fault) -> Hit | None:
        """Another TaskManager takes over the lanes of one, with an empty cache and no free block
        except those of its predecessor, and what the windows of all lanes take beyond them.

        Where the others take those blocks first, the job may fail with a message that names the
        cache; another must resume from the last commit once the disk is free.
        """
        disk, cluster = self._run.cache_disk, self._run.cluster
        victim, owed = self._catch_one(fault) if disk.mounted else (None, None)
        if victim is None or owed is None:
            return None
        cached = cache_files.sizes(self._run.folder / "cache", victim.pid)
        if not cached:
            processes.thaw(victim.pid)
            return None
        hit = self._moments.hit([victim.pid], owed)
        with _Full(disk, leave=max(0, self._windows(max(cached)) - sum(cached))):
            cluster.kill_task_manager(victim)
            cluster.start_task_manager()
            if not self._fails_before(self._beyond(hit.position)):
                return hit
            self._await_told(_NOT_CACHED)
        self._resume(fault)
        return Hit(hit.pids, f"{hit.owed}; the job failed", None, hit.time)

    def _windows(self, row_group: int) -> int:
        """What row groups of that size take while the steps of all lanes need two windows."""
        return 2 * self._run.settings.lanes * self._run.settings.window * row_group

    def fill_run(self, fault: Fault) -> Hit | None:
        """Fills the disk: training continues without commits and digests."""
        disk = self._run.run_disk
        owed = self._moments.soon(lambda: self._moments.serving(self._run.launch))
        if not owed or not disk.mounted:
            return None
        pids = [process.pid for process in self._run.cluster.task_managers]
        hit = self._moments.hit(pids, owed)
        with _Full(disk):
            self._run.await_position(self._beyond(hit.position))
        return hit

    def replace(self, fault: Fault) -> Hit | None:
        """Replaces all files at once by others of the same length and age, when a TaskManager has
        to read them again. The job must fail, and another must resume from the last commit once the
        files are restored.
        """
        launch, cluster = self._run.launch, self._run.cluster
        replacement = Replacement(self._run.files)
        replacement.prepare()
        victim, owed = self._catch_one(fault)
        if victim is None or owed is None:
            replacement.discard()
            return None
        pids = [victim.pid, *(rank.pid for rank in launch.ranks)]
        hit = self._moments.hit(pids, owed)
        replacement.make()
        cluster.kill_task_manager(victim)
        cluster.start_task_manager()
        self._await_told(replacement.name)
        replacement.undo()
        self._resume(fault)
        return Hit(hit.pids, hit.owed, None, hit.time)

    def _fails_before(self, position: Position) -> bool:
        """Waits until all ranks have received a step after the position, and returns False; True
        if the job or a rank fails before.
        """
        launch, job = self._run.launch, self._run.job

        def failed() -> bool:
            return launch.failed() is not None or job.state() == "FAILED"

        def reached() -> bool:
            return failed() or launch.beyond(position) or launch.ended()

        if not processes.patiently(reached, STUCK_S, REST_EVERY_S):
            raise DifferenceError(f"no step was consumed for {STUCK_S:.0f} s")
        return failed()

    def _await_told(self, cause: str) -> None:
        """Waits until the job has failed and all ranks have ended; each must name the cause."""
        launch, job = self._run.launch, self._run.job
        if not processes.patiently(lambda: job.state() == "FAILED", _REFUSED_S, REST_EVERY_S):
            raise DifferenceError(
                f"after {_REFUSED_S:.0f} s the job is {job.state()}, though it must fail: {cause}"
            )
        # A rank that waits for an ended one finally requests its next step.
        launch.abandon()
        if not processes.patiently(launch.ended, _TOLD_S):
            raise DifferenceError(f"the job had failed, and {_TOLD_S:.0f} s later trainers wait")
        for rank in launch.ranks:
            if rank.process.returncode and cause not in rank.tail():
                raise DifferenceError(
                    f"rank {rank.number} was not told the cause ({cause}): {rank.tail()}"
                )

    def _resume(self, fault: Fault) -> None:
        """Submits the job again. Flink deletes the checkpoints of a failed job; the run directory
        has the commits.
        """
        self._run.launch.kill()
        self._run.job.submit(fault.parallelism)
        self._run.start_trainers(fault.ranks)

    def _victims(self, fault: Fault) -> list[subprocess.Popen[bytes]]:
        """The TaskManagers, the one selected by the fault's number first."""
        workers = self._run.cluster.task_managers
        first = fault.victim % len(workers)
        return [*workers[first:], *workers[:first]]

    def _catch_one(self, fault: Fault) -> tuple[subprocess.Popen[bytes] | None, str | None]:
        """A TaskManager stopped while it owes an answer, and the answer."""
        for victim in self._victims(fault):
            owed = self._catch(victim)
            if owed:
                return victim, owed
        return None, None

    def _catch(self, victim: subprocess.Popen[bytes]) -> str | None:
        return self._moments.catch(victim.pid, lambda: self._moments.awaited("want", "commit"))

    def _beyond(self, position: Position | None) -> Position:
        """The position some steps after the given one, or the last that can be passed."""
        epoch, step = position or (0, 0)
        beyond = (epoch, step + _STEPS_BEYOND)
        if beyond < self._run.before_end:
            return beyond
        return self._run.before_end if epoch == EPOCHS - 1 else (epoch + 1, 0)


class _Full:
    """A disk that is full, except for some bytes, while the context is active."""

    def __init__(self, disk: Disk, leave: int = 0) -> None:
        self._disk = disk
        self._leave = leave

    def __enter__(self) -> None:
        self._disk.fill(self._leave)

    def __exit__(self, *_: object) -> None:
        self._disk.free()
