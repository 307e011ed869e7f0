# SPDX-License-Identifier: MIT
"""What a reward costs: money and tokens a run where they were told, else time. Knows the results of an analysis."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from m4bench.analysis.order import condition_key
from m4bench.analysis.results import ArmResult
from m4bench.analysis.words import each_equal, joined
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.cost_chart import (
    COMPACT,
    NARROW,
    WIDE,
    Block,
    cost_chart,
    cost_parts,
)
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    apart,
    by_name,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.scatter_chart import Axis, Point, axis_of, rates_axis
from m4bench.report.exhibits import Figure

MOST_SYSTEMS = 8
MOST_CONDITIONS = 16
TABLE = "arms"
NONE = "–"


@dataclass(frozen=True)
class _Measure:
    """What a run takes: how it is read of an arm and written, its name in a list and on a scale."""

    amount: Callable[[ArmResult], float | None]
    write: Callable[[float], str]
    head: str
    title: str


MEASURES = {
    "cost": _Measure(lambda arm: arm.cost_usd, writing.money, "cost", "USD a run"),
    "tokens": _Measure(
        lambda arm: arm.tokens,
        lambda value: wording.count(round(value)),
        "tokens",
        "Tokens a run, input and output",
    ),
    "time": _Measure(lambda arm: arm.seconds, wording.seconds, "time", "Seconds a run"),
}
CAPTION = (
    "A panel is a system, a point one of its conditions by its number in the list; pale points are those of other "
    "systems. Upwards the mean reward over tasks, {weighed}{begin}; across the mean of the runs that recorded it.{more}"
)
NO_COST = " Neither cost nor tokens were recorded; the agent’s time stands in for them."
OPEN = " An open point is a mean over fewer than {most} tasks, which is no fair comparison with the others."
MISSING = f" {NONE}: not recorded."


def cost_figure(
    arms: Sequence[ArmResult], convention: str, labels: Mapping[str, str], plan: AnalysisPlan
) -> Figure | None:
    """Return the figure, or nothing where no run told cost, tokens or time.

    Args:
        arms: all arms of an analysis.
        convention: the one whose rewards are shown; arms of other schemas than the native one are left out.
        labels: what each system is called.
        plan: says what has equal weight in a mean.
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
    drawn = [arm for arm in own if any(MEASURES[kind].amount(arm) is not None for kind in kinds)]
    shown, left = _shown(drawn)
    called = _conditions(shown)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(called), 1)}
    placed = [(arm, name, numbers[name]) for arm, name in zip(shown, called, strict=True)]
    most = max(arm.tasks for arm in shown)
    blocks = [
        _block(
            by_name(labels, system), [one for one in placed if one[0].system == system], kinds, most
        )
        for system in sorted({arm.system for arm in shown}, key=lambda one: by_name(labels, one))
    ]
    rates = rates_axis([arm.reward or 0.0 for arm in shown], "Mean reward")
    axes = [_axis(shown, kind) for kind in kinds]
    more = NO_COST if kinds == ["time"] else ""
    if any(arm.tasks < most for arm in shown):
        more += OPEN.format(most=most)
    if any(NONE in line for block in blocks for line in block.lines):
        more += MISSING
    more += _absent([arm for arm in own if arm not in drawn], kinds, labels) + _cut(left, labels)
    begin = f" (its scale begins at {rates.low:g})" if rates.low else ""
    caption = CAPTION.format(weighed=each_equal(plan), begin=begin, more=more)
    return Figure(
        "cost",
        "Reward against time" if kinds == ["time"] else "Reward against what it takes",
        noted(caption, [line[0] for block in blocks for line in block.lines]),
        " ".join(_spoken(block) for block in blocks),
        cost_chart(blocks, axes, rates, WIDE),
        cost_chart(blocks, axes, rates, NARROW),
        partial(cost_chart, blocks, axes, rates, COMPACT),
        table=TABLE,
        parts=partial(cost_parts, blocks, axes, rates),
    )


def _told(arms: Sequence[ArmResult], kind: str) -> bool:
    return any(MEASURES[kind].amount(arm) is not None for arm in arms)


