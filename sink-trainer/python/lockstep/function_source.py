"""The source of functions: the file of their module, or their text where they have none, as in a
notebook."""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from lockstep.errors import UsageError

_MAIN = "__main__"
# The folders of installed packages; the second is Debian's.
_INSTALLED = ("site-packages", "dist-packages")


def own_module(function: Callable[..., Any]) -> Path | None:
    """The file or the outermost package of a function's module; None if workers cannot import it.

    Raises UsageError for what no worker can call by name: closures, lambdas, methods and objects.
    """
    _check(function)
    return None if function.__module__ == _MAIN else module_file(function.__module__)


def module_file(name: str) -> Path | None:
    """The file of a module, or the folder of its outermost package."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return None
    path = Path(file).resolve()
    depth = name.count(".") + (path.name == "__init__.py")
    return path if depth == 0 else path.parents[depth - 1]


def _check(function: Callable[..., Any]) -> None:
    if not isinstance(function, FunctionType):
        raise _refused(function, "is no function, and workers call functions only")
    if function.__name__ == "<lambda>":
        raise _refused(function, "is a lambda, which has no name that workers could call")
    if function.__closure__ is not None:
        names = ", ".join(function.__code__.co_freevars)
        raise _refused(
            function,
            f"is a closure over {names}, which workers do not have: pass them as parameters",
        )
    if "<locals>" in function.__qualname__ or "." in function.__qualname__:
        raise _refused(function, "is not at the top level of its module, where workers find it")


def _refused(function: Any, why: str) -> UsageError:
    name = getattr(function, "__qualname__", repr(function))
    return UsageError(f"{name} {why}; define a function at the top level of a module or notebook")


class ModuleText:
    """A module with a function of a notebook or script and what it uses there: modules, functions
    and constants.

    Raises UsageError if it uses anything else.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.files: list[Path] = []
        """The files of modules that are not installed, but stand in a folder of the user."""
        self._known: set[str] = set()
        self._parts = ["from __future__ import annotations\n"]
        self._add(function)

    def __str__(self) -> str:
        return "\n".join(self._parts)

    def _add(self, function: Callable[..., Any]) -> None:
        _check(function)
        self._known.add(function.__name__)
        try:
            source = textwrap.dedent(inspect.getsource(function))
        except (OSError, TypeError):
            raise _refused(function, "has no source that could be sent to workers") from None
        definition = ast.parse(source).body[0]
        assert isinstance(definition, ast.FunctionDef)
        for name in (*_globals(function.__code__), *_defaults(definition)):
            if name in function.__globals__ and name not in self._known:
                self._known.add(name)
                self._add_global(function, name, function.__globals__[name])
        # Without decorators: workers call the function itself.
        lines = source.splitlines(keepends=True)
        self._parts.append("".join(lines[definition.lineno - 1 :]))

    def _add_global(self, function: Callable[..., Any], name: str, value: Any) -> None:
        if isinstance(value, ModuleType):
            self._import(value)
            self._parts.append(f"import {value.__name__} as {name}\n")
        elif isinstance(value, FunctionType) and value.__module__ == function.__module__:
            self._add(value)
        elif _is_importable(value):
            self._import(sys.modules[value.__module__])
            self._parts.append(f"from {value.__module__} import {value.__name__} as {name}\n")
        elif _is_constant(value):
            self._parts.append(f"{name} = {value!r}\n")
        else:
            raise _refused(
                function,
                f"uses {name}, a {type(value).__name__} that cannot be sent to workers: pass it as"
                " a parameter, or make it in the function",
            )

    def _import(self, module: ModuleType) -> None:
        file = module_file(module.__name__)
        if file is not None and not _is_installed(file):
            self.files.append(file)


def _is_importable(value: Any) -> bool:
    module = sys.modules.get(getattr(value, "__module__", None) or _MAIN)
    name = getattr(value, "__name__", None)
    return (
        module is not None
        and module.__name__ != _MAIN
        and name is not None
        and getattr(module, name, None) is value
    )


def _is_installed(file: Path) -> bool:
    # Those of an outer environment are not among this interpreter's paths.
    if any(parent.name in _INSTALLED for parent in file.parents):
        return True
    folders = {Path(folder).resolve() for folder in sysconfig.get_paths().values()}
    return not folders.isdisjoint(file.parents)


def _globals(code: CodeType) -> Iterator[str]:
    """The names that a function may use, also in functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals(constant)


def _defaults(definition: ast.FunctionDef) -> Iterator[str]:
    """The names in the default values of its parameters."""
    for default in (*definition.args.defaults, *definition.args.kw_defaults):
        if default is not None:
            yield from (node.id for node in ast.walk(default) if isinstance(node, ast.Name))


def _is_constant(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False
