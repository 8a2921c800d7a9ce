"""The credentials that this process presents to the servers of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lockstep.errors import UsageError
from lockstep.location import RunLocation

_FORM = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Credentials:
    """The token is None if the run has none yet; the servers then say what to set.

    is_given: whether the token comes from the environment, not from the run directory
    ca: the path of CA certificates that overrides the path that a server announces
    """

    token: str | None = field(repr=False)
    is_given: bool = False
    ca: str | None = None

    def certificates(self, named: str | None) -> bytes | None:
        """The CA certificates for a server that announces this path. None for the system's."""
        file = self.ca or named
        if file is None:
            return None
        try:
            with open(file, "rb") as certificates:
                return certificates.read()
        except OSError as e:
            raise UsageError(
                f"the certificates of the servers cannot be read: {e}; set LOCKSTEP_TLS_CA to a "
                "file of this host"
            ) from e

    def headers(self) -> list[tuple[bytes, bytes]]:
        """The headers of each call."""
        if self.token is None:
            return []
        return [(b"authorization", b"Bearer " + self.token.encode())]


def find_credentials(location: RunLocation, env: Mapping[str, str] = os.environ) -> Credentials:
    """Finds LOCKSTEP_TOKEN, else LOCKSTEP_TOKEN_FILE, else the file of the run directory.

    Raises UsageError if the token is malformed or cannot be read.
    """
    ca = env.get("LOCKSTEP_TLS_CA") or None
    if env.get("LOCKSTEP_TOKEN"):
        return Credentials(_parse(env["LOCKSTEP_TOKEN"], "the variable LOCKSTEP_TOKEN"), True, ca)
    file = env.get("LOCKSTEP_TOKEN_FILE")
    if file:
        try:
            with open(file, encoding="utf-8", errors="replace") as given:
                return Credentials(_parse(given.read(1024), f"the file {file}"), True, ca)
        except OSError as e:
            raise UsageError(f"LOCKSTEP_TOKEN_FILE: {e}") from e
    text = location.token()
    return Credentials(None if text is None else _parse(text, f"{location.name}/token"), ca=ca)


def _parse(text: str, where: str) -> str:
    """Parses a token; its errors do not repeat the text."""
    digits = text.strip()
    if not _FORM.fullmatch(digits):
        raise UsageError(
            f"{where} does not hold a token of 64 hexadecimal digits: copy the content of the file "
            "'token' in the run directory"
        )
    return digits
