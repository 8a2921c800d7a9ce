"""Runs the commands of the documentation on the data of the quick start."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.command import LOCKSTEP, QUICKSTART, ROOT, run
from tests.pages import PAGES, block, commands, label, mentioned

# Commands that are too long or too heavy for this test: the test that runs them, or what covers
# them.
ELSEWHERE = {
    "./lockstep quickstart": "test_quickstart.py",
    "./lockstep test": "this very run",
    "mvn -pl connector -am test -Dtest=": "this very run",
    ".venv/bin/python -m pytest": "this very run",
    ".venv/bin/python examples/": "test_prepared_rows.py",
    "./lockstep plan examples/churn": "test_prepared_rows.py",
    "./lockstep run examples/churn": "test_prepared_rows.py",
    "./lockstep run examples/recommender": "test_prepared_rows.py",
    "flink-conf/standalone.sh start 2": "test_cluster.py",
    "flink-conf/standalone.sh clean": "test_cluster.py",
    "flink run -p READERS cli/target/lockstep.jar my-run.yaml": "test_cluster.py",
    "./lockstep run --cluster": "test_cluster.py",
    "./lockstep run --data data/train": "test_coming_from.py",
    "./lockstep run --data lists/train": "test_coming_from.py",
    "./lockstep serve": "test_serve.py",
    "./lockstep chaos": "test_chaos.py",
    "./lockstep lanes RUN_DIR --drain": "test_cluster.py",
    "./lockstep lanes RUN_DIR --move": "test_cluster.py",
    "LOCKSTEP_RUN=<the run directory it printed> torchrun": "test_serve.py",
    "benchmarks/run": "test_benchmarks.py",
    "kubectl create secret": "needs a Kubernetes cluster",
}

# Commands that always print help if asked for it, however many arguments they get.
ASKED = re.compile(r"\./lockstep (?!test)|benchmarks/run")


def with_digits(text: str) -> str:
    """A run file with a smaller batch, on the data of the quick start."""
    return text.replace("/data/", f"{QUICKSTART}/data/").replace("4096", "64")


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    """A folder that looks like the checkout, with the files that the README creates."""
    for name in ("lockstep", "benchmarks", "cli", "docs", "examples", "flink-conf"):
        (tmp_path / name).symlink_to(ROOT / name)
    readme = ROOT / "README.md"
    (tmp_path / "train.py").write_text(block(readme, "python"))
    (tmp_path / "my-run.yaml").write_text(with_digits(block(readme, "yaml")))
    return tmp_path


@pytest.fixture(scope="session")
def past_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs with the same settings, for commands on past runs."""
    folder = tmp_path_factory.mktemp("past")
    (folder / "train.py").write_text(block(ROOT / "README.md", "python"))
    runs = [folder / "a", folder / "b"]
    for directory in runs:
        settings = ["--data", str(QUICKSTART / "data/train"), "--batch", "64"]
        trainers = ["--", "python", "train.py"]
        run(LOCKSTEP, "run", *settings, "--run", str(directory), *trainers, cwd=folder)
    return runs


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_commands_of_a_page_work_in_their_order(
    page: Path, reader: Path, past_runs: list[Path]
) -> None:
    for command in commands(page.read_text()):
        if not command.startswith(tuple(ELSEWHERE)):
            run("bash", "-c", with_past_runs(with_relative_digits(command), past_runs), cwd=reader)
        elif ASKED.match(command):
            check_words(command, reader)


def test_commands_in_sentences_are_those_that_there_are(reader: Path) -> None:
    for command in sorted({command for page in PAGES for command in mentioned(page.read_text())}):
        if ASKED.match(command):
            check_words(command, reader)


def test_every_page_is_looked_at() -> None:
    assert {"README.md", "benchmarks/README.md", "chaos/README.md"} <= set(map(label, PAGES))


def test_commands_are_found_in_every_kind_of_block() -> None:
    page = """
    ./lockstep plan data --batch 4   # a comment

    manifests/        no command, nor is what follows
    {"protocol": 1}

```sh
# a comment
anything at all
```

```
$ pip install \\
    something
what it prints
```

```python
torchrun = "no command"
```

    benchmarks/none
    TORCH=1 torchrun train.py
"""

    assert commands(page) == [
        "./lockstep plan data --batch 4",
        "anything at all",
        "pip install something",
        "benchmarks/none",
        "TORCH=1 torchrun train.py",
    ]


def test_each_exception_is_of_a_command_that_there_is() -> None:
    told = [command for page in PAGES for command in commands(page.read_text())]

    for start, covered in ELSEWHERE.items():
        assert [command for command in told if command.startswith(start)], start
        assert not covered.endswith(".py") or Path(__file__).with_name(covered).exists()


def check_words(command: str, folder: Path) -> None:
    """Runs the command with --help instead, which must accept its options and their values."""
    words, dashes, trainers = command.partition(" -- ")
    told = run("bash", "-c", f"{words} --help{dashes}{trainers}", cwd=folder).stdout
    for option in re.findall(r" (--[\w-]+)", words):
        assert re.search(rf"{option}\b", told), (command, option)


def with_relative_digits(command: str) -> str:
    return command if "examples/" in command else with_digits(command)


def with_past_runs(command: str, past_runs: list[Path]) -> str:
    """Maps the command to existing runs, which are shorter than those of the text."""
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
    lines = block(ROOT / "docs" / "data-scientists.md", "python", 3)
    assert "lockstep.torch.open" in lines

    run(sys.executable, "-c", lines, cwd=reader, env={"LOCKSTEP_COMMAND": str(LOCKSTEP)})


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text())

    assert [link for link in links if not os.path.exists(page.parent / link)] == []


def test_contributors_are_told_of_tests_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()

    for name in re.findall(r"-Dtest=(\w+)", page):
        assert list(ROOT.glob(f"*/src/test/java/**/{name}.java"))
    for path in re.findall(r"\.venv/bin/python -m pytest (\S+)", page):
        assert (ROOT / path).exists()
