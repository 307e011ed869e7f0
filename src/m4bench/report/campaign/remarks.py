# SPDX-License-Identifier: MIT
"""What limits contrasts, said once: remarks with the contrasts they concern, and what one side lacks. Knows no page."""

from collections.abc import Sequence
from dataclasses import dataclass

from m4bench.analysis.results import ContrastResult
from m4bench.report.campaign import writing

VERSION = "version "


@dataclass(frozen=True)
class Remark:
    """A remark, and the contrasts it concerns; `of_all` where those are all that were asked about."""

    said: str
    about: tuple[str, ...]
    of_all: bool


@dataclass(frozen=True)
class Lacking:
    """Tasks that several systems, or what else is held equal, have on one side alone; `absent` tells the other."""

    tasks: tuple[str, ...]
    names: tuple[str, ...]
    absent: str


def remarks(contrasts: Sequence[ContrastResult]) -> list[Remark]:
    """Return the remarks on contrasts in the order they are first made, each once."""
    about: dict[str, list[str]] = {}
    for one in contrasts:
        for note in one.notes:
            named = about.setdefault(note, [])
            if writing.compared(one) not in named:
                named.append(writing.compared(one))
    several = len(contrasts) > 1
    return [
        Remark(note, tuple(named), several and len(named) == len(contrasts))
        for note, named in about.items()
    ]


def lacking(contrast: ContrastResult) -> list[Lacking]:
    """Return what one side of a contrast lacks, systems with the same tasks together."""
    tasks_of: dict[tuple[str, str], list[str]] = {}
    for text in contrast.missing:
        where, _, absent = text.rpartition(": ")
        task, name = _task_and_name(where)
        tasks_of.setdefault((name, absent), []).append(task)
    names_of: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (name, absent), tasks in tasks_of.items():
        names_of.setdefault((tuple(tasks), absent), []).append(name)
    return [Lacking(tasks, tuple(names), absent) for (tasks, absent), names in names_of.items()]


def _task_and_name(where: str) -> tuple[str, str]:
    """Split a pair into its task, of which a version may be told behind a comma, and what is held equal."""
    task, _, rest = where.partition(", ")
    if rest.startswith(VERSION):
        version, _, rest = rest.partition(", ")
        task = f"{task}, {version}"
    return task, rest
