# SPDX-License-Identifier: MIT
"""An analysis as a whole: the published runs, corrections, what is left out and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import PAPER_PLAN, default_plan, read_plan
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.model.analysis import DeclaredContrast
from m4bench.model.errors import InputError
from tests.analysis.made_runs import (
    FILES,
    analysis_of_the_paper,
    made,
    plan_of,
    released,
    table_of,
    two_arms,
)

WITHIN_MONTE_CARLO = 0.003


def contrast(found: Analysis, name: str, metric: str = "reward") -> ContrastResult:
    """Return one result."""
    (one,) = (one for one in found.contrasts if (one.contrast, one.metric) == (name, metric))
    return one


@pytest.mark.parametrize("files", [FILES[:1], FILES], ids=["primary", "all"])
def test_the_headline_of_the_paper(files: tuple[str, ...]) -> None:
    """The specification's figures; the local runs, which are not publishable, move none of them."""
    found = contrast(analysis_of_the_paper(*files), "with-skill:no-skill")
    assert (found.role, found.tasks, found.families, found.runs) == ("primary", 28, 15, (280, 280))
    assert [round(one, 3) for one in (found.control, found.treatment, found.delta)] == [
        0.703,
        0.839,
        0.136,
    ]
    assert (found.positive, found.negative, found.unchanged) == (26, 2, 0)
    assert found.interval is not None
    assert [round(found.interval.low, 3), round(found.interval.high, 3)] == [0.054, 0.217]
    assert found.bootstrap_t is not None
    ends = (found.bootstrap_t.low, found.bootstrap_t.high)
    assert ends == pytest.approx((0.064, 0.257), abs=WITHIN_MONTE_CARLO)
    assert found.p_value == pytest.approx(0.00043, abs=5e-6)
    assert [(one.passes, one.runs) for one in found.strict] == [(25, 280), (13, 280)]
    assert found.task_sign_flip == pytest.approx(5.0e-6, abs=5e-8)
    assert found.publishable


@pytest.mark.parametrize(
    ("name", "metric", "descriptive", "low", "high"),
    [
        ("with-skill:no-skill", "reward", "task_bootstrap", 0.085, 0.191),
        ("with-skill:no-skill", "reward", "family_bootstrap", 0.065, 0.207),
        ("with-skill:no-skill", "reward", "family_balanced", 0.057, 0.190),
        ("with-skill:no-skill", "key_f1", "task_bootstrap", -0.010, 0.018),
        ("with-skill:no-skill", "ordered_nmae", "task_bootstrap", -0.085, -0.029),
        ("operational-spec:no-skill", "reward", "task_bootstrap", 0.072, 0.260),
        ("with-skill:operational-spec", "reward", "task_bootstrap", -0.034, 0.099),
        ("with-skill-rawsql:with-skill", "reward", "task_bootstrap", -0.065, 0.070),
        ("with-skill-decoy:no-skill", "reward", "task_bootstrap", -0.027, 0.032),
    ],
)
def test_published_intervals(
    name: str, metric: str, descriptive: str, low: float, high: float
) -> None:
    """The published percentile bootstraps come out to the printed digit."""
    interval = getattr(contrast(analysis_of_the_paper(*FILES), name, metric), descriptive)
    assert (round(interval.low, 3), round(interval.high, 3)) == (low, high)


def test_the_local_arm_has_its_own_seed() -> None:
    """Alone, it is analysed, with the published interval, and called not publishable."""
    found = contrast(analysis_of_the_paper(FILES[2]), "with-skill:no-skill")
    assert found.task_bootstrap is not None
    assert (round(found.task_bootstrap.low, 3), round(found.task_bootstrap.high, 3)) == (
        -0.072,
        0.088,
    )
    assert (round(found.delta, 3), found.positive, found.publishable) == (0.008, 3, False)
    assert "80 of 80 runs not publishable" in found.notes


