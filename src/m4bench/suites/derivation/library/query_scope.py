# SPDX-License-Identifier: MIT
"""What names mean within one SELECT: sources, their columns, and the labels that tell stacked rows apart.

Knows no library and no data, and follows no query; `query_columns` does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from sqlglot import exp

from m4bench.model.errors import InputError


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
class Output:
    """Columns of a query, a CTE or a relation, and what governs its rows.

    `columns` is None for a relation whose columns are not known. `labels` are the texts that a column of
    labels may hold; `parts` the outputs a union stacks, each with labels of its own.
    """

    columns: dict[str, Dependencies] | None
    rows: Dependencies = field(default_factory=dict)
    relation: str | None = None
    labels: dict[str, frozenset[str]] = field(default_factory=dict)
    parts: tuple["Output", ...] = ()

    def take(self, name: str) -> Dependencies | None:
        """Return what a column depends on, or None when there is no such column."""
        if self.columns is None and self.relation:
            return joined([{ColumnOf(self.relation, name): Way.CARRIES}, self.rows])
        found = (self.columns or {}).get(name)
        return None if found is None else joined([found, self.rows])

    def named(self, names: Sequence[str]) -> "Output":
        """Return the same under other column names, by position."""
        if not names or self.columns is None:
            return self
        if not self.columns:
            return replace(self, columns={name: {} for name in names})
        new = dict(zip(self.columns, names, strict=False))
        return replace(
            self,
            columns={new[old]: taken for old, taken in self.columns.items() if old in new},
            labels={new[old]: texts for old, texts in self.labels.items() if old in new},
            parts=tuple(part.named(names) for part in self.parts),
        )


def stacked(outputs: Iterable[Output], *, apart: bool) -> Output:
    """Return the union of outputs of the same columns; `apart` keeps their labels told apart."""
    parts = [part for output in outputs for part in (output.parts or (output,))]
    first = parts[0].columns or {}
    named = [part.named(list(first)) for part in parts]
    return Output(
        {name: joined([(part.columns or {}).get(name, {}) for part in named]) for name in first},
        joined(part.rows for part in named),
        parts=tuple(named) if apart and len(named) > 1 else (),
    )


@dataclass
class Names:
    """What a name means within one SELECT: its sources, its own columns, the SELECT around it.

    `chosen` is the part of a stacked source that the SELECT is read for, by the source's name.
    """

    sources: dict[str, Output] = field(default_factory=dict)
    chosen: dict[str, Output] = field(default_factory=dict)
    windows: dict[str, exp.Expression] = field(default_factory=dict)
    made: dict[str, Dependencies] = field(default_factory=dict)
    around: "Names | None" = None

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

    def labels(self, node: exp.Expression) -> frozenset[str] | None:
        """Return the texts an expression may give, or None when they are not known."""
        if isinstance(node, exp.Alias | exp.Paren):
            return self.labels(node.this)
        if isinstance(node, exp.Literal) and node.is_string:
            return frozenset([node.name])
        if isinstance(node, exp.Case):
            results = [branch.args["true"] for branch in node.args["ifs"]]
            results += [default] if (default := node.args.get("default")) else []
            texts = [self.labels(result) for result in results]
            known = [each for each in texts if each is not None]
            return frozenset().union(*known) if len(known) == len(texts) else None
        if isinstance(node, exp.Column):
            table, name = node.table.lower(), node.name.lower()
            holders = [self.sources[table]] if table in self.sources else self.sources.values()
            return next((s.labels[name] for s in holders if name in s.labels), None)
        return None

    def excludes(self, condition: exp.Expression) -> bool:
        """Tell whether a condition can hold for no row, going by labels alone."""
        if isinstance(condition, exp.Paren | exp.Where):
            return self.excludes(condition.this)
        if isinstance(condition, exp.And):
            return self.excludes(condition.left) or self.excludes(condition.right)
        if isinstance(condition, exp.Or):
            return self.excludes(condition.left) and self.excludes(condition.right)
        if isinstance(condition, exp.EQ):
            sides = [self.labels(condition.left), self.labels(condition.right)]
            return None not in sides and not frozenset.intersection(
                *(s for s in sides if s is not None)
            )
        if isinstance(condition, exp.In) and condition.expressions:
            texts = [self.labels(each) for each in (condition.this, *condition.expressions)]
            known = [each for each in texts if each is not None]
            return len(known) == len(texts) and not known[0] & frozenset().union(*known[1:])
        return False
