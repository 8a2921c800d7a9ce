"""What a trainer gets at each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from lockstep.arrays import Arrays, NumpyArrays
from lockstep.decode import Decoded
from lockstep.errors import UsageError
from lockstep.order import step_generator
from lockstep.plural import counted
from lockstep.sample_generator import SampleGenerator
from lockstep.state import States
from lockstep.suggest import nearest

P = TypeVar("P", bound="Batch")


@dataclass(frozen=True)
class StepStream:
    """The inputs of a rank's generators, besides epoch and step."""

    seed: int
    first_lane: int
    states: States


class Batch(Mapping[str, Any]):
    """The columns of one step of one rank by name, and the step's metadata.

    The batch owns its memory: you may keep and change it.
    """

    micro_step: int = 0
    """Which piece of the step's batch this is, from 0; 0 without micro_batch."""
    micro_steps: int = 1
    """The number of pieces of the step; 1 without micro_batch."""

    def __init__(self, decoded: Decoded, epoch: int, step: int, stream: StepStream) -> None:
        self._whole: Batch | None = None
        self._decoded = decoded
        self._columns = decoded.columns
        self._stream = stream
        self.epoch = epoch
        self.step = step
        self.sample_ids: Any = decoded.sample_ids
        """The rows' positions in the dataset."""
        self.weight: Any = decoded.weight
        """1 for a sample, 0 for padding; float32."""
        self.mask: dict[str, Any] = decoded.mask
        """For each column with a mask: True marks a value."""
        self.digests = decoded.digests
        """By lane, the job's digests of the rows; empty if the job makes none."""

    @property
    def rows(self) -> int:
        return len(self.sample_ids)

    @cached_property
    def generator(self) -> np.random.Generator:
        """This rank's random generator for this step; it repeats whenever the step is repeated.
        All pieces of a step draw from one."""
        if self._whole is not None:
            return self._whole.generator
        return step_generator(self._stream.seed, self.epoch, self.step, self._stream.first_lane)

    def sample_generator(self, name: str) -> SampleGenerator:
        """Returns a generator that draws for each row from its sample's random stream.

        A sample gets the same numbers in each run of this seed and in each batch of this epoch; a
        padded row those of the sample that it repeats. Each call starts at the first numbers.

        name: of the streams. A name with a slash, such as train/jitter, is that of a transform.
        """
        seed = self._stream.seed
        return SampleGenerator(seed, name, self.epoch, self.sample_ids, self._arrays())

    def _arrays(self) -> Arrays:
        return NumpyArrays()

    def state_dict(self, rng: bool = False) -> dict[str, Any]:
        """Returns the Loader's state after this batch, however far the Loader is by now.

        With micro_batch, the state after a piece is that before its step, unless it is the last:
        the step is then repeated as a whole.

        rng: include the current states of this process's random generators.
        """
        if not self.ends_step:
            return self._stream.states.at((self.epoch, self.step), rng)
        return self._stream.states.after(self.epoch, self.step, rng)

    @property
    def ends_step(self) -> bool:
        """Whether this is the last piece of its step: the time for optimizer.step()."""
        return self.micro_step == self.micro_steps - 1

    def piece(self: P, number: int, pieces: int, part: Callable[[Decoded], Decoded]) -> P:
        """Makes a piece of this batch from a part of its arrays."""
        piece = type(self)(part(self._decoded), self.epoch, self.step, self._stream)
        piece._whole = self
        piece.micro_step, piece.micro_steps = number, pieces
        return piece

    def __getitem__(self, column: str) -> Any:
        try:
            return self._columns[column]
        except KeyError:
            raise _UnknownColumnError(
                f"the batch has no column {column!r}" + nearest(str(column), self._columns)
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}: {_describe(v)}" for name, v in self.items())
        return (
            f"<Batch epoch {self.epoch} step {self.step}, {counted(self.rows, 'row')}; {columns}>"
        )


class _UnknownColumnError(UsageError, KeyError):
    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0])


def _describe(value: Any) -> str:
    if isinstance(value, tuple):
        return f"lists of {_describe(value[0])}"
    if isinstance(value, list):
        return f"list[{len(value)}]"
    return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
