# SPDX-License-Identifier: MIT
"""Runs read from tables and folders: the paper's cell by cell, ours, both together, and what is refused."""

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

import pytest

from m4bench.analysis.reading import read_run_table
from m4bench.analysis.runs import RunRow, RunTable, Setting, System, entering
from m4bench.analysis.task_facts import TaskFacts, installed_task_facts
from m4bench.model.errors import InputError
from tests.report.records import build_run, write_runs

PRIMARY, FOLLOWUP, LOCAL = (
    f"{name}_runs.csv" for name in ("codex_primary", "codex_followup", "oss")
)
ROW = {
    "run_id": "toy-task_no-skill_tool_big-1_t1_20260101_000000",
    "task": "mimic-sofa-24h",
    "condition": "no-skill",
    "schema": "native",
    "agent": "tool",
    "model": "big-1",
    "trial": "1",
    "reward": "0.5",
    "publishable": "True",
    "passed": "3",
    "failed": "2",
    "errors": "0",
}


def csv_of(*rows: Mapping[str, str], mark: str = ",", end: str = "\n") -> str:
    """Return rows as a table with the columns of the first; fields with a comma or a quote are quoted."""
    lines = [mark.join(rows[0])]
    for row in rows:
        texts = [row[name] for name in rows[0]]
        lines.append(
            mark.join(
                '"' + text.replace('"', '""') + '"' if {*text} & set(',"\n') else text
                for text in texts
            )
        )
    return end.join(lines) + end


def many_rows(end: str) -> bytes:
    """Return a header and 2,000 rows, more than a decoder reads at once, with the last line ended."""
    return csv_of(*[ROW | {"run_id": f"é{n}"} for n in range(2000)], end=end).encode()


def read_text(
    folder: Path, text: str | bytes, facts: Mapping[str, TaskFacts] | None = None
) -> RunTable:
    """Read a table that consists of this text."""
    path = folder / "runs.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_run_table([path], facts)


def only(table: RunTable) -> RunRow:
    """Return the one run of a table."""
    (run,) = table
    return run


@pytest.fixture(scope="module")
def published(shared: Path) -> RunTable:
    """All released runs."""
    return read_run_table([shared / "published" / name for name in (PRIMARY, FOLLOWUP, LOCAL)])


def published_cells(shared: Path, name: str) -> list[dict[str, str]]:
    """Return a table of cells as the specification has it."""
    with (shared / "specs" / "tasks" / "published-results" / name).open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    ("source", "cells"),
    [
        (PRIMARY, "cells_codex_primary.csv"),
        (FOLLOWUP, "cells_codex_followup.csv"),
        (LOCAL, "cells_oss.csv"),
    ],
)
def test_the_released_runs_give_the_published_cells(
    published: RunTable, shared: Path, source: str, cells: str
) -> None:
    """Runs, mean reward and strict passes of every cell are the published ones, and so are key metrics and nMAE."""
    found: dict[tuple[str, ...], list[RunRow]] = {}
    for run in published.where(lambda run: run.source == source):
        found.setdefault((run.task, run.condition, run.schema, run.system.model), []).append(run)
    expected = published_cells(shared, cells)
    assert len(expected) == len(found)
    for row in expected:
        runs = found[row["task"], row["condition"], row["schema"], row["model"]]
        assert len(entering(runs)) == len(runs) == int(row["runs"])
        assert fmean(run.reward or 0 for run in runs) == pytest.approx(
            float(row["mean_reward"]), abs=6e-7
        )
        assert sum(run.strict for run in runs) == int(row["strict_passes"])
        for column, values in (
            ("mean_key_f1", [run.key_f1 for run in runs]),
            ("mean_ordered_nmae", [run.ordered_nmae for run in runs]),
        ):
            told = [value for value in values if value is not None]
            if row.get(column):
                assert fmean(told) == pytest.approx(float(row[column]), abs=6e-7), row
        if row.get("sum_extra_keys"):
            assert sum(run.extra_keys or 0 for run in runs) == int(row["sum_extra_keys"])


def test_the_follow_up_gets_what_its_table_leaves_open(published: RunTable) -> None:
    """Its agent comes from the run ids and its effort from the primary runs, so that cells of both pair."""
    follow_up = published.where(lambda run: run.source == FOLLOWUP)
    assert {run.system for run in follow_up} == {
        System("codex", model, "medium") for model in ("gpt-5.5", "gpt-5.4-mini")
    }
    primary = published.where(lambda run: run.source == PRIMARY)
    assert {run.setting for run in follow_up} <= {run.setting for run in primary}
    assert sum("taken as medium" in note for note in published.notes) == 2


