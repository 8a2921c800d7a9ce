"""Two epochs of Lockstep and of its peers, one process after the other, in turns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from harness.commands import PartFailedError, run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup
from tabular import peers

LIMIT_S = 20 * 60
_PROCESS_LIMIT_S = 180

_PEERS = {"petastorm": "Petastorm 0.13.1", "pyarrow": "pyarrow, numpy"}


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    """The records of every repeat, by loader. Stops early if no time is left for another."""
    data = setup.tabular_data()
    # The installation takes minutes.
    petastorm = None if setup.brief else setup.petastorm()
    _read_once(data)
    records: dict[str, list[Any]] = {
        "lockstep": [],
        **({"petastorm": []} if petastorm else {}),
        "pyarrow": [],
    }
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        for name, found in records.items():
            load = os.getloadavg()[0]
            if setup.peers and petastorm and name != "lockstep":
                record = peers.run(
                    setup.peers, setup.python, name, data, petastorm, _PROCESS_LIMIT_S
                )
            else:
                python = petastorm if name == "petastorm" else setup.python
                command = setup.module("tabular.loop", name, data, python=python)
                record = run_json(command, _PROCESS_LIMIT_S)
            if not all(epoch["every_row_once"] for epoch in record["epochs"]):
                raise PartFailedError(f"{name} did not give every row once: {record}")
            found.append({"load": load, **record})
    return records


def _read_once(data: Path) -> None:
    """Fills the system's page cache for all loaders: disks are not compared."""
    for file in data.glob("*.parquet"):
        file.read_bytes()


def rows(result: dict[str, Any]) -> list[Row]:
    table = []
    for title, rate in (
        ("first epoch, rows/s, from the ready job or reader", _cold),
        ("first epoch, rows/s, with the start of the job", _cold_with_start),
        ("second epoch, rows/s", _warm),
    ):
        figures = {
            name: Figure([rate(record) for record in records]) for name, records in result.items()
        }
        for name, words in _PEERS.items():
            if name in figures:
                table.append(Row.of(title, figures["lockstep"], words, figures[name]))
    return table


def _cold(record: dict[str, Any]) -> float:
    return float(record["epochs"][0]["rows"] / record["epochs"][0]["seconds"])


def _cold_with_start(record: dict[str, Any]) -> float:
    return float(record["epochs"][0]["rows"] / (record["open_s"] + record["epochs"][0]["seconds"]))


def _warm(record: dict[str, Any]) -> float:
    return float(record["epochs"][1]["rows"] / record["epochs"][1]["seconds"])
