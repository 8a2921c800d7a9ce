"""The command `lockstep chaos`."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from lockstep.plural import counted

from chaos import distribution, report, schedule
from chaos.errors import CampaignError, DifferenceError
from chaos.voice import say
from chaos.workers import Workers


def main() -> int:
    options = _options()
    # Raises KeyboardInterrupt, so that no process is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    folder = Path(tempfile.mkdtemp(prefix="lockstep-chaos-"))
    file = options.report or folder / "report.jsonl"
    try:
        distribution.install()
        with Workers(folder, options.parallel) as workers:
            failed = _run(workers, options, file)
    except (CampaignError, DifferenceError) as error:
        say(f"lockstep: {error}")
        return 1
    if file.exists():
        print(report.summary(file))
    if failed:
        say(f"what it left is in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


def _run(workers: Workers, options: argparse.Namespace, file: Path) -> bool:
    """Returns whether a schedule failed; starts no further schedule after the first failure."""
    numbers = range(options.first, options.first + options.schedules)
    schedules = [schedule.make(options.seed, number) for number in numbers]
    for now, entry in zip(schedules, workers.execute(schedules), strict=False):
        report.append(file, entry)
        if entry.difference:
            say(f"schedule {now.number} failed: {entry.difference}\nrepeat it by: {now.command}")
            return True
        say(
            f"schedule {now.number} of seed {now.seed}: {counted(len(now.faults), 'fault')}, no "
            f"difference in {counted(entry.lane_steps, 'step')} of lanes ({entry.seconds:.0f} s)"
        )
    return False


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="lockstep chaos",
        description="Random faults against a real Flink cluster of processes and real trainers; "
        "every step must be what an undisturbed run gives. Ends with 1 at the first difference.",
    )
    parser.add_argument(
        "--schedules", type=_at_least(1), default=20, metavar="N", help="how many (20)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the schedules (1)")
    parser.add_argument(
        "--first", type=_at_least(0), default=0, metavar="K", help="the number of the first (0)"
    )
    parser.add_argument(
        "--parallel",
        type=_at_least(1),
        default=1,
        metavar="N",
        help="how many at once, each upon a cluster of its own (1)",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="is appended to: a line of JSON a schedule"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
