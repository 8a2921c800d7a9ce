"""Network namespaces: each rank has its own link to the cluster, which can be cut."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess

from chaos.schedule import MOST_RANKS

LOOPBACK = "127.0.0.1"

_SUBNETS = 250


class Network:
    """The links of the ranks. Without the required permissions, all ranks use loopback and no link
    can be cut.
    """

    def __init__(self) -> None:
        self._mark = f"ls{os.getpid() % 100_000}"
        self._subnet = 0
        self.cuttable = False

    @property
    def host(self) -> str:
        """The address at which the ranks reach the cluster."""
        return self._address if self.cuttable else LOOPBACK

    def open(self) -> None:
        if os.geteuid() != 0 or shutil.which("ip") is None:
            return
        try:
            self._ip("netns", "add", self._mark + "probe")
            self._ip("netns", "delete", self._mark + "probe")
        except subprocess.CalledProcessError:
            return
        self.cuttable = self._claim_subnet()
        if not self.cuttable:
            return
        for rank in range(MOST_RANKS):
            self._open_link(rank)

    def _claim_subnet(self) -> bool:
        """Claims a network that no other runner uses: only one process can add its address."""
        for self._subnet in range(1, _SUBNETS):
            with contextlib.suppress(subprocess.CalledProcessError):
                self._ip("address", "add", f"{self._address}/32", "dev", "lo")
                return True
        return False

    @property
    def _address(self) -> str:
        return f"10.231.{self._subnet}.254"

    def _open_link(self, rank: int) -> None:
        space, ours, theirs = self._space(rank), self._link(rank), f"{self._mark}p{rank}"
        near, far = (f"10.231.{self._subnet}.{4 * rank + end}" for end in (1, 2))
        self._ip("netns", "add", space)
        self._ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", space)
        self._ip("address", "add", f"{near}/30", "dev", ours)
        self._ip("link", "set", ours, "up")
        self._ip("-n", space, "address", "add", f"{far}/30", "dev", theirs)
        self._ip("-n", space, "link", "set", "lo", "up")
        self._ip("-n", space, "link", "set", theirs, "up")
        self._ip("-n", space, "route", "add", "default", "via", near)

    def prefix(self, rank: int) -> list[str]:
        """The prefix of a rank's command that makes it use its link."""
        return ["ip", "netns", "exec", self._space(rank)] if self.cuttable else []

    def cut(self, rank: int) -> None:
        self._ip("link", "set", self._link(rank), "down")

    def mend(self, rank: int) -> None:
        self._ip("link", "set", self._link(rank), "up")

    def close(self) -> None:
        if not self.cuttable:
            return
        for rank in range(MOST_RANKS):
            self._ip("netns", "delete", self._space(rank), check=False)
            self._ip("link", "delete", self._link(rank), check=False)
        self._ip("address", "delete", f"{self.host}/32", "dev", "lo", check=False)

    def _space(self, rank: int) -> str:
        return f"{self._mark}n{rank}"

    def _link(self, rank: int) -> str:
        return f"{self._mark}v{rank}"

    @staticmethod
    def _ip(*words: str, check: bool = True) -> None:
        subprocess.run(["ip", *words], check=check, capture_output=True)
