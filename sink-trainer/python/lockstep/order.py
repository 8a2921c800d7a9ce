"""The keys of random streams, and the step streams (order, version 1)."""

from __future__ import annotations

import hashlib
import struct

import numpy as np


def derive_key(seed: int, purpose: str, epoch: int, index: int) -> tuple[int, int]:
    """The key of a stream: 16 bytes of SHA-256 as two little-endian 64-bit words."""
    text = b"order/1\0" + purpose.encode() + b"\0" + struct.pack("<QQQ", seed, epoch, index)
    first, second = struct.unpack_from("<QQ", hashlib.sha256(text).digest())
    return first, second


def step_generator(seed: int, epoch: int, step: int, first_lane: int) -> np.random.Generator:
    """Returns a rank's own generator for one step.

    Ranks differ by their first lane; with the same world size each draws the same numbers again.
    """
    key = np.array(derive_key(seed, "step", epoch, step), np.uint64)
    counter = np.array([0, 0, first_lane, 0], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))
