# SPDX-License-Identifier: MIT
"""The tables of a campaign: the rows of an invented one, counted and reckoned by hand."""

import re
import shutil
import subprocess
from pathlib import Path
from statistics import fmean

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.results import (
    Analysis,
    Component,
    Equivalence,
    Interval,
    VarianceComponents,
)
from m4bench.analysis.runs import RunTable, System
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.report import latex, markup
from m4bench.report.campaign.arm_tables import task_arms_table
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


def plain(text: str) -> str:
    """Return LaTeX without what keeps words whole or lets them break."""
    return (
        re.sub(r"\\mbox\{([^}]*)\}", r"\1", text)
        .replace(r"\allowbreak{}", "")
        .replace("~$-$", " $-$")
    )


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
    (head,) = {row["heading"] for row in table.in_print.rows}  # type: ignore[union-attr]
    assert head == f"no-skill, native{', ' if setting else ''}{setting}"
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
        "difference: not shown at 0.05 (Holm p 0.063)"
    }
    text = latex.table(primary)
    (first,) = [
        line for line in plain(text).splitlines() if line.startswith("with-skill $-$ no-skill")
    ]
    own = primary.rows[0]
    assert f"{{[}}{own['low']:.3f}, {own['high']:.3f}]" in first
    assert f"{own['improved']} of {own['tasks']}" in first
    assert "95\\,\\%" in text
    assert text.replace(r"\mbox{", "").count("difference: not shown") == 2
    assert text.count("Holm 0.063") == 2


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
    roles = [row["heading"] for row in tables["contrasts"].in_print.rows]  # type: ignore[union-attr]
    assert roles == [
        "Primary contrasts, p by Holm",
        "Primary contrasts, p by Holm",
        "Exploratory contrasts, p by Benjamini and Hochberg",
    ]


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


def overfull(texts: dict[str, str], folder: Path) -> list[str]:
    """Return the lines of pdfLaTeX's log that tell of a table wider than the text of the article class."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex: apt-get install texlive-latex-recommended")
    for name, text in texts.items():
        (folder / f"{name}.tex").write_text(text)
    (folder / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,array,longtable}\n\\begin{document}\n"
        + "".join(f"\\typeout{{{name}}}\\input{{{name}}}\\clearpage\n" for name in sorted(texts))
        + "\\end{document}\n"
    )
    for _ in range(2):  # a long table knows its widths from the second run on
        subprocess.run(
            [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
            cwd=folder,
            capture_output=True,
            check=True,
        )
    log = (folder / "paper.log").read_text(errors="replace")
    return [line for line in log.splitlines() if "Overfull \\hbox" in line]


@pytest.mark.slow
def test_every_table_of_the_paper_fits_a_page(published: Path, tmp_path: Path) -> None:
    """pdfLaTeX with the article class sets the released campaign without a line that is too long."""
    found = (published.parent / "tables").glob("*.tex")
    assert overfull({path.stem: path.read_text() for path in found}, tmp_path) == []


def systems_in_two_conventions() -> RunTable:
    """Return runs of three systems with long names under four conditions and two conventions, some not measured."""
    systems = (
        LARGE,
        System("claude-code", "claude-sonnet-5", "high"),
        System("opencode", "qwen3-coder-480b-a35b-instruct", ""),
    )
    return runs_of(
        build_run(
            task,
            condition,
            system=system,
            setting=PUBLISHED._replace(convention=convention),
            trial=trial,
            reward=0.3 + 0.05 * place + 0.1 * trial,
            state="timeout" if trial == 2 and place == 3 else "completed",
        )
        for task in (
            "mimic-vasopressor-equivalents-raw",
            "mimic-urine-output-rate-raw",
            "demo-sofa",
        )
        for place, condition in enumerate(
            ("no-skill", "with-skill-decoy", "with-skill", "with-skill+checks")
        )
        for system in systems
        for convention in ("published", "adjudicated")
        for trial in (1, 2)
    )


def test_every_table_of_systems_in_two_conventions_fits_a_page(tmp_path: Path) -> None:
    """A contrast of systems written by fields, two conventions and long names: no line is too long, none is raw."""
    runs = systems_in_two_conventions()
    contrast = (
        "agent=claude-code,model=claude-sonnet-5:"
        "agent=opencode,model=qwen3-coder-480b-a35b-instruct"
    )
    plan = AnalysisPlan(
        contrasts=(
            DeclaredContrast(contrast="with-skill:no-skill"),
            DeclaredContrast(contrast=contrast, claim="non-inferiority", margin=0.05),
        ),
        declared=True,
    )
    texts = {one.name: latex.table(one) for one in campaign_tables(analyse(runs, plan), runs)}
    assert {"primary", "measures", "summary", "pairs", "sensitivity", "contrast-tasks"} <= set(
        texts
    )
    assert not [name for name, text in texts.items() if "agent=" in plain(text)]
    assert overfull(texts, tmp_path) == []


def printed(analysis: Analysis, runs: RunTable) -> dict[str, str]:
    """Return the tables in LaTeX by name, without the places where words may break."""
    return {one.name: plain(latex.table(one)) for one in campaign_tables(analysis, runs)}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, ""),
        ({"convention": "current"}, ", current"),
        ({"drops": "published"}, ", published drops"),
        ({"convention": "current", "dataset": "eicu-demo"}, ", eicu-demo, current"),
    ],
)
def test_rows_of_other_settings_are_told_apart_in_print(changed: dict[str, str], told: str) -> None:
    """Rows stand under their condition and the parts of the setting that differ; the caption says what is alike."""
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
        headings = re.findall(r"\\textit\{([^}]*)\}", found[name])
        assert headings.count(f"with-skill{told}") == 1, name
        assert len(set(headings)) == len(headings), name
        assert {heading.partition(",")[0] for heading in headings} <= {"no-skill", "with-skill"}
        assert "schema native" in found[name].split("In all rows: ")[1].split("}")[0], name


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
        assert r"with-skill $-$ no-skill \dag{}" in found[name]
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


def test_a_claim_with_a_margin_prints_the_interval_that_decides_it() -> None:
    """Level and bounds of the claim's own interval are columns, empty for a difference, and a third line in print."""
    analysis = sample_analysis()
    claim = DeclaredContrast(contrast="with-skill:no-skill", claim="equivalence", margin=0.05)
    plan = analysis.plan.model_copy(update={"contrasts": (claim, analysis.plan.contrasts[1])})
    own = Interval(low=-0.0211, high=0.0388, method="family-t", level=0.9)
    decided = Equivalence(claim="equivalence", margin=0.05, interval=own, p_value=0.012, shown=True)
    first = analysis.contrasts[0].model_copy(update={"equivalence": decided})
    found = analysis.model_copy(
        update={"plan": plan, "contrasts": (first, *analysis.contrasts[1:])}
    )
    made = {one.name: one for one in campaign_tables(found, sample_table())}
    for name in ("primary", "contrasts"):
        bounds = [
            (row["claim_low"], row["claim_high"], row["claim_level"]) for row in made[name].rows
        ]
        assert bounds[:2] == [(-0.0211, 0.0388, 0.9), (None, None, None)], name
    text = plain(latex.table(made["primary"]))
    assert r"interval of the claim, 90\,\% &  & {[}$-$0.021, 0.039] & 0.012 &" in text
    assert text.count("interval of the claim") == 1


