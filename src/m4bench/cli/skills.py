# SPDX-License-Identifier: MIT
"""`m4bench skills`: hold a written procedure against what it has to say. Knows only how to print it."""

from typing import Annotated

import typer

from m4bench.cli.options import JsonOption, counted, notes, output, print_json
from m4bench.cli.specification_screen import (
    show_absent,
    show_counts,
    show_elements,
    show_findings,
)
from m4bench.model.errors import MeasurementFailedError
from m4bench.suites.derivation.specifications.skill_lint import SkillReport, lint_skill

app = typer.Typer(
    help="Written procedures for agents and people: check them.", no_args_is_help=True
)


@app.callback()
def skills() -> None:
    """Written procedures for agents and people: check them."""


@app.command()
def lint(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A skill's folder or its SKILL.md, or a skill that comes with m4bench.",
        ),
    ],
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="TASK",
            help="The task it has to be whole for (default: those of the family it is named for).",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a skill's form, elements and facts.

    Exit 1 when it fails.
    """
    report = lint_skill(path, task)
    if not report.tasks:
        notes.print(
            "its facts were not checked: say with --task which task it is for", markup=False
        )
    if as_json:
        print_json(report.record())
    else:
        _show(report)
    if not report.passed:
        raise MeasurementFailedError(_failure(report))


def _show(report: SkillReport) -> None:
    found = report.assessment
    if report.tasks:
        output.print(f"{report.name}, held against {', '.join(report.tasks)}", markup=False)
    show_elements({report.name: found})
    if report.tasks:
        output.print()
        show_counts({report.name: found})
    if report.form or found.contradictions:
        output.print()
    show_findings((*report.form, *found.contradictions))
    if found.absent:
        output.print()
    show_absent(found.absent, "skill")
    show_findings(report.changed)
    # What one of our own skills lost stands among what changed.
    for words in () if report.changed else report.lost:
        output.print(
            f"no longer states what is recorded of it: {words} …", markup=False, soft_wrap=True
        )


def _failure(report: SkillReport) -> str:
    found = report.assessment
    told = []
    if report.form:
        told.append(f"{counted(len(report.form), 'finding')} of form")
    if report.ours and report.unstated_elements:
        told.append(f"{counted(len(report.unstated_elements), 'element')} not stated")
    if found.contradictions:
        told.append(counted(len(found.contradictions), "contradiction"))
    if found.absent:
        told.append(f"{counted(len(found.absent), 'fact')} absent")
    if report.changed:
        told.append(f"{counted(len(report.changed), 'change')} since it was recorded")
    if report.lost:
        told.append(f"{counted(len(report.lost), 'sentence')} that lost a fact")
    failure = f"the skill {report.name} has {', '.join(told)}"
    if report.changed:
        failure += "; read what changed against the SQL, then record it with `make stated`"
    return failure
