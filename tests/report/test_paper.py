# SPDX-License-Identifier: MIT
"""What stands in files fits a page of a paper: as it is, or in parts beside the whole."""

import re
from dataclasses import replace

from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import Dot, Row, Scale
from m4bench.report.composition import Composition
from m4bench.report.drawing import (
    TEXT_HEIGHT,
    TEXT_WIDTH,
    draw,
    fits_a_page,
    is_legible_on_paper,
    print_ready,
)
from m4bench.report.exhibits import Figure
from m4bench.report.paper import on_paper
from m4bench.report.templating import render


def figure_of(groups: int) -> Figure:
    """Return a figure of groups of ten rows."""
    rows = [
        row
        for number in range(groups)
        for row in [
            Row(f"group-{number}", parted=True),
            *(Row(f"row-{number}-{n}", (Dot(0.5, "mark"),), (), ("0.500",)) for n in range(10)),
        ]
    ]
    return row_figure("f", "Title", "Caption.", "words", rows, Scale(0.0, 1.0, "Mean"))


def filed(figure: Figure) -> list[tuple[Figure, str]]:
    """Return what stands in files of a figure."""
    wide, narrow = (draw(one, figure.title, "") for one in (figure.specification, figure.narrow))
    return on_paper(figure, wide, narrow)


def test_a_figure_that_fits_stands_once() -> None:
    """Ten rows need no part and keep their caption."""
    figure = figure_of(1)
    ((alone, drawn),) = filed(figure)
    assert alone is figure
    assert fits_a_page(drawn)


def test_a_figure_too_high_stands_whole_and_in_parts() -> None:
    """Sixty-six rows: the whole names its two parts, each fits a page, and the second is told to continue."""
    (whole, long), *parts = filed(figure_of(6))
    assert whole.name == "f"
    assert whole.caption.endswith("stands in parts too: f-1 and f-2.")
    assert not fits_a_page(long)
    assert [part.name for part, _ in parts] == ["f-1", "f-2"]
    assert [part.title for part, _ in parts] == ["Title", "Title (continued)"]
    assert parts[0][0].caption == "Caption. The first of 2 parts."
    assert "<title>Title (continued)</title>" in parts[1][1]
    for _, drawn in parts:
        assert fits_a_page(drawn)
        assert is_legible_on_paper(drawn)
    assert sum(drawn.count(">row-") for _, drawn in parts) == 60


def test_a_pdf_is_no_wider_than_the_text_of_an_article() -> None:
    """345 points of TeX, at most 440 of PDF high, in a version of PDF that LaTeX includes without a warning."""
    for _, drawn in filed(figure_of(6))[1:]:
        pdf = print_ready(drawn)
        assert pdf.startswith(b"%PDF-1.5")
        (box,) = re.findall(rb"/MediaBox \[([\d. ]+)\]", pdf)
        _, _, wide, high = map(float, box.split())
        assert wide <= TEXT_WIDTH + 0.5
        assert high <= TEXT_HEIGHT + 0.5
    assert (TEXT_WIDTH, TEXT_HEIGHT) == (343.6, 440.0)


def test_a_report_keeps_the_parts_and_prints_them() -> None:
    """Files and captions of the whole and of each part; the page has the parts too, which print breaks between."""
    made = Composition()
    short, long = made.drawn([replace(figure_of(1), name="short"), figure_of(6)])
    kinds = ("svg", "pdf", "png")
    names = ("short", "f", "f-1", "f-2")
    assert set(made.files) == {f"figures/{name}.{kind}" for name in names for kind in kinds}
    assert [one.name for one in made.figures] == list(names)
    assert len(short.printed_markup) == 0
    page = render("figures.html", {"figures": [short, long], "root": ""})
    assert page.count('class="print-only"') == 2
    assert page.count("wide-only screen-only") == 1
