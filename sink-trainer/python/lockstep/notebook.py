"""Starts an embedded job from Python, for notebooks and first steps."""

from __future__ import annotations

import inspect
import os
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from lockstep.dataset_columns import DatasetColumns
from lockstep.embedded import EmbeddedRun, Job, find_command, new_launch
from lockstep.errors import UsageError
from lockstep.loader import Loader, LoaderBase
from lockstep.streams import Streams
from lockstep.suggest import nearest
from lockstep.transforms import RunTransforms
from lockstep.waiting import in_background

L = TypeVar("L", bound=LoaderBase[Any])

_PATH = (str, os.PathLike)

# Arguments of the Loader that an embedded job sets.
_SET_HERE = {"stream", "rank", "world_size", "launch", "run"}


@overload
def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int,
    columns: str | Iterable[str] | None = None,
    partitions: Mapping[str, str] | None = None,
    schema: Mapping[str, Any] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    transforms: Sequence[Any] = (),
    **loader: Any,
) -> Loader: ...


@overload
def open(data: str | os.PathLike[str], **loader: Any) -> Streams[Loader]: ...


def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int | None = None,
    columns: str | Iterable[str] | None = None,
    partitions: Mapping[str, str] | None = None,
    schema: Mapping[str, Any] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    transforms: Sequence[Any] = (),
    **loader: Any,
) -> Loader | Streams[Loader]:
    """Starts an embedded job over a dataset and opens its stream; close() ends both.

    data is a directory, a glob, a file, or a list of them; batch is required. columns, partitions,
    schema, such as {"missing": "null", "widen": True}, and the order's settings are those of the
    run file, with its defaults; the other arguments are the Loader's. transforms
    are those of a run file, such as {"clip": {"columns": ["x"], "low": 0}}, or functions with what
    they read and return: lockstep.transform(function, columns=["x"], adds={"y": "float32"}).

    With the path of a run file (.yaml or .yml) alone, starts the job of the file, and returns a
    mapping from the names of its streams to their Loaders; see Streams. The other arguments are
    those of each Loader.

    For tensors see lockstep.torch.open.
    """
    order = {"lanes": lanes, "window": window, "seed": seed, "shuffle": shuffle, "tail": tail}
    order["epochs"] = epochs
    rows = DatasetColumns(columns, partitions, schema)
    return start(Loader, data, batch, rows, order, transforms, loader)


def start(
    kind: type[L],
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    batch: int | None,
    columns: DatasetColumns,
    order: dict[str, Any],
    transforms: Sequence[Any],
    loader: dict[str, Any],
) -> L | Streams[L]:
    """Opens a Loader of that class over an embedded job that ends with it, or all of a run file."""
    settings = {"batch": batch, **vars(columns), **order, "transforms": transforms or None}
    _check_names(kind, loader, set(settings))
    if isinstance(data, (str, os.PathLike)) and is_run_file(os.fspath(data)):
        for name, value in settings.items():
            if value is not None:
                raise UsageError(
                    f"open({os.fspath(data)!r}, {name}={value!r}): the run file sets {name!r}"
                )
        return Streams(
            kind, Job([*find_command(), "serve", "--until-eof", os.fspath(data)]), loader
        )
    if batch is None:
        raise UsageError(
            "open() of a dataset needs batch=, the number of samples of each step; a run file is "
            "named by its path, which ends in .yaml or .yml"
        )
    return _start(kind, data, batch, columns, order, transforms, loader)


def is_run_file(path: str) -> bool:
    return path.endswith((".yaml", ".yml"))


def _start(
    kind: type[L],
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    batch: int,
    columns: DatasetColumns,
    order: dict[str, Any],
    transforms: Sequence[Any],
    loader: dict[str, Any],
) -> L:
    paths = [os.fspath(path) for path in ([data] if isinstance(data, _PATH) else data)]
    columns.check()
    settings = {"batch": batch, **{k: v for k, v in order.items() if v is not None}}
    chain = RunTransforms(transforms)
    # The run ends with this process, and its directory is not used again.
    scratch = tempfile.TemporaryDirectory(prefix="lockstep-", ignore_cleanup_errors=True)
    folder = Path(scratch.name)
    run = (
        [str(chain.write_run(folder, paths, columns.keys(), settings))]
        if chain
        else _options(paths, columns, settings)
    )
    job = Job([*find_command(), "serve", "--until-eof", *run, "--run", str(folder / "run")])
    try:
        directory = in_background("rank 0", "the embedded job to start", job.run_directory)
        opened = kind(
            "train",
            rank=0,
            world_size=1,
            launch=new_launch(),
            run=EmbeddedRun(job, directory),
            **loader,
        )
    except BaseException:
        _stop(job, scratch)
        raise
    opened.after_close = job.end
    weakref.finalize(opened, _stop, job, scratch)
    return opened


def _options(paths: list[str], columns: DatasetColumns, settings: dict[str, Any]) -> list[str]:
    options = ["--batch", str(settings["batch"])]
    for path in paths:
        options += ["--data", path]
    options += columns.options()
    for name, value in settings.items():
        if name != "batch":
            options += [f"--{name}", str(value)]
    return options


def _check_names(kind: type[LoaderBase[Any]], given: dict[str, Any], own: set[str]) -> None:
    """Rejects arguments that neither open() nor the Loader takes, before starting a job."""
    passed_on = set(inspect.signature(kind).parameters) - _SET_HERE
    for name in given.keys() - passed_on:
        raise UsageError(f"open() has no argument {name!r}{nearest(name, passed_on | own)}")


def _stop(job: Job, scratch: tempfile.TemporaryDirectory[str]) -> None:
    job.kill()
    scratch.cleanup()
