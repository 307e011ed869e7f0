# SPDX-License-Identifier: MIT
"""The published tables of submitted keys, and of key F1 and nMAE by task. Knows the primary campaign alone."""

from functools import partial

from m4bench.analysis.paper.arms import CONTROL, SKILL, CellName, PaperRuns, Side
from m4bench.analysis.paper.cells import (
    Cell,
    Column,
    PaperTable,
    Row,
    columns,
    definition,
    design,
    figure,
)
from m4bench.analysis.paper.measures import (
    Measure,
    Runs,
    average,
    cell_mean,
    cell_means,
    cells,
    extra_keys,
    key_f1,
    key_precision,
    mean_delta,
    ordered_nmae,
    reward,
)
from m4bench.analysis.paper.shape import cell_count
from m4bench.analysis.paper.tasks import PAPER_TASKS, ordered_columns
from m4bench.analysis.runs import RunRow

SHOWN_CELLS = 5


def _mean_of_cells(runs: Runs, measure: Measure) -> float | None:
    return average(list(cell_means(runs, measure).values()))


def _worst(runs: Runs) -> list[CellName]:
    """Return the cells with most extra keys, most first."""
    totals = {name: extra_keys(found) for name, found in cells(runs).items()}
    return sorted(totals, key=lambda name: (-totals[name], name))[:SHOWN_CELLS]


def _label(name: CellName) -> str:
    return f"{name.task} / {name.condition} / {name.model}"


def _order(runs: Runs) -> str:
    return "\n".join(_label(name) for name in _worst(runs))


def _summary_row(selection: tuple[RunRow, ...], side: Side) -> Row:
    return {
        "condition_or_worst_cell": side.condition,
        "cells_runs": design(selection, cell_count),
        "mean_key_f1": figure(selection, partial(_mean_of_cells, measure=key_f1)),
        "mean_key_precision": figure(selection, partial(_mean_of_cells, measure=key_precision)),
        "extra_keys": figure(selection, extra_keys),
    }


def key_table(runs: PaperRuns) -> PaperTable:
    """Return key F1, precision and extra keys by condition, and of the five cells with most extra keys."""
    both = runs.primary.select(CONTROL, SKILL)
    rows: list[Row] = [_summary_row(runs.primary.select(side), side) for side in (CONTROL, SKILL)]
    for name in _worst(both):
        selection = runs.primary.cells[name]
        rows.append(
            {
                "condition_or_worst_cell": _label(name),
                "cells_runs": figure(selection, len),
                "mean_key_f1": figure(selection, partial(cell_mean, measure=key_f1)),
                "mean_key_precision": figure(selection, partial(cell_mean, measure=key_precision)),
                "extra_keys": figure(selection, extra_keys),
            }
        )
    return PaperTable(
        "codex_key_precision",
        "Submitted keys by condition, and the cells with most extra keys",
        ("condition_or_worst_cell",),
        columns("condition_or_worst_cell cells_runs mean_key_f1 mean_key_precision extra_keys"),
        tuple(rows),
        order=figure(both, _order),
        note="Means are over 56 cells in the rows of conditions and over runs in those of cells.",
    )


def _delta(selection: tuple[RunRow, ...], measure: Measure) -> Cell:
    return figure(selection, partial(mean_delta, treatment=SKILL, control=CONTROL, measure=measure))


def diagnostics_by_task(runs: PaperRuns) -> PaperTable:
    """Return deltas of reward, key F1 and nMAE by task, with the number of its ordered columns."""
    rows: list[Row] = []
    for task in PAPER_TASKS:
        selection = runs.primary.select(CONTROL, SKILL, tasks=[task])
        ordered = ordered_columns(task)
        rows.append(
            {
                "task": task,
                "reward_delta": _delta(selection, reward),
                "key_f1_delta": _delta(selection, key_f1),
                "nmae_delta": _delta(selection, ordered_nmae) if ordered else definition(None),
                "ordered_cols": definition(ordered),
            }
        )
    return PaperTable(
        "codex_secondary_diagnostics_by_task",
        "Deltas of reward, key F1 and ordered nMAE by task",
        ("task",),
        (
            *columns("task reward_delta key_f1_delta"),
            Column("nmae_delta", absent="NA"),
            Column("ordered_cols"),
        ),
        tuple(rows),
        note="A task without an ordered value column has no nMAE.",
    )
