# SPDX-License-Identifier: MIT
"""Where rewards vary: which factors are told apart, and that what varies is found."""

from collections.abc import Callable

import pytest

from m4bench.analysis.components import Found, components
from m4bench.analysis.pairing import metrics
from m4bench.analysis.runs import RunTable
from tests.analysis.made_runs import FILES, made, plan_of, released, table_of

CASES = [(f, t, s, r) for f in range(6) for t in range(2) for s in range(3) for r in range(4)]
Reward = Callable[[int, int, int, int], float]


def crossed(reward: Reward, **others: str) -> RunTable:
    """Return six families of two tasks by three models, four trials each."""
    return table_of(
        made(
            f"task-{f}-{t}", "no-skill", reward(f, t, s, r), family=f"f{f}", model=f"m{s}", **others
        )
        for f, t, s, r in CASES
    )


def found_in(table: RunTable) -> Found:
    """Return the components of a table."""
    return components(table.cells(), metrics(table)["reward"], plan_of())


@pytest.mark.parametrize(
    ("largest", "reward"),
    [
        ("family", lambda f, t, s, r: 0.1 * f + 0.001 * (r % 2) + 0.002 * t),
        ("task", lambda f, t, s, r: 0.5 * ((f + t) % 2) + 0.001 * (r % 2)),
        ("system", lambda f, t, s, r: 0.3 * s + 0.001 * (r % 2)),
        (
            "task × system",
            lambda f, t, s, r: 0.2 * ((3 * f + 5 * t + f * s + t * s) % 4) + 0.001 * (r % 2),
        ),
        ("trial", lambda f, t, s, r: 0.2 * r),
    ],
)
def test_what_varies_has_the_largest_share(largest: str, reward: Reward) -> None:
    """Shares add up to one, deviations are roots of variances."""
    (one,) = found_in(crossed(reward)).components
    shares = {part.name: part.share for part in one.components}
    assert list(shares) == ["family", "task", "system", "task × system", "trial"]
    assert max(shares, key=lambda name: shares[name]) == largest
    assert shares[largest] > 0.7
    assert sum(shares.values()) == pytest.approx(1)
    assert all(part.deviation**2 == pytest.approx(part.variance) for part in one.components)
    assert (one.runs, one.cells, one.converged) == (144, 36, True)
    assert [part.levels for part in one.components] == [6, 12, 3, 36, 144]


def test_baselines_are_no_systems_that_vary() -> None:
    """Beside agents, publishable or not, theirs are left out."""
    alone = crossed(lambda f, t, s, r: 0.1 * s + 0.2 * r)
    naive = [
        made(f"task-{f}-{t}", "no-skill", 0.9, family=f"f{f}", agent="naive", model="")
        for f, t, s, r in CASES
        if s == 0
    ]
    assert found_in(table_of(alone.runs, naive)) == found_in(alone)


def test_trials_are_compared_with_their_hand_computed_variance() -> None:
    """Cells 0, .2, .4, .6 have the variance .2 / 3 within, and nothing else varies."""
    (one,) = found_in(crossed(lambda f, t, s, r: 0.2 * r)).components
    trial = one.components[-1]
    # With no other component, the residual is pooled over 143 degrees of freedom: 36 cells of 0.2 each.
    assert trial.variance == pytest.approx(36 * 0.2 / 143, rel=1e-4)


def test_one_system_and_one_trial_say_nothing() -> None:
    """Tasks alone are no basis; a second trial or a second system is."""
    single = [made(task, "no-skill", 0.1 * at) for at, task in enumerate("abcd")]
    assert found_in(table_of(single)).components == ()
    assert len(found_in(table_of(single, made("a", "no-skill", 0.9))).components) == 1
    second = [made(task, "no-skill", 0.2 * at, model="n") for at, task in enumerate("abcd")]
    assert len(found_in(table_of(single, second)).components) == 1


def test_factors_that_cannot_be_told_apart_are_left_out_and_named() -> None:
    """Families of one task each, one system: family and trial are all there is."""
    table = table_of(
        made(task, "no-skill", 0.1 * at + 0.01 * trial)
        for at, task in enumerate("abcd")
        for trial in range(3)
    )
    found = found_in(table)
    assert [part.name for part in found.components[0].components] == ["family", "trial"]
    assert found.notes == (
        "variance under no-skill, schema native: these runs cannot tell that of task, system and task × system "
        "from the rest",
    )


def test_each_condition_and_schema_has_its_own() -> None:
    """Never pooled."""
    runs = [
        made(task, condition, 0.1 * at, model=model, schema=schema)
        for at, task in enumerate("abc")
        for condition in ("no-skill", "with-skill")
        for schema in ("native", "obfuscated")
        for model in "mn"
    ]
    found = found_in(table_of(runs)).components
    assert [(one.condition, one.schema_name) for one in found] == [
        ("no-skill", "native"),
        ("no-skill", "obfuscated"),
        ("with-skill", "native"),
        ("with-skill", "obfuscated"),
    ]


def test_runs_that_all_have_one_reward_vary_in_nothing() -> None:
    """No share of nothing."""
    (one,) = found_in(crossed(lambda f, t, s, r: 0.5)).components
    assert {part.share for part in one.components} == {0.0}


def test_local_runs_do_not_widen_the_published_models() -> None:
    """Three models with the unpublishable one, two without: it stands aside."""
    alone = found_in(released(FILES[0])).components
    with_local = found_in(released(FILES[0], FILES[2])).components
    native = {(one.condition, one.schema_name): one for one in with_local}
    for one in alone:
        assert native[one.condition, one.schema_name] == one
        assert {part.name: part.levels for part in one.components}.get("system") == 2
