# SPDX-License-Identifier: MIT
"""The tables of a campaign: the rows of an invented one, counted and reckoned by hand."""

import re
import shutil
import subprocess
from pathlib import Path
from statistics import fmean

import pytest

from m4bench.analysis.results import Analysis, Component, VarianceComponents
from m4bench.analysis.runs import RunTable
from m4bench.model.analysis import DeclaredContrast
from m4bench.report import latex
from m4bench.report.campaign.page import CampaignPart, campaign_page
from m4bench.report.campaign.tables import campaign_tables
from m4bench.report.exhibits import Row, Table
from tests.report.campaign.samples import (
    FAMILIES,
    LARGE,
    PUBLISHED,
    SMALL,
    build_analysis,
    build_run,
    sample_analysis,
    sample_table,
)
from tests.report.campaign.samples import (
    table as runs_of,
)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """The tables of the invented campaign by name."""
    return {one.name: one for one in campaign_tables(sample_analysis(), sample_table())}


def rows_where(table: Table, **values: object) -> list[Row]:
    """Return the rows with these values."""
    return [row for row in table.rows if values.items() <= row.items()]


def test_every_table_has_rows_of_one_shape_and_a_safe_name(tables: dict[str, Table]) -> None:
    """A name is fit for a file, rows share their columns, and what is printed is among them."""
    assert {"contrasts", "contrast-tasks", "sensitivity", "arms", "task-arms", "standings"} <= set(
        tables
    )
    for table in tables.values():
        assert re.fullmatch(r"[a-z][a-z-]{0,40}", table.name)
        assert table.rows
        assert {tuple(row) for row in table.rows} == {tuple(table.rows[0])}
        assert set(table.printed) <= set(table.rows[0])
        assert table.title
        assert table.caption.endswith(".")


def test_a_contrast_is_the_mean_of_its_tasks(tables: dict[str, Table]) -> None:
    """The rows by task of a contrast average to its delta, and count what improved."""
    for contrast in tables["contrasts"].rows:
        deltas = [
            row["delta"]
            for row in rows_where(tables["contrast-tasks"], contrast=contrast["contrast"])
        ]
        assert len(deltas) == contrast["tasks"]
        assert fmean(deltas) == pytest.approx(contrast["delta"])
        assert sum(delta > 1e-9 for delta in deltas) == contrast["improved"]


def test_a_cell_is_a_row_with_the_mean_of_its_trials(tables: dict[str, Table]) -> None:
    """As many cells as the runs have, each with the plain mean of the rewards that enter."""
    cells = tables["task-arms"].rows
    assert len(cells) == len(sample_table().cells())
    assert {row["task"] for row in cells} == set(FAMILIES)
    assert all(row["entering_runs"] <= row["runs"] for row in cells)
    of_one = next(row for row in cells if row["entering_runs"] == row["runs"] and row["reward"])
    rewards = [
        run.reward
        for run in sample_table()
        if (run.task, run.condition, run.schema, str(run.system), run.setting.convention)
        == (
            of_one["task"],
            of_one["condition"],
            of_one["schema"],
            of_one["system"],
            of_one["convention"],
        )
    ]
    assert of_one["reward"] == pytest.approx(
        fmean(reward for reward in rewards if reward is not None)
    )


def test_failures_are_counted_by_state(tables: dict[str, Table]) -> None:
    """The runs of the table of failures are those of the arms."""
    failed = sum(row["runs"] for row in tables["failures"].rows)
    assert failed == sum(sum(arm.failures.values()) for arm in sample_analysis().arms)
    assert failed > 0


def test_what_was_not_determined_is_empty(tables: dict[str, Table]) -> None:
    """A schema whose control was not run has no delta and no ratio; neither is 0."""
    missing = [row for row in tables["schemas"].rows if row["control"] is None]
    assert missing
    assert all((row["delta"], row["ratio"], row["low"]) == (None, None, None) for row in missing)


def test_a_fit_that_did_not_converge_shows_no_figure() -> None:
    """Its variance is left out, that it did not converge is told."""
    part = Component(name="family", variance=0.02, deviation=0.14, share=0.5, levels=5)
    found = VarianceComponents(
        condition="no-skill",
        schema_name="native",
        runs=10,
        cells=5,
        components=(part,),
        converged=False,
    )
    analysis = sample_analysis().model_copy(update={"components": (found,)})
    table = next(
        one for one in campaign_tables(analysis, sample_table()) if one.name == "components"
    )
    assert [table.rows[0][name] for name in ("variance", "share", "converged")] == [
        None,
        None,
        False,
    ]