def test_what_the_paper_does_not_say_is_what_the_paper_did(published: RunTable) -> None:
    """Convention and drops are the published ones, the dataset is the task's, and the data were credentialed."""
    assert {run.setting for run in published} == {
        Setting(dataset, "", "published", "published", "", "credentialed")
        for dataset in ("mimic-iv", "eicu")
    }
    assert {run.setting.dataset for run in published if run.task.startswith("eicu")} == {"eicu"}


def test_the_state_of_a_released_run_follows(published: RunTable) -> None:
    """A return code is the agent's failure, a reward of 0; an error without an output's keys is no output."""
    states = {
        source: {
            state: sum(run.source == source and run.state == state for run in published)
            for state in ("completed", "agent-error", "no-output")
        }
        for source in (PRIMARY, FOLLOWUP, LOCAL)
    }
    assert states == {
        PRIMARY: {"completed": 757, "agent-error": 3, "no-output": 0},
        FOLLOWUP: {"completed": 337, "agent-error": 3, "no-output": 0},
        LOCAL: {"completed": 30, "agent-error": 2, "no-output": 78},
    }
    assert all(run.valid and run.reward == 0 for run in published if run.state != "completed")


def test_an_effort_nobody_tells_stays_untold(shared: Path) -> None:
    """The follow-up alone has no effort, and no note claims one."""
    table = read_run_table([shared / "published" / FOLLOWUP])
    assert {run.system.effort for run in table} == {""}
    assert table.notes == ()


def test_tasks_are_installed_in_fifteen_families() -> None:
    """The facts are of the 28 tasks: 11 standard and 17 raw ones, in 15 families on two sites."""
    facts = installed_task_facts()
    modes = [one.mode for one in facts.values()]
    assert (len(facts), modes.count("standard"), modes.count("raw")) == (28, 11, 17)
    assert len({one.family for one in facts.values()}) == 15
    assert facts["mimic-suspicion-infection"].values == (
        "suspected_infection",
        "positive_culture",
        "specimen",
    )
    assert {one.site for one in facts.values()} == {"mimic-iv", "eicu"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (csv_of(ROW, end="\r\n"), "lines end as on Windows"),
        ("\ufeff" + csv_of(ROW), "a mark stands at the beginning"),
        (csv_of(ROW) + "\n\n", "empty lines at the end"),
        (csv_of(ROW).replace("0.5", "5e-1"), "a number with an exponent"),
        (csv_of(ROW).replace("True", "1"), "truths as digits"),
        (csv_of(ROW).replace("True", "true"), "truths in lower case"),
        (csv_of(dict(reversed(ROW.items()))), "columns in another order"),
    ],
    ids=lambda value: value if " " in value and "\n" not in value else "",
)
def test_a_table_is_read_however_it_was_saved(tmp_path: Path, text: str, told: str) -> None:
    """The same run stands in each of these files."""
    run = only(read_text(tmp_path, text))
    assert (run.system, run.reward, run.trial, run.publishable) == (
        System("tool", "big-1", ""), 0.5, 1, True
    ), told  # fmt: skip


def test_only_an_empty_field_is_no_value(tmp_path: Path) -> None:
    """`None` and `NA` are names like others; an empty reward is no measurement and no zero."""
    rows = (
        ROW | {"model": "None", "condition": "NA"},
        ROW | {"run_id": "second", "reward": ""},
    )
    named, unmeasured = sorted(read_text(tmp_path, csv_of(*rows)), key=lambda run: run.condition)
    assert (named.system.model, named.condition, named.reward) == ("None", "NA", 0.5)
    assert (unmeasured.reward, unmeasured.state, unmeasured.valid) == (
        None,
        "infrastructure",
        False,
    )
    assert entering([named, unmeasured]) == (named,)


