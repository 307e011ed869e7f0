# SPDX-License-Identifier: MIT
"""Translate a derivation's DuckDB SQL into another engine's. Knows neither data nor connections."""

from collections.abc import Mapping
from typing import Literal, get_args

import sqlglot
from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects import bigquery, postgres, spark
from m4bench.suites.derivation.library.dialects.rule import Rule, Writing
from m4bench.suites.derivation.library.dialects.typing import Columns, annotate
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
    return name


def writer_of(dialect: Dialect) -> object:
    """Return what sqlglot writes a dialect with."""
    return _WRITINGS[dialect].writer


def _applied(tree: exp.Expression, rule: Rule) -> exp.Expression:
    """Return a tree after a rule was given every node, those within a node before the node itself.

    What stands in a node's place has the node's type and comments.
    """
    for node in reversed(list(tree.walk())):
        parent, key, index = node.parent, node.arg_key, node.index
        new = rule(node)
        if new is node:
            continue
        if new.type is None:
            new.type = node.type
        new.add_comments(node.pop_comments())
        if parent is None:
            tree = new
        else:
            parent.set(key, new, index)
    return tree


def translate(
    sql: str,
    dialect: Dialect,
    names: Mapping[str, str] | None = None,
    columns: Columns | None = None,
) -> str:
    """Return a DuckDB query as a query of another dialect that gives the same rows.

    Args:
        sql: one query, such as the text of a derivation under a convention.
        dialect: the engine's dialect.
        names: qualified relations (`schema.table`) that stand under another qualified name there.
        columns: the declared columns of the relations it reads, for rules that depend on a type.

    Raises:
        InputError: the query does not parse, or holds what the dialect cannot say, or what it can only
            say knowing a type that does not follow from `columns`.
    """
    writing = _WRITINGS[dialect]
    tree = parse(sql)
    if columns is not None:
        annotate(tree, columns)
    for table in tree.find_all(exp.Table):
        if names and table.db and (new := names.get(f"{table.db}.{table.name}".lower())):
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            place = exp.to_table(new)
            table.set("this", place.this)
            table.set("db", place.args.get("db"))
    for rule in writing.rules:
        tree = _applied(tree, rule)
    for unknown in tree.find_all(exp.Anonymous):
        if writing.functions is not None and unknown.name.upper() not in writing.functions:
            raise InputError(f"calls {unknown.name}, which is not known to {dialect}")
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
