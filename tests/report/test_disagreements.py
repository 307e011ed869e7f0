# SPDX-License-Identifier: MIT
"""Whose rows a report shows, what it says where it shows none, and the words for why a row counts."""

import json
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.harness.finished.results import read_results
from m4bench.report import write_report
from m4bench.report.disagreements import examine, worked
from m4bench.report.provenance import provenances
from m4bench.report.summary import Summary, summarise
from tests.report.hospital import HONEYTOKEN, IDENTITY, TASK, build_store, scored_run

NOON = "2150-01-01 12:00:00"
OUTPUT = (
    "stay_id,score,rate,seen,word\n"
    f"1,7654321,0.5,{NOON},a\n"
    f"2,2,0.25,{NOON},b\n"
    f"3,3,1.0,{NOON},canary-word\n"
    f"4,,2.0,{NOON},d\n"
)
VALUES = ("7654321", "canary-word")
TASKS = {TASK.name: TASK}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder for a store and results."""
    return tmp_path


def pages(out: Path) -> str:
    """Return the text of every file of a report but drawings in PDF."""
    return "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.suffix not in (".pdf", ".png")
    )


def run_of(place: Path, **fields: Any) -> None:
    """Write a run of OUTPUT on the store in `place`."""
    store, content = build_store(place / "store")
    reference = store.dataset("synthetic").references("published") / "invented.parquet"
    fields.setdefault("dataset_hash", content)
    scored_run(place / "results", OUTPUT, reference, fields.pop("dataset_hash"), **fields)


def report_of(place: Path, store: bool = True) -> str:
    """Return the text of a report on the results in `place`."""
    given = build_store(place / "store")[0] if store else None
    write_report(place / "results", place / "out", tasks=TASKS, store=given)
    return pages(place / "out")


def test_of_invented_patients_the_row_is_shown_and_explained(place: Path) -> None:
    """Key, expected and answered value, the tolerance, what it costs: on the front page and on the task's."""
    run_of(place)
    report_of(place)
    front = (place / "out" / "index.html").read_text(encoding="utf-8")
    for words in (
        "7654321",
        "The answer is 7\u202f654\u202f320 away from the reference, and has to be equal.",
    ):
        assert front.count(words) == 1 + (words == "7654321")
    assert "In this column 3 of 5 rows match, a rate of 0.600: 1 differs, 1 is missing." in front
    assert "each such row costs 1/5 of one column and 1/20 of the reward." in front
    assert "The strict check asks for a match rate of at least 90\u202f% and does not hold" in front
    page = (place / "out" / "tasks" / "mimic-invented.html").read_text(encoding="utf-8")
    for words in ("canary-word", "The answer is another text", "whole row, missing"):
        assert words in page
    assert HONEYTOKEN not in front + page


@pytest.mark.parametrize("access", ["open", "credentialed", "", "Synthetic"])
def test_of_other_data_no_value_is_anywhere(place: Path, access: str) -> None:
    """A record that is not of synthetic data shows counts alone, even beside a store that is synthetic."""
    run_of(place, access=access)
    text = report_of(place)
    assert not any(value in text for value in VALUES)
    assert "rows are shown of invented patients only" in text
    assert "1 differs, 1 is missing" in text


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ({"access": "open"}, "the store holds another dataset under this name"),
        ({"access": "credentialed"}, "the store holds another dataset under this name"),
        ({"identity": "f" * 64}, "the hidden reference has been built anew since the run"),
        ({"sealed": True}, "the hospital is sealed"),
        ({"proof": "foreign"}, "not those of the hospital’s recipe"),
    ],
)
def test_a_store_that_is_not_the_runs_shows_nothing(
    place: Path, store: dict[str, Any], words: str
) -> None:
    """The record's word is not enough: the store has to hold the same, synthetic and open to be told."""
    run_of(place)
    given, _ = build_store(place / "store", **store)
    write_report(place / "results", place / "out", tasks=TASKS, store=given)
    text = pages(place / "out")
    assert words in text
    assert not any(value in text for value in VALUES)


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ({"proof": "unsealed"}, "the seed in the store does not fit its commitment"),
        ({"proof": "other seed"}, "the seed in the store does not fit its commitment"),
        ({"proof": "real"}, "identifiers that no invented hospital has"),
        ({"name": "mimic-iv"}, "the record calls a dataset synthetic that is none of m4bench"),
        ({"name": "synthetic-eicu"}, "the hospital’s recipe is of another dataset"),
    ],
)
def test_a_word_changed_in_record_and_manifest_shows_nothing(
    place: Path, store: dict[str, Any], words: str
) -> None:
    """Access, seal and name can be edited on both sides alike: no row, and for its owner alone."""
    given, content = build_store(place / "store", **store)
    name = store.get("name", "synthetic")
    reference = given.dataset(name).references("published") / "invented.parquet"
    scored_run(place / "results", OUTPUT, reference, content, dataset=name)
    front = write_report(place / "results", place / "out", tasks=TASKS, store=given)
    text = pages(place / "out")
    assert words in text
    assert not any(value in text for value in VALUES)
    assert not front.stat().st_mode & stat.S_IROTH


