# SPDX-License-Identifier: MIT
"""Provenance: every family has one, its pointers lead somewhere, and a text is signed by reviews alone."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks
from m4bench.suites.derivation.tasks.lint import lint
from m4bench.suites.derivation.tasks.provenance import (
    PARTS,
    PROVENANCE,
    Provenance,
    provenance,
    provenance_problems,
)

TASKS = load_tasks().values()
FAMILIES = sorted({task.family for task in TASKS})
each_family = pytest.mark.parametrize("family", FAMILIES)

REVIEW: dict[str, Any] = {
    "reviewer": "A. Clinician",
    "profession": "intensivist",
    "date": "2027-01-15",
    "of_version": {"card": 1, "skill": 1, "operational_spec": 1, "checks": 1},
    "scope": ["card", "skill", "operational_spec", "checks", "sources"],
    "verdict": "approved",
    "signature": "A. Clinician",
}
STATED: dict[str, Any] = {
    "family": "meld",
    "sources": [{"citation": "Kamath et al., 2001", "source_of": "terms"}],
    "departures": [],
    "versions": {"card": 1, "skill": 1, "operational_spec": 1, "checks": 1},
    "changes": [
        {
            "date": "2026-11-30",
            "versions": {"card": 1, "skill": 1, "operational_spec": 1, "checks": 1},
            "says": "First.",
        }
    ],
}


def _stated(**changed: Any) -> Provenance:
    return Provenance.model_validate({**STATED, **changed})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The MELD family alone, to be damaged."""
    shutil.copytree(TASKS_ROOT / "meld", tmp_path / "meld")
    return tmp_path


@each_family
def test_each_family_states_where_it_comes_from_and_departs(family: str) -> None:
    """It reads, every pointer leads to a parameter or an open entry, and versions are those of the texts."""
    tasks = [task for task in TASKS if task.family == family]
    assert list(provenance_problems(family, tasks)) == []
    assert provenance(family).departures


@each_family
def test_nobody_has_signed_and_nobody_else_is_named(family: str) -> None:
    """No family's texts are signed, and the reviewers of the published benchmark are not shown as theirs."""
    stated = provenance(family)
    assert stated.reviews == ()
    assert stated.signed is False
    assert stated.signed_parts == ()
    text = (TASKS_ROOT / family / PROVENANCE).read_text(encoding="utf-8")
    assert not re.search(r"\bC[1-4]\b|^signed", text, re.MULTILINE)


def test_one_publication_has_one_doi_in_all_families() -> None:
    """A citation is written alike everywhere, and its DOI is the same."""
    known: dict[str, str | None] = {}
    for family in FAMILIES:
        for source in provenance(family).sources:
            assert known.setdefault(source.citation, source.doi) == source.doi
    dois = [doi for doi in known.values() if doi is not None]
    assert len(dois) == len(set(dois))


@pytest.mark.parametrize(
    ("reviews", "signed_parts"),
    [
        ([], ()),
        ([REVIEW], PARTS),
        ([{**REVIEW, "verdict": "approved with remarks", "comment": "mind the tube"}], PARTS),
        ([{**REVIEW, "verdict": "changes needed", "comment": "mind the tube"}], ()),
        ([{**REVIEW, "scope": ["skill"], "of_version": {"skill": 1}}], ("skill",)),
        ([{**REVIEW, "scope": ["sources", "departures"], "of_version": {}}], ()),
        (
            [
                {**REVIEW, "scope": ["card", "checks"], "of_version": {"card": 1, "checks": 1}},
                {**REVIEW, "reviewer": "B", "scope": ["skill"], "of_version": {"skill": 1}},
            ],
            ("card", "skill", "checks"),
        ),
        # The later verdict of one person stands; a refusal by one is not outvoted by another.
        (
            [
                REVIEW,
                {**REVIEW, "date": "2027-02-01", "verdict": "changes needed", "comment": "no"},
            ],
            (),
        ),
        (
            [
                {**REVIEW, "verdict": "changes needed", "comment": "no"},
                {**REVIEW, "date": "2027-02-01"},
            ],
            PARTS,
        ),
        (
            [REVIEW, {**REVIEW, "reviewer": "B", "verdict": "changes needed", "comment": "no"}],
            (),
        ),
    ],
)
def test_a_text_is_signed_by_approving_reviews_of_its_version(
    reviews: list[dict[str, Any]], signed_parts: tuple[str, ...]
) -> None:
    """Each text counts by itself; the family is signed when all are."""
    stated = _stated(reviews=reviews)
    assert stated.signed_parts == signed_parts
    assert stated.signed is (signed_parts == PARTS)


