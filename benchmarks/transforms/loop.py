"""Epochs of a trainer that needs standardized columns: python -m transforms.loop VARIANT DATA

plain: the columns as they are.
lockstep: standardized and packed by the job.
scikit-learn: standardized by the trainer, with a StandardScaler that was fitted before.

The trainer reads every number once, in as few tensors as the variant gives it. Prints one line of
JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import lockstep.torch
import numpy as np
import pyarrow.parquet as parquet
import torch
from sklearn.preprocessing import StandardScaler

from harness.processes import adopt_orphans
from tabular.loop import EPOCHS, run
from tabular.workload import BATCH, FLOATS, INTEGERS, LABEL, ROW_ID

VARIANTS = ("plain", "lockstep", "scikit-learn")

_CHAIN = (
    {"standardize": {"columns": FLOATS}},
    {"pack": {"columns": FLOATS, "into": "features"}},
)

Floats = Callable[[Any], tuple[torch.Tensor, ...]]


def _separate(batch: Any) -> tuple[torch.Tensor, ...]:
    return tuple(batch[name] for name in FLOATS)


def _packed(batch: Any) -> tuple[torch.Tensor, ...]:
    return (batch["features"],)


def _scaled_by(scaler: StandardScaler) -> Floats:
    def scaled(batch: Any) -> tuple[torch.Tensor, ...]:
        stacked = np.stack([batch[name].numpy() for name in FLOATS], 1)
        return (torch.from_numpy(scaler.transform(stacked)),)

    return scaled


def _fitted(data: Path) -> StandardScaler:
    scaler = StandardScaler()
    for file in sorted(data.glob("*.parquet")):
        for rows in parquet.ParquetFile(file).iter_batches(columns=FLOATS):
            scaler.partial_fit(np.stack([column.to_numpy() for column in rows.columns], 1))
    return scaler


def _epoch(loader: lockstep.torch.Loader, numbers: Iterator[int], floats: Floats) -> Any:
    def epoch() -> Iterator[tuple[torch.Tensor, ...]]:
        next(numbers)
        for batch in loader:
            ids = batch[ROW_ID][batch.weight > 0]
            others = (batch[name] for name in INTEGERS)
            # The loop takes the third tensor for the row ids.
            yield (batch[LABEL], batch[ROW_ID], ids, *others, *floats(batch))

    return epoch


def main(variant: str, data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    started = time.monotonic()
    floats: Floats = {"plain": _separate, "lockstep": _packed}.get(variant) or _scaled_by(
        _fitted(Path(data))
    )
    fitted = time.monotonic()
    chain = _CHAIN if variant == "lockstep" else ()
    with (
        lockstep.torch.open(
            data, batch=BATCH, epochs=EPOCHS, tail="pad", transforms=chain
        ) as loader,
        closing(loader.epochs()) as numbers,  # type: ignore[type-var]  # it is a generator
    ):
        ready = time.monotonic()
        epoch = _epoch(loader, numbers, floats)
        epochs = [run(epoch, ready)]
        epochs += [run(epoch, time.monotonic()) for _ in range(EPOCHS - 1)]
    times = {"fit_s": fitted - started, "open_s": ready - fitted}
    print(json.dumps({**times, "epochs": epochs}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
