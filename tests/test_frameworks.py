"""Real frameworks: trainers are killed half-way, resumed, and end with the same weights."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy

from tests.command import QUICKSTART, ROOT
from tests.training import FRAMEWORKS, Training, failure, succeed, training

PAGES = {
    "torchrun": "torch",
    "lightning": "lightning",
    "accelerate": "accelerate",
    "trainer": "transformers",
}
"""The pages of docs/use-it-with, and what has to be there to import."""

# In the second of three epochs of 22 steps, two steps after the last commit.
KILLED_AT = (1, 13)
RESUMED_AT = (1, 11)


@pytest.mark.parametrize("page", PAGES)
def test_killed_and_resumed_it_ends_with_the_same_weights(page: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(PAGES[page]) is None:
        pytest.skip(f"{PAGES[page]} is not installed; './lockstep test' installs it into .venv")
    script = f"with_{page}.py"
    with training(script, tmp_path / "a") as calm, training(script, tmp_path / "b") as killed:
        whole, first = calm.start("all"), killed.start("first", killed_at=KILLED_AT)
        assert "SIGKILL" in failure(first)
        second = killed.start("second")
        succeed(whole, second)

    assert calm.weights().keys() == killed.weights().keys()
    for name, weight in calm.weights().items():
        assert torch.equal(weight, killed.weights()[name]), name
    check_batches(calm, killed)


def test_torchrun_resumes_on_twice_the_ranks(tmp_path: Path) -> None:
    script = "with_torchrun.py"
    with training(script, tmp_path / "a") as calm, training(script, tmp_path / "b") as killed:
        whole, first = calm.start("all"), killed.start("first", killed_at=KILLED_AT)
        assert "SIGKILL" in failure(first)
        second = killed.start("second", ranks=4)
        succeed(whole, second)

    check_batches(calm, killed)
    # Gradients are summed in another order and other units are dropped: close, but not equal.
    expected, found = loss(calm), loss(killed)
    assert expected < 1.3  # chance would be 2.3
    assert abs(found - expected) < 0.02


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_script_that_was_tested(page: str) -> None:
    text = (ROOT / "docs" / "use-it-with" / f"{page}.md").read_text()

    assert f"```python\n{(FRAMEWORKS / f'with_{page}.py').read_text()}```" in text


def check_batches(calm: Training, killed: Training) -> None:
    """Checks that each start saw the global batches of the undisturbed run, and all starts together
    all of them.
    """
    expected = calm.batches("all")
    first, second = killed.batches("first"), killed.batches("second")
    assert len(expected) == 3 * 22
    assert len(first) == 22 + KILLED_AT[1]
    assert min(map(place, second)) == RESUMED_AT
    assert first.keys() | second.keys() == expected.keys()
    for step, columns in [*first.items(), *second.items()]:
        for name, values in columns.items():
            assert np.array_equal(values, expected[step][name]), (step, name)


def place(step: str) -> tuple[int, ...]:
    return tuple(map(int, step.split("-")))


def loss(trained: Training) -> float:
    """The accuracy of its model on the held-out digits."""
    table = pq.read_table(QUICKSTART / "data" / "eval")
    features = torch.tensor(table["features"].to_pylist()) / 16
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 10)).eval()
    model.load_state_dict(trained.weights())
    with torch.no_grad():
        return cross_entropy(model(features), torch.tensor(table["label"].to_pylist())).item()
