from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from lockstep.errors import RunDoneError, RunFailedError, UsageError
from lockstep.heartbeat import Heartbeat
from lockstep.location import Endpoint, EndpointList, RunDirectory, find_run
from lockstep.protocol import ServerLostError
from lockstep.routing import RoutingTable


def announce(run: Path, subtask: int, uri: str, attempt: int = 0) -> None:
    (run / "sinks").mkdir(parents=True, exist_ok=True)
    content = {
        "uri": uri,
        "task": f"{subtask}-{attempt}",
        "attempt": attempt,
        "lanes": {"train": [subtask]},
    }
    (run / "sinks" / f"{subtask}.json").write_text(json.dumps(content))


@pytest.mark.parametrize("form", ["{}", "file:{}", "file://{}", "{}/"])
def test_a_run_directory_in_any_form(tmp_path: Path, form: str) -> None:
    announce(tmp_path, 0, "grpc+tcp://a:1", attempt=1)
    announce(tmp_path, 1, "grpc+tcp://b:1", attempt=2)
    (tmp_path / "sinks" / "2.json").write_text('{"uri": ')  # being written
    (tmp_path / "sinks" / ".3.json.tmp").write_text("{}")
    found = RunDirectory(form.format(tmp_path)).endpoints()
    assert found == [
        Endpoint("grpc+tcp://b:1", "1-2", 2, {"train": [1]}),
        Endpoint("grpc+tcp://a:1", "0-1", 1, {"train": [0]}),
    ]


def test_a_run_without_servers_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(ServerLostError, match=f"announced itself in {tmp_path}/sinks yet"):
        RunDirectory(str(tmp_path)).endpoints()


def test_a_run_without_a_directory_says_so(tmp_path: Path) -> None:
    with pytest.raises(ServerLostError, match=f"there is no run directory {tmp_path}/typo$"):
        RunDirectory(str(tmp_path / "typo")).endpoints()


def test_a_failed_job_is_reported_with_its_cause_until_it_is_submitted_again(
    tmp_path: Path,
) -> None:
    run = RunDirectory(str(tmp_path))
    run.check_goes_on()
    job = {"version": 1, "job": "j", "state": "failed", "error": "column x is gone.", "at": "now"}
    (tmp_path / "run.yaml").write_text("")
    (tmp_path / "job.json").write_text(json.dumps(job))
    os.utime(tmp_path / "run.yaml", (1, 1))
    with pytest.raises(RunFailedError, match=r"has failed: column x is gone\. Fix the cause"):
        run.check_goes_on()
    os.utime(tmp_path / "run.yaml")
    os.utime(tmp_path / "job.json", (1, 1))
    run.check_goes_on()
    (tmp_path / "run.yaml").unlink()  # a job built with the Java API
    with pytest.raises(RunFailedError):
        run.check_goes_on()
    (tmp_path / "job.json").write_text("")
    run.check_goes_on()


def test_a_run_that_is_done(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").touch()
    os.utime(tmp_path / "run.yaml", (0, 0))
    (tmp_path / "trainers").mkdir()
    (tmp_path / "trainers" / "generation.json").write_text('{"world": 1, "closed": [0]}')
    with pytest.raises(RunDoneError):
        RunDirectory(str(tmp_path)).check_goes_on()


def test_a_lost_job_manager_is_told_by_this_hosts_clock(tmp_path: Path) -> None:
    now = [100.0]
    heartbeat = Heartbeat(lambda: now[0])
    run = RunDirectory(str(tmp_path))
    assert heartbeat.missed(run.heartbeat()) is None
    (tmp_path / "heartbeat.json").write_text('{"version": 1, "job": "j", "at": "1999"}')
    assert heartbeat.missed(run.heartbeat()) is None
    now[0] += 8
    assert heartbeat.missed(run.heartbeat()) is None
    now[0] += 2
    missed = heartbeat.missed(run.heartbeat())
    assert missed is not None
    assert "JobManager has given no sign of life for 10 s" in missed
    (tmp_path / "heartbeat.json").write_text('{"version": 1, "job": "j", "at": "2000"}')
    assert heartbeat.missed(run.heartbeat()) is None


def test_a_directory_of_no_known_file_system() -> None:
    with pytest.raises(ServerLostError, match="cannot be read"):
        RunDirectory("nosuch://host/run").endpoints()


def test_addresses_by_hand() -> None:
    found = EndpointList("a:1, grpc+tcp://b:2,").endpoints()
    assert [e.uri for e in found] == ["grpc+tcp://a:1", "grpc+tcp://b:2"]


def test_which_run() -> None:
    env = {"LOCKSTEP_RUN": "/runs/1", "LOCKSTEP_ENDPOINTS": "a:1"}
    assert find_run("/runs/2", env) == RunDirectory("/runs/2")
    assert find_run(None, env) == RunDirectory("/runs/1")
    with_token = {"LOCKSTEP_ENDPOINTS": "a:1", "LOCKSTEP_TOKEN": "0" * 64}
    assert find_run(None, with_token) == EndpointList("a:1")
    with pytest.raises(UsageError, match="LOCKSTEP_ENDPOINTS needs the run's token"):
        find_run(None, {"LOCKSTEP_ENDPOINTS": "a:1"})
    with pytest.raises(UsageError, match="lockstep run"):
        find_run(None, {})


@pytest.mark.parametrize("form", ["{}", "file:{}"])
def test_a_directory_that_is_not_there_is_refused_unless_it_may_come(
    tmp_path: Path, form: str
) -> None:
    missing = form.format(tmp_path / "typo")
    with pytest.raises(UsageError, match=f"there is no run directory {missing}: give the one that"):
        find_run(missing, {}, may_come=False)
    assert find_run(missing, {}) == RunDirectory(missing)
    there = form.format(tmp_path)
    assert find_run(there, {}, may_come=False) == RunDirectory(there)


def test_the_latest_attempt_holds_a_lane() -> None:
    old = Endpoint("grpc+tcp://old:1", "a", 1, {"train": [0, 1]})
    new = Endpoint("grpc+tcp://new:1", "b", 2, {"train": [1], "eval": [0]})
    table = RoutingTable({}, [new, old])
    assert table.holders("train", range(2)) == [(old, [0]), (new, [1])]
    with pytest.raises(ServerLostError, match="lane 2 of stream 'train'"):
        table.holders("train", range(3))


@pytest.mark.parametrize(
    ("disk", "reason"),
    [({"f_bavail": 0}, "is full; make room"), ({"f_flag": os.ST_RDONLY}, "is read-only")],
)
def test_a_disk_that_takes_nothing_is_why_no_server_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: dict[str, int], reason: str
) -> None:
    healthy = {"f_flag": 0, "f_bavail": 1, "f_files": 0, "f_favail": 0}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**healthy))
    with pytest.raises(ServerLostError, match=r"no server has announced itself in .*/sinks yet$"):
        RunDirectory(str(tmp_path)).endpoints()

    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**{**healthy, **disk}))
    with pytest.raises(ServerLostError, match=reason):
        RunDirectory(str(tmp_path)).endpoints()
