"""Starts an embedded job from Python, for notebooks and first steps."""

from __future__ import annotations

import inspect
import os
import re
import tempfile
import uuid
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lockstep.embedded import EmbeddedRun, Job, find_command
from lockstep.errors import UsageError
from lockstep.loader import Loader, LoaderBase
from lockstep.suggest import nearest
from lockstep.waiting import in_background

L = TypeVar("L", bound=LoaderBase[Any])

# Arguments of the Loader that an embedded job sets.
_SET_HERE = {"stream", "rank", "world_size", "launch", "run"}


def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int,
    columns: str | Iterable[str] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    **loader: Any,
) -> Loader:
    """Starts an embedded job over a dataset and opens its stream; close() ends both.

    data is a directory, a glob, a file, or a list of them. The order's settings are those of the
    run file, with its defaults; the other arguments are the Loader's. For tensors see
    lockstep.torch.open.
    """
    order = {"lanes": lanes, "window": window, "seed": seed, "shuffle": shuffle, "tail": tail}
    return start(Loader, data, batch, columns, {**order, "epochs": epochs}, loader)


def start(
    kind: type[L],
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    batch: int,
    columns: str | Iterable[str] | None,
    order: dict[str, Any],
    loader: dict[str, Any],
) -> L:
    """Opens a Loader of that class over an embedded job that ends with it."""
    _check_names(kind, loader, {"batch", "columns", *order})
    paths = [data] if isinstance(data, (str, os.PathLike)) else list(data)
    arguments = ["serve", "--until-eof", "--batch", str(batch)]
    for path in paths:
        arguments += ["--data", os.fspath(path)]
    for column in [columns] if isinstance(columns, str) else columns or ():
        # A comma in a name would separate two columns.
        arguments += ["--columns", re.sub(r"(\\.)|,", lambda c: c[1] or r"\,", column)]
    for name, value in order.items():
        if value is not None:
            arguments += [f"--{name}", str(value)]
    # The run ends with this process, and its directory is not used again.
    scratch = tempfile.TemporaryDirectory(prefix="lockstep-", ignore_cleanup_errors=True)
    job = Job([*find_command(), *arguments, "--run", str(Path(scratch.name, "run"))])
    try:
        directory = in_background("rank 0", "the embedded job to start", job.run_directory)
        opened = kind(
            "train",
            rank=0,
            world_size=1,
            launch=f"notebook/{uuid.uuid4().hex}",
            run=EmbeddedRun(job, directory),
            **loader,
        )
    except BaseException:
        _stop(job, scratch)
        raise
    opened.after_close = job.end
    weakref.finalize(opened, _stop, job, scratch)
    return opened


def _check_names(kind: type[LoaderBase[Any]], given: dict[str, Any], own: set[str]) -> None:
    """Rejects arguments that neither open() nor the Loader takes, before starting a job."""
    passed_on = set(inspect.signature(kind).parameters) - _SET_HERE
    for name in given.keys() - passed_on:
        raise UsageError(f"open() has no argument {name!r}{nearest(name, passed_on | own)}")


def _stop(job: Job, scratch: tempfile.TemporaryDirectory[str]) -> None:
    job.kill()
    scratch.cleanup()
