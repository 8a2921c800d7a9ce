"""The model of both trainers, and one pass of training or evaluation."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

FEATURES = 5
# Codes of cities and plans; 0 is any rare one.
CODES = 16

Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
"""Features [rows, 5], cities, plans, labels and weights of a batch."""


class Churn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.city = nn.Embedding(CODES, 4)
        self.plan = nn.Embedding(CODES, 4)
        self.layers = nn.Sequential(nn.Linear(FEATURES + 8, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)

    def loss(self, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of a batch, without padding, and the number of its rows."""
        features, city, plan, label, weight = rows
        known = torch.cat([features, self.city(city), self.plan(plan)], 1)
        each = binary_cross_entropy_with_logits(self.layers(known)[:, 0], label, reduction="none")
        return (each * weight).sum() / weight.sum(), weight.sum()

    def train_on(self, batches: Iterable[Rows]) -> float:
        """Returns the mean loss of the batches."""
        losses = []
        for rows in batches:
            loss, _ = self.loss(rows)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, batches: Iterable[Rows]) -> float:
        """Returns the mean loss of the rows."""
        losses = [self.loss(rows) for rows in batches]
        total = sum(float(loss * count) for loss, count in losses)
        return total / sum(float(count) for _, count in losses)
