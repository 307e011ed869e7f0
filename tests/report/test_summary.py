# SPDX-License-Identifier: MIT
"""Which runs stand behind a mean, and how arms are told apart."""

import pytest

from m4bench.report.arms import Arm, name_arms
from m4bench.report.summary import Cell, Summary, passes_strictly, summarise
from tests.report.records import build_run, build_score


def only_cell(summary: Summary) -> Cell:
    """Return the one cell of a summary."""
    (cell,) = summary.cells.values()
    return cell


def test_a_timeout_counts_as_zero_and_an_infrastructure_failure_not_at_all() -> None:
    """Three trials of 0.6, a timeout and an infrastructure failure have the mean (0.6 + 0) / 2."""
    cell = only_cell(
        summarise(
            [
                build_run(trial=1, rates={"sofa": 0.6}),
                build_run(trial=2, state="timeout", reason="too long"),
                build_run(trial=3, state="infrastructure"),
            ]
        )
    )
    assert cell.reward == pytest.approx(0.3)
    assert (len(cell.runs), len(cell.entering)) == (3, 2)


def test_an_infrastructure_failure_with_a_score_is_still_no_measurement() -> None:
    """A score beside an infrastructure failure enters no mean."""
    run = build_run(state="infrastructure", score=build_score("mimic-sofa-24h", {"sofa": 1.0}))
    cell = only_cell(summarise([run]))
    assert cell.reward is None
    assert not passes_strictly(run)


def test_an_output_that_was_not_scored_enters_no_mean() -> None:
    """A run whose scoring failed is no measurement, with a score beside it or without."""
    late = build_score("mimic-sofa-24h", {"sofa": 1.0})
    cell = only_cell(
        summarise(
            [
                build_run(trial=1, rates={"sofa": 0.6}),
                build_run(trial=2, state="unscored"),
                build_run(trial=3, state="unscored", score=late),
            ]
        )
    )
    assert cell.reward == pytest.approx(0.6)
    assert (len(cell.runs), len(cell.entering)) == (3, 1)


def test_unpublishable_runs_enter_only_where_there_is_nothing_else() -> None:
    """A cell's mean stands for its publishable runs; a cell without any is shown and marked."""
    marked = build_run(trial=1, rates={"sofa": 1.0}, reasons=["no isolation"])
    mixed = only_cell(summarise([marked, build_run(trial=2, rates={"sofa": 0.5})]))
    alone = only_cell(summarise([marked]))
    assert (mixed.reward, mixed.publishable) == (0.5, True)
    assert (alone.reward, alone.publishable) == (1.0, False)


@pytest.mark.parametrize(
    ("rate", "error", "passes"),
    [(0.95, None, True), (0.89, None, False), (0.95, "unreadable", False)],
)
def test_a_strict_pass_needs_every_check_and_no_error(
    rate: float, error: str | None, passes: bool
) -> None:
    """The threshold of the builder is 0.9; an error fails a run whose other checks hold."""
    assert passes_strictly(build_run(score=build_score("t", {"sofa": rate}, error=error))) is passes


def test_no_check_at_all_is_no_strict_pass() -> None:
    """A run without a single check does not pass."""
    score = build_score("t", {"sofa": 1.0})
    bare = score.model_copy(update={"strict": score.strict.model_copy(update={"checks": ()})})
    assert not passes_strictly(build_run(score=bare))


def test_an_arm_weighs_each_task_equally() -> None:
    """One trial of 1.0 in a task and three of 0.0 in another give 0.5."""
    summary = summarise(
        [
            build_run("mimic-meld-24h", rates={"meld": 1.0}),
            *(build_run(trial=n, rates={"sofa": 0.0}) for n in (1, 2, 3)),
        ]
    )
    assert summary.arms[0].reward == 0.5


def test_versions_of_a_task_are_never_averaged() -> None:
    """Two versions of one task are two questions."""
    summary = summarise([build_run(version="1.1"), build_run(version="2.1")])
    assert [question.version for question in summary.questions] == ["1.1", "2.1"]


