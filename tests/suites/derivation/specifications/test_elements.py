# SPDX-License-Identifier: MIT
"""Where a text states the elements of a specification."""

import pytest

from m4bench.suites.derivation.specifications.elements import ELEMENTS, elements
from m4bench.suites.derivation.specifications.knowledge import Declared, Knowledge
from m4bench.suites.derivation.specifications.statements import statements

KNOWN = Knowledge(
    (),
    (
        Declared("creatinine", "mg/dL", ""),
        Declared("sbp", "mmHg", "pressures"),
        Declared("age", "years", ""),
        Declared("pressures", "mmHg", ""),
    ),
)

WHOLE = """# A score

## Grain and keys

- One row per stay. The key is the stay.

## Sources of data

- Creatinine is found in the laboratory's records.

## Windows

- From 6 hours before admission, included.

## Units and conversions

- Creatinine is in mg/dL.

## Missing data

- What was not measured counts as normal.

## Precedence and tie-breaks

- The first test that holds decides; of several values at one time the highest counts.

## Rounding

- The score is not rounded.

## Edge cases

- A stay of a minute has a row.

## Sources

- Nobody et al., 1996.
"""


def stated(text: str) -> set[str]:
    """Return the elements a text states."""
    return {name for name, line in elements(statements(text), KNOWN).items() if line is not None}


def test_a_whole_text_states_all_with_the_line() -> None:
    """Each element has the line of the statement below its heading."""
    assert dict(elements(statements(WHOLE), KNOWN)) == {
        "grain": 5, "keys": 5, "sources": 9, "units": 17, "windows": 13, "missing data": 21,
        "precedence": 25, "tie-breaks": 25, "rounding": 29, "edge cases": 33, "provenance": 37,
    }  # fmt: skip


def test_headings_without_words_state_nothing() -> None:
    """All headings and no statement: no element."""
    headings = "\n\n".join(line for line in WHOLE.splitlines() if line.startswith("#"))
    assert stated(headings) == set()


@pytest.mark.parametrize("element", [one.name for one in ELEMENTS])
def test_an_element_taken_away_is_missed(element: str) -> None:
    """Without its words and its section, and only then, an element is not stated."""
    kept = [one for one in statements(WHOLE) if elements([one], KNOWN)[element] is None]
    assert elements(kept, KNOWN)[element] is None
    assert len(kept) < len(statements(WHOLE))


@pytest.mark.parametrize(
    ("text", "element", "is_stated"),
    [
        ("One row is one ICU stay, for every stay.", "grain", True),
        ("Rows of stays.", "grain", False),
        ("The stay identifies the row.", "keys", True),
        ("The window is the first 24 hours.", "windows", False),
        ("The window is the first 24 hours, both ends included.", "windows", True),
        ("## Windows\n\nThere is no window: all diagnoses count.", "windows", True),
        ("Ties go to the earliest.", "tie-breaks", True),
        ("Pressures are in mmHg.", "units", True),
        ("Pressures are high.", "units", False),
        ("Blood of 5 mg/dL was drawn within 6 hours, the dose 3 mmHg.", "units", False),
        ("Creatinine counts within 6 hours of admission.", "units", False),
        ("Creatinine, in milligrams per decilitre.", "units", True),
        ("Systolic pressure in millimetres of mercury.", "units", True),
        ("## Units\n\nNone: no column is measured.", "units", True),
        ("## Units\n\nParacetamol is in mg/dL.", "units", False),
        ("A null stays null.", "missing data", True),
        ("If nobody measured it, it gives 0 points.", "missing data", True),
        ("Not measured counts as normal.", "missing data", True),
        ("Missing values score 0.", "missing data", True),
        ("Where it wasn't measured it is normal.", "missing data", True),
        ("It is measured by everybody.", "missing data", False),
        ("Vincent JL et al. wrote it.", "provenance", True),
    ],
)
def test_words_state_an_element_anywhere(text: str, element: str, is_stated: bool) -> None:
    """A clinician's own text without our headings is understood by its words."""
    assert (element in stated(text)) is is_stated


def test_units_are_asked_of_the_columns_it_is_about() -> None:
    """The unit of a column that the derivation does not read is none of its units."""
    told = statements("Creatinine is in mg/dL.")
    assert elements(told, KNOWN, {"creatinine"})["units"] == 1
    assert elements(told, KNOWN, {"sbp"})["units"] is None
