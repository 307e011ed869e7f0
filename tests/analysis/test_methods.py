# SPDX-License-Identifier: MIT
"""The methods paragraph says what was declared and done, and no more, in correct English."""

import re
from dataclasses import replace

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import default_plan
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.words import counted, decimal, joined
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from tests.analysis.made_runs import FILES, analysis_of_the_paper, made, plan_of, table_of, two_arms

SKILL = "with-skill:no-skill"


def paragraph(table: RunTable, plan: AnalysisPlan | None = None) -> str:
    """Return the paragraph of an analysis."""
    return analyse(table, plan or plan_of(SKILL)).methods


def tasks(names: str = "abc") -> RunTable:
    """Return tasks of families of their own."""
    return table_of(
        *(two_arms(name, 0.5 + at / 10, 0.5 - at / 20) for at, name in enumerate(names))
    )


def test_one_of_everything_is_singular() -> None:
    """No plural of one."""
    table = table_of(made("t", "no-skill", 0.4))
    text = paragraph(table, default_plan(table))
    assert text.startswith("1 run of 1 task in 1 family by 1 system")
    assert "was analysed, under the condition no-skill and the schema native." in text
    assert "No contrast was made." in text
    assert "bootstrap" not in text
    assert re.search(r"\b1 (runs|tasks|families|systems|contrasts|results)\b", text) is None


def test_the_published_runs() -> None:
    """Counts, sources with hash, seeds, corrections and software, from the data."""
    text = analysis_of_the_paper(*FILES).methods
    assert "1,210 runs of 28 tasks in 15 families by 3 systems" in text
    assert "codex_primary_runs.csv (sha256 d217fd2f669c)" in text
    assert "86 runs in which the agent failed (8 agent-error, 78 no-output)" in text
    assert "Each cell with a measurement has 5 runs that count." in text
    assert "110 runs are not publishable" in text
    assert "every draw being counted up to 10 families, 20,000 draws, seed 20261130 beyond" in text
    assert "by Holm over 5 primary contrasts (with-skill − no-skill," in text
    assert re.search(r"m4bench \S+, NumPy \d\S* and SciPy \d", text)


@pytest.mark.parametrize(
    ("plan", "said", "unsaid"),
    [
        (plan_of(SKILL), "declared in a plan", "No analysis was declared"),
        (plan_of(SKILL, declared=False), "No analysis was declared", "declared in a plan"),
        (plan_of(SKILL), "over tasks, each task equal", "each family equal"),
        (plan_of(SKILL, weighting="family"), "each family equal", "each task equal"),
        (plan_of(SKILL, confidence=0.9), "The 90 % intervals", "95 %"),
        (plan_of(SKILL, confidence=0.999), "The 99.9 % intervals", "95 %"),
        (
            plan_of(SKILL, interval="family-bootstrap-t"),
            "intervals are from the cluster bootstrap-t over families (every draw being counted); beside those of "
            "contrasts stand others from standard errors",
            "intervals are from standard errors",
        ),
        (plan_of(SKILL, seed=7, draws=5000), "(every draw being counted)", "seed 7"),
        (plan_of(SKILL), "by Holm over 1 primary contrast (with-skill − no-skill)", "margin"),
    ],
)
def test_it_says_what_the_plan_says(plan: AnalysisPlan, said: str, unsaid: str) -> None:
    """And nothing of what it does not."""
    text = paragraph(tasks(), plan)
    assert said in text
    assert unsaid not in text


def test_draws_are_told_where_they_are_made() -> None:
    """Of eleven families with draws and seed; of contrasts of eleven and of three, which is which."""
    many = [two_arms(f"t{at:02}", 0.5 + at / 50, 0.4) for at in range(11)]
    plan = plan_of(SKILL, seed=7, draws=5000)
    assert "over families (5,000 draws, seed 7)" in paragraph(table_of(*many), plan)
    few = [made(f"t{at:02}", "decoy", 0.5 + at / 7) for at in range(3)]
    both = plan_of(SKILL, "decoy:no-skill", seed=7, draws=5000)
    assert "every draw being counted up to 10 families, 5,000 draws, seed 7 beyond" in paragraph(
        table_of(*many, few), both
    )


