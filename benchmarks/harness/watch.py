"""The peak memory of a process tree."""

from __future__ import annotations

import threading
from types import TracebackType

from harness.processes import is_java, memory_bytes, tree

_INTERVAL_S = 0.05


class JavaMemory:
    """Samples the JVMs below a process while the with block runs.

    peak: the maximum of each kind in /proc/PID/status, taken separately; the sum if there are
    several JVMs.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak: dict[str, int] = {}

    def _watch(self) -> None:
        while not self._ended.wait(_INTERVAL_S):
            now: dict[str, int] = {}
            for pid in filter(is_java, tree(self._root)):
                for kind, size in memory_bytes(pid).items():
                    now[kind] = now.get(kind, 0) + size
            for kind, size in now.items():
                self.peak[kind] = max(size, self.peak.get(kind, 0))

    def __enter__(self) -> JavaMemory:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
