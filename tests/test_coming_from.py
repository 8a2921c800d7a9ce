"""The scripts of docs/coming-from: the old one with its library, the new one with Lockstep."""

from __future__ import annotations

import difflib
import os
import re
import sys
from pathlib import Path

import pytest

from tests.command import LOCKSTEP, QUICKSTART, ROOT, run

SCRIPTS = ROOT / "examples" / "coming-from"
PAGES = {"dataloader": "torch", "petastorm": "petastorm", "mosaic-streaming": "streaming"}
"""The pages, and what the former script imports."""

EPOCH = re.compile(r"epoch (\d): 44 steps, loss (\d\.\d+)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").symlink_to(QUICKSTART / "data")
    run(sys.executable, SCRIPTS / "make_lists.py", "data/train", "lists/train", cwd=tmp_path)
    return tmp_path


def script(page: str, which: str) -> Path:
    return SCRIPTS / f"{page.replace('-', '_')}_{which}.py"


def losses(printed: str) -> list[float]:
    found = EPOCH.findall(printed)
    assert [epoch for epoch, _ in found] == ["0", "1", "2"], printed
    return [float(loss) for _, loss in found]


def interpreter(page: str) -> str:
    """A Python with the page's library; skips the test if there is none."""
    python = sys.executable
    if page == "petastorm":
        python = os.environ.get("PETASTORM_PYTHON", "")
        if not python:
            pytest.skip(
                "Petastorm 0.13.1 needs pyarrow 14 and numpy 1, which the other tests do not run "
                "with: set PETASTORM_PYTHON to a Python that has them and PyTorch"
            )
    tried = run(python, "-c", f"import {PAGES[page]}", cwd=SCRIPTS, check=False)
    if tried.returncode != 0:
        reason = tried.stderr.strip().splitlines()[-1]
        pytest.skip(f"{PAGES[page]} cannot be imported by {python}: {reason}")
    return python


@pytest.mark.parametrize("page", PAGES)
def test_the_former_script_trains(page: str, folder: Path) -> None:
    python = interpreter(page)
    if page == "mosaic-streaming":
        run(python, SCRIPTS / "make_mds.py", "data/train", "mds/train", cwd=folder)

    done = run(python, script(page, "before"), cwd=folder)

    if page == "petastorm":  # its queue drops no remainder, and its steps vary
        assert done.stdout.count("epoch ") == 3
    else:
        assert losses(done.stdout)[-1] < 1


@pytest.mark.parametrize("page", PAGES)
def test_the_later_script_trains(page: str, folder: Path) -> None:
    text = (ROOT / "docs" / "coming-from" / f"{page}.md").read_text()
    (words,) = re.findall(r"\./lockstep (run .*) -- python after\.py", text)

    done = run(LOCKSTEP, *words.split(), "--", sys.executable, script(page, "after"), cwd=folder)

    assert losses(done.stdout)[-1] < 1


@pytest.mark.parametrize("page", PAGES)
def test_the_page_shows_their_difference(page: str) -> None:
    before, after = (script(page, which).read_text() for which in ("before", "after"))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", n=2)
    text = (ROOT / "docs" / "coming-from" / f"{page}.md").read_text()

    assert "```diff\n" + "\n".join(line.rstrip("\n") for line in lines) + "\n```" in text