def _shown(arms: Sequence[ArmResult]) -> tuple[list[ArmResult], list[ArmResult]]:
    """Return the arms there is room for, in order, and those left out: of systems with the fewest conditions."""
    systems = sorted(
        {arm.system for arm in arms},
        key=lambda one: (-sum(arm.system == one for arm in arms), one),
    )[:MOST_SYSTEMS]
    conditions = sorted({arm.condition for arm in arms}, key=condition_key)[:MOST_CONDITIONS]
    kept = [arm for arm in arms if arm.system in systems and arm.condition in conditions]
    kept.sort(key=lambda arm: (condition_key(arm.condition), arm.dataset, arm.drops, arm.system))
    return kept, [arm for arm in arms if arm not in kept]


def _conditions(shown: Sequence[ArmResult]) -> list[str]:
    """Return what each arm is called within its system: by condition, and data set and drops where need be."""
    pairs = [(arm.system, arm.condition) for arm in shown]
    several = {condition for system, condition in pairs if pairs.count((system, condition)) > 1}
    names = [
        " · ".join(
            part
            for part in (arm.condition, *((arm.dataset, arm.drops) * (arm.condition in several)))
            if part
        )
        for arm in shown
    ]
    once = list(dict.fromkeys(names))
    labels = dict(zip(once, apart(once), strict=True))
    return [labels[name] for name in names]


def _block(
    system: str, placed: Sequence[tuple[ArmResult, str, int]], kinds: Sequence[str], most: int
) -> Block:
    """Return what is drawn and listed of a system."""
    points: list[list[Point]] = [[] for _ in kinds]
    lines = []
    for arm, condition, number in placed:
        amounts = [MEASURES[kind].amount(arm) for kind in kinds]
        written = [
            NONE if amount is None else MEASURES[kind].write(amount)
            for kind, amount in zip(kinds, amounts, strict=True)
        ]
        name = marked(condition, arm.publishable)
        rate = wording.rate(arm.reward)
        lines.append((f"{number}  {name}", rate, *written, str(arm.tasks)))
        told = [
            f"{MEASURES[kind].head} {text if text != NONE else 'not recorded'}"
            for kind, text in zip(kinds, written, strict=True)
        ]
        about = f"{system}, {name}: reward {rate}, {', '.join(told)}, {wording.plural(arm.tasks, 'task')}"
        for amount, own in zip(amounts, points, strict=True):
            if amount is not None:
                own.append(Point(amount, arm.reward or 0.0, about, number, arm.tasks < most))
    heads = ("", "reward", *(MEASURES[kind].head for kind in kinds), "tasks")
    return Block(system, tuple(map(tuple, points)), heads, tuple(lines))


def _axis(shown: Sequence[ArmResult], kind: str) -> Axis:
    measure = MEASURES[kind]
    return axis_of(
        [value for arm in shown if (value := measure.amount(arm)) is not None], measure.title
    )


def _absent(absent: Sequence[ArmResult], kinds: Sequence[str], labels: Mapping[str, str]) -> str:
    """Say whose runs recorded nothing that is drawn."""
    if not absent:
        return ""
    names = {"cost": "cost", "tokens": "tokens", "time": "time"}
    what = " or ".join(names[kind] for kind in kinds)
    return f" Not drawn, having recorded no {what}: {_whose(absent, labels)}."


def _cut(left: Sequence[ArmResult], labels: Mapping[str, str]) -> str:
    """Say what there was no room for."""
    return f" Not drawn for want of room, but in the table: {_whose(left, labels)}." if left else ""


def _whose(arms: Sequence[ArmResult], labels: Mapping[str, str]) -> str:
    """Return arms by system, with the conditions of each."""
    told: dict[str, list[str]] = {}
    for arm in sorted(
        arms, key=lambda one: (by_name(labels, one.system), condition_key(one.condition))
    ):
        told.setdefault(by_name(labels, arm.system), []).append(wording.foreign(arm.condition))
    return listed(
        f"{system} ({joined(list(dict.fromkeys(conditions)))})"
        for system, conditions in told.items()
    )


def _spoken(block: Block) -> str:
    lines = [
        ", ".join(
            [
                line[0],
                *(f"{head} {text}" for head, text in zip(block.heads[1:], line[1:], strict=True)),
            ]
        )
        for line in block.lines
    ]
    return f"{block.system}: {listed(lines)}."
