"""Transforms of an embedded job, as run files write them or as functions."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, overload

from lockstep.errors import UsageError
from lockstep.function_source import ModuleText, own_module


class FunctionTransform:
    """A function of rows with the columns that it reads and returns."""

    def __init__(
        self,
        function: Callable[..., Any],
        columns: str | Iterable[str],
        adds: Mapping[str, str],
        name: str | None,
        parameters: Mapping[str, Any],
    ) -> None:
        self.function = function
        self.columns = columns if isinstance(columns, str) else list(columns)
        self.adds = dict(adds)
        self.name = name
        self.parameters = dict(parameters)
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Calls the function itself, so that a decorated one can be tested."""
        return self.function(*arguments, **keywords)


@overload
def transform(
    function: None = None,
    *,
    columns: str | Iterable[str],
    adds: Mapping[str, str],
    name: str | None = None,
    **parameters: Any,
) -> Callable[[Callable[..., Any]], FunctionTransform]: ...


@overload
def transform(
    function: Callable[..., Any],
    *,
    columns: str | Iterable[str],
    adds: Mapping[str, str],
    name: str | None = None,
    **parameters: Any,
) -> FunctionTransform: ...


def transform(
    function: Callable[..., Any] | None = None,
    *,
    columns: str | Iterable[str],
    adds: Mapping[str, str],
    name: str | None = None,
    **parameters: Any,
) -> FunctionTransform | Callable[[Callable[..., Any]], FunctionTransform]:
    """A function of rows as a transform of lockstep.open; also a decorator.

    function: takes the columns of some rows and returns those that it adds; see docs/transforms.md.
    columns: the names of the columns that it reads.
    adds: the types of the columns that it returns, such as {"ratio": "float32"}.
    name: of the transform in messages; that of the function by default.
    parameters: keyword arguments of the function.
    """
    if function is None:

        def decorate(decorated: Callable[..., Any]) -> FunctionTransform:
            return FunctionTransform(decorated, columns, adds, name, parameters)

        return decorate
    return FunctionTransform(function, columns, adds, name, parameters)


class RunTransforms:
    """What a run file says about transforms, with the source files of their functions."""

    def __init__(self, transforms: Iterable[Any]) -> None:
        self.items: list[dict[str, Any]] = []
        self.files: list[str] = []
        self.modules: dict[str, str] = {}
        """Modules to be written beside the run file: their text by name."""
        for each in transforms:
            self.items.append(self._item(each))

    def _item(self, given: Any) -> dict[str, Any]:
        if isinstance(given, FunctionTransform):
            return self._function(given)
        if isinstance(given, Mapping):
            return dict(given)
        if callable(given):
            raise UsageError(
                f"the function {getattr(given, '__qualname__', given)!r} does not say which columns"
                " it reads and returns: pass lockstep.transform(function, columns=[...],"
                " adds={'name': 'float32'})"
            )
        raise UsageError(
            f"a transform is {given!r}; it must be one of a run file, such as"
            " {'clip': {'columns': ['x'], 'low': 0}}, or lockstep.transform(function, ...)"
        )

    def _function(self, given: FunctionTransform) -> dict[str, Any]:
        function = given.function
        file = own_module(function)
        name = function.__name__
        module = function.__module__
        if file is None:
            module = f"notebook_{name}_{len(self.modules)}"
            text = ModuleText(function)
            self.modules[module] = str(text)
            self._add_files(text.files)
        else:
            self._add_files([file])
        python = {
            "function": f"{module}:{name}",
            "columns": given.columns,
            "adds": given.adds,
            **given.parameters,
        }
        try:
            json.dumps(python)
        except TypeError as e:
            raise UsageError(
                f"the parameters of the function {name!r} must be what JSON can hold: {e}"
            ) from None
        return {"name": given.name or name, "python": python}

    def _add_files(self, files: Iterable[Path]) -> None:
        self.files += [str(file) for file in files if str(file) not in self.files]

    def __bool__(self) -> bool:
        return bool(self.items)

    def write_run(
        self, folder: Path, paths: list[str], keys: dict[str, Any], order: dict[str, Any]
    ) -> Path:
        """Writes a run file of a dataset, and the modules of a notebook's functions beside it."""
        data = [_absolute(path) for path in paths]
        stream = {"data": data, **keys, "order": order, "transforms": self.items}
        python: dict[str, Any] = {"command": sys.executable}
        if self.files:
            python["files"] = self.files
        for name, text in self.modules.items():
            (folder / f"{name}.py").write_text(text)
        file = folder / "notebook.yaml"
        # JSON is YAML.
        file.write_text(json.dumps({"streams": {"train": stream}, "python": python}))
        return file


def _absolute(path: str) -> str:
    """Paths in a run file are relative to it."""
    return path if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|~|\$", path) else os.path.abspath(path)
