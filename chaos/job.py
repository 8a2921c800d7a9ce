"""The Flink job of a run, through REST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chaos import processes
from chaos.cluster import Cluster
from chaos.distribution import ROOT
from chaos.errors import DifferenceError

JAR = ROOT / "cli" / "target" / "lockstep.jar"

_LIMIT_S = 120.0
_RESCALED_S = 60.0
# How long a job may run with the former parallelism before it finishes.
_SOON_S = 15.0
# How often a stop is requested, and Flink's message if a fail-over, or the death of a TaskManager
# that it has not noticed, came first.
_STOPS = 5
_OVERTAKEN = ("Checkpoint Coordinator is suspending", "RecipientUnreachableException")
# Pause between REST calls, which the JobManager answers beside its other work.
REST_EVERY_S = 0.2


class Job:
    """The job, submitted once, and again after each savepoint or loss of the whole cluster."""

    def __init__(self, cluster: Cluster, run_file: Path) -> None:
        self._cluster = cluster
        self._run_file = run_file
        self.id = ""
        self._restored_from: str | None = None

    def submit(self, parallelism: int, restored_from: str | None = None) -> None:
        jars = self._cluster.rest.get("jars")["files"]
        jar = jars[0]["id"] if jars else self._cluster.rest.upload(JAR)
        request: dict[str, Any] = {
            "entryClass": "io.lockstep.cli.JobMain",
            "programArgsList": [str(self._run_file)],
            "parallelism": parallelism,
        }
        self._restored_from = restored_from
        if restored_from is not None:
            request["savepointPath"] = restored_from
        self.id = str(self._cluster.rest.post(f"jars/{jar}/run", request)["jobid"])

    def state(self) -> str:
        """The job's state; `NONE` while no JobManager answers."""
        try:
            return str(self._cluster.rest.get(f"jobs/{self.id}")["state"])
        except (OSError, KeyError):
            return "NONE"

    def parallelism(self) -> int:
        """The parallelism of the running tasks; 0 unless all of them run."""
        try:
            vertex = self._cluster.rest.get(f"jobs/{self.id}")["vertices"][0]
        except (OSError, KeyError, IndexError):
            return 0
        running = vertex["tasks"]["RUNNING"]
        return int(running) if running == vertex["parallelism"] else 0

    def await_running(self) -> None:
        """Waits until all tasks run, or the job has finished."""

        def running() -> bool:
            return self.parallelism() > 0 or self.state() == "FINISHED"

        if not processes.patiently(running, _LIMIT_S, REST_EVERY_S):
            raise DifferenceError(
                f"the job did not run again within {_LIMIT_S:.0f} s: it is {self.state()}"
            )

    def await_finished(self) -> None:
        if not processes.patiently(lambda: self.state() == "FINISHED", _LIMIT_S, REST_EVERY_S):
            raise DifferenceError(
                f"all ranks had closed, and {_LIMIT_S:.0f} s later the job is {self.state()}"
            )

    def rescale(self, parallelism: int) -> None:
        path = f"jobs/{self.id}/resource-requirements"
        bounds = {"lowerBound": 1, "upperBound": parallelism}
        wanted = {vertex: {"parallelism": bounds} for vertex in self._cluster.rest.get(path)}
        self._cluster.rest.put(path, wanted)

    def await_parallelism(self, parallelism: int) -> bool:
        """Waits until that many tasks run. Returns False if the job has finished soon after the
        request; one that goes on for longer must have been rescaled before.
        """

        def rescaled() -> bool:
            return self.parallelism() == parallelism

        def over() -> bool:
            return rescaled() or self.state() == "FINISHED"

        if processes.patiently(over, _SOON_S, REST_EVERY_S):
            return self.state() != "FINISHED"
        if not processes.patiently(rescaled, _RESCALED_S - _SOON_S, REST_EVERY_S):
            raise DifferenceError(
                f"the job was to run with parallelism {parallelism}, and after "
                f"{_RESCALED_S:.0f} s runs with {self.parallelism()}: it is {self.state()}"
            )
        return True

    def trigger_checkpoint(self) -> None:
        self._cluster.rest.post(f"jobs/{self.id}/checkpoints", {"checkpointType": "FULL"})

    def running_checkpoint(self) -> str | None:
        """The name of a checkpoint in progress, by the files on disk."""
        newest = max(self._places(), key=_number, default=None)
        return None if newest is None or _is_complete(newest) else newest.name

    def completed_checkpoints(self) -> int:
        return int(self._cluster.rest.get(f"jobs/{self.id}/checkpoints")["counts"]["completed"])

    def last_checkpoint(self) -> str | None:
        """The job's newest complete checkpoint, else the one that it was restored from."""
        newest = max(filter(_is_complete, self._places()), key=_number, default=None)
        return self._restored_from if newest is None else f"file://{newest}"

    def _places(self) -> list[Path]:
        return list((self._cluster.checkpoints / self.id).glob("chk-*"))

    def stop(self) -> str:
        """Stops with a savepoint, and returns its path.

        Flink aborts the stop while it still recovers from an earlier fault; the stop is then
        requested again.
        """
        for _ in range(_STOPS):
            operation = self._stop()
            if "location" in operation:
                return str(operation["location"])
            if not any(said in str(operation) for said in _OVERTAKEN):
                break
            self.await_running()
        raise DifferenceError(f"stopping with a savepoint failed: {str(operation)[:1500]}")

    def _stop(self) -> dict[str, Any]:
        rest = self._cluster.rest
        request = {"drain": False, "targetDirectory": f"file://{self._cluster.savepoints}"}
        trigger = rest.post(f"jobs/{self.id}/stop", request)["request-id"]
        path = f"jobs/{self.id}/savepoints/{trigger}"

        def done() -> dict[str, Any] | None:
            reply = rest.get(path)
            return reply["operation"] if reply["status"]["id"] == "COMPLETED" else None

        return processes.patiently(done, _LIMIT_S, REST_EVERY_S) or {}


def _is_complete(checkpoint: Path) -> bool:
    return (checkpoint / "_metadata").exists()


def _number(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix("chk-"))
