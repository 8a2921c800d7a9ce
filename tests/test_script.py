"""The messages of the script if it cannot continue."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, QUICKSTART, ROOT, run
from tests.test_run import COUNT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that has never been built."""
    shutil.copy(LOCKSTEP, tmp_path)
    (tmp_path / "build-tools").mkdir()
    shutil.copy(ROOT / "build-tools" / "common.sh", tmp_path / "build-tools")
    return tmp_path


def tools_without(name: str, folder: Path) -> str:
    """A PATH with all programs of the usual folders except one."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    for usual in ("/bin", "/usr/bin"):
        for tool in Path(usual).iterdir():
            link = bin_folder / tool.name
            if tool.name != name and not link.is_symlink():
                link.symlink_to(tool)
    return str(bin_folder)


def test_without_maven_it_says_so_on_stderr_alone(checkout: Path) -> None:
    path = tools_without("mvn", checkout)

    done = run("./lockstep", "plan", "data", cwd=checkout, env={"PATH": path}, check=False)

    assert done.returncode == 1
    assert done.stdout == ""
    assert "Maven was not found on the PATH" in done.stderr


def test_what_is_to_be_tested_is_named_or_refused(tmp_path: Path) -> None:
    done = run(LOCKSTEP, "test", "everything", cwd=tmp_path, check=False)

    assert done.returncode == 2
    assert "not 'everything'" in done.stderr


def test_what_can_be_tested_is_told(tmp_path: Path) -> None:
    done = run(LOCKSTEP, "test", "--help", cwd=tmp_path)

    assert done.stdout.startswith("Usage: lockstep test [full] [java | python]")
    assert done.stderr == ""


def test_help_names_the_verbs_of_the_script(tmp_path: Path) -> None:
    told = run(LOCKSTEP, "--help", cwd=tmp_path).stdout

    assert "\n  test " in told
    assert "\n  chaos " in told


@pytest.mark.parametrize("locale", ["C", ""])
def test_names_beyond_ascii_work_in_any_locale(tmp_path: Path, locale: str) -> None:
    pq.write_table(pa.table({"blå": [1]}), tmp_path / "ü.parquet")
    plan = (LOCKSTEP, "plan", "ü.parquet", "--batch", "1", "--columns")
    env = {"LC_ALL": locale, "LANG": ""}

    assert run(*plan, "blå", cwd=tmp_path, env=env).returncode == 0
    assert "Its columns are blå." in run(*plan, "red", cwd=tmp_path, env=env, check=False).stderr


def copy_of_checkout(folder: Path, *without: str) -> Path:
    """A checkout at another path, which is built already."""
    folder.mkdir()
    for file in ROOT.iterdir():
        if file.name not in without:
            (folder / file.name).symlink_to(file)
    (folder / "lockstep").unlink()
    shutil.copy(LOCKSTEP, folder)
    return folder


def program(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def ready_environment(checkout: Path) -> None:
    """Makes this Python that of the checkout's virtual environment."""
    program(checkout / ".venv/bin/python", f'exec {sys.executable} "$@"')
    inputs = ("build-tools/requirements.txt", "sink-trainer/python/pyproject.toml")
    state = "".join((ROOT / name).read_text() for name in inputs)
    (checkout / ".venv/.lockstep").write_text(state)


def test_a_checkout_may_have_a_path_with_spaces(tmp_path: Path) -> None:
    checkout = copy_of_checkout(tmp_path / "my files", ".venv")
    ready_environment(checkout)
    other = program(tmp_path / "other/bin/python", "exit 1").parent.parent
    env = {"PATH": f"{other}/bin:{os.environ['PATH']}", "VIRTUAL_ENV": str(other)}
    settings = ("--data", QUICKSTART / "data/eval", "--batch", "32", "--run", "my run")

    command = ("./lockstep", "run", *settings, "--", "python", "-c", COUNT)
    started = run(*command, cwd=checkout, env=env)
    assert started.stderr.splitlines()[0] == (
        f"lockstep: the active environment {other} has no lockstep, numpy, pyarrow, xxhash: "
        f"trainers get the python of {checkout}/.venv; to use yours, run 'pip install "
        f"{checkout}/sink-trainer/python numpy pyarrow xxhash' in it"
    )
    assert run("./lockstep", "replay", "my run", "--step", "0", cwd=checkout).stdout


def test_an_active_environment_with_the_package_is_used_and_help_installs_nothing(
    tmp_path: Path,
) -> None:
    checkout = copy_of_checkout(tmp_path / "checkout", ".venv")
    python = program(tmp_path / "own/bin/python", f'exec {sys.executable} "$@"')
    mine = {"PATH": f"{python.parent}:{os.environ['PATH']}"}
    bare = {"PATH": tools_without("python", tmp_path)}

    command = ("./lockstep", "run", "--data", "nowhere", "--batch", "1", "--", "true")
    refused = run(*command, cwd=checkout, env=mine, check=False)
    assert refused.stderr.startswith("lockstep: There is nothing at ")
    assert run("./lockstep", "run", "--help", cwd=checkout, env=bare).stderr == ""
    assert not (checkout / ".venv").exists()


def test_another_user_s_installation_can_be_used(tmp_path: Path) -> None:
    checkout = copy_of_checkout(tmp_path / "checkout", ".lockstep")
    (checkout / ".lockstep").touch()  # no directory can be made there, even by root
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    plan = ("./lockstep", "plan", QUICKSTART / "data/eval", "--batch", "32")

    assert run(*plan, cwd=checkout, env=env).stderr == ""


def test_a_java_home_without_a_jdk_is_refused(checkout: Path) -> None:
    done = run("./lockstep", "--version", cwd=checkout, env={"JAVA_HOME": "/nowhere"}, check=False)

    assert done.returncode == 1
    assert done.stderr == (
        "lockstep: JAVA_HOME is /nowhere, where there is no bin/java: correct it, or unset it\n"
    )


def test_it_is_found_through_a_link_and_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "lockstep").symlink_to(LOCKSTEP)

    assert run("./lockstep", "--version", cwd=tmp_path).stdout.startswith("lockstep ")


def test_the_job_s_options_for_classes_of_the_project_name_some_that_exist() -> None:
    options = (ROOT / "build-tools" / "job.options").read_text()

    named = re.findall(r"dontinline,(io/lockstep/[\w/]+)\.", options)
    assert named
    for name in named:
        assert list(ROOT.glob(f"*/src/main/java/{name}.java")), name
