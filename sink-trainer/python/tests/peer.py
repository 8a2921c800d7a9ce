"""A hand-off server in Python, for faults that a healthy job cannot produce.

It speaks the protocol over real sockets and real shared memory; its batches come from a table in
memory, in canonical order.
"""

from __future__ import annotations

import base64
import json
import os
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight

from lockstep.digest import lane_digests
from lockstep.protocol import PROTOCOL

SLOTS = 3


@dataclass
class Stream:
    """A stream over a table: lane l has the l-th of equal ranges, and each step the next rows of
    it.

    lengths: the number of steps of the first epochs, the last also for all later ones; else each
        has the table's.
    """

    table: pa.Table
    lanes: int = 2
    batch: int = 8
    epochs: int = 1
    seed: int = 7
    fingerprint: str = "this"
    manifest: str = "m"
    lengths: tuple[int, ...] = ()

    @property
    def steps(self) -> int:
        return int(self.table.num_rows) // self.batch

    @property
    def schema(self) -> pa.Schema:
        return self.rows([0], 0).schema

    def rows(self, lanes: list[int], step: int) -> pa.RecordBatch:
        b = self.batch // self.lanes
        lane_rows = self.steps * b
        ids = [
            i
            for lane in lanes
            for i in range(lane * lane_rows + step * b, lane * lane_rows + step * b + b)
        ]
        taken = self.table.take(ids)
        taken = taken.append_column("_sample", pa.array(ids, pa.uint64()))
        taken = taken.append_column("_weight", pa.array([1] * len(ids), pa.uint8()))
        return taken.combine_chunks().to_batches()[0]

    def length(self, epoch: int) -> int:
        return self.lengths[min(epoch, len(self.lengths) - 1)] if self.lengths else self.steps

    def describe(self) -> dict[str, Any]:
        return {
            **({} if self.lengths else {"steps": self.steps}),
            "lanes": self.lanes,
            "batch": self.batch,
            "epochs": self.epochs,
            "seed": str(self.seed),
            "shuffle": "none",
            "tail": "drop",
            "window": 8,
            "schema": base64.b64encode(self.schema.serialize()).decode(),
            "fingerprint": self.fingerprint,
            "manifest": self.manifest,
            "transforms": "t",
        }


@dataclass
class Faults:
    """The peer's faults, by verb."""

    errors: dict[str, dict[str, str]] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    """Verbs that are not answered until they are released, or the peer stops."""
    no_shared_memory: bool = False
    refuse_shared_memory: str = ""
    digests: list[str] | None = None
    records: bool = True
    warning: str | None = None


class _TokenCheck(flight.ServerMiddlewareFactory):  # type: ignore[misc]
    def __init__(self, expected: str) -> None:
        super().__init__()
        self._expected = expected
        self.when_refused: Callable[[], object] = lambda: None

    def start_call(self, info: Any, headers: dict[str, list[str]]) -> None:
        if headers.get("authorization") != [self._expected]:
            self.when_refused()
            raise flight.FlightUnauthenticatedError("the call does not carry the token of this run")


