# SPDX-License-Identifier: MIT
"""The tables beside the page, read as another program would."""

import csv
import json
from pathlib import Path

import pytest

from m4bench.harness.finished.results import Results
from m4bench.model.task import DropRules, ScoringRules, Task, TaskVersion
from m4bench.report import latex, write_report
from m4bench.report.summary import summarise
from m4bench.report.table_set import all_tables
from m4bench.report.tables import field
from tests.report.records import build_run, build_score, write_runs

Rows = list[dict[str, str]]
TASK = Task(
    name="mimic-sofa-24h",
    suite="derivation",
    family="sofa",
    title="SOFA",
    mode="standard",
    site="mimic-iv",
    difficulty="hard",
    grain="one row per ICU stay",
    reference="sofa-24h",
    version=TaskVersion(scoring=1, interface=1),
    drops=DropRules(target=("first_day_sofa",)),
    scoring=ScoringRules(
        key=("stay_id",),
        values=("sofa", "renal"),
        scored=("sofa", "renal"),
        required=("stay_id", "sofa", "renal"),
        unordered=("renal",),
        row_coverage=1.0,
        accuracy=1.0,
    ),
)


def read(path: Path) -> Rows:
    """Read a table as text."""
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Rows]:
    """The tables of three runs: one compared, one timed out, one lost to the infrastructure."""
    runs = [
        build_run(
            trial=1,
            model="=HYPERLINK(1)",
            score=build_score(
                "mimic-sofa-24h", {"sofa": 0.75, "renal": 0.5}, extra=4, notes=["=1+1", "@x"]
            ),
        ),
        build_run(trial=2, model="=HYPERLINK(1)", state="timeout", reason="-too long"),
        build_run(trial=3, model="=HYPERLINK(1)", state="infrastructure", reason="+no sandbox"),
    ]
    write_report(write_runs(tmp_path / "results", runs), tmp_path / "out", tasks={TASK.name: TASK})
    return {
        name: read(tmp_path / "out" / "tables" / f"{name}.csv")
        for name in ("runs", "cells", "columns")
    }


def test_runs_hold_every_column_of_the_published_tables(
    tables: dict[str, Rows], shared: Path
) -> None:
    """A program that reads the published run tables finds its columns here."""
    published = set()
    for path in sorted((shared / "published").glob("*.csv")):
        published |= set(read(path)[0])
    assert published
    assert published <= set(tables["runs"][0])
    assert tables["runs"][0]["format_version"] == "1"


def test_a_compared_run_carries_its_score(tables: dict[str, Rows]) -> None:
    """Reward, match rates as JSON, keys, checks and what the task knows stand in the row."""
    row = next(row for row in tables["runs"] if row["trial"] == "1")
    assert float(row["reward"]) == pytest.approx(0.625)
    assert json.loads(row["match_rates"]) == {"sofa": 0.75, "renal": 0.5}
    assert (row["truth_rows"], row["agent_unique_keys"], row["extra_keys"]) == ("300", "304", "4")
    assert (row["passed"], row["failed"], row["total_tests"], row["errors"]) == ("2", "2", "4", "0")
    assert (row["diagnostics_failed"], row["strict_pass"]) == ("True", "False")
    assert (row["family"], row["ordered_value_columns"]) == ("sofa", "1")
    assert json.loads(row["score_notes"]) == ["=1+1", "@x"]


def test_a_timeout_is_an_error_with_reward_zero(tables: dict[str, Rows]) -> None:
    """A timeout has a reward of 0 and one error, and its state says why."""
    row = next(row for row in tables["runs"] if row["trial"] == "2")
    assert (float(row["reward"]), row["errors"], row["agent_status"]) == (0.0, "1", "timeout")
    assert json.loads(row["outcome_reason"]) == "-too long"
    assert row["ordered_value_columns"] == "0"


def test_a_run_without_a_measurement_has_no_reward(tables: dict[str, Rows]) -> None:
    """An infrastructure failure has an empty reward, not a 0."""
    row = next(row for row in tables["runs"] if row["trial"] == "3")
    assert (row["reward"], row["match_rates"], row["errors"]) == ("", "{}", "1")


