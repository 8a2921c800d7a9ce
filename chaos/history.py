"""What the trainers consumed, compared with an undisturbed run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chaos.errors import DifferenceError

Position = tuple[int, int]
Digests = dict[int, str]


@dataclass
class Record:
    """The record of one rank of one launch, in order of time."""

    launch: int
    rank: int
    world: int = 0
    start: Position | None = None
    commits: set[Position] = field(default_factory=set)
    steps: list[tuple[Position, Digests]] = field(default_factory=list)
    finished: bool = False


@dataclass(frozen=True)
class Counts:
    steps: int
    """Of the committed history."""
    lane_steps: int
    """All that was compared, also what a later launch consumed again."""
    repeated: int
    """Of these, what an earlier launch had consumed before."""


def read(folder: Path) -> list[Record]:
    """All records, by launch and rank."""
    return [_read(file) for file in sorted(folder.glob("*.jsonl"))]


def _read(file: Path) -> Record:
    launch, rank = file.stem.split("-")
    record = Record(int(launch), int(rank))
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        if "resumed" in entry:
            record.start = _position(entry["resumed"])
            record.world = entry["world"]
        elif "committed" in entry:
            record.commits.add(_position(entry["committed"]))
        elif "at" in entry:
            digests = {int(lane): digest for lane, digest in entry["lanes"].items()}
            record.steps.append((_position(entry["at"]), digests))
        else:
            record.finished = True
    return record


def _position(words: list[int]) -> Position:
    return words[0], words[1]


class Reference:
    """The digests of an undisturbed run, by lane and step."""

    def __init__(self, records: list[Record]) -> None:
        self._digests: dict[Position, Digests] = {}
        for record in records:
            for at, digests in record.steps:
                self._digests.setdefault(at, {}).update(digests)
        self.steps = 1 + max((step for _, step in self._digests), default=-1)
        self.end = (1 + max((epoch for epoch, _ in self._digests), default=-1), 0)

    def after(self, at: Position) -> Position:
        epoch, step = at
        return (epoch, step + 1) if step + 1 < self.steps else (epoch + 1, 0)

    def between(self, start: Position, end: Position) -> Iterator[Position]:
        while start < end:
            yield start
            start = self.after(start)

    def digests(self, at: Position) -> Digests:
        return self._digests.get(at, {})


def compare(records: list[Record], reference: Reference) -> Counts:
    """Raises DifferenceError at the first lost, duplicated or different step."""
    seen: set[tuple[Position, int]] = set()
    counted = repeated = 0
    for record in records:
        _check_succession(record, reference)
        for at, digests in record.steps:
            _check_content(record, at, digests, reference)
            counted += len(digests)
            repeated += sum((at, lane) in seen for lane in digests)
        seen.update((at, lane) for at, digests in record.steps for lane in digests)
    return Counts(_check_commits(records, reference), counted, repeated)


def _check_succession(record: Record, reference: Reference) -> None:
    expected = record.start
    for at, _ in record.steps:
        if at != expected:
            raise DifferenceError(
                f"{_who(record)} got {_step(at)} where {_step(expected)} was next"
            )
        expected = reference.after(at)
    if record.finished and expected != reference.end:
        raise DifferenceError(f"{_who(record)} ended before {_step(expected)}")


def _check_content(record: Record, at: Position, digests: Digests, reference: Reference) -> None:
    expected = reference.digests(at)
    for lane, digest in digests.items():
        if expected.get(lane) != digest:
            raise DifferenceError(
                f"{_who(record)}: lane {lane} of {_step(at)} has the digest {digest}, and "
                f"{expected.get(lane)} in the undisturbed run"
            )


def _check_commits(records: list[Record], reference: Reference) -> int:
    """The effective history: each launch up to the step where the next one took over."""
    launches: dict[int, list[Record]] = {}
    for record in records:
        if record.start is not None:
            launches.setdefault(record.launch, []).append(record)
    starts = [(number, _start_of(ranks)) for number, ranks in sorted(launches.items())]
    position: Position = (0, 0)
    steps = 0
    for i, (number, start) in enumerate(starts):
        end = starts[i + 1][1] if i + 1 < len(starts) else reference.end
        if start != position:
            raise DifferenceError(
                f"launch {number} began at {_step(start)}, and what was committed ends before "
                f"{_step(position)}"
            )
        consumed: dict[Position, set[int]] = {}
        for record in launches[number]:
            for at, digests in record.steps:
                consumed.setdefault(at, set()).update(digests)
        for at in reference.between(start, end):
            missing = reference.digests(at).keys() - consumed.get(at, set())
            if missing:
                raise DifferenceError(
                    f"lane {min(missing)} of {_step(at)} is lost: launch {number} never consumed "
                    "it, and what follows does not begin there"
                )
            steps += 1
        committed = _committed(launches[number])
        if committed is not None and end <= committed:
            raise DifferenceError(
                f"launch {number} had committed {_step(committed)}, and its successor began at "
                f"{_step(end)}"
            )
        position = max(start, end)
    if position != reference.end:
        raise DifferenceError(f"the training ended before {_step(position)}")
    return steps


def _committed(ranks: list[Record]) -> Position | None:
    """The last step that all ranks of a launch had committed."""
    if len(ranks) < ranks[0].world:
        return None
    return max(set.intersection(*(record.commits for record in ranks)), default=None)


def _start_of(ranks: list[Record]) -> Position:
    starts = {record.start for record in ranks if record.start is not None}
    if len(starts) != 1:
        raise DifferenceError(
            f"the ranks of launch {ranks[0].launch} began apart: {sorted(starts)}"
        )
    return starts.pop()


def _who(record: Record) -> str:
    return f"rank {record.rank} of launch {record.launch}"


def _step(at: Position | None) -> str:
    return "nothing" if at is None else f"step {at[1]} of epoch {at[0]}"
