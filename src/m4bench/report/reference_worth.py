# SPDX-License-Identifier: MIT
"""What the references behind a report's figures are worth as clinical truth, by family. Knows no run."""

from dataclasses import dataclass

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.validity import Validity, reference_validity, validity

SUITE = "derivation"


@dataclass(frozen=True)
class Worth:
    """A family's references: what they keep and what to beware of, with the names of those who said so."""

    family: str
    validity: Validity
    sources: dict[str, str]
    review: str
    review_was_not: str


def worth_of(task: Task | None) -> Worth | None:
    """Return what is known of a task's reference; None for a task of another suite or of a family unknown here."""
    if task is None or task.suite != SUITE:
        return None
    try:
        found = validity(task.family)
    except InputError:
        return None
    known = reference_validity()
    return Worth(task.family, found, dict(known.sources), known.review.was, known.review.was_not)
