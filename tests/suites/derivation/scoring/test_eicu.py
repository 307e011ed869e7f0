# SPDX-License-Identifier: MIT
"""Outputs are scored against references of eICU as against those of MIMIC-IV, with the rules of its two tasks."""

import csv
from pathlib import Path
from typing import get_args

import duckdb
import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital
from m4bench.model.score import Score
from m4bench.model.task import Convention, ScoringRules, Task
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.export import export_references
from m4bench.suites.derivation.library.honeytokens import LOWEST
from m4bench.suites.derivation.library.manifest import ReferenceEntry, read_references
from m4bench.suites.derivation.scoring.compare import score_file
from m4bench.suites.suite import find_task

STAYS = 40
NAME = "synthetic-eicu"
TASKS = ("eicu-gcs", "eicu-oasis")
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with a small network, its references built under every convention."""
    store = Store(tmp_path_factory.mktemp("scored") / "store")
    store_hospital(store, stays=STAYS, density=0.2, site="eicu")
    for convention in CONVENTIONS:
        build_references(library(), store.dataset(NAME), convention=convention)
    return store


def rules_of(shared: Path, task: str) -> ScoringRules:
    """Return the rules the specification gives a task."""
    with (shared / "specs/tasks/tasks.csv").open(newline="") as stream:
        (row,) = (row for row in csv.DictReader(stream) if row["task"] == task)
    assert row["tolerances"] == "exact"
    return ScoringRules(
        key=tuple(row["key_columns"].split()),
        values=tuple(row["value_columns"].split()),
        scored=tuple(row["value_columns"].split()),
        required=tuple(row["required_columns"].split()),
        row_coverage=float(row["row_coverage_threshold"]),
        accuracy=float(row["accuracy_threshold"]),
    )


def entry_of(store: Store, name: str, convention: Convention) -> ReferenceEntry:
    """Return what is known of a built reference."""
    folder = store.dataset(NAME).references(convention)
    return read_references(folder, NAME, convention).entries[name]


def exported(store: Store, name: str, convention: Convention, folder: Path) -> Path:
    """Write a reference as the CSV file of a perfect answer."""
    (file,) = export_references(library(), store.dataset(NAME), [name], folder, "csv", convention)
    return file


def scored(store: Store, rules: ScoringRules, name: str, output: Path, under: Convention) -> Score:
    """Score an output against the hidden reference, as `m4bench score` does for a task."""
    suite, known = find_task("mimic-gcs-24h-raw")
    changes = {"name": name, "site": "eicu", "reference": name, "scoring": rules}
    task: Task = known.model_copy(update=changes)
    return suite.score(task, output, store=store, dataset=NAME, convention=under)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", TASKS)
def test_a_perfect_answer_has_every_point(
    store: Store, shared: Path, tmp_path: Path, name: str, convention: Convention
) -> None:
    """The rows of a reference pass every check, against the hidden file and against their own copy."""
    answer = exported(store, name, convention, tmp_path)
    rules = rules_of(shared, name)
    hidden = scored(store, rules, name, answer, convention)
    given = score_file(answer, answer, rules, task=name, convention=convention)
    for found in (hidden, given):
        assert (found.error, found.reward, found.strict.passed) == (None, 1.0, True)
        assert (found.keys.reference, found.keys.matched) == (STAYS, STAYS)
        assert set(found.columns) == set(rules.scored)


@pytest.mark.parametrize("name", TASKS)
def test_a_wrong_cell_costs_its_row_of_its_column(
    store: Store, shared: Path, tmp_path: Path, name: str
) -> None:
    """One value in one column is one row of that column less, and of no other."""
    answer = exported(store, name, "published", tmp_path)
    header, first, *rest = answer.read_text().splitlines()
    cells = first.split(",")
    cells[-1] = "99"
    answer.write_text("\n".join([header, ",".join(cells), *rest]) + "\n")
    found = scored(store, rules_of(shared, name), name, answer, "published")
    last = header.split(",")[-1]
    assert {n: c.matched for n, c in found.columns.items() if c.matched < STAYS} == {
        last: STAYS - 1
    }


def test_the_conventions_are_told_apart(store: Store, shared: Path, tmp_path: Path) -> None:
    """The published coma scale is no perfect answer to the adjudicated one."""
    answer = exported(store, "eicu-gcs", "published", tmp_path)
    found = scored(store, rules_of(shared, "eicu-gcs"), "eicu-gcs", answer, "adjudicated")
    assert found.keys.matched == STAYS
    assert found.reward < 1


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", [*TASKS, "eicu-apache-groups"])
def test_a_honeytoken_is_nobodys(store: Store, name: str, convention: Convention) -> None:
    """The hidden file holds the real stays and three rows of which no identifier is anybody's."""
    dataset = store.dataset(NAME)
    entry = entry_of(store, name, convention)
    patients = dataset.root / "source" / "eicu_crd" / "patient.parquet"
    file = dataset.references(convention) / entry.file
    planted = duckdb.sql(
        f"SELECT patientunitstayid, patienthealthsystemstayid, uniquepid FROM '{file}' "
        f"WHERE patientunitstayid NOT IN (SELECT patientunitstayid FROM '{patients}')"
    ).fetchall()
    assert {(str(stay),) for stay, _, _ in planted} == set(entry.honeytokens)
    assert len(planted) == 3
    assert all(min(stay, hospital_stay) >= LOWEST for stay, hospital_stay, _ in planted)
    shown = ", ".join(f"'{patient}'" for _, _, patient in planted)
    real = duckdb.sql(
        f"SELECT count(*), count_if(uniquepid IN ({shown})), max(patientunitstayid), "
        f"max(patienthealthsystemstayid) FROM '{patients}'"
    ).fetchall()[0]
    assert real[:2] == (STAYS, 0)
    assert max(real[2:]) < LOWEST


def test_an_answer_that_holds_a_honeytoken_is_noted(
    store: Store, shared: Path, tmp_path: Path
) -> None:
    """Its row is extra and is told; those that know nothing of it lose nothing by it."""
    answer = exported(store, "eicu-gcs", "published", tmp_path)
    ((first,), *_) = entry_of(store, "eicu-gcs", "published").honeytokens
    with answer.open("a") as stream:
        stream.write(f"{first},001-1,1,15,6,5,4\n")
    found = scored(store, rules_of(shared, "eicu-gcs"), "eicu-gcs", answer, "published")
    assert (found.keys.matched, found.keys.extra) == (STAYS, 1)
    assert found.reward == pytest.approx(STAYS / (STAYS + 1))
    assert found.notes
