"""The examples that train on transformed rows have the losses of their twins with pandas."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.command import LOCKSTEP, ROOT, run

LOSS = re.compile(r"loss (\d\.\d{5})")


def losses(folder: Path, run_file: str) -> list[float]:
    printed = run(LOCKSTEP, "run", run_file, cwd=folder).stdout
    return [float(loss) for loss in LOSS.findall(printed)]


@pytest.mark.parametrize(("example", "count"), [("churn", 6), ("recommender", 3)])
def test_an_example_has_the_losses_of_its_twin_with_pandas(
    example: str, count: int, tmp_path: Path
) -> None:
    folder = tmp_path / example
    shutil.copytree(ROOT / "examples" / example, folder)
    run(sys.executable, "make_data.py", cwd=folder)
    run(LOCKSTEP, "plan", "run.yaml", "--stats", cwd=folder)
    prepared = losses(folder, "run.yaml")

    assert len(prepared) == count
    assert prepared[-1] < prepared[0] - 0.01
    assert losses(folder, "raw.yaml") == pytest.approx(prepared, abs=2e-4)
