"""Against the vectors of the order's specification, version 1."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from lockstep.order import derive_key, step_generator
from lockstep.routing import StreamInfo


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


@pytest.mark.parametrize(
    ("first_lane", "words"),
    [
        (0, [17162662642508096199, 7776098862856791627, 15770652795940018743]),
        (8, [3754176543875945484, 9889761635540071424, 11623766570610642363]),
    ],
)
def test_step_streams(first_lane: int, words: list[int]) -> None:
    generator = step_generator(7, 1, 12345, first_lane)
    assert generator.bit_generator.random_raw(3).tolist() == words
    again = step_generator(7, 1, 12345, first_lane)
    assert np.array_equal(again.random(4), step_generator(7, 1, 12345, first_lane).random(4))


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
