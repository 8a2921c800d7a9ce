"""Petastorm's fastest configuration: whole columns, two worker processes, its shuffling queue."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from petastorm import make_batch_reader
from petastorm.pytorch import BatchedDataLoader

from tabular.loop import Epoch, stacked
from tabular.workload import BATCH, ROW_GROUP

logging.getLogger("petastorm").setLevel(logging.ERROR)


@contextmanager
def opened(data: str) -> Iterator[Epoch]:
    reader = make_batch_reader(
        f"file://{data}",
        reader_pool_type="process",
        workers_count=2,
        shuffle_row_groups=True,
        num_epochs=1,
    )
    with BatchedDataLoader(
        reader, batch_size=BATCH, shuffling_queue_capacity=2 * ROW_GROUP
    ) as loader:
        yield lambda: (stacked(batch) for batch in loader)
