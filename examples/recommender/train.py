"""Trains on rows that the job has prepared."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from lockstep.torch import Loader
from model import Recommender, Rows


def batches(loader: Loader) -> Iterator[Rows]:
    for batch in loader:
        yield batch["user"], batch["item"], batch["history"], batch["bought"]


def main() -> None:
    torch.set_num_threads(1)
    model = Recommender()
    with Loader("train") as train:
        for epoch in train.epochs():
            print(f"epoch {epoch}: loss {model.train_on(batches(train)):.5f}", flush=True)


if __name__ == "__main__":
    main()