def test_zeros_for_missing_runs_are_among_the_runs_that_count() -> None:
    """One measured and one lost run: one counts, or two where the lost one is a zero."""
    lost = made("t", "no-skill", None, state="provider-error", valid=False)
    table = table_of(made("t", "no-skill", 0.5), lost)
    told = {
        one: paragraph(table, plan_of(SKILL, declared=False, contrasts=(), denominator=one))
        for one in ("valid", "all")
    }
    assert "Each cell with a measurement has 1 run that counts." in told["valid"]
    assert "Each cell with a run has 2 runs that count." in told["all"]


def test_settings_kept_apart_are_told() -> None:
    """And the contrasts over which Holm's correction goes are named with them."""
    table = table_of(
        tasks().runs,
        [
            replace(
                run, run_id=run.run_id + "c", setting=run.setting._replace(convention="current")
            )
            for run in tasks()
        ],
    )
    text = paragraph(table)
    assert "are never taken together" in text
    assert (
        "2 results of 1 primary contrast (with-skill − no-skill (published) and with-skill − no-skill (current))"
        in text
    )
    assert "are never taken together" not in paragraph(tasks())


def test_claims_are_told_with_their_margin() -> None:
    """Non-inferiority by one test, equivalence by two."""
    all_skills = "with-skill-all:no-skill"
    plan = plan_of(
        contrasts=(DeclaredContrast(contrast=SKILL, claim="non-inferiority", margin=0.05),),
        exploratory=(DeclaredContrast(contrast=all_skills, claim="equivalence", margin=0.1),),
    )
    others = [made(task, "with-skill-all", 0.4 + at / 10) for at, task in enumerate("abc")]
    text = paragraph(table_of(tasks().runs, others), plan)
    assert (
        "Non-inferiority of the sides of with-skill − no-skill was claimed within a margin of 0.05 and tested by a "
        "one-sided t test at 0.05" in text
    )
    assert (
        "Equivalence of the sides of with-skill-all − no-skill was claimed within a margin of 0.1 and tested by two "
        "one-sided t tests" in text
    )
    assert "a claim within a margin entering with its own p-value" in text
    assert "entering with its own" not in paragraph(tasks())


@pytest.mark.parametrize(
    ("denominator", "fate"), [("valid", "was left out"), ("all", "was counted as 0")]
)
def test_exclusions_are_counted(denominator: str, fate: str) -> None:
    """Failures count, lost runs do as the plan says, each with its states."""
    table = table_of(
        tasks().runs,
        made("a", "no-skill", 0.0, state="timeout"),
        made("a", "no-skill", None, state="infrastructure", valid=False, publishable=False),
    )
    text = paragraph(table, plan_of(SKILL, denominator=denominator))
    assert (
        "1 run in which the agent failed (1 timeout) counts as a failure, with a reward of 0."
        in text
    )
    assert f"1 run without a measurement (1 infrastructure) {fate}." in text
    cells = {
        "valid": "Cells with a measurement have from 1 to 2 runs that count.",
        "all": "Cells with a run have from 1 to 3 runs that count.",
    }
    assert cells[denominator] in text


def test_a_single_family_promises_no_interval() -> None:
    """Neither clustering nor test is claimed."""
    table = table_of(*(two_arms(task, 0.6, 0.5, family="f") for task in "ab"))
    text = paragraph(table)
    assert "none has an interval or a test" in text
    assert "Holm" not in text
    assert "flip the signs" not in text


def test_more_families_than_can_be_counted_are_drawn() -> None:
    """Beyond twenty families the sign vectors are random ones."""
    names = "abcdefghijklmnopqrstu"
    table = table_of(*(two_arms(name, 0.5 + at / 50, 0.5) for at, name in enumerate(names)))
    assert "200,000 random ones (seed 20261130) beyond" in paragraph(table)


def test_exchanges_that_were_drawn_are_told() -> None:
    """Four systems of three trials a side have 20 to the fourth exchanges, three have 8,000."""
    for systems, drawn in (("abc", False), ("abcd", True)):
        table = table_of(
            made(family, condition, 0.1 * trial, model=model)
            for family in ("f", "g")
            for model in systems
            for condition in ("with-skill", "no-skill")
            for trial in range(3)
        )
        told = "10,000 random ones with seed 20261130 beyond" in paragraph(
            table_of(table.runs, tasks())
        )
        assert told is drawn


