"""Processor time and memory of processes, from /proc."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Adopts the orphans among this process's descendants, so that they are counted."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name; None if the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def tree(root: int) -> list[int]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (stat := _stat(int(name))):
            children.setdefault(int(stat[1]), []).append(int(name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def tree_cpu_s(root: int | None = None) -> float:
    """Processor seconds of a tree so far, including ended children; this process's by default."""
    ticks = 0
    for pid in tree(root or os.getpid()):
        if stat := _stat(pid):
            ticks += sum(map(int, stat[11:15]))
    return ticks / _TICKS


def is_java(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() == "java"
    except OSError:
        return False


def memory_bytes(pid: int) -> dict[str, int]:
    """RssAnon, RssFile and RssShmem of a process; empty if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return {}
    fields = dict(line.split(":", 1) for line in lines)
    return {
        name: int(fields[name].split()[0]) * 1024
        for name in ("RssAnon", "RssFile", "RssShmem")
        if name in fields
    }
