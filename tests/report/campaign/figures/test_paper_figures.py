# SPDX-License-Identifier: MIT
"""On the paper's runs the figures show the paper's numbers: where marks stand is what the published tables print."""

from collections.abc import Callable

import pytest

from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import cell, marks, one_mark, records, words

Figures = dict[str, Figure]
Published = Callable[[str], list[dict[str, str]]]
PRINTED = 0.00051
SYSTEMS = {"gpt-5.4-mini": "delta_gpt_5_4_mini", "gpt-5.5": "delta_gpt_5_5"}


def test_every_task_stands_at_its_published_difference(
    papers: Figures, published: Published
) -> None:
    """The forest of skill against none holds all 28 task deltas and both models' own."""
    figure = papers["forest-1"]
    assert figure.title.endswith("with-skill minus no-skill")
    rows = published("codex_task_deltas_and_control_membership")
    assert len(rows) == 28
    for row in rows:
        assert one_mark(figure, f"{row['task']}: ") == pytest.approx(
            float(row["delta"]), abs=PRINTED
        )
        for system, column in SYSTEMS.items():
            shown = one_mark(figure, f"{row['task']}, {system}: ")
            assert shown == pytest.approx(float(row[column]), abs=PRINTED)


def test_the_whole_stands_with_its_interval_and_counts(papers: Figures) -> None:
    """0.136 over 28 tasks, 26 improved and 2 declined, with the clustered interval of the specification."""
    figure = papers["forest-1"]
    assert one_mark(figure, "All 28 tasks: +") == pytest.approx(0.136, abs=PRINTED)
    assert {"2 declined", "26 improved"} <= set(words(figure.specification))
    spans = [row for row in records(figure.specification) if "low" in row]
    # statistics-beyond-the-paper: CR1 t(14) [0.054, 0.217], cluster bootstrap-t [0.064, 0.257]
    assert spans[0]["low"] == pytest.approx(0.054, abs=PRINTED)
    assert spans[0]["high"] == pytest.approx(0.217, abs=PRINTED)
    bootstrap = next(span for span in spans if "bootstrap-t, families drawn" in span["about"])
    assert (bootstrap["low"], bootstrap["high"]) == pytest.approx((0.064, 0.257), abs=0.006)
    assert "26 improved, 2 declined" in figure.alt
    assert "560 runs, 280 of with-skill and 280 of no-skill, 5 a cell" in figure.caption
    assert "over 28 tasks in 15 families, each task equal" in figure.caption


def test_families_stand_in_order_with_their_tasks_below(papers: Figures) -> None:
    """Families descend by their mean, and each one's tasks follow it."""
    texts = words(papers["forest-1"].specification)
    names = ["mimic-urine-output-rate-raw", "mimic-urine-output-rate", "mimic-meld-24h"]
    assert [text for text in texts if text in names] == names
    drawn = marks(papers["forest-1"])
    families = [value for about, value in drawn.items() if about.startswith("family ")]
    assert families == sorted(families, reverse=True)
    assert families[0] == pytest.approx((0.471 + 0.460) / 2, abs=PRINTED)


@pytest.mark.parametrize(
    ("condition", "schema"),
    [
        ("no-skill", "native"),
        ("with-skill", "native"),
        ("with-skill-decoy", "native"),
        ("with-skill-rawsql", "native"),
    ],
)
def test_the_map_holds_every_published_cell(
    papers: Figures, published: Published, condition: str, schema: str
) -> None:
    """Each cell by task, condition and model is the published mean reward; what was not run is empty."""
    figure = papers["heat-map-systems"]
    cells = {
        (row["task"], row["model"]): float(row["mean_reward"])
        for row in published("cells_codex_primary")
        if (row["condition"], row["schema"]) == (condition, schema)
    }
    tasks = {row["task"] for row in published("cells_codex_primary")}
    for task in tasks:
        for model in SYSTEMS:
            shown = cell(figure, task, f"{condition} · {model}")
            if (task, model) not in cells:
                assert shown is None
            else:
                assert shown is not None
                printed = (
                    PRINTED if shown[0].isdigit() else 0.00101
                )  # ">0.999" is up to a thousandth off
                value = float(shown.lstrip("<>"))
                assert value == pytest.approx(cells[task, model], abs=printed)


def test_controls_stand_on_the_ten_tasks_and_the_specification_on_its_eight(
    papers: Figures, published: Published
) -> None:
    """Each panel's means are those of the published table of its own tasks; none joins the two sets."""
    raw, decoy = published("codex_matched_controls")  # its second column "control" holds the means
    spec, targeted = published("codex_operational_spec_control")
    expected = [
        [("no-skill", 0.703), ("with-skill", 0.839)],
        [
            ("no-skill", float(raw["no_skill"])),
            ("with-skill-decoy", float(decoy["control"])),
            ("with-skill-rawsql", float(raw["control"])),
            ("with-skill", float(raw["targeted"])),
        ],
        [
            ("no-skill", float(spec["no_skill"])),
            ("operational-spec", float(spec["operational_spec"])),
            ("with-skill", float(targeted["targeted_skill"])),
        ],
    ]
    figure = papers["decomposition"]
    drawn = [row for row in records(figure.specification) if "shape" in row]
    flat = [step for panel in expected for step in panel]
    assert [row["about"].split(":")[0] for row in drawn] == [name for name, _ in flat]
    assert [row["at"] for row in drawn] == pytest.approx([mean for _, mean in flat], abs=PRINTED)
    headings = [text for text in words(figure.specification) if text.startswith("The same")]
    assert headings == [f"The same {n} tasks, 2 systems" for n in (28, 10, 8)]
    assert "not to be compared" in figure.caption


def test_a_schema_without_control_is_not_run_and_not_zero(
    papers: Figures, published: Published
) -> None:
    """Native and both other schemas show the published means with skill; their control is told as not run."""
    figure = papers["schemas"]
    texts = words(figure.specification)
    rows = {row["schema"]: row for row in published("camera_ready_schema_skill_generalization")}
    native = rows["native"]
    assert f"{native['no_skill']} → {native['with_skill']}" in texts
    assert "24 of 26" in texts
    for schema in ("obfuscated", "restructured"):
        assert f"not run → {rows[schema]['with_skill']}" in texts
    assert not any(value == 0 for value in marks(figure).values())


def test_strict_passes_are_the_published_counts(papers: Figures) -> None:
    """13 of 280 without, 25 of 280 with the skill, 49 of 100 with raw SQL; a decoy has none and so no panel."""
    titles = str(papers["strict"].specification)
    for counted in ("13 of 280 runs strict", "25 of 280 runs strict", "49 of 100 runs strict"):
        assert counted in titles
    assert papers["strict"].caption.endswith("No run passes strictly under: with-skill-decoy.")


def test_time_stands_in_for_a_cost_that_was_not_recorded(papers: Figures) -> None:
    """The released runs tell no cost: the figure shows seconds and says so."""
    assert "Neither cost nor tokens were recorded" in papers["cost"].caption
    assert papers["cost"].title == "Reward against time"
    assert one_mark(papers["cost"], "gpt-5.4-mini, no-skill: ", "value") == pytest.approx(
        0.639, abs=PRINTED
    )


def test_six_runs_ended_in_an_error_of_the_agent(papers: Figures) -> None:
    """Three primary and three follow-up runs ended with a non-zero exit."""
    assert papers["failures"].alt == "Of 1\u202f100 runs: completed 1\u202f094; agent-error 6."
