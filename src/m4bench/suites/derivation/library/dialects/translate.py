# SPDX-License-Identifier: MIT
"""Translate a derivation's DuckDB SQL into another engine's. Knows neither data nor connections."""

from collections.abc import Mapping
from typing import Literal, cast, get_args

import sqlglot
from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects import bigquery, postgres, spark
from m4bench.suites.derivation.library.dialects.rule import Writing
from m4bench.suites.derivation.library.lineage import parse

Dialect = Literal["duckdb", "postgres", "bigquery", "spark"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_WRITINGS: dict[Dialect, Writing] = {
    "duckdb": Writing("duckdb"),
    "postgres": postgres.WRITING,
    "bigquery": bigquery.WRITING,
    "spark": spark.WRITING,
}


def require_dialect(name: str) -> Dialect:
    """Return a dialect's name.

    Raises:
        InputError: there is no such dialect.
    """
    if name not in DIALECTS:
        raise InputError(f"no dialect is called {name}", remedy=f"choose: {', '.join(DIALECTS)}")
    return cast(Dialect, name)


def translate(sql: str, dialect: Dialect, names: Mapping[str, str] | None = None) -> str:
    """Return a DuckDB query as a query of another dialect that gives the same rows.

    Args:
        sql: one query, such as the text of a derivation under a convention.
        dialect: the engine's dialect.
        names: qualified relations (`schema.table`) that stand under another qualified name there.

    Raises:
        InputError: the query does not parse, or holds what the dialect cannot say.
    """
    writing = _WRITINGS[dialect]
    tree = parse(sql)
    for table in tree.find_all(exp.Table):
        if names and table.db and (new := names.get(f"{table.db}.{table.name}".lower())):
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            place = exp.to_table(new)
            table.set("this", place.this)
            table.set("db", place.args.get("db"))
    for rule in writing.rules:
        tree = tree.transform(rule, copy=False)
    try:
        text: str = tree.sql(
            dialect=writing.writer,
            pretty=True,
            max_text_width=100,
            unsupported_level=sqlglot.ErrorLevel.RAISE,
        )
    except sqlglot.errors.UnsupportedError as error:
        raise InputError(f"cannot be said in {dialect}: {error}") from error
    return text
