"""The two transports from server to process: shared memory and Arrow Flight."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.flight as flight

from lockstep import protocol
from lockstep.connection import Connection
from lockstep.errors import ProtocolError, UsageError
from lockstep.protocol import ServerLostError

CHOICES = ("auto", "shm", "flight")

# How long a server holds a request for a step that is not ready. Also bounds how long a process
# that ends waits for its fetching thread.
WAIT_MS = 1000


@dataclass(frozen=True)
class Pending:
    """The step is not ready, and why."""

    why: str


@dataclass(frozen=True)
class Delivery:
    """The rows of one step of some lanes, and the reply that carried them.

    digests: of the requested lanes, concatenated; empty if the job makes none
    """

    rows: pa.RecordBatch
    digests: bytes
    reply: Mapping[str, Any]


@dataclass(frozen=True)
class Identity:
    """The consumer whose steps a transport fetches."""

    generation: int
    rank: int
    stream: str

    def fields(self) -> dict[str, Any]:
        return {"generation": self.generation, "rank": self.rank, "stream": self.stream}


class Transport(Protocol):
    """Used by one thread. The result of get is valid until release."""

    def get(self, request: dict[str, Any]) -> Delivery | Pending:
        """Returns one step of some lanes. Blocks for about WAIT_MS at most."""

    def release(self) -> None:
        """Releases the batches that get returned, after they were copied."""

    def detach(self) -> None:
        """Tells the server that the rank needs no further steps of this stream."""


class SharedMemory:
    """Maps the connection's file once and reads batches in place."""

    def __init__(
        self, connection: Connection, identity: Identity, name: str, schema: pa.Schema
    ) -> None:
        self._connection = connection
        self._fixed = {**identity.fields(), "connection": name, "waitMs": WAIT_MS}
        self._schema = schema
        self._path = ""
        self._memory: pa.Buffer | None = None
        self._held: list[int] = []
        self._free: list[int] = []

    def get(self, request: dict[str, Any]) -> Delivery | Pending:
        reply = self._connection.call_held(
            "get", {**self._fixed, **request, "free": self._free}, WAIT_MS / 1000
        )
        self._free = []
        if "pending" in reply:
            return Pending(str(reply["pending"]))
        try:
            path, slot = reply["file"], int(reply["slot"])
            offset, length = int(reply["offset"]), int(reply["length"])
            digest_bytes = int(reply.get("digests", 0))
        except (KeyError, ValueError, TypeError) as e:
            raise ProtocolError(f"the server's reply to get is wrong: {e}: {reply}") from e
        self._held.append(slot)
        memory = self._map(path)
        rows = pa.ipc.read_record_batch(memory.slice(offset, length), self._schema)
        digests = memory.slice(offset + length, digest_bytes).to_pybytes()
        return Delivery(rows, digests, reply)

    def _map(self, path: str) -> pa.Buffer:
        if path != self._path or self._memory is None:
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError as e:
                raise ServerLostError(f"the shared memory {path} cannot be opened: {e}") from e
            try:
                # Maps all pages at once: they exist already, and faults would slow the first steps.
                memory = mmap.mmap(
                    descriptor,
                    0,
                    flags=mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0),
                    prot=mmap.PROT_READ,
                )
            finally:
                os.close(descriptor)
            self._path, self._memory = path, pa.py_buffer(memory)
        return self._memory

    def release(self) -> None:
        self._free += self._held
        self._held = []

    def detach(self) -> None:
        self._connection.call("detach", self._fixed)


class Flight:
    """Receives batches over Arrow Flight."""

    def __init__(self, connection: Connection, identity: Identity) -> None:
        self._connection = connection
        self._fixed = {**connection.addressed, **identity.fields(), "waitMs": WAIT_MS}

    def get(self, request: dict[str, Any]) -> Delivery | Pending:
        ticket = flight.Ticket(protocol.encode({**self._fixed, **request}))
        options = self._connection.options(WAIT_MS / 1000 + 30)
        with protocol.translated():
            reader = self._connection.client.do_get(ticket, options)
            try:
                chunk = reader.read_chunk()
            except StopIteration:
                raise ServerLostError("the server ended the transfer without a batch") from None
            with contextlib.suppress(StopIteration):  # dropping the reader earlier cancels
                reader.read_chunk()
        if chunk.app_metadata is None:
            raise ProtocolError("the server sent a batch without the protocol's metadata")
        reply = protocol.decode(chunk.app_metadata.to_pybytes())
        if "pending" in reply:
            return Pending(str(reply["pending"]))
        if chunk.data is None:
            raise ProtocolError(f"the server sent no batch with its reply {json.dumps(reply)}")
        try:
            digests = bytes.fromhex(reply.get("digests", ""))
        except (ValueError, TypeError) as e:
            raise ProtocolError(f"the server sent digests that are none: {e}") from e
        return Delivery(chunk.data, digests, reply)

    def release(self) -> None:
        return None

    def detach(self) -> None:
        self._connection.call("detach", self._fixed)


def attach(
    connection: Connection, identity: Identity, schema: pa.Schema, choice: str
) -> tuple[Transport, str | None]:
    """Returns the transport to use, and the reason if it is a slower one than requested.

    choice is one of CHOICES. Raises UsageError if shared memory was required but is not shared.
    """
    if choice == "flight":
        return Flight(connection, identity), None
    if not connection.shares_memory:
        if choice == "shm":
            raise UsageError(
                f"transport='shm', but the server {connection.uri} shares no memory with this "
                "process: run it on the server's host (containers with one /dev/shm), or leave "
                "transport out"
            )
        return Flight(connection, identity), None
    reply = connection.call("attach", {**identity.fields(), "transport": "shm"})
    if "pending" in reply:
        raise ServerLostError(str(reply["pending"]))
    if reply.get("transport") == "flight":
        return Flight(connection, identity), str(reply.get("reason", "the server chose so"))
    return SharedMemory(connection, identity, str(reply["connection"]), schema), None
