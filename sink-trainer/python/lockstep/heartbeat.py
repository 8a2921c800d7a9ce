"""Whether the job's JobManager is alive, by its heartbeat in the run directory."""

from __future__ import annotations

import time
from collections.abc import Callable

# The JobManager writes it every 3 s.
_LOST_AFTER_S = 9.0


class Heartbeat:
    """Compares each heartbeat with the previous one, by this process's clock only.

    The clocks of two hosts may differ.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: str | None = None
        self._since = 0.0
        self.is_missed = False
        """Whether the last call returned a message."""

    def missed(self, now: str | None) -> str | None:
        """Returns a message if the heartbeat has not changed for some time.

        now: the heartbeat; None if there is none to read.
        """
        at = self._clock()
        self.is_missed = False
        if now is None or now != self._last:
            self._last, self._since = now, at
            return None
        silent_s = at - self._since
        if silent_s < _LOST_AFTER_S:
            return None
        self.is_missed = True
        return (
            f"the job's JobManager has given no sign of life for {silent_s:.0f} s: it is lost, or "
            "it cannot write to the run directory; start the job again if Flink does not"
        )
