# SPDX-License-Identifier: MIT
"""Lineage by column over a library: what a column is made of, and what is made of it. Looks at no rows.

Every dependency is one of the ways of `query_columns`. A dependency through others is as strong as its weakest
step, and of several the strongest counts. References stand in a schema of their own, `references`, for one may
bear the name of a concept; the columns of a derivation are those its header declares.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.query_columns import query_columns
from m4bench.suites.derivation.library.query_scope import ColumnOf, Dependencies, Way, joined

REFERENCES = "references"


class ColumnLineage:
    """The columns of a library, followed when asked for; a query is read once a process."""

    def __init__(self, library: Library) -> None:
        """Take a library as one convention resolves it."""
        self.library = library
        self._upstream: dict[ColumnOf, Dependencies] = {}

    @cached_property
    def derivations(self) -> dict[str, Derivation]:
        """Every derivation by its relation."""
        known = (*self.library.concepts.values(), *self.library.references.values())
        return {self.relation_of(derivation): derivation for derivation in known}

    def relation_of(self, derivation: Derivation) -> str:
        """Return the qualified name under which a derivation stands here."""
        reference = derivation.header.kind == "reference"
        return f"{REFERENCES}.{derivation.name}" if reference else derivation.relation

    def columns(self, relation: str) -> tuple[ColumnOf, ...]:
        """Return the columns a derivation declares; none for a source table."""
        found = self.derivations.get(relation)
        return tuple(ColumnOf(relation, c.name) for c in found.header.columns) if found else ()

    def direct(self, column: ColumnOf) -> Dependencies:
        """Return the columns of a derivation's inputs that one of its columns depends on.

        Raises:
            InputError: the derivation's query cannot be followed.
        """
        found = self.derivations.get(column.relation)
        return query_columns(found.sql).get(column.column, {}) if found else {}

    def inputs(self, relation: str) -> dict[str, dict[str, Way]]:
        """Return what a derivation reads: by relation, each column and the strongest way it is taken.

        Empty for a source table.
        """
        columns = self.columns(relation)
        return by_relation(joined(self.direct(column) for column in columns))

    def upstream(self, column: ColumnOf) -> Dependencies:
        """Return every column that a column depends on, through its whole lineage."""
        if column not in self._upstream:
            steps = [
                step
                for source, way in self.direct(column).items()
                for step in ({source: way}, joined([self.upstream(source)], way))
            ]
            self._upstream[column] = joined(steps)
        return self._upstream[column]

    def downstream(self, targets: Iterable[ColumnOf]) -> Dependencies:
        """Return every column that carries, derives from or is governed by one of `targets`, and how.

        Args:
            targets: columns of source tables, concepts or references; they are not among those returned.
        """
        reached: dict[ColumnOf, Way] = dict.fromkeys(targets, Way.CARRIES)
        seeds = set(reached)
        for relation in self._in_order():
            for column in self.columns(relation):
                ways = [
                    min(way, reached[source])
                    for source, way in self.direct(column).items()
                    if source in reached
                ]
                if ways and column not in seeds:
                    reached[column] = max(ways)
        return {column: way for column, way in reached.items() if column not in seeds}

    def _in_order(self) -> list[str]:
        """Return every derivation so that each follows what it is built from."""
        concepts = self.library.order(self.library.concepts)
        order = [self.library.concepts[name].relation for name in concepts]
        return order + [f"{REFERENCES}.{name}" for name in self.library.references]


def by_relation(columns: Mapping[ColumnOf, Way]) -> dict[str, dict[str, Way]]:
    """Return columns grouped by their relation, both in the order of their names."""
    grouped: dict[str, dict[str, Way]] = {}
    for column, way in sorted(columns.items()):
        grouped.setdefault(column.relation, {})[column.column] = way
    return grouped
