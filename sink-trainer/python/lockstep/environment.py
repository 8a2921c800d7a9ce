"""This process's rank, world size and launch, from arguments or from its launcher."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from lockstep.errors import UsageError

# One instance for each process, to distinguish a repeated registration from a second process with
# the same rank.
_INSTANCE = uuid.uuid4().hex
_INSTANCE_PID = os.getpid()

# The prefix of a launch name that this process generated.
_ALONE = "process/"


@dataclass(frozen=True)
class Launch:
    """A rank of one launch of the trainers.

    All ranks of a launch share its name, which is never reused.
    """

    rank: int
    world_size: int
    name: str

    @property
    def has_launcher(self) -> bool:
        """Whether a launcher named the launch; it may also start the job, even later."""
        return not self.name.startswith(_ALONE)

    def __post_init__(self) -> None:
        if self.world_size < 1:
            raise UsageError(f"world_size={self.world_size}: there must be at least one rank")
        if not 0 <= self.rank < self.world_size:
            raise UsageError(
                f"rank={self.rank} is not one of the ranks 0 to {self.world_size - 1} "
                f"of world_size={self.world_size}"
            )


def instance() -> str:
    """The unique name of this process."""
    return _INSTANCE if os.getpid() == _INSTANCE_PID else uuid.uuid4().hex


def host() -> str:
    return socket.gethostname()


def find_launch(
    rank: int | None = None,
    world_size: int | None = None,
    launch: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> Launch:
    """From the arguments; else the variables of the launcher, torchrun or SLURM; else a single
    process.

    Raises UsageError if ranks are given without a name for their common launch.
    """
    if (rank is None) != (world_size is None):
        raise UsageError("rank= and world_size= belong together: give both or neither")
    found_rank, found_world, named = _from_environment(env)
    if rank is None or world_size is None:
        rank, world_size = found_rank, found_world
    name = launch or named
    if name is None:
        if world_size > 1:
            raise UsageError(
                f"world_size={world_size} without a name for this launch: start the ranks with "
                "'lockstep run' or torchrun, or give all of them the same new launch= (or "
                "LOCKSTEP_LAUNCH) at each start"
            )
        name = _ALONE + instance()
    return Launch(rank, world_size, name)


def _from_environment(env: Mapping[str, str]) -> tuple[int, int, str | None]:
    if "LOCKSTEP_LAUNCH" in env:
        return _number(env, "RANK", 0), _number(env, "WORLD_SIZE", 1), env["LOCKSTEP_LAUNCH"]
    if "TORCHELASTIC_RUN_ID" in env:
        return _number(env, "RANK"), _number(env, "WORLD_SIZE"), _torchrun_launch(env)
    if "RANK" in env and "WORLD_SIZE" in env:
        return _number(env, "RANK"), _number(env, "WORLD_SIZE"), None
    if "SLURM_PROCID" in env and "SLURM_NTASKS" in env:
        return _number(env, "SLURM_PROCID"), _number(env, "SLURM_NTASKS"), _slurm_launch(env)
    return 0, 1, None


def _torchrun_launch(env: Mapping[str, str]) -> str:
    run, restart = env["TORCHELASTIC_RUN_ID"], env.get("TORCHELASTIC_RESTART_COUNT", "0")
    if run != "none":
        return f"{run}/{restart}"
    # torchrun without --rdzv-id calls every run "none". On one node its own process distinguishes
    # its starts.
    if env.get("GROUP_WORLD_SIZE", "1") != "1":
        raise UsageError(
            "torchrun on several nodes needs a name for each start, so that its ranks find each "
            "other: give it --rdzv-id=<name>, the same on all nodes"
        )
    return f"torchrun-{host()}-{os.getppid()}-{_start_of(os.getppid())}/{restart}"


def _slurm_launch(env: Mapping[str, str]) -> str | None:
    if "SLURM_JOB_ID" not in env:
        return None
    step = "." + env["SLURM_STEP_ID"] if "SLURM_STEP_ID" in env else ""
    return f"{env['SLURM_JOB_ID']}{step}/{env.get('SLURM_RESTART_COUNT', '0')}"


def _start_of(pid: int) -> str:
    """When a process started, in ticks since boot: process ids are reused."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "0"


def _number(env: Mapping[str, str], name: str, default: int | None = None) -> int:
    text = env.get(name)
    if text is None:
        if default is None:
            raise UsageError(f"the variable {name} is not set, though its launcher's others are")
        return default
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"the variable {name} is {text!r}, which is not a whole number") from None
