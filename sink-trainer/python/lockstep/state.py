"""A trainer's saved position in a run: created after a batch, checked before it is loaded."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lockstep import generators
from lockstep.environment import Launch
from lockstep.epochs import EpochTable, Position
from lockstep.errors import StateMismatchError, UsageError
from lockstep.order import step_generator
from lockstep.plural import counted
from lockstep.protocol import SAMPLE_COLUMN, WEIGHT_COLUMN
from lockstep.routing import StreamInfo
from lockstep.state_form import FORMAT, ORDER, check_form
from lockstep.suggest import nearest

CHANGES = (*ORDER, "data", "columns", "transforms")
"""The names that allow_change accepts."""


@dataclass(frozen=True)
class Change:
    """A setting that differs between a state and the run."""

    what: str
    text: str


class States:
    """Creates and checks the states of one rank's stream.

    A state is JSON, the same on every rank except for the generators. Its epoch and step are those
    of the next batch.
    """

    def __init__(
        self,
        info: StreamInfo,
        table: EpochTable,
        run: str,
        launch: Launch,
        first_lane: int,
        skip_steps: Iterable[Position],
    ) -> None:
        self._info = info
        self._table = table
        self._run = run
        self._rank = launch.rank
        self._world_size = launch.world_size
        self._first_lane = first_lane
        self._columns = [n for n in info.schema.names if n not in (SAMPLE_COLUMN, WEIGHT_COLUMN)]
        self.skipped = _positions(skip_steps, info, table)

    def after(self, epoch: int, step: int, rng: bool) -> dict[str, Any]:
        """Returns the state after that batch."""
        return self.at(self._table.following((epoch, step)), rng)

    def at(self, position: Position, rng: bool) -> dict[str, Any]:
        """Returns the state before the batch of that position."""
        state = {
            "format": FORMAT,
            "stream": self._info.name,
            "order": self._order(),
            "manifest": self._info.manifest,
            "columns": self._columns,
            "transforms": self._info.transforms,
            "run": self._run,
            "epoch": position[0],
            "step": position[1],
            "world_size": self._world_size,
            "skip_steps": [list(p) for p in sorted(self.skipped)],
        }
        if rng:
            state["rng"] = generators.capture(self._rank)
        return state

    def _order(self) -> dict[str, Any]:
        info = self._info
        return {
            "seed": str(info.seed),
            "lanes": info.lanes,
            "batch": info.batch,
            "window": info.window,
            "shuffle": info.shuffle,
            "tail": info.tail,
        }

    def check(
        self,
        state: Mapping[str, Any],
        allow_change: Collection[str],
        explain: Callable[[Mapping[str, Any]], str],
    ) -> list[Change]:
        """Returns the changes between the state and this run, all of which are allowed.

        explain describes how the dataset of a state differs. Raises StateMismatchError with the
        first change that is not allowed, or if the state has another format or stream.
        """
        if isinstance(allow_change, str):
            raise UsageError(
                f"allow_change={allow_change!r} is one string: give a list, [{allow_change!r}]"
            )
        for name in allow_change:
            if name not in CHANGES:
                raise UsageError(
                    f"allow_change names {name!r}, which is nothing that a state holds"
                    + nearest(name, CHANGES)
                )
        check_form(state)
        if state["stream"] != self._info.name:
            raise StateMismatchError(
                f"the state is of stream {state['stream']!r}, this Loader's is {self._info.name!r}"
            )
        found = []
        for change in self._changes(state, explain):
            if change.what not in allow_change:
                raise StateMismatchError(
                    f"the state does not fit this run: {change.text}. Start the run with the "
                    f"former settings, or accept it with allow_change=[{change.what!r}]"
                )
            found.append(change)
        if (state["epoch"], state["step"]) > (self._info.epochs, 0):
            raise StateMismatchError(
                f"the state stands in epoch {state['epoch']}, and stream {self._info.name!r} has "
                f"the epochs 0 to {self._info.epochs - 1}: set order.epochs in the run file to more"
            )
        steps = self._table.steps(state["epoch"]) if state["step"] > 0 else 1
        if state["step"] >= steps:
            raise StateMismatchError(
                f"the state stands before step {state['step']} of epoch {state['epoch']}, which in "
                f"stream {self._info.name!r} now has {counted(steps, 'step')}: begin at an epoch's "
                "start"
            )
        return found

    def _changes(
        self, state: Mapping[str, Any], explain: Callable[[Mapping[str, Any]], str]
    ) -> Iterable[Change]:
        now = self._order()
        for name in ORDER:
            if state["order"][name] != now[name]:
                yield Change(name, f"{name} {state['order'][name]} -> {now[name]}")
        if state["manifest"] != self._info.manifest:
            yield Change("data", explain(state))
        if list(state["columns"]) != self._columns:
            yield Change("columns", _column_change(list(state["columns"]), self._columns))
        elif state["transforms"] != self._info.transforms:
            yield Change("transforms", "the transforms are other ones")

    def take_up(self, state: Mapping[str, Any]) -> tuple[Position, str]:
        """Loads a checked state: returns its position, and a message about its generators."""
        self.skipped |= {(int(e), int(s)) for e, s in state["skip_steps"]}
        return (int(state["epoch"]), int(state["step"])), self._take_up_generators(state)

    def _take_up_generators(self, state: Mapping[str, Any]) -> str:
        rng = state.get("rng")
        if rng is None:
            return ""
        if state["world_size"] == self._world_size and rng["rank"] == self._rank:
            generators.restore(rng)
            return "; its random generators go on where they were"
        info = self._info
        generators.start_from(
            step_generator(info.seed, state["epoch"], state["step"], self._first_lane)
        )
        why = (
            f"it was saved by {counted(state['world_size'], 'rank')} and this launch has "
            f"{self._world_size}"
            if state["world_size"] != self._world_size
            else f"they are those of rank {rng['rank']}"
        )
        return f"; random generators start from the order's step stream, since {why}"


def _column_change(old: list[str], new: list[str]) -> str:
    for name in old:
        if name not in new:
            return f"column {name!r} is gone"
    for name in new:
        if name not in old:
            return f"column {name!r} is new"
    return f"the columns stand in another order: {', '.join(old)} -> {', '.join(new)}"


def _positions(
    skip_steps: Iterable[Position], info: StreamInfo, table: EpochTable
) -> frozenset[Position]:
    positions = set()
    for position in skip_steps:
        try:
            epoch, step = map(operator.index, position)
        except (TypeError, ValueError):
            raise UsageError(
                f"skip_steps holds {position!r}: give pairs of numbers, [(epoch, step), ...]"
            ) from None
        where = f"skip_steps names epoch {epoch}, step {step}; stream {info.name!r} has the epochs "
        if not 0 <= epoch < info.epochs:
            raise UsageError(f"{where}0 to {info.epochs - 1}")
        if not 0 <= step < table.steps(epoch):
            raise UsageError(
                f"{where}0 to {info.epochs - 1}, that one with the steps 0 to "
                f"{table.steps(epoch) - 1}"
            )
        positions.add((epoch, step))
    return frozenset(positions)
