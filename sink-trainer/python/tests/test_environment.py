from __future__ import annotations

import os

import pytest

from lockstep.environment import Launch, find_launch, host, instance
from lockstep.errors import UsageError


def test_a_single_process_is_rank_0_of_1() -> None:
    assert find_launch(env={}) == Launch(0, 1, "process/" + instance())


def test_the_launcher() -> None:
    env = {"LOCKSTEP_LAUNCH": "run-1/2", "RANK": "1", "WORLD_SIZE": "4"}
    assert find_launch(env=env) == Launch(1, 4, "run-1/2")


def test_torchrun_with_a_name() -> None:
    env = {
        "TORCHELASTIC_RUN_ID": "ctr-7",
        "TORCHELASTIC_RESTART_COUNT": "2",
        "RANK": "3",
        "WORLD_SIZE": "4",
    }
    assert find_launch(env=env) == Launch(3, 4, "ctr-7/2")


def test_torchrun_without_a_name_is_told_by_its_process() -> None:
    env = {"TORCHELASTIC_RUN_ID": "none", "RANK": "0", "WORLD_SIZE": "2", "GROUP_WORLD_SIZE": "1"}
    first = find_launch(env=env)
    assert first.name.startswith(f"torchrun-{host()}-{os.getppid()}-")
    assert first.name.endswith("/0")
    assert find_launch(env={**env, "RANK": "1"}).name == first.name
    assert find_launch(env={**env, "TORCHELASTIC_RESTART_COUNT": "1"}).name != first.name


def test_torchrun_without_a_name_on_several_nodes_is_refused() -> None:
    env = {"TORCHELASTIC_RUN_ID": "none", "RANK": "0", "WORLD_SIZE": "2", "GROUP_WORLD_SIZE": "2"}
    with pytest.raises(UsageError, match="--rdzv-id"):
        find_launch(env=env)


def test_slurm() -> None:
    env = {"SLURM_PROCID": "5", "SLURM_NTASKS": "8", "SLURM_JOB_ID": "99", "SLURM_STEP_ID": "0"}
    assert find_launch(env=env) == Launch(5, 8, "99.0/0")
    assert find_launch(env={**env, "SLURM_RESTART_COUNT": "1"}) == Launch(5, 8, "99.0/1")


def test_torchrun_inside_slurm_counts() -> None:
    env = {
        "SLURM_PROCID": "0",
        "SLURM_NTASKS": "1",
        "SLURM_JOB_ID": "99",
        "TORCHELASTIC_RUN_ID": "a",
        "RANK": "1",
        "WORLD_SIZE": "2",
    }
    assert find_launch(env=env) == Launch(1, 2, "a/0")


def test_arguments_come_first() -> None:
    env = {"LOCKSTEP_LAUNCH": "a", "RANK": "1", "WORLD_SIZE": "4"}
    assert find_launch(0, 2, env=env) == Launch(0, 2, "a")
    assert find_launch(0, 2, "b", env=env) == Launch(0, 2, "b")


def test_ranks_without_a_common_launch_are_refused() -> None:
    with pytest.raises(UsageError, match="same new launch="):
        find_launch(0, 2, env={})
    with pytest.raises(UsageError, match="same new launch="):
        find_launch(env={"RANK": "0", "WORLD_SIZE": "2"})


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"LOCKSTEP_LAUNCH": "a", "RANK": "x"}, "RANK is 'x'"),
        ({"LOCKSTEP_LAUNCH": "a", "RANK": "2", "WORLD_SIZE": "2"}, "rank=2 is not one of"),
        ({"LOCKSTEP_LAUNCH": "a", "RANK": "0", "WORLD_SIZE": "0"}, "world_size=0"),
        ({"TORCHELASTIC_RUN_ID": "a", "RANK": "0"}, "WORLD_SIZE is not set"),
    ],
)
def test_impossible_variables_are_named(env: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_launch(env=env)
