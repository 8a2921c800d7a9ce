"""What shapes the steps of a schedule's run."""

from __future__ import annotations

from dataclasses import dataclass

BATCH = 96
EPOCHS = 2


@dataclass(frozen=True)
class Data:
    """How much there is to train on."""

    rows: int
    group_rows: int

    @property
    def steps(self) -> int:
        """About as many as a schedule takes; with a padded tail there is one more an epoch."""
        return EPOCHS * (self.rows // BATCH)


@dataclass(frozen=True)
class Settings:
    """Those that shape the order: runs of the same settings must give the same steps."""

    seed: int
    lanes: int
    window: int
    shuffle: str
    tail: str
    data: Data

    @property
    def name(self) -> str:
        order = f"{self.shuffle}-{self.tail}-{self.lanes}x{self.window}-{self.seed}"
        return f"{order}-{self.data.rows}"


def choices(data: Data) -> tuple[Settings, ...]:
    """All of them permit 1, 2, 3 and 4 ranks. Few, since each needs an undisturbed run."""
    return (
        Settings(7, 12, 3, "lane", "drop", data),
        Settings(11, 12, 4, "global", "pad", data),
        Settings(13, 24, 2, "lane", "pad", data),
        Settings(17, 12, 2, "none", "drop", data),
    )
