# SPDX-License-Identifier: MIT
"""Scores of the first hours over the first day's own concepts: one window for all parts of a score."""

from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.library.manifest import read_references
from tests.suites.derivation.conformance import Row, built_rows
from tests.suites.derivation.test_examples import given_file

CONVENTIONS: tuple[Convention, ...] = ("published", "current", "adjudicated")
SOFA = ("sofa", "respiration", "coagulation", "liver", "cardiovascular", "cns", "renal")
SIRS = ("sirs", "temp_score", "heart_rate_score", "resp_score", "wbc_score")


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_creatinine_before_admission_reaches_the_score(
    convention: Convention, tmp_path: Path
) -> None:
    """Reported fault 8: creatinine 4.0 three hours before admission scores 3, through the first day's values."""
    concepts = library(convention).concepts
    given = {
        "mimiciv_icu.icustays": "subject_id,stay_id,intime\n1,10,2150-01-01 10:00:00\n",
        "mimiciv_derived.chemistry": "subject_id,charttime,creatinine\n1,2150-01-01 07:00:00,4.0\n",
    }
    with engine(EngineLimits(threads=1), tmp_path) as connection:
        for name in ("first_day_lab", "first_day_sofa"):
            relations = {
                relation: given_file(tmp_path, relation, convention, given.get(relation, ""))
                for relation in concepts[name].inputs
            }
            if name == "first_day_sofa":
                relations["mimiciv_derived.first_day_lab"] = (
                    tmp_path / "first_day_lab.result.parquet"
                )
            execute(connection, concepts[name], relations, tmp_path / f"{name}.result.parquet")
    (row,) = built_rows(tmp_path / "first_day_sofa.result.parquet")
    assert (row["renal"], row["sofa"]) == ("3", "3")


def points(store: Store, convention: Convention, name: str) -> dict[str | None, Row]:
    """Return the rows of a reference by stay without its honeytokens, built where they are not yet."""
    dataset = store.dataset("synthetic")
    build_references(library(), dataset, [name], convention=convention)
    folder = dataset.references(convention)
    entry = read_references(folder, dataset.name, convention).entries[name]
    tokens = ", ".join(key[0] for key in entry.honeytokens)
    rows = built_rows(folder / f"{name}.parquet", f"stay_id NOT IN ({tokens})")
    return {row["stay_id"]: row for row in rows}


@pytest.mark.parametrize(
    ("family", "columns", "convention"),
    [
        ("sofa", SOFA, "adjudicated"),
        # the published half day takes gases of any specimen, the published day arterial ones alone
        ("sofa", tuple(c for c in SOFA if c not in ("sofa", "respiration")), "published"),
        ("sirs", SIRS, "adjudicated"),
        ("sirs", SIRS, "published"),
    ],
)
def test_half_a_day_never_scores_above_the_day(
    conformance_store: Store, family: str, columns: tuple[str, ...], convention: Convention
) -> None:
    """No stay has more points in its first 12 hours than in its first 24, unknown counting 0."""
    half = points(conformance_store, convention, f"{family}-12h")
    day = points(conformance_store, convention, f"{family}-24h")
    assert half.keys() == day.keys()
    above = [
        (stay, column)
        for stay, row in half.items()
        for column in columns
        if int(row[column] or 0) > int(day[stay][column] or 0)
    ]
    assert above == []
    assert any(half[stay][columns[0]] != day[stay][columns[0]] for stay in half)
