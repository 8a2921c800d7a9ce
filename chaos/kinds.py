"""The kinds of faults."""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """A kind of fault. Reports use the value."""

    TASK_MANAGER = "task manager killed"
    JOB_MANAGER = "job manager killed"
    CLUSTER = "cluster killed, restored from its last checkpoint"
    TRAINER = "one trainer killed"
    TRAINERS = "all trainers killed"
    OTHER_RANKS = "restarted with other ranks"
    SAVEPOINT = "savepoint, stop and restore"
    OTHER_PARALLELISM = "restored at another parallelism"
    BOTH = "restored at another parallelism with other ranks"
    RESCALE = "rescaled while running"
    PAUSE = "trainer stopped for a while"
    CUT = "network cut"
    MOVE = "lane moved to another host"
    CACHE_FLIPPED = "bytes flipped in cache files"
    CACHE_TRUNCATED = "cache files truncated"
    CACHE_CUT = "cache files in use truncated"
    CACHE_FULL = "cache disk full, task manager killed"
    RUN_FULL = "run directory full"
    PYTHON_WORKER = "worker of Python functions killed"
    REPLACED = "files replaced under the run, then put back"
