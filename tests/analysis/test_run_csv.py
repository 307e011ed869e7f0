# SPDX-License-Identifier: MIT
"""The row of a run: what is written can be read again, whatever the texts in it are."""

import csv
import io
from pathlib import Path

import pytest

from m4bench.analysis.csv_fields import guarded, unguarded
from m4bench.analysis.csv_rows import READ
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.run_csv import COLUMNS, csv_text, field, run_rows
from m4bench.analysis.runs import RunRow, Setting, System
from m4bench.analysis.task_facts import installed_tasks
from m4bench.model.run import RunRecord
from m4bench.model.usage import Tokens, Usage
from tests.report.records import WAY, build_run, build_score, build_study, write_runs

TEXTS = [
    "plain",
    "=1+1",
    "'=1+1",
    "''=1+1",
    "' =1+1",
    " =1+1",
    "'plain",
    "-",
    "＋1",
    "@big-1",
    "it's",
    'a "quoted", name',
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_apostrophe_before_a_formula_is_taken_away_again(text: str) -> None:
    """No text is calculated by a spreadsheet, and each comes back as it was."""
    assert unguarded(guarded(text)) == text
    assert not guarded(text).lstrip().startswith(("=", "+", "-", "@", "＋"))


def records() -> list[RunRecord]:
    """Return runs of every kind, some with hostile texts."""
    usage = Usage(requests=3, tokens=Tokens(input=900, cached=400, output=70), cost_usd=0.125)
    return [
        *build_study(),
        *(
            build_run(agent="tool", model=text, effort=text, trial=7, gateway=WAY, usage=usage)
            for text in TEXTS
            if text == text.strip()
        ),
        build_run(agent="tool", state="provider-error", trial=8, reason="=late"),
        build_run(
            agent="tool",
            trial=9,
            score=build_score("mimic-sofa-24h", {"so,fa": 1.0, 'r"nal': 0.5}, notes=["-x\ny"]),
        ),
    ]


def test_runs_written_and_read_are_the_runs_of_the_records(tmp_path: Path) -> None:
    """A report's table of runs gives the same table as the folders it was made from."""
    runs = records()
    folder = write_runs(tmp_path / "results", runs)
    path = tmp_path / "runs.csv"
    path.write_text(csv_text(run_rows(runs, installed_tasks())), encoding="utf-8")
    from_folder, from_file = read_run_table([folder]), read_run_table([path])
    assert "stand aside where no agent is named: empty, naive, reference" in from_folder.notes[-1]
    assert from_file.notes == from_folder.notes
    assert [_anonymous(run) for run in from_file] == [_anonymous(run) for run in from_folder]


def _anonymous(run: RunRow) -> RunRow:
    """Return a run without its source, whatever else it holds."""
    values = {name: getattr(run, name) for name in RunRow.__slots__}
    return RunRow(**values | {"source": ""})


def test_a_row_read_again_holds_what_the_record_holds(tmp_path: Path) -> None:
    """Field by field, for every run: nothing is lost, rounded or swapped."""
    runs = records()
    path = tmp_path / "runs.csv"
    path.write_text(csv_text(run_rows(runs, installed_tasks())), encoding="utf-8")
    found = {run.run_id: run for run in read_run_table([path])}
    assert len(found) == len(runs)
    tasks = installed_tasks()
    for record in runs:
        run, cell, score = found[record.run_id], record.cell, record.score
        assert run.system == System(cell.agent, cell.model or "", cell.effort or "")
        assert run.setting == Setting(
            cell.dataset,
            record.dataset_hash,
            cell.convention,
            cell.drops,
            cell.sandbox,
            record.access,
        )
        assert (run.task, run.condition, run.schema, run.trial) == (
            cell.task,
            cell.condition,
            cell.schema_,
            cell.trial,
        )
        assert (run.family, run.mode) == (tasks[cell.task].family, tasks[cell.task].mode)
        assert (run.state, run.seconds) == (record.outcome.state, record.outcome.seconds)
        assert run.publishable == record.publishability.publishable
        assert run.task_version == record.task_version
        assert run.valid == (record.outcome.state not in {"infrastructure", "provider-error"})
        tokens = record.usage.tokens if record.usage else None
        assert (run.input_tokens, run.cached_tokens, run.output_tokens, run.cost_usd) == (
            (tokens.input, tokens.cached, tokens.output, record.usage and record.usage.cost_usd)
            if tokens
            else (None, None, None, None)
        )
        if score is None:
            assert (run.reward, run.strict, run.match_rates, run.key_f1) == (None, False, {}, None)
            continue
        assert (run.reward, run.key_f1, run.ordered_nmae) == (
            score.reward,
            score.keys.f1,
            score.ordered_nmae,
        )
        assert run.strict == score.strict.passed
        assert run.match_rates == {
            name: column.match_rate for name, column in score.columns.items()
        }
        assert (run.truth_rows, run.agent_unique_keys, run.extra_keys) == (
            score.keys.reference,
            score.keys.output,
            score.keys.extra,
        )


def test_a_row_has_the_columns_that_are_listed() -> None:
    """The list of columns is what is written, those of the paper's release first; each column read is one of them."""
    (row,) = run_rows([build_run()], installed_tasks())
    assert tuple(row) == COLUMNS
    assert set(READ) <= set(COLUMNS)


def test_the_columns_are_a_superset_of_the_released_ones(shared: Path) -> None:
    """A reader of the released tables finds every column of theirs."""
    for path in sorted((shared / "published").glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as stream:
            assert set(next(csv.reader(stream))) <= set(COLUMNS)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (-0.5, -0.5),
        (None, None),
        (True, True),
        ("=1", "'=1"),
        ("'=1", "''=1"),
        ("a\nb", "a\\u000ab"),
        ("a\u202eb", "a\\u202eb"),
    ],
)
def test_a_field_is_fit_for_a_spreadsheet(value: object, written: object) -> None:
    """Numbers stay numbers; texts break no line, reverse none, and are not calculated."""
    assert field(value) == written


def test_no_rows_make_an_empty_table() -> None:
    """There is no header without a row."""
    assert csv_text([]) == ""
    assert list(csv.reader(io.StringIO(csv_text([{"a": 1, "b": None}])))) == [["a", "b"], ["1", ""]]
