"""Starts the project's scripts as a user would."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKSTEP = ROOT / "lockstep"
QUICKSTART = ROOT / "examples" / "quickstart"

LIMIT_S = 300


def run(
    *command: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    check: bool = True,
    limit_s: float = LIMIT_S,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to completion; fails with its output if the exit code is not 0."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit_s,
    )
    if check and done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done
