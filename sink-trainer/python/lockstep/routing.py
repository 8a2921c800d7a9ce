"""The lanes that each server holds, and the settings of the streams."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lockstep.errors import ProtocolError, UnknownStreamError, UsageError
from lockstep.location import Endpoint
from lockstep.plural import counted
from lockstep.protocol import ServerLostError
from lockstep.suggest import nearest


@dataclass(frozen=True)
class StreamInfo:
    """One stream of the run: its order's settings and its batches' schema."""

    name: str
    lanes: int
    batch: int
    steps: int | None
    """Of each epoch; None if the number varies between epochs."""
    epochs: int
    seed: int
    window: int
    shuffle: str
    tail: str
    schema: pa.Schema
    fingerprint: str
    manifest: str
    transforms: str

    @staticmethod
    def parse(name: str, content: Mapping[str, Any]) -> StreamInfo:
        try:
            schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(content["schema"])))
            return StreamInfo(
                name,
                int(content["lanes"]),
                int(content["batch"]),
                int(content["steps"]) if "steps" in content else None,
                int(content["epochs"]),
                int(content["seed"]),
                int(content["window"]),
                str(content["shuffle"]),
                str(content["tail"]),
                schema,
                str(content.get("fingerprint", "")),
                str(content["manifest"]),
                str(content["transforms"]),
            )
        except (KeyError, ValueError, TypeError, pa.ArrowException) as e:
            raise ProtocolError(f"the server's description of stream {name!r} is wrong: {e}") from e

    @property
    def lane_rows(self) -> int:
        """The number of rows of a lane in each step."""
        return self.batch // self.lanes

    def world_sizes(self) -> list[int]:
        """The world sizes with batches of equal size on all ranks."""
        return [world for world in range(1, self.lanes + 1) if self.lanes % world == 0]

    def rank_lanes(self, rank: int, world: int, allow_uneven: bool = False) -> range:
        """Returns the lanes that a rank owns, ascending."""
        if world > self.lanes or (self.lanes % world and not allow_uneven):
            permitted = ", ".join(map(str, self.world_sizes()))
            hint = (
                ""
                if world > self.lanes
                else ", or allow batches of unequal size by allow_uneven=True"
            )
            raise UsageError(
                f"stream {self.name!r} has {counted(self.lanes, 'lane')}, which {world} ranks "
                f"cannot share evenly: start {permitted} "
                f"{'rank' if self.lanes == 1 else 'ranks'}{hint}"
            )
        return range(rank * self.lanes // world, (rank + 1) * self.lanes // world)


@dataclass(frozen=True)
class RoutingTable:
    """A server's view of the whole run."""

    streams: Mapping[str, StreamInfo]
    endpoints: Sequence[Endpoint]

    @staticmethod
    def parse(content: Mapping[str, Any]) -> RoutingTable:
        try:
            streams = {n: StreamInfo.parse(n, s) for n, s in content["streams"].items()}
            endpoints = [Endpoint.parse(e) for e in content["endpoints"]]
        except (KeyError, ValueError, TypeError, AttributeError) as e:
            raise ProtocolError(f"the server's routing table is wrong: {e}") from e
        return RoutingTable(streams, endpoints)

    def stream(self, name: str) -> StreamInfo:
        if name not in self.streams:
            raise UnknownStreamError(
                f"this run has no stream {name!r}{nearest(name, self.streams)}; its streams are "
                + ", ".join(map(repr, sorted(self.streams)))
            )
        return self.streams[name]

    def holders(self, stream: str, lanes: Sequence[int]) -> list[tuple[Endpoint, list[int]]]:
        """Returns the servers of those lanes with the ascending lanes of each.

        If two claim a lane, the later attempt holds it. Raises ServerLostError if none does.
        """
        holder: dict[int, Endpoint] = {}
        for endpoint in sorted(self.endpoints, key=lambda e: e.attempt):
            for lane in (endpoint.lanes or {}).get(stream, ()):
                holder[lane] = endpoint
        missing = [lane for lane in lanes if lane not in holder]
        if missing:
            raise ServerLostError(f"no server holds lane {missing[0]} of stream {stream!r} yet")
        by_uri: dict[str, tuple[Endpoint, list[int]]] = {}
        for lane in lanes:
            by_uri.setdefault(holder[lane].uri, (holder[lane], []))[1].append(lane)
        return list(by_uri.values())
