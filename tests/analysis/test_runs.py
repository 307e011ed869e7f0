# SPDX-License-Identifier: MIT
"""Runs as rows: which enter a figure, and what is never taken together."""

from dataclasses import replace

from m4bench.analysis.runs import entering
from tests.report.campaign.samples import build_run, table


def test_versions_of_a_task_are_tasks_of_their_own() -> None:
    """Scores of two versions are never averaged; a task of one version keeps its name, a version not told is told."""
    runs = table(
        [
            replace(build_run("t", trial=1), task_version="1.0"),
            replace(build_run("t", trial=2), task_version=""),
            replace(build_run("u", trial=1), task_version="1.0"),
        ]
    )
    parted = runs.versions_apart()
    assert list(parted.families()) == ["t, version 1.0", "t, version not told", "u"]
    assert parted.runs[0].family == runs.runs[0].family
    assert runs.where(lambda run: run.task_version == "1.0").versions_apart().families().keys() == {
        "t",
        "u",
    }


def test_a_reward_in_a_state_that_is_no_measurement_never_enters() -> None:
    """Whoever wrote a reward beside a lost run: it stands for nothing."""
    kept = build_run("t", trial=1, reward=0.4)
    lost = replace(build_run("t", trial=2, reward=0.9), state="infrastructure", valid=False)
    assert lost.reward == 0.9
    assert entering([kept, lost]) == (kept,)
    assert entering([lost]) == ()
