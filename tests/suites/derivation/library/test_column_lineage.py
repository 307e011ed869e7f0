# SPDX-License-Identifier: MIT
"""Lineage by column over a library: both ways, and held against what queries do to altered rows."""

from pathlib import Path
from typing import get_args

import duckdb
import pytest

from m4bench.data.store import Store
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import library, read_library
from m4bench.suites.derivation.library.column_lineage import (
    REFERENCES,
    ColumnLineage,
    by_relation,
)
from m4bench.suites.derivation.library.engine import create_views, described, identifier
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.library.query_scope import ColumnOf, Way
from m4bench.suites.derivation.schemas.answers import answers
from tests.suites.derivation.library.toy import derivation, toy_library


def of(text: str) -> ColumnOf:
    """Return the column named `schema.table.column`."""
    return ColumnOf(*text.rsplit(".", 1))


def test_a_library_is_followed_both_ways(tmp_path: Path) -> None:
    """Upstream to the source table, downstream to the reference, each as strong as its weakest step."""
    lineage = ColumnLineage(toy_library(tmp_path))
    answer = of("references.answer.value")
    assert lineage.direct(answer) == {of("mimiciv_derived.summed.value"): Way.CARRIES}
    assert lineage.upstream(answer) == {
        of("mimiciv_derived.summed.value"): Way.CARRIES,
        of("mimiciv_derived.doubled.value"): Way.DERIVES,
        of("toy_icu.stays.value"): Way.DERIVES,
    }
    assert lineage.downstream([of("mimiciv_derived.doubled.value")]) == {
        of("mimiciv_derived.summed.value"): Way.DERIVES,
        answer: Way.DERIVES,
    }
    assert lineage.downstream([of("mimiciv_derived.summed.value")]) == {answer: Way.CARRIES}
    assert lineage.downstream([answer]) == {}


def test_a_concept_that_only_filters_by_a_target_is_governed_by_it(tmp_path: Path) -> None:
    """What a column decides the rows of is downstream of it, and said to be governed."""
    toy_library(tmp_path)
    sql = (
        "SELECT stays.stay_id, stays.value FROM toy_icu.stays "
        "JOIN mimiciv_derived.summed ON summed.stay_id = stays.stay_id AND summed.value > 20"
    )
    text = derivation("chosen", sql, "toy_icu.stays, mimiciv_derived.summed")
    (tmp_path / "concepts" / "toy" / "chosen.sql").write_text(text)
    lineage = ColumnLineage(read_library(tmp_path))
    downstream = by_relation(lineage.downstream([of("mimiciv_derived.summed.value")]))
    assert downstream["mimiciv_derived.chosen"] == {"stay_id": Way.GOVERNS, "value": Way.GOVERNS}


@pytest.mark.parametrize("convention", get_args(Convention))
def test_every_column_of_the_library_is_followed(convention: Convention) -> None:
    """Each declared column is one of its query, and together they reach every relation that the query reads."""
    lineage = ColumnLineage(library(convention))
    for relation, each in lineage.derivations.items():
        assert set(lineage.inputs(relation)) == each.inputs, relation
        for column in lineage.columns(relation):
            for source in lineage.direct(column):
                known = lineage.columns(source.relation)
                assert not known or source in known, (column, source)


@pytest.mark.parametrize(
    ("column", "source", "way"),
    [
        ("references.meld-24h.meld", "mimiciv_derived.meld.meld", Way.CARRIES),
        ("references.meld-24h.meld", "mimiciv_hosp.labevents.valuenum", Way.DERIVES),
        ("mimiciv_derived.sepsis3.cns", "mimiciv_derived.sofa.cns_24hours", Way.CARRIES),
        ("mimiciv_derived.sepsis3.cns", "mimiciv_derived.gcs.gcs", Way.DERIVES),
        ("references.sofa-24h.cns", "mimiciv_derived.first_day_gcs.gcs_min", Way.DERIVES),
        ("references.sofa-24h.coagulation", "mimiciv_derived.first_day_gcs.gcs_min", None),
        ("mimiciv_derived.kdigo_uo.weight", "mimiciv_derived.weight_durations.weight", Way.CARRIES),
        ("mimiciv_derived.lods.pulmonary", "mimiciv_derived.ventilation.stay_id", Way.GOVERNS),
        ("references.creatinine-baseline.gender", "mimiciv_hosp.patients.gender", Way.CARRIES),
    ],
)
def test_known_descents(column: str, source: str, way: Way | None) -> None:
    """Some dependencies that the specifications state of the definitions are found as they are."""
    assert ColumnLineage(library()).upstream(of(column)).get(of(source)) == way


@pytest.mark.parametrize("reference", sorted(answers()))
def test_columns_reach_the_relations_that_strict_drops_hide(reference: str) -> None:
    """Of each answer, the concepts reached by column are those reached by relation, no fewer and no more."""
    answer = answers()[reference]
    kept_away = {*answer.target, *answer.carriers}
    lineage = ColumnLineage(library())
    seeds = [c for name in kept_away for c in lineage.columns(f"{DERIVED_SCHEMA}.{name}")]
    reached = {column.relation for column in lineage.downstream(seeds)}
    concepts = {r.removeprefix(f"{DERIVED_SCHEMA}.") for r in reached if REFERENCES not in r}
    assert concepts - kept_away == library().descendants(kept_away) - kept_away


def _values(connection: duckdb.DuckDBPyConnection, sql: str, columns: list[str]) -> dict[str, str]:
    """Return, for each column of a query, a digest of its distinct values whatever their order."""
    digests = ", ".join(f"sum(DISTINCT hash({identifier(c)}))::VARCHAR" for c in columns)
    row = connection.execute(f"SELECT {digests} FROM ({sql})").fetchone()
    assert row is not None
    return dict(zip(columns, row, strict=True))


@pytest.mark.parametrize(
    "name",
    ["meld", "first_day_gcs", "sirs", "gcs", "kdigo_stages", "kdigo_uo", "sepsis3", "oasis", "creatinine_baseline"],
)  # fmt: skip
def test_rows_change_only_where_lineage_says(name: str, conformance_store: Store) -> None:
    """When a column of an input is emptied, no column changes that lineage does not name as dependent.

    And some do: lineage is not held against a query that says nothing.
    """
    concept = library().concepts[name]
    lineage = ColumnLineage(library())
    stage = open_stage(conformance_store.dataset("synthetic"), "published")
    declared = [column.name for column in concept.header.columns]
    changed: dict[ColumnOf, set[str]] = {}
    with duckdb.connect() as connection:
        files = {relation: stage.file(relation) for relation in concept.inputs}
        create_views(connection, files)
        before = _values(connection, concept.sql, declared)
        for relation in sorted(concept.inputs):
            for column, column_type in described(connection, f"SELECT * FROM {relation}"):
                emptied = f"SELECT * REPLACE (NULL::{column_type} AS {identifier(column)})"
                connection.execute(
                    f"CREATE OR REPLACE VIEW {relation} AS {emptied} FROM read_parquet('{files[relation]}')"
                )
                after = _values(connection, concept.sql, declared)
                changed[ColumnOf(relation, column)] = {c for c in declared if before[c] != after[c]}
            create_views(connection, {relation: files[relation]})
    for source, columns in changed.items():
        for column in columns:
            assert source in lineage.direct(ColumnOf(concept.relation, column)), (source, column)
    assert any(changed.values())
