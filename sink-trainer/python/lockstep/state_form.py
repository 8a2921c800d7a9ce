"""Checks that a value is a complete state of a Loader, of any run."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from lockstep.errors import StateMismatchError, UsageError

FORMAT = 1

ORDER = ("seed", "lanes", "batch", "window", "shuffle", "tail")
_NAMES = ("stream", "order", "manifest", "columns", "transforms", "run", "skip_steps")
_COUNTS = ("epoch", "step", "world_size")


def check_form(state: Mapping[str, Any]) -> None:
    """Raises UsageError if it is not, or is damaged, and StateMismatchError for another format."""
    if not isinstance(state, Mapping) or "format" not in state:
        raise UsageError("this is not a state of a Loader: give what its state_dict() returned")
    if state["format"] != FORMAT:
        raise StateMismatchError(
            f"the state has format {state['format']}, this release reads {FORMAT}: install the "
            "release that wrote it"
        )
    for name in (*_NAMES, *_COUNTS):
        if name not in state:
            raise _damaged(f"it has no {name!r}")
    for name in _COUNTS:
        if not _is_count(state[name]):
            raise _damaged(f"its {name!r} is {state[name]!r}")
    order = state["order"]
    if not isinstance(order, Mapping) or not all(name in order for name in ORDER):
        raise _damaged(f"its 'order' is {order!r}")
    if not all(_is_position(skipped) for skipped in state["skip_steps"]):
        raise _damaged(f"its 'skip_steps' is {state['skip_steps']!r}")


def _is_count(value: Any) -> bool:
    try:
        return operator.index(value) >= 0
    except TypeError:
        return False


def _is_position(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(map(_is_count, value))


def _damaged(what: str) -> UsageError:
    return UsageError(
        f"this is not a whole state of a Loader: {what}; give what its state_dict() returned"
    )
