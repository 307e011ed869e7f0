# SPDX-License-Identifier: MIT
"""Rewards side by side: tasks by condition and schema for one system, systems for one task. Knows no page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from m4bench.analysis.runs import Setting, System
from m4bench.report.site.boards import CellFigures, Place, place_order
from m4bench.report.site.study import Study

MOST_TOGETHER = 8


@dataclass(frozen=True)
class Grid:
    """Cells of one setting; a column is a condition in a schema.

    `cells` by row and column: first what is on the board, then what may not be published.
    """

    setting: Setting
    rows: tuple[str, ...]
    columns: tuple[Place, ...]
    cells: Mapping[tuple[str, Place], tuple[CellFigures, ...]]


def of_system(study: Study, system: System) -> list[Grid]:
    """Return the tasks of a system by condition and schema."""
    return _grids(
        (seat.board.place, task, figures)
        for seat in study.seats[system]
        for task, figures in seat.entry.cells.items()
    )


def of_task(study: Study, task: str) -> list[Grid]:
    """Return the systems of a task by condition and schema."""
    return _grids(
        (board.place, str(entry.system), entry.cells[task])
        for board in study.boards
        for entry in (*board.entries, *board.aside)
        if task in entry.cells
    )


def _grids(found: Iterable[tuple[Place, str, CellFigures]]) -> list[Grid]:
    """Return a grid a setting, or where that has many columns, a grid a setting and schema."""
    cells: dict[Place, dict[str, list[CellFigures]]] = {}
    for place, row, figures in found:
        cells.setdefault(place, {}).setdefault(row, []).append(figures)
    wide: dict[Setting, list[Place]] = {}
    for place in sorted(cells, key=place_order):
        wide.setdefault(place.setting, []).append(place)
    return [
        Grid(
            group[0].setting,
            tuple(sorted({row for place in group for row in cells[place]})),
            tuple(group),
            {
                (row, place): tuple(figures)
                for place in group
                for row, figures in cells[place].items()
            },
        )
        for places in wide.values()
        for group in _divided(places)
    ]


def _divided(places: list[Place]) -> list[list[Place]]:
    if len(places) <= MOST_TOGETHER:
        return [places]
    return [list(group) for _, group in groupby(places, key=lambda place: place.schema)]
