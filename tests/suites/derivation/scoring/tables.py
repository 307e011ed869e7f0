# SPDX-License-Identifier: MIT
"""Small references and submissions for the tests of the comparer."""

import csv
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.model.score import Score
from m4bench.model.task import ScoringRules
from m4bench.suites.derivation.scoring.compare import score_file

TYPES: Mapping[str, pa.DataType] = {
    "stay_id": pa.int64(),
    "charttime": pa.timestamp("us"),
    "rate": pa.float64(),
    "points": pa.int32(),
    "onset": pa.timestamp("us"),
    "label": pa.string(),
    "flag": pa.bool_(),
}
KINDS = {
    "stay_id": "number",
    "charttime": "moment",
    "rate": "number",
    "points": "number",
    "onset": "moment",
    "label": "text",
    "flag": "number",
}


def rules(
    *scored: str,
    key: Sequence[str] = ("stay_id",),
    unordered: Sequence[str] = (),
    **tolerances: float,
) -> ScoringRules:
    """Return rules with full coverage and accuracy."""
    return ScoringRules(
        key=tuple(key),
        values=tuple(scored),
        scored=tuple(scored),
        required=(*key, *scored),
        tolerances=tolerances,
        unordered=tuple(unordered),
        row_coverage=1.0,
        accuracy=1.0,
    )


def write_reference(
    path: Path, rows: Sequence[Mapping[str, Any]], row_group: int = 1_000_000
) -> Path:
    """Write rows as a Parquet reference with the types of their columns."""
    schema = pa.schema([(name, TYPES[name]) for name in rows[0]])
    pq.write_table(pa.Table.from_pylist(list(rows), schema), path, row_group_size=row_group)
    return path


def spelled(value: Any) -> str:
    """Return a value as CSV spells it."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return repr(value) if isinstance(value, float) else str(value)


def write_output(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows as a clean CSV file."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(rows[0])
        writer.writerows([spelled(row[name]) for name in rows[0]] for row in rows)
    return path


def score(
    folder: Path,
    text: str | bytes,
    rows: Sequence[Mapping[str, Any]],
    by: ScoringRules,
    row_group: int = 1_000_000,
    **options: Any,
) -> Score:
    """Score the text of an output against reference rows."""
    output = folder / "output.csv"
    output.write_bytes(text.encode() if isinstance(text, str) else text)
    reference = write_reference(folder / "reference.parquet", rows, row_group)
    return score_file(output, reference, by, task="a-task", **options)
