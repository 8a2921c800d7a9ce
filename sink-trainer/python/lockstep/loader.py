"""The Loader: an iterable over a rank's batches."""

from __future__ import annotations

import contextlib
import os
import warnings
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, NoReturn, TypeVar

import pyarrow as pa

from lockstep import micro_batches
from lockstep.batch import Batch, StepStream
from lockstep.consumed import TELL_EVERY_S
from lockstep.decode import Decoded, Plan
from lockstep.environment import find_launch
from lockstep.epochs import EpochTable, Position
from lockstep.errors import LockstepError, UsageError
from lockstep.fetch import Fetcher
from lockstep.finish import watch_process_end
from lockstep.ledger import Ledger
from lockstep.location import RunLocation, find_run
from lockstep.manifest import difference
from lockstep.memory import Memory, NumpyMemory
from lockstep.options import START_TIMEOUT_S, check_options, retry_limit
from lockstep.pipeline import Pipeline
from lockstep.plural import counted
from lockstep.progress import Progress
from lockstep.protocol import SAMPLE_COLUMN, WEIGHT_COLUMN
from lockstep.pull import Puller
from lockstep.record import Record
from lockstep.sampler import Sampler
from lockstep.session import join
from lockstep.state import States
from lockstep.transport import WAIT_MS
from lockstep.verify import Verifier
from lockstep.waiting import INTERRUPTED_S, Wait, in_background, say

B = TypeVar("B", bound=Batch)
L = TypeVar("L", bound="LoaderBase[Any]")

# A server holds a request for at most WAIT_MS; then the fetching thread checks whether to stop.
_JOIN_S = WAIT_MS / 1000 + 1.5


