# SPDX-License-Identifier: MIT
"""Task deltas of the paper's released runs, computed here in plain Python so that tests need nothing else."""

import csv
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

Cells = dict[tuple[str, str, str], list[float]]


def rows(shared: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a released table of runs, native schema alone."""
    with (shared / "published" / name).open(newline="") as handle:
        return [row for row in csv.DictReader(handle) if row["schema"] == "native"]


def cells(table: list[dict[str, str]], value: Callable[[dict[str, str]], float | None]) -> Cells:
    """Return the values of runs by task, condition and model, runs without one left out."""
    found: Cells = defaultdict(list)
    for row in table:
        measured = value(row)
        if measured is not None:
            found[row["task"], row["condition"], row["model"]].append(measured)
    return found


def deltas(found: Cells, treatment: str, control: str) -> dict[str, float]:
    """Return the delta of each task that has both, models equal, tasks in alphabetical order."""
    tasks = sorted({task for task, condition, _ in found if condition == treatment})
    result = {}
    for task in tasks:
        sides = [
            fmean(found[task, treatment, model]) - fmean(found[task, control, model])
            for name, condition, model in sorted(found)
            if (name, condition) == (task, treatment) and (task, control, model) in found
        ]
        if sides:
            result[task] = fmean(sides)
    return result


def family(task: str) -> str:
    """Return the family a task's name tells, as the specification of tasks has it."""
    return re.sub(r"^(mimic|eicu)-|-raw$|-(24|48)h(?=-raw$|$)", "", task)


def number(column: str) -> Callable[[dict[str, str]], float | None]:
    """Return what reads a column, empty fields being values that do not exist."""
    return lambda row: float(row[column]) if row[column] else None
