"""The same training as train.py, with rows that the trainer prepares by pandas, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from lockstep import Loader
from model import Churn, Rows

MIN_COUNT = 50


class Preparation:
    """What run.yaml says in its transforms."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self.median = rows["age"].median()
        self.age = self._moments(rows["age"].fillna(self.median).astype(np.float64))
        self.fare = self._moments(np.log1p(rows["fare"].astype(np.float64)))
        self.cities = self._codes(rows["city"])
        self.plans = self._codes(rows["plan"].fillna("none"))

    @staticmethod
    def _moments(values: pd.Series) -> tuple[float, float]:
        return values.mean(), values.std(ddof=0)

    @staticmethod
    def _codes(values: pd.Series) -> dict[str, int]:
        counts = values.value_counts()
        known = sorted(counts[counts >= MIN_COUNT].items(), key=lambda item: (-item[1], item[0]))
        return {value: code for code, (value, _) in enumerate(known, 1)}

    def __call__(self, rows: pd.DataFrame) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        missing = rows["age"].isna()
        age = (rows["age"].fillna(self.median) - self.age[0]) / self.age[1]
        fare = (np.log1p(rows["fare"].astype(np.float64)) - self.fare[0]) / self.fare[1]
        turn = 2 * np.pi * pd.DatetimeIndex(rows["joined"]).month.to_numpy() / 12
        features = np.stack([age, missing, fare, np.sin(turn), np.cos(turn)], 1)
        city = rows["city"].map(self.cities).fillna(0).to_numpy(np.int64)
        plan = rows["plan"].fillna("none").map(self.plans).fillna(0).to_numpy(np.int64)
        return (
            torch.from_numpy(features.astype(np.float32)),
            torch.from_numpy(city),
            torch.from_numpy(plan),
        )


def batches(loader: Loader, prepare: Preparation) -> Iterator[Rows]:
    for batch in loader:
        rows = pd.DataFrame({name: np.asarray(batch[name]) for name in batch})
        for name in ("age", "plan"):
            rows[name] = rows[name].where(np.asarray(batch.mask[name]))
        features, city, plan = prepare(rows)
        label, weight = (torch.tensor(np.asarray(x)) for x in (batch["churned"], batch.weight))
        yield features, city, plan, label, weight


def main() -> None:
    torch.set_num_threads(1)
    model = Churn()
    prepare = Preparation(pd.read_parquet("data/train"))
    with (
        Loader("train", masks={"age", "plan"}) as train,
        Loader("eval", masks={"age", "plan"}) as evaluation,
    ):
        for epoch in train.epochs():
            loss = model.train_on(batches(train, prepare))
            held_out = model.evaluate(batches(evaluation, prepare))
            print(f"epoch {epoch}: loss {loss:.5f}, held-out loss {held_out:.5f}", flush=True)


if __name__ == "__main__":
    main()
