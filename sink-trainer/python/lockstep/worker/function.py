"""Functions of the user's modules."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import typing
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from lockstep.suggest import nearest
from lockstep.worker.conversion import Convert, to_arrays, to_frame, to_rows, to_table
from lockstep.worker.fault import FunctionFault, first_row, raised

# The ends of annotations and what a function with such a first parameter gets.
_INPUTS: dict[str, Convert] = {
    "RecordBatch": lambda rows: rows,
    "Table": to_table,
    "DataFrame": to_frame,
    "dict": to_arrays,
    "Mapping": to_arrays,
}


class Function:
    """A function of rows with its parameters.

    Raises FunctionFault if it cannot be imported or does not take the parameters.
    """

    def __init__(self, name: str, parameters: dict[str, Any], declared: pa.Schema) -> None:
        self._function = _load(name)
        self._parameters = parameters
        self._declared = declared
        self._convert = _input(self._function)
        try:
            inspect.signature(self._function).bind(None, **parameters)
        except TypeError as e:
            raise FunctionFault(
                f"does not take these parameters: {e}; it is called with the rows and then"
                f" {', '.join(parameters) or 'nothing else'}"
            ) from None

    def __call__(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The declared columns for these rows. Raises FunctionFault."""
        try:
            result = self._function(self._convert(rows), **self._parameters)
        except FunctionFault:
            raise
        except BaseException as e:
            raise raised(e, self._first_row(rows, type(e))) from None
        return to_rows(result, self._declared, rows)

    def _first_row(self, rows: pa.RecordBatch, kind: type[BaseException]) -> int | None:
        def fails(start: int, end: int) -> bool:
            try:
                part = rows.slice(start, end - start)
                self._function(self._convert(part), **self._parameters)
            except BaseException as e:
                return isinstance(e, kind)
            return False

        if issubclass(kind, (MemoryError, KeyboardInterrupt)):
            return None
        return first_row(rows.num_rows, fails)


def _load(name: str) -> Callable[..., Any]:
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except BaseException as e:
        fault = raised(e)
        if isinstance(e, ModuleNotFoundError):
            raise FunctionFault(
                f"cannot be imported: there is no module {e.name!r} beside the run file, in"
                " python.files, or installed for the interpreter",
                fault.lines,
            ) from None
        raise FunctionFault(
            f"cannot be imported: its module {fault.message}", fault.lines
        ) from None
    _check_origin(module, module_name)
    function = getattr(module, attribute, None)
    if function is None:
        known = [each for each in vars(module) if callable(getattr(module, each))]
        raise FunctionFault(
            f"is not in the module {module_name!r}{nearest(attribute, known)}",
        )
    if not callable(function):
        raise FunctionFault(f"is no function but {type(function).__name__}")
    return typing.cast("Callable[..., Any]", function)


def _check_origin(module: Any, name: str) -> None:
    """Only files that came with the job are part of the transform's identity."""
    origin = os.path.abspath(getattr(module, "__file__", None) or "")
    if not origin.startswith(os.getcwd() + os.sep):
        raise FunctionFault(
            f"is in the module {name!r} of {origin or sys.executable}, which does not belong to the"
            " run: put it into a module beside the run file, or into python.files"
        )


def _input(function: Callable[..., Any]) -> Convert:
    """What the annotation of its first parameter asks for; a dict of numpy arrays by default."""
    try:
        first = next(iter(inspect.signature(function).parameters.values()), None)
    except (TypeError, ValueError):
        return to_arrays
    if first is None:
        raise FunctionFault("takes no parameter; its first one gets the rows")
    annotation = first.annotation
    if annotation is inspect.Parameter.empty:
        return to_arrays
    if not isinstance(annotation, str):
        annotation = getattr(typing.get_origin(annotation) or annotation, "__name__", "")
    name = annotation.split("[")[0].split(".")[-1]
    convert = _INPUTS.get(name) or _INPUTS.get(name[:1].lower() + name[1:])
    if convert is None:
        raise FunctionFault(
            f"annotates its rows as {annotation}; take a pyarrow.RecordBatch or Table, a"
            " pandas.DataFrame, or a dict of numpy arrays"
        )
    return convert
