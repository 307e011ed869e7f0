# SPDX-License-Identifier: MIT
"""How far answers agree with one definition and another, where runs of several exist. Knows means of cells."""

from collections.abc import Mapping, Sequence
from functools import partial

from m4bench.analysis.estimate import quick_interval, units
from m4bench.analysis.order import condition_key, convention_key, schema_key
from m4bench.analysis.pairing import mean
from m4bench.analysis.words import each_equal
from m4bench.model.analysis import AnalysisPlan
from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.convention_chart import (
    COMPACT,
    NARROW,
    WIDE,
    Agreement,
    Side,
    convention_chart,
    convention_parts,
)
from m4bench.report.campaign.figures.means import Mean, Means, Place
from m4bench.report.campaign.figures.naming import (
    by_name,
    condition_label,
    distinct,
    listed,
    marked,
    noted,
    percent,
)
from m4bench.report.exhibits import Figure

MOST_ARMS = 24
TABLE = "arms"
CAPTION = (
    "Mean reward ({weighed}) of the same condition and system under each convention, over the tasks that all its "
    "conventions have: with whose definition of a concept the answers agree. Differences are from {base}, paired by "
    "task, with {level} intervals ({method}). {meanings}"
)
Arm = tuple[str, str, str]


def convention_figure(
    of: Sequence[Means], labels: Mapping[str, str], plan: AnalysisPlan
) -> Figure | None:
    """Return the figure, or nothing where no condition has runs of two conventions on one task.

    Args:
        of: the means under each convention.
        labels: what each system is called.
        plan: weighs the means and says which interval differences have.
    """
    of = sorted(of, key=lambda one: convention_key(one.convention))
    arms = sorted({_arm(place) for one in of for place in one.cells}, key=_rank)
    found = [made for arm in arms if (made := _agreement(arm, of, labels, plan))]
    if not found:
        return None
    shown = found[:MOST_ARMS]
    names = distinct(one.convention for one in of)
    meanings = "; ".join(
        f"{name}: {wording.CONVENTIONS[name]}" for name in names if name in wording.CONVENTIONS
    )
    bases = list(dict.fromkeys(one.sides[0].name.removesuffix(" †") for one in shown))
    caption = CAPTION.format(
        weighed=each_equal(plan),
        base=" or ".join(bases),
        level=percent(plan.confidence),
        method=writing.METHODS[plan.interval],
        meanings=f"{meanings[:1].upper()}{meanings[1:]}." if meanings else "",
    )
    if len(found) > len(shown):
        left = listed(one.name for one in found[MOST_ARMS:])
        caption += f" Not drawn, but in the table: {left}."
    return Figure(
        "conventions",
        "Agreement with each convention",
        noted(caption.strip(), [side.name for one in shown for side in one.sides]),
        " ".join(f"{one.name}: {listed(map(_told, one.sides))}." for one in shown),
        convention_chart(shown, WIDE),
        convention_chart(shown, NARROW),
        partial(convention_chart, shown, COMPACT),
        table=TABLE,
        parts=partial(convention_parts, shown),
    )


def _arm(place: Place) -> Arm:
    return place.condition, place.schema, place.system


def _rank(arm: Arm) -> tuple[object, ...]:
    return schema_key(arm[1]), condition_key(arm[0]), arm[2]


def _agreement(
    arm: Arm, of: Sequence[Means], labels: Mapping[str, str], plan: AnalysisPlan
) -> Agreement | None:
    """Return an arm's means under its conventions, over their common tasks; nothing where it has but one."""
    found: list[tuple[Means, dict[str, Mean]]] = []
    for one in of:
        cells = {at.task: cell for at, cell in one.cells.items() if _arm(at) == arm}
        if cells:
            found.append((one, cells))
    common = sorted(set.intersection(*(set(cells) for _, cells in found))) if found else []
    if len(found) < 2 or not common:
        return None
    families = [found[0][0].families[task] for task in common]
    name = f"{condition_label(*arm[:2])} · {by_name(labels, arm[2])}"
    base = found[0][1]
    sides = []
    for place, (one, cells) in enumerate(found):
        rewards = [cells[task].reward for task in common]
        fit = all(cells[task].publishable for task in common)
        called = marked(distinct([one.convention])[one.convention], fit)
        reward = mean(units(rewards, families, plan.weighting).values)
        if not place:
            sides.append(Side(called, reward))
            continue
        deltas = [cells[task].reward - base[task].reward for task in common]
        delta = mean(units(deltas, families, plan.weighting).values)
        sides.append(
            Side(called, reward, delta, quick_interval(deltas, families, plan, plan.weighting))
        )
    return Agreement(wording.foreign(name), wording.plural(len(common), "task"), tuple(sides))


def _told(side: Side) -> str:
    return " ".join(part for part in (side.name, *side.written) if part)