def test_an_analysis_nobody_declared_says_so_in_its_captions() -> None:
    """In CSV's caption, in Markdown and in LaTeX, of primary contrasts and of all; a declared one says nothing."""
    declared = sample_analysis()
    own = declared.plan.model_copy(update={"declared": False})
    for analysis, times in (
        (declared, 0),
        (declared.model_copy(update={"plan": own}), 1),
    ):
        found = {one.name: one for one in campaign_tables(analysis, sample_table())}
        for name in ("primary", "contrasts"):
            for text in (markup.table(found[name]), latex.table(found[name])):
                assert text.count("Not declared before the runs") == times, name


def test_other_measures_stand_in_a_table_of_their_own_in_print() -> None:
    """The printed contrasts are of reward alone; the CSV has all measures, and the printed measures the others."""
    analysis = sample_analysis()
    other = analysis.contrasts[0].model_copy(
        update={"metric": "ordered_nmae", "role": "exploratory"}
    )
    found = analysis.model_copy(update={"contrasts": (*analysis.contrasts, other)})
    made = {one.name: one for one in campaign_tables(found, sample_table())}
    assert [row["metric"] for row in made["contrasts"].rows].count("ordered_nmae") == 1
    contrasts, measures = (latex.table(made[name]) for name in ("contrasts", "measures"))
    assert "nMAE" not in contrasts
    assert r"\textit{NMAE of ordered columns, less is better}" in measures


