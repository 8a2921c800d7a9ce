"""Against the vectors of the order's specification, version 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lockstep.order import derive_key, step_generator
from lockstep.routing import StreamInfo
from tests.order_files import vectors


@pytest.mark.parametrize(
    ("seed", "purpose", "epoch", "index", "key"),
    [
        (0, "rowgroups", 0, 0, (8130668284798253011, 1572674578991652296)),
        (7, "window", 3, 21474836482, (16647278381406271257, 7547641128497262842)),
        (2**64 - 1, "step", 1, 123456789, (4622326884095400725, 3957840474465197162)),
        (7, "transform/flip", 2, 0, (6134450016336971785, 12099051808605135667)),
    ],
)
def test_keys(seed: int, purpose: str, epoch: int, index: int, key: tuple[int, int]) -> None:
    assert derive_key(seed, purpose, epoch, index) == key


@pytest.mark.parametrize("vector", vectors("golden.json")["step_streams"])
def test_step_streams(vector: dict[str, Any]) -> None:
    place = (int(vector["seed"]), vector["epoch"], vector["step"], vector["first_lane"])
    raw = step_generator(*place).bit_generator.random_raw(len(vector["words"]))
    assert raw.tolist() == [int(word) for word in vector["words"]]
    assert np.array_equal(step_generator(*place).random(4), step_generator(*place).random(4))


@pytest.mark.parametrize(
    ("lanes", "served"),
    [
        (8, [[0, 1, 2, 3, 4, 5, 6, 7]]),
        (8, [[0, 1], [2, 3], [4, 5], [6, 7]]),
        (8, [[0, 1], [2, 3, 4], [5, 6, 7]]),
        (12, [[0, 1], [2, 3], [4, 5, 6], [7, 8], [9, 10, 11]]),
    ],
)
def test_lanes_of_ranks(lanes: int, served: list[list[int]]) -> None:
    stream = StreamInfo(
        "train", lanes, lanes, 1, 1, 0, 1, "lane", "drop", pa.schema([]), "", "", ""
    )
    world = len(served)
    assert [list(stream.rank_lanes(r, world, allow_uneven=True)) for r in range(world)] == served
