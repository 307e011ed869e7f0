# SPDX-License-Identifier: MIT
"""What a system did under a condition, by hand."""

from collections.abc import Sequence

import pytest

from m4bench.analysis.arms import arms, usual_trials
from m4bench.analysis.pairing import metrics
from m4bench.analysis.results import ArmResult
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import AnalysisPlan
from tests.analysis.made_runs import FILES, made, plan_of, released, table_of


def arms_of(table: RunTable, plan: AnalysisPlan | None = None) -> tuple[ArmResult, ...]:
    """Return the arms of a table."""
    return arms(table.cells(), metrics(table), plan or plan_of())


def test_passes_of_k_trials() -> None:
    """One of three passes: pass@1 1/3, pass@2 2/3, pass@3 1, pass^2 0; with a task that always passes, the means."""
    runs = [made("t", "no-skill", 0.5, strict=trial == 0) for trial in range(3)]
    always = [made("u", "no-skill", 1.0, strict=True) for _ in range(3)]
    (arm,) = arms_of(table_of(runs, always))
    assert arm.pass_at == pytest.approx({1: 2 / 3, 2: 5 / 6, 3: 1.0})
    assert arm.pass_all == pytest.approx({1: 2 / 3, 2: 0.5, 3: 0.5})
    assert (arm.strict.passes, arm.strict.runs) == (4, 6)


def test_tasks_with_fewer_trials_have_no_share_in_a_larger_k() -> None:
    """pass@3 is of the two tasks with three runs; the one with a single run is in pass@1 alone."""
    runs = [made(task, "no-skill", 0.5) for task in ("t", "u") for _ in range(3)]
    (arm,) = arms_of(table_of(runs, made("v", "no-skill", 1.0, strict=True)))
    assert arm.pass_at == pytest.approx({1: 1 / 3, 2: 0.0, 3: 0.0})
    assert arm.pass_tasks == {1: 3, 2: 2, 3: 2}


def test_passes_go_up_to_the_most_trials_a_task_has() -> None:
    """Of 1, 1, 2, 2, 3 and 3 trials, each with a pass, pass@k is 1, 1/2 or 1/3 at k = 1 and 1, 2/3 and 1 above."""
    table = table_of(
        made(f"t{task}", "no-skill", 0.5, strict=trial == 0)
        for task, trials in enumerate((1, 1, 2, 2, 3, 3))
        for trial in range(trials)
    )
    (arm,) = arms_of(table)
    assert arm.pass_at == pytest.approx({1: (1 + 1 / 2 + 1 / 3) / 3, 2: (1 + 2 / 3) / 2, 3: 1.0})
    assert arm.pass_all == pytest.approx({1: (1 + 1 / 2 + 1 / 3) / 3, 2: 0.0, 3: 0.0})
    assert arm.pass_tasks == {1: 6, 2: 4, 3: 2}


@pytest.mark.parametrize(
    ("totals", "expected"), [((5, 5, 3), 5), ((5, 3), 3), ((1,), 1), ((), 0), ((64, 64), 64)]
)
def test_the_usual_number_of_trials(totals: Sequence[int], expected: int) -> None:
    """Of the most frequent numbers, the smallest."""
    assert usual_trials(totals) == expected


def test_many_trials_tell_the_first_ten_and_the_last() -> None:
    """pass@1 to pass@10 and pass@12 of twelve."""
    runs = [made("t", "no-skill", 0.5) for _ in range(12)]
    (arm,) = arms_of(table_of(runs))
    assert list(arm.pass_at) == [*range(1, 11), 12]


