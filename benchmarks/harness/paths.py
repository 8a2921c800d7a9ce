"""Where the scripts are, and what they leave behind."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent

# Maven's; git ignores it.
TARGET = HERE / "target"
