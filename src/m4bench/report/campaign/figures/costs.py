# SPDX-License-Identifier: MIT
"""What a reward costs: money and tokens a run where they were told, else time. Knows the results of an analysis."""

from collections.abc import Callable, Mapping, Sequence

from m4bench.analysis.order import conditions_in_order
from m4bench.analysis.results import ArmResult
from m4bench.report import wording
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.scatter_chart import Panel, Point, axis_of, numbered_panels
from m4bench.report.exhibits import Figure

MOST_ARMS = 30
LONGEST_NAME = 60
Amount = Callable[[ArmResult], float | None]
MEASURES: dict[str, tuple[Amount, Callable[[float], str], str]] = {
    "cost": (
        lambda arm: arm.cost_usd,
        lambda value: f"{value:.2f} USD",
        "USD a run",
    ),
    "tokens": (
        lambda arm: arm.tokens,
        lambda value: f"{wording.count(round(value))} tokens",
        "Tokens a run, input and output",
    ),
    "time": (lambda arm: arm.seconds, wording.seconds, "Seconds a run"),
}
CAPTION = (
    "A point is a system under a condition, by its number in the list: its mean reward over tasks, and means of "
    "the runs that told what they took.{more}"
)
NO_COST = " Neither cost nor tokens were recorded; the agent’s time stands in for them."
DIFFERENT = " Conditions were run on different tasks ({fewest} to {most}) and differ for that, too."


def cost_figure(
    arms: Sequence[ArmResult], convention: str, labels: Mapping[str, str]
) -> Figure | None:
    """Return the figure, or nothing where no run told cost, tokens or time.

    Args:
        arms: all arms of an analysis.
        convention: the one whose rewards are shown; arms of other schemas than the native one are left out.
        labels: what each system is called.
    """
    own = [
        arm
        for arm in arms
        if (arm.convention, arm.schema_name) == (convention, NATIVE) and arm.reward is not None
    ]
    kinds = [kind for kind in ("cost", "tokens") if _told(own, kind)] or [
        kind for kind in ("time",) if _told(own, kind)
    ]
    if not kinds:
        return None
    order = conditions_in_order(arm.condition for arm in own)
    drawn = [arm for arm in own if any(MEASURES[kind][0](arm) is not None for kind in kinds)]
    drawn.sort(
        key=lambda arm: (order.index(arm.condition), by_name(labels, arm.system), arm.dataset)
    )
    shown = drawn[:MOST_ARMS]
    names = _names(shown, labels)
    key = [
        f"{place}  {name}: {_figures(arm, kinds)}"
        for place, (arm, name) in enumerate(zip(shown, names, strict=True), 1)
    ]
    panels = [_panel(shown, kind, key) for kind in kinds]
    more = NO_COST if kinds == ["time"] else ""
    counted = sorted(arm.tasks for arm in shown)
    if counted[0] < counted[-1]:
        more += DIFFERENT.format(fewest=counted[0], most=counted[-1])
    if len(own) > len(drawn):
        more += f" {len(own) - len(drawn)} of {len(own)} told nothing and are not drawn."
    if len(drawn) > len(shown):
        more += f" {len(drawn) - len(shown)} more stand in the tables."
    lines = _key(shown, names, kinds)
    return Figure(
        "cost",
        "Reward against time" if kinds == ["time"] else "Reward against what it takes",
        noted(CAPTION.format(more=more), names),
        f"{listed(key, 30)}.",
        numbered_panels(panels, "Mean reward", lines, narrow=False),
        numbered_panels(panels, "Mean reward", [line[:2] for line in lines], narrow=True),
    )


def _told(arms: Sequence[ArmResult], kind: str) -> bool:
    return any(MEASURES[kind][0](arm) is not None for arm in arms)


def _names(shown: Sequence[ArmResult], labels: Mapping[str, str]) -> list[str]:
    """Return what each arm is called: condition and system, with data set and drops where that is not enough."""
    short = [(arm.condition, arm.system) for arm in shown]
    names = []
    for arm in shown:
        parts = [condition_label(arm.condition), by_name(labels, arm.system)]
        if short.count((arm.condition, arm.system)) > 1:
            parts += [part for part in (arm.dataset, arm.drops) if part]
        name = cut(wording.foreign(" · ".join(parts)), LONGEST_NAME)
        names.append(marked(name, arm.publishable, LONGEST_NAME))
    return names


def _panel(shown: Sequence[ArmResult], kind: str, key: Sequence[str]) -> Panel:
    amount, _, title = MEASURES[kind]
    points = [
        Point(value, arm.reward or 0.0, line, place)
        for place, (arm, line) in enumerate(zip(shown, key, strict=True), 1)
        if (value := amount(arm)) is not None
    ]
    return Panel(tuple(points), axis_of([point.x for point in points], title))


def _figures(arm: ArmResult, kinds: Sequence[str]) -> str:
    told = [f"reward {wording.rate(arm.reward)}"]
    for kind in kinds:
        amount, write, _ = MEASURES[kind]
        value = amount(arm)
        told.append(write(value) if value is not None else f"{kind} not told")
    return f"{', '.join(told)}, {wording.plural(arm.tasks, 'task')}"


def _key(
    shown: Sequence[ArmResult], names: Sequence[str], kinds: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return the lines of the list below its heads: number and name, reward, amounts, tasks."""
    lines: list[tuple[str, ...]] = [("", "reward", *("" for _ in kinds), "")]
    for place, (arm, name) in enumerate(zip(shown, names, strict=True), 1):
        told = []
        for kind in kinds:
            amount, write, _ = MEASURES[kind]
            value = amount(arm)
            told.append(write(value) if value is not None else "not told")
        lines.append(
            (
                f"{place}  {name}",
                wording.rate(arm.reward),
                *told,
                wording.plural(arm.tasks, "task"),
            )
        )
    return lines