@pytest.mark.parametrize(
    ("name", "treatment", "control", "delta", "strict"),
    [
        ("with-skill-rawsql:with-skill", 0.837, 0.833, 0.003, ((49, 100), (7, 100))),
        ("with-skill-decoy:no-skill", 0.554, 0.553, 0.000, None),
        ("with-skill-rawsql:no-skill", 0.837, 0.553, 0.283, None),
        ("with-skill-decoy:with-skill", 0.554, 0.833, -0.280, None),
        ("operational-spec:no-skill", 0.767, 0.606, 0.162, None),
        ("with-skill:operational-spec", 0.792, 0.767, 0.024, None),
    ],
)
def test_published_controls(
    name: str,
    treatment: float,
    control: float,
    delta: float,
    strict: tuple[tuple[int, int], ...] | None,
) -> None:
    """On the ten and on the eight tasks that have the condition; notes say that they were not all."""
    found = contrast(analysis_of_the_paper(*FILES), name)
    figures = [round(one, 3) for one in (found.treatment, found.control, found.delta)]
    assert figures == [treatment, control, delta]
    if strict:
        assert tuple((one.passes, one.runs) for one in found.strict) == strict
    assert any(note.startswith(f"on {found.tasks} of the 28 tasks") for note in found.notes)
    local = 8
    assert len(found.missing) == 2 * (28 - found.tasks) + local


@pytest.mark.parametrize(
    ("metric", "tasks", "delta", "improved", "declined"),
    [("key_f1", 28, 0.003, 5, 3), ("ordered_nmae", 26, -0.056, 23, 3)],
)
def test_published_secondary_metrics(
    metric: str, tasks: int, delta: float, improved: int, declined: int
) -> None:
    """Key F1 with the threshold of 1e-9; of nMAE, less is an improvement, and two tasks have no ordered column."""
    found = contrast(analysis_of_the_paper(*FILES), "with-skill:no-skill", metric)
    assert (found.role, found.tasks, round(found.delta, 3)) == ("exploratory", tasks, delta)
    assert (found.positive, found.negative) == (improved, declined)


def test_published_models_and_modes() -> None:
    """Each system alone, and the modes of the published table."""
    found = contrast(analysis_of_the_paper(*FILES), "with-skill:no-skill")
    systems = [
        (
            one.system,
            round(one.control, 3),
            round(one.treatment, 3),
            round(one.delta, 3),
            one.positive,
            one.task_bootstrap
            and (round(one.task_bootstrap.low, 3), round(one.task_bootstrap.high, 3)),
        )
        for one in found.by_system
    ]
    assert systems == [
        ("codex · gpt-5.4-mini · medium", 0.639, 0.802, 0.162, 26, (0.099, 0.232)),
        ("codex · gpt-5.5 · medium", 0.767, 0.876, 0.109, 24, (0.060, 0.166)),
    ]
    assert [(one.name, one.tasks, round(one.delta, 3)) for one in found.by_mode] == [
        ("standard tasks alone", 11, 0.154),
        ("raw tasks alone", 17, 0.124),
    ]


def test_published_task_deltas(shared: Path) -> None:
    """All 28, and each model's, to the printed digit."""
    table = shared / "specs/tasks/published-results/codex_task_deltas_and_control_membership.csv"
    header, *lines = (line.split(",") for line in table.read_text().splitlines())
    published = {
        line[0]: [
            float(line[header.index(name)])
            for name in ("delta", "delta_gpt_5_4_mini", "delta_gpt_5_5")
        ]
        for line in lines
    }
    found = contrast(analysis_of_the_paper(*FILES), "with-skill:no-skill")
    computed = {
        one.task: [round(delta, 3) for delta in (one.delta, *one.by_system.values())]
        for one in found.task_deltas
    }
    assert computed == published
    assert all(one.runs == (10, 10) for one in found.task_deltas)


