"""The numbers drawn for samples, with numpy and torch, against the order's vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

from lockstep import Loader, UsageError
from lockstep.arrays import Arrays, NumpyArrays
from lockstep.normal import normal
from lockstep.order import derive_key
from lockstep.philox import signed
from lockstep.sample_generator import SampleGenerator
from lockstep.sample_words import SampleWords
from lockstep.torch import Loader as TorchLoader
from lockstep.torch_arrays import TorchArrays
from tests.order_files import CHECKOUT, RESOURCES, module, vectors
from tests.peer import Peer

_GOLDEN = vectors("golden.json")
_DISTRIBUTIONS = vectors("distributions.json")


@pytest.fixture(
    params=[
        "numpy",
        "cpu",
        pytest.param(
            "cuda",
            marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
        ),
    ]
)
def arrays(request: pytest.FixtureRequest) -> Arrays:
    if request.param == "numpy":
        return NumpyArrays()
    return TorchArrays(torch.device(request.param))


def _array(numbers: Any) -> np.ndarray[Any, Any]:
    return numbers if isinstance(numbers, np.ndarray) else numbers.cpu().numpy()


def _generator(vector: dict[str, Any], samples: list[str], arrays: Arrays) -> SampleGenerator:
    ids = arrays.integers([int(sample) for sample in samples])
    return SampleGenerator(int(vector["seed"]), vector["name"], int(vector["epoch"]), ids, arrays)


@pytest.mark.parametrize("vector", _GOLDEN["sample_streams"])
def test_words_are_those_of_the_order(vector: dict[str, Any], arrays: Arrays) -> None:
    vector = {**vector, "name": vector["transform"]}
    generator = _generator(vector, [vector["sample"]], arrays)
    words = _array(generator.words(9)).view(np.uint64)
    assert words.tolist() == [[int(word) for word in vector["words"]]]
    raw = generator.numpy(0).bit_generator.random_raw(9)
    assert raw.tolist() == words[0].tolist()


@pytest.mark.parametrize("vector", _DISTRIBUTIONS["cases"])
def test_draws_continue_the_streams(vector: dict[str, Any], arrays: Arrays) -> None:
    generator = _generator(vector, vector["samples"], arrays)
    for draw in vector["draws"]:
        kind, n, count = draw["draw"], draw["n"], draw["count"]
        if kind == "words":
            numbers = _array(generator.words(count)).view(np.uint64)
        elif kind == "integers":
            numbers = _array(generator.integers(int(n), count))
        elif kind == "permutation":
            numbers = _array(generator.permutation(int(n)))
        elif kind == "normal":
            numbers = _array(generator.normal(count))
        else:
            dtype = "float32" if kind == "uniform_float32" else "float64"
            numbers = _array(generator.uniform(count, dtype))
            assert numbers.dtype == dtype
        read = float.fromhex if numbers.dtype.kind == "f" else int
        assert numbers.tolist() == [[read(v) for v in row] for row in draw["values"]], kind


def test_numbers_of_words(arrays: Arrays, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = _DISTRIBUTIONS["numbers"]
    words = arrays.integers([[signed(int(number["word"])) for number in numbers]])
    monkeypatch.setattr(SampleWords, "peek", lambda words_, count: words[:, :count])
    generator = SampleGenerator(1, "fixed", 0, arrays.integers([0]), arrays)
    for kind, drawn in (
        ("uniform", generator.uniform(len(numbers))),
        ("uniform_float32", generator.uniform(len(numbers), "float32")),
        ("normal", generator.normal(len(numbers))),
    ):
        expected = [float.fromhex(number[kind]) for number in numbers]
        assert _array(drawn).tolist() == [expected], kind


def test_many_rows_draw_what_each_draws_alone(arrays: Arrays) -> None:
    """More than are computed at once, of which two thirds reject words."""
    ids = [7919 * i for i in range(300)]
    together = SampleGenerator(1, "cutout", 0, arrays.integers(ids), arrays)
    alone = [SampleGenerator(1, "cutout", 0, np.array([i]), NumpyArrays()) for i in ids[:20]]
    for n, count in ((2**62 + 1, 3), (3, 5), (2**63 - 1, 4)):
        numbers = _array(together.integers(n, count))
        assert numbers[:20].tolist() == [g.integers(n, count)[0].tolist() for g in alone]
    numbers = _array(together.normal(400))
    assert numbers[:20].tolist() == [g.normal(400)[0].tolist() for g in alone]


def test_shapes(arrays: Arrays) -> None:
    def fresh() -> SampleGenerator:
        return SampleGenerator(1, "cutout", 0, arrays.integers([4, 5, 6]), arrays)

    assert tuple(fresh().uniform().shape) == (3,)
    assert tuple(fresh().normal(0).shape) == (3, 0)
    assert tuple(fresh().integers(10, (2, 5)).shape) == (3, 2, 5)
    assert tuple(fresh().permutation(0).shape) == (3, 0)
    flat, shaped = _array(fresh().normal(10)), _array(fresh().normal((2, 5)))
    assert flat.tolist() == shaped.reshape(3, 10).tolist()


def test_results_may_be_changed(arrays: Arrays) -> None:
    changed = SampleGenerator(1, "cutout", 0, arrays.integers([4]), arrays)
    other = SampleGenerator(1, "cutout", 0, arrays.integers([4]), arrays)
    changed.words(1)[:] = 0
    changed.integers(2**62 + 1, 3)[:] = 0
    other.words(1)
    other.integers(2**62 + 1, 3)
    assert _array(changed.words(5)).tolist() == _array(other.words(5)).tolist()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda g: g.integers(0), r"integers\(n\) needs n from 1 to 2\*\*63 - 1, not 0"),
        (lambda g: g.integers(2**63), r"integers\(n\) needs n from 1 to 2\*\*63 - 1, not 9223"),
        (lambda g: g.permutation(-1), r"permutation\(n\) needs n from 0 on, not -1"),
        (lambda g: g.uniform(-1), "the size -1 of a row's numbers is negative"),
        (lambda g: g.uniform(dtype="half"), '"float64" or "float32", not \'half\''),
        (lambda g: SampleGenerator(1, "", 0, [1], NumpyArrays()), "needs a name"),
    ],
)
def test_impossible_draws_are_refused(draw: Any, message: str) -> None:
    generator = SampleGenerator(1, "cutout", 0, np.array([4]), NumpyArrays())
    with pytest.raises(UsageError, match=message):
        draw(generator)


def test_the_normal_quantile_is_exact_to_4e_15() -> None:
    edges = [1 << i for i in range(11, 64)] + [3 << i for i in range(10, 62)]
    words = sorted(
        {w + d << 11 for w in (e >> 11 for e in edges) for d in (-1, 0, 1) if w + d >= 0}
    )
    words += np.random.Philox(key=1).random_raw(2000).tolist()
    numbers = normal(np.array(words, np.uint64).astype(np.int64), NumpyArrays())
    with mpmath.workdps(40):
        for word, number in zip(words, numbers.tolist(), strict=True):
            u = mpmath.ldexp((word >> 11) + mpmath.mpf("0.5"), -53)
            exact = mpmath.sqrt(2) * mpmath.erfinv(2 * u - 1)
            assert abs(exact - number) < 4e-15, word


def test_the_script_computes_the_coefficients() -> None:
    script = module(CHECKOUT / "build-tools/normal_coefficients.py")
    files = [path.read_bytes() for path in script.COPIES]
    assert files[0] == files[1]
    segments = json.loads(files[0])["segments"]
    assert len(segments) == script.OCTAVES * script.HALVES
    for segment in (0, 1, 52, 105):
        assert [c.hex() for c in script.fit(segment)] == segments[segment]


def test_the_vectors_are_those_of_the_specification() -> None:
    assert module(RESOURCES / "distributions_oracle.py").vectors() == _DISTRIBUTIONS


@pytest.mark.parametrize("vector", _GOLDEN["sample_streams"])
def test_keys_are_those_of_the_order(vector: dict[str, Any]) -> None:
    key = derive_key(int(vector["seed"]), "transform/" + vector["transform"], vector["epoch"], 0)
    counter = np.array([0, 0, int(vector["sample"]), 0], np.uint64)
    words = np.random.Philox(key=np.array(key, np.uint64), counter=counter).random_raw(9)
    assert words.tolist() == [int(word) for word in vector["words"]]


def test_batches_draw_by_sample_and_epoch(peer: Peer, run: Path) -> None:
    with Loader("train", run=run) as train:
        drawn = {
            (batch.epoch, int(sample)): float(number)
            for _ in train.epochs()
            for batch in train
            for sample, number in zip(
                batch.sample_ids, batch.sample_generator("cutout").normal(), strict=True
            )
        }
    assert len(set(drawn.values())) == len(drawn) == 3 * 40
    for epoch in range(3):
        generator = SampleGenerator(7, "cutout", epoch, np.arange(40), NumpyArrays())
        assert [drawn[epoch, i] for i in range(40)] == generator.normal().tolist()


def test_tensors_draw_the_same(peer: Peer, run: Path) -> None:
    with TorchLoader("train", run=run, launch="a") as train:
        batch = next(iter(train))
    generator = batch.sample_generator("cutout")
    expected = SampleGenerator(7, "cutout", 0, batch.sample_ids.numpy(), NumpyArrays())
    numbers = generator.uniform(3, "float32")
    assert numbers.dtype == torch.float32
    assert numbers.device == batch.sample_ids.device
    assert np.array_equal(numbers.numpy(), expected.uniform(3, "float32"))
    assert generator.permutation(5).tolist() == expected.permutation(5).tolist()
    assert generator.numpy(1).random() == expected.numpy(1).random()
