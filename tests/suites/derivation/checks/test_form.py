# SPDX-License-Identifier: MIT
"""What the program says of files that are no plain CSV, and of headers."""

import gzip
import os
from pathlib import Path

import pytest

from m4bench.suites.derivation.scoring import score_file
from m4bench.suites.derivation.tasks.cards import load_tasks
from tests.suites.derivation.checks.conftest import Tried
from tests.suites.derivation.checks.trial import lines, run

HEADER = "subject_id,hadm_id,stay_id,sofa,respiration,coagulation,liver,cardiovascular,cns,renal"
ROWS = [
    f"{10 + i // 2},{20 + i // 2},{30 + i},{i % 5},{i % 5},0,0,0,0,0"
    for i in range(6)  # the respiration alone
]
GOOD = [HEADER, *ROWS]
PLAIN = lines(GOOD)


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (PLAIN, 0),
        (lines(GOOD, "\r\n"), 0),
        (lines(GOOD, "\r"), 0),
        (PLAIN.rstrip(b"\n"), 0),
        (lines(GOOD, "\n\n"), 0),
        (b"\n\n" + PLAIN, 0),
        (lines(",".join(f'"{cell}"' for cell in row.split(",")) for row in GOOD), 0),
        (PLAIN.replace(b",4,4,", b",4.0,4e0,"), 0),
        (b"\xef\xbb\xbf" + PLAIN, 1),
        (lines(GOOD[:3], "\r\n") + lines(GOOD[3:]), 1),
        (lines(GOOD[:3], "\r") + lines(GOOD[3:]), 1),
        (lines(row + ",x" for row in GOOD), 1),
        (lines(",".join(reversed(row.split(","))) for row in GOOD), 1),
    ],
    ids=[
        "plain",
        "crlf",
        "cr",
        "no-end",
        "blank-lines",
        "blank-start",
        "quoted",
        "floats",
        "mark",
        "mixed",
        "mixed-cr",
        "surplus",
        "order",
    ],
)
def test_whatever_the_scorer_reads_is_ready(
    tried: Tried, folder: Path, content: bytes, looks: int
) -> None:
    """Line ends, quotes, a mark, further columns and another order cost no points: they deserve a look at most."""
    found = tried(content)
    assert found.problems == []
    assert found.of("left out") == []
    assert len(found.of("look")) == looks
    assert found.code == 0
    assert found.told["verdict"] == "verdict: ready to hand in"
    reference = folder / "reference.csv"
    reference.write_bytes(PLAIN)
    rules = load_tasks()["mimic-sofa-24h"].scoring
    score = score_file(folder / "output.csv", reference, rules, task="mimic-sofa-24h")
    assert score.reward == 1.0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n\r\n\n", "blank lines alone"),
        (bytes(range(256)) * 20, "not text"),
        (gzip.compress(PLAIN), "gzip-compressed"),
        (PLAIN.decode().encode("utf-16"), "UTF-16"),
        (b"PAR1" + PLAIN, "Parquet"),
        (PLAIN.replace(b",", b";"), "separated by semicolons"),
        (PLAIN.replace(b",", b"\t"), "separated by tabs"),
        (PLAIN.replace(b"liver", b"l\xefver"), "header is not UTF-8"),
        (PLAIN.replace(b"liver", b'"liver'), "a quote is not closed"),
        (b"x" * (5 << 20), "first line is longer than 4 MiB"),
        (b",".join(b"c%d" % i for i in range(10_001)) + b"\n", "more than 10,000 columns"),
    ],
    ids=[
        "empty",
        "blank",
        "binary",
        "gzip",
        "utf16",
        "parquet",
        "semicolons",
        "tabs",
        "latin",
        "quote",
        "long",
        "wide",
    ],
)
def test_what_cannot_be_read_is_said_with_its_reason(
    tried: Tried, content: bytes, said: str
) -> None:
    """One problem names the reason, with what to do, and the exit code is 2."""
    found = tried(content)
    assert len(found.problems) == 1
    assert said in found.problems[0]
    assert found.check(said)["remedy"]
    assert found.code == 2
    assert found.told["verdict"] == "verdict: 1 problem"


