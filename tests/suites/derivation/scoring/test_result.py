# SPDX-License-Identifier: MIT
"""Rates, reward, key metrics, strict diagnostics and ordered distance, by hand."""

from pathlib import Path
from typing import Any

import pytest

from m4bench.model.task import ScoringRules
from tests.suites.derivation.scoring.tables import rules, score

ROWS: list[dict[str, Any]] = [
    {"stay_id": 1, "rate": 0.0, "points": 1, "label": "a"},
    {"stay_id": 2, "rate": 4.0, "points": 2, "label": "b"},
    {"stay_id": 3, "rate": None, "points": 3, "label": None},
    {"stay_id": 4, "rate": 10.0, "points": 3, "label": "d"},
]
BY = rules("rate", "points", "label", unordered=("label",))


def test_a_whole_score_by_hand(tmp_path: Path) -> None:
    """One wrong, one missing, one extra and one repeated row: every figure worked out on paper."""
    text = "stay_id,rate,points,label\n1,0,1,a\n2,5,2,x\n3,,3,\n2,4,2,b\n7,1,1,a\n"
    found = score(tmp_path, text, ROWS, BY)
    # denominator: 4 reference rows + 1 extra key + 1 repeated row
    rates = {name: column.match_rate for name, column in found.columns.items()}
    assert rates == {"rate": 0.33333333, "points": 0.5, "label": 0.33333333}
    assert found.reward == 0.38888889
    keys = found.keys
    assert (keys.reference, keys.output, keys.matched, keys.missing) == (4, 4, 3, 1)
    assert (keys.extra, keys.duplicate) == (1, 1)
    assert (keys.precision, keys.recall, keys.f1) == (0.75, 0.75, 0.75)
    # rate: range 10, joined rows 0, |5-4|/10, both missing; points: range 2, all equal
    assert found.ordered_nmae == pytest.approx((0.1 / 3 + 0.0) / 2)
    assert {check.name: check.value for check in found.strict.checks} == {
        "output_exists": 1.0,
        "parses": 1.0,
        "required_columns": 1.0,
        "row_coverage": 0.75,
        "accuracy:rate": 0.33333333,
        "accuracy:points": 0.5,
        "accuracy:label": 0.33333333,
    }
    assert not found.strict.passed


@pytest.mark.parametrize(
    ("text", "nmae"),
    [
        ("stay_id,rate,points\n1,0,1\n2,4,2\n3,,3\n4,10,3\n", 0.0),
        ("stay_id,rate,points\n1,,1\n2,4,2\n3,,3\n4,10,3\n", 0.25 / 2),
        ("stay_id,rate,points\n1,0,1\n2,4,2\n3,9,3\n4,10,3\n", 0.25 / 2),
        ("stay_id,rate,points\n1,n/a,1\n2,4,2\n3,n/a,3\n4,10,3\n", 0.25 / 2),
        ("stay_id,rate,points\n1,1000,1\n2,4,2\n3,,3\n4,10,3\n", 0.25 / 2),
        ("stay_id,rate,points\n1,2.5,1\n", 0.25 / 2),
        ("stay_id,points\n1,1\n2,2\n3,3\n4,3\n", 0.5),
        ("stay_id\n1\n", 1.0),
        ("stay_id,rate,points\n9,0,1\n", None),
    ],
)
def test_the_ordered_distance(tmp_path: Path, text: str, nmae: float | None) -> None:
    """A missing side counts 1, both missing 0, more than the range 1, an absent column 1, no join nothing."""
    assert score(tmp_path, text, ROWS, BY).ordered_nmae == nmae


def test_a_constant_column_has_a_scale_of_one(tmp_path: Path) -> None:
    """Where the reference has no range, differences count as they are, up to 1."""
    rows = [{"stay_id": stay, "rate": 5.0} for stay in (1, 2)]
    found = score(tmp_path, "stay_id,rate\n1,5.25\n2,9\n", rows, rules("rate"))
    assert found.ordered_nmae == (0.25 + 1.0) / 2


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        (rules("label", unordered=("label",)), ROWS),
        (rules("rate"), [{"stay_id": 1, "rate": None}]),
    ],
)
def test_without_ordered_columns_there_is_no_distance(
    tmp_path: Path, by: ScoringRules, rows: list[dict[str, Any]]
) -> None:
    """Unordered columns do not enter, nor do columns without any reference number."""
    text = "stay_id,rate,label\n1,,a\n"
    assert score(tmp_path, text, rows, by).ordered_nmae is None


@pytest.mark.parametrize(
    ("coverage", "accuracy", "passed"),
    [(0.75, 0.5, True), (0.75, 0.51, False), (0.76, 0.5, False), (0.0, 0.0, True)],
)
def test_thresholds_are_reached_inclusively(
    tmp_path: Path, coverage: float, accuracy: float, passed: bool
) -> None:
    """Three of four keys and two of four cells pass 0.75 and 0.5, and no more."""
    by = rules("points").model_copy(update={"row_coverage": coverage, "accuracy": accuracy})
    found = score(tmp_path, "stay_id,points\n1,1\n2,2\n3,9\n", ROWS, by)
    assert found.strict.passed == passed


def test_required_columns_need_not_be_scored(tmp_path: Path) -> None:
    """A missing identifier fails its check without costing reward."""
    by = rules("points").model_copy(update={"required": ("stay_id", "hadm_id", "points")})
    found = score(tmp_path, "stay_id,points\n1,1\n2,2\n3,3\n4,3\n", ROWS, by)
    assert found.reward == 1.0
    assert [check.name for check in found.strict.checks if not check.passed] == ["required_columns"]


def test_the_score_says_what_was_scored(tmp_path: Path) -> None:
    """Task, dataset and convention are those given."""
    found = score(tmp_path, "", ROWS, BY, dataset="synthetic", convention="current")
    assert (found.task, found.dataset, found.convention) == ("a-task", "synthetic", "current")
