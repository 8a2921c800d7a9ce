"""The streams of a run file, opened from Python."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Generic, TypeVar

from lockstep.embedded import EmbeddedRun, Job, new_launch
from lockstep.environment import Launch
from lockstep.errors import UsageError
from lockstep.loader import LoaderBase
from lockstep.options import retry_limit
from lockstep.session import Session, join
from lockstep.waiting import in_background

L = TypeVar("L", bound=LoaderBase[Any])


class Streams(Mapping[str, L], Generic[L]):
    """The Loaders of a run file's streams, by name, all over one embedded job.

        with lockstep.open("run.yaml") as streams:
            for epoch in streams["train"].epochs():
                for batch in streams["train"]:
                    ...
                for batch in streams["eval"]:
                    ...

    A Loader opens when its stream is first looked up, and again after it was closed. close(), or
    the end of the with block, closes all of them and ends the job. Used by one thread.
    """

    def __init__(self, kind: type[L], job: Job, loader: Mapping[str, Any]) -> None:
        self._kind = kind
        self._job = job
        self._loader = dict(loader)
        self._open: dict[str, L] = {}
        self._closed = False
        weakref.finalize(self, job.kill)
        try:
            directory = in_background("rank 0", "the embedded job to start", job.run_directory)
            self._run = EmbeddedRun(job, directory, ends_with_loaders=False)
            self._launch = Launch(0, 1, new_launch())
            limit_s = retry_limit(self._loader.get("retry_limit_s"))
            self._session: Session = join(self._run, self._launch, limit_s)
            self._table = self._session.table()
        except BaseException:
            job.kill()
            raise

    def __getitem__(self, name: str) -> L:
        if self._closed:
            raise UsageError(f"the streams of {self._run.name} are closed")
        self._table.stream(name)
        loader = self._open.get(name)
        if loader is None or loader.is_closed:
            loader = self._open[name] = self._kind(
                name,
                rank=0,
                world_size=1,
                launch=self._launch.name,
                run=self._run,
                **self._loader,
            )
            # The reference to this mapping keeps the job while the Loader is used.
            loader.after_close = partial(self._left, name)
        return loader

    def _left(self, name: str) -> None:
        self._open.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.streams)

    def __len__(self) -> int:
        return len(self._table.streams)

    def __contains__(self, name: object) -> bool:
        return name in self._table.streams

    def close(self) -> None:
        """Closes all Loaders and ends the job, which is then done. Idempotent."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Streams[L]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes; after an exception, here or in a Loader's with block, the run does not count as
        finished."""
        if self._closed:
            return
        self._closed = True
        try:
            for loader in list(self._open.values()):
                loader.__exit__(kind, error, traceback)
            if error is None and self._session.may_finish:
                self._session.finish()
        finally:
            self._job.end()

    def __repr__(self) -> str:
        return f"<Streams {', '.join(map(repr, self))}{' (closed)' if self._closed else ''}>"