@pytest.mark.parametrize(
    ("weighting", "denominator", "words"),
    [
        ("task", "valid", ("each task equal", "in no mean")),
        ("family", "all", ("each family equal", "in every mean as 0")),
    ],
)
def test_captions_follow_the_plan(weighting: str, denominator: str, words: tuple[str, str]) -> None:
    """How tasks weigh, and what becomes of runs without a measurement, is said as the plan has it."""
    analysis = sample_analysis()
    changed = {"weighting": weighting, "denominator": denominator}
    plan = analysis.plan.model_copy(update=changed)
    found = {
        one.name: one
        for one in campaign_tables(analysis.model_copy(update={"plan": plan}), sample_table())
    }
    for name in ("primary", "contrasts", "contrast-systems", "arms", "passes", "summary"):
        for text in (markup.table(found[name]), latex.table(found[name])):
            assert words[0] in text, name
            assert "task equal" not in text.replace(words[0], ""), name
    for name in ("arms", "failures"):
        for text in (markup.table(found[name]), latex.table(found[name])):
            assert words[1] in text, name


def test_what_runs_told_is_counted_measure_by_measure() -> None:
    """Four runs tell their cost, none its tokens: each count is of its own measure."""
    analysis = sample_analysis()
    arm = analysis.arms[0].model_copy(
        update={"told": 22, "told_by": {"cost_usd": 4, "tokens": 22, "seconds": 15}}
    )
    (row,) = (
        one.rows[0]
        for one in campaign_tables(analysis.model_copy(update={"arms": (arm,)}), sample_table())
        if one.name == "arms"
    )
    assert [row[f"{name}_told_by"] for name in ("cost", "tokens", "seconds")] == [4, 22, 15]


def test_cells_come_in_the_one_order() -> None:
    """The barest condition first, native and published before others, whatever the alphabet says."""
    published = PUBLISHED._replace(convention="published")
    places = [
        ("with-skill", "native", "published"),
        ("no-skill", "obfuscated", "published"),
        ("no-skill", "native", "adjudicated"),
        ("no-skill", "native", "published"),
    ]
    runs = runs_of(
        build_run(
            "demo-lactate",
            condition,
            schema=schema,
            setting=published._replace(convention=convention),
        )
        for condition, schema, convention in places
    )
    rows = task_arms_table(runs).rows
    assert [(row["condition"], row["schema"], row["convention"]) for row in rows] == [
        ("no-skill", "native", "published"),
        ("no-skill", "native", "adjudicated"),
        ("no-skill", "obfuscated", "published"),
        ("with-skill", "native", "published"),
    ]


def test_the_small_table_has_systems_by_conditions() -> None:
    """A column a system, three lines a condition: rewards, intervals and tasks, strict passes; of the first setting."""
    analysis = sample_analysis()
    base = analysis.arms[0].model_copy(
        update={
            "tasks": 10,
            "reward": 0.5,
            "interval": Interval(low=0.4, high=0.6, method="family-t", level=0.95),
        }
    )
    arms = [
        base.model_copy(update={"system": system, "condition": condition, "schema_name": schema})
        for condition in ("no-skill", "with-skill")
        for schema in ("native", "obfuscated")
        for system in ("a", "b")
    ]
    arms[-1] = arms[-1].model_copy(update={"publishable": False})
    arms[4] = arms[4].model_copy(update={"reward": 0.75, "tasks": 4})
    made = {
        one.name: one
        for one in campaign_tables(
            analysis.model_copy(update={"arms": tuple(arms)}), sample_table()
        )
    }
    first, second = made["summary"].rows
    assert (first["system"], second["system"]) == ("a", "b")
    assert (first["no-skill reward"], first["with-skill reward"]) == (0.5, 0.75)
    lines = plain(latex.table(made["summary"])).split(r"\midrule")[1].splitlines()
    assert [line.split(r" \tabular")[0] for line in lines if "&" in line][3:5] == [
        "with-skill & 0.750 & 0.500",
        "4 to 10 tasks & {[}0.400, 0.600] & {[}0.400, 0.600]",
    ]


@pytest.mark.parametrize(
    ("systems", "conditions", "columns"),
    [
        (4, 8, ("condition", "s0", "s1", "s2", "s3")),
        (5, 2, ("system", "c0", "c1")),
        (5, 5, ("condition", "system", "reward", "interval", "strict passes")),
    ],
)
def test_the_small_table_puts_across_what_fits(
    systems: int, conditions: int, columns: tuple[str, ...]
) -> None:
    """Up to four systems stand side by side, else up to four conditions, else each arm has a row."""
    analysis = sample_analysis()
    arms = tuple(
        analysis.arms[0].model_copy(update={"system": f"s{s}", "condition": f"c{c}"})
        for c in range(conditions)
        for s in range(systems)
    )
    (found,) = (
        one
        for one in campaign_tables(analysis.model_copy(update={"arms": arms}), sample_table())
        if one.name == "summary"
    )
    assert found.in_print is not None
    shown = [name for name in found.in_print.rows[0] if name != "place"]
    assert tuple(shown) == columns
