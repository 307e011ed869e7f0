# SPDX-License-Identifier: MIT
"""The lint of our skills, of changed copies and of strangers' texts."""

import shutil
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.specifications.skill_lint import lint_skill, skills_of_tasks

CLINICIANS = """---
name: our-meld
description: Our way to the MELD score. Use it when the score is asked for.
---

We compute MELD-Na as our liver unit does. Creatinine (mg/dL) above 4.0 counts as 4.0, and creatinine
below 1 counts as 1; the factor of creatinine is 0.957. We take 0.387 for bilirubin. Sodium is
bounded at 137 and at 125.

* INR below 1 counts as 1
    * missing INR too
"""


def write(folder: Path, text: str) -> Path:
    """Write a stranger's skill and return its folder."""
    made = folder / "our-meld"
    made.mkdir()
    (made / "SKILL.md").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize("name", sorted(skills_of_tasks()))
def test_our_skills_are_whole_and_true(name: str) -> None:
    """Form, elements and all facts of their family's references, and nothing that contradicts."""
    report = lint_skill(name)
    assert report.ours
    assert report.tasks
    assert report.record() | {"stated": None, "elements": None, "counts": None} == {
        "skill": name,
        "ours": True,
        "tasks": list(report.tasks),
        "passed": True,
        "form": [],
        "lost": [],
        "changed": [],
        "elements": None,
        "counts": None,
        "stated": None,
        "absent": [],
        "contradictions": [],
    }
    assert report.unstated_elements == ()


def test_a_skill_answers_for_all_references_of_its_family() -> None:
    """The skill of the coma scale covers both databases; that of Sepsis-3 is read with its two companions."""
    assert lint_skill("gcs-calculation").tasks == ("eicu-gcs", "mimic-gcs-24h-raw")
    places = [
        place for _, places in lint_skill("sepsis-3-cohort").assessment.stated for place in places
    ]
    assert {place.file.split("/")[0] for place in places} == {
        "sepsis-3-cohort", "sofa-score", "suspicion-of-infection",
    }  # fmt: skip


def test_a_copy_is_held_against_the_family_it_is_named_for(tmp_path: Path) -> None:
    """A changed copy of one of our skills, elsewhere, is a stranger's, and what was changed is found."""
    copy = tmp_path / "meld-score"
    shutil.copytree(skills_of_tasks()["meld-score"], copy)
    text = (copy / "SKILL.md").read_text(encoding="utf-8")
    assert text.count("1.32") == 1
    (copy / "SKILL.md").write_text(text.replace("1.32", "1.33"), encoding="utf-8")
    report = lint_skill(str(copy))
    assert not report.ours
    assert not report.passed
    assert [fact.value for fact in report.assessment.absent] == ["1.32"]
    line = text[: text.index("1.32")].count("\n") + 1
    assert {one.line for one in report.assessment.contradictions} == {line}


def test_a_clinicians_text_is_held_against_the_task_it_is_for(tmp_path: Path) -> None:
    """What it states has its line, what it gets wrong is told, what it leaves out is listed."""
    report = lint_skill(str(write(tmp_path, CLINICIANS)), "mimic-meld-24h")
    found = report.assessment
    stated = {(fact.kind, fact.value): places[0].line for fact, places in found.stated}
    assert stated[("cut", "4")] == 6
    assert stated[("constant", "0.957")] == 7
    assert [(one.line, "0.387" in one.problem) for one in found.contradictions] == [(7, True)]
    absent = {(fact.kind, fact.value) for fact in found.absent}
    assert {("constant", "0.378"), ("item", "50912")} <= absent
    assert "grain" in report.unstated_elements
    assert [one.problem for one in report.form] == [
        "nowhere says that the tables asked for, and derived ones, may be absent"
    ]


def test_without_a_task_a_strangers_facts_are_not_checked(tmp_path: Path) -> None:
    """Form and elements alone; an element that is not stated does not fail a stranger's skill."""
    text = f"{CLINICIANS}\nDerived tables may be absent.\n"
    report = lint_skill(str(write(tmp_path, text)))
    assert report.tasks == ()
    assert (report.assessment.absent, report.assessment.contradictions) == ((), ())
    assert report.unstated_elements
    assert report.passed


@pytest.mark.parametrize(
    ("place", "task", "problem"),
    [
        ("no-such-skill", None, "there is no skill no-such-skill"),
        ("meld-score", "no-such-task", "no task is called no-such-task"),
    ],
)
def test_unknown_names_are_refused(place: str, task: str | None, problem: str) -> None:
    """A skill or task that does not exist ends in one line."""
    with pytest.raises(InputError, match=problem):
        lint_skill(place, task)
