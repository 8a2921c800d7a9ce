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
    """What a shell starts in the background is deaf to Ctrl-C, and its processes inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def quickstart(
    tmp_path_factory: pytest.TempPathFactory,
) -> subprocess.CompletedProcess[str]:
    """The quick start, run once in an embedded Flink."""
    return run(LOCKSTEP, "quickstart", cwd=tmp_path_factory.mktemp("quickstart"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One JobManager and two TaskManagers; its end fails if anything of them is left."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
    cluster.check_that_nothing_is_left()


def accuracies(output: str) -> list[str]:
    """What train.py of the quick start said of each epoch, in lines of their own."""
    return re.findall(r"^epoch \d+: held-out accuracy [\d.]+%$", output, re.MULTILINE)
