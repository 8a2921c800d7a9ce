"""Flink's REST interface."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

from chaos import processes

_TIMEOUT_S = 20.0


class Rest:
    """Calls to one cluster. Each raises OSError if no server answers or the call is rejected."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path: str) -> Any:
        return self._send("GET", path, None, "application/json")

    def post(self, path: str, content: dict[str, Any]) -> Any:
        return self._send("POST", path, json.dumps(content).encode(), "application/json")

    def put(self, path: str, content: dict[str, Any]) -> Any:
        return self._send("PUT", path, json.dumps(content).encode(), "application/json")

    def upload(self, jar: Path) -> str:
        """The id of an uploaded jar."""
        mark = uuid.uuid4().hex
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="jarfile"; filename="{jar.name}"\r\n'
            "Content-Type: application/x-java-archive\r\n\r\n"
        )
        body = head.encode() + jar.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        reply = self._send("POST", "jars/upload", body, f"multipart/form-data; boundary={mark}")
        return str(reply["filename"]).rpartition("/")[2]

    def _send(self, method: str, path: str, body: bytes | None, kind: str) -> Any:
        request = urllib.request.Request(
            f"http://{self.address}/{path}", body, {"Content-Type": kind}, method=method
        )
        limit_s = _TIMEOUT_S * processes.crowd()
        try:
            with self._opener.open(request, timeout=limit_s) as reply:
                text = reply.read()
        except TimeoutError as e:
            raise OSError(f"{method} {path}: no answer in {limit_s:.0f} s") from e
        except urllib.error.HTTPError as e:
            with e:
                raise OSError(f"{method} {path}: {e.code} {e.read().decode()[:2000]}") from e
        return json.loads(text) if text else {}
