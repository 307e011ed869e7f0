# SPDX-License-Identifier: MIT
"""Figures that the paper prints, from the runs that ship: no other file is needed."""

from dataclasses import replace
from functools import partial

import pytest

from m4bench.analysis.paper import Computed, PaperTable, measures, published_tables
from m4bench.analysis.paper.arms import CONTROL, SKILL, paper_runs_of
from m4bench.analysis.paper.effect import ends_of_interval
from m4bench.analysis.runs import RunTable

COUNTS = "camera_ready_counts"
FIGURES = [
    (COUNTS, ("codex primary strict passes, all 760",), "value", "87/760"),
    (COUNTS, ("no-skill strict passes",), "value", "13/280"),
    (COUNTS, ("with-skill strict passes",), "value", "25/280"),
    (COUNTS, ("raw-SQL strict passes (ten tasks)",), "value", "49/100"),
    (COUNTS, ("with-skill strict passes on the same ten tasks",), "value", "7/100"),
    (COUNTS, ("primary runs not strictly passing",), "value", 522),
    (COUNTS, ("of these: coverage met, accuracy only failed",), "value", 468),
    (COUNTS, ("key F1 improved / declined tasks",), "value", "5/28 and 3/28"),
    (COUNTS, ("sign-flip p",), "value", "<1e-4"),
    (COUNTS, ("delta, ten control tasks",), "value", 0.280),
    (COUNTS, ("delta, other 18 tasks",), "value", 0.056),
    (COUNTS, ("delta, eight sentinel tasks",), "value", 0.186),
    (COUNTS, ("delta, other 20 tasks",), "value", 0.116),
    ("codex_native_skill_effect", ("Reward / task-balanced",), "delta", 0.136),
    ("codex_native_skill_effect", ("Reward / task-balanced",), "delta_ci_low", 0.085),
    ("codex_native_skill_effect", ("Reward / task-balanced",), "delta_ci_high", 0.191),
    ("codex_native_skill_effect", ("Key F1 / task-balanced",), "improved_tasks", "6/28"),
    ("camera_ready_codex_native_skill_effect", ("Key F1 / task-balanced",), "improved_tasks", "5/28"),
    ("camera_ready_codex_native_skill_effect", ("Reward / GPT 5.5",), "ci_high", 0.166),
    ("codex_family_sensitivity", ("Family-cluster bootstrap",), "ci_low", 0.065),
    ("codex_family_sensitivity", ("Family-balanced bootstrap",), "mean_delta", 0.120),
    ("codex_schema_skill_generalization", ("native",), "tasks", 0),
    ("codex_schema_skill_generalization", ("native",), "positive_tasks", "0/0"),
    ("camera_ready_schema_skill_generalization", ("obfuscated",), "with_skill", 0.696),
    ("codex_schema_probe", ("Average over matched tasks",), "native_of_primary", 0.637),
    ("compute_resources", ("Codex primary",), "hours_of_canonical_runs", 54.4),
    ("task_inventory", ("Total",), "tasks", 28),
    ("oss_native_skill_effect", ("gpt-oss-20b local",), "positive_tasks", "3/8"),
]  # fmt: skip


def value(tables: dict[str, PaperTable], table: str, key: tuple[str, ...], column: str) -> Computed:
    """Return a computed cell."""
    row = tables[table].find(key)
    assert row is not None
    cell = row[column]
    assert isinstance(cell, Computed)
    return cell


@pytest.mark.parametrize(("table", "key", "column", "printed"), FIGURES)
def test_a_figure_is_the_paper_s(
    tables: dict[str, PaperTable],
    table: str,
    key: tuple[str, ...],
    column: str,
    printed: float | int | str,
) -> None:
    """A figure is the one in print, to half a unit of its last digit; counts and texts are exact."""
    found = value(tables, table, key, column).value
    if isinstance(printed, float):
        assert isinstance(found, float)
        tenths = 0.05 if column.startswith("hours") else 0.0005
        assert abs(found - printed) <= tenths
    else:
        assert found == printed


def test_the_sign_flip_p_is_the_smallest_there_is(released: RunTable) -> None:
    """No flipped mean of 200,000 is as far from zero as the observed one: p is 1 in 200,001."""
    runs = paper_runs_of(released).primary.runs
    assert measures.sign_flip(runs, SKILL, CONTROL, seed=20260504) == 1 / 200_001


def test_the_sixth_task_of_key_f1_is_rounding_noise(released: RunTable) -> None:
    """One task's key F1 rises by less than 1e-12: the release counted it, a threshold of 1e-9 does not."""
    runs = paper_runs_of(released).primary.runs
    deltas = measures.task_deltas(runs, SKILL, CONTROL, measures.key_f1)
    noise = {task for task, delta in deltas.items() if 0 < delta < 1e-9}
    assert noise == {"mimic-vasopressor-equivalents"}
    assert 0 < deltas["mimic-vasopressor-equivalents"] < 1e-12


def test_three_runs_of_either_campaign_failed_and_count_as_zero(released: RunTable) -> None:
    """Agents that ended with an error are measurements of 0 and enter their cells."""
    runs = paper_runs_of(released)
    for campaign in (runs.primary, runs.followup):
        failed = [run for run in campaign.runs if run.returncode]
        assert len(failed) == 3
        entering = {run.run_id for cell in campaign.cells.values() for run in cell}
        assert all(run.reward == 0.0 and run.run_id in entering for run in failed)


