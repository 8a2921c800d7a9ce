from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from lockstep import session
from tests.peer import Peer, Stream, serving


@pytest.fixture(scope="session", autouse=True)
def _heed_interrupts() -> None:
    """Restores Ctrl-C, which background processes of a shell and their children ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes launcher variables of the environment that started the tests."""
    for name in os.environ:
        if name.startswith(("LOCKSTEP_", "SLURM_", "TORCHELASTIC_", "GROUP_")) or name in (
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
        ):
            monkeypatch.delenv(name)


def numbers(rows: int) -> pa.Table:
    return pa.table(
        {
            "x": pa.array([i / 2 for i in range(rows)], pa.float32()),
            "label": pa.array(range(rows), pa.int64()),
        }
    )


@pytest.fixture(autouse=True)
def _leave_runs() -> Iterator[None]:
    """Leaves the runs of the test, which would else be told at exit that this process is done."""
    yield
    session._sessions.clear()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def peer(run: Path) -> Iterator[Peer]:
    """A run with the streams train (3 epochs of 5 steps) and eval (2 steps)."""
    streams = {"train": Stream(numbers(40), epochs=3), "eval": Stream(numbers(16))}
    with serving(run, streams) as peer:
        yield peer
