#!/usr/bin/env python3
"""Computes the polynomials of the normal quantile (docs/random-streams.md) and their error.

    normal_coefficients.py --write     # writes both copies of normal.json
    normal_coefficients.py             # measures the error of the present ones

Needs mpmath, which comes with PyTorch.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import mpmath as mp

ROOT = Path(__file__).resolve().parent.parent
COPIES = (
    ROOT / "connector/src/main/resources/io/lockstep/order/normal.json",
    ROOT / "sink-trainer/python/lockstep/normal.json",
)
DEGREE = 13
OCTAVES = 53
HALVES = 2

mp.mp.dps = 50


def quantile(p: mp.mpf) -> mp.mpf:
    """The quantile of the standard normal distribution at 1 - p, for p < 1/2."""
    return mp.sqrt(2) * mp.erfinv(1 - 2 * p)


def probability(segment: int, x: mp.mpf) -> mp.mpf:
    """The probability at x in [-1/2, 1/2) of a segment, which is half an octave."""
    octave, half = divmod(segment, HALVES)
    return mp.ldexp(1 + (half + mp.mpf("0.5") + x) / HALVES, octave - OCTAVES - 1)


def fit(segment: int) -> list[float]:
    """The polynomial through the values at the Chebyshev points, constant first."""
    count = DEGREE + 1
    nodes = [mp.cos(mp.pi * (2 * i + 1) / (2 * count)) / 2 for i in range(count)]
    values = [quantile(probability(segment, node)) for node in nodes]
    powers = mp.matrix(count, count)
    for i, node in enumerate(nodes):
        for j in range(count):
            powers[i, j] = node**j
    return [float(c) for c in mp.lu_solve(powers, mp.matrix(values))]


def horner(coefficients: list[float], x: float) -> float:
    y = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        y = y * x + c
    return y


def largest_error(segments: list[list[float]], points: int = 60) -> float:
    worst = 0.0
    for segment, coefficients in enumerate(segments):
        xs = {-0.5, math.nextafter(0.5, 0)}
        xs |= {-0.5 + i / points for i in range(points)}
        for x in xs:
            exact = quantile(probability(segment, mp.mpf(x)))
            worst = max(worst, float(abs(exact - mp.mpf(horner(coefficients, x)))))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="compute the coefficients")
    if parser.parse_args().write:
        rows = [[c.hex() for c in fit(segment)] for segment in range(OCTAVES * HALVES)]
        text = ",\n".join(json.dumps(row) for row in rows)
        for copy in COPIES:
            copy.write_text('{"segments": [\n' + text + "\n]}\n")
    present = json.loads(COPIES[0].read_text())["segments"]
    error = largest_error([[float.fromhex(c) for c in row] for row in present])
    print(f"largest error: {error:.3g}")


if __name__ == "__main__":
    main()
