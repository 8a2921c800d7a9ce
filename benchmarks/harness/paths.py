"""The paths of the scripts and of their output."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent

# Maven's; git ignores it.
TARGET = HERE / "target"
