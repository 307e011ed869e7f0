# SPDX-License-Identifier: MIT
"""The typed header of a derivation file: what a concept or reference claims of itself, in YAML."""

import re
from pathlib import Path
from typing import Literal

import yaml
from pydantic import ValidationError, model_validator

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.task import Convention

Kind = Literal["concept", "reference"]
_HEADER = re.compile(r"\A/\*\s*\n(?P<yaml>.*?)\n\*/\s*\n(?P<sql>.*)\Z", re.DOTALL)


class Column(Record):
    """One output column; `unit` is absent where a column has none."""

    name: str
    type: str
    unit: str | None = None
    meaning: str


class Header(Record):
    """What a derivation file declares.

    `grain` is one row per what; `key` the columns unique by construction, or none. `inputs` are the
    relations the SQL reads, checked against the SQL itself. `spec` names the specification whose rule
    numbers stand beside the clauses; `source` the clinical or data source.
    """

    name: str
    kind: Kind
    title: str
    grain: str
    key: tuple[str, ...] | None
    columns: tuple[Column, ...]
    inputs: tuple[str, ...]
    spec: str
    source: str
    conventions: tuple[Convention, ...]

    @model_validator(mode="after")
    def _key_is_made_of_columns(self) -> "Header":
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise ValueError("a column is declared twice")
        if self.key and not set(self.key) <= set(names):
            raise ValueError("the key names a column that is not declared")
        return self


def split(path: Path) -> tuple[Header, str]:
    """Read a derivation file and return its header and its SQL.

    Raises:
        InputError: the file has no header, or one that does not fit.
    """
    found = _HEADER.match(path.read_text(encoding="utf-8"))
    if not found:
        raise InputError("has no YAML header", file=path, remedy="begin it with /* … */")
    try:
        header = Header.model_validate(yaml.safe_load(found["yaml"]))
    except (ValidationError, yaml.YAMLError) as error:
        raise InputError(f"its header does not fit: {error}", file=path) from error
    if header.name != path.stem:
        raise InputError(
            f"declares the name {header.name}", file=path, remedy="name it as the file"
        )
    return header, found["sql"].strip().rstrip(";")