@pytest.mark.parametrize("setting", ["", "current, mimic-iv-demo"])
def test_components_name_the_setting_they_are_of(setting: str) -> None:
    """Where runs have several conventions or datasets, each has components of its own, told by name in print."""
    part = Component(name="trial", variance=0.04, deviation=0.2, share=1.0, levels=3)
    found = VarianceComponents(
        condition="no-skill",
        schema_name="native",
        setting=setting,
        runs=6,
        cells=2,
        components=(part,),
        converged=True,
    )
    analysis = sample_analysis().model_copy(update={"components": (found,)})
    (table,) = [t for t in campaign_tables(analysis, sample_table()) if t.name == "components"]
    assert ("setting" in table.printed) is bool(setting)
    assert ("mimic-iv-demo" in latex.table(table)) is bool(setting)
    page = campaign_page(CampaignPart(analysis, sample_table(), [], {}), [])
    assert ("current, mimic-iv-demo" in page) is bool(setting)


def test_a_table_without_a_row_is_left_out() -> None:
    """Runs under one condition have no contrast to tabulate."""
    alone = sample_table().where(lambda run: run.condition == "no-skill")
    names = {one.name for one in campaign_tables(build_analysis(RunTable(alone.runs), ()), alone)}
    assert "arms" in names
    assert not names & {"contrasts", "contrast-tasks", "components"}


def test_the_table_of_a_paper_has_two_lines_a_primary_contrast(tables: dict[str, Table]) -> None:
    """Delta, interval with its level, p and Holm's p, improved tasks, families and the claim; no exploratory one."""
    primary = tables["primary"]
    assert [row["contrast"] for row in primary.rows] == [
        "with-skill:no-skill",
        "with-skill-rawsql:no-skill",
    ]
    assert {row["level"] for row in primary.rows} == {0.95}
    assert {row["verdict"] for row in primary.rows} == {
        "difference: not shown at 0.05 (Holm p 0.062)"
    }
    text = latex.table(primary)
    (first,) = [line for line in text.splitlines() if line.startswith("with-skill $-$ no-skill")]
    own = primary.rows[0]
    assert f"{{[}}{own['low']:.3f}, {own['high']:.3f}]" in first
    assert f"{own['improved']} of {own['tasks']}" in first
    assert "95\\,\\%" in text
    assert text.count("difference: not shown & ") == 2
    assert text.count("Holm 0.062") == 2


def test_what_is_printed_is_explained_and_nothing_else(tables: dict[str, Table]) -> None:
    """A caption in print names no column that stands in the CSV alone, and measures stand in words."""
    for name in (
        "primary",
        "contrasts",
        "contrast-tasks",
        "contrast-systems",
        "sensitivity",
        "arms",
    ):
        exhibit = tables[name]
        assert exhibit.in_print is not None
        head = exhibit.in_print.printed or tuple(exhibit.in_print.rows[0])
        hidden = set(exhibit.rows[0]) - set(head) - {"p_value", "families", "tasks", "runs"}
        columns = {column for column in hidden if "_" in column}
        assert not [one for one in columns if one in exhibit.in_print.caption], name
        assert "key_f1" not in latex.table(exhibit)
        assert "key\\_f1" not in latex.table(exhibit)
    assert "95" in latex.table(tables["contrasts"])
    roles = [row["role"] for row in tables["contrasts"].in_print.rows]  # type: ignore[union-attr]
    assert roles == ["primary", "primary", "exploratory"]


def test_the_first_line_of_other_choices_is_the_result(tables: dict[str, Table]) -> None:
    """Each contrast begins with itself, named as that, so that the others can be read against it."""
    deltas = {row["contrast"]: row["delta"] for row in tables["contrasts"].rows}
    first: dict[str, Row] = {}
    for row in tables["sensitivity"].rows:
        first.setdefault(row["contrast"], row)
    assert set(first) == set(deltas)
    for contrast, row in first.items():
        assert row["changed"] == "nothing: the result itself"
        assert row["kind"] == "result"
        assert row["delta"] == deltas[contrast]


