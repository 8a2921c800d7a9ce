"""A live line on stderr: epoch, step, samples a second, and the time spent waiting for data."""

from __future__ import annotations

import os
import sys
import time

from lockstep.epochs import EpochTable

VARIABLE = "LOCKSTEP_PROGRESS"

# A terminal's line is rewritten; a log gets a new line.
_TERMINAL_EVERY_S = 0.2
_LOG_EVERY_S = 5.0


class Progress:
    """Progress of one stream and epoch. Counts the global batch, since all ranks step alike."""

    def __init__(self, stream: str, table: EpochTable, batch: int, epochs: int) -> None:
        self._stream = stream
        self._table = table
        self._batch = batch
        self._epochs = epochs
        # The launcher forwards a pipe to its terminal, and sets the variable.
        live = os.environ.get(VARIABLE) == "live"
        self._terminal = live or (sys.stderr is not None and sys.stderr.isatty())
        self._every_s = _TERMINAL_EVERY_S if self._terminal else _LOG_EVERY_S

    @staticmethod
    def wanted(rank: int) -> bool:
        """Whether to print: on rank 0 only, if LOCKSTEP_PROGRESS is 1 or live."""
        return rank == 0 and os.environ.get(VARIABLE) in ("1", "live")

    def start(self, epoch: int) -> None:
        self._epoch = epoch
        self._steps = self._table.steps(epoch)
        self._waited_s = 0.0
        self._started = time.monotonic()
        self._next = self._started + self._every_s

    def step(self, step: int, waited_s: float) -> None:
        """Reports that the trainer receives this step now."""
        self._waited_s += waited_s
        now = time.monotonic()
        last = step + 1 == self._steps
        if now >= self._next or last:
            self._next = now + self._every_s
            self._print(step + 1, now - self._started, last)

    def _print(self, steps: int, seconds: float, last: bool) -> None:
        rate = steps * self._batch / seconds if seconds > 0 else 0.0
        epoch = f"epoch {self._epoch + 1}/{self._epochs}  " if self._epochs > 1 else ""
        line = (
            f"{self._stream}  {epoch}step {steps}/{self._steps}  {_rounded(rate)} samples/s  "
            f"waited {self._waited_s:.1f} s for data"
        )
        if self._terminal:
            line = f"\r\x1b[2K{line}" + ("\n" if last else "")
        else:
            line += "\n"
        try:
            sys.stderr.write(line)
            sys.stderr.flush()
        except (OSError, ValueError):
            return


def _rounded(rate: float) -> str:
    if rate >= 1e6:
        return f"{rate / 1e6:.2f} M"
    return f"{rate:,.0f}"