@pytest.mark.parametrize(
    ("fields", "strict"),
    [
        ({"passed": "4", "failed": "0", "errors": "0"}, True),
        ({"passed": "4", "failed": "1", "errors": "0"}, False),
        ({"passed": "4", "failed": "0", "errors": "1"}, False),
        ({"passed": "0", "failed": "0", "errors": "1"}, False),
        ({"passed": "0", "failed": "0", "errors": "0"}, False),
        ({"passed": "4", "failed": "0", "errors": "0", "strict_pass": "False"}, False),
    ],
)
def test_a_strict_pass_needs_a_check_and_neither_failure_nor_error(
    tmp_path: Path, fields: dict[str, str], strict: bool
) -> None:
    """A run without a failed check has not passed where an error occurred; a column of its own has the last word."""
    assert only(read_text(tmp_path, csv_of(ROW | fields))).strict is strict


@pytest.mark.parametrize(
    ("run_id", "place", "agent"),
    [
        ("mimic-sofa-24h_no-skill_codex_big-1_t1_20260101_000000", {}, "codex"),
        ("mimic-sofa-24h_no-skill_obfuscated_pi-ollama_big-1_t1_x", {"schema": "obfuscated"}, "pi-ollama"),
        ("mimic-sofa-24h_older-name_codex_big-1_t1_20260101_000000", {}, "codex"),
        ("mimic-sofa-24h_no-skill_my_own_tool_big-1_t1_20260101_0", {}, "my_own_tool"),
        ("mimic-sofa-24h_no-skill_codex_gpt-oss-20b_t1_x", {"model": "gpt-oss:20b"}, "codex"),
    ],
)  # fmt: skip
def test_the_agent_is_read_from_the_run_id(
    tmp_path: Path, run_id: str, place: dict[str, str], agent: str
) -> None:
    """Whatever stands between the condition and the model is the agent."""
    row = ROW | place | {"run_id": run_id, "agent": ""}
    assert only(read_text(tmp_path, csv_of(row))).system.agent == agent


REFUSED = [
    ({"reward": "NA"}, ["row 2", "column reward", "not a number"]),
    ({"reward": "nan"}, ["column reward", "not a number"]),
    ({"reward": "inf"}, ["column reward", "not a number"]),
    ({"reward": "1_0"}, ["column reward", "not a number"]),
    ({"reward": "1.01"}, ["column reward", "out of range", "from 0 to 1"]),
    ({"reward": "-0.1"}, ["column reward", "out of range"]),
    ({"trial": "1.5"}, ["column trial", "not a whole number"]),
    ({"trial": "first"}, ["column trial", "not a number"]),
    ({"trial": "-1"}, ["column trial", "out of range"]),
    ({"trial": "0"}, ["column trial", "is 0", "from 1"]),
    ({"trial": "0.0"}, ["column trial", "is 0", "from 1"]),
    ({"trial": "one"}, ["column trial", "not a number", "write it in digits"]),
    ({"reward": "0,71"}, ["column reward", "not a number", "write a point before the decimals"]),
    ({"reward": "71%"}, ["column reward", "not a number", "without a sign"]),
    ({"reward": "71 %"}, ["column reward", "not a number", "without a sign"]),
    ({"reward": "one"}, ["column reward", "not a number", "write it in digits"]),
    *(
        ({column: text}, [f"column {column}", "blank at its beginning or end", "take the blank away"])
        for column in ("task", "condition", "schema", "agent", "model")
        for text in (" x", "x ", "x\u00a0", "\tx")
    ),
    (
        {"strict_pass": "", "passed": "", "failed": "", "errors": ""},
        ["column strict_pass", "is empty", "do not tell it", "write True or False"],
    ),
    ({"trial": ""}, ["column trial", "empty"]),
    ({"trial": "9" * 5000}, ["column trial", "not a number"]),
    ({"trial": "1e300"}, ["column trial", "out of range"]),
    ({"trial": str(2**63)}, ["column trial", "out of range"]),
    *(
        ({column: text}, [f"column {column}", "out of range", "it is a number from 0 to"])
        for column in ("input_tokens", "cached_tokens", "output_tokens", "passed", "truth_rows")
        for text in ("1e308", "-1", str(2**63))
    ),
    *(
        ({column: text}, [f"column {column}", "out of range", "from 0 to 1,000,000,000"])
        for column in ("cost_usd", "elapsed_seconds")
        for text in ("1.7e308", "1000000001")
    ),
    ({"agent_returncode": "1.5"}, ["column agent_returncode", "not a whole number"]),
    ({"agent_returncode": "1e300"}, ["column agent_returncode", "out of range"]),
    ({"agent_returncode": str(-(2**31) - 1)}, ["column agent_returncode", "out of range"]),
    ({"ordered_value_nmae": "1.000001"}, ["column ordered_value_nmae", "out of range", "0 to 1"]),
    ({"format_version": "0"}, ["column format_version", "out of range"]),
    ({"format_version": "-5"}, ["column format_version", "out of range"]),
    *(
        ({column: "x" * 10_001}, [f"column {column}", "is 10,001 letters long", "at most 10,000"])
        for column in ("run_id", "condition", "model", "dataset")
    ),
    ({"publishable": "yes"}, ["column publishable", "True or False"]),
    ({"publishable": ""}, ["column publishable", "empty"]),
    ({"task": ""}, ["column task", "empty"]),
    ({"condition": " "}, ["column condition", "empty"]),
    ({"schema": ""}, ["column schema", "empty"]),
    ({"run_id": ""}, ["column run_id", "empty"]),
    ({"passed": "3.2"}, ["column passed", "not a whole number"]),
    ({"match_rates": "{'a': 1}"}, ["column match_rates", "not a JSON object"]),
    ({"match_rates": "[1]"}, ["column match_rates", "not a JSON object"]),
    ({"match_rates": '{"a": 1.5}'}, ["column match_rates", "out of range"]),
    ({"match_rates": '{"a": NaN}'}, ["column match_rates", "out of range"]),
    ({"match_rates": '{"a": true}'}, ["column match_rates", "out of range"]),
    ({"key_f1": "2"}, ["column key_f1", "out of range"]),
    ({"elapsed_seconds": "-1"}, ["column elapsed_seconds", "out of range"]),
    ({"format_version": "2"}, ["column format_version", "later format", "newer m4bench"]),
    ({"task": "toy-task"}, ["row 2", "column task", "no installed suite", "column family"]),
    ({"task": "mimic-sofa-24"}, ["column task", "did you mean mimic-sofa-24h? Otherwise add a column family"]),
    ({"agent": "", "model": "other"}, ["column agent", "run id does not tell"]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "words"), REFUSED, ids=str)
