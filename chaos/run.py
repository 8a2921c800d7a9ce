"""One training run on the cluster, with the operations that faults need."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from chaos import data, processes
from chaos.cluster import Cluster
from chaos.disks import Disk
from chaos.errors import DifferenceError
from chaos.job import Job
from chaos.kinds import Kind
from chaos.launch import PACE_MS, Launch, Position
from chaos.network import Network
from chaos.settings import Settings
from chaos.trainer import FENCED

# Longer than any recovery; a longer wait is a hang.
STUCK_S = 120.0
_LOOK_EVERY_S = 0.05


class Run:
    """A run's job and the current launch of trainers.

    before_end: a step after the last commit.
    files: the folder with the training data.
    """

    def __init__(
        self,
        folder: Path,
        files: Path,
        settings: Settings,
        transport: str,
        cluster: Cluster,
        network: Network,
        before_end: Position,
        pace_ms: float = PACE_MS,
        kinds: frozenset[Kind] = frozenset(),
    ) -> None:
        """kinds: those of the scheduled faults; some need disks or files owned by the run"""
        self.folder = folder
        self.files = files
        self.cache_disk = Disk(folder / "cache")
        self.run_disk = Disk(folder / "run")
        self.before_end = before_end
        self.cluster = cluster
        self.network = network
        self.launches: list[Launch] = []
        for name in ("records", "logs"):
            (folder / name).mkdir(parents=True)
        if Kind.REPLACED in kinds:
            self.files = shutil.copytree(files, folder / "data")
        if Kind.CACHE_FULL in kinds:
            self.cache_disk.open()
        if Kind.RUN_FULL in kinds:
            self.run_disk.open()
        self.job = Job(cluster, data.run_file(folder, self.files, settings))
        self.settings = settings
        self._transport = transport
        self._pace_ms = pace_ms

    @property
    def launch(self) -> Launch:
        """The newest launch."""
        return self.launches[-1]

    def start_trainers(self, world: int) -> None:
        self.launches.append(
            Launch(
                self.folder,
                len(self.launches),
                world,
                self.settings.lanes,
                self._transport,
                self.network,
                self._pace_ms,
            )
        )

    def await_position(self, position: Position | None) -> None:
        """Waits until all ranks have received a step after the given one, or have ended."""
        launch = self.launch
        self._await(lambda: launch.beyond(position) or launch.ended())

    def await_end(self) -> None:
        """Waits until all trainers have exited successfully, then for the job."""
        self._await(self.launch.ended)
        self.job.await_finished()

    def _await(self, reached: Callable[[], bool]) -> None:
        launch = self.launch
        seen = launch.position()
        while not processes.patiently(lambda: self._looked() and reached(), STUCK_S, _LOOK_EVERY_S):
            if launch.position() == seen:
                doing = "; ".join(rank.is_doing() for rank in launch.ranks)
                raise DifferenceError(f"no step was consumed for {STUCK_S:.0f} s: {doing}")
            seen = launch.position()

    def _looked(self) -> bool:
        """Raises DifferenceError if a trainer has failed, or waits without reporting it."""
        failed = self.launch.failed()
        if failed is not None:
            raise DifferenceError(
                f"rank {failed.number} of launch {self.launch.number} ended with "
                f"{failed.process.returncode}: {failed.tail()}"
            )
        for rank in self.launch.ranks:
            silence = rank.silence()
            if silence:
                raise DifferenceError(silence)
        return True

    def check_orphans(self, launch: Launch) -> None:
        """Checks that trainers replaced by a newer launch were told so, if they were still
        alive.
        """
        for rank in launch.ranks:
            code = rank.process.poll()
            if code == 0 and rank.closed_before(self.launch):
                continue
            if code not in (FENCED, -9):
                raise DifferenceError(
                    f"rank {rank.number} of launch {launch.number} was to be fenced by its "
                    f"successor, and ended with {code}: {rank.tail()}"
                )

    def kill(self) -> None:
        for launch in self.launches:
            launch.kill()

    def close(self, keep: bool) -> None:
        """Ends all trainers. Optionally keeps the content of the run's disks."""
        self.kill()
        self.cache_disk.close(keep)
        self.run_disk.close(keep)
