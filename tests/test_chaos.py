"""The fault runner: the differences that it detects, and a few schedules without any."""

from __future__ import annotations

import json
import os
import re
import struct
import time
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import chaos.__main__
from chaos import archive, editions, history, job, processes, report, schedule
from chaos.barrier import Barrier
from chaos.errors import DifferenceError
from chaos.history import Counts, Digests, Position, Record, Reference
from chaos.job import Job
from chaos.kinds import Kind
from chaos.plants import VARIABLE, Plant
from tests.command import LOCKSTEP, run

STEPS, EPOCHS, LANES = 5, 2, 4
ALL = [(epoch, step) for epoch in range(EPOCHS) for step in range(STEPS)]

# Schedules that together contain each kind of fault; the first restarts trainers at once.
FIXED = range(200, 205)
QUICK = FIXED[:2]
SEED = 111226
COMMAND = ("chaos", "--seed", str(SEED))

# Schedules, and seeds with which they have several storage faults.
STORAGE = {
    Kind.CACHE_FLIPPED: (300, 29037),
    Kind.CACHE_TRUNCATED: (300, 5615),
    Kind.CACHE_FULL: (300, 12779),
    Kind.RUN_FULL: (300, 21624),
    Kind.REPLACED: (300, 6176),
    Kind.CACHE_CUT: (500, 1480),
}

# Several times their duration on two idle cores.
LIMIT_S = 15 * 60

REPORT = Path(report.__file__).with_name("report.jsonl")


def digests(at: Position, lanes: range) -> Digests:
    return {lane: f"{at}/{lane}" for lane in lanes}


def record(launch: int, rank: int, world: int, start: Position, end: Position) -> Record:
    """The records of a rank that resumes at one step and is killed before another."""
    lanes = range(rank * LANES // world, (rank + 1) * LANES // world)
    steps = [(at, digests(at, lanes)) for at in ALL if start <= at < end]
    return Record(launch, rank, world, start, set(), steps, end == (EPOCHS, 0))


REFERENCE = Reference([record(0, 0, 1, (0, 0), (EPOCHS, 0))])


def history_of_two_launches() -> list[Record]:
    """The second launch, with fewer ranks, resumes before the first one's last step."""
    first = [record(0, rank, 2, (0, 0), (0, 4)) for rank in range(2)]
    for each in first:
        each.commits.add((0, 1))
    return [*first, record(1, 0, 1, (0, 2), (EPOCHS, 0))]


def test_a_launch_that_goes_on_where_another_had_committed_is_no_difference() -> None:
    counts = history.compare(history_of_two_launches(), REFERENCE)

    assert counts == Counts(steps=10, lane_steps=4 * LANES + 8 * LANES, repeated=2 * LANES)


def test_a_skipped_step_is_found() -> None:
    records = history_of_two_launches()
    del records[2].steps[0]

    with pytest.raises(DifferenceError, match=r"got step 3 of epoch 0 where step 2 of epoch 0"):
        history.compare(records, REFERENCE)


def test_a_doubled_step_is_found() -> None:
    records = history_of_two_launches()
    records[2].steps.insert(0, records[2].steps[0])

    with pytest.raises(DifferenceError, match=r"got step 2 of epoch 0 where step 3 of epoch 0"):
        history.compare(records, REFERENCE)


def test_another_content_is_found() -> None:
    records = history_of_two_launches()
    records[1].steps[3][1][2] = "another"

    with pytest.raises(DifferenceError, match=r"rank 1 of launch 0: lane 2 of step 3 of epoch 0"):
        history.compare(records, REFERENCE)


def test_a_step_that_no_launch_kept_is_found() -> None:
    records = history_of_two_launches()
    del records[0].steps[1:]

    with pytest.raises(DifferenceError, match=r"lane 0 of step 1 of epoch 0 is lost"):
        history.compare(records, REFERENCE)


def test_a_commit_that_the_next_launch_does_not_know_is_found() -> None:
    records = history_of_two_launches()
    for each in records[:2]:
        each.commits.add((0, 2))

    with pytest.raises(DifferenceError, match="had committed step 2 of epoch 0"):
        history.compare(records, REFERENCE)


def test_an_epoch_that_ends_early_is_found() -> None:
    records = history_of_two_launches()
    del records[2].steps[-1]

    with pytest.raises(DifferenceError, match="ended before step 4 of epoch 1"):
        history.compare(records, REFERENCE)


def test_a_rank_that_begins_apart_is_found() -> None:
    records = history_of_two_launches()
    records[1] = record(0, 1, 2, (0, 1), (0, 4))

    with pytest.raises(DifferenceError, match="began apart"):
        history.compare(records, REFERENCE)


LOST = 2


def archive_of(folder: Path, *blocks: tuple[int, int, str]) -> Path:
    """Records of lane 0 of epoch 0: whether consumed (2: lost), step, a letter for the digest."""
    groups = b"".join(
        bytes([kind, 0, 0, 0] if kind == LOST else [kind, 1, 0, 1, 0]) for kind, _, _ in blocks
    )
    runs = b"".join(bytes([group, 0, step, 1]) for group, (_, step, _) in enumerate(blocks))
    count = bytes([len(blocks)])
    index = b"\x05train" + count + groups + count + runs
    content = b"LOCKDIG2" + struct.pack(">I", len(index)) + index + bytes(4)
    content += b"".join(letter.encode() * 16 for kind, _, letter in blocks if kind != LOST)
    folder.mkdir(parents=True)
    (folder / "0.0-0.9_a.digests").write_bytes(content + bytes(4))
    return folder


def test_a_record_of_another_content_is_found(tmp_path: Path) -> None:
    expected = archive_of(tmp_path / "a", (0, 7, "x"), (1, 7, "x"))

    assert archive.compare(archive_of(tmp_path / "b", (0, 7, "x"), (1, 7, "x")), expected) == 2
    with pytest.raises(DifferenceError, match="lane 0 of step 7 of epoch 0"):
        archive.compare(archive_of(tmp_path / "c", (0, 7, "y")), expected)


def test_a_step_without_a_record_is_found(tmp_path: Path) -> None:
    expected = archive_of(tmp_path / "a", (1, 7, "x"), (1, 8, "x"))

    with pytest.raises(DifferenceError, match=r"1 lane step not .* lane 0 of step 8"):
        archive.compare(archive_of(tmp_path / "b", (1, 7, "x"), (0, 8, "x")), expected)


def test_a_step_whose_record_was_lost_is_found_unless_a_disk_was_full(tmp_path: Path) -> None:
    expected = archive_of(tmp_path / "a", (1, 7, "x"), (1, 8, "x"))
    run = archive_of(tmp_path / "b", (LOST, 7, ""), (1, 8, "x"))

    assert archive.compare(run, expected, may_lose=True) == 1
    with pytest.raises(DifferenceError, match="records of step 7 of epoch 0 were lost"):
        archive.compare(run, expected)


def test_schedules_depend_on_seed_and_number_alone() -> None:
    schedules = [schedule.make(SEED, number) for number in range(800)]

    assert schedules[7] == schedule.make(SEED, 7)
    assert schedules[7] != replace(schedule.make(SEED + 1, 7), seed=SEED)
    assert all(3 <= len(each.faults) <= 8 for each in schedules)
    assert {fault.kind for each in schedules for fault in each.faults} == set(Kind)
    assert all(
        each.adaptive
        for each in schedules
        if any(fault.kind is Kind.RESCALE for fault in each.faults)
    )


def test_a_rank_that_starts_when_its_launch_is_given_up_waits_for_nobody(tmp_path: Path) -> None:
    Barrier(tmp_path / "removed", 0, 2).pass_by()


def test_a_number_of_schedules_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["chaos", "--schedules", "0"])

    with pytest.raises(SystemExit) as ended:
        chaos.__main__.main()

    assert ended.value.code == 2
    assert "--schedules: 0 is less than 1" in capsys.readouterr().err


