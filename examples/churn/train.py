"""Trains on rows that the job has prepared."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from lockstep.torch import Loader
from model import Churn, Rows


def batches(loader: Loader) -> Iterator[Rows]:
    for batch in loader:
        yield batch["features"], batch["city"], batch["plan"], batch["churned"], batch.weight


def main() -> None:
    torch.set_num_threads(1)
    model = Churn()
    with Loader("train") as train, Loader("eval") as evaluation:
        for epoch in train.epochs():
            loss = model.train_on(batches(train))
            held_out = model.evaluate(batches(evaluation))
            print(f"epoch {epoch}: loss {loss:.5f}, held-out loss {held_out:.5f}", flush=True)


if __name__ == "__main__":
    main()