def test_the_native_line_of_the_published_schemas() -> None:
    """On the 26 tasks of the altered schemas; their control was not released, and is not zero."""
    lines = {
        one.schema_name: one
        for one in analysis_of_the_paper(*FILES).schemas
        if one.contrast == "with-skill:no-skill" and one.system == "codex · gpt-5.4-mini · medium"
    }
    native = lines["native"]
    figures = [round(one or 0, 3) for one in (native.control, native.treatment, native.delta)]
    assert (native.tasks, figures, native.positive, native.ratio) == (
        26,
        [0.637, 0.794, 0.157],
        24,
        1,
    )
    for schema, treatment in (("obfuscated", 0.696), ("restructured", 0.668)):
        line = lines[schema]
        assert (line.tasks, round(line.treatment or 0, 3)) == (26, treatment)
        assert (line.control, line.delta, line.interval, line.ratio) == (None, None, None, None)


def test_the_declared_plan_of_the_paper_claims_and_shows_no_equivalence() -> None:
    """Raw SQL and skill differ by .003, which is not shown to lie within .05."""
    found = analyse(released(*FILES), read_plan(PAPER_PLAN))
    claimed = contrast(found, "with-skill-rawsql:with-skill")
    assert claimed.equivalence is not None
    assert claimed.equivalence.shown is False
    assert "declared in a plan" in found.methods
    assert found.plan_hash == found.plan.digest()


def test_primary_contrasts_are_corrected_by_holm_and_the_others_by_benjamini_and_hochberg() -> None:
    """By hand: Holm's is the running maximum of (m - rank) p, BH's the running minimum of m p / rank."""
    found = analysis_of_the_paper(*FILES)
    primary = [one for one in found.contrasts if one.role == "primary"]
    least = 0.0
    for rank, one in enumerate(sorted(primary, key=lambda one: one.p_value or 0)):
        least = max(least, min(1.0, (len(primary) - rank) * (one.p_value or 0)))
        assert one.p_adjusted == pytest.approx(least)
    tested = [
        one for one in found.contrasts if one.role == "exploratory" and one.p_value is not None
    ]
    most = 1.0
    for rank, one in reversed(list(enumerate(sorted(tested, key=lambda one: one.p_value or 0), 1))):
        most = min(most, len(tested) * (one.p_value or 0) / rank)
        assert one.p_adjusted == pytest.approx(most)


def test_the_order_of_runs_and_a_second_time_change_no_byte() -> None:
    """The same runs and plan, the same bytes."""
    table = released(FILES[0]).where(lambda run: run.task < "mimic-m")
    runs = list(table.runs)
    Random(1).shuffle(runs)
    plan = default_plan(table)
    shuffled = RunTable(tuple(sorted(runs, key=lambda run: (run.cell, run.trial))), table.sources)
    texts = {analyse(one, plan).model_dump_json() for one in (table, table, shuffled)}
    assert len(texts) == 1


def test_counts_and_what_stands_aside() -> None:
    """Runs without a measurement are counted apart; unpublishable ones beside publishable ones, too."""
    table = table_of(
        two_arms("t", 0.5, 0.4),
        made("t", "no-skill", 0.9, publishable=False),
        made("t", "no-skill", None, state="infrastructure", valid=False),
        made("lost", "no-skill", None, state="infrastructure", valid=False),
    )
    found = analyse(table, plan_of("with-skill:no-skill"))
    assert (found.runs, found.entering, found.unmeasured, found.tasks) == (5, 2, 2, 2)
    assert found.contrasts[0].delta == pytest.approx(0.1)
    assert found.notes == (
        "1 measured run is not publishable and stands aside, since its cell has publishable ones",
        "1 cell has no measured run: in no mean",
        "key F1: not determined of with-skill − no-skill, since no task has a figure on both sides",
        "ordered nMAE: not determined of with-skill − no-skill, since no task has a figure on both sides",
    )


@pytest.mark.parametrize(
    ("control", "problem"),
    [
        (made("u", "no-skill", 0.5), "no task with measured runs of both sides"),
        (made("t", "no-skill", 0.5, model="other"), "no task with measured runs of both sides"),
        (made("t", "no-skill", None, state="infrastructure", valid=False), "no task with measured"),
        (made("t", "with-skill-all", 0.5), "no-skill"),
    ],
)
def test_a_declared_contrast_that_cannot_be_made_is_refused(control: object, problem: str) -> None:
    """Another task, another system, no measurement, no such condition: one line with a remedy."""
    table = table_of(made("t", "with-skill", 0.9), control)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=problem) as refusal:
        analyse(table, plan_of("with-skill:no-skill"))
    assert refusal.value.remedy


