"""What this process shows to the servers of a run: the run's token."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lockstep.errors import UsageError
from lockstep.routing import RunLocation

_FORM = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Credentials:
    """The token is None where the run has none yet; the servers then say what to set.

    is_given: whether the environment gives the token, not the run directory
    ca: a file of certificates to verify servers by, whatever file they name
    """

    token: str | None = field(repr=False)
    is_given: bool = False
    ca: str | None = None

    def certificates(self, named: str | None) -> bytes | None:
        """What to verify a server by that names this file. None for the system's certificates."""
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
        """What each call carries."""
        if self.token is None:
            return []
        return [(b"authorization", b"Bearer " + self.token.encode())]


def find_credentials(location: RunLocation, env: Mapping[str, str] = os.environ) -> Credentials:
    """LOCKSTEP_TOKEN, else LOCKSTEP_TOKEN_FILE, else the file of the run directory.

    Raises UsageError where what is found is not a token, or cannot be read.
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
    """Does not repeat what it was given."""
    digits = text.strip()
    if not _FORM.fullmatch(digits):
        raise UsageError(
            f"{where} does not hold a token of 64 hexadecimal digits: copy the content of the file "
            "'token' in the run directory"
        )
    return digits
