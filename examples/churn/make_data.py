"""Makes data/train and data/eval: customers with missing ages and plans, cities and dates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CITIES = ("Amsterdam", "Berlin", "Gdańsk", "Lisbon", "Porto", "Vienna")
PLANS = ("basic", "family", "student")
FILES = {"train": (4, 5_000), "eval": (1, 2_000)}


def customers(random: np.random.Generator, rows: int) -> pa.Table:
    age = random.integers(18, 90, rows)
    fare = random.lognormal(3, 1, rows)
    city = random.integers(0, len(CITIES), rows)
    plan = random.integers(0, len(PLANS), rows)
    joined = random.integers(0, 3650, rows)
    month = (joined // 30) % 12
    score = (age - 50) / 20 - np.log1p(fare) / 2 + city % 3 + np.cos(month / 2)
    village = random.random(rows) < 0.001
    names = [
        f"Village {n}" if small else CITIES[c]
        for n, (c, small) in enumerate(zip(city, village, strict=True))
    ]
    return pa.table(
        {
            "age": pa.array(age.astype(np.float32), mask=random.random(rows) < 0.12),
            "fare": fare.astype(np.float32),
            "city": names,
            "plan": pa.array([PLANS[p] for p in plan], mask=random.random(rows) < 0.05),
            "joined": pa.array(joined, pa.int32()).cast(pa.date32()),
            "churned": (score + random.logistic(0, 1, rows) > 0).astype(np.float32),
        }
    )


def main() -> None:
    random = np.random.default_rng(7)
    for part, (files, rows) in FILES.items():
        folder = Path(__file__).parent / "data" / part
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(files):
            pq.write_table(
                customers(random, rows), folder / f"{number}.parquet", row_group_size=1_000
            )


if __name__ == "__main__":
    main()