def test_a_supplied_contrast_that_cannot_be_made_is_left_out_with_a_note() -> None:
    """The program's own contrasts never stop an analysis."""
    lost = made("t", "no-skill", None, state="infrastructure", valid=False)
    table = table_of(made("t", "with-skill", 0.9), lost)
    plan = default_plan(table)
    assert [one.contrast for one in plan.contrasts] == ["with-skill:no-skill"]
    found = analyse(table, plan)
    assert found.contrasts == ()
    assert any(note.startswith("with-skill:no-skill is left out") for note in found.notes)


def test_runs_without_anything_to_compare_are_still_described() -> None:
    """One run is an arm, and no more."""
    table = table_of(made("t", "no-skill", 0.4))
    found = analyse(table, default_plan(table))
    assert (found.contrasts, found.schemas, found.components) == ((), (), ())
    assert [one.reward for one in found.arms] == [0.4]
    assert Analysis.model_validate_json(found.model_dump_json()) == found


def test_zeros_for_missing_measurements_where_the_plan_says_so() -> None:
    """The denominator `all` counts a lost run as 0, and the arm's reward with it."""
    table = table_of(
        two_arms("t", 0.8, 0.4), made("t", "with-skill", None, state="infrastructure", valid=False)
    )
    plan = plan_of("with-skill:no-skill", denominator="all")
    found = analyse(table, plan)
    assert found.contrasts[0].delta == pytest.approx(0.0)
    assert found.contrasts[0].publishable
    assert [arm.reward for arm in found.arms] == [0.4, 0.4]


def test_exploratory_contrasts_have_no_secondary_metrics() -> None:
    """Strict passes, key F1 and nMAE are looked at for primary contrasts only."""
    runs = [
        one
        for task in "abc"
        for one in (
            *two_arms(task, 0.9, 0.5, key_f1=1.0),
            made(task, "with-skill-all", 0.8, key_f1=1.0),
        )
    ]
    plan = plan_of(
        "with-skill:no-skill", exploratory=(DeclaredContrast(contrast="with-skill-all:with-skill"),)
    )
    told = [(one.contrast, one.metric, one.role) for one in analyse(table_of(runs), plan).contrasts]
    assert told == [
        ("with-skill:no-skill", "reward", "primary"),
        ("with-skill-all:with-skill", "reward", "exploratory"),
        ("with-skill:no-skill", "strict", "exploratory"),
        ("with-skill:no-skill", "key_f1", "exploratory"),
    ]


def test_a_declared_analysis_compares_something() -> None:
    """Weights and seeds alone are a mistake; an analysis nobody declared may find nothing to compare."""
    table = table_of(two_arms("t", 0.9, 0.5))
    with pytest.raises(InputError, match="names no contrast; list what is compared under"):
        analyse(table, plan_of(weighting="family"))
    assert analyse(table, plan_of(declared=False)).contrasts == ()


@pytest.mark.parametrize(
    "again",
    [
        "no-skill:with-skill",
        "with-skill@native:no-skill",
        "condition=no-skill,schema=native:schema=native,condition=with-skill",
    ],
)
def test_a_comparison_is_made_once(again: str) -> None:
    """However it is written, and from whichever side."""
    table = table_of(two_arms("t", 0.9, 0.5))
    with pytest.raises(InputError, match="compare the same two sides; name each comparison once"):
        analyse(table, plan_of("with-skill:no-skill", again))


