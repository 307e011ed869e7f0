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
    assert asked(summarise(runs), {TASK.name: TASK}) == [
        "2 agents were asked to rebuild 1 table of derived variables of critical care (invented) from the "
        "synthetic (invented patients) dataset.",
        "Each was given the task card and the database, nothing else.",
        "That made 4 runs, 2 trials of each task and agent: all were measured, 0 pass strictly, "
        "4 may be published.",
    ]


def test_what_differs_is_named() -> None:
    """Several conditions, data sets and numbers of trials are listed, not averaged away."""
    runs = [
        build_run(condition="no-skill"),
        build_run(condition="with-skill", dataset="mimic-iv-demo", access="open"),
        build_run(condition="with-skill", dataset="mimic-iv-demo", access="open", trial=2),
    ]
    first, given, made = asked(summarise(runs), {})
    assert "from the mimic-iv-demo (open data), synthetic (invented patients) datasets." in first
    assert given == "What they were given differs: no-skill, with-skill."
    assert "3 runs, 1 to 2 trials of each task and agent" in made


def test_without_runs_nothing_is_claimed() -> None:
    """An unreadable folder of results has one sentence."""
    assert asked(summarise([]), {}) == ["No run could be read."]
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


def test_the_study_names_its_agent() -> None:
    """A model's name comes with its agent."""
    assert "by command · gpt-5.4-mini;" in answered(summarise(build_study()))[0]
