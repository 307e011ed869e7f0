# SPDX-License-Identifier: MIT
"""The figures: valid descriptions that draw to the same bytes, say their numbers, and hold no foreign markup."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import altair as alt
import pytest

from m4bench.report import charts, palette
from m4bench.report.arms import ArmName
from m4bench.report.drawing import draw, for_paper, inline, is_legible_on_paper, print_ready
from m4bench.report.exhibits import Figure
from m4bench.report.figures import front_figures, labels, task_figures
from m4bench.report.summary import summarise
from tests.report.records import build_run, build_score, build_study

KINDS = ["rewards", "losses", "x-trials", "x-keys", "x-columns"]


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    """The figures of a study: two over all tasks, three of one."""
    summary = summarise(build_study())
    found = front_figures(summary) + task_figures(summary, summary.questions[4], "x")
    return {figure.name: figure for figure in found}


def texts(svg: str) -> list[str]:
    """Return what can be read in a drawing, titles apart."""
    root = ElementTree.fromstring(svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def titles(svg: str) -> list[str]:
    """Return what a reader sees on pointing at a mark."""
    root = ElementTree.fromstring(svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]


def colours(svg: str) -> Iterator[str]:
    """Yield every colour of a drawing."""
    for element in ElementTree.fromstring(svg).iter():
        for name in ("fill", "stroke"):
            if element.get(name, "none") != "none":
                yield str(element.get(name))


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_valid_vega_lite(figures: dict[str, Figure], kind: str) -> None:
    """Each description holds against the schema that Altair carries, its records included."""
    chart = alt.Chart.from_dict(dict(figures[kind].specification), validate=True)
    assert chart.to_dict(validate=True)["datasets"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_drawn_to_the_same_bytes(figures: dict[str, Figure], kind: str) -> None:
    """SVG and PDF of the same figure are the same, again and again."""
    figure = figures[kind]
    first, second = (draw(figure.specification, figure.title, figure.alt) for _ in range(2))
    assert first == second
    assert len({print_ready(first) for _ in range(4)}) == 1
    assert print_ready(first).startswith(b"%PDF-")


def plain_drawing(width: int, letters: int) -> str:
    """Return a drawing of a width in pixels with one word of a height in pixels."""
    specification = {
        "data": {"values": [{}]},
        "mark": {"type": "text", "text": "word", "fontSize": letters},
        "width": width,
        "height": 100,
        "padding": 0,
        "config": {"view": {"stroke": None}},
    }
    return draw(specification, "", "")


@pytest.mark.parametrize(
    ("width", "letters", "legible", "file", "pdf"),
    [
        (400, 12, True, (400, 100), (300, 75)),  # three quarters of a point a pixel
        (458, 12, True, (458, 100), (343.5, 75)),  # as wide as the text, nearly
        (500, 12, True, (458.13, 91.63), (343.6, 68.72)),  # shrunk to it: letters of 8.2 points
        (500, 10, False, (458.13, 91.63), (343.6, 68.72)),  # 6.9 points
        (600, 12, False, (458.13, 76.36), (343.6, 57.27)),  # 6.9 points
    ],
)
def test_a_file_is_as_wide_as_the_text_of_a_paper(
    width: int, letters: int, legible: bool, file: tuple[float, float], pdf: tuple[float, float]
) -> None:
    """SVG and PDF are at most as wide as an article's text; it is told where letters would be below 7 points."""
    drawn = plain_drawing(width, letters)
    assert is_legible_on_paper(drawn) is legible
    root = ElementTree.fromstring(for_paper(drawn))
    assert (float(root.get("width", 0)), float(root.get("height", 0))) == pytest.approx(file)
    assert root.get("viewBox") == f"0 0 {width} 100"
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", print_ready(drawn))
    assert box
    assert [float(side) for side in box.groups()] == pytest.approx(pdf, abs=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_on_its_own_lies_on_white(figures: dict[str, Figure], kind: str) -> None:
    """In a paper no tinted rectangle stands out; in a page the drawing has no paper of its own."""
    figure = figures[kind]
    drawn = draw(figure.specification, figure.title, figure.alt)
    paper = ElementTree.fromstring(drawn).find("{http://www.w3.org/2000/svg}rect")
    assert paper is not None
    assert paper.get("fill") == "#ffffff"
    assert (
        ElementTree.fromstring(inline(drawn, "t")).find("{http://www.w3.org/2000/svg}rect") is None
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_colour_follows_the_page(figures: dict[str, Figure], kind: str) -> None:
    """In a page no colour is fixed, so that a dark page has no light figure; on its own, none is a variable."""
    figure = figures[kind]
    drawn = draw(figure.specification, figure.title, figure.alt)
    assert set(colours(drawn)) <= set(palette.VARIABLES)
    assert all(
        re.fullmatch(r"var\(--[a-z0-9-]+\)", colour) for colour in colours(inline(drawn, "t"))
    )


def test_marks_say_what_they_stand_for(figures: dict[str, Figure]) -> None:
    """Every cell of the heat map and every circle has a title with its figure."""
    figure = figures["x-columns"]
    drawn = draw(figure.specification, figure.title, figure.alt)
    assert titles(drawn)[0] == figure.title
    told = titles(drawn)[1:]
    shown = [text for text in texts(drawn) if re.fullmatch(r"[<>]?[01]\.\d{3}\*?", text)]
    assert len(told) == len(shown) > 10
    assert any("below the threshold of 0.9" in text for text in told)


def test_the_keys_figure_counts_what_is_wrong() -> None:
    """Matched, missing, extra and repeated keys stand beside the bar; a flood of keys is cut and said so."""
    score = build_score("t", {"a": 0.1}, reference=100, matched=90, extra=900)
    summary = summarise([build_run("t", score=score)])
    keys = task_figures(summary, summary.questions[0], "x")[1]
    assert "90 matched, 10 missing, 900 extra" in texts(draw(keys.specification, "", ""))
    assert "Bars are cut at twice the reference" in keys.caption


def test_one_trial_shows_no_spread() -> None:
    """Of a single trial the figure claims nothing more."""
    summary = summarise([build_run()])
    trials = task_figures(summary, summary.questions[0], "x")[0]
    assert "no spread" in trials.caption
    assert "0.750, one trial" in trials.alt
    summary = summarise(
        [build_run(trial=1), build_run(trial=2, rates={"sofa": 0.25, "renal": 0.25})]
    )
    trials = task_figures(summary, summary.questions[0], "x")[0]
    assert "no spread" not in trials.caption
    assert "0.500, 2 trials from 0.250 to 0.750" in trials.alt


def test_nothing_measured_is_no_figure() -> None:
    """Without a measurement there is nothing to draw; without a comparison there are trials alone."""
    summary = summarise([build_run(state="infrastructure", reason="x")])
    assert front_figures(summary) == task_figures(summary, summary.questions[0], "x") == []
    summary = summarise([build_run(state="timeout", reason="x")])
    assert [f.name for f in task_figures(summary, summary.questions[0], "x")] == ["x-trials"]


def test_hostile_names_are_text_in_a_drawing() -> None:
    """Markup in a name is drawn as letters, and no element but shapes and text comes out."""
    name = "</text><script>alert(1)</script>\u202e&amp;"
    summary = summarise([build_run(name, name, rates={name: 0.5})])
    for figure in front_figures(summary) + task_figures(summary, summary.questions[0], "x"):
        drawn = inline(draw(figure.specification, figure.title, figure.alt), "t")
        assert "<script" not in drawn
        assert "\u202e" not in drawn


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([ArmName("a", ("m", "x")), ArmName("a", ("m", "y"))], ["a · x", "a · y"]),
        ([ArmName("a", ("m",)), ArmName("b", ("m",))], ["a", "b"]),
        ([ArmName("a", ("m",)), ArmName("a", ("n",))], ["a · m", "a · n"]),
        (
            [ArmName("a" * 60, ()), ArmName("a" * 61, ())],
            ["a" * 24 + "…" + "a" * 15, "a" * 24 + "…" + "a" * 15 + " (2)"],
        ),
    ],
)
def test_labels_tell_arms_apart(names: list[ArmName], expected: list[str]) -> None:
    """What all arms of an agent share is left out, long names are cut in the middle, none are alike."""
    assert labels(names) == expected


