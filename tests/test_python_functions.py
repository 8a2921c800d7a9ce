"""Python functions in real jobs: values, faults of functions and workers, and identity."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, run
from tests.kept_rows import write_trainer

ROWS = 3_000
ROW_GROUP = 500

FUNCTIONS = """
import os, sys, threading
import numpy as np, pandas as pd, pyarrow as pa, pyarrow.compute as pc

def ratio(rows, scale=1.0):
    return {"ratio": rows["f00"] / (rows["f01"] + 1) * np.float32(scale)}

def upper(rows: pa.RecordBatch):
    return rows.append_column("upper", pc.utf8_upper(rows.column("name")))

def filled(rows: pd.DataFrame) -> pd.DataFrame:
    rows["age"] = rows["age"].fillna(7).astype("int64")
    return rows

def table(rows: "pa.Table"):
    return rows.select(["n"]).rename_columns(["copy"])

def pair(rows: dict[str, np.ndarray]):
    return {"pair": np.stack([rows["f00"], rows["f01"]], axis=1)}

def forking(rows):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    return {"copy": rows["n"]}

def first_time(marker):
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False

def killed_once(rows, marker):
    if (rows["n"] == 1234).any() and first_time(marker):
        os.kill(os.getpid(), 9)
    return {"copy": rows["n"]}

def hanging_once(rows, marker):
    if first_time(marker):
        threading.Event().wait()
    return {"copy": rows["n"]}

def printing(rows):
    for line in range(20_000):
        print("x" * 100)
    sys.stderr.write("and to stderr\\n")
    return {"copy": rows["n"]}

def check(n):
    if (n == 1234).any():
        raise ValueError("1234 is not allowed")

def raising(rows):
    check(rows["n"])
    return {"copy": rows["n"]}

def exiting(rows):
    sys.exit(3)

def dying(rows):
    print("the last words", flush=True)
    os._exit(3)

def hanging(rows):
    threading.Event().wait()

def allocating(rows):
    return {"copy": np.ones(1 << 40)}

def short(rows):
    return {"copy": rows["n"][rows["n"] != 1234]}

def late(rows):
    return {"copy": rows["n"] if rows["n"][0] < 1000 else rows["n"].astype(np.float64)}

def other(rows):
    return {"copy": rows["n"], "more": rows["n"]}

def empty(rows):
    return {}

def nothing(rows):
    return None

def integers(rows):
    return {"copy": rows["age"]}

def no_parameter():
    return {}
"""


NOTEBOOK = """
import numpy as np
import lockstep
from my_features import pair

LEAST = 0.25

def above(values):
    return np.maximum(values, np.float32(LEAST))

@lockstep.transform(columns=["f00", "f01"], adds={"ratio": "float32"}, scale=2)
def ratio(rows, scale):
    return {"ratio": above(rows["f00"] / (rows["f01"] + 1) * np.float32(scale))}

