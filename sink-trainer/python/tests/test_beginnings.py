"""A run without a server: a client waits for one, or fails at once if none will start."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import lockstep
from lockstep import Loader
from tests.conftest import numbers
from tests.peer import Peer, Stream

STREAMS = {"train": Stream(numbers(400), batch=8)}

# Longer than any test may take, so that a wait fails the test.
FOR_LONG = 3600.0


@contextmanager
def later(run: Path) -> Iterator[None]:
    """A job that starts a little later."""
    peers: list[Peer] = []
    timer = threading.Timer(0.3, lambda: peers.append(Peer(run, STREAMS)))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        peers[0].stop()


def over(run: Path, *closed: int) -> None:
    """A run of two ranks, some of them closed, whose job has ended."""
    (run / "trainers").mkdir(parents=True)
    entry = {"generation": 1, "world": 2, "closed": list(closed)}
    (run / "trainers" / "generation.json").write_text(json.dumps(entry))
    write_settings(run, 0)


def write_settings(run: Path, age_ns: int) -> None:
    """Writes run.yaml as a starting job does; age_ns is relative to the trainers' last message."""
    settings = run / "run.yaml"
    settings.write_text("streams: {}")
    said = (run / "trainers" / "generation.json").stat().st_mtime_ns
    os.utime(settings, ns=(said, said - 1_000_000_000 + age_ns))


def test_a_directory_that_is_given_by_hand_and_is_not_there_is_refused_at_once(run: Path) -> None:
    with pytest.raises(lockstep.UsageError, match=f"there is no run directory {run}: give"):
        Loader("train", run=run, retry_limit_s=FOR_LONG)


def test_the_directory_of_the_environment_is_awaited(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKSTEP_RUN", str(run))
    with later(run), Loader("train", retry_limit_s=FOR_LONG) as train:
        assert len(train) == 50


def test_ranks_of_a_launcher_await_the_directory_that_they_are_given(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"TORCHELASTIC_RUN_ID": "a", "RANK": "0", "WORLD_SIZE": "1"}.items():
        monkeypatch.setenv(name, value)
    with later(run), Loader("train", run=run, retry_limit_s=FOR_LONG) as train:
        assert len(train) == 50


def test_a_run_that_is_done_is_refused_at_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over(run, 0, 1)
    monkeypatch.setenv("LOCKSTEP_RUN", str(run))
    monkeypatch.setenv("LOCKSTEP_LAUNCH", "a")
    with pytest.raises(lockstep.RunDoneError, match=f"the run in {run} is done: every rank"):
        Loader("train", retry_limit_s=FOR_LONG)


def test_a_server_that_was_killed_after_the_run_s_end_is_not_looked_for(run: Path) -> None:
    over(run, 0, 1)
    dead = Peer(run, STREAMS)
    dead.stop()
    with pytest.raises(lockstep.RunDoneError, match="start the job again first"):
        Loader("train", run=run, retry_limit_s=FOR_LONG)


def test_the_job_of_a_run_that_is_not_done_is_awaited(run: Path) -> None:
    over(run, 1)
    with later(run), Loader("train", run=run, retry_limit_s=FOR_LONG) as train:
        assert len(train) == 50


def test_a_job_that_is_started_anew_for_a_run_that_was_done_is_awaited(run: Path) -> None:
    over(run, 0, 1)
    write_settings(run, 2_000_000_000)
    with later(run), Loader("train", run=run, retry_limit_s=FOR_LONG) as train:
        assert len(train) == 50


def test_without_the_settings_nobody_can_tell_that_no_job_starts_anew(run: Path) -> None:
    over(run, 0, 1)
    (run / "run.yaml").unlink()
    with later(run), Loader("train", run=run, retry_limit_s=FOR_LONG) as train:
        assert len(train) == 50
