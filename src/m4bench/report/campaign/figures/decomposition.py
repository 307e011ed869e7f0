# SPDX-License-Identifier: MIT
"""What each kind of help adds to none, on the tasks and by the systems that all steps of a panel have.

Knows means of cells; conditions that were run on different tasks stand in panels of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from m4bench.analysis.estimate import quick_interval, units
from m4bench.analysis.order import conditions_in_order
from m4bench.analysis.results import Interval
from m4bench.analysis.words import each_equal
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign.figures.forest_words import method_of
from m4bench.report.campaign.figures.means import Means
from m4bench.report.campaign.figures.naming import (
    BASELINE,
    NATIVE,
    cut,
    listed,
    marked,
    noted,
    percent,
    with_interval,
)
from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import LARGE, Dot, Row, Scale, Span
from m4bench.report.exhibits import Figure

CAPTION = (
    "Mean reward over the tasks of a panel, {weighting}, and over the systems that have all its conditions. "
    "The upright stroke is the mean without help{interval}.{panels}"
)
INTERVAL = "; the line through a mean is the interval of {level} of its task-paired difference from that ({method})"
SEVERAL = (
    " Panels are of different tasks: what stands in different panels is not to be compared, and no condition is "
    "drawn on tasks that another one of its panel lacks."
)


@dataclass(frozen=True)
class Step:
    """A condition of a panel: its mean, its difference from none with an interval, and the tasks' differences."""

    condition: str
    mean: float
    delta: float
    interval: Interval | None
    publishable: bool


@dataclass(frozen=True)
class Panel:
    """Conditions on the same tasks by the same systems."""

    tasks: tuple[str, ...]
    systems: int
    steps: tuple[Step, ...]


def decomposition(means: Means, plan: AnalysisPlan) -> Figure | None:
    """Return the figure, or nothing where no condition was run on a task that was run without help too."""
    found = panels(means, plan)
    if not found:
        return None
    rows = [row for panel in found for row in _rows(panel)]
    names = [row.name for row in rows]
    scale = Scale(0.0, 1.0, "Mean reward", ("reward", f"against {BASELINE}"))
    some = [step.interval for panel in found for step in panel.steps if step.interval]
    told = INTERVAL.format(level=percent(some[0].level), method=method_of(some[0])) if some else ""
    caption = CAPTION.format(
        weighting=each_equal(plan), interval=told, panels=SEVERAL if len(found) > 1 else ""
    )
    if any(_reaches_out(step) for panel in found for step in panel.steps):
        caption += " Lines end at 0 and 1; the figures beside them do not."
    return row_figure(
        "decomposition",
        "What each kind of help adds",
        noted(caption, names),
        " ".join(_in_words(panel) for panel in found),
        rows,
        scale,
    )


def panels(means: Means, plan: AnalysisPlan) -> list[Panel]:
    """Return a panel a set of tasks that a condition shares with none, the largest first."""
    native = means.where(lambda place: place.schema == NATIVE)
    at: dict[str, dict[str, set[str]]] = {}
    for place in native.cells:
        at.setdefault(place.condition, {}).setdefault(place.task, set()).add(place.system)
    bare = at.pop(BASELINE, {})
    found: dict[tuple[frozenset[str], tuple[str, ...]], Panel] = {}
    for condition in conditions_in_order(at):
        systems = {
            task: bare[task] & at[condition][task] for task in sorted(bare.keys() & at[condition])
        }
        systems = {task: names for task, names in systems.items() if names}
        shown = [condition]
        for other in conditions_in_order(at):
            common = {task: names & at[other].get(task, set()) for task, names in systems.items()}
            if other != condition and all(common.values()):
                shown.append(other)
                systems = common
        if systems:
            key = frozenset(systems), tuple(conditions_in_order(shown))
            found.setdefault(key, _panel(native, systems, key[1], plan))
    return sorted(found.values(), key=lambda panel: (-len(panel.tasks), panel.steps[-1].condition))


def _panel(
    means: Means, systems: dict[str, set[str]], conditions: Sequence[str], plan: AnalysisPlan
) -> Panel:
    tasks = sorted(systems)
    families = [means.families[task] for task in tasks]
    cells = {
        (place.condition, place.task, place.system): mean for place, mean in means.cells.items()
    }
    by_task = {
        condition: [
            fmean(cells[condition, task, system].reward for system in sorted(systems[task]))
            for task in tasks
        ]
        for condition in (BASELINE, *conditions)
    }
    steps = []
    for condition, values in by_task.items():
        deltas = [a - b for a, b in zip(values, by_task[BASELINE], strict=True)]
        steps.append(
            Step(
                condition,
                fmean(units(values, families, plan.weighting).values),
                fmean(units(deltas, families, plan.weighting).values),
                None
                if condition == BASELINE
                else quick_interval(deltas, families, plan, plan.weighting),
                all(
                    cells[condition, task, system].publishable
                    for task in tasks
                    for system in systems[task]
                ),
            )
        )
    return Panel(tuple(tasks), len(set().union(*systems.values())), tuple(steps))


def _rows(panel: Panel) -> list[Row]:
    rows = [Row(_heading(panel), parted=True, soft=True)]
    for step in panel.steps:
        name = marked(cut(wording.foreign(step.condition)), step.publishable)
        spans: tuple[Span, ...] = ()
        bare = step.condition == BASELINE
        against = "" if bare else with_interval(step.delta, step.interval)
        if step.interval:
            low, high = (
                step.mean - step.delta + step.interval.low,
                step.mean - step.delta + step.interval.high,
            )
            spans = (Span(max(low, 0.0), min(high, 1.0), f"{name}: {against}", "thin"),)
        rows.append(
            Row(
                name,
                (
                    Dot(
                        step.mean, f"{name}: {wording.rate(step.mean)}", size=LARGE, filled=not bare
                    ),
                ),
                spans,
                (wording.rate(step.mean), against),
                f"{wording.rate(step.mean)} {against}".strip(),
                level=1,
                rule=step.mean if bare else None,
            )
        )
    return rows


def _reaches_out(step: Step) -> bool:
    """Tell whether an interval, laid at its mean, leaves the scale of rewards."""
    if step.interval is None:
        return False
    bare = step.mean - step.delta
    return bare + step.interval.low < 0 or bare + step.interval.high > 1


def _heading(panel: Panel) -> str:
    one = len(panel.tasks) == 1
    tasks = "One task" if one else f"The same {wording.plural(len(panel.tasks), 'task')}"
    return f"{tasks}, {wording.plural(panel.systems, 'system')}"


def _in_words(panel: Panel) -> str:
    steps = listed(
        f"{wording.foreign(step.condition)} {wording.rate(step.mean)}"
        + ("" if step.condition == BASELINE else f" ({with_interval(step.delta, step.interval)})")
        for step in panel.steps
    )
    return f"{_heading(panel)}: {steps}."
