# SPDX-License-Identifier: MIT
"""The published tables of the skill's effect: headline, by mode, by ways of drawing. Knows no other campaign."""

from functools import partial

from m4bench.analysis.descriptives import PRIMARY_SEED
from m4bench.analysis.paper.arms import (
    CODEX_MODELS,
    CONTROL,
    LARGE,
    MINI,
    SKILL,
    Campaign,
    PaperRuns,
    of_side,
)
from m4bench.analysis.paper.cells import (
    Cell,
    Computed,
    PaperTable,
    Row,
    columns,
    design,
    figure,
)
from m4bench.analysis.paper.measures import (
    THRESHOLD,
    Measure,
    Runs,
    average,
    balanced,
    family_interval,
    family_means,
    high,
    improved,
    interval,
    key_f1,
    low,
    mean_delta,
    ordered_nmae,
    reward,
)
from m4bench.analysis.paper.shape import paired_families, paired_tasks
from m4bench.analysis.paper.tasks import families, ordered_tasks, tasks_of_mode
from m4bench.analysis.runs import RunRow

MODEL_LABELS = {MINI: "GPT 5.4 Mini", LARGE: "GPT 5.5"}
BALANCED = "task-balanced"


def low_end(runs: Runs, measure: Measure, seed: int) -> float | None:
    """Return the lower end of the published interval of with-skill minus no-skill."""
    return low(interval(runs, SKILL, CONTROL, measure, seed=seed))


def high_end(runs: Runs, measure: Measure, seed: int) -> float | None:
    """Return the upper end of the published interval of with-skill minus no-skill."""
    return high(interval(runs, SKILL, CONTROL, measure, seed=seed))


def ends_of_interval(
    selection: Runs, measure: Measure = reward, seed: int = PRIMARY_SEED
) -> tuple[Computed, Computed]:
    """Return both ends of the published interval of with-skill minus no-skill as figures."""
    return (
        figure(selection, partial(low_end, measure=measure, seed=seed)),
        figure(selection, partial(high_end, measure=measure, seed=seed)),
    )


def _measure_row(
    label: str,
    selection: tuple[RunRow, ...],
    measure: Measure,
    names: tuple[str, str],
    *,
    drawn: bool,
    threshold: float = THRESHOLD,
    sign: int = 1,
) -> Row:
    count = partial(
        improved,
        treatment=SKILL,
        control=CONTROL,
        measure=measure,
        sign=sign,
        threshold=threshold,
    )
    ends: tuple[Cell, Cell] = ends_of_interval(selection, measure) if drawn else ("", "")
    return {
        "measure": label,
        "no_skill": figure(
            of_side(selection, CONTROL), partial(balanced, side=CONTROL, measure=measure)
        ),
        "with_skill": figure(
            of_side(selection, SKILL), partial(balanced, side=SKILL, measure=measure)
        ),
        "delta": figure(
            selection, partial(mean_delta, treatment=SKILL, control=CONTROL, measure=measure)
        ),
        names[0]: ends[0],
        names[1]: ends[1],
        "improved_tasks": figure(selection, count),
    }


def _effect_rows(
    primary: Campaign, names: tuple[str, str], labels: dict[str, str], *, camera_ready: bool
) -> tuple[Row, ...]:
    """Return the rows of the effect as the release tables count, or as the camera-ready paper does."""
    both = primary.select(CONTROL, SKILL)
    ordered = primary.select(CONTROL, SKILL, tasks=ordered_tasks())
    threshold = THRESHOLD if camera_ready else 0.0
    by_model = (
        _measure_row(
            f"Reward / {labels[model]}",
            primary.select(CONTROL, SKILL, models=[model]),
            reward,
            names,
            drawn=camera_ready,
        )
        for model in CODEX_MODELS
    )
    return (
        *by_model,
        _measure_row(f"Reward / {BALANCED}", both, reward, names, drawn=True),
        _measure_row(
            f"Key F1 / {BALANCED}", both, key_f1, names, drawn=camera_ready, threshold=threshold
        ),
        _measure_row(
            f"Ordered nMAE / {BALANCED}", ordered, ordered_nmae, names, drawn=camera_ready, sign=-1
        ),
    )