def test_a_field_that_does_not_fit_is_one_line(
    tmp_path: Path, fields: dict[str, str], words: list[str]
) -> None:
    """The error names file, row, column and remedy, and nothing else that stands in the row."""
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, csv_of(ROW | {"match_rates": '{"secret": 1}'} | fields))
    line = str(caught.value)
    assert "\n" not in line
    assert all(word in line for word in ("runs.csv", *words)), line
    assert caught.value.remedy
    assert "secret" not in line


def test_numbers_at_their_bounds_are_read(tmp_path: Path) -> None:
    """The largest count is exact, and a mean of shares a rounding above 1 is 1."""
    most = {
        "input_tokens": str(2**63 - 1),
        "cost_usd": "1e9",
        "elapsed_seconds": "1000000000",
        "agent_returncode": "-2147483648.0",
        "ordered_value_nmae": "1.0000000000000002",
        "condition": "x" * 10_000,
    }
    run = only(read_text(tmp_path, csv_of(ROW | most)))
    assert (run.input_tokens, run.cost_usd, run.seconds) == (2**63 - 1, 1e9, 1e9)
    assert (run.returncode, run.ordered_nmae) == (-(2**31), 1.0)


def test_the_row_of_an_error_is_the_line_in_the_file(tmp_path: Path) -> None:
    """Lines within quotes are counted, so that an editor finds the place."""
    note = {"note": 'two\nlines and a "quote"'}
    rows = [ROW | note | {"run_id": str(n)} for n in range(3)] + [ROW | note | {"reward": "x"}]
    with pytest.raises(InputError, match="row 8, column reward"):
        read_text(tmp_path, csv_of(*rows))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (csv_of(ROW, mark=";"), "split by semicolons; save it as CSV with commas"),
        (csv_of(ROW, mark="\t"), "split by tabs"),
        (csv_of(ROW).replace("reward", "score"), "column reward: is missing"),
        (
            csv_of(ROW).replace("reward", "score"),
            "publishable and strict_pass (or passed, failed and errors), and agent where run ids do not tell it",
        ),
        (csv_of(ROW).replace("reward", "Reward"), "the header has Reward: did you mean reward?"),
        (csv_of(ROW).replace("run_id", "run-id"), "the header has run-id: did you mean run_id?"),
        (
            csv_of({name: ROW[name] for name in ROW if name not in ("passed", "failed", "errors")}),
            "column strict_pass: is missing",
        ),
        (
            csv_of({"Strict_Pass": "True"} | {name: ROW[name] for name in list(ROW)[:9]}),
            "the header has Strict_Pass: did you mean strict_pass?",
        ),
        (csv_of(ROW).replace("errors", "faults"), "column errors: is missing"),
        (csv_of(ROW).replace("agent", "model"), "column model: is there twice"),
        (csv_of(ROW).rstrip("\n") + ",1\n", "row 2: has 13 fields, not 12"),
        (csv_of(ROW) + "a,b\n", "row 3: has 2 fields, not 12"),
        (csv_of(ROW) + '"open\n', "row 3: is not CSV"),
        (csv_of(ROW).replace("tool", "caf\u00e9").encode("latin-1"), "is not UTF-8 text"),
        (csv_of(ROW).encode("utf-16"), "row 1: is not UTF-8 text"),
        (many_rows("\n") + b"\xff", "row 2002: is not UTF-8 text"),
        (many_rows("\r\n") + b"ab\xc3(", "row 2002: is not UTF-8 text"),
        (many_rows("\r") + b"\n\xe2\x82", "row 2002: is not UTF-8 text"),
        (",".join(f"column {n}" for n in range(1001)) + "\n", "has 1,001 columns; a runs CSV has"),
        (csv_of(ROW).splitlines()[0] + "\n", "holds no run"),
    ],
    ids=range(21),
)
def test_a_file_that_is_no_table_of_runs_is_refused(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    """What was expected is told."""
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, text)
    assert words in str(caught.value)


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """So is none at all, and a folder without runs."""
    for sources, words in (
        ([tmp_path / "none.csv"], "is not there"),
        ([], "no runs were named"),
        ([tmp_path], "holds no finished run"),
    ):
        with pytest.raises(InputError, match=words):
            read_run_table(sources)


