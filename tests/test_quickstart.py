from __future__ import annotations

import re
import subprocess

from tests.command import ROOT
from tests.conftest import accuracies


def test_quickstart_trains_to_a_believable_accuracy(
    quickstart: subprocess.CompletedProcess[str],
) -> None:
    last = accuracies(quickstart.stdout + quickstart.stderr)[-1]

    assert last.startswith("epoch 15")
    assert 94 <= float(last.split()[-1].rstrip("%")) < 100


def test_quickstart_shows_progress_and_says_what_to_try_next(
    quickstart: subprocess.CompletedProcess[str],
) -> None:
    assert re.search(r"epoch 15/15 +step 22/22 .* samples/s .* waited", quickstart.stderr)
    assert "What to try next" in quickstart.stderr
    assert re.search(r"came to 'epoch 15: held-out accuracy 9\d\.\d%'\.", quickstart.stderr)


def test_quickstart_survives_the_death_of_its_trainers(
    quickstart: subprocess.CompletedProcess[str],
) -> None:
    assert "All 2 ranks are dead" in quickstart.stderr
    assert re.search(r"goes on at epoch \d+, step 0", quickstart.stderr)
    assert "The digests of all 330 steps agree" in quickstart.stderr


def test_the_build_left_class_archives_and_no_crash_report(
    quickstart: subprocess.CompletedProcess[str],
) -> None:
    target = ROOT / "cli" / "target"
    assert {archive.name for archive in target.glob("*.jsa")} == {
        "lockstep.jsa",
        "lockstep-job.jsa",
    }
    assert not list(ROOT.glob("hs_err*"))
