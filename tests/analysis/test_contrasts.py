# SPDX-License-Identifier: MIT
"""One contrast in all its parts, by hand."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.results import ContrastResult
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.model.analysis import DeclaredContrast
from tests.analysis.made_runs import made, plan_of, table_of, two_arms

SKILL = "with-skill:no-skill"


def contrast(table: RunTable, name: str = SKILL, **plan: object) -> ContrastResult:
    """Return the first result of a plan with one contrast."""
    return analyse(table, plan_of(name, **plan)).contrasts[0]


def trials(task: str, condition: str, *rewards: float, **others: object) -> list[RunRow]:
    """Return a run for each reward."""
    return [made(task, condition, reward, **others) for reward in rewards]


def test_a_task_is_tested_by_exchanging_trials_within_systems() -> None:
    """Five trials above five others: 2 of C(10, 5) = 252 labellings are as extreme; alike trials give 1."""
    table = table_of(
        trials("apart", "with-skill", 0.81, 0.82, 0.83, 0.84, 0.85),
        trials("apart", "no-skill", 0.11, 0.12, 0.13, 0.14, 0.15),
        trials("alike", "with-skill", 0.5, 0.5),
        trials("alike", "no-skill", 0.5, 0.5),
        trials("single", "with-skill", 0.9),
        trials("single", "no-skill", 0.1),
    )
    found = {one.task: one for one in contrast(table).task_deltas}
    assert found["apart"].p_value == pytest.approx(2 / 252)
    assert found["alike"].p_value == 1.0
    assert found["single"].p_value is None
    assert found["apart"].p_adjusted == pytest.approx(4 / 252)
    assert found["single"].p_adjusted is None
    assert found["apart"].runs == (5, 5)


def test_two_systems_are_two_strata() -> None:
    """With two trials a side in each of two systems, 2 of 6 x 6 labellings are as extreme."""
    table = table_of(
        *(
            trials("t", condition, *rewards, model=model)
            for model in "ab"
            for condition, rewards in (("with-skill", (0.8, 0.9)), ("no-skill", (0.1, 0.2)))
        )
    )
    (task,) = contrast(table).task_deltas
    assert task.p_value == pytest.approx(2 / 36)
    assert task.by_system == pytest.approx({"codex · a": 0.7, "codex · b": 0.7})


def test_systems_modes_and_families_alone() -> None:
    """Each system over its own tasks; modes standard first; families by name with their number of tasks."""
    table = table_of(
        two_arms("t", 0.9, 0.5, family="f", mode="raw"),
        two_arms("u", 0.6, 0.5, family="f", mode="standard"),
        two_arms("u", 0.2, 0.5, family="f", mode="standard", model="b"),
        two_arms("v", 0.5, 0.5, family="g", mode="raw"),
    )
    found = contrast(table)
    assert found.systems == ("codex · b", "codex · m")
    assert [(one.system, one.tasks, one.positive, one.negative) for one in found.by_system] == [
        ("codex · b", 1, 0, 1),
        ("codex · m", 3, 2, 0),
    ]
    assert [one.delta for one in found.by_system] == pytest.approx([-0.3, 0.5 / 3])
    assert [(one.name, one.tasks) for one in found.by_mode] == [
        ("standard tasks alone", 1),
        ("raw tasks alone", 2),
    ]
    assert [one.delta for one in found.by_mode] == pytest.approx([-0.1, 0.2])
    assert [(one.family, one.tasks) for one in found.family_deltas] == [("f", 2), ("g", 1)]
    assert [one.delta for one in found.family_deltas] == pytest.approx([0.15, 0.0])
    assert (found.positive, found.negative, found.unchanged) == (1, 1, 1)


def test_families_weigh_equally_throughout() -> None:
    """Headline, systems and modes: (.3 + .1) / 2 and 0 make .1."""
    table = table_of(
        two_arms("t", 0.8, 0.5, family="f"),
        two_arms("u", 0.6, 0.5, family="f"),
        two_arms("v", 0.5, 0.5, family="g"),
    )
    found = contrast(table, weighting="family")
    assert [found.delta, found.by_system[0].delta, found.by_mode[0].delta] == pytest.approx(
        [0.1, 0.1, 0.1]
    )
    assert (found.treatment, found.control) == pytest.approx((0.6, 0.5))


def test_strict_passes_are_of_the_runs_compared() -> None:
    """A system or task without the other side passes uncounted."""
    table = table_of(
        two_arms("t", 0.9, 0.5, strict=True),
        trials("t", "with-skill", 0.4),
        trials("u", "with-skill", 1.0, 1.0, strict=True),
        trials("t", "with-skill", 1.0, model="b", strict=True),
    )
    found = contrast(table)
    assert [(one.passes, one.runs) for one in found.strict] == [(1, 2), (1, 1)]
    assert found.runs == (2, 1)
    assert found.missing == ("t, codex · b: no no-skill", "u, codex · m: no no-skill")


@pytest.mark.parametrize("interval", ["family-t", "family-bootstrap-t"])
def test_both_intervals_are_there_whichever_leads(interval: str) -> None:
    """The plan's is one of them, and neither hides the other."""
    table = table_of(*(two_arms(task, 0.5 + at / 20, 0.5) for at, task in enumerate("abcdefgh")))
    found = contrast(table, interval=interval)
    assert found.family_t is not None
    assert found.bootstrap_t is not None
    assert (found.family_t.method, found.bootstrap_t.method) == ("family-t", "family-bootstrap-t")
    assert found.interval == (found.family_t if interval == "family-t" else found.bootstrap_t)


