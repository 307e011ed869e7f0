# SPDX-License-Identifier: MIT
"""Tables as Markdown: aligned, captioned, and closed to what a run may call itself."""

import pytest

from m4bench.report import markup
from m4bench.report.exhibits import Figure, Table

HOSTILE = "a|b <script>x</script> [l](http://x) `c` *d* _e_ # f\ng\u202e"


def test_a_table_has_title_caption_and_aligned_columns() -> None:
    """Numbers stand to the right, text to the left, and what does not exist is empty."""
    rows = [
        {"task": "one", "reward": 0.123456789, "runs": 1200, "passes": True},
        {"task": "two", "reward": None, "runs": 3, "passes": False},
    ]
    assert markup.table(Table("cells", "Cells", "One row a cell", rows)).splitlines() == [
        "# Cells",
        "",
        "One row a cell",
        "",
        "| task | reward | runs | passes |",
        "| --- | ---: | ---: | --- |",
        "| one | 0.123457 | 1200 | yes |",
        "| two |  | 3 | no |",
    ]


def test_no_text_breaks_out_of_its_cell() -> None:
    """Every sign with a meaning in Markdown or HTML is escaped, control characters are spelled out."""
    text = markup.table(Table("x", HOSTILE, HOSTILE, [{HOSTILE: HOSTILE}]))
    lines = text.splitlines()
    assert len(lines) == 7
    for line in lines[4:]:
        assert line.replace("\\|", "").count("|") == 2
    assert not any(sign in text.replace("\\<", "") for sign in ("<script", "\u202e"))
    assert "\\[l\\](http" in text


@pytest.mark.parametrize(
    ("words", "escaped"),
    [
        ("mimic-sofa-24h", "mimic-sofa-24h"),
        ("urineoutput_6hr", "urineoutput_6hr"),
        ("_emphasis_", "\\_emphasis\\_"),
        ("# title", "\\# title"),
        ("- item", "\\- item"),
        ("12. item", "12\\. item"),
        ("0.5", "0\\.5"),
        ("a | b", "a \\| b"),
        ("![x](y)", "!\\[x\\](y)"),
    ],
)
def test_only_what_means_something_is_escaped(words: str, escaped: str) -> None:
    """Names stay readable; what would begin a heading, a list, an emphasis or a link does not."""
    assert markup.text(words) == escaped


def test_a_table_without_rows_says_so() -> None:
    """An empty table is a file with its caption."""
    assert "No rows." in markup.table(Table("x", "T", "C", []))


def test_a_caption_of_ours_is_whole() -> None:
    """However long it is, nothing of it is cut, and signs are escaped; a foreign name in a cell is bounded."""
    long = "As many words as it takes, [each](x) of them. " * 30 + "The end"
    figure = Figure("rewards", "Rewards", long, "alt", {}, {})
    table = Table("runs", "Runs", long, [{"task": "x" * 1000}])
    escaped = long.replace("[", "\\[").replace("]", "\\]")
    written = markup.captions([figure], [table])
    assert written.count(escaped) == 2
    assert "…" not in written
    assert escaped in markup.table(table)
    assert "x" * 401 not in markup.table(table)


def test_captions_name_every_file() -> None:
    """What each figure and table shows stands in one place."""
    text = markup.captions(
        [Figure("rewards", "Rewards", "A circle", "alt", {}, {})],
        [Table("runs", "Runs", "A row", [])],
    )
    assert "## figures/rewards\n\nRewards. A circle\n" in text
    assert "## tables/runs\n\nRuns. A row\n" in text


def test_captions_tell_which_tables_are_for_a_supplement() -> None:
    """A table of more rows than two pages hold is named as such; what counts is what stands in print."""
    rows = [{"n": n} for n in range(1200)]
    short = Table("few", "Few", "A row.", rows, in_print=Table("few", "Few", "A row.", rows[:3]))
    text = markup.captions([], [Table("many", "Many", "A row.", rows), short])
    assert (
        "Many. A row. In LaTeX it has 1,200 rows and goes on over pages: for a supplement." in text
    )
    assert text.count("for a supplement") == 1
