"""The paths that the parts need, and how missing files are built."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from harness.commands import PartFailedError
from harness.paths import HERE, ROOT, TARGET

_JVM_OPTIONS = ROOT / "build-tools" / "jvm.options"
_CLASS_PATH = TARGET / "class-path.txt"

# The number of files, and the rows of each.
_BRIEF_TABLE = (2, 20_000)


@dataclass(frozen=True)
class Setup:
    """The settings of the parts.

    work: a directory for the data that they create.
    table: a directory with the table of the part tabular; None to create one.
    python: an interpreter with lockstep and torch.
    peers: a folder with the peers' own benchmark, used instead of the loaders here; or None.
    repeats: how often each figure is measured.
    row_groups: the number of row groups of the dataset in which the part seek locates steps.
    brief: whether only to check that everything works: little data and time, and no figures.
    """

    work: Path
    table: Path | None
    python: Path
    peers: Path | None
    repeats: int
    row_groups: int
    brief: bool = False

    def module(self, name: str, *arguments: object, python: Path | None = None) -> list[str]:
        """The command that runs a module of this directory."""
        return [str(python or self.python), "-m", name, *map(str, arguments)]

    def java(self, main: str, *arguments: object) -> list[str]:
        """The command that runs a main class of the benchmarks' jar; builds the jar first."""
        java = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
        options = [f"@{_JVM_OPTIONS}", "-cp", _class_path()]
        return [str(java), *options, main, *map(str, arguments)]

    def tabular_data(self) -> Path:
        if self.table:
            return self.table
        size = _BRIEF_TABLE if self.brief else ()
        directory = self.work / ("tabular-brief" if self.brief else "tabular")
        _call(self.module("tabular.make_data", directory, *size))
        return directory

    def petastorm(self) -> Path:
        """An interpreter with Petastorm, which needs old versions of its dependencies."""
        given = os.environ.get("PETASTORM_PYTHON")
        if given:
            return Path(given)
        python = TARGET / "petastorm" / "bin" / "python"
        done = TARGET / "petastorm" / "complete"
        if not done.exists():
            # The last Python version with binary packages is 3.11.
            base = which("python3.11") or str(self.python)
            pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            requirements = HERE / "tabular" / "requirements-petastorm.txt"
            _call([base, "-m", "venv", python.parent.parent])
            _call([*pip, "-r", requirements])
            # PyTorch requires newer setuptools than Petastorm can use, but works without them.
            _call([*pip, "-r", ROOT / "build-tools" / "requirements-torch.txt"])
            _call([*pip, "--no-deps", "setuptools<70"])
            done.touch()
        return python


def lockstep_command() -> str:
    """The command that starts jobs."""
    return os.environ.get("LOCKSTEP_COMMAND", str(ROOT / "lockstep"))


def _class_path() -> str:
    maven = ["mvn", "-B", "-q", "-f", ROOT / "pom.xml", "-pl", "benchmarks", "-am", "-DskipTests"]
    _call([*maven, "-Dspotless.check.skip", "package"])
    return f"{TARGET / 'classes'}:{_CLASS_PATH.read_text().strip()}"


def _call(command: Sequence[object]) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    if done.returncode:
        words = (done.stdout + done.stderr)[-2000:]
        raise PartFailedError(f"{' '.join(map(str, command))} failed: {words}")
