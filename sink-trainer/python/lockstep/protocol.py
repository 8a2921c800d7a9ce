"""The hand-off protocol, version 4: JSON in Arrow Flight actions, and what its errors mean."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight

from lockstep import errors
from lockstep.version import __version__

PROTOCOL = 4
CLIENT = f"lockstep-python {__version__}"

# These two columns follow the user columns of a batch.
SAMPLE_COLUMN = "_sample"
WEIGHT_COLUMN = "_weight"

_ERRORS: dict[str, type[errors.LockstepError]] = {
    "version": errors.VersionError,
    "fenced": errors.FencedError,
    "unknown-stream": errors.UnknownStreamError,
    "refused": errors.RefusedError,
    "done": errors.RunDoneError,
    "failed": errors.RunFailedError,
    "bad-request": errors.ProtocolError,
}

# Errors of a server that is alive but not, or no longer, the one to ask.
_MOVED = frozenset({"not-here", "unknown-connection"})

# gRPC shares connections between clients of one address, with a back-off that grows to minutes. A
# separate client with a short back-off reconnects to a restarted server at once. The pull is local
# traffic, so it ignores the environment's proxy.
_CHANNEL_OPTIONS = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
]

_ENCODER = json.JSONEncoder(separators=(",", ":"))


class ServerLostError(Exception):
    """The server is gone, hangs, or no longer holds the lanes.

    Internal: callers look the server up again and give up with ConnectionLostError.
    """


class TokenRefusedError(ServerLostError):
    """The server does not accept the token: it has another one, or belongs to another run.

    Internal: a restart of the job may have replaced the token.
    """


def connect(uri: str, certificates: bytes | None) -> flight.FlightClient:
    """Returns a client of the server at that address; it connects at its first call.

    certificates: CA certificates to verify the server by, instead of the system's
    """
    return flight.FlightClient(uri, tls_root_certs=certificates, generic_options=_CHANNEL_OPTIONS)


def encode(request: dict[str, Any]) -> bytes:
    return _ENCODER.encode({"protocol": PROTOCOL, **request}).encode()


def decode(body: bytes) -> dict[str, Any]:
    """Returns the reply, or raises the error that it carries."""
    try:
        reply = json.loads(body)
    except ValueError as e:
        raise errors.ProtocolError(f"the server answered with something else than JSON: {e}") from e
    if not isinstance(reply, dict):
        raise errors.ProtocolError(f"the server answered {reply!r} instead of a JSON object")
    if "error" in reply:
        _raise(reply["error"])
    return reply


def _raise(error: dict[str, Any]) -> None:
    code, message = str(error.get("code")), str(error.get("message"))
    if code in _MOVED:
        raise ServerLostError(message)
    raise _ERRORS.get(code, errors.ProtocolError)(message)


def call(
    client: flight.FlightClient,
    verb: str,
    request: dict[str, Any],
    options: flight.FlightCallOptions,
) -> dict[str, Any]:
    """Calls one control verb. Blocks for at most the timeout of the options."""
    with translated():
        results = list(client.do_action(flight.Action(verb, encode(request)), options))
    if len(results) != 1:
        raise errors.ProtocolError(f"the server gave {len(results)} results for {verb!r}, not one")
    return decode(results[0].body.to_pybytes())


class translated:  # noqa: N801 - reads as a phrase: with translated(): ...
    """Turns Flight's exceptions into ServerLostError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, pa.ArrowNotImplementedError):
            raise errors.ProtocolError(
                f"the server at that address does not speak the hand-off protocol: {error}"
            ) from error
        if isinstance(error, flight.FlightUnauthenticatedError):
            raise TokenRefusedError(_first_line(error)) from error
        if isinstance(error, (flight.FlightError, pa.ArrowException, OSError)):
            raise ServerLostError(_first_line(error)) from error


def _first_line(error: BaseException) -> str:
    """The error's own message, without the text that gRPC and Arrow add."""
    text = str(error).strip().splitlines()
    if not text:
        return type(error).__name__
    line = text[0].partition(". gRPC client debug context")[0]
    for before in ("with message: ", "last error: ", "UNKNOWN: "):
        line = line.rpartition(before)[2]
    return line
