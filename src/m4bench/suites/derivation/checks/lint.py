# SPDX-License-Identifier: MIT
"""Checks that what is declared of an answer is what its card states, and can be asked. Reads no rows.

Conditions and queries are bound to empty tables of the site, so that a column that is not there is found.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import duckdb

from m4bench.data.catalogue import declared_tables
from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.checks.declared import (
    Checks,
    ColumnCheck,
    LinkedRule,
    SizeRule,
    load_checks,
)
from m4bench.suites.derivation.library.engine import identifier
from m4bench.suites.derivation.library.lineage import relations
from m4bench.suites.derivation.tasks.cards import card, column_rows
from m4bench.suites.derivation.tasks.texts import TO_WRITE

_TYPES = {"integer": "DOUBLE", "real": "DOUBLE", "timestamp": "TIMESTAMP", "text": "VARCHAR"}
_LISTED = re.compile(r"-?\d+(?:(?:, | or )-?\d+)*")
_UNITS = re.compile(r" (?:points|years)$")


def check_problems(task: Task, root: Path | None = None) -> Iterator[str]:
    """Tell what is wrong with the checks of a task: missing, at odds with the card, or not to be asked."""
    try:
        checks = load_checks(task, root)
        table = _card_table(card(task, root))
    except InputError as error:
        yield f"{error.column}: {error.problem}" if error.column else error.problem
        return
    if list(checks.columns) != list(task.scoring.required):
        yield "columns are not scoring.required in its order"
    text = card(task, root)
    for name, check in checks.columns.items():
        for problem in _column_problems(check, table.get(name), text):
            yield f"columns.{name}: {problem}"
    yield from _binding_problems(task, checks)


def _card_table(text: str) -> dict[str, dict[str, str]]:
    found = {row["column"].strip("`"): row for row in column_rows(text)}
    if not found:
        raise InputError("the card has no table of columns")
    return found


def _column_problems(
    check: ColumnCheck, cells: Mapping[str, str] | None, text: str
) -> Iterator[str]:
    if cells is None:
        yield "the card's table does not have it"
        return
    if cells.get("type", check.type) != check.type:
        yield f"type is {check.type}, but {cells['type']} in the card"
    if "type" not in cells and check.type not in {"integer", "text"}:
        yield f"type is {check.type}, but the card gives no type"
    nullable = cells.get("null", "never") != "never"
    if nullable and check.null is None:
        yield "is null somewhere by the card"
    if check.null is not None and not nullable:
        yield "null is given, but the card says it never is"
    stated = cells.get("range", cells.get("values", "")).replace("see below", "")
    if TO_WRITE in stated:
        return  # told as a place that is still to be written
    if stated in {"", "text"}:
        if check.at_least is not None and f"from {check.at_least}" not in cells["meaning"]:
            yield "at_least is given, but the card has no range"
        if check.at_most is not None:
            yield "at_most is given, but the card has no range"
        for value in check.values:
            if not _named(value, cells["meaning"], text):
                yield f"the card does not name the value {value}"
    elif _plain(stated) != _stated(check):
        yield f"allows {_stated(check) or 'anything'}, but the card says {stated}"


def _named(value: int | str, meaning: str, text: str) -> bool:
    """Return whether a number is in a column's meaning, a word in backticks or a table's first cell."""
    if isinstance(value, int):
        return re.search(rf"(?<!\d){value}(?!\d)", meaning) is not None
    return f"`{value}`" in text or f"\n| {value} |" in text


def _plain(stated: str) -> str:
    """Return a range or a list of values as a card states it, without a unit and with commas alone."""
    bare = _UNITS.sub("", stated)
    return bare.replace(" or ", ", ") if _LISTED.fullmatch(bare) else bare


def _stated(check: ColumnCheck) -> str:
    """Return a column's range or values as a card writes them."""
    if check.values:
        return ", ".join(map(str, check.values))
    if check.at_most is not None:
        return f"{check.at_least} to {check.at_most}"
    return "" if check.at_least is None else f"{check.at_least} or more"


def _binding_problems(task: Task, checks: Checks) -> Iterator[str]:
    """Tell which queries and conditions cannot be asked of the site's tables and the answer's columns."""
    # what is linted may be another's: nothing outside of the engine is read or written
    closed: dict[str, str | bool | int | float | list[str]] = {
        "enable_external_access": False,
        "lock_configuration": True,
    }
    with duckdb.connect(":memory:", config=closed) as engine:
        tables = declared_tables(task.site)
        for qualified, table in tables.items():
            columns = ", ".join(f"{identifier(n)} {t}" for n, t in table.column_types.items())
            engine.execute(f"CREATE SCHEMA IF NOT EXISTS {table.schema_name}")
            engine.execute(f"CREATE TABLE {qualified} ({columns})")
        columns = ", ".join(f"{identifier(n)} {_TYPES[c.type]}" for n, c in checks.columns.items())
        engine.execute(f"CREATE TABLE answer ({columns})")
        unfit = set()
        for name, query in checks.relations.items():
            for problem in _query_problems(engine, query, set(tables)):
                unfit.add(name)
                yield f"relations.{name}: {problem}"
        for place, query in _questions(checks, unfit):
            try:
                described = _described(engine, query)
            except (InputError, duckdb.Error) as error:
                yield f"{place}: {_said(error)}"
                continue
            if place.endswith(("holds", "where")) and described[0][1] != "BOOLEAN":
                yield f"{place}: is no condition"


def _query_problems(
    engine: duckdb.DuckDBPyConnection, query: str, tables: set[str]
) -> Iterator[str]:
    try:
        for relation in sorted(relations(query) - tables):
            yield f"reads {relation}, which is no source table"
        _described(engine, query)
    except (InputError, duckdb.Error) as error:
        yield _said(error)


def _described(engine: duckdb.DuckDBPyConnection, query: str) -> list[tuple[str, ...]]:
    """Return the columns of a query, which is bound and not run.

    Raises:
        InputError: it is not one SELECT.
    """
    statements = engine.extract_statements(query)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise InputError("is not one query")
    return engine.execute(f"DESCRIBE {query}").fetchall()


def _questions(checks: Checks, unfit: set[str]) -> Iterator[tuple[str, str]]:
    """Yield every condition and list of columns as a query that binds only when it can be asked."""
    for place, row_rule in enumerate(checks.rows):
        yield f"rows.{place}.holds", f"SELECT {row_rule.holds} FROM answer"
        yield f"rows.{place}.where", f"SELECT {row_rule.where} FROM answer"
    for field, names in (
        *((f"sequences.{p}", (*r.within, r.column, *r.by)) for p, r in enumerate(checks.sequences)),
        *((f"intervals.{p}", (*r.within, r.start, r.end)) for p, r in enumerate(checks.intervals)),
    ):
        yield field, f"SELECT {', '.join(map(identifier, names))} FROM answer"
    for field, rule in checks.of_relations():
        if rule.of in unfit or isinstance(rule, SizeRule):
            continue
        shared = ", ".join(map(identifier, rule.on))
        joined = f"answer INNER JOIN ({checks.relations[rule.of]}) AS {rule.of} USING ({shared})"
        if isinstance(rule, LinkedRule):
            yield f"{field}.holds", f"SELECT {rule.holds} FROM {joined}"
        else:
            yield f"{field}.on", f"SELECT 1 FROM {joined}"


def _said(error: InputError | duckdb.Error) -> str:
    if isinstance(error, InputError):
        return error.problem
    return str(error).strip().splitlines()[0].lower()
