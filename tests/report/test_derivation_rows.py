# SPDX-License-Identifier: MIT
"""Rows that disagree with a reference: found where the scorer counts a loss, and nowhere else."""

import random
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.report import derivation_rows
from m4bench.report.derivation_rows import Disagreement, Sought, first_disagreements
from m4bench.suites.derivation.scoring.compare import score_file
from tests.report.hospital import HONEYTOKEN, TASK, write_reference

HEADER = "stay_id,score,rate,seen,word\n"
NOON = "2150-01-01 12:00:00"
RIGHT = [
    f"1,1,0.5,{NOON},a",
    f"2,2,0.25,{NOON},b",
    f"3,3,1.0,{NOON},c",
    f"4,,2.0,{NOON},d",
    f"5,5,,{NOON},e",
]
ALL = Sought(frozenset(TASK.scoring.scored), missing=True, extra=True, duplicate=True)


def found(tmp_path: Path, rows: list[str], *, header: str = HEADER) -> list[Disagreement]:
    """Return what disagrees in an output of these rows."""
    output = tmp_path / "output.csv"
    output.write_text(header + "".join(f"{row}\n" for row in rows))
    reference = write_reference(tmp_path / "reference.parquet")
    return first_disagreements(output, reference, TASK.scoring, [(HONEYTOKEN,)], ALL)


def changed(place: int, row: str) -> list[str]:
    """Return the right rows with one exchanged."""
    return [*RIGHT[:place], row, *RIGHT[place + 1 :]]


def test_a_right_output_has_no_disagreement(tmp_path: Path) -> None:
    """Nothing is found where every row matches, whatever the order and however numbers are spelled."""
    spelled = [row.replace(",1.0,", ",1e0,").replace(",0.25,", ", 0.2500,") for row in RIGHT]
    assert found(tmp_path, spelled[::-1]) == []


@pytest.mark.parametrize(
    ("row", "column", "kind", "expected", "answered", "apart"),
    [
        (f"1,3,0.5,{NOON},a", "score", "value", "1", "3", 2.0),
        (f"1,,0.5,{NOON},a", "score", "empty", "1", None, None),
        (f"1,many,0.5,{NOON},a", "score", "unreadable", "1", "many", None),
        (f"1,1,0.52,{NOON},a", "rate", "value", "0.5", "0.52", pytest.approx(0.02)),
        ("1,1,0.5,2150-01-01 12:01:01,a", "seen", "value", NOON, "2150-01-01 12:01:01", 61.0),
        (f"1,1,0.5,{NOON},A", "word", "value", "a", "A", None),
        (f"1,1,0.5,{NOON}", "word", "unreadable", "a", None, None),
    ],
)
def test_a_cell_that_does_not_count_is_told_with_its_kind(
    tmp_path: Path,
    row: str,
    column: str,
    kind: str,
    expected: str,
    answered: str | None,
    apart: float | None,
) -> None:
    """Key, expected and answered value, how far apart, and why, stand with the first row that disagrees."""
    (one,) = found(tmp_path, changed(0, row))
    assert (one.kind, one.column, one.key) == (kind, column, (("stay_id", "1"),))
    assert (one.expected, one.answered, one.apart) == (expected, answered, apart)
    assert [pair.column for pair in one.pairs if not pair.agrees] == [column]


@pytest.mark.parametrize(
    "row", [f"1,1,0.505,{NOON},a", f"1,1.0,0.495,{NOON},a", "1,1,0.5,2150-01-01T12:01:00,a"]
)
def test_a_difference_within_the_tolerance_is_none(tmp_path: Path, row: str) -> None:
    """A minute is allowed in a time and 0.01 in the rate."""
    assert found(tmp_path, changed(0, row)) == []


def test_a_value_where_none_is_expected_is_unexpected(tmp_path: Path) -> None:
    """Stay 4 has no score in the reference."""
    (one,) = found(tmp_path, changed(3, f"4,7,2.0,{NOON},d"))
    assert (one.kind, one.expected, one.answered) == ("unexpected", None, "7")