@pytest.mark.parametrize(
    ("runs", "plan", "seeds"),
    [
        (tasks().runs, plan_of(SKILL), "(seeds 20260504 and 20260506)"),
        (
            [replace(run, publishable=False) for run in tasks()],
            plan_of(SKILL),
            "(seeds 20260505 and 20260506)",
        ),
        ([replace(run, family="f") for run in tasks()], plan_of(SKILL), "(seed 20260504)"),
        (
            [replace(run, schema="obfuscated") for run in tasks()],
            plan_of("with-skill@obfuscated:no-skill@obfuscated"),
            "(seed 20260506)",
        ),
    ],
)
def test_only_seeds_that_were_used_are_named(
    runs: list[RunRow], plan: AnalysisPlan, seeds: str
) -> None:
    """Primary or local tasks, the follow-up's for families and for other schemas."""
    assert seeds in paragraph(table_of(runs), plan)


def test_what_has_no_descriptives_names_no_seed() -> None:
    """One task is not resampled."""
    assert "Percentile" not in paragraph(table_of(two_arms("t", 0.9, 0.5)))


def test_passes_are_weighed_as_the_plan_says() -> None:
    """Each task or each family, and what a lost run is among them."""
    table = table_of(
        tasks().runs,
        tasks().runs,
        made("a", "no-skill", None, state="infrastructure", valid=False),
    )
    by_task = paragraph(table)
    assert "averaged over the tasks with at least k runs, each task equal." in by_task
    assert "one that did not pass" not in by_task
    by_family = paragraph(table, plan_of(SKILL, weighting="family", denominator="all"))
    assert "averaged over the tasks with at least k runs, each family equal." in by_family
    assert "In them a run without a measurement is one that did not pass." in by_family


def test_a_lost_run_is_no_error_of_0() -> None:
    """Where ordered nMAE is told, runs that count as 0 are left out of it."""
    runs = [replace(run, ordered_nmae=0.1 * at) for at, run in enumerate(tasks())]
    lost = made("a", "no-skill", None, state="infrastructure", valid=False)
    plan = plan_of(SKILL, denominator="all")
    assert "(1 infrastructure) was counted as 0, in ordered nMAE left out." in paragraph(
        table_of(runs, lost), plan
    )
    assert "(1 infrastructure) was counted as 0." in paragraph(table_of(tasks(), lost), plan)


def test_contrasts_of_models_claim_no_pairs_of_systems() -> None:
    """What is held equal is then not the system."""
    table = table_of(tasks().runs, *(made(task, "no-skill", 0.1, model="n") for task in "abc"))
    assert "(one for each system that has both)" not in paragraph(table, plan_of("model=m:model=n"))
    assert "(one for each system that has both)" in paragraph(table)


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 families"), (1, "1 family"), (1210, "1,210 families")]
)
def test_counts_in_words(number: int, expected: str) -> None:
    """Plural of all but one."""
    assert counted(number, "family", "families") == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_in_words(parts: list[str], expected: str) -> None:
    """As a sentence has them."""
    assert joined(parts) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1 - 0.95, "0.05"), (95.0, "95"), (0.125, "0.125")]
)
def test_decimals(value: float, expected: str) -> None:
    """Without what rounding left behind."""
    assert decimal(value) == expected


@pytest.mark.parametrize(
    ("exploratory", "told"),
    [
        ((), "over 1 exploratory result, a primary contrast in strict passes;"),
        (("decoy:no-skill",), "over 2 exploratory results, one a primary contrast in strict"),
    ],
)
def test_exploratory_results_are_counted_as_they_are(
    exploratory: tuple[str, ...], told: str
) -> None:
    """A primary contrast in another measure is not among others where it is alone."""
    table = table_of(
        made(f"t{at}", condition, 0.3 + at / 100, strict=condition == "with-skill")
        for at in range(6)
        for condition in ("with-skill", "no-skill", "decoy")
    )
    plan = plan_of(
        "with-skill:no-skill",
        exploratory=tuple(DeclaredContrast(contrast=one) for one in exploratory),
    )
    assert told in analyse(table, plan).methods
