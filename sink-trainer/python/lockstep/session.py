"""The membership of this process in a run: one registration, shared by all its Loaders."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from lockstep import environment
from lockstep.connection import Connection
from lockstep.credentials import find_credentials
from lockstep.environment import Launch
from lockstep.errors import (
    ConnectionLostError,
    ForkedError,
    LockstepError,
    RunDoneError,
    RunFailedError,
    UsageError,
)
from lockstep.heartbeat import Heartbeat
from lockstep.location import Endpoint, RunLocation
from lockstep.protocol import ServerLostError, TokenRefusedError
from lockstep.routing import RoutingTable
from lockstep.waiting import Retry, SpokenWait, Wait, in_background, say

T = TypeVar("T")

# How long a server holds calls: short at first, so that the first message has its reason, then
# longer.
_HELD_VERBS = frozenset({"routing", "register", "start"})
_HELD_S = 5.0
_LONG_HELD_S = 30.0
# A pending answer that comes sooner was not held; pause before the next call.
_UNHELD_S = 1.0
# How often to release a held call, and how many times.
_RELEASE_EVERY_S = 0.1
_RELEASES = 10
# The limit for a close that no server answers while it is unknown whether the job has ended.
_CLOSE_LIMIT_S = 10.0
_FINISH = "the job to note that this rank is finished"

_sessions: dict[tuple[str, Launch], Session] = {}
"""By run and identity."""
_lock = threading.RLock()


class Member(Protocol):
    """An open Loader, from the session's view."""

    def close(self) -> None:
        """Closes it cleanly."""

    def replaced(self) -> None:
        """Another Loader of the same stream has replaced it."""

    def halt(self) -> None:
        """The interpreter exits: stop fetching, and report only received steps to the job."""


