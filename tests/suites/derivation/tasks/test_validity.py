# SPDX-License-Identifier: MIT
"""Reference validity: something is said of every family and nothing of others, figures have their source."""

import re
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.cards import load_tasks
from m4bench.suites.derivation.tasks.validity import (
    VALIDITY,
    Caveat,
    reference_validity,
    validity,
    validity_problems,
)

FAMILIES = sorted({task.family for task in load_tasks().values()})


def test_every_family_and_no_other_has_a_validity() -> None:
    """The families of the file are those of the tasks."""
    assert sorted(reference_validity().families) == FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_of_a_family_holds(family: str) -> None:
    """Its pointers lead to conventions, its sources are known, and every figure is of the audit."""
    assert list(validity_problems(family)) == []
    for caveat in validity(family).caveats:
        assert all(figure.source == "audit" for figure in caveat.figures)


def test_the_review_is_told_for_what_it_was() -> None:
    """Internal, of other texts, and nobody is named; the audit is said to be of MIMIC-IV v3.1."""
    stated = reference_validity()
    assert "author team" in stated.review.was_not
    assert "nobody has signed" in " ".join(stated.review.was_not.split())
    assert "MIMIC-IV v3.1" in stated.sources["audit"]
    assert not re.search(r"\bC[1-4]\b", VALIDITY.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("family", "words", "adjudicated"),
    [
        # The five weightiest caveats of the published audit, each with the convention that decides otherwise.
        (
            "suspicion-infection",
            "Every type of specimen",
            "suspicion_of_infection.work_up_specimen",
        ),
        ("sofa", "not measured is 0", "references.sofa-24h.missing_component"),
        ("apsiii", "respiratory rate below 14", "apsiii.rate_excepted"),
        ("vasopressor-equivalents", "Angiotensin II", "norepinephrine_equivalent_dose.doses"),
        ("oasis", "APACHE abstraction", None),
    ],
)
def test_the_weightiest_caveats_are_told(family: str, words: str, adjudicated: str | None) -> None:
    """And where they are decided otherwise."""
    found = [caveat for caveat in validity(family).caveats if words in caveat.says]
    assert len(found) == 1
    if adjudicated is None:
        assert found[0].adjudicated == ()
        assert found[0].unresolved
    else:
        assert adjudicated in found[0].adjudicated


@pytest.mark.parametrize(
    ("family", "numbers", "total", "percent"),
    [
        ("sofa", "57,548", 94458, 60.9),
        ("sofa", "44,542", 94458, 47.2),
        ("sofa", "1,118", 94458, 1.2),
        ("sofa", "649", 94458, 0.7),
        ("sofa", "19,223", 94458, 20.4),
        ("sofa", "37,233", 93885, 39.7),
        ("sofa", "5,128", 94458, 5.4),
        ("urine-output-rate", "94,437", 94458, 99.98),
    ],
)
def test_counts_and_percentages_agree(
    family: str, numbers: str, total: int, percent: float
) -> None:
    """A share stated beside a count is that count over the stays it is of."""
    figures = [f.says for caveat in validity(family).caveats for f in caveat.figures]
    assert any(numbers in says and f"{percent} %" in says for says in figures)
    decimals = len(str(percent).split(".")[1])
    assert round(100 * int(numbers.replace(",", "")) / total, decimals) == percent


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("source: audit}", "source: hearsay}", "sofa: no source is called hearsay"),
        ("gcs.intubated_total", "gcs.total", "sofa: gcs.total: gcs has no such parameter"),
        ("says: high-flow", "says: low-flow", "sofa: 0 unresolved entries of references.sofa-24h"),
    ],
)
def test_what_leads_nowhere_is_found(tmp_path: Path, old: str, new: str, problem: str) -> None:
    """Each kind of pointer, by family."""
    file = tmp_path / "validity.yaml"
    file.write_text(VALIDITY.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert any(said.startswith(problem) for said in validity_problems("sofa", file))


def test_a_family_of_which_nothing_is_said_is_refused() -> None:
    """The error names the family and the file."""
    with pytest.raises(InputError, match="says nothing of the family apgar") as refused:
        validity("apgar")
    assert refused.value.file == VALIDITY


def test_a_field_nobody_knows_is_refused(tmp_path: Path) -> None:
    """The error names where it stands."""
    file = tmp_path / "validity.yaml"
    text = VALIDITY.read_text(encoding="utf-8")
    file.write_text(text.replace("    keeps:", "    truth: yes\n    keeps:", 1), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        reference_validity(file)
    assert refused.value.column == "families.apsiii.truth"


def test_a_caveat_needs_its_effect() -> None:
    """What to beware of is of no use without what it does."""
    with pytest.raises(ValueError, match="effect"):
        Caveat.model_validate({"says": "x", "source": "review"})
