"""The smallest trainer: it counts what it gets. Its data is whatever the run names."""

from lockstep.torch import Loader

with Loader("train") as train:
    for epoch in train.epochs():
        rows = sum(len(batch.sample_ids) for batch in train)
        print(f"rank {train.rank} of {train.world_size}: epoch {epoch}, {len(train)} steps, {rows} rows")
