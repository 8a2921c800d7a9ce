from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
import torch

import lockstep
import lockstep.torch
from lockstep import embedded
from lockstep.embedded import find_command
from tests.conftest import numbers

PACKAGE = Path(__file__).parent.parent


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "data"
    directory.mkdir()
    parquet.write_table(numbers(40), directory / "a.parquet")
    monkeypatch.setenv("LOCKSTEP_COMMAND", f"{sys.executable} -m tests.serve")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE))
    return directory


def closed_ranks(data: Path) -> str:
    """The command writes this when it ends."""
    return (data / "closed").read_text()


def test_a_job_of_one_s_own_ends_with_its_loader(data: Path) -> None:
    with lockstep.open(data, batch=8, epochs=2) as train:
        assert [(b.epoch, b.step) for _ in train.epochs() for b in train] == [
            (e, s) for e in range(2) for s in range(5)
        ]
    assert closed_ranks(data) == "1"


def test_with_tensors(data: Path) -> None:
    train = lockstep.torch.open(str(data), batch=8)
    assert isinstance(next(iter(train))["x"], torch.Tensor)
    train.close()
    assert closed_ranks(data) == "1"


def test_after_an_exception_the_job_ends_unfinished(data: Path) -> None:
    with pytest.raises(ZeroDivisionError), lockstep.open(data, batch=8):
        raise ZeroDivisionError
    assert closed_ranks(data) == "0"


def test_a_dropped_loader_takes_its_job_along(data: Path) -> None:
    train = lockstep.open(data, batch=8)
    next(iter(train))
    process = train.after_close.__self__._process  # type: ignore[union-attr]
    del train
    gc.collect()
    assert process.poll() is not None


def test_a_job_that_dies_is_missed_at_once(data: Path) -> None:
    train = lockstep.open(data, batch=8, epochs=100)
    train.after_close.__self__._process.kill()  # type: ignore[union-attr]
    with pytest.raises(lockstep.RunFailedError, match=r"has ended with exit code -9:\nserving"):
        [list(train) for _ in train.epochs()]


def test_nothing_is_left_behind(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with lockstep.open(data, batch=8) as train:
        assert len(list(tmp_path.glob("lockstep-*"))) == 1
    del train
    gc.collect()
    assert list(tmp_path.glob("lockstep-*")) == []


def test_two_jobs_at_a_time(data: Path) -> None:
    with lockstep.open(data, batch=8) as train, lockstep.open(data, batch=20) as other:
        assert (len(train), len(other)) == (5, 2)
        assert len(list(train)) == 5
        assert len(list(other)) == 2


def test_a_job_that_does_not_start_shows_its_last_lines(data: Path) -> None:
    with pytest.raises(lockstep.UsageError, match=r"exit code 2:\n.*\nthere is no .*nothing"):
        lockstep.open(data / "nothing", batch=8)


def test_the_settings_reach_the_command(data: Path) -> None:
    with pytest.raises(lockstep.UsageError) as caught:
        lockstep.open(["nothing"], batch=8, columns=["x", "label"], seed=3, shuffle="none", lanes=4)
    assert (
        "serving serve --until-eof --batch 8 --data nothing --columns x --columns label --lanes 4 "
        "--seed 3 --shuffle none --run /"
    ) in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "argument"),
    [("id", "--columns id"), ("a,b", r"--columns a\,b"), (r"a\,b", r"--columns a\,b")],
)
def test_a_text_is_one_column(columns: str, argument: str, data: Path) -> None:
    with pytest.raises(lockstep.UsageError) as caught:
        lockstep.open(["nothing"], batch=8, columns=columns)
    assert f"--data nothing {argument} --run /" in str(caught.value)


def test_rules_for_columns_reach_the_command(data: Path) -> None:
    with pytest.raises(lockstep.UsageError) as caught:
        lockstep.open(
            ["nothing"],
            batch=8,
            partitions={"year": "int32", "day": "string"},
            schema={"missing": None, "widen": True},
        )
    assert (
        "--data nothing --partitions year=int32 --partitions day=string --missing null --widen "
        "--run /"
    ) in str(caught.value)


@pytest.mark.parametrize("open_stream", [lockstep.open, lockstep.torch.open])
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"schema": {"mising": "null"}}, "schema has no rule 'mising' (did you mean 'missing'?)"),
        ({"schema": {"missing": "drop"}}, "schema: missing is 'drop'; say 'refuse' or 'null'"),
        ({"schema": {"widen": "yes"}}, "schema: widen is 'yes'; say True or False"),
        ({"schema": "widen"}, "schema='widen' is not a mapping, such as {'widen': True}"),
        ({"partitions": ["a"]}, "partitions=['a'] is not a mapping, such as {'year': 'int32'}"),
    ],
)
def test_wrong_rules_are_refused_before_the_job_starts(
    open_stream: Callable[..., object],
    rules: dict[str, object],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LOCKSTEP_COMMAND", "/no/such/command")
    with pytest.raises(lockstep.UsageError) as caught:
        open_stream("data", batch=8, **rules)
    assert str(caught.value) == message


@pytest.mark.parametrize("open_stream", [lockstep.open, lockstep.torch.open])
def test_an_argument_that_nobody_takes_is_refused_before_the_job_starts(
    open_stream: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKSTEP_COMMAND", "/no/such/command")
    for name, meant in {"epoch": "epochs", "prefetched": "prefetch", "shufle": "shuffle"}.items():
        with pytest.raises(lockstep.UsageError, match=f"{name!r} .did you mean {meant!r}"):
            open_stream("data", batch=8, **{name: 1})
    with pytest.raises(lockstep.UsageError, match=r"open\(\) has no argument 'rank'"):
        open_stream("data", batch=8, rank=1)


def test_the_command_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKSTEP_COMMAND", "java -jar 'my jar'")
    assert find_command() == ["java", "-jar", "my jar"]
    monkeypatch.delenv("LOCKSTEP_COMMAND")
    package = tmp_path / "sink-trainer" / "python" / "lockstep" / "embedded.py"
    monkeypatch.setattr(embedded, "__file__", str(package))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(lockstep.UsageError, match="LOCKSTEP_COMMAND"):
        find_command()
    on_path = executable(tmp_path / "bin" / "lockstep")
    assert find_command() == [str(on_path)]
    (tmp_path / "pom.xml").touch()
    in_checkout = executable(tmp_path / "lockstep")
    assert find_command() == [str(in_checkout)]


def executable(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_a_command_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCKSTEP_COMMAND", "/no/such/command")
    with pytest.raises(lockstep.UsageError, match="cannot be started"):
        lockstep.open("data", batch=8)