@pytest.mark.parametrize(("families", "told"), [(10, False), (11, True)])
def test_how_far_another_seed_moves_an_interval_is_told(families: int, told: bool) -> None:
    """Of eleven families draws are made; of ten all are counted."""
    table = table_of(*(two_arms(f"t{at:02}", 0.5 + at * at / 500, 0.5) for at in range(families)))
    found = contrast(table, draws=20_000)
    assert found.bootstrap_t is not None
    errors = found.bootstrap_t.draw_errors
    assert (errors is not None) is told
    assert errors is None or all(0.0001 < error < 0.01 for error in errors)


def test_conditions_are_no_systems() -> None:
    """Models compared under two conditions are two systems; the conditions are what is held equal."""
    table = table_of(two_arms("t", 0.9, 0.5), two_arms("t", 0.6, 0.4, model="b"))
    found = contrast(table, "model=m:model=b")
    assert found.systems == ("codex · b", "codex · m")
    assert found.held_equal == ("codex · no-skill", "codex · with-skill")
    assert [one.system for one in found.by_system] == list(found.held_equal)
    of_conditions = contrast(table)
    assert of_conditions.held_equal == of_conditions.systems == ("codex · b", "codex · m")


def test_where_there_is_no_interval_none_is_called_fragile() -> None:
    """Few families that do not differ: the note on their number says what is left of it."""
    found = contrast(table_of(*(two_arms(task, 0.6, 0.5) for task in "abc")))
    assert found.notes[0] == "only 3 families: no p-value can be below 0.25"
    assert not any("fragile" in note for note in found.notes)


def test_notes_say_what_a_reader_has_to_know() -> None:
    """Few families, some of the tasks, systems that lack tasks, unequal trials, unpublishable runs."""
    table = table_of(
        two_arms("t", 0.9, 0.5, publishable=False),
        trials("t", "no-skill", 0.4, publishable=False),
        two_arms("u", 0.9, 0.5, model="b", publishable=False),
        two_arms("t", 0.9, 0.5, model="b", publishable=False),
        trials("elsewhere", "no-skill", 0.1, publishable=False),
    )
    found = contrast(table)
    assert found.notes == (
        "only 2 families: the interval is fragile, and no p-value can be below 0.5",
        "no bootstrap-t interval: in too many draws of families all agree, or its tails need more draws",
        "on 2 of the 3 tasks of these runs: it speaks of no other tasks, and where they were chosen for a reason, "
        "of no sample of tasks",
        "1 of 2 tasks lacks some of the 2 systems: a task's delta is the mean over those it has",
        "cells have from 1 to 2 runs each; every cell weighs the same",
        "7 of 7 runs not publishable",
        "no detectable difference: these 2 families give no p-value of 0.05 or less, however large the difference",
    )
    assert not found.publishable


def claimed(table: RunTable, claim: str, margin: float) -> ContrastResult:
    """Return the result of one contrast with a claim."""
    given = {"contrast": SKILL, "claim": claim, "margin": margin}
    plan = plan_of(contrasts=(DeclaredContrast.model_validate(given),))
    return analyse(table, plan).contrasts[0]


def test_a_claim_where_no_family_differs_is_not_tested() -> None:
    """An interval of no width would show any claim."""
    found = claimed(table_of(*(two_arms(task, 0.5, 0.5) for task in "abc")), "equivalence", 0.1)
    assert (found.equivalence, found.p_adjusted, found.interval) == (None, None, None)
    assert found.p_value == 1.0
    assert "the claim of equivalence cannot be tested where no family differs" in found.notes


SPREAD = table_of(
    *(two_arms(task, 0.5 + one, 0.5) for task, one in zip("abc", (0.3, 0.0, -0.3), strict=True))
)


