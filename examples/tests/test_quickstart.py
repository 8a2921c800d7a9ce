from __future__ import annotations

import re
from pathlib import Path

from tests.command import LOCKSTEP, run


def test_quickstart_trains_to_a_believable_accuracy_and_says_what_to_try_next(
    tmp_path: Path,
) -> None:
    done = run(LOCKSTEP, "quickstart", cwd=tmp_path)

    found = re.findall(r"held-out accuracy ([\d.]+) ?%", done.stdout + done.stderr)
    assert 94 <= float(found[-1]) < 100
    assert re.search(r"step 22/22 .* samples/s .* waited", done.stderr)
    assert "What to try next" in done.stderr
