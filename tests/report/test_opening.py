# SPDX-License-Identifier: MIT
"""The first sentences of a report: what was asked of whom, and who answered best."""

import pytest

from m4bench.model.run import RunRecord
from m4bench.report.opening import answered, asked
from m4bench.report.summary import summarise
from tests.report.hospital import TASK
from tests.report.records import build_run, build_study


def test_what_was_asked_is_said_in_plain_words() -> None:
    """Agents, tables, families, data, condition, runs, trials, and how they came out."""
    runs = [build_run(TASK.name, agent, trial=trial) for agent in ("a", "b") for trial in (1, 2)]
    assert asked(summarise(runs), {TASK.name: TASK}, {}) == [
        "2 agents were given 1 task over 1 derived table of critical care (invented), on the synthetic "
        "(recorded as synthetic) dataset.",
        "Each was given the task card and the database, nothing else.",
        "That made 4 runs, 2 trials of each task and agent: all were measured, 0 pass strictly, "
        "4 may be published.",
    ]


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        (("a", "b"), "2 may be published."),
        (("a", "naive"), "1 may be published, 1 is of baselines."),
        (("a", "empty", "naive"), "1 may be published, 2 are of baselines."),
        (("reference", "empty", "naive"), "all are of baselines."),
    ],
)
def test_runs_of_baselines_are_told_apart_from_runs_for_publication(
    agents: tuple[str, ...], words: str
) -> None:
    """A baseline is no measured agent, whether or not any agent was measured beside it."""
    reasons = {
        name: ["a baseline is no measured agent"] for name in ("reference", "naive", "empty")
    }
    runs = [build_run(TASK.name, name, reasons=reasons.get(name, ())) for name in agents]
    assert asked(summarise(runs), {TASK.name: TASK}, {})[-1].endswith(f" strictly, {words}")


def test_what_differs_is_named() -> None:
    """Several conditions, data sets and numbers of trials are listed, not averaged away."""
    runs = [
        build_run(condition="no-skill"),
        build_run(condition="with-skill", dataset="mimic-iv-demo", access="open"),
        build_run(condition="with-skill", dataset="mimic-iv-demo", access="open", trial=2),
    ]
    first, given, made = asked(summarise(runs), {}, {})
    assert "on the mimic-iv-demo (open data), synthetic (recorded as synthetic) datasets." in first
    assert given == "What they were given differs: no-skill, with-skill."
    assert "3 runs, 1 to 2 trials of each task and agent" in made


def test_without_runs_nothing_is_claimed() -> None:
    """An unreadable folder of results has one sentence."""
    assert asked(summarise([]), {}, {}) == ["No run could be read."]
    assert answered(summarise([])) == []


GOOD = {"sofa": 0.9, "renal": 0.9}
FAIR = {"sofa": 0.5, "renal": 0.5}


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([build_run(agent="naive", rates=FAIR)], "Only baselines ran"),
        (
            [build_run(rates=GOOD), build_run(agent="naive", rates=FAIR)],
            "the naive baseline, earns 0.500; every agent stands above it.",
        ),
        (
            [build_run(rates=FAIR), build_run(agent="naive", rates=GOOD)],
            "the naive baseline, earns 0.900; 1 agent stands no higher.",
        ),
        (
            [
                build_run(rates=FAIR),
                build_run(rates=FAIR, condition="with-skill"),
                build_run(agent="naive", rates=GOOD),
                build_run(agent="naive", rates=GOOD, condition="with-skill"),
            ],
            "the naive baseline, earns 0.900; 1 agent, under 2 conditions, stands no higher.",
        ),
        (
            [
                build_run(rates=FAIR),
                build_run(rates=FAIR, condition="with-skill"),
                build_run(agent="other", rates=FAIR),
                build_run(agent="naive", rates=GOOD),
                build_run(agent="naive", rates=GOOD, condition="with-skill"),
            ],
            "; 2 agents, in 3 pairs of agent and condition, stand no higher.",
        ),
        (
            [build_run(rates=FAIR), build_run(rates=FAIR, condition="with-skill")],
            "1 agent, under 2 conditions, has the same mean reward, 0.500.",
        ),
        (
            [build_run(rates=GOOD)],
            "The highest mean reward of an agent is 0.900, by solver; 1 of its 1 run passes strictly.",
        ),
    ],
)
def test_who_answered_best_is_held_against_the_naive_query(
    runs: list[RunRecord], words: str
) -> None:
    """The best agent is named with its strict passes, and whether a hurried query does as well."""
    assert words in " ".join(answered(summarise(runs)))


