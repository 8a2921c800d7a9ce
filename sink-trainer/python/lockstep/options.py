"""Checks of a Loader's arguments that need no job."""

from __future__ import annotations

import os
from collections.abc import Collection

from lockstep import verify as verification
from lockstep.errors import UsageError
from lockstep.transport import CHOICES

RETRY_LIMIT_S = 120.0
START_TIMEOUT_S = 300.0


def check_options(
    stream: str,
    masks: Collection[str],
    nulls: str,
    prefetch: int,
    ahead: int,
    transport: str,
    verify: str,
) -> None:
    """Raises UsageError, with what to use instead."""
    if not isinstance(stream, str):
        raise UsageError(f"a Loader takes the name of a stream, such as 'train', not {stream!r}")
    if isinstance(masks, str):
        raise UsageError(f"masks={masks!r} is one string: give a set of columns, {{{masks!r}}}")
    if nulls not in ("error", "mask"):
        raise UsageError(f"nulls={nulls!r}: say 'error' or 'mask'")
    if prefetch < 1:
        raise UsageError(f"prefetch={prefetch}: at least 1 batch must be held ready")
    if ahead < 1:
        raise UsageError(f"ahead={ahead}: the job must make at least 1 step at a time")
    if transport not in CHOICES:
        raise UsageError(f"transport={transport!r}: say one of {', '.join(map(repr, CHOICES))}")
    if verify not in verification.CHOICES:
        choices = ", ".join(map(repr, verification.CHOICES))
        raise UsageError(f"verify={verify!r}: say one of {choices}")


def retry_limit(given: float | None) -> float:
    """The argument, else LOCKSTEP_RETRY_LIMIT_S, else 120 seconds."""
    text = os.environ.get("LOCKSTEP_RETRY_LIMIT_S")
    if given is None and text:
        try:
            given = float(text)
        except ValueError:
            raise UsageError(
                f"LOCKSTEP_RETRY_LIMIT_S={text!r} is not a number of seconds"
            ) from None
    limit = RETRY_LIMIT_S if given is None else given
    if not limit >= 0:
        raise UsageError(f"retry_limit_s={limit}: the limit cannot be negative")
    return limit
