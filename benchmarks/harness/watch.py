"""The largest memory that a tree of processes has had."""

from __future__ import annotations

import threading
from types import TracebackType

from harness.processes import is_java, memory_bytes, tree

_INTERVAL_S = 0.05


class JavaMemory:
    """Looks at the JVMs below a process as long as the with block lasts.

    peak: by kind as in /proc/PID/status, each at its own largest; where there are several JVMs,
        their sum.
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
