# SPDX-License-Identifier: MIT
"""Which known name may have been meant."""

import pytest

from m4bench.model.near_names import choice, near

TASKS = ("mimic-sofa-24h", "mimic-sofa-24h-raw", "mimic-oasis-24h", "eicu-gcs-24h")


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("No-skill", ["with-skill", "no-skill"], "no-skill"),
        ("no_skill", ["no-skill"], "no-skill"),
        ("No Skill", ["no-skill"], "no-skill"),
        ("time-out", ["timeout", "completed"], "timeout"),
        ("publshed", ["published", "current"], "published"),
        ("convntion", ["convention", "condition"], "convention"),
        ("seed", ["schema", "model"], None),
        ("gpt-5.5", ["glm-5", "claude"], None),
        ("", ["a"], None),
        ("anything", [], None),
    ],
)
def test_a_slip_of_the_pen_is_seen(name: str, known: list[str], meant: str | None) -> None:
    """Case, blanks, hyphens and a letter are slips; another word is another name."""
    assert near(name, known) == meant


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mimic-sofa-24", "did you mean mimic-sofa-24h or mimic-sofa-24h-raw"),
        ("mimic-osis-24h", "did you mean mimic-oasis-24h"),
        ("kdigo", f"choose one of: {', '.join(TASKS)}"),
    ],
)
def test_who_mistypes_is_asked_and_who_does_not_know_is_told(name: str, said: str) -> None:
    """Where a name is near the near ones are told, else all there are."""
    assert choice(name, TASKS).startswith(said)