def test_arms_are_ordered_by_reward_and_unmeasured_ones_come_last() -> None:
    """The best arm stands first, one without a measurement last."""
    summary = summarise(
        [
            build_run(agent="lost", state="infrastructure"),
            build_run(agent="low", rates={"sofa": 0.0}),
            build_run(agent="high", rates={"sofa": 0.9}),
        ]
    )
    assert [arm.name.agent for arm in summary.arms] == ["high", "low", "lost"]


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ({"model": "small"}, {"model": "large"}, ("small", "large")),
        ({"condition": "no-skill"}, {"condition": "with-skill"}, ("no-skill", "with-skill")),
        ({"schema": "native"}, {"schema": "obfuscated"}, ("native", "obfuscated")),
        ({"agent": "solver"}, {"sandbox": "none"}, ("solver",)),
        ({"agent_version": "a" * 64}, {"agent_version": "b" * 64}, ("version aaaaaaaa",)),
        (
            {"agent_version": "a" * 63 + "1"},
            {"agent_version": "a" * 63 + "2"},
            ("a" * 63 + "1", "a" * 63 + "2"),
        ),
        ({"options": {"depth": "1"}}, {"options": {}}, ("depth 1", "no options")),
        (
            {"options": {"program": "one.py", "arguments": ""}, "agent_version": "a" * 64},
            {"options": {"program": "two.py", "arguments": ""}, "agent_version": "b" * 64},
            ("program one.py", "program two.py"),
        ),
        ({"dataset_hash": "c" * 64}, {"dataset_hash": "d" * 64}, ("data cccccccc",)),
        ({"agent_version": "2.1.197 (beta)"}, {"agent_version": "2.1.198"}, ("2.1.197 (beta)",)),
    ],
)
def test_arms_that_differ_in_one_thing_are_named_by_it(
    one: dict[str, str], other: dict[str, str], difference: tuple[str, ...]
) -> None:
    """Runs that differ in anything but task and trial are two arms with two names."""
    arms = [Arm.of(build_run(**one)), Arm.of(build_run(**other))]
    names = [str(name) for name in name_arms(arms).values()]
    assert len(set(names)) == 2
    assert all(any(part in name for name in names) for part in difference)


@pytest.mark.parametrize(
    ("odd", "detail"),
    [({"sandbox": "none"}, "sandbox none"), ({"drops": "published"}, "drops published")],
)
def test_only_the_odd_one_is_named_by_what_it_departs_in(odd: dict[str, str], detail: str) -> None:
    """One run without isolation, or with the paper's drops, does not lengthen the other agents' names."""
    runs = [build_run(agent="one"), build_run(agent="two"), build_run(agent="two", **odd)]
    names = [str(name) for name in name_arms([Arm.of(run) for run in runs]).values()]
    assert names == ["one", "two", f"two · {detail}"]


def test_names_that_were_made_to_look_alike_are_numbered() -> None:
    """A model that calls itself like a setting does not get another arm's name."""
    runs = [build_run(sandbox="none"), build_run(model="sandbox none")]
    names = [str(name) for name in name_arms([Arm.of(run) for run in runs]).values()]
    assert names == ["solver · sandbox none", "solver · sandbox none · arm 2"]


def test_what_all_arms_share_is_in_no_name() -> None:
    """An arm's name says only what sets it apart."""
    arms = [Arm.of(build_run(agent="one")), Arm.of(build_run(agent="two"))]
    assert [str(name) for name in name_arms(arms).values()] == ["one", "two"]


def test_columns_of_outputs_that_could_not_be_compared_do_not_pull_a_mean_down() -> None:
    """A timeout lowers the reward and says nothing of a column."""
    cell = only_cell(
        summarise([build_run(trial=1, rates={"sofa": 0.8}), build_run(trial=2, state="timeout")])
    )
    assert cell.reward == pytest.approx(0.4)
    assert cell.columns[0].rate == pytest.approx(0.8)
    assert cell.columns[0].below


LONG = {"adapter": "1", "context_window": "128000", "protocols": "chat-completions, messages"}


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        (
            {"endpoint": "gpu", "protocol": "messages"},
            {"endpoint": "openai", "protocol": "responses"},
            ["endpoint gpu", "endpoint openai"],
        ),
        (
            {"endpoint": "gpu", "protocol": "messages"},
            {"endpoint": "gpu", "protocol": "responses"},
            ["protocol messages", "protocol responses"],
        ),
        ({"most cost": "2.0"}, {}, ["most cost 2.0", "no most cost"]),
        ({"replay": "a" * 64}, {"replay": "b" * 64}, ["replay aaaaaaaa", "replay bbbbbbbb"]),
        (
            {"endpoint": "gpu", "context_window": "4096"},
            {"endpoint": "cpu"},
            ["context_window 4096, endpoint gpu", "context_window 128000, endpoint cpu"],
        ),
    ],
)
def test_options_in_a_name_are_those_that_differ(
    one: dict[str, str], other: dict[str, str], names: list[str]
) -> None:
    """An option that all share is in no name, and a protocol not where the endpoint tells the arms apart."""
    arms = [Arm.of(build_run(options=LONG | options)) for options in (one, other)]
    assert [str(name) for name in name_arms(arms).values()] == [
        f"solver · {name}" for name in names
    ]
