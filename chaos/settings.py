"""The settings that determine the steps of a schedule's run."""

from __future__ import annotations

from dataclasses import dataclass

BATCH = 96
EPOCHS = 2


@dataclass(frozen=True)
class Data:
    """The amount of training data."""

    rows: int
    group_rows: int

    @property
    def steps(self) -> int:
        """The approximate number of steps of a schedule; a padded tail adds one per epoch."""
        return EPOCHS * (self.rows // BATCH)


@dataclass(frozen=True)
class Settings:
    """The settings that shape a run's steps: runs with equal settings must produce equal steps."""

    seed: int
    lanes: int
    window: int
    shuffle: str
    tail: str
    data: Data
    transforms: bool = False
    """Whether rows are transformed, before the cache and at random for each step."""
    functions: bool = False
    """Whether Python functions are among the transforms."""

    @property
    def name(self) -> str:
        order = f"{self.shuffle}-{self.tail}-{self.lanes}x{self.window}-{self.seed}"
        transforms = "-transforms" if self.transforms else ""
        return f"{order}-{self.data.rows}{transforms}" + ("-functions" if self.functions else "")


def choices(data: Data, transforms: bool = False, functions: bool = False) -> tuple[Settings, ...]:
    """All permit 1, 2, 3 and 4 ranks. There are few, because each needs an undisturbed run."""
    return (
        Settings(7, 12, 3, "lane", "drop", data, transforms, functions),
        Settings(11, 12, 4, "global", "pad", data, transforms, functions),
        Settings(13, 24, 2, "lane", "pad", data, transforms, functions),
        Settings(17, 12, 2, "none", "drop", data, transforms, functions),
    )