MELD, SOFA, GCS = "mimic-meld-24h", "mimic-sofa-24h", "mimic-gcs-24h-raw"


def run_at(reward: float, task: str, agent: str = "solver", **fields: str) -> RunRecord:
    """Return a run of one column with that reward."""
    return build_run(task, agent, rates={"a": reward}, **fields)


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        pytest.param(
            # means over all: easy 0.9, hard 0.55; over the one task both ran: easy 0.9, hard 0.95
            [run_at(0.9, MELD, "easy"), run_at(0.95, MELD, "hard"), run_at(0.15, SOFA, "hard")],
            "The highest mean reward of an agent over the 1 task that all were measured in is 0.950, by hard;",
            id="another order over what both ran",
        ),
        pytest.param(
            [run_at(0.9, MELD, "a"), run_at(0.95, SOFA, "b")],
            "No agent is the best",
            id="no task in common",
        ),
        pytest.param(
            [
                run_at(0.9, MELD, "a", dataset_hash="1" * 64),
                run_at(0.8, MELD, "b", dataset_hash="2" * 64),
            ],
            "No agent is the best",
            id="other data",
        ),
        pytest.param(
            [run_at(0.5, MELD, "a"), run_at(0.5, MELD, "b")],
            "All 2 agents have the same mean reward, 0.500.",
            id="a tie",
        ),
        pytest.param(
            # over all tasks the agent's 0.5 is above the baseline's 0.4; over the common one it is below
            [run_at(0.5, MELD), run_at(0.6, MELD, "naive"), run_at(0.2, SOFA, "naive")],
            "A hurried query, the naive baseline, was run too; over the tasks that both ran, 1 agent stands no "
            "higher.",
            id="below over what both ran",
        ),
        pytest.param(
            [run_at(0.5, MELD), run_at(0.4, MELD, "naive"), run_at(0.9, SOFA, "naive")],
            "over the tasks that both ran, every agent stands above it.",
            id="above over what both ran",
        ),
        pytest.param(
            [run_at(0.5, MELD, "a"), run_at(0.9, GCS, "b"), run_at(0.4, MELD, "naive")],
            "every agent held against it stands above it; 1 agent has no task in common with it.",
            id="one without a task in common",
        ),
    ],
)
def test_means_are_compared_over_tasks_that_both_ran(runs: list[RunRecord], words: str) -> None:
    """No headline sets a mean over easy tasks above one over others."""
    assert words in " ".join(answered(summarise(runs)))


def test_only_baselines_that_ran_are_spoken_of() -> None:
    """Without an agent, the baselines of the report are named and no other."""
    (words,) = answered(summarise([build_run(agent="naive", rates=FAIR)]))
    assert "naive" in words
    assert "empty" not in words
    assert "reference" not in words


def test_tasks_are_counted_apart_from_the_tables_they_ask_for() -> None:
    """Two tasks on one derived table are two tasks over one table."""
    tasks = {
        TASK.name: TASK,
        "other": TASK.model_copy(update={"name": "other", "mode": "standard"}),
    }
    first, *_ = asked(summarise([build_run(name) for name in tasks]), tasks, {})
    assert "2 tasks over 1 derived table of critical care" in first


def test_the_study_names_its_agent() -> None:
    """A model's name comes with its agent."""
    assert "by command · gpt-5.4-mini;" in answered(summarise(build_study()))[0]