def test_a_report_of_one_schedule_counts_in_the_singular(tmp_path: Path) -> None:
    (entry, *_) = (json.loads(line) for line in REPORT.read_text().splitlines())
    (hit, *_) = (fault for fault in entry["faults"] if fault["hit"])
    ones = {**entry, "faults": [hit], "steps": 1, "lane_steps": 1, "repeated": 1, "records": 1}
    file = tmp_path / "report.jsonl"
    file.write_text(json.dumps(ones))

    assert report.summary(file).splitlines()[-1] == (
        "1 schedule, 1 fault that hit; 1 step and 1 step of lanes compared, 1 of them made again "
        "for a later launch, and 1 record of the run directories; 0 differences"
    )


def test_the_report_s_sums_are_those_of_the_page(tmp_path: Path) -> None:
    page = REPORT.with_name("README.md").read_text()
    lines = REPORT.read_text().splitlines()
    parts = re.findall(r"^\*\*Schedules (\d+) to (\d+)\*\*(.*?)(?=^\*\*|\Z)", page, re.M | re.S)
    ranges = [range(int(first), int(last) + 1) for first, last, _ in parts]

    assert [json.loads(line)["schedule"] for line in lines] == list(chain(*ranges))
    for schedules, (_, _, text) in zip(ranges, parts, strict=True):
        file = tmp_path / "part.jsonl"
        file.write_text(
            "\n".join(line for line in lines if json.loads(line)["schedule"] in schedules)
        )
        assert report.summary(file).splitlines()[-1] in text


