"""The same training as train.py, with rows that the trainer prepares by pandas, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import torch
import xxhash
from lockstep import Loader
from model import ITEM_BUCKETS, LENGTH, USER_BUCKETS, Recommender, Rows


def user_bucket(user: int) -> int:
    return int(xxhash.xxh3_64_intdigest(int(user).to_bytes(8, "little")) % USER_BUCKETS)


def item_bucket(item: str) -> int:
    return int(xxhash.xxh3_64_intdigest(item.encode()) % ITEM_BUCKETS)


def padded(history: Iterable[str]) -> list[int]:
    buckets = [item_bucket(item) for item in list(history)[-LENGTH:]]
    return buckets + [ITEM_BUCKETS] * (LENGTH - len(buckets))


def batches(loader: Loader) -> Iterator[Rows]:
    for batch in loader:
        values, offsets = batch["history"]
        histories = [values[begin:end] for begin, end in pairwise(offsets)]
        rows = pd.DataFrame({name: batch[name] for name in ("user", "item", "bought")})
        rows["history"] = histories
        history = np.array(rows["history"].map(padded).to_list())
        yield (
            torch.tensor(rows["user"].map(user_bucket).to_numpy()),
            torch.tensor(rows["item"].map(item_bucket).to_numpy()),
            torch.tensor(history),
            torch.tensor(rows["bought"].to_numpy(np.float32)),
        )


def main() -> None:
    torch.set_num_threads(1)
    model = Recommender()
    with Loader("train") as train:
        for epoch in train.epochs():
            print(f"epoch {epoch}: loss {model.train_on(batches(train)):.5f}", flush=True)


if __name__ == "__main__":
    main()
