# SPDX-License-Identifier: MIT
"""What is checked of a task's answer, as `checks.toml` of its family declares it. Knows no database and no rows."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import family_file
from m4bench.suites.derivation.tasks.texts import read_regular

CHECKS = "checks.toml"


class ColumnCheck(Record):
    """A column as the card states it: type, range (inclusive), allowed values, and where it may be null.

    `null` completes "the card has nulls only …"; a column without it is never null.
    """

    type: Literal["integer", "real", "timestamp", "text"]
    at_least: int | float | None = None
    at_most: int | float | None = None
    values: tuple[int | str, ...] = ()
    null: str | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        numeric = self.type in {"integer", "real"}
        if not numeric and (self.at_least is not None or self.at_most is not None):
            raise ValueError(f"a {self.type} has no range")
        if any(isinstance(value, str) == numeric for value in self.values):
            raise ValueError(f"values are not of the type {self.type}")
        return self


class Rule(Record):
    """Something that has to hold: how it is said, and what to do where it does not."""

    says: str
    remedy: str = ""


class RowRule(Rule):
    """`holds` is an SQL condition on the columns of one row; it counts as broken only where it is false.

    `where` is the condition of the rows it is about, all of them by default.
    """

    holds: str
    where: str = "true"


class MemberRule(Rule):
    """With `within` every row's `on` is a record of the relation `of`, with `complete` each of these has a row.

    `named` is what one of these records is called.
    """

    of: str
    on: tuple[str, ...]
    named: str
    within: bool = True
    complete: bool = False


class LinkedRule(Rule):
    """`holds` is an SQL condition on a row, `answer.…`, and the record of the relation `of` that has its `on`.

    A row whose record is not there is passed over. The relation has one record for each `on`.
    """

    of: str
    on: tuple[str, ...]
    holds: str


class SequenceRule(Rule):
    """`column` numbers the rows of each `within` from 1 without gaps, in the order of `by`, nulls first.

    Rows that are equal in `by` may take their numbers in any order.
    """

    column: str
    within: tuple[str, ...]
    by: tuple[str, ...]


class IntervalRule(Rule):
    """Of the rows of each `within`, none has a `start` before the `end` of the one that starts before it."""

    within: tuple[str, ...]
    start: str
    end: str


class SizeRule(Rule):
    """There should not be more rows than the relation `of` has; more deserve a look."""

    of: str


class Checks(Record):
    """What is checked of a task's answer.

    `relations` are queries on the database, the only place where its tables and columns are named; everything
    else names the columns they return.
    """

    relations: dict[str, str] = Field(default_factory=dict)
    columns: dict[str, ColumnCheck]
    rows: tuple[RowRule, ...] = ()
    members: tuple[MemberRule, ...] = ()
    linked: tuple[LinkedRule, ...] = ()
    sequences: tuple[SequenceRule, ...] = ()
    intervals: tuple[IntervalRule, ...] = ()
    sizes: tuple[SizeRule, ...] = ()

    def of_relations(self) -> Iterator[tuple[str, MemberRule | LinkedRule | SizeRule]]:
        """Yield the rules that read a relation, with the field each stands in."""
        for field in ("members", "linked", "sizes"):
            for place, rule in enumerate(getattr(self, field)):
                yield f"{field}.{place}", rule


def checks_file(task: Task, root: Path | None = None) -> Path:
    """Return the file of a task's checks: its own, or the one its family shares."""
    return family_file(task, CHECKS, root)


def load_checks(task: Task, root: Path | None = None) -> Checks:
    """Return what is checked of a task's answer.

    Raises:
        InputError: the file is missing or no TOML, or a field is unknown, missing, of the wrong type or at odds
            with the others; the error names the file and the field.
    """
    path = checks_file(task, root)
    try:
        content = tomllib.loads(read_regular(path))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", file=path) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"is not TOML: {error}", file=path) from error
    try:
        checks = Checks.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InputError(
            first["msg"].removeprefix("Value error, ").lower(),
            file=path,
            column=".".join(str(part) for part in first["loc"]),
            remedy="see docs/reference/checks.md for the fields",
        ) from error
    for place, rule in checks.of_relations():
        if rule.of not in checks.relations:
            raise InputError(f"no relation is called {rule.of}", file=path, column=f"{place}.of")
    return checks