def test_another_dataset_under_the_name_shows_nothing(place: Path) -> None:
    """Runs on an earlier hospital of the same name are not held against this one's reference."""
    run_of(place, dataset_hash="0" * 64)
    text = report_of(place)
    assert "the store holds another dataset under this name" in text
    assert not any(value in text for value in VALUES)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("no store", "no store was named"),
        ("no dataset", "the store that was named does not hold the dataset"),
        ("no reference", "the store does not hold the hidden reference"),
        ("torn manifest", "the hidden reference or the output cannot be read"),
        ("torn reference", "the hidden reference is not the one that was stored"),
        ("no file", "the hidden reference or the output cannot be read"),
    ],
)
def test_what_is_missing_is_said_and_nothing_fails(place: Path, damage: str, words: str) -> None:
    """Without store, dataset, reference or a whole file, the page says which, and has its counts."""
    run_of(place)
    store, _ = build_store(place / "store")
    dataset = store.dataset("synthetic")
    references = dataset.references("published")
    if damage == "no dataset":
        dataset.manifest_path.unlink()
    elif damage == "no reference":
        (references / "manifest.json").unlink()
    elif damage == "torn manifest":
        (references / "manifest.json").write_text("{")
    elif damage == "torn reference":
        (references / "invented.parquet").write_bytes(b"PAR1")
    elif damage == "no file":
        (references / "invented.parquet").unlink()
    given = None if damage == "no store" else store
    write_report(place / "results", place / "out", tasks=TASKS, store=given)
    text = pages(place / "out")
    assert words in text
    assert str(place) not in text
    assert "1 differs, 1 is missing" in text
    assert not any(value in text for value in VALUES)


def examined(place: Path) -> tuple[Summary, Any]:
    """Return the summary of the results in `place` and what was chosen to be worked."""
    found = read_results(place / "results", TASKS)
    summary = summarise(found.runs)
    store, _ = build_store(place / "store")
    return summary, worked(
        summary, examine(summary, place / "results", TASKS, store, provenances(found.runs, store))
    )


def test_a_measured_agent_is_worked_before_a_baseline(place: Path) -> None:
    """The example is of an agent that was to be measured, where there is one with a disagreement."""
    run_of(place, agent="naive")
    _, chosen = examined(place)
    assert chosen.examined.run.cell.agent == "naive"
    run_of(place, agent="solver")
    _, chosen = examined(place)
    assert chosen.examined.run.cell.agent == "solver"
    assert (chosen.row.kind, chosen.row.expected, chosen.row.answered) == ("value", "1", "7654321")


def test_ends_of_the_scale_are_never_worked(place: Path) -> None:
    """An empty file or the project's own derivation teach nothing."""
    run_of(place, agent="reference")
    assert examined(place)[1] is None


def test_the_table_of_disagreements_holds_the_same(place: Path) -> None:
    """The exported table has the row too, as JSON that no spreadsheet takes for a formula."""
    run_of(place)
    report_of(place)
    lines = (place / "out" / "tables" / "disagreements.csv").read_text().splitlines()
    assert len(lines) == 1 + 4 + 1
    score = next(line for line in lines if ",score," in line)
    assert json.dumps("7654321").replace('"', '""') in score
    assert IDENTITY not in "".join(lines)


