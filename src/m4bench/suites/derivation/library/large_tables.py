# SPDX-License-Identifier: MIT
"""Large source tables of a build, read once for all that want some of their items. Knows no concept by name.

Most of what is derived from a table of events reads a few items of it, so that a build would go through
the whole table a dozen times. Instead the rows of all the items that anything in the build reads are put
into the engine's memory, in the order of their items, where a reader finds its own without a scan.
"""

from collections import Counter
from collections.abc import Iterable

import duckdb

from m4bench.suites.derivation.library.catalogue import Derivation
from m4bench.suites.derivation.library.engine import EngineLimits, identifier, quoted
from m4bench.suites.derivation.library.item_readings import ITEM, Reading, reading_of
from m4bench.suites.derivation.library.plan import Stage

SCHEMA = "m4bench_large"
LEAST_ROWS = 1_000_000
"""A smaller table is read from its file in less time than its readers' queries are parsed in."""
LEAST_READERS = 4
"""Fewer readers go through the file in less time than its rows are sorted in."""
BYTES_A_ROW = 64
"""What a row takes in memory, measured on charted events and laboratory results."""
LARGEST_SHARE = 0.5
"""Of the engine's memory, for the rows of all large tables together; the rest is left to the queries."""


class LargeTables:
    """The large tables of one build on one connection."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        stage: Stage,
        limits: EngineLimits,
        derivations: Iterable[Derivation],
    ) -> None:
        """Find out what is read of which large table.

        Args:
            connection: of the build.
            stage: where the tables are.
            limits: of the connection.
            derivations: what will be built.
        """
        self._connection = connection
        self._stage = stage
        self._left = LARGEST_SHARE * limits.memory_bytes()
        self._readings: dict[str, dict[str, Reading]] = {}
        self._held: dict[str, int] = {}
        large = {
            f"{table.schema_name}.{table.table}"
            for table in stage.source.tables
            if table.rows >= LEAST_ROWS and any(column.name == ITEM for column in table.columns)
        }
        for derivation in derivations:
            for relation in sorted(derivation.sources & large):
                if found := reading_of(derivation.sql, relation):
                    self._readings.setdefault(relation, {})[derivation.name] = found
        self._readers = Counter({name: len(of) for name, of in self._readings.items()})

    def due(self, derivation: Derivation) -> list[str]:
        """Return the tables not held yet that a derivation and enough of those after it read."""
        return [
            relation
            for relation in sorted(derivation.sources)
            if derivation.name in self._readings.get(relation, {})
            and relation not in self._held
            and self._readers[relation] >= LEAST_READERS
        ]

    def hold(self, relation: str) -> None:
        """Bring into memory all that is read of a table, if it fits there."""
        readings = self._readings[relation].values()
        whole = Reading(
            frozenset().union(*(reading.items for reading in readings)),
            frozenset().union(*(reading.columns for reading in readings)),
        )
        table = self._stage.source.table(relation)
        assert table is not None
        # Rows are counted only where not even all of the table's are sure to fit.
        if table.rows * BYTES_A_ROW > self._left < self._rows(relation, whole) * BYTES_A_ROW:
            self._readers[relation] = 0
            return
        self._held[relation] = self._create(relation, whole) * BYTES_A_ROW
        self._left -= self._held[relation]

    def _filtered(self, relation: str, reading: Reading) -> str:
        # IS TRUE makes the reader of the file leave out rows; a bare list only lets it leave out row groups.
        items = ", ".join(map(str, sorted(reading.items)))
        return (
            f"FROM read_parquet({quoted(self._stage.file(relation))}) "
            f"WHERE ({ITEM} IN ({items})) IS TRUE"
        )

    def _rows(self, relation: str, reading: Reading) -> int:
        row = self._connection.execute(
            f"SELECT count(*) {self._filtered(relation, reading)}"
        ).fetchone()
        assert row is not None
        return int(row[0])

    def _create(self, relation: str, reading: Reading) -> int:
        table = self._stage.source.table(relation)
        assert table is not None
        columns = ", ".join(
            identifier(column.name)
            for column in table.columns
            if column.name in reading.columns or column.name == ITEM
        )
        self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        row = self._connection.execute(
            f"CREATE TABLE {SCHEMA}.{identifier(relation)} AS "
            f"SELECT {columns} {self._filtered(relation, reading)} ORDER BY {ITEM}"
        ).fetchone()
        assert row is not None
        return int(row[0])

    def queries(self, derivation: Derivation) -> dict[str, str]:
        """Return, for the large tables a derivation reads, the query that gives it all it reads of them."""
        found = {}
        for relation in sorted(derivation.sources):
            reading = self._readings.get(relation, {}).get(derivation.name)
            if reading is None:
                continue
            held = relation in self._held
            found[relation] = (
                f"SELECT * FROM {SCHEMA}.{identifier(relation)}"
                if held
                else f"SELECT * {self._filtered(relation, reading)}"
            )
        return found

    def leave(self, derivation: Derivation) -> None:
        """Forget a derivation, and the rows that nothing after it reads."""
        for relation in sorted(derivation.sources):
            if self._readings.get(relation, {}).pop(derivation.name, None) is None:
                continue
            self._readers[relation] -= 1
            if relation in self._held and not self._readings[relation]:
                self._left += self._held.pop(relation)
                self._connection.execute(f"DROP TABLE {SCHEMA}.{identifier(relation)}")