def native_effect(runs: PaperRuns) -> PaperTable:
    """Return the headline table of the release, whose count of key F1 takes differences above exactly 0."""
    names = ("delta_ci_low", "delta_ci_high")
    labels = {model: model for model in CODEX_MODELS}
    return PaperTable(
        "codex_native_skill_effect",
        "Effect of targeted skills on native schemas",
        ("measure",),
        columns("measure no_skill with_skill delta delta_ci_low delta_ci_high improved_tasks"),
        _effect_rows(runs.primary, names, labels, camera_ready=False),
        note="Key F1 counts as improved above exactly 0, as the release counted: one of the six is rounding noise.",
    )


def camera_ready_native_effect(runs: PaperRuns) -> PaperTable:
    """Return the headline table of the camera-ready paper: all intervals, improvements beyond 1e-9."""
    return PaperTable(
        "camera_ready_codex_native_skill_effect",
        "Effect of targeted skills on native schemas, camera-ready",
        ("measure",),
        columns("measure no_skill with_skill delta ci_low ci_high improved_tasks"),
        _effect_rows(runs.primary, ("ci_low", "ci_high"), MODEL_LABELS, camera_ready=True),
        note="Improved means beyond 1e-9.",
    )


def mode_effect(runs: PaperRuns) -> PaperTable:
    """Return the effect on standard and raw tasks, by model and over both."""
    rows: list[Row] = []
    arms = [(model, (model,)) for model in CODEX_MODELS] + [("Task-balanced mean", CODEX_MODELS)]
    for label, models in arms:
        for mode in ("standard", "raw"):
            selection = runs.primary.select(
                CONTROL, SKILL, tasks=tasks_of_mode(mode), models=models
            )
            rows.append(
                {
                    "model": label,
                    "mode": mode,
                    "tasks": design(selection, partial(paired_tasks, sides=(SKILL, CONTROL))),
                    "mean_delta": figure(
                        selection, partial(mean_delta, treatment=SKILL, control=CONTROL)
                    ),
                    "positive_tasks": figure(
                        selection, partial(improved, treatment=SKILL, control=CONTROL)
                    ),
                }
            )
    return PaperTable(
        "codex_mode_skill_effect",
        "Effect of targeted skills by mode",
        ("model", "mode"),
        columns("model mode tasks mean_delta positive_tasks"),
        tuple(rows),
    )


def _family_end(runs: Runs, equal: bool, upper: bool) -> float | None:
    ends = family_interval(runs, SKILL, CONTROL, family=families(), equal=equal)
    return high(ends) if upper else low(ends)


def _mean_of_families(runs: Runs) -> float | None:
    return average(list(family_means(runs, SKILL, CONTROL, family=families()).values()))


def family_sensitivity(runs: PaperRuns) -> PaperTable:
    """Return the headline under three ways of drawing: tasks, families, family means."""
    selection = runs.primary.select(CONTROL, SKILL)
    delta = partial(mean_delta, treatment=SKILL, control=CONTROL)
    tasks = design(selection, partial(paired_tasks, sides=(SKILL, CONTROL), unit=" tasks"))
    drawn_families = design(
        selection, partial(paired_families, sides=(SKILL, CONTROL), unit=" families")
    )
    bootstraps = (
        ("Task-cluster bootstrap", tasks, delta, ends_of_interval(selection)),
        ("Family-cluster bootstrap", drawn_families, delta, _family_ends(selection, False)),
        (
            "Family-balanced bootstrap",
            drawn_families,
            _mean_of_families,
            _family_ends(selection, True),
        ),
    )
    return PaperTable(
        "codex_family_sensitivity",
        "The headline effect under three bootstraps",
        ("analysis",),
        columns("analysis units mean_delta ci_low ci_high"),
        tuple(
            {
                "analysis": label,
                "units": units,
                "mean_delta": figure(selection, function),
                "ci_low": ends[0],
                "ci_high": ends[1],
            }
            for label, units, function, ends in bootstraps
        ),
    )


def _family_ends(selection: Runs, equal: bool) -> tuple[Computed, Computed]:
    return (
        figure(selection, partial(_family_end, equal=equal, upper=False)),
        figure(selection, partial(_family_end, equal=equal, upper=True)),
    )
