# SPDX-License-Identifier: MIT
"""What a query reads of a table of events: rows of which items, and which columns. Knows no data."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from m4bench.suites.derivation.library.lineage import parse

if TYPE_CHECKING:
    from sqlglot import exp

ITEM = "itemid"


class Reading(NamedTuple):
    """What a query reads of a table: rows of these items, and no other columns than these."""

    items: frozenset[int]
    columns: frozenset[str]


def _is_whole(value: "exp.Expression") -> bool:
    from sqlglot import exp

    return isinstance(value, exp.Literal) and value.is_int


def _items_listed(source: "exp.Table") -> frozenset[int] | None:
    """Return the items in the column itemid of a CTE that selects it from literal rows; else None."""
    from sqlglot import exp

    ctes = source.root().find_all(exp.CTE)
    query = next((cte.this for cte in ctes if cte.alias == source.name and not source.db), None)
    rows = query.find(exp.Values) if isinstance(query, exp.Select) else None
    if rows is None or rows.parent_select is not query or query.args.get("joins"):
        return None
    columns = [column.name for column in rows.args["alias"].columns]
    selected = [column for column in query.expressions if column.alias_or_name == ITEM]
    if ITEM not in columns or not all(
        isinstance(column, exp.Column) and column.name == ITEM for column in selected
    ):
        return None
    values = [row.expressions[columns.index(ITEM)] for row in rows.expressions]
    return frozenset(int(value.name) for value in values) if all(map(_is_whole, values)) else None


class _Limits(NamedTuple):
    """How the query around a table can limit its items: by its own column, and by columns of literal rows."""

    is_item: Callable[["exp.Column"], bool]
    lists: Mapping[str, frozenset[int]]

    def of(self, condition: "exp.Expression | None") -> frozenset[int] | None:
        """Return the items of the rows for which a condition can hold, or None when it can hold for any."""
        from sqlglot import exp

        if isinstance(condition, exp.Paren):
            return self.of(condition.this)
        if isinstance(condition, exp.And | exp.Or):
            sides = [self.of(side) for side in (condition.left, condition.right)]
            known = [side for side in sides if side is not None]
            if isinstance(condition, exp.And):
                return frozenset.intersection(*known) if known else None
            return frozenset.union(*known) if len(known) == len(sides) else None
        if isinstance(condition, exp.Boolean):
            return None if condition.this else frozenset()
        if isinstance(condition, exp.EQ | exp.In):
            return self._equal(condition)
        return None

    def _equal(self, condition: "exp.EQ | exp.In") -> frozenset[int] | None:
        from sqlglot import exp

        column = condition.this
        if not (isinstance(column, exp.Column) and self.is_item(column)):
            return None
        equal = isinstance(condition, exp.EQ)
        values = [condition.expression] if equal else condition.expressions
        if len(values) == 1 and isinstance(values[0], exp.Column) and values[0].name == ITEM:
            return self.lists.get(values[0].table)
        if not values or not all(map(_is_whole, values)):
            return None
        return frozenset(int(value.name) for value in values)


def _items_of(table: "exp.Table") -> frozenset[int] | None:
    """Return the items to which the query around a table limits it, or None when it may read any.

    What WHERE demands of a column holds of every row that has a part in the result; what ON demands
    holds of both tables of an inner join, and else of the rows of the table that is joined, unless they
    are kept without a match.
    """
    from sqlglot import exp

    query = table.find_ancestor(exp.Select)
    if query is None:
        return None
    joins = query.args.get("joins") or []

    def is_item(column: exp.Column) -> bool:
        own = column.table == table.alias_or_name or (not joins and not column.table)
        return own and column.name.lower() == ITEM

    inner = all(join.side == "" and join.kind in {"", "INNER"} for join in joins)
    lists = {
        join.this.alias_or_name: listed
        for join in joins
        if isinstance(join.this, exp.Table) and (listed := _items_listed(join.this)) is not None
    }
    limits = _Limits(is_item, lists)
    where = query.args.get("where")
    conditions = [where.this] if where else []
    own = table.parent
    if inner:
        conditions += [join.args.get("on") for join in joins]
    elif isinstance(own, exp.Join) and own.side == "LEFT" and own.kind == "":
        conditions.append(own.args.get("on"))
    found = [items for each in conditions if (items := limits.of(each)) is not None]
    return frozenset.intersection(*found) if found else None


def reading_of(sql: str, relation: str) -> Reading | None:
    """Return what a query reads of a relation, or None when it may read all of it.

    Args:
        sql: a DuckDB query.
        relation: `schema.table`.
    """
    from sqlglot import exp

    tree = parse(sql)
    items: set[int] = set()
    for table in tree.find_all(exp.Table):
        if f"{table.db}.{table.name}".lower() == relation:
            found = _items_of(table)
            if found is None:
                return None
            items |= found
    for select in tree.find_all(exp.Select):
        if any(isinstance(column, exp.Star) or column.is_star for column in select.expressions):
            return None
    return Reading(
        frozenset(items), frozenset(column.name.lower() for column in tree.find_all(exp.Column))
    )
