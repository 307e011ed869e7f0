# SPDX-License-Identifier: MIT
"""Names that may be slips of the pen are noted, and taken as they stand."""

from typing import Any

import pytest

from m4bench.analysis.doubtful_names import doubtful_names
from m4bench.analysis.runs import RunRow
from tests.analysis.made_runs import made

TASK = "mimic-sofa-24h"


def runs_of(*others: dict[str, Any]) -> list[RunRow]:
    """Return a plain run of each condition, convention and schema that is known, and one with each of these values."""
    known = [made(TASK, "no-skill", 0.5), made(TASK, "with-skill-rawsql", 0.5)]
    return [*known, *(_run(**one) for one in others)]


def _run(condition: str = "no-skill", reward: float = 0.5, **others: Any) -> RunRow:
    return made(TASK, condition, reward, **others)


@pytest.mark.parametrize(
    ("others", "note"),
    [
        (
            [{"condition": "No-skill"}],
            "condition: No-skill (1 run) and no-skill (1 run) differ in case, hyphens or blanks alone and are taken "
            "as different: if one is meant, write them alike",
        ),
        ([{"condition": "no_skill"}] * 2, "condition: no-skill (1 run) and no_skill (2 runs) differ in case"),
        ([{"model": "M"}], "model: M (1 run) and m (2 runs) differ in case"),
        (
            [{"condition": "with-skil"}],
            "condition: with-skil (1 run) is taken as it stands: did you mean with-skill?",
        ),
        (
            [{"convention": "publshed"}],
            "convention: publshed (1 run) is taken as it stands: did you mean published?",
        ),
        ([{"schema": "obfuscate"}], "did you mean obfuscated?"),
        (
            [{"state": "time-out"}] * 3,
            "state: time-out (3 runs) is none that is known here and counts as a measurement: did you mean timeout?",
        ),
        (
            [{"state": "lost-badge", "valid": False}],
            "state: lost-badge (1 run) is none that is known here and counts as none",
        ),
    ],
)  # fmt: skip
def test_a_name_that_may_be_mistyped_is_noted(others: list[dict[str, Any]], note: str) -> None:
    """Each with how many runs it is of, and what may have been meant."""
    (found,) = doubtful_names(runs_of(*others))
    assert note in found


def test_names_of_ones_own_are_no_slips() -> None:
    """Conditions, conventions and models that are like no other, and all that are known, say nothing."""
    runs = runs_of(
        {"condition": "with-skill-v2"},
        {"condition": "with-skill+checks"},
        {"convention": "hospital"},
        {"convention": "adjudicated"},
        {"schema": "shifted"},
        {"model": "gpt-5.4"},
        {"model": "gpt-5.4-mini"},
        {"state": "timeout", "reward": 0.0},
    )
    assert doubtful_names(runs) == []
