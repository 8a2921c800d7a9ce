"""The worker's end of the socket."""

from __future__ import annotations

import json
import os
import socket
import struct
from typing import Any

import pyarrow as pa

_LENGTH = struct.Struct(">I")


class Channel:
    """Sends and receives frames. A process that was forked from this one cannot send."""

    def __init__(self, path: str) -> None:
        self._owner = os.getpid()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._input = self._socket.makefile("rb", buffering=1 << 16)
        self._output = self._socket.makefile("wb", buffering=1 << 16)

    def receive(self) -> dict[str, Any] | None:
        """The next frame; None once the job has closed the socket."""
        length = self._input.read(_LENGTH.size)
        if len(length) < _LENGTH.size:
            return None
        frame: dict[str, Any] = json.loads(self._input.read(_LENGTH.unpack(length)[0]))
        return frame

    def receive_rows(self) -> pa.RecordBatch:
        """The rows of the frame that was received last."""
        with pa.ipc.open_stream(self._input) as stream:
            rows = stream.read_next_batch()
            for _ in stream:  # up to the end of the stream
                raise ValueError("a stream of rows has more than one batch")
        return rows

    def send(self, frame: dict[str, Any], rows: pa.RecordBatch | None = None) -> None:
        if os.getpid() != self._owner:
            # A function forked, and its child came back.
            os._exit(1)
        text = json.dumps(frame).encode()
        self._output.write(_LENGTH.pack(len(text)) + text)
        if rows is not None:
            with pa.ipc.new_stream(self._output, rows.schema) as stream:
                stream.write_batch(rows)
        self._output.flush()
