"""A small model to train, so that a step costs the trainer what little a real one does."""

from __future__ import annotations

import torch

from tabular.workload import FLOATS, INTEGERS

_WIDTH = 256
_RATE = 1e-3


class Model:
    """Two layers of 256 and 1 over all features, and plain gradient descent on the label."""

    def __init__(self) -> None:
        torch.manual_seed(1)
        self._layers = torch.nn.Sequential(
            torch.nn.Linear(len(FLOATS) + len(INTEGERS), _WIDTH),
            torch.nn.ReLU(),
            torch.nn.Linear(_WIDTH, 1),
        )
        self._optimizer = torch.optim.SGD(self._layers.parameters(), _RATE)

    def step(self, floats: torch.Tensor, integers: torch.Tensor, label: torch.Tensor) -> None:
        """Forward, backward and the change of the weights, for one batch."""
        features = torch.cat([floats, torch.log1p(integers.abs().float())], 1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            self._layers(features).squeeze(1), label.float()
        )
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
