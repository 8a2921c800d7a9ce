"""The columns of an embedded job's dataset, as options of the command or keys of a run file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lockstep.errors import UsageError
from lockstep.suggest import nearest

# None is what YAML reads for null.
_MISSING = ("refuse", "null", None)


class DatasetColumns:
    """Which columns of a dataset to read, and how to read those that differ between its files.

    columns: their names, or one name; None for all.
    partitions: the types of columns from folders, such as {"year": "int32"}.
    schema: the rules for columns that differ, {"missing": "refuse" or "null", "widen": bool}.
    """

    def __init__(
        self,
        columns: str | Iterable[str] | None,
        partitions: Mapping[str, str] | None,
        schema: Mapping[str, Any] | None,
    ) -> None:
        if isinstance(columns, str):
            columns = [columns]
        self.columns = None if columns is None else list(columns)
        self.partitions = partitions
        self.schema = schema

    def check(self) -> None:
        """Raises UsageError for what the command could not be told."""
        for name, example in (("partitions", {"year": "int32"}), ("schema", {"widen": True})):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Mapping):
                raise UsageError(f"{name}={value!r} is not a mapping, such as {example}")
        schema = self.schema or {}
        for key in schema:
            if key not in ("missing", "widen"):
                raise UsageError(
                    f"schema has no rule {key!r}{nearest(str(key), ('missing', 'widen'))}"
                )
        if schema.get("missing", "refuse") not in _MISSING:
            raise UsageError(f"schema: missing is {schema['missing']!r}; say 'refuse' or 'null'")
        if not isinstance(schema.get("widen", False), bool):
            raise UsageError(f"schema: widen is {schema['widen']!r}; say True or False")

    def options(self) -> list[str]:
        """Arguments of the command."""
        options = []
        for column in self.columns or ():
            # A comma in a name would separate two columns.
            options += ["--columns", re.sub(r"(\\.)|,", lambda c: c[1] or r"\,", column)]
        for name, type_ in (self.partitions or {}).items():
            options += ["--partitions", f"{name}={type_}"]
        schema = self.schema or {}
        if "missing" in schema:
            options += ["--missing", schema["missing"] or "null"]
        return [*options, "--widen"] if schema.get("widen") else options

    def keys(self) -> dict[str, Any]:
        """Keys of a stream in a run file."""
        return {key: value for key, value in vars(self).items() if value}
