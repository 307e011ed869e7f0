# SPDX-License-Identifier: MIT
"""The SELECTs of one query and what their names mean, for reading facts off it. Knows no library and no fact.

A column is followed from where it is named to where it is made: through CTEs, subqueries, unions, VALUES lists and
unnested lists. What is read from a relation ends there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlglot import exp

from m4bench.model.errors import InputError


@dataclass(eq=False)
class Relation:
    """A source table, or a derivation, under its qualified name."""

    name: str
    columns: tuple[str, ...] | None


@dataclass(eq=False)
class Rows:
    """A VALUES list: its columns, and of each row the cells."""

    columns: list[str]
    cells: list[list[exp.Expression]]


@dataclass(eq=False)
class Spread:
    """An unnested list or a series, made within a SELECT: one expression behind every column."""

    made: exp.Expression
    select: "Select"


@dataclass(eq=False)
class Stack:
    """A union of queries, columns by position."""

    arms: "list[Query]"


@dataclass(eq=False)
class Source:
    """A query as a SELECT reads it: how it is joined, and the inner names of columns that its alias renames."""

    query: "Query"
    join: exp.Join | None = None
    renamed: dict[str, str] = field(default_factory=dict)

    @property
    def optional(self) -> bool:
        """Tell whether rows of the SELECT stand without it."""
        return self.join is not None and self.join.side.upper() == "LEFT"


@dataclass(eq=False)
class Select:
    """One SELECT: its outputs in order, the sources it reads, the windows it names, the SELECT around it."""

    node: exp.Select
    outputs: dict[str, exp.Expression] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    windows: dict[str, exp.Expression] = field(default_factory=dict)
    inner: "dict[int, Query]" = field(default_factory=dict)
    around: "Select | None" = None

    def clause(self, name: str) -> exp.Expression | None:
        """Return a clause such as `where`."""
        found: exp.Expression | None = self.node.args.get(name)
        return found


Query = Relation | Rows | Spread | Stack | Select


class Place(NamedTuple):
    """A column of a query."""

    query: Query
    column: str


class Named(NamedTuple):
    """What a column reference means: a column of a source of a SELECT, under the source's name there."""

    select: Select
    source: str
    place: Place


def names_of(query: Query) -> list[str]:
    """Return the columns of a query in order, as far as they are known."""
    match query:
        case Select():
            return list(query.outputs)
        case Stack():
            return names_of(query.arms[0])
        case Rows():
            return query.columns
        case Relation():
            return list(query.columns or ())
    return []


def has_column(query: Query, column: str) -> bool | None:
    """Tell whether a query has a column, or None where that is not known."""
    if (isinstance(query, Relation) and query.columns is None) or isinstance(query, Spread):
        return None
    return column in names_of(query)


def look_up(column: exp.Column, select: Select) -> Named | exp.Expression | None:
    """Return what a column reference means: a source's column, or the expression of an output of the SELECT itself."""
    name, table = column.name.lower(), column.table.lower()
    unsure: list[str] = []
    for alias, source in select.sources.items():
        if table and alias != table:
            continue
        inner = source.renamed.get(name, name)
        if source.renamed and name not in source.renamed and not isinstance(source.query, Relation):
            continue
        known = True if name in source.renamed else has_column(source.query, inner)
        if known or table:
            return Named(select, alias, Place(source.query, inner))
        if known is None:
            unsure.append(alias)
    if not table and name in select.outputs:
        made = select.outputs[name]
        if not any(inner.name.lower() == name for inner in made.find_all(exp.Column)):
            return made
    if not table and unsure:
        return Named(select, unsure[0], Place(select.sources[unsure[0]].query, name))
    return look_up(column, select.around) if select.around else None


