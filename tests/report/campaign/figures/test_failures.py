# SPDX-License-Identifier: MIT
"""How runs ended: counts with their totals, over which settings they are, and in which means."""

import pytest

from m4bench.model.analysis import AnalysisPlan, Denominator
from m4bench.report.campaign.figures.failures import failure_figure
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import records, words
from tests.report.campaign.samples import LARGE, PUBLISHED, build_run, table

Figures = dict[str, Figure]


def counts(figure: Figure, row: str) -> dict[str, str]:
    """Return the figures of a row by column."""
    return {
        one["arm"]: one["text"]
        for one in records(figure.specification)
        if one.get("about", "").startswith(f"{row}, ")
        or one.get("about", "").startswith(f"{row}: ")
    }


def test_failures_stand_apart_from_what_is_no_measurement(sampled: Figures) -> None:
    """A time-out counts as a run that failed; a fault of the machine has a column of its own and is named once."""
    figure = sampled["failures"]
    assert counts(figure, "no-skill, gpt-5.4-mini")["timeout"] == "1"
    lost = counts(figure, "with-skill, gpt-5.5")
    assert (lost["no measurement"], lost["timeout"]) == ("1", "0")
    assert "infrastructure 1" in figure.caption
    assert "infrastructure" not in words(figure.specification)


def test_a_row_has_its_total(sampled: Figures) -> None:
    """The large model ran ten tasks three times, and six of them under two more conventions: 66 runs."""
    found = counts(sampled["failures"], "with-skill, gpt-5.5")
    assert found["all runs"] == "66"
    assert sum(int(text) for name, text in found.items() if name != "all runs") == 66


def test_a_caption_says_over_which_settings_a_row_is(sampled: Figures) -> None:
    """Runs of several conventions stand in one row, which the caption says; of one there is nothing to say."""
    assert "ended, over all conventions." in sampled["failures"].caption
    one = [build_run("t", state="timeout")]
    other = build_run("t", setting=PUBLISHED._replace(dataset="other", drops="published"))
    plan = AnalysisPlan()
    alone = failure_figure(table(one), {}, plan)
    both = failure_figure(table([*one, other]), {}, plan)
    assert alone is not None
    assert both is not None
    assert "Runs by how they ended." in alone.caption
    assert "ended, over all data sets and drops." in both.caption


@pytest.mark.parametrize(
    ("denominator", "told"),
    [("valid", "such runs are in no mean"), ("all", "such runs are in every mean as 0")],
)
def test_what_becomes_of_a_run_without_a_measurement_is_told_as_planned(
    denominator: Denominator, told: str
) -> None:
    """The words follow the plan's denominator."""
    runs = table([build_run("t"), build_run("t", trial=2, state="infrastructure")])
    figure = failure_figure(runs, {}, AnalysisPlan(denominator=denominator))
    assert figure is not None
    assert told in figure.caption


def test_conditions_are_headings_of_their_systems() -> None:
    """A condition stands once, above the systems that ran it."""
    runs = [build_run("t", "no-skill", state="timeout"), build_run("t", "with-skill")]
    figure = failure_figure(table(runs), {str(LARGE): "large"}, AnalysisPlan())
    assert figure is not None
    told = words(figure.specification)
    assert (told.count("no-skill"), told.count("large")) == (1, 2)
    assert sum("arm" in one for one in records(figure.specification)) == 2 * 3
