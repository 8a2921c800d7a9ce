"""Pulls one rank's steps of one stream from the servers of its lanes."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lockstep.connection import Connection
from lockstep.consumed import Consumed, Receipts
from lockstep.errors import LockstepError, ProtocolError, RefusedError, RunFailedError
from lockstep.lane_digests import LaneDigests
from lockstep.plural import counted
from lockstep.protocol import ServerLostError
from lockstep.routing import RoutingTable, StreamInfo
from lockstep.session import Session
from lockstep.transport import Delivery, Identity, Pending, Transport, attach
from lockstep.waiting import Retry, Wait


@dataclass(frozen=True)
class _Route:
    """A server, and the lanes to request from it."""

    connection: Connection
    identity: Identity
    transport: Transport
    lanes: list[int]
    receipts: Receipts


@dataclass(frozen=True)
class Pulled:
    """The rows of a step in ascending lane order, in one or more parts."""

    parts: list[pa.RecordBatch]
    digests: LaneDigests
    """Empty if the job makes none."""


class Puller:
    """Pulls steps. Used by one thread at a time. Looks up the servers again when one is lost."""

    def __init__(
        self,
        session: Session,
        stream: StreamInfo,
        lanes: range,
        transport: str,
        retry_limit_s: float,
        consumed: Consumed,
    ) -> None:
        self._session = session
        self._stream = stream
        self._lanes = lanes
        self._retry_limit_s = retry_limit_s
        self._choice = transport
        self._consumed = consumed
        self._routes: list[_Route] = []

    def pull(self, epoch: int, step: int, up_to: int, wait: Wait) -> Pulled:
        """Returns the rows of the rank's lanes, valid until release.

        The job makes the steps up to up_to (exclusive) ahead; a value beyond the last step of the
        epoch continues into the next. Blocks while the step is not ready. Raises
        ConnectionLostError when no server answers any longer.
        """
        retry = Retry(self._retry_limit_s, wait, self._session.location.name)
        request = {"epoch": epoch, "step": step, "upTo": up_to}
        while True:
            wait.check()
            try:
                if not self._routes:
                    self._connect()
                got = [self._get(route, request, wait, retry) for route in self._routes]
                return self._in_lane_order(got)
            except ServerLostError as lost:
                self.disconnect()
                where = f"step {step} of epoch {epoch} of stream {self._stream.name!r}"
                retry.lost(where, lost)

    def release(self) -> None:
        """Releases the result of pull, after it was copied."""
        for route in self._routes:
            route.transport.release()

    def tell(self) -> None:
        """Reports consumed steps without requesting one; retries failed reports later."""
        for route in self._routes:
            news = route.receipts.news()
            if news:
                request = {**route.identity.fields(), "lanes": route.lanes, "waitMs": 0, **news}
                with contextlib.suppress(ServerLostError, LockstepError):
                    reply = route.connection.call("consumed", request)
                    route.receipts.answered(reply)
                    self._session.warn_unrecorded(reply)

    def check(self) -> None:
        """Asks the servers whether the job goes on, while no step is needed.

        Raises RunFailedError if it has failed.
        """
        for route in self._routes:
            try:
                with contextlib.suppress(ServerLostError):  # the next step looks for another
                    route.connection.check()
            except RunFailedError as failed:
                self._session.failure = failed
                raise

    def detach(self) -> None:
        """Tells the servers that this rank needs no further steps of the stream."""
        for route in self._routes:
            with contextlib.suppress(ServerLostError):  # a lost server holds nothing
                route.transport.detach()

    def disconnect(self) -> None:
        routes, self._routes = self._routes, []
        for route in routes:
            route.connection.close()

    def _connect(self) -> None:
        session = self._session
        first = session.connect_any()
        try:
            reply = first.call("routing", {})
        finally:
            first.close()
        if "pending" in reply:
            raise ServerLostError(str(reply["pending"]))
        table = RoutingTable.parse(reply)
        now = table.stream(self._stream.name)
        if now.fingerprint != self._stream.fingerprint:
            raise RefusedError(
                f"the servers of {session.location.name} now serve stream {now.name!r} in another "
                f"order (fingerprint {now.fingerprint}, not {self._stream.fingerprint}): another "
                "run has taken their place; start the trainers again"
            )
        if session.generation is None:
            raise ProtocolError("a step was asked for before the rank was registered")
        identity = Identity(session.generation, session.launch.rank, self._stream.name)
        for endpoint, lanes in table.holders(self._stream.name, self._lanes):
            connection = session.connect(endpoint)
            try:
                transport, slower = attach(connection, identity, self._stream.schema, self._choice)
            except BaseException:
                connection.close()
                raise
            receipts = Receipts(self._consumed, lanes)
            self._routes.append(_Route(connection, identity, transport, lanes, receipts))
            if slower:
                session.warn_once(f"batches come by Arrow Flight, not by shared memory: {slower}")

    def _get(self, route: _Route, request: dict[str, Any], wait: Wait, retry: Retry) -> Delivery:
        while True:
            wait.check()
            told = route.receipts.field()
            got = route.transport.get({**request, "lanes": route.lanes, **told})
            if not isinstance(got, Pending):
                break
            wait.tell(got.why)
            if route is self._routes[-1]:  # then all servers have answered
                retry.alive()
        route.receipts.answered(got.reply)
        self._session.warn_unrecorded(got.reply)
        if got.rows.num_rows != len(route.lanes) * self._stream.lane_rows:
            raise ProtocolError(
                f"the server sent {counted(got.rows.num_rows, 'row')} for "
                f"{counted(len(route.lanes), 'lane')} of {self._stream.lane_rows} of stream "
                f"{self._stream.name!r}"
            )
        return got

    def _in_lane_order(self, got: list[Delivery]) -> Pulled:
        routes = self._routes
        told = [(r.lanes, d.digests) for r, d in zip(routes, got, strict=True) if d.digests]
        try:
            digests = LaneDigests(*told)
        except ValueError as e:
            raise ProtocolError(f"the server sent digests that do not fit: {e}") from e
        if len(got) == 1:
            return Pulled([got[0].rows], digests)
        rows = self._stream.lane_rows
        by_lane = {
            lane: delivery.rows.slice(i * rows, rows)
            for route, delivery in zip(routes, got, strict=True)
            for i, lane in enumerate(route.lanes)
        }
        return Pulled([by_lane[lane] for lane in self._lanes], digests)