class Builder:
    """Reads a parsed query into SELECTs; `columns` gives those of a relation, or None."""

    def __init__(self, columns: Callable[[str], tuple[str, ...] | None]) -> None:
        self._columns = columns
        self.selects: list[Select] = []

    def query(
        self, node: exp.Expression, known: Mapping[str, Source], around: Select | None = None
    ) -> Query:
        """Return a SELECT, a union or either in parentheses."""
        ctes = dict(known)
        for cte in getattr(node, "ctes", []):
            made = self.query(cte.this, ctes, around)
            ctes[cte.alias.lower()] = Source(made, None, _renaming(made, cte.args.get("alias")))
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes, around)
        if isinstance(node, exp.SetOperation):
            sides = [self.query(side, ctes, around) for side in (node.this, node.expression)]
            return Stack([arm for side in sides for arm in _arms(side)])
        if isinstance(node, exp.Values):
            return _rows(node)
        if isinstance(node, exp.Select):
            return self._select(node, ctes, around)
        raise InputError(f"a query of the kind {node.key} is not followed")

    def _select(
        self, node: exp.Select, ctes: Mapping[str, Source], around: Select | None
    ) -> Select:
        select = Select(node, around=around)
        self.selects.append(select)
        joins: list[tuple[exp.Expression, exp.Join | None]] = []
        joins += [(start.this, None)] if (start := node.args.get("from_")) else []
        joins += [(join.this, join) for join in node.args.get("joins") or []]
        joins += [(lateral, None) for lateral in node.args.get("laterals") or []]
        for made, join in joins:
            source = self._source(made, ctes, select)
            source.join = join
            select.sources[made.alias_or_name.lower()] = source
        select.windows = {w.name.lower(): w for w in node.args.get("windows") or []}
        for projection in node.expressions:
            for name, made in _projected(projection, select):
                select.outputs[name if name not in select.outputs else f"#{name}"] = made
        for part in _own_parts(node):
            for inner in part.find_all(exp.Query):
                if inner.parent_select is node and not isinstance(inner.parent, exp.Subquery):
                    select.inner[id(inner)] = self.query(inner, ctes, select)
        return select

    def _source(self, node: exp.Expression, ctes: Mapping[str, Source], select: Select) -> Source:
        alias = node.args.get("alias")
        if isinstance(node, exp.Table) and not isinstance(node.this, exp.Func):
            own = None if node.db else ctes.get(node.name.lower())
            if own is not None:
                return Source(own.query, None, _renaming(own.query, alias) or own.renamed)
            name = f"{node.db}.{node.name}".lower()
            return Source(Relation(name, self._columns(name)))
        if isinstance(node, exp.Subquery | exp.Values):
            inner = self.query(node, ctes, select.around)
            return Source(inner, None, _renaming(inner, alias))
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            inner = self.query(node.this, ctes, select)
            return Source(inner, None, _renaming(inner, alias))
        made = (node.args.get("expressions") or [node.this])[0]
        names = [name.name.lower() for name in (alias.columns if alias else [])]
        return Source(Spread(made, select), None, {name: name for name in names})


def _arms(query: Query) -> list[Query]:
    return query.arms if isinstance(query, Stack) else [query]


def _rows(node: exp.Values) -> Rows:
    cells = [list(row.expressions) for row in node.expressions]
    alias = node.args.get("alias")
    names = [name.name.lower() for name in (alias.columns if alias else [])]
    return Rows(names or [f"col{at}" for at in range(len(cells[0]))], cells)


def _renaming(query: Query, alias: exp.Expression | None) -> dict[str, str]:
    given = [name.name.lower() for name in (alias.args.get("columns") or [])] if alias else []
    if isinstance(query, Spread):
        return {name: name for name in given}
    return dict(zip(given, names_of(query), strict=False))


def _projected(node: exp.Expression, select: Select) -> Iterator[tuple[str, exp.Expression]]:
    """Yield the outputs of a projection, a star over known sources spelt out."""
    if not node.is_star:
        yield node.alias_or_name.lower(), node.this if isinstance(node, exp.Alias) else node
        return
    table = node.table.lower() if isinstance(node, exp.Column) else None
    for alias, source in select.sources.items():
        if table in (None, alias):
            for name in source.renamed or names_of(source.query):
                yield name, exp.column(name, table=alias)


def _own_parts(node: exp.Select) -> Iterator[exp.Expression]:
    yield from node.expressions
    for join in node.args.get("joins") or []:
        if on := join.args.get("on"):
            yield on
    for clause in ("where", "having", "qualify"):
        if part := node.args.get(clause):
            yield part


def output_at(query: Query, column: str, arm: Query) -> str | None:
    """Return the name under which an arm of a union has one of the union's columns."""
    names, own = names_of(query), names_of(arm)
    at = names.index(column) if column in names else -1
    return own[at] if 0 <= at < len(own) else None
