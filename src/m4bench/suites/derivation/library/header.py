# SPDX-License-Identifier: MIT
"""The typed header of a derivation file: what a concept or reference claims of itself, in YAML."""

import re
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.task import Convention

Kind = Literal["concept", "reference"]
_HEADER = re.compile(r"\A/\*\s*\n(?P<yaml>.*?)\n\*/\s*\n(?P<sql>.*)\Z", re.DOTALL)


class Column(Record):
    """One output column; `unit` is absent where a column has none, `types` where no convention changes it."""

    name: str
    type: str
    types: dict[Convention, str] = Field(default_factory=dict)
    unit: str | None = None
    meaning: str

    def type_under(self, convention: Convention) -> str:
        """Return its type under a convention."""
        for known in _LOOKED_UP[convention]:
            if known in self.types:
                return self.types[known]
        return self.type


class Parameter(Record):
    """One thing on which definitions differ: what the SQL says in its place under each convention.

    `current` left out is `published`; `adjudicated` left out is what `current` says. `difference` states
    in a sentence what moves, `source` who says so, `example` a tiny input and the value under each
    convention. `signed_by` names the clinician who has signed the adjudicated value, nobody so far.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    published: str
    current: str | None = None
    adjudicated: str | None = None
    difference: str
    source: str
    example: str
    signed_by: str | None = None

    def under(self, convention: Convention) -> str:
        """Return the SQL that stands for it under a convention."""
        values: dict[Convention, str | None] = {
            "current": self.current,
            "adjudicated": self.adjudicated,
        }
        for known in _LOOKED_UP[convention]:
            value = values[known]
            if value is not None:
                return value
        return self.published


class Unresolved(Record):
    """A departure from the clinical source that the adjudicated convention leaves as it is, and why."""

    says: str
    reason: str


_LOOKED_UP: dict[Convention, tuple[Convention, ...]] = {
    "published": (),
    "current": ("current",),
    "adjudicated": ("adjudicated", "current"),
}


class Header(Record):
    """What a derivation file declares.

    `grain` is one row per what; `key` the columns unique by construction, or none. `inputs` are the
    relations the SQL reads under any convention, checked against the SQL itself. `spec` names the
    specification whose rule numbers stand beside the clauses; `source` the clinical or data source.
    `conventions` are the parameters on which definitions differ, `unresolved` what `adjudicated` leaves open,
    `settings` those that only tell two
    derivations of one `body` apart: a file that names another file as its body has no SQL of its own.
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
    conventions: tuple[Parameter, ...]
    unresolved: tuple[Unresolved, ...] = ()
    settings: dict[str, str] = Field(default_factory=dict)
    body: str | None = None

    @model_validator(mode="after")
    def _names_are_sound(self) -> "Header":
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise ValueError("a column is declared twice")
        if self.key and not set(self.key) <= set(names):
            raise ValueError("the key names a column that is not declared")
        parameters = [*(parameter.name for parameter in self.conventions), *self.settings]
        if len(set(parameters)) != len(parameters):
            raise ValueError("a parameter is declared twice")
        return self

    @property
    def differing(self) -> tuple[Convention, ...]:
        """Return the conventions under which its SQL differs from the published one of itself."""
        return tuple(
            known
            for known in ("current", "adjudicated")
            if any(p.under(known) != p.published for p in self.conventions)
            or any(c.type_under(known) != c.type for c in self.columns)
        )

    def under(self, convention: Convention) -> "Header":
        """Return the header with the columns' types of a convention."""
        if not any(column.types for column in self.columns):
            return self
        columns = tuple(
            column.model_copy(update={"type": column.type_under(convention)})
            for column in self.columns
        )
        return self.model_copy(update={"columns": columns})


def split(path: Path) -> tuple[Header, str]:
    """Read a derivation file and return its header and its SQL, parameters unresolved.

    Raises:
        InputError: the file has no header, or one that does not fit.
    """
    found = _HEADER.match(path.read_text(encoding="utf-8"))
    if not found:
        raise InputError("has no YAML header", file=path, remedy="begin it with /* … */")
    try:
        header = Header.model_validate(yaml.load(found["yaml"], Loader=yaml.CSafeLoader))
    except (ValidationError, yaml.YAMLError) as error:
        raise InputError(f"its header does not fit: {error}", file=path) from error
    if header.name != path.stem:
        raise InputError(
            f"declares the name {header.name}", file=path, remedy="name it as the file"
        )
    sql = found["sql"].strip().rstrip(";")
    if header.body is None and not sql:
        raise InputError("has neither SQL nor a body", file=path)
    if header.body is not None and sql:
        raise InputError(f"has SQL beside the body {header.body}", file=path)
    return header, sql
