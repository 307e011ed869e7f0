# SPDX-License-Identifier: MIT
"""Blocks of the hospital module alone, as an engine's tables: quicker than a whole hospital on disk."""

import duckdb
import pyarrow as pa

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.hosp import hosp_dictionaries, hosp_rows
from m4bench.data.synthetic.mimic.register import stay_columns
from m4bench.data.synthetic.tables import arrow_schemas, to_arrow


def hosp_blocks(
    stays: int, *, blocks: int = 1, density: float = 1.0, seed: int = 5
) -> dict[str, pa.Table]:
    """Return every table of the module, and icustays, of so many blocks of so many stays."""
    schemas = arrow_schemas("mimic-iv")
    parts: dict[str, list[pa.Table]] = {}
    for table, columns in hosp_dictionaries():
        parts[table] = [to_arrow(schemas[table], columns)]
    for number in range(blocks):
        block = Block(seed, number, stays, number * stays, density)
        for table, columns in hosp_rows(block):
            parts.setdefault(table, []).append(to_arrow(schemas[table], columns))
        register = stay_columns(block.rng("icustays"), block.cohort)
        name = "mimiciv_icu.icustays"
        parts.setdefault(name, []).append(to_arrow(schemas[name], register))
    return {table.partition(".")[2]: pa.concat_tables(each) for table, each in parts.items()}


def opened(tables: dict[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """Return an engine with the tables under their bare names."""
    engine = duckdb.connect()
    for name, table in tables.items():
        engine.register(name, table)
    return engine
