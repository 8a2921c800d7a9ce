"""The operations on tensors in which torch differs from numpy."""

from __future__ import annotations

from typing import Any

import torch


class TorchArrays:
    """torch, on one device. Words are int64 of the same bits: torch cannot add or shift uint64."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self.at_once = 1 << 14 if device.type == "cpu" else 1 << 20

    def integers(self, values: Any) -> Any:
        return torch.as_tensor(values, dtype=torch.int64, device=self._device)

    def floats(self, values: Any) -> Any:
        return torch.tensor(values, dtype=torch.float64, device=self._device)

    def empty(self, shape: tuple[int, ...]) -> Any:
        return torch.empty(shape, dtype=torch.int64, device=self._device)

    def convert(self, values: Any, dtype: str) -> Any:
        return values.to(getattr(torch, dtype))

    def bits(self, values: Any) -> Any:
        return values.view(torch.int64)

    def of_bits(self, values: Any) -> Any:
        return values.view(torch.float64)

    def words(self, values: Any) -> Any:
        return values.clone()
