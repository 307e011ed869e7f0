# SPDX-License-Identifier: MIT
"""How far answers agree with one definition and another, where runs of several exist. Knows means of cells."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean

from m4bench.analysis.order import conditions_in_order
from m4bench.report import wording
from m4bench.report.campaign.figures.means import Means, Place
from m4bench.report.campaign.figures.naming import (
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.row_chart import (
    COMPACT_ROWS,
    LARGE,
    NARROW_ROWS,
    WIDE_ROWS,
    Dot,
    Row,
    Scale,
    rows_chart,
)
from m4bench.report.exhibits import Figure

MOST_ARMS = 24
CAPTION = (
    "Mean reward of the same condition and system under each convention, over the tasks that all its conventions "
    "have: with whose definition of a concept the answers agree. {meanings}"
)


def convention_figure(of: Sequence[Means], labels: Mapping[str, str]) -> Figure | None:
    """Return the figure, or nothing where no condition has runs of two conventions on one task.

    Args:
        of: the means under each convention.
        labels: what each system is called.
    """
    rows: list[Row] = []
    told: list[str] = []
    arms = sorted({_arm(place) for means in of for place in means.cells})
    order = conditions_in_order(condition for condition, _, _ in arms)
    groups = 0
    for arm in sorted(arms, key=lambda arm: (order.index(arm[0]), *arm)):
        found = [
            (means, {p.task: m for p, m in means.cells.items() if _arm(p) == arm}) for means in of
        ]
        found = [(means, cells) for means, cells in found if cells]
        common = sorted(set.intersection(*(set(cells) for _, cells in found)))
        if len(found) < 2 or not common:
            continue
        groups += 1
        if groups > MOST_ARMS:
            continue
        heading = (
            f"{cut(condition_label(*arm[:2]))} · {by_name(labels, arm[2])}, "
            f"{wording.plural(len(common), 'task')}"
        )
        rows.append(Row(heading, parted=True, soft=True))
        values = {}
        for means, cells in found:
            mean = fmean(cells[task].reward for task in common)
            open_to_all = all(cells[task].publishable for task in common)
            name = marked(cut(wording.foreign(means.convention)), open_to_all)
            values[name] = wording.rate(mean)
            dot = Dot(mean, f"{heading}, {name}: {wording.rate(mean)}", size=LARGE)
            rows.append(Row(name, (dot,), (), (wording.rate(mean),), level=1))
        told.append(f"{heading}: {listed(f'{name} {rate}' for name, rate in values.items())}.")
    if not rows:
        return None
    meanings = "; ".join(
        f"{means.convention}: {wording.CONVENTIONS[means.convention]}"
        for means in of
        if means.convention in wording.CONVENTIONS
    )
    caption = CAPTION.format(meanings=f"{meanings[:1].upper()}{meanings[1:]}." if meanings else "")
    if groups > MOST_ARMS:
        caption += f" {groups - MOST_ARMS} more stand in the tables."
    scale = Scale(0.0, 1.0, "Mean reward", ("reward",))
    return Figure(
        "conventions",
        "Agreement with each convention",
        noted(caption.strip(), [row.name for row in rows]),
        " ".join(told),
        rows_chart(rows, scale, WIDE_ROWS),
        rows_chart(rows, scale, NARROW_ROWS),
        partial(rows_chart, rows, scale, COMPACT_ROWS),
    )


def _arm(place: Place) -> tuple[str, str, str]:
    return place.condition, place.schema, place.system
