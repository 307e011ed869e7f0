# SPDX-License-Identifier: MIT
"""Which published seed a contrast takes, and the order tasks are drawn from."""

import pytest

from m4bench.analysis.descriptives import FOLLOW_UP_ORDER, FOLLOW_UP_SEED, describe, published_seed
from m4bench.analysis.pairing import Reading, metrics, pair, task_effects
from m4bench.analysis.plan import resolve
from m4bench.analysis.runs import RunRow
from m4bench.stats.bootstrap import published_percentile
from tests.analysis.made_runs import made, table_of, two_arms


@pytest.mark.parametrize(
    ("contrast", "runs", "seed"),
    [
        ("with-skill:no-skill", two_arms("t", 0.9, 0.5), 20260504),
        ("with-skill:no-skill", two_arms("t", 0.9, 0.5, publishable=False), 20260505),
        (
            "operational-spec:no-skill",
            [made("t", "operational-spec", 0.9), made("t", "no-skill", 0.5)],
            20260506,
        ),
        (
            "with-skill@obfuscated:with-skill",
            [made("t", "with-skill", 0.9, schema="obfuscated"), made("t", "with-skill", 0.5)],
            20260506,
        ),
    ],
)
def test_seeds_of_the_published_campaigns(contrast: str, runs: list[RunRow], seed: int) -> None:
    """Primary, local where nothing is publishable, follow-up for its conditions and schemas."""
    table = table_of(runs)
    assert published_seed(pair(table.cells(), resolve(contrast, table)).pairs) == seed


@pytest.mark.parametrize(
    ("deltas", "tasks", "families", "balanced"),
    [
        ((0.0, 0.0, 0.0), False, False, False),
        ((0.3, 0.3, 0.3), False, False, False),
        ((0.1, 0.3, 0.2), True, False, False),
        ((0.1, 0.2, 0.4), True, True, True),
    ],
)
def test_what_does_not_vary_has_no_interval(
    deltas: tuple[float, ...], tasks: bool, families: bool, balanced: bool
) -> None:
    """Two tasks of one family and one of another: equal tasks, equal means of families, and neither."""
    table = table_of(
        *(
            two_arms(f"t{at}", 0.5 + delta, 0.5, family="f" if at < 2 else "g")
            for at, delta in enumerate(deltas)
        )
    )
    found = pair(table.cells(), resolve("with-skill:no-skill", table)).pairs
    told = describe(task_effects(found, Reading(metrics(table)["reward"])), 20260504)
    intervals = (told.task_bootstrap, told.family_bootstrap, told.family_balanced)
    assert [one is not None for one in intervals] == [tasks, families, balanced]
    assert told.task_sign_flip is not None


def test_the_eight_tasks_of_the_follow_up_are_drawn_from_their_own_order() -> None:
    """And with the primary campaign's seed, from the alphabetical one."""
    table = table_of(
        *(two_arms(task, 0.5 + at / 20, 0.5) for at, task in enumerate(FOLLOW_UP_ORDER))
    )
    found = pair(table.cells(), resolve("with-skill:no-skill", table)).pairs
    effects = task_effects(found, Reading(metrics(table)["reward"]))
    deltas = {one.task: one.delta for one in effects}
    for seed, order in ((FOLLOW_UP_SEED, FOLLOW_UP_ORDER), (20260504, sorted(FOLLOW_UP_ORDER))):
        interval = describe(effects, seed).task_bootstrap
        assert interval is not None
        expected = published_percentile([deltas[task] for task in order], seed=seed)
        assert (interval.low, interval.high) == expected
