"""Runs the same peers with their own benchmark: a folder with run.py and loaders.py."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.commands import PartFailedError

VARIANTS = {"petastorm": "petastorm-batched-process2", "pyarrow": "pyarrow-numpy-2t"}

# Their name for the directory with this table.
_DATA = "t-snappy"


def run(
    folder: Path, python: Path, name: str, data: Path, petastorm: Path, limit_s: float
) -> dict[str, Any]:
    """A record in the format of tabular.loop; the first epoch includes opening the loader."""
    with TemporaryDirectory() as directory:
        out = Path(directory, "results.json")
        Path(directory, _DATA).symlink_to(data)
        command = [
            *(str(python), str(folder / "run.py")),
            *("--data", directory, "--out", str(out)),
            *("--repeats", "1", "--limit-s", str(limit_s), VARIANTS[name]),
        ]
        env = {**os.environ, "PEERS_PY_PETASTORM": str(petastorm)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        records = json.loads(out.read_text()) if out.exists() else []
    if not records or "error" in records[0]:
        raise PartFailedError(f"{name} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return {"open_s": 0.0, "epochs": [_epoch(records[0], number) for number in (1, 2)]}


def _epoch(record: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        "seconds": record[f"epoch{number}_s"],
        "first_batch_s": record[f"first_batch{number}_s"],
        "cpu_s": record[f"cpu{number}_s"],
        "rows": record[f"rows{number}"],
        "every_row_once": record[f"exact{number}"],
    }
