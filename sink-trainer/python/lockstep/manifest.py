"""Describes how the dataset of a saved state differs from the run's current one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lockstep.location import RunDirectory, RunLocation
from lockstep.plural import counted


def difference(state: Mapping[str, Any], now: str, location: RunLocation) -> str:
    """Compares both manifests, if this process can read them in their run directories.

    now: the digest of the run's manifest
    """
    manifests = [RunDirectory(state["run"]).manifest(state["manifest"]), location.manifest(now)]
    if None in manifests:
        return f"the dataset has other content (manifest {state['manifest']} -> {now})"
    try:
        return _first(*manifests)
    except (KeyError, TypeError, AttributeError):
        return f"the dataset has other content (manifest {state['manifest']} -> {now})"


def _first(former: Any, now: Any) -> str:
    """Describes the first file, in canonical order, that differs."""
    old, current = ({shard["path"]: shard for shard in m["shards"]} for m in (former, now))
    for path in sorted(old.keys() | current.keys(), key=str.encode):
        if path not in current:
            return f"file {path} is gone"
        if path not in old:
            return f"file {path} is new"
        was, is_ = old[path], current[path]
        if (was["length"], was["footer"]) != (is_["length"], is_["footer"]):
            sizes = f"{counted(was['length'], 'byte')} -> {counted(is_['length'], 'byte')}"
            return f"file {path} has other content ({sizes})"
    rows = f"{counted(former['rows'], 'row')} -> {counted(now['rows'], 'row')}"
    return f"the dataset has other row groups ({rows})"