def test_a_file_that_is_not_there_or_not_regular_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing, a link, a folder and a pipe are told apart, and none is waited for."""
    answer = folder / "output.csv"
    said = []
    for make in (
        lambda: None,
        lambda: answer.symlink_to(folder / "check"),
        answer.mkdir,
        lambda: os.mkfifo(answer),
    ):
        make()
        found = run(folder / "check", capsys, answer)
        assert found.code == 2
        said += found.problems
        if answer.is_dir():
            answer.rmdir()
        elif answer.is_symlink() or answer.exists():
            answer.unlink()
    assert ["no such file" in said[0], "symbolic link" in said[1]] == [True, True]
    assert all("not a regular file" in one for one in said[2:])


@pytest.mark.parametrize(
    ("content", "said", "line"),
    [
        (PLAIN + b"1,2\n", "fewer fields than the header", 8),
        (PLAIN.replace(b"31,1,", b"31,1,,"), "more fields than the header", 3),
        (PLAIN.replace(b"31,1,", b"31,\xe9,"), "not UTF-8", 3),
        (PLAIN.replace(b"31,1,", b'31,"1"2,'), "a quote that is not closed", 3),
        (PLAIN + b'"10,2\n', "a quote that is not closed", 8),
        (PLAIN + b"x" * (5 << 20) + b"\n1,2\n", "longer than 4 MiB", 8),
        (b"\xef\xbb\xbf" + PLAIN.replace(b"31,1,", b"31,1,,"), "more fields than the header", 3),
        (lines(GOOD, "\r") + b"1,2\r", "fewer fields than the header", 8),
    ],
    ids=["short", "long", "latin", "odd-quote", "open-quote", "endless", "mark", "cr"],
)
def test_a_line_that_is_no_row_is_named_and_the_rest_left_out(
    tried: Tried, content: bytes, said: str, line: int
) -> None:
    """The line of the file is given; nothing is said of values that could be read otherwise."""
    found = tried(content)
    assert len(found.problems) == 1
    assert found.check(said)["places"] == [line]
    assert len(found.of("left out")) == 1
    assert found.code == 1


def test_nul_bytes_are_a_problem(tried: Tried) -> None:
    """A NUL is said to be there, and the cell that holds it to be no number."""
    found = tried(PLAIN.replace(b"31,1,", b"31,\x001,"))
    assert ["NUL" in said for said in found.problems] == [True, False]
    assert found.problems[1].startswith("`sofa` holds what is no whole number")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (HEADER.replace("liver", "Liver"), ["the column `liver` is written 'Liver'"]),
        (HEADER.replace("liver", " liver"), ["the column `liver` is written ' liver'"]),
        (HEADER.replace("liver", "hepar"), ["columns are missing: `liver`"]),
        (
            HEADER.replace("liver", "lever"),
            ["columns are missing: `liver`", "'lever' looks like `liver`, which is missing"],
        ),
        (
            HEADER.replace("liver", "sofa"),
            ["columns are missing: `liver`", "the header names 'sofa' more than once"],
        ),
        (
            ROWS[0],
            ["columns are missing: " + ", ".join(f"`{name}`" for name in HEADER.split(","))],
        ),
        (HEADER.replace("liver", "liver'); DROP TABLE x;--"), ["columns are missing: `liver`"]),
    ],
    ids=["case", "blank", "other", "near", "repeated", "none", "hostile"],
)
def test_headers_that_do_not_name_the_columns(tried: Tried, header: str, said: list[str]) -> None:
    """A missing, misspelled or repeated column is said; checks that need it are left out."""
    found = tried(lines([header, *ROWS]))
    assert found.problems == said
    assert found.of("left out")
    assert found.code == 1


def test_a_header_without_rows_is_a_problem(tried: Tried) -> None:
    """A table needs a row, as the scorer says too."""
    found = tried(lines([HEADER]))
    assert found.problems == ["there is a header and no row"]


def test_rows_are_counted_where_lines_do_not_tell(tried: Tried) -> None:
    """With blank lines between, the place of a fault is the number of its row."""
    faulty = [HEADER, *ROWS[:4], ROWS[4].replace(",4,4,", ",5,5,"), ROWS[5]]
    assert tried(lines(faulty)).check("outside 0 to 4")["places"] == [6]
    found = tried(lines(faulty, "\n\n"))
    assert found.check("outside 0 to 4")["places"] == [5]
    assert found.told["unit"] == "row"
