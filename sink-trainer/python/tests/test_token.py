"""The run's token: where a trainer finds it, and what happens with a wrong one."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.flight as flight
import pytest

from lockstep import Loader
from lockstep.credentials import find_credentials
from lockstep.errors import ConnectionLostError, UsageError
from lockstep.location import EndpointList, RunDirectory
from tests.peer import Peer

TOKEN = "0123456789abcdef" * 4


def test_the_environment_goes_before_the_run_directory(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a" * 64 + "\n")
    (tmp_path / "copy").write_text("b" * 64)
    run = RunDirectory(str(tmp_path))
    file = {"LOCKSTEP_TOKEN_FILE": str(tmp_path / "copy")}
    assert find_credentials(run, {}).token == "a" * 64
    assert find_credentials(run, file).token == "b" * 64
    assert find_credentials(run, {**file, "LOCKSTEP_TOKEN": TOKEN}).token == TOKEN
    assert find_credentials(EndpointList("a:1"), {}).token is None
    assert TOKEN not in repr(find_credentials(run, {"LOCKSTEP_TOKEN": TOKEN}))


def test_what_is_no_token_is_refused_without_repeating_it(tmp_path: Path) -> None:
    run = RunDirectory(str(tmp_path))
    with pytest.raises(UsageError, match="the variable LOCKSTEP_TOKEN does not hold") as wrong:
        find_credentials(run, {"LOCKSTEP_TOKEN": TOKEN[1:]})
    assert TOKEN[1:] not in str(wrong.value)
    with pytest.raises(UsageError, match=r"LOCKSTEP_TOKEN_FILE: .*No such file"):
        find_credentials(run, {"LOCKSTEP_TOKEN_FILE": str(tmp_path / "copy")})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_token_of_another_user_is_reported(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "token").chmod(0)
    with pytest.raises(UsageError, match=r"this user may not read .*/token: start the trainers"):
        find_credentials(RunDirectory(str(tmp_path)), {})


def test_a_wrong_token_of_the_environment_ends_the_trainer_at_once(
    peer: Peer, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKSTEP_TOKEN", TOKEN)
    with pytest.raises(UsageError, match="does not carry the token of this run"):
        Loader("train", run=run, rank=0, world_size=1)
    assert peer.requests == []


def test_a_wrong_token_of_the_run_directory_is_read_again_until_the_limit(
    peer: Peer, run: Path
) -> None:
    (run / "token").write_text(TOKEN)
    with pytest.raises(ConnectionLostError, match="does not carry the token of this run"):
        Loader("train", run=run, rank=0, world_size=1, retry_limit_s=0.5)

    def replace() -> None:
        (run / "token").write_text(peer.token)

    peer.check.when_refused = replace
    with Loader("train", run=run, rank=0, world_size=1) as train:
        assert len(list(train)) == 5


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_every_call_carries_the_token(peer: Peer, run: Path, transport: str) -> None:
    with Loader("train", run=run, rank=0, world_size=1, transport=transport) as train:
        assert len(list(train)) == 5
    stranger = flight.FlightClient(f"grpc+tcp://127.0.0.1:{peer.port}")
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(stranger.do_action(flight.Action("hello", b'{"protocol":4}')))