def test_failures_unmeasured_runs_and_costs() -> None:
    """A failure is a 0 with its cost; a lost run is in no mean; means are over the runs that told the value."""
    table = table_of(
        made("t", "no-skill", 0.8, cost_usd=1.0, input_tokens=10, output_tokens=2, seconds=5.0),
        made("t", "no-skill", 0.0, state="timeout", cost_usd=3.0, seconds=15.0),
        made("t", "no-skill", 0.4, input_tokens=7),
        made("t", "no-skill", None, state="provider-error", valid=False, cost_usd=100.0),
    )
    (arm,) = arms_of(table)
    assert arm.reward == pytest.approx(0.4)
    assert (arm.runs, arm.entering, arm.unmeasured) == (4, 3, 1)
    assert arm.failures == {"provider-error": 1, "timeout": 1}
    assert (arm.cost_usd, arm.tokens, arm.seconds) == (2.0, 12.0, 10.0)
    assert arm.told_by == {"cost_usd": 2, "tokens": 1, "seconds": 2}


def test_an_arm_without_a_measurement_has_no_reward() -> None:
    """Not zero: nothing was measured."""
    (arm,) = arms_of(table_of(made("t", "no-skill", None, state="infrastructure", valid=False)))
    assert (arm.reward, arm.interval, arm.key_f1, arm.pass_at) == (None, None, None, {})
    assert (arm.tasks, arm.runs, arm.entering, arm.publishable) == (0, 1, 0, False)


def test_a_lost_run_counted_as_zero_takes_no_publishability_away() -> None:
    """What was never measured cannot be published, and does not speak against what was."""
    lost = made("t", "no-skill", None, state="infrastructure", valid=False, publishable=False)
    (arm,) = arms_of(table_of(made("t", "no-skill", 0.8), lost), plan_of(denominator="all"))
    assert (arm.reward, arm.entering, arm.publishable) == (0.4, 2, True)


def test_hospitals_with_tasks_of_their_own_are_one_arm_copies_of_a_task_are_two() -> None:
    """MIMIC and eICU pool; the demo of the same task, another convention or other drops never do."""
    pooled = table_of(
        made("mimic-x", "no-skill", 0.2), made("eicu-x", "no-skill", 0.6, dataset="eicu")
    )
    (arm,) = arms_of(pooled)
    assert (arm.dataset, arm.tasks) == ("eicu + mimic-iv", 2)
    assert arm.reward == pytest.approx(0.4)
    apart = table_of(
        made("t", "no-skill", 0.2),
        made("t", "no-skill", 0.6, dataset="other"),
        made("t", "no-skill", 0.6, convention="current"),
        made("t", "no-skill", 0.7, drops="strict"),
        made("t", "no-skill", 0.8, dataset="demo", access="open"),
    )
    told = [(arm.convention, arm.drops, arm.dataset, arm.reward) for arm in arms_of(apart)]
    assert told == [
        ("published", "published", "demo", 0.8),
        ("published", "published", "mimic-iv", 0.2),
        ("published", "published", "other", 0.6),
        ("published", "strict", "mimic-iv", 0.7),
        ("current", "published", "mimic-iv", 0.6),
    ]


def test_two_states_of_one_dataset_are_told_apart() -> None:
    """Runs of a task on different hashes are never averaged."""
    table = table_of(
        made("t", "no-skill", 0.2, dataset_hash="aaaaaaaaaa"),
        made("t", "no-skill", 0.6, dataset_hash="bbbbbbbbbb"),
    )
    assert [arm.dataset for arm in arms_of(table)] == ["mimic-iv aaaaaaaa", "mimic-iv bbbbbbbb"]


def test_of_several_sandboxes_the_publishable_runs_count() -> None:
    """A run outside a sandbox does not move an arm that has publishable runs of the task."""
    table = table_of(
        made("t", "no-skill", 0.2, sandbox="bubblewrap"),
        made("t", "no-skill", 0.9, sandbox="none", publishable=False),
        made("u", "no-skill", 0.4, sandbox="bubblewrap"),
    )
    (arm,) = arms_of(table)
    assert (arm.runs, arm.entering) == (3, 2)
    assert arm.reward == pytest.approx(0.3)
    assert arm.publishable


