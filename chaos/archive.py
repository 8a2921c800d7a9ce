"""Reads the archive of digests in a run directory, as docs/digests.md defines it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lockstep.plural import counted

from chaos.errors import DifferenceError

_MAGIC = b"LOCKDIG2"
_CONSUMED, _LOST = 1, 2
_DIGEST_BYTES = 16

Key = tuple[int, int, int]
"""(epoch, step, lane)"""


@dataclass(frozen=True)
class Entry:
    consumed: bool
    key: Key
    digest: bytes


@dataclass(frozen=True)
class Lost:
    """Whether the archive reports that some records of this step could not be written."""

    epoch: int
    step: int


def entries(folder: Path) -> Iterator[Entry | Lost]:
    """The records of one stream: the folder with its name in `digests`."""
    for file in sorted(folder.glob("[!.]*.digests")):
        yield from _entries(file.read_bytes())


def _entries(content: bytes) -> Iterator[Entry | Lost]:
    if content[: len(_MAGIC)] != _MAGIC:
        raise DifferenceError("a file of digests does not begin as it must")
    (length,) = struct.unpack_from(">I", content, len(_MAGIC))
    start = len(_MAGIC) + 4
    index = iter(content[start : start + length])
    for _ in range(_number(index)):  # the stream's name
        next(index)
    groups = []
    for _ in range(_number(index)):
        kind, _, _, lanes = (_number(index) for _ in range(4))
        groups.append((kind, [_number(index) for _ in range(lanes)]))
    at, epoch = start + length + 4, 0
    for _ in range(_number(index)):
        group, later, first, steps = (_number(index) for _ in range(4))
        epoch += later
        kind, lanes_of = groups[group]
        for step in range(first, first + steps):
            if kind == _LOST:
                yield Lost(epoch, step)
            for lane in lanes_of:
                digest = content[at : at + _DIGEST_BYTES]
                yield Entry(kind == _CONSUMED, (epoch, step, lane), digest)
                at += _DIGEST_BYTES


def _number(leb128: Iterator[int]) -> int:
    value = shift = 0
    for byte in leb128:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return value


def compare(run: Path, reference: Path, may_lose: bool = False) -> int:
    """Raises DifferenceError if the archives of two run directories record different content, or if
    a step that the reference consumed was never consumed in the other run.

    may_lose: whether records may be missing for steps that the archive reports as lost.

    Returns the number of compared records.
    """
    undisturbed = [entry for entry in entries(reference) if isinstance(entry, Entry)]
    expected = {entry.key: entry.digest for entry in undisturbed}
    consumed, lost, compared = set(), set(), 0
    for entry in entries(run):
        if isinstance(entry, Lost):
            lost.add((entry.epoch, entry.step))
            continue
        compared += 1
        if expected.get(entry.key) != entry.digest:
            epoch, step, lane = entry.key
            raise DifferenceError(
                f"the run directory has the digest {entry.digest.hex()} of lane {lane} of step "
                f"{step} of epoch {epoch}, and the undisturbed run's another"
            )
        if entry.consumed:
            consumed.add(entry.key)
    if lost and not may_lose:
        epoch, step = min(lost)
        raise DifferenceError(f"records of step {step} of epoch {epoch} were lost on a sound disk")
    missing = {entry.key for entry in undisturbed if entry.consumed} - consumed
    missing = {key for key in missing if key[:2] not in lost}
    if missing:
        epoch, step, lane = min(missing)
        raise DifferenceError(
            f"{counted(len(missing), 'lane step')} not on record as consumed, the first of them "
            f"lane {lane} of step {step} of epoch {epoch}"
        )
    return compared
