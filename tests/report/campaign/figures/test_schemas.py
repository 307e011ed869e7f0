# SPDX-License-Identifier: MIT
"""What other schemas leave of a difference: each comparison by its own name, whole on a paper too."""

import pytest

from m4bench.analysis.results import Analysis, Interval, SchemaRobustness
from m4bench.report.campaign.figures.schemas import schema_figure
from m4bench.report.drawing import draw, is_legible_on_paper
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import records, words
from tests.report.campaign.samples import build_analysis, sample_table

LABELS = {"codex · m · medium": "m", "codex · n · medium": "n"}
SCHEMAS = ("native", "obfuscated", "restructured")
BOTH = ("with-skill:no-skill", "with-skill:operational-spec")


def line(
    schema: str, system: str, contrast: str = BOTH[0], control: float | None = 0.5, tasks: int = 28
) -> SchemaRobustness:
    """Return a line of a contrast in a schema; without a control it has no difference."""
    told = control is not None
    return SchemaRobustness(
        contrast=contrast,
        schema_name=schema,
        system=system,
        tasks=tasks,
        treatment=0.7,
        control=control,
        delta=0.7 - control if control is not None else None,
        interval=Interval(low=0.1, high=0.3, method="family-t", level=0.9) if told else None,
        positive=20 if told else None,
        ratio=1.0 if told else None,
    )


def figure_of(*lines: SchemaRobustness) -> Figure:
    """Return the figure of lines."""
    analysis: Analysis = build_analysis(sample_table()).model_copy(update={"schemas": lines})
    figure = schema_figure(analysis, LABELS)
    assert figure is not None
    return figure


def headings(figure: Figure) -> list[str]:
    """Return the headings of a figure, each once."""
    return list(
        dict.fromkeys(text for text in words(figure.specification) if "with-skill −" in text)
    )


@pytest.mark.parametrize(
    ("systems", "named"),
    [
        (("codex · m · medium", "codex · n · medium"), ("m", "n")),
        (
            ("codex · m · medium · published", "codex · n · medium · published"),
            ("m", "n"),
        ),
        (
            ("codex · m · medium · published", "codex · m · medium · current"),
            ("m · published", "m · current"),
        ),
        (
            (
                "another system that is " + "long " * 12 + "a",
                "another system that is " + "long " * 12 + "b",
            ),
            None,
        ),
    ],
    ids=["plain", "one setting", "two settings", "cut alike"],
)
def test_no_two_groups_have_one_heading(
    systems: tuple[str, str], named: tuple[str, str] | None
) -> None:
    """A group has its system's label, its setting only where settings differ, a number where it is cut alike."""
    found = headings(figure_of(*(line(schema, one) for one in systems for schema in SCHEMAS)))
    assert len(found) == 2
    if named:
        assert found == [f"with-skill − no-skill · {one}, 28 tasks" for one in named]


def test_a_comparison_without_a_control_elsewhere_is_left_to_the_table() -> None:
    """Of two comparisons one has both sides in another schema and is drawn; the caption counts the other."""
    (system, *_) = LABELS
    bare = (line("native", system, BOTH[1]), line("obfuscated", system, BOTH[1], None))
    figure = figure_of(line("native", system), line("obfuscated", system), *bare)
    assert headings(figure) == ["with-skill − no-skill · m, 28 tasks"]
    assert "1 comparison whose control was not run in another schema" in figure.caption
    assert "not run" not in str(words(figure.specification))
    alone = figure_of(*bare)
    assert headings(alone) == ["with-skill − operational-spec · m, 28 tasks"]
    assert "not run → 0.700" in words(alone.specification)


def test_a_line_leads_from_the_control_to_what_is_tested() -> None:
    """A line a schema that has both; the caption tells the interval's level and how it was made."""
    (system, *_) = LABELS
    figure = figure_of(line("native", system), line("obfuscated", system, control=0.9))
    lines = [(row["low"], row["high"]) for row in records(figure.specification) if "low" in row]
    assert lines == [(0.5, 0.7), (0.7, 0.9)]
    assert "its interval of 90\u202f% (t, clustered by family)" in figure.caption


def test_schemas_of_other_tasks_say_so_in_their_rows() -> None:
    """Each row has its own number of tasks, and its ratio what it is of: 0.2 is 0.8 of the 0.25 on the same six."""
    (system, *_) = LABELS
    other = line("obfuscated", system, tasks=6).model_copy(
        update={"native_delta": 0.25, "ratio": 0.8}
    )
    figure = figure_of(line("native", system, tasks=10), other)
    texts = words(figure.specification)
    assert {"native, 10 tasks", "obfuscated, 6 tasks", "0.80 of +0.250"} <= set(texts)
    assert "the native difference on a line’s own stands behind its ratio" in figure.caption


def test_all_columns_stand_on_a_paper() -> None:
    """Letters of 7 points at the width of a paper's text, with interval, ratio, improved and whole names."""
    figure = figure_of(*(line(schema, one) for one in LABELS for schema in SCHEMAS))
    assert figure.compact is not None
    drawn = draw(figure.compact(), figure.title, figure.alt)
    assert is_legible_on_paper(drawn)
    for text in ("+0.200 [0.100, 0.300]", "20 of 28", "1.00", "obfuscated", "restructured"):
        assert f">{text}<" in drawn