class Session:
    """A rank's membership in one run. Created by join. Thread-safe.

    Its members are the open Loaders, by stream. It holds them weakly: a Loader dropped without
    close() does not keep the others from finishing cleanly. The membership outlives them, since
    others may open later: it ends by finish, once this process knows that none will.
    """

    def __init__(self, location: RunLocation, launch: Launch, retry_limit_s: float) -> None:
        self.location = location
        self.launch = launch
        self.retry_limit_s = retry_limit_s
        self.generation: int | None = None
        self.pid = os.getpid()
        self._members: weakref.WeakValueDictionary[str, Member] = weakref.WeakValueDictionary()
        self._clean = False
        self._unclean: set[str] = set()
        self.finished = False
        """Whether finish was called."""
        self._is_accepted = False
        self.start_rounds: Counter[str] = Counter()
        """By stream, how often the ranks started it together or were rejected."""
        self._warned = False
        self._unrecorded = False
        self._heartbeat = Heartbeat()
        self.failure: RunFailedError | None = None
        """Why the job has failed, as its last server said before it ended."""
        self.has_state = False
        """Whether a saved state was loaded into a Loader of this rank."""

    @property
    def who(self) -> str:
        """The prefix of this rank's messages."""
        return f"rank {self.launch.rank}"

    def warn_once(self, message: str) -> None:
        """Prints the first of these messages in this process."""
        with _lock:
            first, self._warned = not self._warned, True
        if first:
            say(self.who, message)

    def warn_unrecorded(self, reply: Mapping[str, Any]) -> None:
        """Warns once if a server cannot record receipts; training continues."""
        warning = reply.get("warning")
        if warning is None:
            return
        with _lock:
            first, self._unrecorded = not self._unrecorded, True
        if first:
            say(self.who, f"{warning}. Training goes on; steps may be missing from the record")

    def check_process(self) -> None:
        """Raises ForkedError in a child of the process that joined."""
        if os.getpid() != self.pid:
            raise ForkedError(
                "this Loader was opened in another process and cannot be used after a fork: open "
                "it in the process that iterates over it; a torch DataLoader with workers is not "
                "needed, the Loader fetches ahead by itself"
            )

    def table(self) -> RoutingTable:
        """Returns the streams of the run; waits until the job knows them."""
        return self._in_background("the job's streams", "routing", {}, RoutingTable.parse)

    def register(self) -> None:
        """Registers the rank in the launch's generation; waits for rank 0. Idempotent.

        Does so again for the first Loader after all have closed: another launch may have begun.
        """
        if self.generation is not None and self._members:
            return
        launch, known = self.launch, self.generation
        request = {
            "launch": launch.name,
            "rank": launch.rank,
            "world": launch.world_size,
            "host": environment.host(),
            "instance": environment.instance(),
        }
        what = f"the registration of rank {launch.rank} of {launch.world_size}"
        self.generation = self._in_background(
            what, "register", request, lambda reply: int(reply["generation"])
        )
        if self.generation > max(1, known or 0) and launch.rank == 0:
            say(self.who, f"generation {self.generation} of this run's trainers")

    def say_if_from_scratch(self, stream: str, start: tuple[int, int]) -> None:
        """Warns if later trainers of a run start without a state."""
        if (self.generation or 0) > 1 and self.launch.rank == 0:
            where = f"epoch {start[0]}, step {start[1]}"
            say(self.who, f"stream {stream!r} starts at {where}: no saved state was loaded")

    def ask(
        self, what: str, verb: str, request: dict[str, Any], at_most_s: float = math.inf
    ) -> dict[str, Any]:
        """Calls a verb of the run as a whole; waits, and prints what for, until it is answered.

        Raises TimeoutError, with the reason, after at_most_s.
        """
        return self._in_background(what, verb, request, lambda reply: reply, at_most_s)

    def _in_background(
        self,
        what: str,
        verb: str,
        request: dict[str, Any],
        parse: Callable[[dict[str, Any]], T],
        at_most_s: float = math.inf,
    ) -> T:
        def ask(wait: Wait) -> T:
            retry = Retry(self.retry_limit_s, wait, self.location.name)
            held_s = _HELD_S
            with _AnyServer(self) as server:
                while True:
                    wait.check()
                    asked = time.monotonic()
                    try:
                        if verb in _HELD_VERBS:
                            reply = server.call_held(verb, request, held_s, wait)
                        else:
                            reply = server.call(verb, request)
                    except ServerLostError as lost:
                        retry.lost(what, lost)
                        continue
                    if "pending" not in reply:
                        return parse(reply)
                    retry.alive()
                    wait.tell(str(reply["pending"]))
                    if time.monotonic() - asked < _UNHELD_S:
                        retry.pause()
                    elif verb in _HELD_VERBS:
                        held_s = _LONG_HELD_S

        return in_background(self.who, what, ask, at_most_s)

    def connect(self, endpoint: Endpoint) -> Connection:
        """Connects to that server, with the run's current token.

        Raises ServerLostError, or UsageError if no server accepts the token of the environment.
        """
        credentials = find_credentials(self.location)
        watch = not self.location.tells_failure
        try:
            connection = Connection(endpoint.uri, endpoint.task, credentials, endpoint.ca, watch)
        except RunFailedError as failed:
            self.failure = failed
            raise
        except TokenRefusedError as refused:
            if credentials.is_given and not self._is_accepted:
                raise UsageError(f"{endpoint.uri}: {refused}") from refused
            raise
        self._is_accepted = True
        return connection

    def connect_any(self) -> Connection:
        """Connects to the first server that answers.

        Raises ServerLostError if none does, and RunDoneError or RunFailedError if none will.
        """
        if self.failure is not None:
            raise self.failure
        reason = "no server is known"
        try:
            for endpoint in self.location.endpoints():
                try:
                    return self.connect(endpoint)
                except ServerLostError as lost:
                    reason = f"{endpoint.uri}: {lost}"
        except ServerLostError as unknown:
            reason = str(unknown)
        self.location.check_goes_on()
        missed = self._heartbeat.missed(self.location.heartbeat())
        raise ServerLostError(f"{reason}; {missed}" if missed else reason)

    def enter(self, stream: str, member: Member) -> None:
        """Adds a Loader. It replaces an earlier one of its stream."""
        with _lock:
            former = self._members.get(stream)
            self._members[stream] = member
            self._unclean.discard(stream)
        if former is not None:
            former.replaced()

    def leave(self, stream: str, member: Member, clean: bool) -> None:
        """Removes a Loader. The last one finishes the rank if its job ends with its Loaders."""
        with _lock:
            if self._members.get(stream) is member:
                del self._members[stream]
                if clean:
                    self._clean = True
                else:
                    self._unclean.add(stream)
            if self._members or not self.location.ends_with_loaders:
                return
            _sessions.pop((self.location.name, self.launch), None)
        if not self._unclean:
            self.finish()

    def members(self) -> list[Member]:
        """The open Loaders."""
        with _lock:
            return list(self._members.values())

    @property
    def may_finish(self) -> bool:
        """Whether Loaders were open and all have closed cleanly."""
        with _lock:
            return self._clean and not self._unclean and not self._members

    def finish(self, at_exit: bool = False) -> None:
        """Tells the job that this rank is done. Idempotent; never raises for a lost job.

        at_exit: call from this thread, since an interpreter that exits starts no others
        """
        with _lock:
            finished, self.finished = self.finished, True
        if finished or self.generation is None:
            return
        try:
            if at_exit:
                self._report_finished(SpokenWait(self.who, _FINISH))
            else:
                in_background(self.who, _FINISH, self._report_finished)
        except (ConnectionError, RunFailedError) as lost:
            say(self.who, f"the job was not there to note that this rank is finished: {lost}")

    def check_unfinished(self) -> None:
        """Raises RunDoneError once this rank is finished."""
        if self.finished:
            raise RunDoneError(
                f"this process has finished its part of the run {self.location.name}: done() was "
                "called; open all Loaders before"
            )

    def _report_finished(self, wait: Wait) -> None:
        generation, rank = self.generation or 0, self.launch.rank
        request = {"generation": generation, "rank": rank}
        limit_s = self.retry_limit_s
        if self.location.has_closed(generation, rank) is None:
            limit_s = min(limit_s, _CLOSE_LIMIT_S)
        retry = Retry(limit_s, wait, self.location.name)
        while True:
            try:
                with _AnyServer(self) as server:
                    reply = server.call("close", request)
            except RunDoneError:
                return
            except ServerLostError as lost:
                # The job ends with the last rank, perhaps before that rank receives its answer.
                if self.location.has_closed(generation, rank):
                    return
                if self._heartbeat.is_missed:  # nothing is left to end with this rank
                    raise ConnectionLostError(str(lost)) from lost
                retry.lost("the end of this rank", lost)
                continue
            if "pending" not in reply:
                return
            retry.alive()
            wait.tell(str(reply["pending"]))
            retry.pause()


