# SPDX-License-Identifier: MIT
"""A contrast made a question: its sides, and the pairs of cells in one setting that answer it. Knows no figure."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from m4bench.analysis.advice import form_that_works
from m4bench.analysis.pairing import (
    Metric,
    Pair,
    Pairing,
    Reading,
    entering_and_unmeasured,
    is_publishable,
    pair,
    publishable,
    task_effects,
)
from m4bench.analysis.pools import Pools
from m4bench.analysis.results import Role
from m4bench.analysis.runs import entering
from m4bench.analysis.sides import Sides
from m4bench.analysis.words import minus
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.model.errors import InputError


@dataclass(frozen=True)
class Question:
    """A contrast with its sides found in the runs, and the pairs of cells that answer it."""

    declared: DeclaredContrast
    sides: Sides
    pairing: Pairing
    role: Role
    setting: str = ""

    @cached_property
    def standing(self) -> tuple[Pair, ...]:
        """The pairs that figures are made of: the publishable ones where there are any, else every one."""
        if not any(map(_shows_publishable, self.pairing.pairs)):
            return self.pairing.pairs
        return tuple(
            one
            for one in self.pairing.pairs
            if is_publishable(one.treatment) and is_publishable(one.control)
        )


def _shows_publishable(one: Pair) -> bool:
    """Tell whether a pair has publishable measured runs on both sides."""
    return all(any(publishable(runs) for runs in side) for side in (one.treatment, one.control))


class Asked(NamedTuple):
    """The questions that a contrast is, one in each setting it can be answered in, and notes on the other settings."""

    questions: tuple[Question, ...]
    notes: tuple[str, ...]


def ask(
    declared: DeclaredContrast, sides: Sides, role: Role, pools: Pools, reading: Reading
) -> Asked:
    """Find the pairs of a contrast in each convention, data, access and drops, unless its sides name these.

    Raises:
        InputError: no task has cells of both sides with a number each that differ in nothing else.
    """
    questions, empty = [], []
    for setting, cells in pools.apart(sides.treatment.named).items():
        question = Question(declared, sides, pair(cells, sides), role, setting)
        if task_effects(question.standing, reading):
            questions.append(question)
        elif question.pairing.pairs or question.pairing.missing:
            empty.append(setting)
    if not questions:
        works = form_that_works(sides, pools, reading)
        raise InputError(
            f"the contrast {declared.contrast} has no task with measured runs of both sides",
            remedy=f"its sides differ in more than it names: write {works}"
            if works
            else "what a contrast does not name is held equal (task, system, data, convention, drops, sandbox): "
            "name more fields of each side where they differ on purpose, or choose arms that share tasks",
        )
    return Asked(
        tuple(questions),
        tuple(
            f"{minus(sides.treatment.label, sides.control.label)} has no result in {setting}: no task has measured "
            "runs of both sides"
            for setting in empty
        ),
    )


def reading_of(metric: Metric, plan: AnalysisPlan) -> Reading:
    """Return how a plan reads a metric of cells."""
    return Reading(metric, entering if plan.denominator == "valid" else entering_and_unmeasured)
