# SPDX-License-Identifier: MIT
"""Which figures a campaign's report has, each where its data exist. Knows neither how one is drawn nor its place."""

from collections.abc import Sequence
from dataclasses import replace

from m4bench.analysis.results import Analysis
from m4bench.analysis.runs import RunTable
from m4bench.report import wording
from m4bench.report.campaign.figures.conventions import convention_figure
from m4bench.report.campaign.figures.costs import cost_figure
from m4bench.report.campaign.figures.decomposition import decomposition
from m4bench.report.campaign.figures.failures import failure_figure
from m4bench.report.campaign.figures.forest import MOST_FORESTS, forest
from m4bench.report.campaign.figures.heat_map import heat_maps
from m4bench.report.campaign.figures.means import ASIDE, Means, conventions, means
from m4bench.report.campaign.figures.naming import system_labels
from m4bench.report.campaign.figures.schemas import schema_figure
from m4bench.report.campaign.figures.standings import standings_figure
from m4bench.report.campaign.figures.strict_figure import strict_figure
from m4bench.report.exhibits import Figure

DRAWN_METRIC = "reward"
OF_ONE_CONVENTION = {"heat", "decomposition", "strict", "cost"}


def campaign_figures(analysis: Analysis, table: RunTable) -> list[Figure]:
    """Return the figures of a campaign in the order they are shown; none where nothing was measured.

    Args:
        analysis: what was found.
        table: the runs it was found in.
    """
    labels = system_labels(table, [arm.system for arm in analysis.arms])
    denominator = analysis.plan.denominator
    of = [means(table, denominator, name) for name in conventions(table)]
    of = [one for one in of if one.cells]
    if not of:
        return [figure for figure in [failure_figure(table, labels, analysis.plan)] if figure]
    shown = of[0]
    figures = [
        *_forests(analysis, labels),
        *heat_maps(shown, labels),
        _aside(decomposition(shown.publishable_first(), analysis.plan), shown),
        schema_figure(analysis, labels),
        convention_figure(of, labels, analysis.plan),
        _aside(strict_figure(shown.publishable_first(), labels), shown),
        cost_figure(analysis.arms, shown.convention, labels, analysis.plan),
        failure_figure(table, labels, analysis.plan),
        standings_figure(analysis.standings, labels, analysis.plan),
    ]
    return [_settled(figure, of) for figure in figures if figure]


def _settled(figure: Figure, of: Sequence[Means]) -> Figure:
    """Say in a caption which convention the means are of where there are several, and what they are over."""
    if figure.name.split("-")[0] not in OF_ONE_CONVENTION:
        return figure
    note = ""
    if len(of) > 1:
        note += f" Runs scored under the {wording.foreign(of[0].convention)} convention."
    if of[0].settings > 1:
        note += " Some means are over runs of several settings (data set, drops or sandbox), each equal."
    return replace(figure, caption=figure.caption + note)


def _aside(figure: Figure | None, of: Means) -> Figure | None:
    """Say in a caption that what may not be published stands aside, where it does."""
    if figure is None or len(of.publishable_first().cells) == len(of.cells):
        return figure
    return replace(figure, caption=figure.caption + ASIDE)


def _forests(analysis: Analysis, labels: dict[str, str]) -> list[Figure]:
    """Return a forest a contrast of rewards, the primary ones first; a caption says how many have none."""
    every = [one for one in analysis.contrasts if one.task_deltas]
    found = [one for one in every if one.metric == DRAWN_METRIC]
    found.sort(key=lambda one: one.role != "primary")
    shown = found[:MOST_FORESTS]
    conditions = {arm.condition for arm in analysis.arms}
    figures = [
        forest(contrast, labels, f"forest-{place}", analysis.plan, conditions)
        for place, contrast in enumerate(shown, 1)
    ]
    if figures and len(found) > len(shown):
        more = wording.plural(len(found) - len(shown), "more comparison")
        rest = f" {more} not drawn; the tables have them."
        figures[-1] = replace(figures[-1], caption=figures[-1].caption + rest)
    return figures
