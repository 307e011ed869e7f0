# SPDX-License-Identifier: MIT
"""A toy dataset and a toy library: three source rows, two concepts, one reference."""

from datetime import datetime
from pathlib import Path

import duckdb

from m4bench.data.manifest import ColumnEntry, DatasetManifest, TableEntry
from m4bench.data.store import Store, StoredDataset
from m4bench.model.hashing import sha256_file
from m4bench.suites.derivation.library.catalogue import Library, read_library

STAYS = "SELECT * FROM (VALUES (1, 10), (2, 20), (3, 30)) AS t(stay_id, value)"

HEADER = """/*
name: {name}
kind: {kind}
title: toy
grain: one row per stay
key: [stay_id]
columns:
  - {{name: stay_id, type: INTEGER, meaning: stay}}
  - {{name: value, type: INTEGER, meaning: value}}
inputs: [{inputs}]
spec: toy
source: invented
conventions: []
*/
"""


def derivation(name: str, sql: str, inputs: str, kind: str = "concept") -> str:
    """Return the text of a derivation file."""
    return HEADER.format(name=name, kind=kind, inputs=inputs) + sql + "\n"


def toy_library(folder: Path, *, doubled: str = "value * 2") -> Library:
    """Write and read a library: `doubled` reads the source, `summed` reads `doubled`, so does the reference."""
    (folder / "concepts" / "toy").mkdir(parents=True, exist_ok=True)
    (folder / "references").mkdir(exist_ok=True)
    files = {
        "concepts/toy/doubled.sql": derivation(
            "doubled", f"SELECT stay_id, {doubled} AS value FROM toy_icu.stays", "toy_icu.stays"
        ),
        "concepts/toy/summed.sql": derivation(
            "summed",
            "SELECT stay_id, value + 1 AS value FROM mimiciv_derived.doubled",
            "mimiciv_derived.doubled",
        ),
        "references/answer.sql": derivation(
            "answer",
            "SELECT stay_id, value FROM mimiciv_derived.summed",
            "mimiciv_derived.summed",
            "reference",
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return read_library(folder)


def toy_dataset(root: Path, query: str = STAYS, name: str = "toy") -> StoredDataset:
    """Write a dataset with one source table and its manifest."""
    dataset = Store(root).dataset(name)
    file = dataset.source("toy_icu.stays")
    file.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"COPY ({query}) TO '{file}' (FORMAT parquet)")
    columns = duckdb.sql(f"DESCRIBE {query}").fetchall()
    counted = duckdb.sql(f"SELECT count(*) FROM ({query})").fetchone()
    assert counted is not None
    DatasetManifest(
        dataset=name,
        site="toy",
        release=None,
        access="synthetic",
        modified=False,
        tables=(
            TableEntry(
                schema_name="toy_icu",
                table="stays",
                file="source/toy_icu/stays.parquet",
                rows=counted[0],
                bytes=file.stat().st_size,
                sha256=sha256_file(file),
                columns=tuple(
                    ColumnEntry(name=c[0], type=c[1], nulls=0, null_tokens={}) for c in columns
                ),
                sources=(),
            ),
        ),
        engine="test",
        imported=datetime(2026, 1, 1),
    ).write(dataset.manifest_path)
    return dataset
