# SPDX-License-Identifier: MIT
"""The tables of all cells of the released campaigns. Knows no contrast."""

from collections.abc import Callable
from functools import partial

from m4bench.analysis.paper.arms import Campaign, PaperRuns
from m4bench.analysis.paper.cells import Cell, PaperTable, Row, columns, figure
from m4bench.analysis.paper.measures import (
    Runs,
    cell_mean,
    extra_keys,
    key_f1,
    key_precision,
    ordered_nmae,
    reward,
    strict_passes,
)

KEYS = ("task", "condition", "schema", "model")
FIGURES: dict[str, Callable[[Runs], float | int | None]] = {
    "runs": len,
    "mean_reward": partial(cell_mean, measure=reward),
    "strict_passes": strict_passes,
    "mean_key_f1": partial(cell_mean, measure=key_f1),
    "mean_key_precision": partial(cell_mean, measure=key_precision),
    "sum_extra_keys": extra_keys,
    "mean_ordered_nmae": partial(cell_mean, measure=ordered_nmae),
}
OF_FOLLOWUP = ("runs", "mean_reward", "strict_passes")


def _table(campaign: Campaign, name: str, title: str, figures: tuple[str, ...]) -> PaperTable:
    rows: list[Row] = []
    for cell, selection in campaign.cells.items():
        made: dict[str, Cell] = {one: figure(selection, FIGURES[one]) for one in figures}
        rows.append(dict(zip(KEYS, cell, strict=True)) | made)
    return PaperTable(
        name, title, KEYS, columns(" ".join((*KEYS, *figures)), decimals=6), tuple(rows)
    )


def primary_cells(runs: PaperRuns) -> PaperTable:
    """Return the cells of the primary campaign."""
    return _table(
        runs.primary, "cells_codex_primary", "Cells of the primary campaign", tuple(FIGURES)
    )


def followup_cells(runs: PaperRuns) -> PaperTable:
    """Return the cells of the follow-up campaign, whose run list has no key metrics."""
    return _table(
        runs.followup, "cells_codex_followup", "Cells of the follow-up campaign", OF_FOLLOWUP
    )


def local_cells(runs: PaperRuns) -> PaperTable:
    """Return the cells of the exploratory local arm."""
    return _table(runs.local, "cells_oss", "Cells of the local arm", tuple(FIGURES))