def test_a_schedule_that_has_been_reported_stays_what_it_was() -> None:
    for line in REPORT.read_text().splitlines():
        entry = json.loads(line)
        now = schedule.make(entry["seed"], entry["schedule"])

        done = [(fault["kind"], fault["step"]) for fault in entry["faults"]]
        assert done == [(fault.kind.value, fault.at) for fault in now.faults][: len(done)]
        assert (entry["ranks"], entry["parallelism"]) == (now.ranks, now.parallelism)
        assert (entry["scheduler"] == "adaptive", entry["transport"]) == (
            now.adaptive,
            now.transport,
        )


def test_a_limit_counts_for_less_where_others_want_the_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "crowd", lambda: 5.0)
    started = time.monotonic()

    assert processes.patiently(lambda: None, 0.1) is None
    assert time.monotonic() - started >= 0.5


@pytest.mark.parametrize(
    ("state", "running", "hit"), [("FINISHED", 0, False), ("RUNNING", 4, True)]
)
def test_a_job_that_ends_before_it_is_rescaled_is_not_hit(
    state: str, running: int, hit: bool
) -> None:
    vertex = {"parallelism": 4, "tasks": {"RUNNING": running}}
    answer = {"state": state, "vertices": [vertex]}
    cluster: Any = SimpleNamespace(rest=SimpleNamespace(get=lambda path: answer))

    assert Job(cluster, Path("run.yaml")).await_parallelism(4) == hit


def test_a_job_that_ignores_a_rescaling_and_then_ends_is_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def answer(path: str) -> dict[str, Any]:
        nonlocal asked
        asked += 1
        state = "RUNNING" if asked <= 2 else "FINISHED"
        return {"state": state, "vertices": [{"parallelism": 2, "tasks": {"RUNNING": 2}}]}

    monkeypatch.setattr(job, "_SOON_S", 0.0)
    monkeypatch.setattr(job, "_RESCALED_S", 0.5)
    cluster: Any = SimpleNamespace(rest=SimpleNamespace(get=answer))

    with pytest.raises(DifferenceError, match=r"parallelism 4.*runs with 2: it is FINISHED"):
        Job(cluster, Path("run.yaml")).await_parallelism(4)


def test_faults_of_the_fixed_schedules_are_of_every_kind() -> None:
    faults = [fault for number in FIXED for fault in schedule.make(SEED, number).faults]

    assert {fault.kind for fault in faults} == set(editions.of(FIXED.start).kinds)


@pytest.mark.cluster
@pytest.mark.parametrize(
    "numbers", [QUICK, pytest.param(FIXED[len(QUICK) :], marks=pytest.mark.full)]
)
def test_fixed_schedules_give_the_steps_of_an_undisturbed_run(
    numbers: range, tmp_path: Path
) -> None:
    file = tmp_path / "report.jsonl"

    done = run(
        LOCKSTEP,
        *COMMAND,
        "--first",
        str(numbers.start),
        "--schedules",
        str(len(numbers)),
        "--parallel",
        "2",
        "--report",
        file,
        cwd=tmp_path,
        limit_s=LIMIT_S,
    )

    entries = [json.loads(line) for line in file.read_text().splitlines()]
    assert [entry["schedule"] for entry in entries] == list(numbers)
    assert [entry["difference"] for entry in entries] == [None] * len(numbers)
    assert f"{len(numbers)} schedules" in done.stdout
    assert report.summary(file).splitlines()[0] in done.stdout
    faults = [fault for entry in entries for fault in entry["faults"]]
    hits = [fault for fault in faults if fault["hit"]]
    assert len(hits) > len(faults) / 2
    assert all(fault["pids"] and fault["owed"] for fault in hits)


@pytest.mark.cluster
@pytest.mark.full
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk that is full")
@pytest.mark.parametrize("kind", STORAGE)
def test_faults_of_storage_give_the_steps_of_an_undisturbed_run(kind: Kind, tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    first, seed = map(str, STORAGE[kind])
    words = ("--seed", seed, "--first", first, "--schedules", "1", "--report", file)

    run(LOCKSTEP, "chaos", *words, cwd=tmp_path, limit_s=LIMIT_S)

    (entry,) = (json.loads(line) for line in file.read_text().splitlines())
    assert entry["difference"] is None
    assert any(fault["hit"] and fault["kind"] == kind.value for fault in entry["faults"])


@pytest.mark.cluster
@pytest.mark.parametrize(
    "plant",
    [
        Plant.WRONG_ROW,
        pytest.param(Plant.SKIPPED, marks=pytest.mark.full),
        pytest.param(Plant.DOUBLED, marks=pytest.mark.full),
    ],
)
def test_a_planted_bug_is_caught_with_the_command_that_repeats_it(
    plant: Plant, tmp_path: Path
) -> None:
    done = run(
        LOCKSTEP,
        *COMMAND,
        "--first",
        str(FIXED.start),
        "--schedules",
        "20",
        cwd=tmp_path,
        env={VARIABLE: plant.value},
        check=False,
        limit_s=LIMIT_S,
    )

    assert done.returncode == 1
    assert f"{VARIABLE}={plant.value} ./lockstep chaos --seed {SEED} --first" in done.stderr