def test_an_absent_column_is_called_so(tmp_path: Path) -> None:
    """A column that the output lacks disagrees in its first row."""
    rows = [row.rpartition(",")[0] for row in RIGHT]
    (one,) = found(tmp_path, rows, header="stay_id,score,rate,seen\n")
    assert (one.kind, one.column, one.expected, one.answered) == ("absent", "word", "a", None)


def test_whole_rows_are_missing_extra_or_repeated(tmp_path: Path) -> None:
    """The first of each kind is told by its key; a repeated row is not compared again."""
    rows = [*RIGHT[1:], f"77,1,1,{NOON},x", f"2,9,9,{NOON},z"]
    assert [(one.kind, one.column, one.key) for one in found(tmp_path, rows)] == [
        ("missing", None, (("stay_id", "1"),)),
        ("extra", None, (("stay_id", "77"),)),
        ("duplicate", None, (("stay_id", "2"),)),
    ]


def test_a_honeytoken_is_never_shown(tmp_path: Path) -> None:
    """An output that holds one has an extra row, and its key stays hidden; nor is it called missing."""
    assert found(tmp_path, [*RIGHT, f"{HONEYTOKEN},0,0.0,{NOON},f"]) == []


def test_the_first_disagreement_is_that_of_the_output(tmp_path: Path) -> None:
    """Of several rows that disagree, the one that comes first in the file is told."""
    rows = [f"3,0,1.0,{NOON},c", f"1,0,0.5,{NOON},a", *RIGHT[1:2], *RIGHT[3:]]
    (one,) = found(tmp_path, rows)
    assert one.key == (("stay_id", "3"),)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08", b"stay_id\n\xff\n"])
def test_an_output_that_is_no_table_is_refused_or_holds_nothing(
    tmp_path: Path, content: bytes
) -> None:
    """What cannot be read as a table is an error in words, and bytes that are no text are an unreadable key."""
    output = tmp_path / "output.csv"
    output.write_bytes(content)
    reference = write_reference(tmp_path / "reference.parquet")
    if content.startswith(b"stay_id"):
        rows = first_disagreements(output, reference, TASK.scoring, [(HONEYTOKEN,)], ALL)
        assert [row.kind for row in rows] == ["missing", "extra"]
    else:
        with pytest.raises(InputError, match="cannot be read row by row"):
            first_disagreements(output, reference, TASK.scoring, [(HONEYTOKEN,)], ALL)


@pytest.mark.parametrize("seed", range(12))
def test_disagreements_are_where_the_score_has_losses(tmp_path: Path, seed: int) -> None:
    """Over outputs changed at random, columns and kinds of rows found are those the score counts."""
    random_ = random.Random(seed)
    cells = ["", "1", "2.5", "x", NOON, "a", "1e400", "nan"]
    rows = []
    for row in random_.sample(RIGHT, random_.randint(2, 5)):
        fields = row.split(",")
        for place in range(1, 5):
            if random_.random() < 0.3:
                fields[place] = random_.choice(cells)
        rows += [",".join(fields)] * random_.choice([1, 1, 2])
    rows += [f"8{number},1,1,{NOON},x" for number in range(random_.randint(0, 2))]
    told = found(tmp_path, rows)
    score = score_file(
        tmp_path / "output.csv",
        tmp_path / "reference.parquet",
        TASK.scoring,
        task=TASK.name,
        exclude_keys=[(HONEYTOKEN,)],
    )
    assert {one.column for one in told if one.column} == {
        name for name, column in score.columns.items() if column.mismatched
    }
    assert {one.kind for one in told if one.column is None} == {
        kind for kind in ("missing", "extra", "duplicate") if getattr(score.keys, kind)
    }


@pytest.mark.parametrize("bound", ["MOST_ROWS", "MOST_BYTES"])
def test_a_row_beyond_what_is_read_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """Of an output that is read in part, what was read is told and nothing is claimed of the rest."""
    limit = 3 if bound == "MOST_ROWS" else len("".join(f"{row}\n" for row in RIGHT[:3])) + 5
    monkeypatch.setattr(derivation_rows, bound, limit)
    rows = [RIGHT[0], RIGHT[1], RIGHT[2].replace("3,3,", "3,9,"), f"4,7,7,{NOON},x"]
    assert [(one.kind, one.column) for one in found(tmp_path, rows)] == [("value", "score")]
