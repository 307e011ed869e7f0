# SPDX-License-Identifier: MIT
"""The first words on a campaign: every result is there or counted, and every run is accounted for."""

import pytest

from m4bench.report.campaign import opening
from tests.report.campaign.samples import build_analysis, sample_analysis, sample_table


@pytest.mark.parametrize(
    ("changed", "ending"),
    [
        ({}, "of 2 of the 3 systems."),
        ({"systems": ("codex · gpt-5.5 · medium",)}, "of codex · gpt-5.5 · medium alone."),
        ({"systems": ("a", "b", "c")}, "difference: not shown at 0.05 (Holm p 0.063)."),
        ({"p_adjusted": 0.01, "systems": ("a", "b", "c")}, "shown at 0.05 (Holm p 0.010)."),
        ({"publishable": False}, "of 2 of the 3 systems; not publishable."),
        ({"tasks": 6, "systems": ()}, "difference: not shown at 0.05 (Holm p 0.063)."),
        ({"contrast": "agent=a:agent=b"}, "difference: not shown at 0.05 (Holm p 0.063)."),
    ],
)
def test_what_came_out_says_what_is_shown_and_where_it_stands(
    changed: dict[str, object], ending: str
) -> None:
    """Of each contrast: its verdict, the systems where conditions are compared in few, and publishability."""
    analysis = build_analysis(sample_table())
    third = analysis.arms[0].model_copy(update={"system": "a third"})
    one = analysis.contrasts[0].model_copy(update=changed)
    (said,) = opening.found(
        analysis.model_copy(update={"contrasts": (one,), "arms": (*analysis.arms, third)})
    )
    assert said.endswith(ending)
    assert ("over 6 of the 10 tasks in" in said) is ("tasks" in changed)
    assert ("higher" in said) is ("contrast" in changed)


@pytest.mark.parametrize(
    ("primary", "sentences", "last"),
    [
        (7, 7, "contrast-6 "),
        (12, 12, "contrast-11 "),
        (15, 13, "3 primary contrasts more, of which 2 are shown, under Primary contrasts."),
    ],
)
def test_no_primary_contrast_is_dropped_unsaid(primary: int, sentences: int, last: str) -> None:
    """As many as can be read have a sentence each; of the others it is said how many they are and how many shown."""
    analysis = sample_analysis()
    own = analysis.contrasts[0]
    many = tuple(
        own.model_copy(
            update={"treatment_label": f"contrast-{n} ", "p_adjusted": 0.01 if n > 12 else 0.5}
        )
        for n in range(primary)
    )
    said = opening.found(analysis.model_copy(update={"contrasts": many}))
    assert len(said) == sentences
    assert last in said[-1]


def test_names_are_cut_apart_from_results() -> None:
    """Of ten conditions eight are named and two counted."""
    analysis = sample_analysis()
    arms = tuple(
        analysis.arms[0].model_copy(update={"condition": f"condition-{n}"}) for n in range(10)
    )
    first = opening.compared(analysis.model_copy(update={"arms": arms}))[0]
    assert "10 conditions (condition-0, " in first
    assert "condition-7 and 2 more)" in first


@pytest.mark.parametrize(
    ("denominator", "lost", "said"),
    [
        ("valid", 0, "100 runs enter the means that are compared; 10 runs stand aside"),
        (
            "valid",
            4,
            "100 runs enter the means that are compared; 4 runs without a measurement are in no mean; 6 runs",
        ),
        ("all", 4, "4 runs without a measurement are in every mean as 0; 6 runs stand aside"),
        ("valid", 10, "10 runs without a measurement are in no mean."),
    ],
)
def test_every_run_is_accounted_for(denominator: str, lost: int, said: str) -> None:
    """Of 110 runs 100 enter: the others have no measurement, or stand aside as not publishable, and add up."""
    analysis = sample_analysis()
    plan = analysis.plan.model_copy(update={"denominator": denominator})
    aside = analysis.arms[0].model_copy(update={"system": "oss", "publishable": False})
    counts = {"runs": 110, "entering": 100, "unmeasured": lost, "plan": plan}
    words = opening.compared(
        analysis.model_copy(update={**counts, "arms": (*analysis.arms, aside)})
    )[-1]
    assert said in words
    assert ("(oss): they count in the rows of that system alone." in words) is (lost < 10)


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (("with-skill",), "None is under no-skill, which others are held against"),
        (("no-skill", "with-skill"), "no two arms of these runs make a contrast of the analysis."),
    ],
)
def test_where_nothing_is_compared_it_says_why(conditions: tuple[str, ...], said: str) -> None:
    """Without the control in the same report there is nothing to compare, and the page says where to look."""
    analysis = sample_analysis()
    arms = tuple(
        analysis.arms[0].model_copy(update={"condition": condition}) for condition in conditions
    )
    (found,) = opening.found(analysis.model_copy(update={"contrasts": (), "arms": arms}))
    assert found.startswith("Nothing was compared")
    assert said in found
    alone = analysis.model_copy(update={"contrasts": (), "arms": arms})
    assert " runs enter the means; " in opening.compared(alone)[-1]
