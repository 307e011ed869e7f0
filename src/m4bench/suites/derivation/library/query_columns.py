# SPDX-License-Identifier: MIT
"""What each output column of one query takes from the relations it reads. Knows no library and no data.

Three ways, the stronger first. A column *carries* another when it is a copy of it, renamed or not. It *derives*
from another when the other's value enters the expression that makes it, a condition within the expression
included. It is *governed* by another that only decides which rows there are or which of them is taken:
by a filter, a join, a grouping, an order, a partition. A left join removes and chooses nothing of its left side,
so it governs what is taken from its right side alone; that it may repeat rows is not counted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.lineage import parse


class Way(IntEnum):
    """How a column depends on another; a chain of ways is as strong as its weakest."""

    GOVERNS = 1
    DERIVES = 2
    CARRIES = 3

    @property
    def verb(self) -> str:
        """What the dependent column does."""
        return {1: "is governed by", 2: "derives from", 3: "carries"}[self]


class ColumnOf(NamedTuple):
    """A column of a qualified relation (`schema.table`), both in lower case."""

    relation: str
    column: str


Dependencies = dict[ColumnOf, Way]


def joined(parts: Iterable[Mapping[ColumnOf, Way]], at_most: Way = Way.CARRIES) -> Dependencies:
    """Return the union of dependencies, each as strong as its strongest part and no stronger than `at_most`."""
    union: Dependencies = {}
    for part in parts:
        for column, way in part.items():
            capped = min(way, at_most)
            if capped > union.get(column, 0):
                union[column] = capped
    return union


@dataclass
class _Output:
    """Columns of a query, a CTE or a relation; `columns` is None for a relation whose columns are not known."""

    columns: dict[str, Dependencies] | None
    rows: Dependencies = field(default_factory=dict)
    relation: str | None = None

    def take(self, name: str) -> Dependencies | None:
        """Return what a column depends on, or None when there is no such column."""
        if self.columns is None and self.relation:
            return joined([{ColumnOf(self.relation, name): Way.CARRIES}, self.rows])
        found = (self.columns or {}).get(name)
        return None if found is None else joined([found, self.rows])


@dataclass
class _Names:
    """What a name means within one SELECT: its sources, its own columns, the SELECT around it."""

    sources: dict[str, _Output] = field(default_factory=dict)
    windows: dict[str, exp.Expression] = field(default_factory=dict)
    made: dict[str, Dependencies] = field(default_factory=dict)
    around: "_Names | None" = None

    def look_up(self, column: exp.Column) -> Dependencies:
        """Return what a reference depends on.

        Raises:
            InputError: nothing of that name is there, or more than one thing may be.
        """
        name, table = column.name.lower(), column.table.lower()
        if table:
            source = self.sources.get(table)
            found = source.take(name) if source else None
        else:
            found = self._unqualified(name)
        if found is None and self.around:
            return self.around.look_up(column)
        if found is None:
            raise InputError(f"the column {column.sql()} is of no relation the query reads")
        return found

    def _unqualified(self, name: str) -> Dependencies | None:
        declared = [s for s in self.sources.values() if s.columns is not None and name in s.columns]
        unknown = [s for s in self.sources.values() if s.columns is None]
        if declared:
            return declared[0].take(name)
        if name in self.made:
            return self.made[name]
        if len(unknown) > 1:
            raise InputError(
                f"the column {name} may be of more than one relation", remedy="qualify it"
            )
        return unknown[0].take(name) if unknown else None


class _Reader:
    """Follows the columns of a query through its CTEs, joins and set operations."""

    def query(
        self,
        node: exp.Expression,
        ctes: Mapping[str, _Output],
        around: _Names | None = None,
    ) -> _Output:
        """Return the columns of a SELECT, a set operation or either in parentheses."""
        known = dict(ctes)
        for cte in getattr(node, "ctes", []):
            made = self.query(cte.this, known, around)
            known[cte.alias.lower()] = self._renamed(made, cte.args.get("alias"))
        if isinstance(node, exp.Subquery):
            return self.query(node.this, known, around)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, known, around)
        if isinstance(node, exp.Select):
            return self._select(node, known, around)
        raise InputError(f"a query of the kind {node.key} is not followed")

    def _set_operation(
        self, node: exp.SetOperation, ctes: dict[str, _Output], around: _Names | None
    ) -> _Output:
        left = self.query(node.this, ctes, around)
        right = self.query(node.expression, ctes, around)
        ours, theirs = left.columns or {}, right.columns or {}
        rows = joined([left.rows, right.rows])
        if not isinstance(node, exp.Union):
            return _Output(ours, joined([rows, *theirs.values()], Way.GOVERNS))
        columns = {
            name: joined([mine, other])
            for (name, mine), other in zip(ours.items(), theirs.values(), strict=True)
        }
        return _Output(columns, rows)

    def _select(self, node: exp.Select, ctes: dict[str, _Output], around: _Names | None) -> _Output:
        names = _Names(around=around)
        names.windows = {w.name.lower(): w for w in node.args.get("windows") or []}
        governing: list[Dependencies] = []
        start = node.args.get("from_")
        joins = [(start.this, None)] if start else []
        joins += [(join.this, join) for join in node.args.get("joins") or []]
        joins += [(lateral, None) for lateral in node.args.get("laterals") or []]
        for source, join in joins:
            governing += self._join(source, join, names, ctes)
        for projection in node.expressions:
            for name, dependencies in self._projection(projection, names, ctes).items():
                unused = name and name not in names.made
                names.made[name if unused else f"#{len(names.made) + 1}"] = dependencies
        clauses = ["where", "group", "having", "qualify", "distinct"]
        clauses += ["order"] if node.args.get("limit") else []
        for clause in clauses:
            if part := node.args.get(clause):
                governing.append(self._depends(part, names, ctes))
        if node.args.get("distinct"):
            governing += names.made.values()
        return _Output(names.made, joined(governing, Way.GOVERNS))

    def _join(
        self,
        source: exp.Expression,
        join: exp.Expression | None,
        names: _Names,
        ctes: dict[str, _Output],
    ) -> list[Dependencies]:
        """Add a source to the names; return what governs the rows of the whole SELECT by it.

        The condition of a left join governs what is taken from its right side, not what stands on its left.
        """
        output = self._source(source, names, ctes)
        names.sources[source.alias_or_name.lower()] = output
        conditions: list[Dependencies] = [output.rows]
        if join is not None:
            if on := join.args.get("on"):
                conditions.append(self._depends(on, names, ctes))
            for column in join.args.get("using") or []:
                name = column.name.lower()
                taken = [s.take(name) for s in names.sources.values()]
                conditions += [dependencies for dependencies in taken if dependencies]
        governing = joined(conditions, Way.GOVERNS)
        if join is not None and join.side.upper() == "LEFT":
            under = _Output(output.columns, governing, output.relation)
            names.sources[source.alias_or_name.lower()] = under
            return []
        return [governing]

    def _source(self, node: exp.Expression, names: _Names, ctes: dict[str, _Output]) -> _Output:
        alias = node.args.get("alias")
        if isinstance(node, exp.Table) and not isinstance(node.this, exp.Func):
            if not node.db and (own := ctes.get(node.name.lower())):
                return self._renamed(own, alias)
            return _Output(None, relation=f"{node.db}.{node.name}".lower())
        if isinstance(node, exp.Subquery):
            return self._renamed(self.query(node, ctes, names.around), alias)
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            return self._renamed(self.query(node.this, ctes, names), alias)
        if isinstance(node, exp.Table | exp.Unnest | exp.Values | exp.Lateral):
            columns = [name.name.lower() for name in (alias.columns if alias else [])]
            made = self._parts(node.args.get("expressions") or [node.this], names, ctes)
            return _Output({name: joined([made], Way.DERIVES) for name in columns})
        raise InputError(f"a source of the kind {node.key} is not followed")

    @staticmethod
    def _renamed(output: _Output, alias: exp.Expression | None) -> _Output:
        """Return an output under the column names its alias gives."""
        given = [name.name.lower() for name in alias.args.get("columns") or []] if alias else []
        if not given or output.columns is None:
            return output
        if not output.columns:
            return _Output({name: {} for name in given}, output.rows)
        columns = dict(zip(given, output.columns.values(), strict=False))
        return _Output(columns, output.rows)

    def _projection(
        self, node: exp.Expression, names: _Names, ctes: dict[str, _Output]
    ) -> dict[str, Dependencies]:
        if not node.is_star:
            return {node.alias_or_name.lower(): self._depends(node, names, ctes)}
        table = node.table.lower() if isinstance(node, exp.Column) else None
        chosen = [s for name, s in names.sources.items() if table in (None, name)]
        if any(source.columns is None for source in chosen):
            raise InputError(
                "a star over a relation hides which columns are read", remedy="name them"
            )
        return {
            name: joined([dependencies, source.rows])
            for source in chosen
            for name, dependencies in (source.columns or {}).items()
        }

    def _parts(
        self, nodes: Iterable[exp.Expression], names: _Names, ctes: dict[str, _Output]
    ) -> Dependencies:
        return joined(self._depends(node, names, ctes) for node in nodes)

    def _depends(
        self, node: exp.Expression, names: _Names, ctes: dict[str, _Output]
    ) -> Dependencies:
        """Return what an expression depends on."""
        if isinstance(node, exp.Column):
            return {} if node.is_star else names.look_up(node)
        if isinstance(node, exp.Alias | exp.Paren):
            return self._depends(node.this, names, ctes)
        if isinstance(node, exp.Exists):
            rows = self.query(node.this, ctes, names).rows
            return dict.fromkeys(rows, Way.DERIVES)
        if isinstance(node, exp.Query):
            inner = self.query(node, ctes, names)
            return joined([*(inner.columns or {}).values(), inner.rows], Way.DERIVES)
        if isinstance(node, exp.Window):
            return self._window(node, names, ctes)
        if isinstance(node, exp.Ordered):
            return joined([self._depends(node.this, names, ctes)], Way.GOVERNS)
        return joined([self._parts(node.iter_expressions(), names, ctes)], Way.DERIVES)

    def _window(self, node: exp.Window, names: _Names, ctes: dict[str, _Output]) -> Dependencies:
        """Return what a window's value derives from, and what its partition and order govern."""
        value = joined([self._depends(node.this, names, ctes)], Way.DERIVES)
        frames = [node]
        if named := names.windows.get((node.alias or "").lower()):
            frames.append(named)
        around = [
            part
            for frame in frames
            for part in (*(frame.args.get("partition_by") or []), frame.args.get("order"))
            if part is not None
        ]
        return joined([value, joined([self._parts(around, names, ctes)], Way.GOVERNS)])


@lru_cache(maxsize=512)
def _columns(sql: str) -> tuple[tuple[str, tuple[tuple[ColumnOf, Way], ...]], ...]:
    output = _Reader().query(parse(sql), {})
    return tuple(
        (name, tuple(sorted(joined([dependencies, output.rows]).items())))
        for name, dependencies in (output.columns or {}).items()
    )


def query_columns(sql: str) -> dict[str, Dependencies]:
    """Return, for each output column of a query, the relation columns it depends on and how.

    Read once a process for each text.

    Raises:
        InputError: the query does not parse, or a name in it cannot be followed.
    """
    return {name: dict(dependencies) for name, dependencies in _columns(sql)}
