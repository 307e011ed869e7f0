# SPDX-License-Identifier: MIT
"""What analysis needs to know of a task: its family, its mode, what of it is measured. Knows no run."""

from collections.abc import Mapping
from typing import NamedTuple

from m4bench.model.task import Task
from m4bench.suites.suite import load_suites


class TaskFacts(NamedTuple):
    """A task as an analysis sees it.

    `values` are the columns that the paper's per-task tables count, `unordered` those among them without an
    order; `site` is the database the task is asked of (`mimic-iv` or `eicu` in the derivation suite).
    """

    family: str
    mode: str
    values: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    site: str = ""


def installed_tasks() -> dict[str, Task]:
    """Return the tasks of the installed suites by name."""
    return {name: task for suite in load_suites().values() for name, task in suite.tasks().items()}


def facts_of(tasks: Mapping[str, Task]) -> dict[str, TaskFacts]:
    """Return the facts of tasks by name."""
    return {
        name: TaskFacts(
            task.family, task.mode, task.scoring.values, task.scoring.unordered, task.site
        )
        for name, task in tasks.items()
    }


def installed_task_facts() -> dict[str, TaskFacts]:
    """Return the facts of all tasks of the installed suites by name."""
    return facts_of(installed_tasks())