@pytest.mark.slow
def test_every_table_of_the_paper_fits_a_page(published: Path, tmp_path: Path) -> None:
    """pdfLaTeX with the article class sets the released campaign without a line that is too long."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    names = sorted(path.stem for path in (published.parent / "tables").glob("*.tex"))
    for name in names:
        shutil.copy(published.parent / "tables" / f"{name}.tex", tmp_path)
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,array,longtable}\n\\begin{document}\n"
        + "".join(f"\\input{{{name}}}\\clearpage\n" for name in names)
        + "\\end{document}\n"
    )
    for _ in range(2):  # a long table knows its widths from the second run on
        subprocess.run(
            [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert "Overfull \\hbox" not in log


def printed(analysis: Analysis, runs: RunTable) -> dict[str, str]:
    """Return the tables in LaTeX by name, without the places where words may break."""
    return {
        one.name: latex.table(one).replace(r"\allowbreak{}", "")
        for one in campaign_tables(analysis, runs)
    }


@pytest.mark.parametrize(
    ("changed", "column", "told"),
    [
        ({}, None, None),
        ({"convention": "current"}, "convention", "current"),
        ({"drops": "published"}, "drops", "published"),
        (
            {"convention": "current", "dataset": "eicu-demo"},
            "setting",
            "eicu-demo, current",
        ),
    ],
)
def test_rows_of_other_settings_are_told_apart_in_print(
    changed: dict[str, str], column: str | None, told: str | None
) -> None:
    """A part of the setting in which rows differ is a column, several are one together, what is alike is none."""
    settings = {PUBLISHED, PUBLISHED._replace(**changed)}
    runs = runs_of(
        build_run(task, condition, setting=setting, system=system, reward=reward, state=state)
        for task in ("demo-lactate", "demo-weaning")
        for condition, reward in (("no-skill", 0.2), ("with-skill", 0.5))
        for system in (LARGE, SMALL)
        for setting in sorted(settings)
        for state in ("completed", "timeout")
    )
    analysis = build_analysis(runs.where(lambda run: run.setting == PUBLISHED))
    own = {"drops": PUBLISHED.drops}
    arms = [arm.model_copy(update=own) for arm in analysis.arms]
    groups = [group.model_copy(update=own) for group in analysis.standings]
    if changed:
        arms += [arm.model_copy(update=changed) for arm in arms]
        groups += [group.model_copy(update=changed) for group in groups]
    apart = analysis.model_copy(update={"arms": tuple(arms), "standings": tuple(groups)})
    found = printed(apart, runs)
    for name in ("arms", "passes", "task-arms", "failures", "standings", "pairs"):
        head = found[name].split("\\toprule\n")[1].splitlines()[0]
        titles = {title.strip() for title in head.split("&")}
        own_titles = titles & {"convention", "dataset", "access", "drops", "setting"}
        assert own_titles == ({column} if column else set()), name
        assert told is None or told in found[name].split("\\midrule")[1], name
        assert not changed or "schema native" in found[name], name


def test_what_is_not_publishable_is_marked_in_print() -> None:
    """A dagger stands at the rows that are not publishable, at no other, and the caption says what it means."""
    rows = [
        build_run(task, condition, system=system, publishable=system == LARGE)
        for task in ("demo-lactate", "demo-weaning")
        for condition in ("no-skill", "with-skill")
        for system in (LARGE, SMALL)
    ]
    runs = runs_of(rows)
    found = printed(build_analysis(runs), runs)
    for name in ("arms", "passes", "task-arms", "standings"):
        lines = [line for line in found[name].splitlines() if line.endswith(r"\tabularnewline")]
        for line in lines:
            assert (r"\dag{}" in line) is ("gpt-5.4-mini" in line), name
        assert r"\dag{} not publishable." in found[name], name
    for name in ("primary", "contrasts"):
        assert r"with-skill $-$ no-skill \dag{} &" in found[name]
        assert r"\dag{} not publishable." in found[name]
    fit = runs.where(lambda run: run.publishable)
    assert all(r"\dag" not in one for one in printed(build_analysis(fit), fit).values())


def test_the_caption_of_a_paper_says_which_p_is_corrected_and_on_how_many_tasks() -> None:
    """A claim with a margin has a p of its own below that of a difference; a contrast of fewer tasks is named."""
    analysis = sample_analysis()
    plain = printed(analysis, sample_table())["primary"]
    assert "one-sided" not in plain
    assert r"On 6 of the 10 tasks: with-skill-rawsql $-$ no-skill." in plain
    claim = DeclaredContrast(contrast="with-skill:no-skill", claim="non-inferiority", margin=0.05)
    plan = analysis.plan.model_copy(update={"contrasts": (claim, analysis.plan.contrasts[1])})
    claimed = printed(analysis.model_copy(update={"plan": plan}), sample_table())["primary"]
    assert "its own two one-sided tests for equivalence" in claimed
    assert "it can be smaller than the p above it" in claimed