def test_a_task_of_another_suite_brings_its_family(tmp_path: Path) -> None:
    """Condition and schema of a suite that is not installed are texts; family and mode stand in the table."""
    row = ROW | {"task": "errand-1", "family": "errands", "schema": "portal", "condition": "hinted"}
    run = only(read_text(tmp_path, csv_of(row)))
    assert (run.family, run.mode, run.schema, run.condition) == ("errands", "", "portal", "hinted")
    assert run.setting.dataset == run.setting.access == ""
    told = only(read_text(tmp_path, csv_of(row | {"mode": "raw"})))
    assert told.mode == "raw"
    given = only(read_text(tmp_path, csv_of(row), {"errand-1": TaskFacts("chores", "standard")}))
    assert given.family == "chores"


def test_a_task_has_one_family(tmp_path: Path) -> None:
    """Two rows that tell two are refused, with the row of the second."""
    row = ROW | {"task": "errand-1", "family": "errands"}
    text = csv_of(row, row | {"run_id": "second", "family": "chores"})
    with pytest.raises(InputError, match="row 3, column family: tells two of the task errand-1"):
        read_text(tmp_path, text)


def test_a_run_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    """The same content under the same id is one run and a note, within a file, across files, and a file given twice."""
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text(csv_of(ROW, ROW))
    second.write_text(csv_of(ROW, ROW | {"run_id": "other"}))
    table = read_run_table([first, second, first])
    assert len(table) == 2
    assert table.notes == (
        "a.csv: 1 run read before, counted once",
        "b.csv: 1 run read before, counted once",
        "a.csv: 2 runs read before, counted once",
        "1 run is in all but the run id the same as another: if a run was written twice, leave one out",
    )
    assert list(table.sources) == ["a.csv", "b.csv"]


