"""Makes data: users, the items that they looked at, and whether they bought the next one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

USERS, ITEMS = 3_000, 400
FILES, ROWS = 4, 4_000
MOST = 12


def visits(random: np.random.Generator, rows: int) -> pa.Table:
    user = random.integers(0, USERS, rows) * 1_000_003
    item = random.integers(0, ITEMS, rows)
    history = [random.integers(0, ITEMS, n) for n in random.integers(0, MOST + 1, rows)]
    alike = np.array([np.any(h % 7 == i % 7) for h, i in zip(history, item, strict=True)])
    return pa.table(
        {
            "user": user,
            "item": [f"item-{i}" for i in item],
            "history": [[f"item-{i}" for i in items] for items in history],
            "bought": (alike ^ (random.random(rows) < 0.1)).astype(np.float32),
        }
    )


def main() -> None:
    random = np.random.default_rng(7)
    folder = Path(__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        pq.write_table(visits(random, ROWS), folder / f"{number}.parquet", row_group_size=1_000)


if __name__ == "__main__":
    main()
