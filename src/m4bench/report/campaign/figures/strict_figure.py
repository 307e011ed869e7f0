# SPDX-License-Identifier: MIT
"""Graded reward against strict passes, a point a cell, a panel a condition. Knows means of cells and no run."""

from collections.abc import Mapping
from functools import partial
from statistics import fmean

from m4bench.analysis.order import conditions_in_order
from m4bench.report import wording
from m4bench.report.campaign.figures.means import Mean, Means, Place
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    by_name,
    condition_label,
    cut,
    listed,
    marked,
    noted,
)
from m4bench.report.campaign.figures.scatter_chart import (
    NARROW_PLOT,
    PANEL,
    Axis,
    Panel,
    Point,
    small_panels,
)
from m4bench.report.exhibits import Figure

MOST_PANELS = 9
CAPTION = (
    "A circle is a task under a condition by a system: its mean reward, and the share of its runs that pass "
    "strictly. One with a number stands for so many that lie close together, at their mean. To the right and low "
    "lie answers that are nearly right everywhere and still fail a check."
)


def strict_figure(means: Means, labels: Mapping[str, str]) -> Figure | None:
    """Return the figure, or nothing where no run passes strictly."""
    if not any(mean.passes for mean in means.cells.values()):
        return None
    groups: dict[tuple[str, str], dict[Place, Mean]] = {}
    for place, mean in means.cells.items():
        groups.setdefault((place.condition, place.schema), {})[place] = mean
    order = conditions_in_order(condition for condition, _ in groups)
    arms = sorted(groups, key=lambda arm: (arm[1] != NATIVE, arm[1], order.index(arm[0])))
    passed = [arm for arm in arms if any(mean.passes for mean in groups[arm].values())]
    shown = passed[:MOST_PANELS]
    headings = {
        arm: marked(
            cut(wording.foreign(condition_label(*arm)), 34),
            all(mean.publishable for mean in groups[arm].values()),
        )
        for arm in shown
    }
    panels, told = [], []
    for arm in shown:
        cells = groups[arm]
        passes, runs = sum(m.passes for m in cells.values()), sum(m.runs for m in cells.values())
        counted = f"{wording.count(passes)} of {wording.plural(runs, 'run')} strict"
        points = tuple(
            Point(mean.reward, mean.passes / mean.runs, _about(place, mean, labels))
            for place, mean in sorted(cells.items())
        )
        panels.append(Panel(points, Axis(-0.02, 1.02, "Mean reward"), (headings[arm], counted)))
        reward = wording.rate(fmean(mean.reward for mean in cells.values()))
        told.append(f"{headings[arm]}: mean reward of cells {reward}, {counted}")
    caption = CAPTION
    if len(passed) > len(shown):
        caption += f" {len(passed) - len(shown)} more conditions stand in the tables."
    if len(arms) > len(passed):
        none = listed(wording.foreign(condition_label(*arm)) for arm in arms if arm not in passed)
        caption += f" No run passes strictly under: {none}."
    title = "Strict share"
    return Figure(
        "strict",
        "Strict passes against graded reward",
        noted(caption, headings.values()),
        f"{listed(told)}.",
        small_panels(panels, title, columns=3, wide=PANEL),
        small_panels(panels, title, columns=1, wide=NARROW_PLOT - 20),
        partial(small_panels, panels, title, columns=2, wide=PANEL),
    )


def _about(place: Place, mean: Mean, labels: Mapping[str, str]) -> str:
    return (
        f"{cut(wording.foreign(place.task))}, {by_name(labels, place.system)}: reward "
        f"{wording.rate(mean.reward)}, {mean.passes} of {mean.runs} strict"
    )