class LoaderBase(Generic[B]):
    """One rank's batches of one stream, in the order of the run.

        for epoch in train.epochs():
            for batch in train:          # len(train) steps

    Outside of epochs() each iteration covers epoch 0 from its first step, as evaluations need. A
    background thread prefetches. Used by one thread of the process that opened it.

    stream: the stream's name in the run file.
    rank, world_size, launch: the identity of this process; by default from the environment of the
        launcher, torchrun or SLURM, else a single process. launch names one start of the trainers:
        the same for all ranks, new at each start.
    run: the run directory; LOCKSTEP_RUN or LOCKSTEP_ENDPOINTS by default.
    masks: columns that may hold nulls; batch.mask then marks the values.
    nulls: "error", or "mask" for a mask of every column.
    prefetch: the number of batches ready in this process.
    ahead: the number of steps that the job makes ahead of the requested one.
    allow_uneven: permit a world size that does not divide the lanes, so that batches of the ranks
        differ in size; averages over ranks must then be weighted.
    transport: "auto", "shm" or "flight"; LOCKSTEP_TRANSPORT by default.
    verify: "sample" to compute the digest of one lane in the first step and in one of 20, and
        compare it with the job's; "all" for every lane of every step, or "off".
    skip_steps: pairs (epoch, step) to leave out, a loss spike for instance; all other steps keep
        their places, and states keep the pairs.
    alone: whether this rank starts the stream without the other ranks, as one that evaluates by
        epochs() while they train; it gets its own part of each batch either way.
    micro_batch: the rows of the pieces in which to give each batch, for gradient accumulation; it
        divides the rank's batch. len() and iteration then count pieces, and batch.ends_step is True
        at the last of each step. A state taken inside a step names that step.
    start_timeout_s: how long to wait for the other ranks to start the stream.
    retry_limit_s: how long to look for a lost server; LOCKSTEP_RETRY_LIMIT_S by default, else 120.

    Raises a LockstepError that says what to do if any of these is invalid.
    """

    def __init__(
        self,
        stream: str = "train",
        *,
        rank: int | None = None,
        world_size: int | None = None,
        launch: str | None = None,
        run: str | os.PathLike[str] | RunLocation | None = None,
        masks: Collection[str] = (),
        nulls: str = "error",
        prefetch: int = 2,
        ahead: int = 8,
        allow_uneven: bool = False,
        transport: str | None = None,
        alone: bool = False,
        micro_batch: int | None = None,
        start_timeout_s: float = START_TIMEOUT_S,
        retry_limit_s: float | None = None,
        skip_steps: Iterable[Position] = (),
        verify: str = "sample",
    ) -> None:
        transport = transport or os.environ.get("LOCKSTEP_TRANSPORT", "auto")
        check_options(stream, masks, nulls, prefetch, ahead, transport, verify)
        who = find_launch(rank, world_size, launch)
        limit_s = retry_limit(retry_limit_s)
        self._session = join(find_run(run, may_come=who.has_launcher), who, limit_s)
        watch_process_end()
        self.rank = self._session.launch.rank
        self.world_size = self._session.launch.world_size
        info = self._session.table().stream(stream)
        lanes = info.rank_lanes(self.rank, self.world_size, allow_uneven)
        self._pieces = micro_batches.count(info, lanes, self.world_size, micro_batch)
        names = [n for n in info.schema.names if n not in (SAMPLE_COLUMN, WEIGHT_COLUMN)]
        self._plan = Plan(stream, info.schema, names if nulls == "mask" else masks, self._memory())
        self._session.register()

        self.stream = stream
        self.schema: pa.Schema = pa.schema([info.schema.field(name) for name in names])
        self._info = info
        self._table = EpochTable.of(info, self._session)
        self._states = States(
            info, self._table, self._session.location.name, who, lanes.start, skip_steps
        )
        self._step_stream = StepStream(info.seed, lanes.start, self._states)
        self._ledger = Ledger(self._session, stream)
        self._epoch = 0
        self._epoch_is_given = False
        self._next: Position = (0, 0)
        self._loaded: Position | None = None
        self._alone = alone
        self._start_timeout_s = start_timeout_s
        self._together = False
        self._turn = 0
        self._repeats = 0
        self._closed: str | None = None
        self._progress = (
            Progress(stream, self._table, info.batch, info.epochs)
            if Progress.wanted(self.rank)
            else None
        )
        self._record = Record(self._session, stream, lanes)
        self._puller = Puller(self._session, info, lanes, transport, limit_s, self._record.consumed)
        verifier = Verifier(verify, stream, info.lane_rows)
        fetch = Pipeline(
            self._puller, verifier, self._plan, self._table, ahead, self._step_stream, self._pack()
        )
        self._fetcher = Fetcher[B](
            fetch,
            self._puller.tell,
            TELL_EVERY_S,
            self._table,
            prefetch,
            self._session.who,
            stream,
            None if self._session.location.tells_failure else self._puller.check,
        )
        weakref.finalize(self, self._fetcher.stop).atexit = False
        self.after_close: Callable[[], None] | None = None
        """Called once after the Loader has closed: ends a job that belongs to it."""
        self._session.enter(stream, self)

    # The differences between the numpy and the torch Loader.

    def _memory(self) -> Memory:
        raise NotImplementedError

    def _pack(self) -> Callable[[Decoded, int, int, StepStream], B]:
        """Returns a function that makes a batch of decoded arrays; called in the fetching thread.
        It does not reference this object."""
        raise NotImplementedError

    def _hand_over(self, batch: B) -> None:
        """Called in the trainer's thread before it receives the batch."""

    def __len__(self) -> int:
        """The batches of the current epoch, or pieces of them with micro_batch, without skipped
        steps; equal on all ranks."""
        left_out = sum(epoch == self._epoch for epoch, _ in self._states.skipped)
        return (self._table.steps(self._epoch) - left_out) * self._pieces

    def epochs(self) -> Iterator[int]:
        """Iterates over the run's epochs, from 0 or from a loaded state's; iterating the Loader
        covers the current one."""
        self._check_usable()
        try:
            self._epoch_is_given = True
            for epoch in range(self._loaded[0] if self._loaded else 0, self._info.epochs):
                self._epoch = epoch
                yield epoch
        finally:
            self._epoch_is_given = False
            self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Sets the epoch of subsequent iterations, for loops that count epochs themselves.

        After load_state_dict(), the state's epoch continues at its step; an earlier one is refused.
        """
        if not 0 <= epoch < self._info.epochs:
            raise UsageError(
                f"set_epoch({epoch}): stream {self.stream!r} has the epochs 0 to "
                f"{self._info.epochs - 1}; the run file's order.epochs says how many"
            )
        if self._loaded is not None and epoch < self._loaded[0]:
            raise UsageError(
                f"set_epoch({epoch}): the loaded state of stream {self.stream!r} continues in "
                f"epoch {self._loaded[0]}; write: for epoch in loader.epochs(), which begins "
                "there, or for epoch in range(state['epoch'], epochs)"
            )
        if self._loaded is not None and epoch > self._loaded[0]:
            warnings.warn(
                f"set_epoch({epoch}): the rest of epoch {self._loaded[0]} of stream "
                f"{self.stream!r}, where the loaded state stands, is left out",
                stacklevel=2,
            )
        self._epoch = epoch
        self._epoch_is_given = True

    @property
    def sampler(self) -> Sampler:
        """For frameworks that call loader.sampler.set_epoch(epoch) by themselves."""
        return Sampler(self)

    @property
    def epoch_count(self) -> int:
        """The number of epochs of the stream in this run."""
        return self._info.epochs

    def __iter__(self) -> Iterator[B]:
        """Iterates over the steps of the current epoch, from the first or from a loaded state's."""
        self._check_usable()
        start = self._start_of_iteration()
        last = self._info.epochs - 1 if self._epoch_is_given else start[0]
        self._turn += 1
        of_epoch = range(start[1], self._table.steps(start[0]))
        steps = [s for s in of_epoch if self._is_served((start[0], s))]
        if steps:
            self._fetcher.seek((start[0], steps[0]), last, self._states.skipped)
        return self._steps(start[0], steps, self._turn)

    def _is_served(self, position: Position) -> bool:
        return position[0] < self._info.epochs and position not in self._states.skipped

    def _start_of_iteration(self) -> Position:
        loaded = self._loaded
        if loaded is not None and (not self._epoch_is_given or loaded[0] == self._epoch):
            start = loaded
        else:
            start = (self._epoch, 0)
        if self._epoch_is_given or loaded is not None:
            self._start_together(start)
        else:
            self._warn_of_repetition()
        self._loaded = None  # not before: a rejected start can be tried again
        return start

    def _start_together(self, start: Position) -> None:
        """Compares this rank's start with the others', at its first step and after each load."""
        if not self._together and not self._alone:
            skipped = ", ".join(map(str, sorted(self._states.skipped))) or "none"
            agreement = {
                "fingerprint": self._info.fingerprint,
                "epoch": str(start[0]),
                "step": str(start[1]),
                "skipped steps": skipped,
            }
            self._ledger.start(agreement, self._start_timeout_s)
            self._together = True

    def _steps(self, epoch: int, steps: Sequence[int], turn: int) -> Iterator[B]:
        if self._progress:
            self._progress.start(epoch)
        # A stream without epochs, such as an evaluation, needs no state if another stream has one.
        if turn == 1 and steps and (self._epoch_is_given or not self._session.has_state):
            self._session.say_if_from_scratch(self.stream, (epoch, steps[0]))
        for step in steps:
            self._check_turn(turn)
            batch, waited_s = self._fetcher.take()
            self._hand_over(batch)
            if self._progress:
                self._progress.step(step, waited_s)
            for piece in micro_batches.split(batch, self._pieces):
                self._check_turn(turn)
                self._next = (epoch, step)
                if piece.ends_step:
                    self._next = self._table.following((epoch, step))
                    self._record.consumed.received(epoch, step, batch.digests)
                yield piece

    def _check_turn(self, turn: int) -> None:
        self._check_usable()
        if turn != self._turn:
            raise UsageError(
                f"stream {self.stream!r} is iterated over again before this iteration ended; "
                "only the latest goes on: finish one before the next begins"
            )

    def state_dict(self, rng: bool = False) -> dict[str, Any]:
        """Returns the state after the last received batch: JSON, the same on every rank.

        Code that prefetches batches takes batch.state_dict() of the last one that it used.

        rng: include the states of this process's random generators; each rank then has its own.
        """
        return self._states.at(self._next, rng)

    def load_state_dict(self, state: Mapping[str, Any], allow_change: Collection[str] = ()) -> None:
        """Continues the next iteration from that state. All ranks load the same one.

        allow_change: names of settings that may differ, among seed, lanes, batch, window, shuffle,
            tail, data, columns and transforms; changes are written to the run's log.

        Raises StateMismatchError, with the first difference, if the state does not match the run.
        """
        self._check_usable()
        changes = self._states.check(state, allow_change, self._explain)
        position, generators = self._states.take_up(state)
        for change in changes if self.rank == 0 else ():
            self._ledger.note(position, f"stream {self.stream!r}: {change.text}, as allowed")
        self._loaded = self._next = position
        self._together = False
        self._turn += 1
        self._session.has_state = True
        where = f"epoch {position[0]}, step {position[1]}"
        say(self._session.who, f"stream {self.stream!r} goes on at {where}{generators}")

    def commit(self, state: Mapping[str, Any]) -> bool:
        """Reports that this state is in a durable model checkpoint. Every rank commits its own.

        Returns True if the commit is durable in the run directory. Returns False after about 10 s
        if the run directory rejects it, and prints why: the checkpoint is valid, but resume() does
        not return it; commit again, or continue to the next checkpoint. resume() returns the newest
        state that all ranks have committed, to this process or a later one. Your own keys in the
        state, the checkpoint's path for instance, are kept.
        """
        self._check_usable()
        self._states.check(state, (), self._explain)
        self._record.complete()
        return self._ledger.commit(state)

    def resume(self) -> dict[str, Any] | None:
        """Returns the newest state that all ranks of a launch have committed, for
        load_state_dict()."""
        self._check_usable()
        return self._ledger.newest()

    def _explain(self, state: Mapping[str, Any]) -> str:
        return difference(state, self._info.manifest, self._session.location)

    def _warn_of_repetition(self) -> None:
        self._repeats += 1
        if self._info.epochs > 1 and self._repeats == 2:
            warnings.warn(
                f"stream {self.stream!r} starts epoch 0 again; for all its {self._info.epochs} "
                "epochs write: for epoch in loader.epochs(): for batch in loader: ...",
                stacklevel=3,
            )

    def _check_usable(self) -> None:
        self._session.check_process()
        if self._closed:
            raise UsageError(f"the Loader of stream {self.stream!r} is closed: {self._closed}")

    @property
    def is_closed(self) -> bool:
        """Whether it cannot be used any more."""
        return self._closed is not None

    def close(self) -> None:
        """Closes this Loader; another may open later. Idempotent.

        A rank is done once all its Loaders are closed and its process ends without an exception, or
        once lockstep.done() was called. The run is done when all ranks are.
        """
        self._close(True, "close() was called")

    def __enter__(self: L) -> L:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes; after an exception the rank does not count as finished."""
        self._close(error is None, "its with block ended", isinstance(error, KeyboardInterrupt))

    def _close(self, clean: bool, why: str, interrupted: bool = False) -> None:
        if self._closed:
            return
        self._session.check_process()
        self._closed = why
        stopped = self._fetcher.stop(INTERRUPTED_S if interrupted else _JOIN_S)
        try:
            self._record.complete_at_end(interrupted)
            self._session.leave(self.stream, self, clean)
            if stopped and not interrupted and not self._session.finished:
                in_background(self._session.who, f"the end of {self.stream!r}", self._detach)
        finally:
            if stopped:  # else the thread still uses the connections, and ends with its call
                self._puller.disconnect()
            if self.after_close:
                self.after_close()

    def _detach(self, wait: Wait) -> None:
        # Fenced or done: the servers hold nothing for this rank.
        with contextlib.suppress(LockstepError):
            self._puller.detach()

    def replaced(self) -> None:
        """Called by the session: another Loader of this stream was opened."""
        self._closed = "the stream was opened again in this process, and the later Loader serves it"
        self._fetcher.stop()

    def halt(self) -> None:
        """Called by the session: the interpreter exits."""
        self._fetcher.stop(rest=True)

    def __getitem__(self, index: object) -> NoReturn:
        raise UsageError(
            "a Loader is not a Dataset: it gives whole batches, in order, and fetches ahead by "
            "itself. Iterate over it directly (for batch in loader), without torch's DataLoader"
        )

    def __reduce__(self) -> NoReturn:
        raise UsageError(
            "a Loader cannot be pickled, copied or sent to a DataLoader's workers: it is this "
            "process's place in the run and fetches ahead by itself. Iterate over it directly, or "
            "open it in the process that does"
        )

    def __repr__(self) -> str:
        state = (
            "closed"
            if self._closed
            else f"{counted(len(self) // self._pieces, 'step')}, epochs: {self._info.epochs}"
        )
        return f"<Loader {self.stream!r}, rank {self.rank} of {self.world_size}, {state}>"


class Loader(LoaderBase[Batch]):
    __doc__ = LoaderBase.__doc__

    def _memory(self) -> Memory:
        return NumpyMemory()

    def _pack(self) -> Callable[[Decoded, int, int, StepStream], Batch]:
        return Batch
