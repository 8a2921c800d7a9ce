"""The sampler of a Loader, for frameworks that expect one."""

from __future__ import annotations

from typing import Protocol


class CountsEpochs(Protocol):
    """A Loader, from its sampler's view."""

    @property
    def epoch_count(self) -> int: ...

    def set_epoch(self, epoch: int) -> None: ...


class Sampler:
    """Passes the epochs that a framework counts to its Loader, if the stream has several."""

    def __init__(self, loader: CountsEpochs) -> None:
        self._loader = loader

    def set_epoch(self, epoch: int) -> None:
        if self._loader.epoch_count > 1:
            self._loader.set_epoch(epoch)
