# SPDX-License-Identifier: MIT
"""What a report says went wrong."""

from typing import Any

import pytest

from m4bench.harness.finished.results import Finding, Results
from m4bench.model.run import RunRecord
from m4bench.report.lowest import lowest_columns
from m4bench.report.summary import summarise
from m4bench.report.trouble import Trouble, notes, troubles
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
            "Runs without a measurement, to be run again",
            "no sandbox",
        ),
        *(
            ({"state": state}, "Runs without a measurement, to be run again", words)
            for state, words in (
                ("provider-rate-limit", "429"),
                ("provider-error", "5xx"),
                ("provider-unreachable", "no connection"),
            )
        ),
        *(
            (
                {"state": state, "reason": "why"},
                "Runs without a measurement, with something to mend first",
                words,
            )
            for state, words in (
                ("provider-auth", "refused the key (401, 403): why"),
                ("provider-quota", "nothing left"),
                ("provider-request", "no such model"),
                ("policy", "the gateway refused"),
                ("replay-mismatch", "the recording"),
            )
        ),
        (
            {"state": "agent-limit", "reason": "30 minutes of its own"},
            "Runs without an output to score",
            "reached a limit of its own: 30 minutes of its own",
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
    assert [(low.column, low.rate) for low in lowest_columns(summary, {})] == [
        ("renal", 0.2),
        ("sofa", 0.7),
    ]


def test_one_bad_task_does_not_hide_the_others() -> None:
    """Of a task with many bad columns two are named, so that the next task is seen."""
    bad = {f"column_{n}": 0.01 * n for n in range(9)}
    summary = summarise([build_run("bad", rates=bad), build_run("fair", rates={"a": 0.9})])
    assert [low.question.task for low in lowest_columns(summary, {})] == ["bad", "bad", "fair"]


def test_every_family_is_among_the_lowest_columns() -> None:
    """Eight families of which one is far worse: each has its lowest column, though six are enough otherwise."""
    bad = build_run("worst", rates={"a": 0.1, "b": 0.2})
    others = [build_run(f"family-{n}", rates={"a": 0.9}) for n in range(8)]
    low = lowest_columns(summarise([bad, *others]), {})
    assert sorted(found.question.task for found in low) == [
        *(f"family-{n}" for n in range(8)),
        "worst",
    ]


def test_one_column_of_a_raw_and_a_standard_task_is_one_line() -> None:
    """The lower of both stands first and names the other; another agent's column is its own."""
    runs = [
        build_run("mimic-meld-24h", rates={"meld": 0.6}),
        build_run("mimic-meld-24h-raw", rates={"meld": 0.5}),
        build_run("mimic-meld-24h-raw", "other", rates={"meld": 0.7}),
    ]
    first, second = lowest_columns(summarise(runs), {})
    assert (first.question.task, first.rate) == ("mimic-meld-24h-raw", 0.5)
    assert [(question.task, rate) for question, rate in first.also] == [("mimic-meld-24h", 0.6)]
    assert (second.arm.agent, second.also) == ("other", ())


BY_DESIGN = "a baseline is no measured agent"


def test_what_a_baseline_is_meant_to_be_is_not_wrong() -> None:
    """No baseline is for publication, by design; any other reason against one is told."""
    assert found(build_run(agent="reference", **PERFECT, reasons=[BY_DESIGN])) == {}
    assert found(build_run(agent="naive", **PERFECT, reasons=[BY_DESIGN])) == {}
    run = build_run(agent="reference", **PERFECT, reasons=[BY_DESIGN, "no isolation"])
    (item,) = found(run)["Runs that may not be published"].items
    assert (item.what, item.runs) == ("no isolation", 1)
    (item,) = found(build_run(reasons=[BY_DESIGN]))["Runs that may not be published"].items
    assert item.what == BY_DESIGN


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"agent": "reference", **PERFECT, "reasons": [BY_DESIGN]}, []),
        (
            {"agent": "empty", "score": build_score("t", {"sofa": 0.0}, error="no rows")},
            [],
        ),
        ({"score": build_score("t", {"sofa": 0.0}, error="no rows")}, ["Not compared: no rows"]),
        ({"agent": "empty", "state": "timeout", "reason": "1800 s"}, ["Ended as timeout: 1800 s"]),
        ({"reasons": ["no isolation"]}, ["Not publishable: no isolation"]),
    ],
)
def test_notes_leave_out_what_is_meant(run: dict[str, Any], words: list[str]) -> None:
    """A note is what a reader has to act on or know; a timeout of the empty baseline is one."""
    told = notes(build_run(**run))
    assert [word for word in words if word not in told] == []
    assert bool(told) is bool(words)


def test_all_tasks_are_all_tasks_of_everyone_named() -> None:
    """Two agents that each fail in another task have not failed in all tasks."""
    late = {"state": "timeout", "reason": "1800 s"}
    title = "Runs without an output to score"
    one, two = "mimic-meld-24h", "mimic-sofa-24h"
    apart = [
        build_run(one, "a", **late),
        build_run(two, "a"),
        build_run(one, "b"),
        build_run(two, "b", **late),
    ]
    (item,) = found(*apart)[title].items
    assert (item.tasks, item.everywhere) == ((one, two), False)
    (item,) = found(*(build_run(task, "a", **late) for task in (one, two)))[title].items
    assert item.everywhere


def test_agents_measured_in_as_many_but_other_tasks_are_named() -> None:
    """One task each is no ground for a comparison where it is not the same task."""
    runs = [build_run("mimic-meld-24h", "a"), build_run("mimic-sofa-24h", "b")]
    (item,) = found(*runs)["Means over different tasks"].items
    assert sorted(item.who) == ["a", "b"]


def test_an_agent_that_was_never_measured_is_no_uneven_mean() -> None:
    """Where no mean is there is none to compare: its runs stand under one heading, not under two."""
    lost = build_run(agent="lost", state="provider-auth", reason="401")
    trouble = found(build_run(), build_run("mimic-meld-24h"), lost)
    assert list(trouble) == ["Runs without a measurement, with something to mend first"]


def test_a_record_says_itself_whether_it_may_be_run_again() -> None:
    """What was recorded of a state when the run was made counts before today's table."""
    run = build_run(state="provider-error", reason="503")
    kept = run.model_copy(update={"outcome": run.outcome.model_copy(update={"retry": False})})
    assert list(found(kept)) == ["Runs without a measurement, with something to mend first"]
