# SPDX-License-Identifier: MIT
"""The long lists inside the SQL are those of the specifications, value for value and blank for blank."""

from pathlib import Path

import duckdb
from sqlglot import exp

from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.lineage import parse
from tests.suites.derivation.conformance import read_csv


def listed(reference: str, name: str) -> list[tuple[str, ...]]:
    """Return the rows of a list that stands in a reference's SQL as a CTE of that name."""
    (found,) = (
        cte
        for cte in parse(library().references[reference].sql).find_all(exp.CTE)
        if cte.alias == name
    )
    return duckdb.sql(found.this.sql(dialect="duckdb")).fetchall()


def test_urine_labels_of_eicu(shared: Path) -> None:
    """The 125 labels stand in the SQL once each."""
    wanted = read_csv(shared / "specs" / "tasks" / "eicu-oasis-urine-labels.csv")
    found = listed("eicu-oasis", "urine_label")
    assert sorted(found) == sorted((row["label"],) for row in wanted)
    assert len(set(found)) == 125


def test_diagnosis_groups_of_eicu(shared: Path) -> None:
    """The 181 diagnoses stand in the SQL once each, with their group."""
    wanted = read_csv(shared / "specs" / "tasks" / "apache-groups.csv")
    found = listed("eicu-apache-groups", "diagnosis_group")
    assert sorted(found) == sorted((row["group"], row["apacheadmissiondx"]) for row in wanted)
    assert len({diagnosis for _, diagnosis in found}) == 181
