# SPDX-License-Identifier: MIT
"""The pages of a report: one over all tasks and one a task, each complete in itself. Knows no file.

A page needs no network and no script; links lead to the report's other files, beside it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from markupsafe import Markup

from m4bench.harness.finished.results import Results
from m4bench.harness.finished.states import in_short
from m4bench.model.errors import InputError
from m4bench.model.run import RunRecord
from m4bench.model.task import Task
from m4bench.report import wording
from m4bench.report.arms import ArmName, shared_by_all
from m4bench.report.card_columns import CardColumn, card_columns
from m4bench.report.disagreements import Examination, Worked, losses_in_words, reason, worked
from m4bench.report.drawing import inline
from m4bench.report.exhibits import Figure
from m4bench.report.facts import facts, holds_credentialed
from m4bench.report.lowest import lowest_columns, worst_rows
from m4bench.report.opening import answered, asked
from m4bench.report.provenance import Provenances
from m4bench.report.reference_worth import worth_of
from m4bench.report.summary import ArmSummary, Cell, Question, Summary
from m4bench.report.templating import render
from m4bench.report.trouble import Trouble, notes
from m4bench.report.usage import used
from m4bench.suites.derivation.tasks.cards import card

LONGEST_SLUG = 60
MOST_RUNS = 2_000
MOST_RUNS_OF_A_TASK = 400
MOST_COLUMNS = 24
OF_A_TASK = ("Dataset", "Recipe", "Condition", "Schema", "Drops", "Convention", "Sandbox")


@dataclass(frozen=True)
class Drawn:
    """A figure and its drawings as SVG: for a page, for a phone, and in parts for print where it is too high."""

    figure: Figure
    svg: str
    narrow: str
    printed: tuple[str, ...] = ()

    @property
    def markup(self) -> Markup:
        """The drawing as an element of a page, labelled by its caption."""
        return Markup(inline(self.svg, f"{self.figure.name}-title"))  # noqa: S704 - drawn by us, escaped there

    @property
    def narrow_markup(self) -> Markup:
        """The drawing for a phone as an element of a page, labelled by the same caption."""
        return Markup(inline(self.narrow, f"{self.figure.name}-title"))  # noqa: S704 - as above

    @property
    def printed_markup(self) -> list[Markup]:
        """The parts for print as elements of a page, labelled by the same caption."""
        label = f"{self.figure.name}-title"
        return [Markup(inline(part, label)) for part in self.printed]  # noqa: S704 - as above


@dataclass(frozen=True)
class Study:
    """Everything the pages speak of."""

    results: Results
    summary: Summary
    tasks: Mapping[str, Task]
    examination: Examination
    troubles: Sequence[Trouble]
    proven: Provenances = field(default_factory=dict)
    slugs: Mapping[Question, str] = field(default_factory=dict)


def slugs(questions: Sequence[Question]) -> dict[Question, str]:
    """Return a file name a question: readable, safe, and unique even for names of nothing but signs."""
    several = len({question.task for question in questions}) < len(questions)
    found: dict[Question, str] = {}
    for question in questions:
        text = f"{question.task} {question.version}" if several else question.task
        word = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:LONGEST_SLUG].strip("-")
        slug, number = word or "task", 1
        while slug in found.values():
            number += 1
            slug = f"{word or 'task'}-{number}"
        found[question] = slug
    return found


def front_page(
    study: Study,
    figures: Sequence[Drawn],
    tables: Sequence[str],
    campaign: Mapping[str, Any] | None = None,
) -> str:
    """Return the page over all tasks; `campaign` is what its part on a campaign shows, where it has one."""
    summary = study.summary
    chosen = worked(summary, study.examination)
    return render(
        "page.html",
        _shared(study, tables)
        | {"campaign": None}
        | dict(campaign or {})
        | {
            "root": "",
            "figures": figures,
            "asked": asked(summary, study.tasks, study.proven),
            "answered": answered(summary),
            "agents": len({arm.arm.program for arm in summary.arms}),
            "facts": facts(summary.runs, study.proven),
            "lowest": lowest_columns(summary, study.tasks),
            "worst": worst_rows(summary),
            "worked": chosen,
            "meanings": _meanings(study, chosen),
            "listed": listed_runs(summary),
            "columns": summary.measured_arms[:MOST_COLUMNS],
            "uneven": len({_measured(arm) for arm in summary.measured_arms}) > 1,
            "shared": shared_by_all([arm.arm for arm in summary.arms]),
        },
    )


def listed_runs(summary: Summary) -> list[tuple[Question, ArmName, RunRecord]]:
    """Return the runs that the front page lists one by one, with task and arm: as many as it has room for."""
    found = (
        (question, name, run)
        for question in summary.questions
        for name, cell in summary.of_question(question)
        for run in cell.runs
    )
    return list(islice(found, MOST_RUNS))


def task_page(
    study: Study, question: Question, figures: Sequence[Drawn], tables: Sequence[str]
) -> str:
    """Return the page of one task; it says what it says of that task's runs alone."""
    summary = study.summary
    cells = summary.of_question(question)
    place = summary.questions.index(question)
    task = study.tasks.get(question.task)
    examined = [
        study.examination[question, cell.arm]
        for _, cell in cells
        if (question, cell.arm) in study.examination
    ]
    return render(
        "task.html",
        _shared(study, tables)
        | {
            "root": "../",
            "figures": figures,
            "question": question,
            "cells": cells,
            "listed": _first_runs(cells),
            "used": used(cells)[:MOST_RUNS_OF_A_TASK],
            "most": MOST_RUNS_OF_A_TASK,
            "task": task,
            "purpose": _purpose(task, question),
            "examined": examined,
            "columns": card_columns(task, question.version),
            "worth": worth_of(task),
            "facts": [
                fact
                for fact in facts([run for _, cell in cells for run in cell.runs], study.proven)
                if fact.label in OF_A_TASK
            ],
            "before": summary.questions[place - 1] if place else None,
            "after": summary.questions[place + 1] if place + 1 < len(summary.questions) else None,
        },
    )


