# SPDX-License-Identifier: MIT
"""Lineage: which relations a query reads, and in which order derivations can be built.

The parser is loaded when a query is read: most commands only need the headers.
"""

from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from m4bench.model.errors import InputError

if TYPE_CHECKING:
    from sqlglot import exp

DERIVED_SCHEMA = "mimiciv_derived"


def parse(sql: str) -> "exp.Expression":
    """Parse one DuckDB query.

    Raises:
        InputError: it does not parse, or is more than one statement.
    """
    import sqlglot

    try:
        return sqlglot.parse_one(sql, dialect="duckdb")
    except sqlglot.errors.ParseError as error:
        raise InputError(f"SQL does not parse: {error}") from error


def relations(sql: str) -> set[str]:
    """Return the qualified names (`schema.table`) a query reads; its own CTEs are not among them.

    Raises:
        InputError: a table is neither qualified nor a CTE of the query.
    """
    from sqlglot import exp

    tree = parse(sql)
    own = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    found = set()
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Func) or not table.name:
            continue
        if table.db:
            found.add(f"{table.db}.{table.name}".lower())
        elif table.name.lower() not in own:
            raise InputError(f"the relation {table.name} is neither qualified nor a CTE")
    return found


def renamed(
    sql: str, names: Mapping[str, str] | Callable[[str], str | None], *, comments: bool = True
) -> str:
    """Return a query with qualified relations replaced by other names, as DuckDB SQL, on request without comments."""
    from sqlglot import exp

    look_up = names if callable(names) else names.get
    tree = parse(sql)
    for table in tree.find_all(exp.Table):
        if table.db and (new := look_up(f"{table.db}.{table.name}".lower())):
            replacement = exp.to_table(new, dialect="duckdb")
            alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
            if alias.name != new:
                replacement.set("alias", alias.copy())
            table.replace(replacement)
    text: str = tree.sql(dialect="duckdb", pretty=True, comments=comments)
    return text


def build_order(dependencies: Mapping[str, Iterable[str]]) -> list[str]:
    """Return names so that each follows what it depends on; ties are broken by name.

    Raises:
        InputError: the dependencies hold a circle.
    """
    sorter = TopologicalSorter(
        {name: sorted(needs) for name, needs in sorted(dependencies.items())}
    )
    try:
        sorter.prepare()
    except CycleError as error:
        raise InputError(
            f"derivations depend on each other in a circle: {error.args[1]}"
        ) from error
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order.extend(ready)
        sorter.done(*ready)
    return order
