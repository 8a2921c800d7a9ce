"""A rank's requests to the job's coordinator: its start, its commits and its notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lockstep.epochs import Position
from lockstep.errors import RefusedError, UsageError
from lockstep.session import Session
from lockstep.waiting import say


class Ledger:
    """The coordinator's verbs for one rank and stream. Every call waits for the answer."""

    def __init__(self, session: Session, stream: str) -> None:
        self._session = session
        self._stream = stream

    def start(self, agreement: Mapping[str, str]) -> None:
        """Waits for all ranks. Raises RefusedError if they disagree; they may try again."""
        rounds = self._session.start_rounds
        request = {"round": rounds[self._stream] + 1, "agreement": agreement}
        what = f"the other ranks to start stream {self._stream!r}"
        try:
            self._ask(what, "start", request)
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
        durable = bool(reply.get("durable", True))
        if not durable:
            say(self._session.who, f"{what} is not durable: {reply.get('why')}")
        return durable

    def newest(self) -> dict[str, Any] | None:
        """Returns the newest state that all ranks have committed."""
        reply = self._ask("the newest committed state", "resume", {})
        state = reply.get("state")
        if state is None:
            return None
        rng = reply.get("generators")
        return {**state, "rng": rng} if rng is not None else dict(state)

    def note(self, position: Position, text: str) -> None:
        """Writes to the run's log."""
        request = {"epoch": position[0], "step": position[1], "text": text}
        self._ask("the run's log", "note", request)

    def _ask(self, what: str, verb: str, request: dict[str, Any]) -> dict[str, Any]:
        session = self._session
        named = {
            "generation": session.generation,
            "rank": session.launch.rank,
            "stream": self._stream,
        }
        return session.ask(what, verb, {**named, **request})


def _check_json(name: str, value: object) -> None:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        raise UsageError(
            f"the state's {name!r} is a {type(value).__name__}, which a commit cannot hold: it "
            "takes what JSON does, the path of a model's checkpoint for instance, not the model"
        ) from None
