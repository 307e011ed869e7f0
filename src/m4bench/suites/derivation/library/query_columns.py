# SPDX-License-Identifier: MIT
"""What each output column of one query takes from the relations it reads. Knows no library and no data.

Three ways, the stronger first. A column *carries* another when it is a copy of it, renamed or not. It *derives*
from another when the other's value enters the expression that makes it, a condition within the expression
included. It is *governed* by another that only decides which rows there are or which of them is taken:
by a filter, a join, a grouping, an order, a partition. A left join removes and chooses nothing of its left side,
so it governs what is taken from its right side alone; that it may repeat rows is not counted. Measures that a union
stacks under labels are told apart again where a condition compares the label with a text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.lineage import parse
from m4bench.suites.derivation.library.query_scope import (
    ColumnOf,
    Dependencies,
    Names,
    Output,
    Way,
    joined,
    stacked,
)

_MIXES = (exp.AggFunc, exp.Window)


class _Reader:
    """Follows the columns of a query through its CTEs, joins and set operations."""

    def query(
        self,
        node: exp.Expression,
        ctes: Mapping[str, Output],
        around: Names | None = None,
    ) -> Output:
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
        self, node: exp.SetOperation, ctes: dict[str, Output], around: Names | None
    ) -> Output:
        left = self.query(node.this, ctes, around)
        right = self.query(node.expression, ctes, around)
        if isinstance(node, exp.Union):
            return stacked([left, right], apart=True)
        governing = [left.rows, right.rows, *(right.columns or {}).values()]
        return Output(left.columns, joined(governing, Way.GOVERNS))

    def _select(self, node: exp.Select, ctes: dict[str, Output], around: Names | None) -> Output:
        """Return the columns of a SELECT, read once for every part of its first stacked source."""
        joins = self._sources_of(node)
        names = Names(around=around)
        whole = self._read(node, joins, names, ctes)
        name, source = next(((n, s) for n, s in names.sources.items() if s.parts), ("", None))
        if source is None:
            return whole or Output({})
        read = [
            self._read(node, joins, Names(around=around, chosen={name: part}), ctes)
            for part in source.parts
        ]
        parts = [part for part in read if part is not None]
        if not parts:
            return whole or Output({})
        mixes = node.args.get("group") or node.args.get("distinct") or node.args.get("limit")
        mixes = mixes or any(node.find_all(*_MIXES))
        return stacked(parts, apart=not mixes)

    @staticmethod
    def _sources_of(
        node: exp.Select,
    ) -> list[tuple[exp.Expression, exp.Expression | None]]:
        """Return what a SELECT reads, each with the join that adds it."""
        start = node.args.get("from_")
        sources: list[tuple[exp.Expression, exp.Expression | None]] = []
        sources += [(start.this, None)] if start else []
        sources += [(join.this, join) for join in node.args.get("joins") or []]
        return sources + [(lateral, None) for lateral in node.args.get("laterals") or []]

    def _read(
        self,
        node: exp.Select,
        joins: Iterable[tuple[exp.Expression, exp.Expression | None]],
        names: Names,
        ctes: dict[str, Output],
    ) -> Output | None:
        """Return the columns of a SELECT, or None when labels exclude every row."""
        names.windows = {w.name.lower(): w for w in node.args.get("windows") or []}
        governing: list[Dependencies] = []
        for source, join in joins:
            governing += self._join(source, join, names, ctes)
        labels = {}
        for projection in node.expressions:
            for name, dependencies in self._projection(projection, names, ctes).items():
                unused = name and name not in names.made
                made = name if unused else f"#{len(names.made) + 1}"
                names.made[made] = dependencies
                if (texts := names.labels(projection)) is not None:
                    labels[made] = texts
        where = node.args.get("where")
        if where and names.excludes(where):
            return None
        clauses = ["where", "group", "having", "qualify", "distinct"]
        clauses += ["order"] if node.args.get("limit") else []
        for clause in clauses:
            if part := node.args.get(clause):
                governing.append(self._depends(part, names, ctes))
        if node.args.get("distinct"):
            governing += names.made.values()
        return Output(names.made, joined(governing, Way.GOVERNS), labels=labels)

    def _join(
        self,
        source: exp.Expression,
        join: exp.Expression | None,
        names: Names,
        ctes: dict[str, Output],
    ) -> list[Dependencies]:
        """Add a source to the names; return what governs the rows of the whole SELECT by it.

        The condition of a left join governs what is taken from its right side, not what stands on its left.
        """
        known_as = source.alias_or_name.lower()
        output = names.chosen.get(known_as) or self._source(source, names, ctes)
        names.sources[known_as] = output
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
            names.sources[known_as] = replace(output, rows=governing)
            return []
        return [governing]

    def _source(self, node: exp.Expression, names: Names, ctes: dict[str, Output]) -> Output:
        alias = node.args.get("alias")
        if isinstance(node, exp.Table) and not isinstance(node.this, exp.Func):
            if not node.db and (own := ctes.get(node.name.lower())):
                return self._renamed(own, alias)
            return Output(None, relation=f"{node.db}.{node.name}".lower())
        if isinstance(node, exp.Subquery):
            return self._renamed(self.query(node, ctes, names.around), alias)
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            return self._renamed(self.query(node.this, ctes, names), alias)
        if isinstance(node, exp.Table | exp.Unnest | exp.Values | exp.Lateral):
            columns = [name.name.lower() for name in (alias.columns if alias else [])]
            made = self._parts(node.args.get("expressions") or [node.this], names, ctes)
            return Output({name: joined([made], Way.DERIVES) for name in columns})
        raise InputError(f"a source of the kind {node.key} is not followed")

    @staticmethod
    def _renamed(output: Output, alias: exp.Expression | None) -> Output:
        """Return an output under the column names its alias gives."""
        given = alias.args.get("columns") or [] if alias else []
        return output.named([name.name.lower() for name in given])

    def _projection(
        self, node: exp.Expression, names: Names, ctes: dict[str, Output]
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
        self, nodes: Iterable[exp.Expression], names: Names, ctes: dict[str, Output]
    ) -> Dependencies:
        return joined(self._depends(node, names, ctes) for node in nodes)

    def _depends(self, node: exp.Expression, names: Names, ctes: dict[str, Output]) -> Dependencies:
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
        if isinstance(node, exp.Case) and node.this is None:
            return self._case(node, names, ctes)
        if isinstance(node, exp.Filter) and names.excludes(node.expression):
            return {}
        if isinstance(node, exp.Window):
            return self._window(node, names, ctes)
        if isinstance(node, exp.Ordered):
            return joined([self._depends(node.this, names, ctes)], Way.GOVERNS)
        return joined([self._parts(node.iter_expressions(), names, ctes)], Way.DERIVES)

    def _case(self, node: exp.Case, names: Names, ctes: dict[str, Output]) -> Dependencies:
        """Return what a CASE derives from, branches left out that labels exclude."""
        branches = [branch for branch in node.args["ifs"] if not names.excludes(branch.this)]
        parts = [part for branch in branches for part in (branch.this, branch.args["true"])]
        parts += [default] if (default := node.args.get("default")) else []
        return joined([self._parts(parts, names, ctes)], Way.DERIVES)

    def _window(self, node: exp.Window, names: Names, ctes: dict[str, Output]) -> Dependencies:
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