def test_published_arms() -> None:
    """Rewards of the two models, strict passes of all primary arms (87 of 760), nothing publishable locally."""
    found = arms_of(released(*FILES))
    told = {(arm.model, arm.condition): arm for arm in found if arm.schema_name == "native"}
    rewards = {
        key: round(told[key].reward or 0, 3)
        for key in [
            ("gpt-5.4-mini", "no-skill"),
            ("gpt-5.4-mini", "with-skill"),
            ("gpt-5.5", "no-skill"),
            ("gpt-5.5", "with-skill"),
            ("gpt-oss:20b", "no-skill"),
        ]
    }
    assert list(rewards.values()) == [0.639, 0.802, 0.767, 0.876, 0.085]
    primary = [
        arm
        for (model, condition), arm in told.items()
        if model != "gpt-oss:20b" and condition != "operational-spec"
    ]
    assert (sum(arm.strict.passes for arm in primary), sum(arm.runs for arm in primary)) == (
        87,
        760,
    )
    assert all(arm.publishable == (arm.model != "gpt-oss:20b") for arm in found)
    assert told["gpt-5.5", "no-skill"].dataset == "eicu + mimic-iv"
    assert list(told["gpt-5.5", "no-skill"].pass_at) == [1, 2, 3, 4, 5]
    assert told["gpt-5.5", "no-skill"].pass_at[1] == pytest.approx(9 / 140)
    for condition, key_f1 in (("no-skill", 0.962), ("with-skill", 0.965)):
        pair = [told[model, condition] for model in ("gpt-5.4-mini", "gpt-5.5")]
        assert round(sum(arm.key_f1 or 0 for arm in pair) / 2, 3) == key_f1


def test_families_weigh_equally_in_arms_where_the_plan_says_so() -> None:
    """(.2 + .4) / 2 and .9 make .6 and not .5; passes (0 + 1) / 2 and 0 make 1/4 and not 1/3; 1 and 0 make .5."""
    table = table_of(
        made("t", "no-skill", 0.2, family="f", key_f1=1.0),
        made("u", "no-skill", 0.4, family="f", key_f1=1.0, strict=True),
        made("v", "no-skill", 0.9, family="g", key_f1=0.0),
    )
    (by_task,), (by_family,) = arms_of(table), arms_of(table, plan_of(weighting="family"))
    assert (by_task.reward, by_task.key_f1) == pytest.approx((0.5, 2 / 3))
    assert (by_family.reward, by_family.key_f1) == pytest.approx((0.6, 0.5))
    assert (by_task.pass_at[1], by_family.pass_at[1]) == pytest.approx((1 / 3, 1 / 4))
    assert by_family.pass_all[1] == pytest.approx(1 / 4)


def test_an_interval_of_rewards_ends_at_0_and_1() -> None:
    """.6 and .9 of two families: .75 with a standard error of .15, 12.7 of which are more than there is room for.

    Of families .60 to .80 in steps of .05 the mean is .7, and 2.776 standard errors of .0354 fit.
    """
    few = table_of(made("t", "no-skill", 0.6), made("u", "no-skill", 0.9))
    (cut,) = arms_of(few)
    assert cut.interval is not None
    assert (cut.interval.low, cut.interval.high) == (0.0, 1.0)
    (whole,) = arms_of(
        table_of(*(made(task, "no-skill", 0.6 + at / 20) for at, task in enumerate("abcde")))
    )
    assert whole.interval is not None
    assert (whole.interval.low, whole.interval.high) == pytest.approx(
        (0.7 - 0.0982, 0.7 + 0.0982), abs=1e-4
    )


@pytest.mark.parametrize(
    ("agent", "model", "expected"),
    [("naive", "", True), ("reference", "", True), ("naive", "m", False), ("codex", "", False)],
)
def test_an_agent_with_a_model_is_no_baseline(agent: str, model: str, expected: bool) -> None:
    """Runs and arms say alike which are the benchmark's own baselines: those of its names without a model."""
    run = made("t", "no-skill", 0.5, agent=agent, model=model)
    (arm,) = arms_of(table_of(run))
    assert (run.is_baseline, arm.is_baseline) == (expected, expected)
