# SPDX-License-Identifier: MIT
"""The naive baseline: what a hurried analyst would query from the source tables. Knows no reference."""

from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT

NAIVE = "naive.sql"


def naive_path(task: Task, root: Path = TASKS_ROOT) -> Path:
    """Return the file of a task's naive query; the tasks of a family share it."""
    return root / task.family / NAIVE


def naive_sql(task: Task, root: Path = TASKS_ROOT) -> str:
    """Return one DuckDB SELECT over source schemas alone, without a closing semicolon.

    Its columns are the task's required columns in their order, its rows of the task's grain.

    Raises:
        InputError: the task's family has no naive query.
    """
    path = naive_path(task, root)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"the family {task.family} has no naive query", file=path) from error
    return text.strip().removesuffix(";").rstrip()
