# SPDX-License-Identifier: MIT
"""Who stands aside of a contrast, and how to ask where nothing pairs, by hand."""

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.runs import RunRow
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.errors import InputError
from tests.analysis.made_runs import made, plan_of, table_of, two_arms

TASKS = ("s", "t", "u")


def two_systems(*left_out: tuple[str, str]) -> list[RunRow]:
    """Return `a · m` and `b · n` on three tasks; of the latter the cells (task, condition) are not publishable."""
    return [
        made(
            task,
            condition,
            0.5,
            agent=agent,
            model=model,
            publishable=agent == "a" or (task, condition) not in left_out,
        )
        for task in TASKS
        for condition in ("with-skill", "no-skill")
        for agent, model in (("a", "m"), ("b", "n"))
    ]


BOTH = ("with-skill", "no-skill")
EVERY = [(task, condition) for task in TASKS for condition in BOTH]
SYSTEMS = "agent=b,model=n:agent=a,model=m"


@pytest.mark.parametrize(
    ("contrast", "left_out", "told"),
    [
        ("with-skill:no-skill", EVERY, "b · n ("),
        ("with-skill:no-skill", [("t", "with-skill")], "b · n on t ("),
        (SYSTEMS, [("t", "with-skill"), ("t", "no-skill")], "b · n on t ("),
        (SYSTEMS, EVERY[::2], "b · n (with-skill) ("),
        (SYSTEMS, EVERY[:1], "b · n (with-skill) on s ("),
    ],
)
def test_who_is_not_publishable_is_named_with_its_tasks(
    contrast: str, left_out: list[tuple[str, str]], told: str
) -> None:
    """The system, never what is held equal alone; tasks and conditions only where it is not all of them."""
    found = analyse(table_of(two_systems(*left_out)), plan_of(contrast)).contrasts[0]
    said = "not publishable and left aside, since others are: "
    assert [note for note in found.notes if note.startswith(said + told)]


@pytest.mark.parametrize(
    ("contrast", "left_out", "enter"),
    [
        ("with-skill:no-skill", [], 12),
        ("with-skill:no-skill", EVERY, 6),
        ("with-skill:no-skill", [("t", "with-skill")], 10),
        (SYSTEMS, EVERY, 12),
        (SYSTEMS, EVERY[::2], 6),
    ],
)
def test_runs_that_enter_are_those_that_contrasts_stand_on(
    contrast: str, left_out: list[tuple[str, str]], enter: int
) -> None:
    """A pair left aside enters nothing; where no pair is publishable on both sides, all enter."""
    assert analyse(table_of(two_systems(*left_out)), plan_of(contrast)).entering == enter


def test_a_condition_that_nothing_compares_enters_as_in_standings() -> None:
    """Beside a publishable system one that is not stands aside; alone it enters."""
    beside = [made("t", "decoy", 0.5), made("t", "decoy", 0.5, model="n", publishable=False)]
    for decoys, enter in ((beside, 3), (beside[1:], 3)):
        table = table_of(two_arms("t", 0.6, 0.5), decoys)
        assert analyse(table, plan_of("with-skill:no-skill")).entering == enter


def test_a_contrast_of_agents_with_other_models_is_told_the_form_that_works() -> None:
    """What is offered is a contrast that these runs answer."""
    table = table_of(two_systems())
    with pytest.raises(InputError) as told:
        analyse(table, plan_of("agent=b:agent=a"))
    assert str(told.value).endswith(f"write {SYSTEMS}")
    assert analyse(table, plan_of(SYSTEMS)).contrasts[0].tasks == len(TASKS)


@pytest.mark.parametrize(
    ("families", "plan", "told"),
    [
        (
            6,
            plan_of("with-skill:no-skill", "decoy:no-skill"),
            [
                "with 6 families no p-value of a difference is below 0.03125, and 2 primary contrasts "
                "are corrected together: none can be shown at 0.05"
            ],
        ),
        (
            5,
            plan_of("with-skill:no-skill"),
            [
                "with 5 families no p-value of a difference is below 0.0625: the primary contrast cannot be "
                "shown at 0.05"
            ],
        ),
        (6, plan_of("with-skill:no-skill"), []),
        (7, plan_of("with-skill:no-skill", "decoy:no-skill"), []),
    ],
)
def test_what_no_p_value_can_reach_is_told_once(
    families: int, plan: AnalysisPlan, told: list[str]
) -> None:
    """Of G families the least exact p-value is 2 / 2**G; Holm multiplies it by the number of contrasts."""
    table = table_of(
        made(f"t{at}", condition, 0.3 + reward * (1 + at))
        for at in range(families)
        for condition, reward in (("with-skill", 0.05), ("decoy", 0.02), ("no-skill", 0.0))
    )
    notes = analyse(table, plan).notes
    assert [note for note in notes if "no p-value of a difference" in note] == told
