# SPDX-License-Identifier: MIT
"""The naive baseline: what a hurried analyst would query from the source tables. Knows no reference."""

from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import family_file
from m4bench.suites.derivation.tasks.texts import read_regular

NAIVE = "naive.sql"


def naive_path(task: Task, root: Path | None = None) -> Path:
    """Return the file of a task's naive query: its own, or the one the tasks of its family share."""
    return family_file(task, NAIVE, root)


def naive_sql(task: Task, root: Path | None = None) -> str:
    """Return one DuckDB SELECT over source schemas alone, without a closing semicolon.

    Its columns are the task's required columns in their order, its rows of the task's grain.

    Raises:
        InputError: the task's family has no naive query.
    """
    path = naive_path(task, root)
    try:
        text = read_regular(path)
    except OSError as error:
        raise InputError(f"the family {task.family} has no naive query", file=path) from error
    return text.strip().removesuffix(";").rstrip()
