"""The digests of some lanes of a step, as they came from the servers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from lockstep.plural import counted

_BYTES = 16


class LaneDigests(Mapping[int, str]):
    """The digests by lane, 32 hexadecimal digits each. Immutable.

    Split only on access: the digests of most steps are just passed on.
    """

    def __init__(self, *parts: tuple[Sequence[int], bytes]) -> None:
        """Each part: lanes, and their concatenated digests in canonical form. Raises ValueError if
        there are too few or too many digests."""
        for lanes, digests in parts:
            if len(digests) != _BYTES * len(lanes):
                raise ValueError(
                    f"{len(digests)} bytes of digests for {counted(len(lanes), 'lane')}"
                )
        self._parts = parts

    def lanes(self) -> set[int]:
        """The lanes, in a new set."""
        return set().union(*(lanes for lanes, _ in self._parts))

    def of(self, lanes: Sequence[int]) -> str:
        """The concatenated digests of these lanes, in hexadecimal digits."""
        for mine, digests in self._parts:
            if mine == lanes:
                return digests.hex()
        return "".join(map(self.__getitem__, lanes))

    @cached_property
    def _by_lane(self) -> dict[int, str]:
        return {
            lane: digests[_BYTES * i : _BYTES * (i + 1)].hex()
            for lanes, digests in self._parts
            for i, lane in enumerate(lanes)
        }

    def __getitem__(self, lane: int) -> str:
        return self._by_lane[lane]

    def __iter__(self) -> Iterator[int]:
        return itertools.chain.from_iterable(lanes for lanes, _ in self._parts)

    def __len__(self) -> int:
        return sum(len(lanes) for lanes, _ in self._parts)

    def __repr__(self) -> str:
        return repr(self._by_lane)
