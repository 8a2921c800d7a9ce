from __future__ import annotations

import importlib
import math
import os.path as paths
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lockstep
from lockstep.errors import UsageError
from lockstep.function_source import ModuleText, module_file, own_module
from lockstep.suggest import nearest
from lockstep.transforms import RunTransforms

SCALE = 2.0
TABLE = {"a": [1, 2], "b": (None, True)}
HANDLE = object()


def scaled(x: float) -> float:
    return x * SCALE + math.pi


@lockstep.transform(columns=["x", "y"], adds={"z": "float64"}, offset=3)
def shifted(rows: dict[str, Any], offset: int = 0, scale: float = SCALE) -> dict[str, Any]:
    def each(x: float) -> float:
        return scaled(x) + offset + len(TABLE) + len(paths.basename("/a/bc"))

    return {"z": np.array([each(x) for x in rows["x"]]) * scale}


def with_handle(rows: Any) -> Any:
    return HANDLE


def suggesting(rows: Any) -> str:
    return nearest("a", ["ab"])


def doubling(rows: dict[str, Any]) -> dict[str, Any]:
    return {"z": outer_package.twice(own_package.twice(rows["x"]))}  # type: ignore[name-defined]  # noqa: F821


def closure() -> Callable[[Any], Any]:
    captured = 3
    return lambda rows: captured


def named_closure() -> Callable[[Any], Any]:
    captured = 3

    def inner(rows: Any) -> Any:
        return captured

    return inner


def test_a_module_text_has_all_that_a_function_uses() -> None:
    text = str(ModuleText(shifted.function))
    made: dict[str, Any] = {}
    exec(text, made)

    rows = {"x": np.array([1.0, 2.0])}
    np.testing.assert_array_equal(
        made["shifted"](rows, offset=3)["z"], shifted(rows, offset=3)["z"]
    )
    assert "lockstep" not in text
    assert "HANDLE" not in text


def test_files_of_the_user_go_with_a_function() -> None:
    assert ModuleText(shifted.function).files == []
    assert ModuleText(suggesting).files == [module_file("lockstep")]
    assert own_module(scaled) == module_file(__name__)


def test_packages_of_an_outer_environment_are_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = tmp_path / "lib" / "site-packages"
    outer.mkdir(parents=True)
    (outer / "outer_package.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "own_package.py").write_text("def twice(x):\n    return 2 * x\n")
    monkeypatch.syspath_prepend(outer)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(globals(), "outer_package", importlib.import_module("outer_package"))
    monkeypatch.setitem(globals(), "own_package", importlib.import_module("own_package"))

    assert ModuleText(doubling).files == [tmp_path / "own_package.py"]


def test_what_a_run_file_says_of_a_function() -> None:
    made = RunTransforms([{"clip": {"columns": "x", "low": 0}}, shifted])

    assert made.items == [
        {"clip": {"columns": "x", "low": 0}},
        {
            "name": "shifted",
            "python": {
                "function": f"{__name__}:shifted",
                "columns": ["x", "y"],
                "adds": {"z": "float64"},
                "offset": 3,
            },
        },
    ]
    assert made.files == [str(module_file(__name__))]


def declared(function: Any, **parameters: Any) -> Any:
    return lockstep.transform(function, columns="x", adds={"y": "int64"}, **parameters)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: scaled, "the function 'scaled' does not say which columns it reads and returns"),
        (lambda: 3, "a transform is 3; it must be one of a run file"),
        (lambda: declared(lambda rows: rows), "is a lambda, which has no name"),
        (lambda: declared(named_closure()), "is a closure over captured, which workers do not"),
        (lambda: declared(partial(scaled, 1)), "is no function, and workers call functions only"),
        (lambda: declared(scaled, handle=HANDLE), "parameters of the function 'scaled' must be"),
    ],
)
def test_what_no_worker_can_run_is_refused(given: Callable[[], Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RunTransforms([given()])


def test_a_global_that_no_worker_has_is_refused() -> None:
    with pytest.raises(UsageError, match=r"with_handle uses HANDLE, a object that cannot be sent"):
        ModuleText(with_handle)


def test_a_lambda_over_a_variable_is_refused() -> None:
    with pytest.raises(UsageError, match="is a lambda"):
        RunTransforms([declared(closure())])