def _first_runs(
    cells: Sequence[tuple[ArmName, Cell]],
) -> list[tuple[ArmName, Cell, RunRecord]]:
    """Return the runs that a task's page lists one by one: as many of each cell, so that no agent goes unlisted."""
    each = max(MOST_RUNS_OF_A_TASK // max(len(cells), 1), 1)
    return [(name, cell, run) for name, cell in cells for run in cell.runs[:each]]


def _shared(study: Study, tables: Sequence[str]) -> dict[str, Any]:
    return {
        "results": study.results,
        "summary": study.summary,
        "tasks": study.tasks,
        "slugs": study.slugs,
        "troubles": study.troubles,
        "credentialed": holds_credentialed(study.summary.runs),
        "shown": any(examined.rows for examined in study.examination.values()),
        "notes": notes,
        "by_design": any(run.cell.agent in wording.BASELINES for run in study.summary.runs),
        "ended": in_short,
        "table_names": tables,
        "losses_in_words": losses_in_words,
        "reason": reason,
    }


def _measured(arm: ArmSummary) -> frozenset[Question]:
    return frozenset(cell.question for cell in arm.cells if cell.reward is not None)


def _meanings(study: Study, chosen: Worked | None) -> dict[str, CardColumn]:
    """Return the columns of the card of the task that is worked, by name."""
    if chosen is None:
        return {}
    task = study.tasks.get(chosen.question.task)
    return {column.name: column for column in card_columns(task, chosen.question.version)}


def _purpose(task: Task | None, question: Question) -> list[str]:
    """Return the first paragraphs of a task's card, where the installed card is the one of the runs."""
    if task is None or str(task.version) != question.version:
        return []
    try:
        text = card(task)
    except InputError:
        return []
    before_sections = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    paragraphs = [part.strip() for part in before_sections.split("\n\n")]
    return [part.replace("`", "") for part in paragraphs if part and not part.startswith("#")]