@pytest.mark.parametrize(
    ("rate", "step"), [(1.0, 0), (0.9999, 1), (0.95, 1), (0.8, 2), (0.5, 3), (0.2, 4), (0.0, 5)]
)
def test_shades_have_fixed_steps(rate: float, step: int) -> None:
    """Only full agreement has no shade."""
    assert palette.heat(rate) == step


def test_what_may_not_be_published_is_marked(figures: dict[str, Figure]) -> None:
    """An arm without a publishable run, as a baseline, bears a dagger in every figure, and the caption says why."""
    for figure in figures.values():
        drawn = texts(draw(figure.specification, figure.title, figure.alt))
        assert {"reference †", "naive †"} <= set(drawn)
        assert {name for name in drawn if name.endswith("†")} <= {
            "reference †",
            "naive †",
            "empty †",
        }
        assert figure.caption.endswith("† may not be published.")
    summary = summarise([build_run()])
    assert not any("†" in figure.caption for figure in front_figures(summary))


def test_parts_of_a_bar_follow_one_another_and_tell_their_shares() -> None:
    """Six of ten rows matched, three wrong, one missing: the parts end at 0.6, 0.9 and 1, each with its share."""
    shares = [
        {"arm": "a", "kind": kind, "place": place, "share": share, "about": kind}
        for place, (kind, share) in enumerate((("matched", 0.6), ("values", 0.3), ("missing", 0.1)))
    ]
    narrow = [{**shares[0], "share": 0.97}, {**shares[1], "share": 0.03}]
    drawn = charts.losses(shares, ["a"])
    parts = next(rows for rows in drawn["datasets"].values() if "from" in rows[0])
    assert [(row["from"], row["to"]) for row in parts] == [
        pytest.approx(ends) for ends in ((0, 0.6), (0.6, 0.9), (0.9, 1))
    ]
    assert {"0.60", "0.30", "0.10"} <= set(texts(draw(drawn, "", "")))
    assert "0.03" not in texts(draw(charts.losses(narrow, ["a"]), "", ""))


def test_a_circle_at_the_end_of_a_scale_has_room(figures: dict[str, Figure]) -> None:
    """Rewards of 0 and 1 lie within the plot, so that a circle touches no name and no figure beside it."""
    domains = re.findall(
        r"'domain': \[(-?[\d.]+), ([\d.]+)\]", str(figures["rewards"].specification)
    )
    assert ("-0.03", "1.03") in domains
