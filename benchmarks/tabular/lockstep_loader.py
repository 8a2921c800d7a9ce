"""Lockstep: an embedded job and one trainer process, with default settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import lockstep.torch
import torch

from tabular.loop import EPOCHS, Epoch, stacked
from tabular.workload import BATCH


@contextmanager
def opened(data: str) -> Iterator[Epoch]:
    # Padded, so that an epoch has every row; the loop must not see the padding's ids.
    with (
        lockstep.torch.open(data, batch=BATCH, epochs=EPOCHS, tail="pad") as loader,
        closing(loader.epochs()) as numbers,  # type: ignore[type-var]  # it is a generator
    ):

        def epoch() -> Iterator[tuple[torch.Tensor, ...]]:
            next(numbers)
            for batch in loader:
                x, i, ids, label = stacked(batch)
                yield x, i, ids[batch.weight > 0], label

        yield epoch