@pytest.mark.parametrize(
    ("claim", "margin", "told"),
    [
        ("equivalence", 0.01, True),
        ("equivalence", 0.2, True),
        ("equivalence", 0.9, False),
        ("non-inferiority", 0.2, True),
        ("non-inferiority", 0.6, False),
    ],
)
def test_a_margin_below_what_its_own_test_shows_is_told(
    claim: str, margin: float, told: bool
) -> None:
    """Deltas .3, 0 and -.3 have a standard error of .1732; t(2) is 2.920 at .95, 1.061 at .80 and 1.886 at .90.

    A claim that is shown was not in vain: .506 is the least margin of non-inferiority.
    """
    found = claimed(SPREAD, claim, margin)
    least = 0.1732 * (2.91999 + (1.88562 if claim == "equivalence" else 1.06066))
    assert found.detectable == pytest.approx(least, abs=1e-3)
    note = (
        f"a margin of {margin} could hardly be shown with these 3 families: of those shown with a power of 80 % by the "
        f"same test, were there no difference, the smallest one is {least:.3f}"
    )
    assert (note in found.notes) is told
    assert found.equivalence is not None
    assert found.equivalence.shown is not told


def test_where_no_margin_could_be_shown_that_is_told() -> None:
    """Two families .8 and -.8: a standard error of .8 times 6.31 and more is above 1."""
    table = table_of(two_arms("a", 0.9, 0.1), two_arms("b", 0.1, 0.9))
    found = claimed(table, "equivalence", 0.5)
    assert found.detectable is None
    assert found.notes[-1].endswith("were there no difference, there is none below 1")


@pytest.mark.parametrize(
    ("families", "confidence", "least"),
    [(5, 0.95, None), (6, 0.95, 2.57058 + 0.91954), (4, 0.9, None), (5, 0.9, 2.13185 + 0.94096)],
)
def test_nothing_is_detectable_where_the_test_cannot_show_a_difference(
    families: int, confidence: float, least: float | None
) -> None:
    """The exact test of 5 families gives 2 / 32 = .0625 at least and of 4 .125, whatever Student's t says."""
    deltas = [0.1 * (at % 2) for at in range(families)]
    table = table_of(*(two_arms(f"t{at}", 0.5 + one, 0.5) for at, one in enumerate(deltas)))
    found = contrast(table, confidence=confidence)
    refused = (
        f"no detectable difference: these {families} families give no p-value of {round(1 - confidence, 2)} or less, "
        "however large the difference"
    )
    assert (refused in found.notes) is (least is None)
    if least is None:
        assert found.detectable is None
    else:
        mean = sum(deltas) / families
        error = (sum((one - mean) ** 2 for one in deltas) / (families - 1) / families) ** 0.5
        assert found.detectable == pytest.approx(least * error, abs=1e-4)


def test_no_delta_above_1_is_called_detectable() -> None:
    """Six families at plus and minus .9: (2.571 + .920) times a standard error of .402 is 1.4."""
    table = table_of(
        *(
            two_arms(task, *((0.95, 0.05) if at % 2 else (0.05, 0.95)))
            for at, task in enumerate("abcdef")
        )
    )
    found = contrast(table)
    assert found.detectable is None
    assert found.notes[-1] == (
        "no detectable difference: with these 6 families it would be more than 1"
    )


def test_an_interval_of_a_difference_ends_at_minus_1_and_1() -> None:
    """Families at plus and minus .8: 12.7 standard errors of .8 are cut, of errors (nMAE) they are not."""
    table = table_of(
        two_arms("a", 0.9, 0.1, ordered_nmae=0.5), two_arms("b", 0.1, 0.9, ordered_nmae=0.5)
    )
    varied = table_of(
        made("a", "with-skill", 0.9, ordered_nmae=3.0),
        made("a", "no-skill", 0.1, ordered_nmae=0.5),
        made("b", "with-skill", 0.1, ordered_nmae=0.5),
        made("b", "no-skill", 0.9, ordered_nmae=0.5),
    )
    cut = contrast(table).interval
    assert cut is not None
    assert (cut.low, cut.high) == (-1.0, 1.0)
    errors = {one.metric: one for one in analyse(varied, plan_of(SKILL)).contrasts}["ordered_nmae"]
    assert errors.interval is not None
    assert (errors.interval.low, errors.interval.high) == pytest.approx(
        (1.25 - 12.7062 * 1.25, 1.25 + 12.7062 * 1.25), abs=1e-3
    )


def test_runs_of_a_measure_are_those_that_have_it() -> None:
    """Three runs a side, of which two and one tell an error; reward is told by all."""
    table = table_of(
        *(made("t", "with-skill", 0.5, ordered_nmae=one) for one in (0.1, 0.2, None)),
        *(made("t", "no-skill", 0.5, ordered_nmae=one) for one in (0.1, None, None)),
    )
    found = {one.metric: one for one in analyse(table, plan_of(SKILL)).contrasts}
    assert found["reward"].runs == (3, 3)
    assert found["ordered_nmae"].runs == (2, 1)
    assert [one.runs for one in found["ordered_nmae"].strict] == [2, 1]


