# SPDX-License-Identifier: MIT
"""The camera-ready paper's figures in its text, and a reader's summary recomputed. Knows both campaigns of Codex."""

from collections.abc import Callable
from functools import partial

from m4bench.analysis.descriptives import FOLLOW_UP_SEED, PRIMARY_SEED
from m4bench.analysis.paper.arms import (
    CODEX_MODELS,
    CONTROL,
    LARGE,
    MINI,
    SKILL,
    PaperRuns,
    Side,
    of_side,
)
from m4bench.analysis.paper.cells import Cell, PaperTable, Value, columns, figure
from m4bench.analysis.paper.controls import (
    DECOY_SIDE,
    RAW_SQL_SIDE,
    SPECIFICATION_SIDE,
    specification_interval,
    specification_sides,
)
from m4bench.analysis.paper.effect import MODEL_LABELS
from m4bench.analysis.paper.local import local_interval
from m4bench.analysis.paper.measures import (
    Measure,
    Runs,
    balanced,
    bracketed,
    improved,
    interval,
    key_f1,
    mean_delta,
    ordered_nmae,
    sign_flip,
    strict_share,
)
from m4bench.analysis.paper.tasks import (
    CONTROL_TEN,
    PAPER_TASKS,
    SENTINEL_EIGHT,
    ordered_tasks,
    paper_tasks,
)

SMALLEST_P = 1e-4


def _not_passing(runs: Runs) -> int:
    return sum(not run.strict for run in runs)


def _inaccurate_only(runs: Runs) -> int:
    """Return the runs that reach the coverage of their task and fail a check of accuracy and nothing else."""
    return sum(
        not run.strict
        and not run.errors
        and run.key_recall is not None
        and run.key_recall >= paper_tasks()[run.task].scoring.row_coverage
        for run in runs
    )


def _improved_and_declined(runs: Runs, measure: Measure) -> str:
    both = (improved(runs, SKILL, CONTROL, measure, sign=sign) for sign in (1, -1))
    return " and ".join(both)


def p_value(runs: Runs) -> str | None:
    """Return the published sign-flip p-value, as `<1e-4` where it is below that."""
    p = sign_flip(runs, SKILL, CONTROL, seed=PRIMARY_SEED)
    if p is None:
        return None
    return "<1e-4" if p < SMALLEST_P else f"{p:.4f}"


def _contrast(runs: Runs, treatment: Side, control: Side) -> str | None:
    """Return a contrast of the operational specification with its interval."""
    return bracketed(
        mean_delta(runs, treatment, control), specification_interval(runs, treatment, control)
    )


def _local(runs: Runs) -> str | None:
    return bracketed(mean_delta(runs, SKILL, CONTROL), local_interval(runs))


def _strict(runs: PaperRuns) -> dict[str, Cell]:
    """Return strict passes by condition."""
    both = runs.primary.select(CONTROL, SKILL)
    return {
        "codex primary strict passes, all 760": figure(runs.primary.runs, strict_share),
        "no-skill strict passes": figure(runs.primary.select(CONTROL), strict_share),
        "with-skill strict passes": figure(runs.primary.select(SKILL), strict_share),
        "raw-SQL strict passes (ten tasks)": figure(
            runs.primary.select(RAW_SQL_SIDE), strict_share
        ),
        "with-skill strict passes on the same ten tasks": figure(
            runs.primary.select(SKILL, tasks=CONTROL_TEN), strict_share
        ),
        "primary runs not strictly passing": figure(both, _not_passing),
        "of these: coverage met, accuracy only failed": figure(both, _inaccurate_only),
        "key F1 improved / declined tasks": figure(
            both, partial(_improved_and_declined, measure=key_f1)
        ),
    }


