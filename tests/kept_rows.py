"""A trainer that keeps all rows of one epoch, for comparison with those of the data."""

from __future__ import annotations

from pathlib import Path

_SCRIPT = """
import numpy as np, lockstep
kept = []
with lockstep.Loader("train", nulls={nulls!r}) as loader:
    for batch in loader:
        kept.append({{name: np.asarray(batch[name]) for name in batch}})
        kept[-1]["_sample"] = np.asarray(batch.sample_ids)
np.savez("got.npz", **{{n: np.concatenate([k[n] for k in kept]) for n in kept[0]}})
"""


def write_trainer(folder: Path, nulls: str = "error") -> None:
    """Writes train.py, which saves the columns and sample ids of all batches to got.npz."""
    (folder / "train.py").write_text(_SCRIPT.format(nulls=nulls))