def test_a_new_version_is_not_signed_by_the_review_of_the_old() -> None:
    """When the skill changes, the approval of the rest stands and that of the skill lapses."""
    later = {"date": "2027-03-01", "versions": {"skill": 2}, "says": "A cut corrected."}
    stated = _stated(
        versions={**STATED["versions"], "skill": 2},
        changes=[*STATED["changes"], later],
        reviews=[REVIEW],
    )
    assert stated.signed_parts == ("card", "operational_spec", "checks")
    assert stated.signed is False


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"signed": True}, "Extra inputs are not permitted"),
        ({"sources": []}, "at least 1 item"),
        ({"reviews": [{**REVIEW, "signature": " "}]}, "at least 1 character"),
        ({"reviews": [{**REVIEW, "verdict": "fine"}]}, "'approved'"),
        ({"reviews": [{**REVIEW, "scope": ["skill"]}]}, "name different texts"),
        ({"reviews": [{**REVIEW, "verdict": "changes needed"}]}, "which changes are needed"),
        (
            {"reviews": [{**REVIEW, "of_version": {**REVIEW["of_version"], "skill": 2}}]},
            "does not exist yet",
        ),
        ({"versions": {**STATED["versions"], "skill": 2}}, "to the version of skill"),
        ({"changes": []}, "at least 1 item"),
        (
            {"changes": [*STATED["changes"], {**STATED["changes"][0], "date": "2026-01-01"}]},
            "order of their dates",
        ),
        (
            {"sources": [{"citation": "x", "source_of": "y", "doi": "doi:10.1/x"}]},
            "String should match pattern",
        ),
    ],
)
def test_what_cannot_be_so_is_refused(changed: dict[str, Any], problem: str) -> None:
    """Above all a claim to be signed."""
    with pytest.raises(ValidationError, match=re.escape(problem)):
        _stated(**changed)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("- meld.score_known", "- meld.score_knwon", "meld has no such parameter"),
        ("- meld.score_known", "- melt.score_known", "no derivation is called melt"),
        ("- meld.score_known", "- references.meld-24h.score", "meld-24h has no such parameter"),
        ("says: Dialysis should", "says: Dialysis must", "0 unresolved entries of meld begin"),
        ("effect: A score no single moment had.", "effect: ' '", "at least 1 character"),
        ("card: 1\n", "card: 2\n", "to the version of card"),
        ("family: meld", "family: sofa", "family: must be meld"),
        ("sources:", "sources: [", "is not YAML"),
    ],
)
def test_lint_finds_provenance_that_does_not_hold(
    root: Path, old: str, new: str, problem: str
) -> None:
    """A pointer that leads nowhere, a version that is not, and what does not read, each in its file."""
    file = root / "meld" / PROVENANCE
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = [finding for finding in lint(root=root) if finding.file == file]
    assert found
    assert all(problem in finding.problem for finding in found)


def test_versions_are_those_of_the_card_and_the_skill(root: Path) -> None:
    """A task's interface version and the version in a skill's front matter must be the ones stated."""
    skill = root / "meld/skills/meld-score/SKILL.md"
    text = skill.read_text(encoding="utf-8")
    skill.write_text(text.replace('version: "1"', 'version: "2"', 1), encoding="utf-8")
    task = next(task for task in TASKS if task.name == "mimic-meld-24h")
    raised = task.model_copy(update={"version": task.version.model_copy(update={"interface": 2})})
    assert list(provenance_problems("meld", [task, raised], root)) == [
        "versions.card is not 2, the interface version of the tasks",
        "versions.skill is not the version of the skill meld-score",
    ]


def test_a_pointer_to_a_parameter_that_nobody_adjudicates_is_found(root: Path) -> None:
    """Where the adjudicated convention says what the published one says, nothing is adjudicated."""
    file = root / "meld" / PROVENANCE
    text = file.read_text(encoding="utf-8")
    stated = yaml.safe_load(text)
    silence = {"what": "14 hours", "effect": "none", "adjudicated": ["ventilation.within_gap"]}
    file.write_text(yaml.safe_dump({**stated, "departures": [silence]}), encoding="utf-8")
    assert list(provenance_problems("meld", [], root)) == [
        "ventilation.within_gap: the adjudicated convention decides it as the published one"
    ]


def test_a_family_without_provenance_is_told_by_its_file(tmp_path: Path) -> None:
    """The error names the file that is missing."""
    with pytest.raises(InputError, match="cannot be read") as refused:
        provenance("meld", tmp_path)
    assert refused.value.file == tmp_path / "meld" / PROVENANCE