def test_campaigns_are_told_apart(released: RunTable) -> None:
    """The 1,210 runs are 760 primary, 340 of the follow-up and 110 local; the fourth arm was not released."""
    runs = paper_runs_of(released)
    assert [len(campaign.runs) for campaign in runs] == [760, 340, 110, 0]
    assert len(released) == 1210


def test_a_figure_names_the_runs_it_is_made_from(released: RunTable) -> None:
    """The lineage of a figure is its selection, and the function is given nothing else."""
    runs = paper_runs_of(released).primary
    low, _ = ends_of_interval(runs.select(CONTROL, SKILL, tasks=["eicu-gcs"]))
    assert len(low.runs) == 20
    assert low.origin == "measured"
    delta = partial(measures.mean_delta, treatment=SKILL, control=CONTROL)
    assert delta(runs.select(CONTROL)) is None


def test_tables_of_no_run_have_no_figures() -> None:
    """Without runs counts are 0, means do not exist, and nothing fails; definitions stand."""
    tables = published_tables(RunTable(()))
    cell = value(tables, "codex_native_skill_effect", ("Reward / task-balanced",), "delta")
    assert cell.value is None
    assert value(tables, "codex_integrity", ("Runs",), "count").value == 0
    assert value(tables, "task_inventory", ("Total",), "raw").value == 17
    for table in tables.values():
        assert table.text()


def test_tables_of_one_arm_stand_without_the_others(
    released: RunTable, tables: dict[str, PaperTable]
) -> None:
    """The local arm's tables are the same where only its runs are given."""
    local = published_tables(released.where(lambda run: run.system.model == "gpt-oss:20b"))
    for name in ("oss_native_skill_effect", "oss_task_deltas", "oss_integrity", "cells_oss"):
        assert local[name] == tables[name]
    assert local["cells_codex_primary"].rows == ()


@pytest.mark.parametrize(
    ("setting", "version"),
    [
        ({"convention": "current"}, ""),
        ({"drops": "strict"}, ""),
        ({"dataset": "mimic-iv-demo"}, ""),
        ({}, "1.1"),
    ],
)
def test_runs_of_other_campaigns_are_left_out(
    released: RunTable, tables: dict[str, PaperTable], setting: dict[str, str], version: str
) -> None:
    """A run of another convention, drops or database, or of a task of this program, is none of the paper's."""
    first = released.runs[0]
    other = replace(
        first,
        run_id="other",
        trial=6,
        reward=9.0,
        task_version=version,
        setting=first.setting._replace(**setting),
    )
    assert published_tables(RunTable((*released.runs, other))) == tables


def test_another_trial_of_a_cell_counts(released: RunTable, tables: dict[str, PaperTable]) -> None:
    """A run in the paper's own setting does move the tables, so that being left out is no accident."""
    other = replace(released.runs[0], run_id="other", trial=6)
    assert published_tables(RunTable((*released.runs, other))) != tables


def test_transformed_runs_without_skill_fill_the_tables(released: RunTable) -> None:
    """Given the unreleased arm, a task at a time, both generalisation tables pair it and give a ratio."""
    skilled = [run for run in released if run.schema != "native" and run.condition == "with-skill"
               and run.system.model == "gpt-5.4-mini" and run.task == "mimic-sofa-24h"]  # fmt: skip
    invented = [
        replace(run, run_id=f"{run.run_id}-none", condition="no-skill", reward=0.5)
        for run in skilled
    ]
    tables = published_tables(RunTable((*released.runs, *invented)))
    for name, low in (
        ("codex_schema_skill_generalization", "skill_delta_ci_low"),
        ("camera_ready_schema_skill_generalization", "ci_low"),
    ):
        assert value(tables, name, ("obfuscated",), "tasks").value == 1
        assert value(tables, name, ("obfuscated",), "no_skill").value == 0.5
        delta = value(tables, name, ("obfuscated",), "skill_delta").value
        native = value(tables, name, ("native",), "skill_delta").value
        ratio = value(tables, name, ("obfuscated",), "robustness_ratio").value
        assert isinstance(delta, float)
        assert isinstance(native, float)
        assert abs(delta - 0.327881) < 1e-6  # the follow-up's mean of 0.827881 less one half
        assert ratio == delta / native
        assert value(tables, name, ("obfuscated",), low).value == delta  # one task: no width
        assert value(tables, name, ("restructured",), "positive_tasks").value == "1/1"
    probe = value(tables, "codex_schema_probe", ("Average over matched tasks",), "obfuscated")
    assert probe.value == 0.5


def test_a_table_is_printed_and_written_as_plain_values(tables: dict[str, PaperTable]) -> None:
    """Both forms hold labels, printed figures with their origin, and reasons for what is missing."""
    table = tables["rerun_changes"]
    written = table.as_json()
    assert written["rows"][0] == {
        "arm": "codex",
        "task": "mimic-oasis-24h",
        "delta_2_may": {"undetermined": "the runs of 2 May that replacement runs superseded were not released"},
        "final_delta": {
            "value": pytest.approx(0.296, abs=5e-4), "printed": "0.296", "origin": "measured", "runs": 20
        },
        "change": {"undetermined": "the runs of 2 May that replacement runs superseded were not released"},
    }  # fmt: skip
    lines = table.text().splitlines()
    assert lines[1].split() == written["columns"]
    assert lines[2].split() == ["codex", "mimic-oasis-24h", "–", "0.296", "–"]
    assert lines[-1] == "– the run list of the Claude sentinel campaign was not released"