def test_a_claim_is_corrected_by_its_own_p_value() -> None:
    """Deltas all above zero have p = 1/16; that they match within .5 is clear, and is what Holm's correction is of."""
    deltas = {"a": 0.01, "b": 0.02, "c": 0.015, "d": 0.012, "e": 0.018}
    runs = [
        [*two_arms(task, 0.5 + delta, 0.5), made(task, "with-skill-all", 0.5 - 3 * delta)]
        for task, delta in deltas.items()
    ]
    primary = (
        DeclaredContrast(contrast="with-skill:no-skill", claim="equivalence", margin=0.5),
        DeclaredContrast(contrast="with-skill-all:no-skill"),
    )
    found = analyse(table_of(*runs), plan_of(contrasts=primary)).contrasts[:2]
    claimed, difference = found
    assert claimed.equivalence is not None
    assert claimed.equivalence.p_value < 1e-6
    assert (claimed.p_value, difference.p_value) == (1 / 16, 1 / 16)
    assert claimed.p_adjusted == pytest.approx(2 * claimed.equivalence.p_value)
    assert difference.p_adjusted == 1 / 16


def families_with(*conditions: str, tasks: str = "abcdefgh") -> list[RunRow]:
    """Return a run of each family under each condition, .05 better and a little apart from one to the next."""
    return [
        made(task, condition, 0.3 + at / 50 + (0.05 + at / 100) * (condition != "no-skill"))
        for at, task in enumerate(tasks)
        for condition in ("no-skill", *conditions)
    ]


def test_a_declared_contrast_that_cannot_be_tested_counts_in_the_correction() -> None:
    """Of three declared, one compares nothing that differs: 2/256 times three, and its p-value is none."""
    table = table_of(
        families_with("with-skill", "decoy"),
        [made(task, "with-skill-all", 0.3 + at / 50) for at, task in enumerate("abcdefgh")],
    )
    primary = (
        DeclaredContrast(contrast="with-skill:no-skill"),
        DeclaredContrast(contrast="decoy:no-skill"),
        DeclaredContrast(contrast="with-skill-all:no-skill", claim="equivalence", margin=0.1),
    )
    found = analyse(table, plan_of(contrasts=primary))
    told = {one.contrast: one.p_adjusted for one in found.contrasts if one.role == "primary"}
    assert told == {
        "with-skill:no-skill": pytest.approx(3 / 128),
        "decoy:no-skill": pytest.approx(3 / 128),
        "with-skill-all:no-skill": None,
    }
    note = "with-skill-all − no-skill could not be tested, and counts in Holm's correction over 3"
    assert any(one.startswith(note) for one in found.notes)
    assert (
        "by Holm over 3 primary contrasts (with-skill − no-skill, decoy − no-skill and with-skill-all − no-skill; "
        "with-skill-all − no-skill could not be tested and counts with a p-value of 1)"
        in found.methods
    )
    assert "was claimed within a margin of 0.1 and could not be tested." in found.methods
    assert "one-sided" not in found.methods


def test_a_contrast_of_one_family_counts_too() -> None:
    """It has no test; the other one, 1/32 of six families, is corrected for two, and none can be shown."""
    table = table_of(
        families_with("with-skill", tasks="abcdef"),
        [made("a", "decoy", 0.4)],
    )
    found = analyse(table, plan_of("with-skill:no-skill", "decoy:no-skill"))
    assert [one.p_adjusted for one in found.contrasts[:2]] == [2 / 32, None]
    assert any(note.endswith("none can be shown at 0.05") for note in found.notes)


def test_where_nothing_can_be_tested_nothing_is_corrected() -> None:
    """One family: neither notes nor methods speak of Holm."""
    found = analyse(table_of(two_arms("t", 0.9, 0.5)), plan_of("with-skill:no-skill"))
    assert not any("Holm" in text for text in (*found.notes, found.methods))


def test_a_second_setting_makes_more_results_than_contrasts() -> None:
    """Two conventions: two contrasts declared, four corrected, and a note with the numbers."""
    table = table_of(
        families_with("with-skill", "decoy"),
        [
            replace(
                run, run_id=f"{run.run_id}-c", setting=run.setting._replace(convention="current")
            )
            for run in families_with("with-skill", "decoy")
        ],
    )
    found = analyse(table, plan_of("with-skill:no-skill", "decoy:no-skill"))
    assert "2 primary contrasts have 4 results in 2 settings: Holm's correction is over 4" in (
        found.notes
    )
    assert "by Holm over 4 results of 2 primary contrasts (" in found.methods
    one = analyse(table_of(families_with("with-skill")), plan_of("with-skill:no-skill"))
    assert not any("Holm" in note for note in one.notes)