class Peer(flight.FlightServerBase):  # type: ignore[misc]
    """One hand-off server of a run; several may share a run directory."""

    def __init__(
        self,
        run: Path,
        streams: dict[str, Stream],
        lanes: dict[str, list[int]] | None = None,
        subtask: int = 0,
        attempt: int = 0,
        memory: Path = Path("/dev/shm"),
    ) -> None:
        token = run / "token"
        if not token.exists():
            run.mkdir(parents=True, exist_ok=True)
            token.write_text(os.urandom(32).hex() + "\n")
        self.token = token.read_text().strip()
        self.check = _TokenCheck(f"Bearer {self.token}")
        super().__init__("grpc+tcp://127.0.0.1:0", middleware={"token": self.check})
        self.run = run
        self.streams = streams
        self.lanes = lanes or {n: list(range(s.lanes)) for n, s in streams.items()}
        self.faults = Faults()
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.receipts: list[dict[str, Any]] = []
        """The reports of consumed steps."""
        self._asked = threading.Condition()
        self.answering = threading.Event()
        """While it is not set, calls do not return."""
        self.answering.set()
        self._stopping = threading.Event()
        self._released: dict[str, threading.Event] = {}
        self.generation = 1
        self.committed: dict[str, Any] | None = None
        """The last request of a commit."""
        self.not_durable = ""
        """Why commits fail, if they do."""
        self.warning = ""
        """Names ranks that do not commit."""
        self._connections: dict[str, _Connection] = {}
        self._directory = tempfile.TemporaryDirectory(prefix="lockstep-test-", dir=memory)
        self._probe = Path(self._directory.name, "probe")
        self._probe.write_text(uuid.uuid4().hex)
        self._file = run / "sinks" / f"{subtask}.json"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._task = f"{subtask}-{attempt}"
        self._announcement = {
            "uri": f"grpc+tcp://127.0.0.1:{self.port}",
            "host": "localhost",
            "attempt": attempt,
            "task": self._task,
            "lanes": self.lanes,
        }
        aside = self._file.with_suffix(".new")
        aside.write_text(json.dumps(self._announcement))
        os.replace(aside, self._file)

    def become_another(self) -> None:
        """Acts as a server of another run that started at the address of this dead one."""
        self._task = "of another run"

    def stop(self) -> None:
        self._stopping.set()
        for held in self._released.values():
            held.set()
        self.shutdown()
        self._directory.cleanup()

    def seen(self, verb: str) -> list[dict[str, Any]]:
        with self._asked:
            return [request for name, request in self.requests if name == verb]

    def await_request(self, verb: str, timeout_s: float = 60, more_than: int = 0) -> None:
        """Waits until clients have sent more than that many of these requests."""
        with self._asked:
            assert self._asked.wait_for(
                lambda: [v for v, _ in self.requests].count(verb) > more_than, timeout_s
            )

    def do_action(self, context: Any, action: Any) -> list[bytes]:
        request = json.loads(action.body.to_pybytes())
        return [json.dumps(self._answer(action.type, request)).encode()]

    def do_get(self, context: Any, ticket: Any) -> Any:
        request = json.loads(ticket.ticket)
        fault = self._fault("get", request)
        stream = self.streams[request["stream"]]
        if fault is not None:
            batch, reply = stream.rows([0], 0).slice(0, 0), fault
        else:
            batch = stream.rows(request["lanes"], request["step"])
            digests = "".join(self._digests(request, batch))
            reply = {"rows": batch.num_rows, "digests": digests, **self._noted(request)}
        return flight.GeneratorStream(stream.schema, iter([(batch, json.dumps(reply).encode())]))

    def _fault(self, verb: str, request: dict[str, Any]) -> dict[str, Any] | None:
        with self._asked:
            self.requests.append((verb, request))
            self._asked.notify_all()
        self.answering.wait()
        if verb in self.faults.held:
            self._released.setdefault(request["call"], threading.Event()).wait()
            return {"pending": "released"}
        if verb in self.faults.errors:
            return {"error": self.faults.errors[verb]}
        why = self.faults.pending.get(verb)
        if why is not None:
            hold_s = request["waitMs"] / 1000 if verb == "get" else 0.1
            self._stopping.wait(hold_s)
            return {"pending": why}
        if request.get("task", self._task) != self._task:
            return {"error": {"code": "not-here", "message": "a server of another run is here"}}
        if request.get("protocol") != PROTOCOL:
            return {"error": {"code": "version", "message": f"the job speaks {PROTOCOL}"}}
        return None

    def _answer(self, verb: str, request: dict[str, Any]) -> dict[str, Any]:
        fault = self._fault(verb, request)
        if fault is not None:
            return fault
        reply: dict[str, Any] = getattr(self, "_" + verb)(request)
        return reply

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = {"protocol": PROTOCOL, "server": "0.1.0", "run": str(self.run)}
        if not self.faults.no_shared_memory:
            reply["shm"] = {"probe": str(self._probe), "nonce": self._probe.read_text()}
        return reply

    def _routing(self, request: dict[str, Any]) -> dict[str, Any]:
        endpoints = [json.loads(f.read_text()) for f in self._file.parent.glob("*.json")]
        return {
            "streams": {n: s.describe() for n, s in self.streams.items()},
            "endpoints": endpoints,
        }

    def _epochs(self, request: dict[str, Any]) -> dict[str, Any]:
        stream = self.streams[request["stream"]]
        epochs = range(request["from"], request["from"] + request["count"])
        return {
            "epochs": [
                {
                    "epoch": epoch,
                    "first": sum(stream.length(before) for before in range(epoch)),
                    "steps": stream.length(epoch),
                }
                for epoch in epochs
            ]
        }

    def _register(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"generation": self.generation}

    def _release(self, request: dict[str, Any]) -> dict[str, Any]:
        self._released.setdefault(request["call"], threading.Event()).set()
        return {}

    def _start(self, request: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _commit(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.not_durable:
            return {"durable": False, "complete": False, "why": self.not_durable}
        self.committed = request
        return {"durable": True, "complete": True, **self._warned()}

    def _resume(self, request: dict[str, Any]) -> dict[str, Any]:
        kept = ("generation", "state", "generators")
        found = {name: self.committed[name] for name in kept} if self.committed else {}
        return {**found, **self._warned()}

    def _warned(self) -> dict[str, Any]:
        return {"warning": self.warning} if self.warning else {}

    def _note(self, request: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _attach(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.faults.refuse_shared_memory:
            return {"transport": "flight", "reason": self.faults.refuse_shared_memory}
        name = uuid.uuid4().hex
        self._connections[name] = _Connection(Path(self._directory.name, name))
        return {"connection": name}

    def _get(self, request: dict[str, Any]) -> dict[str, Any]:
        connection = self._connections.get(request["connection"])
        if connection is None:
            return {"error": {"code": "unknown-connection", "message": "attach first"}}
        if not set(request["lanes"]) <= set(self.lanes[request["stream"]]):
            return {"error": {"code": "not-here", "message": "those lanes are elsewhere"}}
        batch = self.streams[request["stream"]].rows(request["lanes"], request["step"])
        digests = bytes.fromhex("".join(self._digests(request, batch)))
        return {**connection.put(batch, digests, request["free"]), **self._noted(request)}

    def _digests(self, request: dict[str, Any], batch: pa.RecordBatch) -> list[str]:
        if self.faults.digests is not None:
            return self.faults.digests
        stream = self.streams[request["stream"]]
        return lane_digests(batch, stream.batch // stream.lanes)

    def _noted(self, request: dict[str, Any]) -> dict[str, Any]:
        if "consumed" not in request:
            return {}
        steps = request["consumed"]["steps"]
        self.receipts += [{**step, "lanes": request["lanes"]} for step in steps]
        numbers = [step["number"] for step in self.receipts]
        recorded = max(numbers) if self.faults.records and numbers else -1
        warning = self.faults.warning
        return {"recorded": recorded, **({"warning": warning} if warning else {})}

    def _consumed(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._noted(request)

    def _detach(self, request: dict[str, Any]) -> dict[str, Any]:
        return {}

    def _close(self, request: dict[str, Any]) -> dict[str, Any]:
        return {}


class _Connection:
    """A file of slots, each free or held by the client."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._slot_bytes = 1 << 20
        self._free = list(range(SLOTS))
        path.write_bytes(bytes(SLOTS * self._slot_bytes))

    def put(self, batch: pa.RecordBatch, digests: bytes, free: list[int]) -> dict[str, Any]:
        self._free += free
        slot = self._free.pop(0)  # a client that does not free its slots fails here
        message = batch.serialize().to_pybytes()
        with self._path.open("r+b") as file:
            # A client that still reads a slot after freeing it gets other data.
            for unused in self._free:
                file.seek(unused * self._slot_bytes)
                file.write(b"\xff" * (len(message) + len(digests)))
            file.seek(slot * self._slot_bytes)
            file.write(message + digests)
        return {
            "file": str(self._path),
            "slot": slot,
            "offset": slot * self._slot_bytes,
            "length": len(message),
            "rows": batch.num_rows,
            **({"digests": len(digests)} if digests else {}),
        }


@contextmanager
def serving(run: Path, streams: dict[str, Stream], **options: Any) -> Iterator[Peer]:
    peer = Peer(run, streams, **options)
    try:
        yield peer
    finally:
        peer.stop()
