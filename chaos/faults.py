"""Injects each fault at a moment at which a process owes an answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from chaos import processes
from chaos.errors import DifferenceError
from chaos.job import REST_EVERY_S
from chaos.kinds import Kind
from chaos.launch import Launch, Rank
from chaos.moments import CATCH_S, Hit, Moments
from chaos.moves import LaneMove
from chaos.run import Run
from chaos.schedule import Fault, Moment
from chaos.storage import StorageFaults

_FENCED_S = 60.0
# How long a move may run before a TaskManager ends.
_AMID_MOVE_S = 0.3
# Pauses of at least this length must overlap a checkpoint; they last up to this much longer until
# they do.
_CHECKPOINTS_S = 3.0


class Injector:
    """The faults of one run. Each method returns what it hit, or None if no answer was owed."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._moments = Moments(run)
        storage = StorageFaults(run, self._moments)
        self._by_kind: dict[Kind, Callable[[Fault], Hit | None]] = {
            Kind.TASK_MANAGER: self._task_manager,
            Kind.JOB_MANAGER: self._job_manager,
            Kind.CLUSTER: self._cluster,
            Kind.TRAINER: self._trainer,
            Kind.TRAINERS: self._trainers,
            Kind.OTHER_RANKS: self._trainers,
            Kind.SAVEPOINT: self._savepoint,
            Kind.OTHER_PARALLELISM: self._savepoint,
            Kind.BOTH: self._both,
            Kind.RESCALE: self._rescale,
            Kind.PAUSE: self._pause,
            Kind.CUT: self._cut,
            Kind.MOVE: self._move,
            Kind.PYTHON_WORKER: self._python_worker,
            Kind.CACHE_FLIPPED: storage.flip,
            Kind.CACHE_TRUNCATED: storage.truncate,
            Kind.CACHE_CUT: storage.truncate_used,
            Kind.CACHE_FULL: storage.fill_cache,
            Kind.RUN_FULL: storage.fill_run,
            Kind.REPLACED: storage.replace,
        }

    def inject(self, fault: Fault) -> Hit | None:
        return self._by_kind[fault.kind](fault)

    def _launch(self) -> Launch:
        return self._run.launch

    def _rank(self, fault: Fault) -> Rank:
        return self._launch().ranks[fault.victim % self._launch().world]

    def _task_manager(self, fault: Fault) -> Hit | None:
        cluster = self._run.cluster
        first = fault.victim % len(cluster.task_managers)
        for victim in [*cluster.task_managers[first:], *cluster.task_managers[:first]]:
            owed = self._moments.catch(victim.pid, lambda: self._moments.awaited("want", "commit"))
            if owed:
                hit = self._moments.hit([victim.pid], owed)
                cluster.kill_task_manager(victim)
                cluster.start_task_manager()
                return hit
        return None

    def _python_worker(self, fault: Fault) -> Hit | None:
        managers = self._run.cluster.task_managers
        workers = [
            child
            for manager in managers
            for child in processes.children(manager.pid, "lockstep.worker")
        ]
        first = fault.victim % max(1, len(workers))
        for victim in [*workers[first:], *workers[:first]]:
            owed = self._moments.catch(victim, lambda: self._moments.awaited("want"))
            if owed:
                hit = self._moments.hit([victim], owed)
                processes.kill(victim)
                return hit
        return None

    def _job_manager(self, fault: Fault) -> Hit | None:
        cluster = self._run.cluster
        process = cluster.job_manager
        assert process is not None
        workers = [each.pid for each in cluster.task_managers]
        if fault.moment is Moment.CLOSE:
            owed = self._catch_close(process.pid)
        elif fault.moment is Moment.COMMIT:
            owed = self._moments.catch(process.pid, lambda: self._moments.awaited("commit"))
        else:
            owed = self._catch_checkpoint(workers)
        if not owed:
            return None
        hit = self._moments.hit([process.pid], owed)
        cluster.kill_job_manager()
        for pid in workers:
            processes.thaw(pid)
        cluster.start_job_manager(cluster.adaptive)
        cluster.await_ready()
        self._run.job.await_running()
        return Hit(hit.pids, hit.owed, self._launch().position(), hit.time)

    def _catch_close(self, pid: int) -> str | None:
        """Stops the JobManager between the last commit and the end."""
        self._run.await_position(self._run.before_end)
        processes.freeze(pid)
        owed = self._moments.soon(lambda: self._moments.awaited("close"))
        if not owed:
            processes.thaw(pid)
        return owed

    def _catch_checkpoint(self, workers: list[int]) -> str | None:
        """Starts a checkpoint that cannot complete, because its participants are stopped."""
        job = self._run.job
        for pid in workers:
            processes.freeze(pid)
        job.trigger_checkpoint()
        name = processes.until(job.running_checkpoint, CATCH_S)
        if name is None:
            for pid in workers:
                processes.thaw(pid)
            return None
        return f"the checkpoint {name} was at work"

    def _cluster(self, fault: Fault) -> Hit | None:
        cluster, job = self._run.cluster, self._run.job
        processes.until(job.last_checkpoint, CATCH_S)
        pids = [process.pid for process in cluster.task_managers]
        owed = self._moments.catch(
            pids[0], lambda: self._moments.awaited("want", "commit"), also=pids[1:]
        )
        if not owed:
            return None
        if cluster.job_manager is not None:
            pids.append(cluster.job_manager.pid)
        hit = self._moments.hit(pids, owed)
        cluster.kill()
        checkpoint = job.last_checkpoint()
        cluster.start(cluster.adaptive, forget=True)
        job.submit(fault.parallelism, restored_from=checkpoint)
        return hit

    def _trainer(self, fault: Fault) -> Hit | None:
        launch, victim = self._launch(), self._rank(fault)
        owed = self._moments.catch(victim.pid, lambda: self._works(victim))
        if not owed:
            return None
        hit = self._moments.hit([victim.pid], owed)
        processes.kill(victim.pid)
        self._succeed(launch, fault)
        return Hit(hit.pids, hit.owed, None, hit.time)

    def _works(self, rank: Rank) -> str | None:
        return rank.is_doing() if rank.said.what in ("resume", "want", "got", "commit") else None

    def _succeed(self, launch: Launch, fault: Fault) -> None:
        """Starts the next launch, before or after the rest of the previous one ends."""
        if not fault.orphans:
            launch.kill()
            self._run.start_trainers(fault.ranks)
            return
        self._run.start_trainers(fault.ranks)
        launch.abandon()
        if not processes.patiently(launch.ended, _FENCED_S):
            launch.kill()
            raise DifferenceError(
                f"launch {launch.number} went on for {_FENCED_S:.0f} s beside its successor"
            )
        self._run.check_orphans(launch)

    def _trainers(self, fault: Fault) -> Hit | None:
        launch, victim = self._launch(), self._rank(fault)
        owed = self._moments.catch(victim.pid, lambda: self._works(victim))
        if not owed:
            return None
        hit = self._moments.hit([rank.pid for rank in launch.ranks], owed)
        launch.kill()
        self._run.start_trainers(fault.ranks)
        return Hit(hit.pids, hit.owed, None, hit.time)

    def _savepoint(self, fault: Fault) -> Hit | None:
        owed = self._moments.soon(lambda: self._moments.serving(self._launch()))
        if not owed:
            return None
        pids = [process.pid for process in self._run.cluster.task_managers]
        savepoint = self._run.job.stop()
        hit = self._moments.hit(pids, owed)
        self._run.job.submit(fault.parallelism, restored_from=savepoint)
        return hit

    def _both(self, fault: Fault) -> Hit | None:
        launch, victim = self._launch(), self._rank(fault)
        owed = self._moments.catch(victim.pid, lambda: self._works(victim))
        if not owed:
            return None
        hit = self._moments.hit([rank.pid for rank in launch.ranks], owed)
        launch.kill()
        savepoint = self._run.job.stop()
        self._run.start_trainers(fault.ranks)
        self._run.job.submit(fault.parallelism, restored_from=savepoint)
        return Hit(hit.pids, hit.owed, None, hit.time)

    def _rescale(self, fault: Fault) -> Hit | None:
        job = self._run.job
        job.await_running()
        owed = self._moments.soon(lambda: self._moments.serving(self._launch()))
        if not owed or job.parallelism() == fault.parallelism:
            return None
        hit = self._moments.hit([process.pid for process in self._run.cluster.task_managers], owed)
        job.rescale(fault.parallelism)
        if not job.await_parallelism(fault.parallelism):
            return None
        return Hit(hit.pids, hit.owed, self._launch().position(), hit.time)

    def _pause(self, fault: Fault) -> Hit | None:
        job, victim = self._run.job, self._rank(fault)
        owed = self._moments.catch(victim.pid, lambda: self._works(victim))
        if not owed:
            return None
        position = self._launch().position()
        before = job.completed_checkpoints()
        time.sleep(fault.hold_s)
        if fault.hold_s > _CHECKPOINTS_S and not processes.patiently(
            lambda: job.completed_checkpoints() > before, _CHECKPOINTS_S, REST_EVERY_S
        ):
            raise DifferenceError(
                f"no checkpoint was completed in {fault.hold_s + _CHECKPOINTS_S:.0f} s and more "
                f"for which {owed}, stopped"
            )
        processes.thaw(victim.pid)
        return Hit([victim.pid], owed, position, time.monotonic())

    def _cut(self, fault: Fault) -> Hit | None:
        network, victim = self._run.network, self._rank(fault)
        if not network.cuttable:
            return None
        network.cut(victim.number)
        try:
            owed = processes.until(lambda: victim.waits("want", "commit"), fault.hold_s)
            position = self._launch().position()
            if owed:
                time.sleep(fault.hold_s)
        finally:
            network.mend(victim.number)
        return Hit([victim.pid], owed, position, time.monotonic()) if owed else None

    def _move(self, fault: Fault) -> Hit | None:
        """Starts a move while all participants are stopped. A checkpoint may start with it, or one
        of the TaskManagers may end.
        """
        cluster, job = self._run.cluster, self._run.job
        move = LaneMove.choose(self._run.folder / "run", fault.victim)
        if move is None:
            return None
        pids = [process.pid for process in cluster.task_managers]
        owed = self._moments.catch(pids[0], lambda: self._moments.awaited("want"), also=pids[1:])
        if not owed:
            return None
        hit = self._moments.hit(pids, f"{owed}; {move.words}")
        move.begin()
        if fault.moment is Moment.CHECKPOINT:
            job.trigger_checkpoint()
        for pid in pids:
            processes.thaw(pid)
        if fault.orphans:
            time.sleep(random.uniform(0.0, _AMID_MOVE_S))
            cluster.kill_task_manager(cluster.task_managers[fault.victim % len(pids)])
            cluster.start_task_manager()
        move.complete()
        return hit