def test_passes_of_fewer_tasks_are_told() -> None:
    """A task with one run and one with two: pass@2 is of the latter alone."""
    uneven = table_of(two_arms("t", 0.9, 0.5), two_arms("t", 0.9, 0.5), two_arms("u", 0.9, 0.5))
    even = table_of(two_arms("t", 0.9, 0.5), two_arms("u", 0.9, 0.5))
    for table, told in ((uneven, True), (even, False)):
        found = analyse(table, plan_of("with-skill:no-skill"))
        assert any("not to be compared with it" in note for note in found.notes) is told
        assert ("not to be compared with it" in found.methods) is told


def test_a_claim_that_only_correction_takes_away_is_told() -> None:
    """One-sided t 2.5 with four degrees of freedom has p = .0334: shown, and .0668 after Holm over two."""
    # The mean is 0 and the variance of five deltas .1, so that the standard error is .1 sqrt(.2): a margin of 2.5 such.
    spread = (0.1, 0.1, -0.1, -0.1, 0.0)
    margin = 2.5 * (0.04 / 4 / 5) ** 0.5
    table = table_of(
        *(two_arms(task, 0.5 + one, 0.5) for task, one in zip("abcde", spread, strict=True)),
        *(
            made(task, "with-skill-all", 0.5 + one)
            for task, one in zip("abcde", spread, strict=True)
        ),
    )
    primary = tuple(
        DeclaredContrast(contrast=f"{one}:no-skill", claim="non-inferiority", margin=margin)
        for one in ("with-skill", "with-skill-all")
    )
    first, second, *_ = analyse(table, plan_of(contrasts=primary)).contrasts
    for one in (first, second):
        assert one.equivalence is not None
        assert (one.equivalence.shown, round(one.equivalence.p_value, 4)) == (True, 0.0334)
        assert one.p_adjusted == pytest.approx(2 * one.equivalence.p_value)
        assert one.notes[-1].startswith("non-inferiority is shown by its own test and not")
    alone = analyse(table, plan_of(contrasts=primary[:1])).contrasts[0]
    assert not any("shown by its own" in note for note in alone.notes)


@pytest.mark.parametrize("interval", ["family-t", "family-bootstrap-t"])
def test_no_number_of_an_analysis_is_endless(interval: str) -> None:
    """Two families at the highest confidence a plan may ask, with huge costs: whole, and written as JSON."""
    huge = {"cost_usd": 1e9, "seconds": 1e9, "input_tokens": 2**63 - 1, "output_tokens": 2**63 - 1}
    table = table_of(two_arms("a", 0.75, 0.5, **huge), two_arms("b", 1.0, 0.5, **huge))
    claims = tuple(
        DeclaredContrast(contrast=f"with-skill{at}:no-skill{at}", claim=claim, margin=margin)
        for at, claim, margin in (
            ("", "difference", None),
            ("@native", "equivalence", 0.5),
        )
    )
    for one in claims:
        plan = plan_of(contrasts=(one,), confidence=0.9999, interval=interval)
        assert json.dumps(analyse(table, plan).model_dump(mode="json"), allow_nan=False)
    with pytest.raises(ValueError, match=r"0\.9999"):
        plan_of(confidence=0.9999999999999999)


def test_progress_is_told_of_contrasts_and_of_groups() -> None:
    """Long work says how much of it is done, and never more than there is."""
    heard: list[tuple[str, int, int]] = []
    analyse(
        table_of(*two_arms("t", 0.8, 0.5)),
        plan_of("with-skill:no-skill"),
        lambda name, done, total: heard.append((name, done, total)),
    )
    assert {name for name, _, _ in heard} == {
        "comparing conditions",
        "finding what varies",
        "comparing systems",
    }
    assert all(0 <= done < total for _, done, total in heard)
