# SPDX-License-Identifier: MIT
"""What a reward costs: money and tokens a run where they were told, else time. Knows the results of an analysis."""

from collections.abc import Callable, Mapping, Sequence

from m4bench.analysis.results import ArmResult
from m4bench.report import wording
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    by_name,
    condition_label,
    cut,
    in_order,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.scatter_chart import Panel, Point, axis_of, numbered_panels
from m4bench.report.exhibits import Figure

MOST_ARMS = 30
Amount = Callable[[ArmResult], float | None]
MEASURES: dict[str, tuple[Amount, Callable[[float], str], str]] = {
    "cost": (
        lambda arm: arm.cost_usd,
        lambda value: f"{value:.2f}{wording.THIN_SPACE}USD",
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
DIFFERENT = " Conditions that were run on different tasks differ for that, too; the list has the number of tasks."


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
    order = in_order(arm.condition for arm in own)
    drawn = [arm for arm in own if any(MEASURES[kind][0](arm) is not None for kind in kinds)]
    drawn.sort(
        key=lambda arm: (order.index(arm.condition), by_name(labels, arm.system), arm.dataset)
    )
    shown = drawn[:MOST_ARMS]
    names = [_name(arm, labels, several=len({one.dataset for one in own}) > 1) for arm in shown]
    key = [
        f"{place}  {name}: {_figures(arm, kinds)}"
        for place, (arm, name) in enumerate(zip(shown, names, strict=True), 1)
    ]
    panels = [_panel(shown, kind, key) for kind in kinds]
    more = NO_COST if kinds == ["time"] else ""
    if len({arm.tasks for arm in shown}) > 1:
        more += DIFFERENT
    if len(own) > len(drawn):
        more += f" {len(own) - len(drawn)} of {len(own)} told nothing and are not drawn."
    if len(drawn) > len(shown):
        more += f" {len(drawn) - len(shown)} more stand in the tables."
    short = [
        f"{place}  {cut(name, 30)} {wording.rate(arm.reward)}"
        for place, (arm, name) in enumerate(zip(shown, names, strict=True), 1)
    ]
    return Figure(
        "cost",
        "Reward against time" if kinds == ["time"] else "Reward against what it takes",
        noted(CAPTION.format(more=more), names),
        f"{listed(key, 30)}.",
        numbered_panels(panels, "Mean reward", _wide_key(shown, names, kinds), narrow=False),
        numbered_panels(panels, "Mean reward", short, narrow=True),
    )


def _told(arms: Sequence[ArmResult], kind: str) -> bool:
    return any(MEASURES[kind][0](arm) is not None for arm in arms)


def _name(arm: ArmResult, labels: Mapping[str, str], *, several: bool) -> str:
    parts = [condition_label(arm.condition), by_name(labels, arm.system)]
    parts += [arm.dataset] if several and arm.dataset else []
    return marked(cut(wording.foreign(" · ".join(parts)), 52), arm.publishable, 52)


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


def _wide_key(shown: Sequence[ArmResult], names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    return [
        f"{place}  {name}: {_figures(arm, kinds).removeprefix('reward ')}"
        for place, (arm, name) in enumerate(zip(shown, names, strict=True), 1)
    ]