def test_an_id_of_two_different_runs_is_refused(tmp_path: Path) -> None:
    """Both places are told."""
    (tmp_path / "a.csv").write_text(csv_of(ROW))
    (tmp_path / "b.csv").write_text(csv_of(ROW | {"run_id": "x"}, ROW | {"reward": "0.6"}))
    with pytest.raises(InputError) as caught:
        read_run_table([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert "b.csv, row 3, column run_id" in str(caught.value)
    assert "row 2 of a.csv" in str(caught.value)


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Each source has a name and a hash, without the place it lies in."""
    for folder, run_id in (("a", "x"), ("b", "y")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "runs.csv").write_text(csv_of(ROW | {"run_id": run_id}))
    table = read_run_table([tmp_path / "a" / "runs.csv", tmp_path / "b" / "runs.csv"])
    assert list(table.sources) == ["runs.csv", "runs.csv (2)"]
    assert {len(digest) for digest in table.sources.values()} == {64}
    assert len(set(table.sources.values())) == 2


def test_unknown_columns_are_told(tmp_path: Path) -> None:
    """A column nobody reads is a note, since it may be a misspelt one; those we write ourselves are none."""
    row = ROW | {"key_F1": "0.5", "runtime": "x", "source": "x", "convntion": "current", "": ""}
    table = read_text(tmp_path, csv_of(row))
    assert table.notes == (
        "runs.csv: columns without a meaning here: key_F1 (did you mean key_f1?), "
        "convntion (did you mean convention?), (no name)",
    )


def test_a_name_that_may_be_mistyped_is_a_note(tmp_path: Path) -> None:
    """A condition in other letters splits an arm in two, which the table says and does not mend."""
    table = read_text(tmp_path, csv_of(ROW, ROW | {"run_id": "b", "condition": "No-skill"}))
    assert {run.condition for run in table} == {"no-skill", "No-skill"}
    assert [note for note in table.notes if "differ in case" in note] != []


@pytest.mark.parametrize(
    ("others", "publishable", "noted"),
    [
        ({"agent": "naive", "model": ""}, False, True),
        ({"agent": "naive"}, True, False),
        ({"agent": "mine", "model": ""}, True, False),
    ],
)
def test_a_baseline_of_a_table_is_no_measured_agent(
    others: dict[str, str], publishable: bool, noted: bool, tmp_path: Path
) -> None:
    """Whatever the table says of publishing it; an agent of that name with a model is another."""
    table = read_text(tmp_path, csv_of(ROW, ROW | {"run_id": "b"} | others))
    (run,) = [run for run in table if run.run_id == "b"]
    assert run.publishable is publishable
    told = "baselines are no measured agents and stand aside where no agent is named: naive"
    assert (told in table.notes) is noted


def test_a_plan_is_no_table(tmp_path: Path) -> None:
    """Whoever names the plan among the runs is told how it is given."""
    plan = tmp_path / "plan.toml"
    plan.write_text("[analysis]\ncontrasts = ['with-skill:no-skill']\n")
    with pytest.raises(InputError) as caught:
        read_run_table([plan])
    assert "is TOML and no table of runs; a declared analysis is given with --analysis" in str(
        caught.value
    )


MINIMAL = {name: ROW[name] for name in ROW if name not in ("agent", "passed", "failed", "errors")}


def test_the_least_table_is_read(tmp_path: Path) -> None:
    """What the error on a missing column lists suffices: a strict pass in place of checks, the agent in the run id."""
    run_id = "mimic-sofa-24h_no-skill_tool_big-1_t1_20260101_000000"
    run = only(read_text(tmp_path, csv_of(MINIMAL | {"run_id": run_id, "strict_pass": "True"})))
    assert (run.system.agent, run.strict) == ("tool", True)


@pytest.mark.parametrize(
    ("fields", "strict"),
    [
        ({"reward": ""}, False),
        ({"errors": "1"}, False),
        ({"passed": "2", "failed": "0", "errors": "0"}, True),
    ],
)
def test_a_strict_pass_that_is_left_empty_is_told_by_the_checks(
    tmp_path: Path, fields: dict[str, str], strict: bool
) -> None:
    """Or there is no measurement, and so nothing that passed."""
    empty = {"passed": "", "failed": "", "errors": "", "strict_pass": ""}
    assert only(read_text(tmp_path, csv_of(ROW | empty | fields))).strict is strict


def test_the_page_shows_a_table_that_is_read(tmp_path: Path) -> None:
    """The example to copy holds three runs and leaves nothing to note."""
    page = Path(__file__).parents[2] / "docs" / "reference" / "runs-csv.md"
    (example,) = re.findall(r"^```csv\n(.*?)^```", page.read_text(), flags=re.M | re.S)
    table = read_text(tmp_path, example)
    assert (len(table), table.notes) == (3, ())
    assert [run.reward for run in table].count(None) == 1


def test_doubtful_trials_are_told_and_stay(tmp_path: Path) -> None:
    """The same number twice in a cell of one file, and one run's content under two ids; two files may share numbers."""
    (tmp_path / "a.csv").write_text(
        csv_of(
            ROW,
            ROW | {"run_id": "same-number", "reward": "0.6"},
            ROW | {"run_id": "second-trial", "trial": "2"},
        )
    )
    (tmp_path / "b.csv").write_text(
        csv_of(ROW | {"run_id": "copy"}, ROW | {"run_id": "x", "trial": "3"})
    )
    table = read_run_table([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert len(table) == 5
    assert table.notes == (
        "a.csv: 1 run with the trial number of another run of the same cell: each counts as a trial of its own",
        "1 run is in all but the run id the same as another: if a run was written twice, leave one out",
    )


def test_the_released_runs_have_no_doubtful_trial(published: RunTable) -> None:
    """Each trial of a cell has a number of its own, and no run is there twice."""
    assert not any("trial number" in note or "run id" in note for note in published.notes)


def test_the_family_of_an_installed_task_is_its_own(tmp_path: Path) -> None:
    """A table that tells another is followed in nothing, which is a note without what it tells."""
    row = ROW | {"family": "sepsis", "mode": "raw"}
    table = read_text(tmp_path, csv_of(row, row | {"run_id": "x", "trial": "2"}))
    assert {(run.family, run.mode) for run in table} == {("sofa", "standard")}
    assert table.notes == tuple(
        f"runs.csv: the {column} of mimic-sofa-24h is told otherwise than its suite does, which is followed"
        for column in ("family", "mode")
    )
    same = ROW | {"family": "sofa", "mode": ""}
    assert read_text(tmp_path, csv_of(same)).notes == ()


def test_a_long_field_is_read(tmp_path: Path) -> None:
    """A reason of megabytes in our own table does not keep it from being read."""
    assert (
        only(read_text(tmp_path, csv_of(ROW | {"outcome_reason": "x" * 3_000_000}))).reward == 0.5
    )


OURS = {
    "reasoning_effort": "high",
    "dataset": "mimic-iv",
    "dataset_hash": "ab12",
    "sandbox": "bwrap",
}


@pytest.mark.parametrize(
    ("others", "effort", "digest", "sandbox"),
    [
        ([OURS], "high", "ab12", "bwrap"),
        ([OURS, OURS | {"trial": "7"}], "high", "ab12", "bwrap"),
        ([OURS, OURS | {"reasoning_effort": "low"}], "", "ab12", "bwrap"),
        ([OURS, OURS | {"dataset_hash": "cd34"}], "high", "", "bwrap"),
        ([OURS, OURS | {"sandbox": "none"}], "high", "ab12", ""),
        ([OURS | {"model": "big-2", "dataset": "eicu"}], "", "", ""),
        ([OURS | {"reasoning_effort": ""}], "", "ab12", "bwrap"),
        ([OURS, OURS | {"dataset_hash": "", "sandbox": ""}], "high", "ab12", "bwrap"),
    ],
)
def test_what_a_file_leaves_open_is_taken_where_all_others_agree(
    tmp_path: Path, others: list[dict[str, str]], effort: str, digest: str, sandbox: str
) -> None:
    """A file without the columns pairs with one that has them, unless that would be a guess."""
    (tmp_path / "a.csv").write_text(
        csv_of(*[ROW | other | {"run_id": str(at)} for at, other in enumerate(others)])
    )
    (tmp_path / "b.csv").write_text(csv_of(ROW))
    table = read_run_table([tmp_path / "b.csv", tmp_path / "a.csv"])
    run = next(run for run in table if run.source == "b.csv")
    told = [note for note in table.notes if note.startswith("b.csv")]
    assert (run.system.effort, run.setting.dataset_hash, run.setting.sandbox) == (
        effort,
        digest,
        sandbox,
    )
    assert len(told) == sum(map(bool, (effort, digest, sandbox)))


def test_an_empty_effort_is_none_asked_for(tmp_path: Path) -> None:
    """Where the column is there, a run without an effort is another system than one with an effort."""
    rows = [ROW | {"run_id": effort, "reasoning_effort": effort} for effort in ("high", "x")]
    table = read_text(tmp_path, csv_of(rows[0], rows[1] | {"reasoning_effort": ""}))
    assert {run.system.effort for run in table} == {"high", ""}
    assert table.notes == ()


def test_the_access_of_a_dataset_is_told_once(tmp_path: Path) -> None:
    """A run that does not tell it has that of the others on the same dataset."""
    synthetic = ROW | {"dataset": "synthetic", "access": "synthetic"}
    table = read_text(tmp_path, csv_of(synthetic, synthetic | {"run_id": "x", "access": ""}))
    assert {run.setting.access for run in table} == {"synthetic"}


def test_runs_are_ordered(published: RunTable) -> None:
    """By task, cell and trial, whatever order files had."""
    places = [(run.cell, run.trial) for run in published]
    assert places == sorted(places)
    assert len({run.run_id for run in published}) == len(published) == 1210


def test_a_folder_of_runs_is_read_as_its_records_say(tmp_path: Path) -> None:
    """Rewards, failures and what holds of the setting come from the records; a lost run has no reward."""
    runs = [
        build_run(trial=1, model="big-1", effort="high", rates={"sofa": 0.5, "renal": 1.0}),
        build_run(trial=2, model="big-1", effort="high", state="timeout"),
        build_run(trial=3, model="big-1", effort="high", state="infrastructure"),
    ]
    told: list[str] = []
    table = read_run_table(
        [write_runs(tmp_path / "results", runs)], progress=lambda name, *_: told.append(name)
    )
    assert [(run.reward, run.state, run.valid) for run in table] == [
        (0.75, "completed", True),
        (0.0, "timeout", True),
        (None, "infrastructure", False),
    ]
    assert {run.system for run in table} == {System("solver", "big-1", "high")}
    assert {run.setting for run in table} == {
        Setting("synthetic", runs[0].dataset_hash, "published", "strict", "bwrap", "synthetic")
    }
    assert table.runs[0].match_rates == {"sofa": 0.5, "renal": 1.0}
    assert (table.runs[0].family, table.runs[0].mode) == ("sofa", "standard")
    assert list(table.sources) == ["results"] == sorted(set(told))


def test_what_a_folder_cannot_count_is_told(tmp_path: Path) -> None:
    """A record that does not hold and a task of no installed suite are notes with their number."""
    runs = [build_run(trial=trial) for trial in (1, 2)]
    strangers = [build_run("errand-1", trial=trial) for trial in (1, 2, 3)]
    folder = write_runs(tmp_path / "results", [*runs, *strangers])
    record = folder / runs[1].run_id / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"identity": "0" * 64}))
    table = read_run_table([folder])
    assert len(table) == 1
    assert table.notes[0] == "results: 1 folder left out, whose record does not hold"
    assert table.notes[1].startswith("results: 3 runs of errand-1 left out")


def test_a_folder_in_which_nothing_can_be_counted_says_why(tmp_path: Path) -> None:
    """The number left out and the first reason, be it a record or an unknown task."""
    lost, strange = (
        write_runs(tmp_path / name, [build_run(task, trial=trial) for trial in (1, 2)])
        for name, task in (("lost", "mimic-sofa-24h"), ("strange", "errand-1"))
    )
    for record in lost.glob("*/run.json"):
        record.write_text(json.dumps(json.loads(record.read_text()) | {"setup_bytes": -1}))
    for folder, words in (
        (lost, "2 folders left out, the first: record does not hold: setup_bytes is out of bounds"),
        (strange, "2 runs of errand-1 left out: no installed suite has the task"),
    ):
        with pytest.raises(InputError) as caught:
            read_run_table([folder])
        assert f"{folder}: holds no run that can be counted: {words}" in str(caught.value)


def test_files_folders_and_reports_are_read_together(tmp_path: Path, shared: Path) -> None:
    """A results folder, a report's folder and the paper's table make one table."""
    folder = write_runs(tmp_path / "results", [build_run()])
    (tmp_path / "report" / "tables").mkdir(parents=True)
    (tmp_path / "report" / "tables" / "runs.csv").write_text(csv_of(ROW))
    table = read_run_table([folder, tmp_path / "report", shared / "published" / PRIMARY])
    assert len(table) == 762
    assert list(table.sources) == ["results", "report/tables/runs.csv", PRIMARY]


def test_versions_of_a_task_taken_together_are_told(tmp_path: Path) -> None:
    """Scores of two versions may not compare; the reader of the analysis learns of it."""
    rows = [ROW | {"run_id": version, "task_version": version} for version in ("1.1", "2.1")]
    (note,) = read_text(tmp_path, csv_of(*rows)).notes
    assert (
        note
        == "mimic-sofa-24h: runs of several versions of the task are kept apart, each a task of its own (1.1, 2.1)"
    )