def test_free_text_cannot_become_a_formula(tables: dict[str, Rows]) -> None:
    """No reason, error or note begins with a sign that a spreadsheet takes for a formula."""
    free = (
        "outcome_reason",
        "score_error",
        "score_notes",
        "unpublishable_reasons",
        "agent_options",
    )
    for row in tables["runs"]:
        assert not any(row[name].startswith(("=", "+", "-", "@")) for name in free)


SIGNS = ("=", "+", "-", "@", "\t=", "\r=", "a\r=", "a\n=", "\u202e", " =")


def test_no_text_of_a_run_becomes_a_formula_or_a_row(tmp_path: Path) -> None:
    """Names of models and folders keep their cell, in every table and for every reader of lines."""
    runs = [
        build_run(model=f"{sign}1+1", options={"k": sign}, trial=trial)
        for trial, sign in enumerate(SIGNS, start=1)
    ]
    results = write_runs(tmp_path / "results", runs)
    for sign in SIGNS:
        (results / f"{sign}1").mkdir()
        (results / f"{sign}1" / "run.json").touch()
    write_report(results, tmp_path / "out", tasks={TASK.name: TASK})
    for path in (tmp_path / "out" / "tables").glob("*.csv"):
        content = path.read_bytes().decode()
        assert not any(odd in content for odd in "\r\t\u202e")
        lines = content.splitlines()
        width = len(next(csv.reader(lines[:1]), []))
        for line in lines:
            (cells,) = csv.reader([line])
            assert len(cells) == width
            assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in cells)


def test_a_field_shows_what_is_invisible_as_json_does() -> None:
    """A JSON text stays that JSON text, beyond the first plane too; numbers stay numbers."""
    odd = "a\u202eb\U000e0001\udcff"
    shown = field(json.dumps(odd, ensure_ascii=False))
    assert shown == '"a\\u202eb\\udb40\\udc01\\udcff"'
    assert json.loads(shown) == odd
    assert [field(value) for value in (-1, -0.5, None, True)] == [-1, -0.5, None, True]


def test_a_cell_is_the_mean_of_its_measured_runs(tables: dict[str, Rows]) -> None:
    """Of three trials two enter: (0.625 + 0) / 2."""
    (row,) = tables["cells"]
    assert (row["runs"], row["entering_runs"], row["strict_passes"]) == ("3", "2", "0")
    assert float(row["reward"]) == pytest.approx(0.3125)
    assert (float(row["reward_lowest"]), float(row["reward_highest"])) == (
        0.0,
        pytest.approx(0.625),
    )


def test_columns_say_how_many_rows_matched(tables: dict[str, Rows]) -> None:
    """A scored column has a row a run, with matched and total rows."""
    run = next(row["run_id"] for row in tables["runs"] if row["trial"] == "1")
    found = {row["column"]: row for row in tables["columns"] if row["run_id"] == run}
    assert set(found) == {"sofa", "renal"}
    assert (found["renal"]["matched"], found["renal"]["total"]) == ("152", "304")


def test_what_may_not_be_published_is_marked_in_print() -> None:
    """In LaTeX rows of agents, cells and runs that are not publishable bear a dagger, which the caption explains."""
    runs = [build_run(), build_run(agent="reference", reasons=["a baseline is no measured agent"])]
    found = Results(tuple(runs), (), 0)
    made = {one.name: one for one in all_tables(found, summarise(runs), {}, {}, [])}
    for name in ("agents", "cells", "runs"):
        printed = latex.table(made[name])
        assert printed.count(r"reference \dag") == 1, name
        assert r"solver \dag" not in printed
        assert r"\dag{} may not be published." in printed
        assert "†" not in json.dumps([str(row) for row in made[name].rows], ensure_ascii=False)
    alone = {one.name: one for one in all_tables(found, summarise(runs[:1]), {}, {}, [])}
    assert "dag" not in latex.table(alone["agents"])