class _AnyServer:
    """Any server of a run that answers. Keeps its connection as the first to try."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._connection: Connection | None = None

    def __enter__(self) -> _AnyServer:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def call(self, verb: str, request: dict[str, Any]) -> dict[str, Any]:
        """Raises ServerLostError if none answers; the next call looks for another."""
        with self._connected() as connection:
            return connection.call_held(verb, request, _HELD_S)

    def call_held(
        self, verb: str, request: dict[str, Any], held_s: float, wait: Wait
    ) -> dict[str, Any]:
        """The same for a call that the server holds, for held_s or until the wait is cancelled."""
        name, back = uuid.uuid4().hex, threading.Event()
        named = {**request, "waitMs": round(1000 * held_s), "call": name}
        with (
            self._connected() as connection,
            wait.released_by(lambda: _release(connection, name, back)),
        ):
            try:
                return connection.call_held(verb, named, held_s)
            finally:
                back.set()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            yield self._newest()
        except ServerLostError:
            self.__exit__()
            raise

    def _newest(self) -> Connection:
        if self._connection is not None:
            known = [endpoint.uri for endpoint in self._session.location.endpoints()]
            if known[:1] == [self._connection.uri]:
                return self._connection
            self.__exit__()
        self._connection = self._session.connect_any()
        return self._connection


def _release(connection: Connection, name: str, back: threading.Event) -> None:
    """Ends a held call; sent more than once, since it may reach the server before that call."""
    with contextlib.suppress(ServerLostError, LockstepError):
        for _ in range(_RELEASES):
            connection.call("release", {"call": name})
            if back.wait(_RELEASE_EVERY_S):
                return


def join(location: RunLocation, launch: Launch, retry_limit_s: float) -> Session:
    """Returns this process's session with that run, created at the first call.

    Raises UsageError if an open Loader of the same run has another rank.
    """
    with _lock:
        others = [s for s in sessions() if s.location.name == location.name]
        for other in others:
            if other.launch != launch and other.members():
                known = other.launch
                raise UsageError(
                    f"this process already takes part in {location.name} as rank {known.rank} of "
                    f"{known.world_size} (launch {known.name}): open every Loader with the same "
                    "rank, world_size and launch, or close the others first"
                )
        for session in others:
            if session.launch == launch:
                session.check_unfinished()
                return session
        session = _sessions[location.name, launch] = Session(location, launch, retry_limit_s)
        return session


def sessions() -> list[Session]:
    """The sessions of this process; those that a fork has copied are not its own."""
    with _lock:
        return [session for session in _sessions.values() if session.pid == os.getpid()]
