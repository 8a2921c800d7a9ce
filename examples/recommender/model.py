"""The model of both trainers, and one pass of training."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

USER_BUCKETS, ITEM_BUCKETS = 1_000, 2_000
LENGTH = 8
"""Of a history; shorter ones are padded with ITEM_BUCKETS."""

Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
"""Users, items, histories [rows, LENGTH] and labels of a batch."""


class Recommender(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.user = nn.Embedding(USER_BUCKETS, 8)
        self.item = nn.Embedding(ITEM_BUCKETS + 1, 8, padding_idx=ITEM_BUCKETS)
        self.layers = nn.Sequential(nn.Linear(24, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.2)

    def train_on(self, batches: Iterable[Rows]) -> float:
        """Returns the mean loss of the batches."""
        losses = []
        for user, item, history, label in batches:
            seen = self.item(history).sum(1)
            known = torch.cat([self.user(user), self.item(item), seen], 1)
            loss = binary_cross_entropy_with_logits(self.layers(known)[:, 0], label)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)
