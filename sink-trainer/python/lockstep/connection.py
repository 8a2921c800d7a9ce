"""A connection to one hand-off server."""

from __future__ import annotations

from typing import Any

import pyarrow.flight as flight

from lockstep import protocol
from lockstep.credentials import Credentials

# For verbs that the server answers without waiting.
ANSWER_TIMEOUT_S = 5.0
# Added to the time for which the server may hold a call.
_GRACE_S = 10.0


class Connection:
    """Greets the server at construction. Raises ServerLostError, TokenRefusedError or VersionError.

    Thread-safe, as FlightClient is.

    task: the task whose server is meant. If that server is dead, another one, perhaps of another
        run, may listen at its address, and the channel would connect to it. None if only the
        address is known.
    ca: the path of the CA certificates that the server announces
    watch: whether to learn from the server why its job has failed: it then stays for some seconds,
        and check tells
    """

    def __init__(
        self,
        uri: str,
        task: str | None,
        credentials: Credentials,
        ca: str | None = None,
        watch: bool = False,
    ) -> None:
        self.uri = uri
        self.addressed: dict[str, Any] = {} if task is None else {"task": task}
        """The fields that every request carries."""
        self._headers = credentials.headers()
        self._client = protocol.connect(uri, credentials.certificates(ca))
        try:
            self._hello = {"client": protocol.CLIENT, **({"watch": True} if watch else {})}
            hello = self.check()
        except BaseException:
            self._client.close()
            raise
        self.shares_memory = _shares_memory(hello.get("shm"))

    def check(self) -> dict[str, Any]:
        """Greets the server. Raises RunFailedError if its job has failed permanently."""
        return self.call("hello", self._hello)

    @property
    def client(self) -> flight.FlightClient:
        return self._client

    def options(self, timeout_s: float) -> flight.FlightCallOptions:
        """The options of each call: its timeout and the token."""
        return flight.FlightCallOptions(timeout=timeout_s, headers=self._headers)

    def call(
        self, verb: str, request: dict[str, Any], timeout_s: float = ANSWER_TIMEOUT_S
    ) -> dict[str, Any]:
        addressed = {**self.addressed, **request}
        return protocol.call(self._client, verb, addressed, self.options(timeout_s))

    def call_held(self, verb: str, request: dict[str, Any], held_s: float) -> dict[str, Any]:
        """Calls a verb whose answer the server may hold back."""
        return self.call(verb, request, held_s + _GRACE_S)

    def close(self) -> None:
        self._client.close()


def _shares_memory(shm: object) -> bool:
    """Whether this process shares the server's /dev/shm: only then the probe file has the nonce.

    Equal host names prove nothing: each container of a host may have memory of its own.
    """
    if not isinstance(shm, dict) or not shm.get("probe") or not shm.get("nonce"):
        return False
    try:
        with open(shm["probe"], encoding="utf-8") as probe:
            return probe.read(1024).strip() == str(shm["nonce"])
    except (OSError, UnicodeDecodeError):
        return False
