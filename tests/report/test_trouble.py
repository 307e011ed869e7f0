# SPDX-License-Identifier: MIT
"""What a report says went wrong."""

from typing import Any

import pytest

from m4bench.model.run import RunRecord
from m4bench.report.results import Finding, Results
from m4bench.report.summary import summarise
from m4bench.report.trouble import Trouble, lowest_columns, troubles
from tests.report.records import build_run, build_score


def found(*runs: RunRecord, findings: tuple[Finding, ...] = ()) -> dict[str, Trouble]:
    """Return the troubles of some runs by title."""
    results = Results(runs, findings, 0)
    return {trouble.title: trouble for trouble in troubles(results, summarise(runs))}


def test_nothing_wrong_says_nothing() -> None:
    """Runs that were measured, compared and may be published are no trouble."""
    assert found(build_run(), build_run(agent="other")) == {}


PERFECT = {"score": build_score("mimic-sofa-24h", {"sofa": 1.0})}


@pytest.mark.parametrize(
    ("run", "title", "words"),
    [
        ({"state": "timeout", "reason": "1800 s"}, "Runs without an output to score", "1800 s"),
        ({"state": "no-output"}, "Runs without an output to score", "wrote no output"),
        ({"state": "agent-error"}, "Runs without an output to score", "ended with an error"),
        ({"state": "resources"}, "Runs without an output to score", "memory"),
        ({"state": "a-suite's-own"}, "Runs without an output to score", "a-suite's-own"),
        (
            {"state": "infrastructure", "reason": "no sandbox"},
            "Runs without a measurement",
            "no sandbox",
        ),
        (
            {"state": "unscored", "reason": "the reference changed"},
            "Runs whose output was not scored",
            "the reference changed",
        ),
        (
            {"agent": "empty", "state": "timeout", "reason": "1800 s"},
            "Runs without an output to score",
            "1800 s",
        ),
        (
            {"score": build_score("t", {"sofa": 0.0}, error="no header")},
            "Outputs that could not be compared",
            "no header",
        ),
        ({"reasons": ["no isolation"]}, "Runs that may not be published", "no isolation"),
        ({"agent": "reference"}, "The benchmark's own check does not hold", "reproduce"),
        ({"agent": "empty"}, "The benchmark's own check does not hold", "earns"),
    ],
)
def test_each_kind_of_failure_is_named(run: dict[str, Any], title: str, words: str) -> None:
    """A failed run is under the heading of its kind, in its own words, with its task."""
    trouble = found(build_run(**run))[title]
    assert words in trouble.items[0].what
    assert trouble.items[0].tasks == ("mimic-sofa-24h",)
    assert trouble.items[0].runs == 1


def test_baselines_at_their_ends_of_the_scale_are_no_trouble() -> None:
    """A reference baseline at 1 and an empty one at 0 are as they should be."""
    nothing = {"score": build_score("mimic-sofa-24h", {"sofa": 0.0}, error="no rows")}
    runs = [
        build_run(agent="reference", **PERFECT),
        build_run(agent="empty", **nothing),
        build_run(agent="empty", state="no-output", trial=2),
    ]
    assert found(*runs) == {}


@pytest.mark.parametrize("state", ["infrastructure", "unscored"])
def test_a_run_without_a_measurement_is_said_once(state: str) -> None:
    """That there is nothing to publish of it is not said again under another heading."""
    assert "Runs that may not be published" not in found(build_run(state=state, reasons=["lost"]))


def test_folders_with_the_same_problem_are_one_item() -> None:
    """Three records that are torn alike are one line that names three folders."""
    findings = tuple(Finding(name, "torn") for name in ("a", "b", "c"))
    (item,) = found(build_run(), findings=findings)["Folders that could not be counted"].items
    assert (item.who, item.runs) == (("a", "b", "c"), 3)


def test_folders_that_could_not_be_read_come_first_and_are_grave() -> None:
    """What is in no figure is said before any figure."""
    title, trouble = next(
        iter(found(build_run(state="timeout"), findings=(Finding("x", "torn"),)).items())
    )
    assert title == "Folders that could not be counted"
    assert trouble.grave
    assert trouble.items[0].who == ("x",)


def test_runs_with_the_same_reason_are_one_item() -> None:
    """Forty runs that fail alike are one line, not forty."""
    runs = [build_run(trial=n, reasons=["no isolation"]) for n in range(1, 41)]
    (item,) = found(*runs)["Runs that may not be published"].items
    assert item.runs == 40


@pytest.mark.parametrize(
    ("change", "words"),
    [({"engine": "duckdb 2.0"}, "engine"), ({"reference_hash": "c" * 64}, "reference")],
)
def test_trials_made_with_different_parts_are_named(change: dict[str, str], words: str) -> None:
    """A mean over two engines or two references is not to be trusted."""
    trouble = found(build_run(trial=1), build_run(trial=2, **change))[
        "Trials of one cell that are not alike"
    ]
    assert words in trouble.items[0].what


def test_means_over_different_tasks_are_named() -> None:
    """An arm with fewer tasks than another cannot be compared with it."""
    trouble = found(
        build_run("mimic-meld-24h", "wide"), build_run("mimic-sofa-24h", "wide"), build_run()
    )["Means over different tasks"]
    assert trouble.items[0].who == ("solver",)
    assert "1 of 2" in trouble.items[0].what


def test_arms_measured_in_as_many_tasks_are_one_item() -> None:
    """Three agents measured in one task of three are one line, an agent in two tasks another."""
    names = ("mimic-meld-24h", "mimic-sofa-24h", "mimic-charlson-raw")
    runs = [build_run(name, "wide") for name in names]
    runs += [build_run(name, "half") for name in names[:2]]
    runs += [build_run(agent=agent) for agent in ("a", "b", "c")]
    items = found(*runs)["Means over different tasks"].items
    assert [(item.what, item.who) for item in items] == [
        ("measured in 1 of 3 tasks", ("a", "b", "c")),
        ("measured in 2 of 3 tasks", ("half",)),
    ]


def test_the_lowest_columns_come_from_outputs_that_could_be_compared() -> None:
    """Columns rise in match rate, perfect ones are left out, and so are outputs without a matched key."""
    unmatched = build_score("mimic-sofa-24h", {"sofa": 0.0}, matched=0)
    summary = summarise(
        [
            build_run(rates={"sofa": 0.7, "renal": 0.2, "cns": 1.0}),
            build_run(agent="off", score=unmatched),
            build_run(agent="late", state="timeout"),
        ]
    )
    assert [(low.column, low.rate) for low in lowest_columns(summary)] == [
        ("renal", 0.2),
        ("sofa", 0.7),
    ]


def test_one_bad_task_does_not_hide_the_others() -> None:
    """Of a task with many bad columns two are named, so that the next task is seen."""
    bad = {f"column_{n}": 0.01 * n for n in range(9)}
    summary = summarise([build_run("bad", rates=bad), build_run("fair", rates={"a": 0.9})])
    assert [low.question.task for low in lowest_columns(summary)] == ["bad", "bad", "fair"]
