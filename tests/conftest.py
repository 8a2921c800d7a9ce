from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tests.cluster import Cluster
from tests.command import LOCKSTEP, run


@pytest.fixture(scope="session", autouse=True)
def _heed_interrupts() -> None:
    """Restores SIGINT, which a shell disables for background jobs and their children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def quickstart(
    tmp_path_factory: pytest.TempPathFactory,
) -> subprocess.CompletedProcess[str]:
    """The quick start, run once in an embedded Flink."""
    return run(LOCKSTEP, "quickstart", cwd=tmp_path_factory.mktemp("quickstart"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One JobManager and two TaskManagers; teardown fails if any of their files remain."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
    cluster.check_that_nothing_is_left()


def accuracies(output: str) -> list[str]:
    """The lines that train.py of the quick start printed for each epoch."""
    return re.findall(r"^epoch \d+: held-out accuracy [\d.]+%$", output, re.MULTILINE)
