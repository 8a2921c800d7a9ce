#!/usr/bin/env python3
"""Executable specification of the numbers that are drawn from the order's streams of samples.

Plain Python, one number at a time, written for clarity (see docs/random-streams.md). Run it to print the vectors, or
import it in a test.

    distributions_oracle.py > distributions.json
"""
import json
import math
from pathlib import Path

from order_oracle import MASK64, sample_stream

HERE = Path(__file__).resolve().parent
NORMAL = HERE.parents[5] / "src/main/resources/io/lockstep/order/normal.json"
SEGMENTS = [[float.fromhex(c) for c in row] for row in json.loads(NORMAL.read_text())["segments"]]


def uniform(word):
    return (word >> 11) / 2**53


def uniform_float32(word):
    return (word >> 40) / 2**24


def normal(word):
    """The quantile of (k + 1/2) / 2^53, for the upper 53 bits k of the word."""
    k = word >> 11
    upper = k >= 2**52
    tail = 2 * (2**53 - 1 - k if upper else k) + 1  # the smaller tail's probability x 2^54
    mantissa, exponent = math.frexp(tail)  # tail = mantissa x 2^exponent, 1/2 <= mantissa < 1
    octave, position = exponent - 1, 4 * mantissa - 2  # position in the octave, in [0, 2)
    half = int(position)
    x = position - half - 0.5
    coefficients = SEGMENTS[2 * octave + half]
    y = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        y = y * x
        y = y + c
    return y if upper else -y


def permutation(stream, n):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def draw(stream, kind, argument, count):
    if kind == "permutation":
        return permutation(stream, argument)
    one = {
        "words": lambda: str(stream.next()),
        "uniform": lambda: uniform(stream.next()).hex(),
        "uniform_float32": lambda: uniform_float32(stream.next()).hex(),
        "integers": lambda: str(stream.below(argument)),
        "normal": lambda: normal(stream.next()).hex(),
    }[kind]
    return [one() for _ in range(count)]


def vectors():
    """64-bit integers are strings, floating-point numbers hex strings. The draws of a case continue the same streams."""
    words = [0, 1, (1 << 11) - 1, 1 << 11, 3 << 11, 1 << 40, (1 << 62) - 1, 1 << 62, 3 << 61, (1 << 63) - 1, 1 << 63,
             (1 << 63) + (1 << 11), 3 << 62, MASK64 - (1 << 40), MASK64 - (1 << 11), MASK64]
    words += [(1 << (63 - i)) - (1 << 11) for i in range(1, 52)] + [3 << (62 - i) for i in range(1, 50)]
    stream = sample_stream(3, "numbers", 1, 5)
    words += [stream.next() for _ in range(100)]
    cases = []
    for seed, name, epoch, samples, draws in (
            (7, "flip", 2, [0, 77, 1 << 40], [("words", None, 9)]),
            (7, "train/jitter", 0, [5, 6, 7, 5], [("normal", None, 1), ("uniform", None, 2), ("words", None, 4), ("words", None, 8),
                                               ("uniform_float32", None, 3), ("normal", None, 6)]),
            # Half of the words are rejected, so that samples differ in the words they have drawn.
            (MASK64, "\u00fcber", 1 << 40, [0, 1, 2, 3, (1 << 63) - 1],
             [("integers", (1 << 62) + 1, 7), ("words", None, 3), ("integers", (1 << 63) - 1, 5), ("integers", 1, 2),
              ("uniform", None, 1), ("integers", 3 << 61, 1), ("permutation", 6, None), ("normal", None, 2), ("words", None, 6)]),
            (0, "train/mixup", 3, [11, 10], [("permutation", 1, None), ("permutation", 2, None), ("permutation", 33, None),
                                             ("integers", 10, 5), ("integers", 1 << 32, 5), ("words", None, 1)])):
        streams = [sample_stream(seed, name, epoch, sample) for sample in samples]
        cases.append({"seed": str(seed), "name": name, "epoch": str(epoch), "samples": [str(s) for s in samples],
                      "draws": [{"draw": kind, "n": None if n is None else str(n), "count": count,
                                 "values": [draw(s, kind, n, count) for s in streams]} for kind, n, count in draws]})
    return {
        "numbers": [{"word": str(w), "uniform": uniform(w).hex(), "uniform_float32": uniform_float32(w).hex(),
                     "normal": normal(w).hex()} for w in words],
        "cases": cases,
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), ensure_ascii=False))