@pytest.mark.parametrize(("families", "exact"), [(20, True), (21, False)])
def test_it_is_told_whether_the_flips_are_all_counted(families: int, exact: bool) -> None:
    """Up to 20 families; beyond, lines of the same deltas have the headline's p-value to the last digit."""
    table = table_of(
        *(two_arms(f"t{at:02}", 0.5 + 0.02 * (at % 7 - 2), 0.5) for at in range(families))
    )
    found = contrast(table)
    assert found.exact is exact
    lines = {one.name: one.p_value for one in found.sensitivity}
    assert lines["each family equal"] == lines["publishable runs only"] == found.p_value
    assert found.by_mode[0].p_value == found.p_value


@pytest.mark.parametrize(("systems", "exact"), [(3, True), (4, False)])
def test_a_task_tells_whether_its_exchanges_are_all_counted(systems: int, exact: bool) -> None:
    """Three trials a side: 20 cubed exchanges are counted, 20 to the fourth are too many."""
    table = table_of(
        *(
            trials("t", condition, 0.1, 0.2, 0.3 + 0.1 * (condition == "with-skill"), model=model)
            for model in "abcd"[:systems]
            for condition in ("with-skill", "no-skill")
        )
    )
    assert contrast(table).task_deltas[0].exact is exact


def test_a_claim_with_one_family_is_not_tested() -> None:
    """A note says so; it is neither shown nor refuted."""
    table = table_of(two_arms("t", 0.9, 0.5, family="f"), two_arms("u", 0.8, 0.5, family="f"))
    found = claimed(table, "equivalence", 0.1)
    assert (found.equivalence, found.p_adjusted) == (None, None)
    assert "the claim of equivalence cannot be tested with one family" in found.notes
    assert (found.interval, found.p_value, found.detectable, found.family_bootstrap) == (None,) * 4


def test_a_pair_that_lost_its_measurement_is_missing() -> None:
    """Cells are there on both sides, a measurement on one."""
    table = table_of(
        two_arms("t", 0.9, 0.5),
        trials("u", "with-skill", 0.9),
        made("u", "no-skill", None, state="provider-error", valid=False),
    )
    found = contrast(table)
    assert found.tasks == 1
    assert found.missing == ("u, codex · m: no measured runs of both sides",)


def test_a_publishable_system_without_a_measured_control_leaves_the_others_in() -> None:
    """What is publishable but cannot be compared puts nothing aside."""
    table = table_of(
        trials("t", "with-skill", 0.9),
        made("t", "no-skill", None, state="provider-error", valid=False),
        two_arms("t", 0.6, 0.4, model="local", publishable=False),
    )
    found = contrast(table)
    assert (found.systems, found.publishable) == (("codex · local",), False)
    assert found.delta == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("name", "label", "delta"),
    [
        ("model=gpt-oss:20b:model=m", ("gpt-oss:20b", "m"), 0.3),
        ("with-skill@obfuscated:with-skill", ("with-skill@obfuscated", "with-skill"), -0.2),
        (
            "condition=with-skill,model=m:condition=no-skill,model=gpt-oss:20b",
            ("with-skill · m", "no-skill · gpt-oss:20b"),
            -0.1,
        ),
    ],
)
def test_labels_and_deltas_of_other_contrasts(
    name: str, label: tuple[str, str], delta: float
) -> None:
    """Models with colons, schemas, several fields at once."""
    table = table_of(
        two_arms("t", 0.6, 0.4),
        made("t", "no-skill", 0.7, model="gpt-oss:20b"),
        made("t", "with-skill", 0.4, schema="obfuscated"),
    )
    found = contrast(table, name)
    assert (found.treatment_label, found.control_label) == label
    assert found.delta == pytest.approx(delta)


def test_a_single_task_has_no_bootstrap_of_tasks() -> None:
    """Resampling one value is no interval."""
    found = contrast(table_of(two_arms("t", 0.9, 0.5)))
    assert (found.task_bootstrap, found.task_sign_flip, found.interval) == (None, None, None)
    assert found.delta == pytest.approx(0.4)


def test_families_that_do_not_differ_detect_nothing_and_show_no_margin() -> None:
    """Every task .1 better, but for rounding: no interval, no claim, no least difference, and a note."""
    table = table_of(
        *(two_arms(task, 0.1 * at + 0.1, 0.1 * at) for at, task in enumerate("abcdef"))
    )
    claim = plan_of(SKILL).contrasts[0].model_copy(update={"claim": "equivalence", "margin": 0.2})
    found = analyse(table, plan_of(contrasts=(claim,))).contrasts[0]
    assert found.delta == pytest.approx(0.1)
    assert (found.interval, found.bootstrap_t, found.equivalence, found.detectable) == (None,) * 4
    assert "the claim of equivalence cannot be tested where no family differs" in found.notes