def _deltas(runs: PaperRuns) -> dict[str, Cell]:
    """Return the effect on parts of the tasks, and the contrasts given with an interval."""
    parts = {
        "delta, ten control tasks": CONTROL_TEN,
        "delta, other 18 tasks": sorted(set(PAPER_TASKS) - set(CONTROL_TEN)),
        "delta, eight sentinel tasks": SENTINEL_EIGHT,
        "delta, other 20 tasks": sorted(set(PAPER_TASKS) - set(SENTINEL_EIGHT)),
    }
    none, specification, skill = specification_sides(runs)
    return {
        **{
            label: figure(
                runs.primary.select(CONTROL, SKILL, tasks=tasks),
                partial(mean_delta, treatment=SKILL, control=CONTROL),
            )
            for label, tasks in parts.items()
        },
        "sign-flip p": figure(runs.primary.select(CONTROL, SKILL), p_value),
        "operational spec minus no skill": figure(
            specification + none, partial(_contrast, treatment=SPECIFICATION_SIDE, control=CONTROL)
        ),
        "targeted skill minus operational spec": figure(
            skill + specification, partial(_contrast, treatment=SKILL, control=SPECIFICATION_SIDE)
        ),
        "local gpt-oss-20b delta": figure(
            runs.local.select(CONTROL, SKILL, tasks=SENTINEL_EIGHT), _local
        ),
    }


def camera_ready_counts(runs: PaperRuns) -> PaperTable:
    """Return the figures of the camera-ready paper's text."""
    figures: dict[str, Cell | None] = {
        "runs in all public evidence": None,
        "paper-facing runs with egress logs": None,
        "exploratory local runs without egress logs": figure(runs.local.runs, len),
        "codex primary canonical runs": figure(runs.primary.runs, len),
        "codex follow-up canonical runs": figure(runs.followup.runs, len),
        "claude sentinel canonical runs": None,
        "claude full-coverage canonical runs": None,
        "claude full-coverage attempts excluded": None,
        **_strict(runs),
        **_deltas(runs),
    }
    return PaperTable(
        "camera_ready_counts",
        "Figures in the camera-ready paper's text",
        ("quantity",),
        columns("quantity value"),
        tuple(
            {"quantity": label} | ({} if cell is None else {"value": cell})
            for label, cell in figures.items()
        ),
        note="The 522 runs are those without skill and with the targeted skill that do not pass strictly.",
    )


def _two_sides(runs: Runs, each: Callable[[Runs, Side], str]) -> str:
    return " and ".join(each(runs, side) for side in (CONTROL, SKILL))


def _side_strict(runs: Runs, side: Side) -> str:
    return strict_share(of_side(runs, side))


def _side_mean(runs: Runs, side: Side, measure: Measure) -> str:
    mean = balanced(runs, side, measure)
    return "none" if mean is None else f"{mean:.3f}"


def _control(runs: Runs, treatment: Side, control: Side) -> Value:
    return bracketed(
        mean_delta(runs, treatment, control),
        interval(runs, treatment, control, seed=FOLLOW_UP_SEED),
    )


def secondary_summary(runs: PaperRuns) -> PaperTable:
    """Return what a reader's summary of the paper states, as the run lists give it."""
    recomputed: dict[str, Cell | None] = {}
    for model in CODEX_MODELS:
        both = runs.primary.select(CONTROL, SKILL, models=[model])
        recomputed[f"strict passes {MODEL_LABELS[model]} no/with"] = figure(
            both, partial(_two_sides, each=_side_strict)
        )
    for label, measure, tasks in (
        ("key F1", key_f1, frozenset(PAPER_TASKS)),
        ("nMAE", ordered_nmae, ordered_tasks()),
    ):
        for model in (MINI, LARGE):
            both = runs.primary.select(CONTROL, SKILL, models=[model], tasks=tasks)
            each = partial(_side_mean, measure=measure)
            recomputed[f"{label} {MODEL_LABELS[model]} no/with"] = figure(
                both, partial(_two_sides, each=each)
            )
    for label, treatment, control in (
        ("decoy minus no-skill", DECOY_SIDE, CONTROL),
        ("raw SQL minus targeted", RAW_SQL_SIDE, SKILL),
    ):
        selection = runs.primary.select(treatment, control, tasks=CONTROL_TEN)
        recomputed[label] = figure(
            selection, partial(_control, treatment=treatment, control=control)
        )
    recomputed |= dict.fromkeys(
        (
            "claude opus strict no/with",
            "claude sonnet strict no/with",
            "claude nMAE task-balanced no/with",
        )
    )
    name = "recomputed_from_released_run_table"
    return PaperTable(
        "secondary_summary_unverified",
        "A reader's summary of the paper, recomputed",
        ("quantity",),
        columns(f"quantity secondary_summary {name}"),
        tuple(
            {"quantity": label} | ({} if cell is None else {name: cell})
            for label, cell in recomputed.items()
        ),
        note="The summary's own figures are no target: they disagree with the run list its totals agree with.",
    )
