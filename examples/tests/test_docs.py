"""Runs what the documentation tells to type, on the data of the quick start."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.command import LOCKSTEP, QUICKSTART, ROOT, run

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

COMMAND = re.compile(r"^(?: {4})?((?:\./lockstep|flink-conf/|flink run|mvn |\.venv/|LOCKSTEP_).*)$")

# Commands that another test runs, or that run the tests: what it is that covers them.
ELSEWHERE = {
    "./lockstep quickstart": "test_quickstart.py",
    "./lockstep test": "this very run",
    "mvn ": "this very run",
    ".venv/": "this very run",
    "flink-conf/": "test_cluster.py",
    "flink run": "test_cluster.py",
    "./lockstep run --cluster": "test_cluster.py",
    "./lockstep run --data data/train": "test_coming_from.py",
    "./lockstep run --data lists/train": "test_coming_from.py",
    "./lockstep serve": "test_serve.py",
    "./lockstep chaos": "test_chaos.py",
    "./lockstep lanes RUN_DIR --drain": "test_cluster.py",
    "./lockstep lanes RUN_DIR --move": "test_cluster.py",
    "LOCKSTEP_RUN=": "test_serve.py",
}


def commands(page: Path) -> list[str]:
    found = (COMMAND.match(line) for line in page.read_text().splitlines())
    return [re.sub(r"\s+#.*", "", match[1]) for match in found if match]


def block(page: Path, language: str, number: int = 0) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)
    return found[number]


def with_digits(text: str) -> str:
    """The same of a smaller batch, on the data of the quick start."""
    return text.replace("/data/", f"{QUICKSTART}/data/").replace("4096", "64")


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    """A folder that looks like the checkout, with the files that the README has one write."""
    for name in ("lockstep", "docs", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    readme = ROOT / "README.md"
    (tmp_path / "train.py").write_text(block(readme, "python"))
    (tmp_path / "my-run.yaml").write_text(with_digits(block(readme, "yaml")))
    return tmp_path


@pytest.fixture(scope="session")
def past_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs of the same settings, for what is said of past ones."""
    folder = tmp_path_factory.mktemp("past")
    (folder / "train.py").write_text(block(ROOT / "README.md", "python"))
    runs = [folder / "a", folder / "b"]
    for directory in runs:
        settings = ["--data", str(QUICKSTART / "data/train"), "--batch", "64"]
        trainers = ["--", "python", "train.py"]
        run(LOCKSTEP, "run", *settings, "--run", str(directory), *trainers, cwd=folder)
    return runs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_a_page_work_in_their_order(
    page: Path, reader: Path, past_runs: list[Path]
) -> None:
    for command in commands(page):
        if not command.startswith(tuple(ELSEWHERE)):
            run("bash", "-c", with_past_runs(with_relative_digits(command), past_runs), cwd=reader)


def with_relative_digits(command: str) -> str:
    return command if "examples/" in command else with_digits(command)


def with_past_runs(command: str, past_runs: list[Path]) -> str:
    """The same of runs that there are, which are shorter than those of the text."""
    first, second = map(str, past_runs)
    named = command.replace("RUN_DIR", first).replace("RUN_A", first).replace("RUN_B", second)
    return (
        named.replace("--epoch 2 --step 45", "--epoch 0 --step 4")
        .replace("--step 12345", "--step 21")
        .replace("--sample 4711", "--sample 711")
    )


def test_the_readmes_run_file_works_with_its_training_script(reader: Path) -> None:
    run(reader / "lockstep", "run", "my-run.yaml", cwd=reader)


def test_the_notebooks_lines_work(reader: Path) -> None:
    lines = block(ROOT / "docs" / "data-scientists.md", "python", 1)
    assert "lockstep.torch.open" in lines

    run(sys.executable, "-c", lines, cwd=reader, env={"LOCKSTEP_COMMAND": str(LOCKSTEP)})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text())

    assert [link for link in links if not os.path.exists(page.parent / link)] == []


def test_contributors_are_told_of_tests_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()

    for name in re.findall(r"-Dtest=(\w+)", page):
        assert list(ROOT.glob(f"*/src/test/java/**/{name}.java"))
    for path in re.findall(r"\.venv/bin/pytest (\S+)", page):
        assert (ROOT / path).exists()
