"""A rank's requests to the job's coordinator: its start, its commits and its notes."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping
from typing import Any

from lockstep.epochs import Position
from lockstep.errors import RefusedError, StartTimeoutError, UsageError
from lockstep.session import Session
from lockstep.waiting import say


class Ledger:
    """The coordinator's verbs for one rank and stream. Every call waits for the answer."""

    def __init__(self, session: Session, stream: str) -> None:
        self._session = session
        self._stream = stream
        self._warned = False

    def start(self, agreement: Mapping[str, str], timeout_s: float) -> None:
        """Waits for all ranks.

        Raises RefusedError if they disagree, or if one is done; they may try again. Raises
        StartTimeoutError after timeout_s.
        """
        rounds = self._session.start_rounds
        request = {"round": rounds[self._stream] + 1, "agreement": agreement}
        what = f"the other ranks to start stream {self._stream!r}"
        try:
            self._ask(what, "start", request, timeout_s)
        except TimeoutError as late:
            raise StartTimeoutError(
                f"stream {self._stream!r} was not started by all ranks: {late}. All ranks start it "
                "together, by epochs(), set_epoch() or load_state_dict(); open the Loader with "
                "alone=True on ranks that read it by themselves, or wait longer with "
                "start_timeout_s="
            ) from None
        except RefusedError:
            rounds[self._stream] += 1
            raise
        rounds[self._stream] += 1

    def commit(self, state: Mapping[str, Any]) -> bool:
        """Returns whether the state is durable in the run directory; prints why if it is not.

        Raises UsageError if JSON cannot represent it.
        """
        for name, value in state.items():
            _check_json(name, value)
        common = {name: value for name, value in state.items() if name != "rng"}
        request = {
            "epoch": state["epoch"],
            "step": state["step"],
            "state": common,
            "generators": state.get("rng"),
        }
        what = f"the commit of epoch {state['epoch']}, step {state['step']}"
        reply = self._ask(what, "commit", request)
        self._warn(reply)
        durable = bool(reply.get("durable", True))
        if not durable:
            say(self._session.who, f"{what} is not durable: {reply.get('why')}")
        return durable

    def newest(self) -> dict[str, Any] | None:
        """Returns the newest state that all ranks have committed."""
        reply = self._ask("the newest committed state", "resume", {})
        self._warn(reply)
        state = reply.get("state")
        if state is None:
            return None
        rng = reply.get("generators")
        return {**state, "rng": rng} if rng is not None else dict(state)

    def note(self, position: Position, text: str) -> None:
        """Writes to the run's log."""
        request = {"epoch": position[0], "step": position[1], "text": text}
        self._ask("the run's log", "note", request)

    def _warn(self, reply: Mapping[str, Any]) -> None:
        """Warns once that other ranks do not commit."""
        if reply.get("warning") is not None and not self._warned:
            self._warned = True
            warnings.warn(str(reply["warning"]), stacklevel=4)

    def _ask(
        self, what: str, verb: str, request: dict[str, Any], at_most_s: float = math.inf
    ) -> dict[str, Any]:
        session = self._session
        named = {
            "generation": session.generation,
            "rank": session.launch.rank,
            "stream": self._stream,
        }
        return session.ask(what, verb, {**named, **request}, at_most_s)


def _check_json(name: str, value: object) -> None:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        raise UsageError(
            f"the state's {name!r} is a {type(value).__name__}, which a commit cannot hold: it "
            "takes what JSON does, the path of a model's checkpoint for instance, not the model"
        ) from None
