# SPDX-License-Identifier: MIT
"""The phrases of columns: the vocabulary's, those of the stem, and the name itself."""

import pytest

from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.specifications.vocabulary import phrases, stem, vocabulary

PHRASES: list[tuple[str, set[str]]] = [
    ("heart_rate_max", {"heart rate", "heart rate max", "heart_rate_max", "pulse"}),
    ("heart_rate_score", {"heart rate", "pulse"}),
    ("uo_mlkghr_6hr", {"urine output"}),
    ("gcs_verbal", {"verbal response"}),
    ("Creatinine_Max", {"creatinine", "serum creatinine"}),
    ("invented_column_min", {"invented column", "invented column min"}),
]


@pytest.mark.parametrize(("column", "expected"), PHRASES)
def test_a_column_is_named_by_its_phrases(column: str, expected: set[str]) -> None:
    """In lower case, those of the stem with them."""
    assert expected <= set(phrases(column))
    assert all(phrase == phrase.lower().strip() and phrase for phrase in phrases(column))


STEMS: list[tuple[str, str]] = [
    ("heart_rate_max", "heart_rate"),
    ("platelet_min", "platelet"),
    ("hr_score", "hr"),
    ("respiration_24hours", "respiration"),
    ("score", "score"),
    ("creatinine_max_score", "creatinine"),
]


@pytest.mark.parametrize(("column", "expected"), STEMS)
def test_a_stem_is_free_of_what_only_says_which_value(column: str, expected: str) -> None:
    """Lowest, highest and points are left out; a name is never emptied."""
    assert stem(column) == expected


def test_every_declared_column_can_be_named() -> None:
    """Each column of the library has a phrase of words."""
    for derivation in (*library().concepts.values(), *library().references.values()):
        for column in derivation.header.columns:
            assert any("_" not in phrase for phrase in phrases(column.name))


def test_the_vocabulary_is_in_lower_case_and_says_nothing_twice() -> None:
    """An entry has phrases, each once, and none that is the name itself."""
    for name, known in vocabulary().items():
        assert known
        assert len(set(known)) == len(known), name