with lockstep.open(
    "data",
    batch=60,
    columns=["f00", "f01", "n"],
    transforms=[
        {"rename": {"n": "number"}},
        ratio,
        lockstep.transform(pair, columns="f0*", adds={"pair": "float32[2]"}),
    ],
) as train:
    for batch in train:
        wanted = np.maximum(batch["f00"] / (batch["f01"] + 1) * np.float32(2), np.float32(0.25))
        np.testing.assert_array_equal(batch["ratio"], wanted)
        np.testing.assert_array_equal(batch["pair"][:, 0], batch["f00"])
        np.testing.assert_array_equal(batch["number"], batch.sample_ids.astype(np.int64))
    print("checked", len(train))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset and the module of functions."""
    folder = tmp_path_factory.mktemp("functions")
    (folder / "data").mkdir()
    pq.write_table(source(), folder / "data" / "part.parquet", row_group_size=ROW_GROUP)
    (folder / "my_features.py").write_text(FUNCTIONS)
    write_trainer(folder, nulls="mask")
    return folder


def source() -> pa.Table:
    random = np.random.default_rng(3)
    return pa.table(
        {
            "f00": random.standard_normal(ROWS).astype(np.float32),
            "f01": random.random(ROWS).astype(np.float32),
            "n": np.arange(ROWS),
            "age": pa.array(np.arange(ROWS) % 90, mask=np.arange(ROWS) % 5 == 0),
            "name": [f"user {n % 333}" for n in range(ROWS)],
        }
    )


def write(folder: Path, transforms: list[dict[str, Any]], **python: Any) -> Path:
    """A run file, which is YAML in JSON, of a run in the directory of the same name."""
    path = folder / "run.yaml"
    train = {"data": "data", "transforms": transforms, "order": {"batch": 60, "tail": "pad"}}
    root: dict[str, Any] = {
        "streams": {"train": train},
        "trainers": {"command": ["python", "train.py"]},
        "run": {"directory": "run"},
    }
    path.write_text(json.dumps({**root, **({"python": python} if python else {})}))
    return path


def call(function: str, columns: Any = "n", adds: Any = None, **parameters: Any) -> dict[str, Any]:
    python = {"function": f"my_features:{function}", "columns": columns}
    return {"python": {**python, "adds": adds or {"copy": "int64"}, **parameters}}


def show(folder: Path) -> Any:
    return run(LOCKSTEP, "show", "run.yaml", "--json", cwd=folder, check=False)


def trained(folder: Path) -> Any:
    run(LOCKSTEP, "run", "run.yaml", cwd=folder)
    return np.load(folder / "got.npz")


def fresh(folder: Path, name: str) -> Path:
    """Another folder with the same data and functions, for a run of its own."""
    other = folder / name
    other.mkdir()
    (other / "data").symlink_to(folder / "data")
    for file in ("my_features.py", "train.py"):
        (other / file).write_text((folder / file).read_text())
    return other


def test_trainers_get_what_the_functions_return(folder: Path) -> None:
    here = fresh(folder, "values")
    named = [
        {"name": "ratio", **call("ratio", ["f00", "f01"], {"ratio": "float32"}, scale=2)},
        {"name": "upper", **call("upper", "name", {"upper": "string"})},
        {"name": "filled", **call("filled", "age", {"age": "int64"})},
        {"name": "table", **call("table")},
        {"name": "pair", **call("pair", "f0*", {"pair": "float32[2]"})},
    ]
    write(here, named)
    got = trained(here)

    samples = got["_sample"].astype(np.int64)
    assert set(samples) == set(range(ROWS))
    table = source().take(pa.array(samples))
    f00, f01 = table["f00"].to_numpy(), table["f01"].to_numpy()
    np.testing.assert_array_equal(got["ratio"], f00 / (f01 + 1) * np.float32(2))
    assert got["ratio"].dtype == np.float32
    np.testing.assert_array_equal(got["pair"], np.stack([f00, f01], axis=1))
    np.testing.assert_array_equal(got["copy"], table["n"].to_numpy())
    np.testing.assert_array_equal(got["age"], table["age"].fill_null(7).to_numpy())
    assert list(got["upper"]) == [name.upper() for name in table["name"].to_pylist()]

    # The run directory holds the source: a replay does not read the user's file.
    (here / "my_features.py").unlink()
    replayed = run(LOCKSTEP, "replay", "run", "--step", "3", "--json", cwd=here)
    assert "is the recorded one" in replayed.stderr


def test_functions_get_the_rows_that_a_filter_keeps(folder: Path) -> None:
    here = fresh(folder, "filtered")
    path = write(here, [call("killed_once", marker=str(folder / "data"))])
    settings = json.loads(path.read_text())
    settings["streams"]["train"]["filter"] = "n >= 1500 and n < 2000"
    path.write_text(json.dumps(settings))
    rows = [json.loads(line) for line in show(here).stdout.splitlines()]

    assert len(rows) == 60
    assert all(1500 <= row["copy"] == row["n"] < 2000 for row in rows)


def test_functions_of_a_notebook_run_as_they_are(folder: Path) -> None:
    here = fresh(folder, "notebook")
    (here / "notebook.py").write_text(NOTEBOOK)
    printed = run(sys.executable, "notebook.py", cwd=here).stdout

    assert printed == "checked 50\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory to another user")
def test_functions_of_another_user_are_run_only_on_request(folder: Path) -> None:
    here = fresh(folder, "foreign")
    write(here, [call("ratio", ["f00", "f01"], {"ratio": "float32"})])
    run(LOCKSTEP, "plan", "run.yaml", "--seal", "--run", "run", cwd=here)
    other_user = 54_321
    os.chown(here / "run" / "run.yaml", other_user, -1)
    verbs = {
        "show": ["show", "run"],
        "plan": ["plan", "run"],
        "replay": ["replay", "run", "--step", "0"],
        "check": ["check", "run"],
    }
    for verb, words in verbs.items():
        refused = run(LOCKSTEP, *words, cwd=here, check=False)
        assert refused.returncode == 1, verb
        assert f"belongs to the user {other_user}, and its stream 'train'" in refused.stderr
        assert "then add --trust" in refused.stderr
        assert "python worker" not in refused.stderr
        run(LOCKSTEP, *words, "--trust", cwd=here)
    # These verbs run no function.
    run(LOCKSTEP, "order", "run", cwd=here)


def test_a_changed_function_is_refused_by_name(folder: Path) -> None:
    here = fresh(folder, "changed")
    write(here, [call("ratio", ["f00", "f01"], {"ratio": "float32"})])
    trained(here)
    changed = (here / "my_features.py").read_text().replace("+ 1", "+ 2")
    (here / "my_features.py").write_text(changed)
    refused = run(LOCKSTEP, "run", "run.yaml", cwd=here, check=False)

    assert refused.returncode == 1
    assert "another transform 'python'" in refused.stderr


def test_a_worker_that_is_killed_changes_no_step(folder: Path) -> None:
    quiet = fresh(folder, "quiet")
    (quiet / "marker").touch()
    write(quiet, [call("killed_once", marker=str(quiet / "marker"))])
    wanted = trained(quiet)
    here = fresh(folder, "killed")
    write(here, [call("killed_once", marker=str(here / "marker"))])
    got = trained(here)

    assert (here / "marker").exists()
    for name in wanted:
        np.testing.assert_array_equal(got[name], wanted[name])


def test_a_function_that_raises_ends_the_job_with_its_traceback(folder: Path) -> None:
    here = fresh(folder, "raises")
    write(here, [call("raising")])
    failed = run(LOCKSTEP, "run", "run.yaml", cwd=here, check=False)

    assert failed.returncode == 1
    place = "part.parquet, row group 2: The transform 'python': the function my_features:raising"
    assert place in failed.stderr
    what = "raised ValueError: 1234 is not allowed; row 234 of 500 is the first that it fails for"
    assert what in failed.stderr
    assert re.search(r"my_features\.py, line \d+, in raising: check\(rows", failed.stderr)
    assert re.search(r"my_features\.py, line \d+, in check: raise ValueError", failed.stderr)
    assert "lockstep/worker" not in failed.stderr
    assert "\tat " not in failed.stderr


@pytest.mark.parametrize("function", ["forking", "hanging_once", "printing"])
def test_functions_that_work(folder: Path, function: str) -> None:
    parameters = {"marker": str(folder / "hung")} if function == "hanging_once" else {}
    write(folder, [call(function, **parameters)], timeout="5s", workers=1)
    shown = show(folder)

    assert shown.returncode == 0, shown.stderr
    rows = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [row["copy"] for row in rows] == [row["n"] for row in rows]
    if function == "printing":
        assert shown.stderr.count("python worker 1: xxxx") < 1_100
        assert "the rest is left out" in shown.stderr
    if function == "hanging_once":
        assert "did not answer within 5s" in shown.stderr


@pytest.mark.parametrize(
    ("function", "columns", "message"),
    [
        ("exiting", "n", "my_features:exiting called sys.exit(3)"),
        ("dying", "n", "ended with exit code 3; it printed last:\n  the last words"),
        (
            "hanging",
            "n",
            "my_features:hanging lost 3 workers, one after the other; the last one did not answer",
        ),
        ("allocating", "n", "raised MemoryError: Unable to allocate"),
        ("short", "n", 'returned 499 rows of 500 in the column "copy"'),
        ("late", "n", 'returned the column "copy" as float64, and declares it as int64'),
        ("other", "n", "returned the column 'more', which it does not declare"),
        ("nothing", "n", "returned None; it must return the columns that it declares"),
        ("empty", "n", "did not return the column \"copy\", which 'adds' declares"),
        ("integers", "age", "has nulls, which arrays of int64 cannot hold"),
        ("no_parameter", "n", "takes no parameter; its first one gets the rows"),
        ("rasing", "n", "is not in the module 'my_features' (did you mean 'raising'?)"),
    ],
)
def test_functions_that_are_refused(
    folder: Path, function: str, columns: Any, message: str
) -> None:
    timeout = "1s" if function == "hanging" else "1min"
    write(folder, [call(function, columns)], timeout=timeout, memory="8GiB")
    failed = show(folder)

    assert failed.returncode == 1
    assert message in failed.stderr
    assert "part.parquet, row group" in failed.stderr
    assert "The transform 'python'" in failed.stderr
    assert "\tat " not in failed.stderr


def test_modules_that_cannot_be_imported(folder: Path) -> None:
    here = fresh(folder, "imports")
    (here / "my_features.py").write_text("import my_helpers\ndef f(rows): return {}\n")
    write(here, [call("f")])
    missing = show(here)
    write(here, [{"python": {"function": "os:getcwd", "columns": "n", "adds": {"c": "int64"}}}])
    foreign = show(here)
    write(here, [call("f")], files="gone.py")
    gone = show(here)
    (here / "my_helpers.py").write_text("def f(rows): return {'copy': rows['n']}\n")
    (here / "my_features.py").write_text("from my_helpers import f\n")
    write(here, [call("f")], files=["my_helpers.py"])
    found = show(here)

    assert missing.returncode == 1
    assert "there is no module 'my_helpers' beside the run file, in" in (missing.stderr)
    assert "which does not belong to the run: put it into a module" in foreign.stderr
    assert gone.returncode == 2
    assert "python.files: there is no file or folder" in gone.stderr
    assert found.returncode == 0


def test_an_interpreter_that_cannot_run_functions_is_named(folder: Path) -> None:
    write(folder, [call("raising")], command="no-such-python")
    missing = show(folder)
    (folder / "broken").write_text("#!/bin/sh\necho no pyarrow here\nexit 1\n")
    (folder / "broken").chmod(0o755)
    write(folder, [call("raising")], command="./broken")
    broken = show(folder)

    assert missing.returncode == 1
    assert "the Python interpreter 'no-such-python' cannot be started" in missing.stderr
    assert broken.returncode == 1
    assert "cannot run functions: install the package lockstep" in broken.stderr
    assert "no pyarrow here" in broken.stderr


def test_planning_finds_a_wrong_function_before_anything_is_sealed(folder: Path) -> None:
    here = fresh(folder, "planned")
    write(here, [call("nothing")])
    planned = run(LOCKSTEP, "plan", "run.yaml", cwd=here, check=False)
    started = run(LOCKSTEP, "run", "run.yaml", cwd=here, check=False)

    assert planned.returncode == started.returncode == 1
    assert "returned None" in planned.stderr
    assert "returned None" in started.stderr
    assert not (here / "run" / "streams").exists()