def test_a_long_answer_is_cut_and_said_to_be(place: Path) -> None:
    """An answered cell of a megabyte is in no file at full length."""
    store, content = build_store(place / "store")
    reference = store.dataset("synthetic").references("published") / "invented.parquet"
    long = OUTPUT.replace("canary-word", "w" * 100_000)
    scored_run(place / "results", long, reference, content)
    text = report_of(place)
    assert "w" * 200 in text
    assert "w" * 201 not in text
    assert "(cut, 100000 characters)" in (place / "out/tables/disagreements.csv").read_text()


def test_a_difference_of_the_tolerance_shows_the_digits_that_decide(place: Path) -> None:
    """0.51 is more than 0.01 from 0.5 in binary arithmetic; the sentence does not say "0.01 away"."""
    store, content = build_store(place / "store")
    reference = store.dataset("synthetic").references("published") / "invented.parquet"
    scored_run(place / "results", OUTPUT.replace("0.5,", "0.51,"), reference, content)
    report_of(place)
    page = (place / "out" / "tasks" / "mimic-invented.html").read_text(encoding="utf-8")
    assert "The answer is 0.010000000000000009 away from the reference" in page


def real_shaped(place: Path, store: str = "store") -> tuple[Store, str]:
    """Return a store that holds a few rows shaped like MIMIC-IV under the name `synthetic`, and their hash."""
    folder = place / f"{store}-files" / "icu"
    folder.mkdir(parents=True)
    columns = ["subject_id,hadm_id,stay_id,first_careunit,last_careunit,intime,outtime,los"]
    rows = [f"{n},{n + 1},{n + 2},MICU,MICU,{NOON},{NOON},1.5" for n in (10000032, 29079034)]
    (folder / "icustays.csv").write_text("\n".join([*columns, *rows]) + "\n")
    given = Store(place / store)
    manifest = import_dataset(given.dataset("synthetic"), folder.parent, allow_modified=True)
    return given, manifest.content_hash()


def test_real_rows_imported_as_synthetic_are_not_shown(place: Path) -> None:
    """A dataset that only bears the name has no recipe: no row, the reason, and a report for its owner alone."""
    given, content = real_shaped(place)
    assert given.dataset("synthetic").manifest().access == "synthetic"
    reference, _ = build_store(place / "other")
    folder = given.dataset("synthetic").references("published")
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(reference.dataset("synthetic").references("published"), folder)
    scored_run(place / "results", OUTPUT, folder / "invented.parquet", content)
    front = write_report(place / "results", place / "out", tasks=TASKS, store=given)
    text = pages(place / "out")
    assert "nothing in the store proves that the patients are invented" in text
    assert not any(value in text for value in VALUES)
    assert "invented patients)" not in text
    assert "The rows shown are" not in text
    assert not any(path.stat().st_mode & stat.S_IROTH for path in (front, *place.glob("out/*/*")))


def test_what_a_dataset_was_made_from_stands_apart_from_its_hash(place: Path) -> None:
    """Stays, seed, density and content of an invented hospital are its recipe; the store's hash has its name."""
    run_of(place)
    text = report_of(place)
    _, content = build_store(place / "store")
    for page in (place / "out" / "index.html", place / "out" / "tasks" / "mimic-invented.html"):
        words = re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))
        assert f"synthetic invented patients, dataset hash {content[:8]}" in words
        assert "5 stays, seed 1, density 1, content " in words
    assert f"content {content[:8]}" not in text


def test_a_sealed_recipe_has_its_commitment_and_no_seed(place: Path) -> None:
    """Of a sealed hospital the page has what binds to the seed."""
    run_of(place)
    given, _ = build_store(place / "store", sealed=True)
    write_report(place / "results", place / "out", tasks=TASKS, store=given)
    words = re.sub(r"<[^>]+>", "", (place / "out" / "index.html").read_text(encoding="utf-8"))
    assert "5 stays, sealed, commitment cccccccc, density 1" in words
    assert "seed " not in words
