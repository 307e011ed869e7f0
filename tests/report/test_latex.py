# SPDX-License-Identifier: MIT
"""Tables as LaTeX: structure, letters and numbers, and that pdfLaTeX sets them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from m4bench.report import latex
from m4bench.report.exhibits import Table

HOSTILE = (
    r"\input{/etc/passwd} \\ & % # $x$ ~ ^ _ {} <a> | \"q\" 'p' `b` [*] --- ,, ?` "
    "é ö ß Å ŵ ñ 中 Ω → ≥ × µ – — ’ “” … † \u202f \u202e \x01 💡\n\\end{tabular}"
)


def table(rows: list[dict[str, Any]], **options: Any) -> str:
    """Return rows as LaTeX."""
    return latex.table(Table("things", "Things", "One row a thing.", rows, **options))


def body(text: str) -> list[str]:
    """Return the lines of the rows."""
    return [line for line in text.splitlines() if line.endswith(r"\tabularnewline")]


def test_a_table_is_a_float_with_rules_caption_and_label() -> None:
    """The environments are closed in order, and there is one rule above, below and beneath the titles."""
    text = table([{"task": "a", "delta": 0.5}, {"task": "b", "delta": -0.25}])
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z]+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    assert text.count(r"\caption{Things. One row a thing.}\label{tab:things}") == 1
    assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]
    assert body(text)[1:] == [
        r"a & 0.500 \tabularnewline",
        r"b & $-$0.250 \tabularnewline",
    ]
    assert r"\begin{tabular}{lr}" in text


def test_a_long_table_goes_on_over_pages() -> None:
    """From forty-one rows on it is no float, and its titles stand on every page."""
    rows = [{"task": f"task {n}", "runs": n} for n in range(41)]
    assert r"\begin{longtable}{lr}" in table(rows)
    assert r"\begin{table}" not in table(rows)
    assert table(rows).count("task & runs") == 2
    assert r"\begin{longtable}" not in table(rows[:40])


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("50 % of A&B", r"50 \% of A\&B"),
        ("a_b#c$d", r"a\_b\#c\$d"),
        ("{x}^~\\", r"\{x\}\textasciicircum{}\textasciitilde{}\textbackslash{}"),
        ('<i>|"', r"\textless{}i\textgreater{}\textbar{}\char34{}"),
        ("[0.1, 0.2]", "{[}0.1, 0.2]"),
        ("* star", "{*} star"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("1–2 × 3 ≥ 2", r"1\textendash{}2 $\times$ 3 $\geq$ 2"),
        ("é ö ñ ç ı", r"\'{e} \"{o} \~{n} \c{c} U+0131"),
        ("naïve", r"na\"{\i}ve"),
        ("中💡", "U+4E2DU+1F4A1"),
        ("a\nb\u202ec", r"a\textbackslash{}u000ab\textbackslash{}u202ec"),
    ],
)
def test_no_letter_means_anything_or_is_lacking(given: str, written: str) -> None:
    """Every sign of LaTeX is set as itself, and what its fonts lack is told by its code point."""
    assert latex.text(given) == written


def test_no_text_breaks_a_row() -> None:
    """Whatever stands in a cell, a row has its cells and one end, and nothing but ASCII."""
    text = table(
        [{"one": HOSTILE, "two": 1, "three": HOSTILE}, {"one": "x", "two": 2, "three": "y"}]
    )
    text.encode("ascii")
    for line in body(text):
        assert len(re.findall(r"(?<!\\)&", line)) == 2
        assert line.count(r"\tabularnewline") == 1
        assert r"\\" not in line.replace(r"\begin{tabular}", "")
    assert r"\input{" not in text
    assert text.count(r"\end{tabular}") == 1


@pytest.mark.parametrize(
    ("name", "values", "written"),
    [
        ("delta", [0.13569, -0.0002, None, 0.0], ["0.136", "0.000", "--", "0.000"]),
        ("p_value", [0.00043, 0.00000001, 1.0], ["0.0004", "$<$0.0001", "1.0000"]),
        ("seconds", [1234.56, 3.0], ["1234.6", "3.0"]),
        ("cost", [12.344, 99.9], ["12.34", "99.90"]),
        ("runs", [280, -3], ["280", "$-$3"]),
        ("nmae", [float("nan"), float("inf"), 0.5], ["--", "--", "0.500"]),
        ("passed", [True, False], ["yes", "no"]),
    ],
)
def test_numbers_of_a_column_stand_below_each_other(
    name: str, values: list[Any], written: list[str]
) -> None:
    """A column has one number of decimals; a small p is never 0, what does not exist is a dash."""
    rows = [{"task": f"t{n}", name: value} for n, value in enumerate(values)]
    found = [line.split(" & ")[1].split(r" \tab")[0] for line in body(table(rows))[1:]]
    assert found == written


def test_print_has_the_columns_that_are_named_and_says_what_all_rows_share() -> None:
    """A table that names its columns shows those; a text that never changes stands in the caption."""
    rows = [{"task": name, "schema": "native", "runs": 5, "hash": "f" * 64} for name in "ab"]
    text = table(rows, printed=("task", "schema", "runs"))
    assert body(text)[0].startswith("task & runs")
    assert "In all rows: schema native." in text
    assert "fff" not in text


def test_wide_texts_are_broken_so_that_a_table_fits() -> None:
    """Where texts are too wide for a line they share what numbers leave; a long word has places to break."""
    rows = [
        {"first": "word " * 30, "second": "a" * 64, "delta": 0.5},
        {"first": "x", "second": "y", "delta": 1.0},
    ]
    text = table(rows)
    shares = [float(share) for share in re.findall(r"p\{([0-9.]+)\\linewidth\}", text)]
    assert len(shares) == 2
    assert 0.5 < sum(shares) < 0.9
    assert r"a\allowbreak{}a" in text


def test_a_dash_is_explained_where_there_is_one() -> None:
    """The caption tells what a dash stands for, and does not where there is none."""
    said = "A dash stands where a value was not determined."
    assert said in table([{"task": "a", "delta": 0.5}, {"task": "b", "delta": None}])
    assert said not in table([{"task": "a", "delta": 0.5}, {"task": "", "delta": 1.0}])


def test_what_is_put_otherwise_for_a_paper_stands_in_print() -> None:
    """Rows for print take the place of the others, and rows that belong together are set apart from the next."""
    rows = [{"a": str(n), "of": str(n // 2)} for n in range(6)]
    printed = Table("things", "Things", "Two lines each.", rows, spaced_by="of")
    text = table([{"raw_name": 1}], in_print=printed)
    assert "raw" not in text
    assert "Two lines each." in text
    assert re.findall(r"\\addlinespace\n(\d)", text) == ["2", "4"]


def test_rows_of_one_kind_stand_under_a_heading() -> None:
    """A heading stands over the rows that have it, behind a rule but for the first, and is no column of its own."""
    rows = [{"kind": kind, "a": n} for n, kind in enumerate(["x_y", "x_y", "b"])]
    text = table(rows, headed_by="kind")
    below = text.split("\\midrule\n", 1)[1].split("\\bottomrule")[0]
    assert below.splitlines() == [
        r"\multicolumn{1}{l}{\textit{x\_y}} \tabularnewline",
        r"\noalign{\nobreak}",
        r"0 \tabularnewline",
        r"1 \tabularnewline",
        r"\midrule",
        r"\multicolumn{1}{l}{\textit{b}} \tabularnewline",
        r"\noalign{\nobreak}",
        r"2 \tabularnewline",
    ]


@pytest.mark.parametrize(
    ("values", "side"),
    [
        (["+0.136", "−0.056", "n. d."], "r"),
        (["0.0004", "Holm <0.0001"], "r"),
        (["[0.054, 0.217]", ""], "r"),
        (["25 of 280", "49 of 100"], "r"),
        ([">0.999", "1,210"], "r"),
        (["0.5", "half"], "l"),
        (["15 families"], "l"),
    ],
)
def test_written_numbers_are_set_to_the_right(values: list[str], side: str) -> None:
    """A column of figures as readers see them is aligned as one of numbers; a word in it makes it a text."""
    assert f"\\begin{{tabular}}{{{side}}}" in table([{"a": value} for value in values])


def test_a_broken_text_keeps_its_words_whole() -> None:
    """A text breaks between words, never before a minus, and within those words alone that are longer than a line."""
    long = "a-name-that-is-longer-than-any-line-of-a-column-of-words-in-this-table"
    rows = [{"a": f"with-skill − 0.0017 of {long}" + " word" * 30, "n": 1}, {"a": "x", "n": 2}]
    text = table(rows)
    assert r"\mbox{with-skill}~$-$ 0.0017 of a-\allowbreak{}name" in text


def test_an_empty_table_says_so() -> None:
    """Without rows there is a table all the same, so that reading it fails no paper."""
    assert "no rows" in table([])


@pytest.mark.slow
def test_pdflatex_sets_every_table(tmp_path: Path) -> None:
    """Hostile texts, a long table, an empty one and a wide one compile without an error or a missing letter."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    wide = {f"a column with a long name {n}": HOSTILE if n % 3 else 0.123 * n for n in range(12)}
    tables = {
        "hostile": table([{"one": HOSTILE, "two": -0.5}, {"one": "x", "two": None}]),
        "long": table([{"task": f"{HOSTILE} {n}", "p_value": n / 1e6} for n in range(120)]),
        "empty": table([]),
        "wide": table([wide, dict.fromkeys(wide, "x") | {"a column with a long name 1": "y"}]),
    }
    for name, text in tables.items():
        (tmp_path / f"{name}.tex").write_text(text)
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,array,longtable}\n\\begin{document}\n"
        + "".join(f"\\input{{{name}}}\n" for name in tables)
        + "\\end{document}\n"
    )
    ended = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert "Missing character" not in (tmp_path / "paper.log").read_text(errors="replace")
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")
