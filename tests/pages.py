"""The Markdown pages of the repository, and the commands in them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.command import ROOT

SHELL = {"bash", "sh", "shell"}
"""The languages of blocks in which every line is a command."""

ANY = {"", "console"}
"""Those of blocks that may have commands among other lines."""

PROGRAMS = {
    *("apt-get", "bash", "cd", "curl", "docker", "export", "flink", "git", "java", "kubectl"),
    *("mvn", "pip", "pytest", "python", "python3", "sbatch", "sh", "srun", "sudo", "torchrun"),
}
"""What commands there begin with, beside files of the checkout and variables."""


def _files(pattern: str) -> list[Path]:
    """Tracked files and files that git would add: a page counts before it is committed."""
    listing = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", pattern)
    found = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted({ROOT / name for name in found.stdout.splitlines() if (ROOT / name).exists()})


PAGES = _files("*.md")
_FOLDERS = {".venv", *(file.relative_to(ROOT).parts[0] for file in _files("*/*"))}


def label(page: Path) -> str:
    return str(page.relative_to(ROOT))


def block(page: Path, language: str, number: int = 0) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)
    return found[number]


def commands(text: str) -> list[str]:
    """The commands in a page's code blocks, in order, without comments."""
    found = []
    language: str | None = None
    for line in re.sub(r"\s*\\\n\s*", " ", text).splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            language = fence[1] if language is None else None
            continue
        mixed = line.startswith("    ") if language is None else language in ANY
        command = re.sub(r"(^|\s+)#.*", "", line.strip().removeprefix("$ "))
        if command and (language in SHELL or (mixed and _is_command(command))):
            found.append(command)
    return found


def mentioned(text: str) -> list[str]:
    """The checkout's commands that appear in a page's text."""
    return re.findall(r"(?<!`)`((?:\./lockstep|benchmarks/run)(?: [^`…]+)?)`", text)


def _is_command(line: str) -> bool:
    word = line.partition(" ")[0]
    folder, _, rest = word.partition("/")
    return (
        word in PROGRAMS
        or word.startswith("./")
        or re.match(r"[A-Z][A-Z_]*=", word) is not None
        or (folder in _FOLDERS and rest != "")
    )
