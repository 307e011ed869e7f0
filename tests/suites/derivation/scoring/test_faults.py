# SPDX-License-Identifier: MIT
"""Scoring faults others have reported, each with the value that is right."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.suites.derivation.scoring.tables import rules, score


def stays(**columns: list[Any]) -> list[dict[str, Any]]:
    """Return reference rows of stays 1, 2, 3, … with these columns."""
    count = len(next(iter(columns.values())))
    return [
        {"stay_id": place + 1} | {name: cells[place] for name, cells in columns.items()}
        for place in range(count)
    ]


def test_a_missing_row_is_no_correct_null(tmp_path: Path) -> None:
    """Fault 127: a null in the reference is not matched by a row that was never submitted."""
    reference = stays(rate=[1.0, 2.0, None, 3.0])
    found = score(tmp_path, "stay_id,rate\n1,1\n2,2\n4,3\n", reference, rules("rate"))
    assert found.reward == 0.75
    assert found.columns["rate"].missing_rows == 1


def test_a_null_in_a_short_row_was_not_supplied(tmp_path: Path) -> None:
    """Fault 127: nor is it matched by a row that ends before the column."""
    reference = stays(rate=[1.0, None])
    found = score(tmp_path, "stay_id,rate\n1,1\n2\n", reference, rules("rate"))
    assert (found.reward, found.keys.matched) == (0.5, 2)


@pytest.mark.parametrize(
    ("cell", "reward"),
    [("None", 1.0), ('"None"', 1.0), ("", 0.5), ("NA", 0.5), ("none", 0.5), (" None", 0.5)],
)
def test_the_label_none_is_a_class(tmp_path: Path, cell: str, reward: float) -> None:
    """Fault 128: the text None is a ventilation status, and only it matches it."""
    reference = stays(label=["None", "InvasiveVent"])
    text = f"stay_id,label\n1,{cell}\n2,InvasiveVent\n"
    assert score(tmp_path, text, reference, rules("label")).reward == reward


@pytest.mark.parametrize("word", ["None", "NA", "N/A", "NULL", "nan", "null"])
def test_only_the_empty_field_is_null(tmp_path: Path, word: str) -> None:
    """Fault 128: a word for nothing is not nothing, in whatever kind of column."""
    reference = stays(label=[None, "a"], rate=[None, 1.0], onset=[None, datetime(2150, 1, 1)])
    text = f"stay_id,label,rate,onset\n1,{word},{word},{word}\n2,a,1,2150-01-01\n"
    found = score(tmp_path, text, reference, rules("label", "rate", "onset"))
    assert [column.matched for column in found.columns.values()] == [1, 1, 1]
    quoted = 'stay_id,label,rate,onset\n1,"","",""\n2,a,1,2150-01-01\n'
    assert score(tmp_path, quoted, reference, rules("label", "rate", "onset")).reward == 1.0


def test_extra_rows_are_not_free(tmp_path: Path) -> None:
    """Fault 129: four right rows and two invented ones are four of six."""
    reference = stays(rate=[1.0, 2.0, 3.0, 4.0])
    text = "stay_id,rate\n1,1\n2,2\n3,3\n4,4\n98,1\n99,2\n"
    found = score(tmp_path, text, reference, rules("rate"))
    assert found.reward == round(4 / 6, 8)
    assert (found.keys.extra, found.keys.precision, found.keys.recall) == (2, 4 / 6, 1.0)


def test_duplicates_are_not_free_and_the_first_row_counts(tmp_path: Path) -> None:
    """A repeated key cannot try a second answer, and pays for the attempt."""
    reference = stays(rate=[1.0, 2.0])
    right_first = score(tmp_path, "stay_id,rate\n1,1\n2,2\n1,9\n", reference, rules("rate"))
    assert (right_first.reward, right_first.keys.duplicate) == (round(2 / 3, 8), 1)
    wrong_first = score(tmp_path, "stay_id,rate\n1,9\n2,2\n1,1\n", reference, rules("rate"))
    assert wrong_first.reward == round(1 / 3, 8)


def test_the_first_row_counts_across_batches(tmp_path: Path) -> None:
    """A file is read in pieces, and a key answered in one of them is answered for good."""
    reference = stays(rate=[float(stay) for stay in range(1, 101)])
    lines = [f"{stay},{stay}" for stay in range(1, 101)]
    text = "\n".join(["stay_id,rate", "50,7", *lines, *lines[:10], ""])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("m4bench.suites.derivation.scoring.batches.CHUNK_BYTES", 60)
        found = score(tmp_path, text, reference, rules("rate"))
    assert (found.keys.matched, found.keys.duplicate) == (100, 11)
    assert found.columns["rate"].matched == 99


@pytest.mark.parametrize("name", ["Rate", "rate_x", "rate_y", " rate", "rate_output"])
def test_a_column_that_is_not_there_is_not_there(tmp_path: Path, name: str) -> None:
    """Fault 131: presence is decided on the submitted header, exactly as spelled."""
    found = score(tmp_path, f"stay_id,{name}\n1,1\n", stays(rate=[1.0]), rules("rate"))
    assert found.reward == 0.0
    assert not found.columns["rate"].present
    failed = {check.name for check in found.strict.checks if not check.passed}
    assert failed == {"required_columns", "accuracy:rate"}


def test_strict_always_runs_its_checks(tmp_path: Path) -> None:
    """Fault 132: four checks and one a scored column run on any output, so none can pass for want of them."""
    reference = stays(rate=[1.0], label=["a"])
    names = ["output_exists", "parses", "required_columns", "row_coverage"]
    names += ["accuracy:rate", "accuracy:label"]
    for text in ("stay_id,rate,label\n1,1,a\n", "nothing\n", ""):
        found = score(tmp_path, text, reference, rules("rate", "label"))
        assert [check.name for check in found.strict.checks] == names
        assert found.strict.passed == (found.reward == 1.0)


def test_one_bad_cell_costs_one_cell(tmp_path: Path) -> None:
    """Fault 133: 3, 2, an empty field and n/a against 3.0, 2.0, null and 1.0 score three of four."""
    reference = stays(rate=[3.0, 2.0, None, 1.0])
    found = score(tmp_path, "stay_id,rate\n1,3\n2,2\n3,\n4,n/a\n", reference, rules("rate"))
    assert found.reward == 0.75
    assert (found.columns["rate"].unreadable, found.columns["rate"].mismatched) == (1, 1)


def test_one_bad_time_costs_one_cell(tmp_path: Path) -> None:
    """Fault 133 for times: the others are still compared as times."""
    reference = stays(onset=[datetime(2150, 1, 1, 8), datetime(2150, 1, 1, 9)])
    text = "stay_id,onset\n1,2150-01-01T08:00\n2,yesterday\n"
    found = score(tmp_path, text, reference, rules("onset"))
    assert (found.reward, found.columns["onset"].unreadable) == (0.5, 1)


def test_one_bad_key_costs_its_row(tmp_path: Path) -> None:
    """Fault 133 for keys: each row with an unreadable key is an extra key of its own."""
    reference = stays(rate=[1.0, 2.0])
    found = score(tmp_path, "stay_id,rate\n1,1\n2,2\n,1\n,1\n", reference, rules("rate"))
    assert found.reward == 0.5
    assert (found.keys.extra, found.keys.duplicate, found.keys.unreadable) == (2, 0, 2)
    assert found.error is None


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", "-inf", "1e308", "1e400"])
@pytest.mark.parametrize("tolerance", [0.0, 0.01, 1e6])
def test_no_strange_number_matches(tmp_path: Path, cell: str, tolerance: float) -> None:
    """Fault 136: NaN, infinities and overflow match neither a number nor a null."""
    reference = stays(rate=[1.0, None])
    text = f"stay_id,rate\n1,{cell}\n2,{cell}\n"
    found = score(tmp_path, text, reference, rules("rate", rate=tolerance))
    assert found.reward == 0.0
    one_sided = cell in ("nan", "NaN", "1e400")
    assert found.ordered_nmae == (0.5 if one_sided else 1.0)


def test_the_same_infinity_matches(tmp_path: Path) -> None:
    """A rate divided by a weight of zero is infinite, and is matched by its own spelling only."""
    reference = stays(rate=[float("inf"), float("-inf"), 1e308, float("inf")])
    text = "stay_id,rate\n1,inf\n2,-Infinity\n3,1e308\n4,-inf\n"
    assert score(tmp_path, text, reference, rules("rate", rate=0.01)).reward == 0.75


def test_unreadable_cells_stay_in_the_denominator(tmp_path: Path) -> None:
    """Fault 137: what could not be read is counted against the output, never left out."""
    reference = stays(rate=[1.0, 2.0, 3.0, 4.0])
    text = "stay_id,rate\n1,1\n2,?\n3,?\n4,?\n"
    column = score(tmp_path, text, reference, rules("rate")).columns["rate"]
    assert (column.matched, column.total, column.unreadable) == (1, 4, 3)


def test_no_output_is_told_from_a_bad_answer(tmp_path: Path) -> None:
    """Fault 139: reward 0 without a comparison says why; reward 0 after one does not."""
    reference = stays(rate=[1.0])
    assert score(tmp_path, "", reference, rules("rate")).error == "the file is empty"
    assert score(tmp_path, "stay_id,rate\n1,2\n", reference, rules("rate")).error is None
