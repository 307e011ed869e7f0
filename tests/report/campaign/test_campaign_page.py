# SPDX-License-Identifier: MIT
"""The page on a campaign: the paper's figures stand in it, what is not determined says so, names are harmless."""

import csv
import html
import json
import re
import stat
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from m4bench.analysis.paper.release import paper_runs
from m4bench.analysis.plan import PAPER_PLAN, read_plan
from m4bench.analysis.runs import System
from m4bench.cli.report import report
from m4bench.model.errors import InputError
from m4bench.report import write_report
from m4bench.report.campaign.page import CampaignPart, campaign_page
from tests.report.campaign.sample_runs import build_run as build_row
from tests.report.campaign.sample_runs import table as build_table
from tests.report.campaign.samples import build_analysis
from tests.report.records import build_run, write_runs
from tests.report.test_page import HOSTILE, Skeleton

GUIDE = Path(__file__).parents[3] / "docs/how-to/read-a-report.md"
HOSTILE_SYSTEM = System(HOSTILE, HOSTILE, HOSTILE)
HEADER = "run_id,task,condition,schema,agent,model,trial,reward,passed,failed,errors,publishable"


def words_of(page: Path) -> str:
    """Return what a reader reads, on one line, without scripts, styles and figures."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def section(page: Path, title: str) -> str:
    """Return the words of one section."""
    text = page.read_text(encoding="utf-8")
    part = next(part for part in text.split("<section")[1:] if f">{title}</h2>" in part)
    part = re.sub(r"<svg\b.*?</svg>", " ", part, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())


def write_csv(path: Path, rows: list[str], header: str = HEADER) -> Path:
    """Write a runs CSV."""
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def small_rows(agent: str = "codex", task: str = "mimic-meld-24h") -> list[str]:
    """Return two runs of one task, one under each of two conditions."""
    return [
        f"{task}_{condition}_{agent}_m_t1,{task},{condition},native,{agent},m,1,{reward},3,1,0,True"
        for condition, reward in (("no-skill", 0.25), ("with-skill", 0.75))
    ]


def test_the_figures_of_the_paper_stand_in_the_page(published: Path) -> None:
    """The headline of specs/tasks/metrics-and-statistics.md, with the wider interval of the families first."""
    primary = section(published, "Primary contrasts")
    assert "0.703 → 0.839 +0.136 [0.054, 0.217]" in primary
    assert "26 of 28 improved 2 declined; 15 families" in primary
    assert "25 of 280 against 13 of 280" in primary
    assert "49 of 100 against 7 of 100" in primary
    assert "0.0004" in primary
    assert "not shown: equal within ±0.05" in primary
    published_intervals = section(published, "The published intervals, as descriptions")
    assert "+0.136 [0.085, 0.191] [0.065, 0.207] [0.057, 0.190] <0.0001" in published_intervals
    assert "+0.003 [-0.065, 0.070]".replace("-", "−") in published_intervals
    exploratory = section(published, "Exploratory contrasts")
    assert "F1 of keys; 2 systems, 280 + 280 runs 0.962 → 0.965 +0.003" in exploratory
    assert "23 of 26 improved" in exploratory
    assert "mimic-urine-output-rate-raw urine-output-rate 0.372 0.843 +0.471" in section(
        published, "Task by task"
    )


def test_the_parts_come_in_the_order_of_a_reader(published: Path) -> None:
    """What was declared comes before what came of it, what to beware of after, and the guide names each part."""
    found = re.findall(
        r'<h2 id="campaign-[^>]*>([^<]+)</h2>', published.read_text(encoding="utf-8")
    )
    guide = GUIDE.read_text(encoding="utf-8").split("\n## The part on a campaign\n")[1]
    named = re.findall(r"^\*\*(.+?)\.\*\*", guide.split("\n## ")[0], re.M)
    shown_elsewhere = {"In other schemas", "By convention of the reference"}
    assert found == [name for name in named if name not in shown_elsewhere]


def test_the_analysis_is_named_by_its_hash_and_methods_are_there_to_copy(
    published: Path, declared: Path
) -> None:
    """The hash is that of the declared plan; the paragraph is whole and selected by one click."""
    text = published.read_text(encoding="utf-8")
    assert read_plan(declared).digest() in text
    found = json.loads((published.parent / "analysis.json").read_text())
    assert found["methods"][:120] in words_of(published)
    assert found["methods"][-120:] in words_of(published)
    assert "user-select: all" in text
    assert "was declared in a file" in section(published, "What was declared")


def test_each_family_has_its_caveats_beside_its_delta(published: Path) -> None:
    """Fifteen families, each with its delta and what its reference is worth by the project's own record."""
    worth = section(published, "What each family’s reference is worth")
    assert "agreement with a public convention, not clinical truth" in worth
    assert "kdigo 2 tasks −0.021" in worth
    assert "The exception for ventilated patients covers every respiratory rate below 14" in worth
    assert worth.count("not determined") == 0
    rows = (
        published.read_text(encoding="utf-8").split('class="stack caveats"')[1].split("</table>")[0]
    )
    assert rows.count("<tr>") == 1 + 15


def test_links_lead_to_files_and_places_that_are_there(published: Path) -> None:
    """Every link of the page is to an anchor of its own or to a file beside it."""
    skeleton = Skeleton(published.read_text(encoding="utf-8"))
    assert skeleton.open == []
    ids = [attributes["id"] for _, attributes in skeleton.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in skeleton.tags if tag == "a"]
    assert len(links) > 40
    for link in links:
        assert link is not None
        assert link[1:] in ids if link.startswith("#") else (published.parent / link).is_file()
    for _, attributes in skeleton.tags:
        assert attributes.get("aria-labelledby", ids[0]) in ids


def test_every_figure_is_there_in_three_forms(published: Path) -> None:
    """A file of each kind begins as its kind does, and the captions name each figure and table."""
    figures = published.parent / "figures"
    names = {path.stem for path in figures.iterdir()}
    assert {"forest-1", "heat-map", "decomposition", "strict"} <= names
    captions = (published.parent / "captions.md").read_text(encoding="utf-8")
    for name in names:
        assert (figures / f"{name}.svg").read_bytes().startswith(b"<svg")
        assert (figures / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (figures / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert f"## figures/{name}\n" in captions
    for table in (published.parent / "tables").glob("*.csv"):
        assert f"## tables/{table.stem}\n" in captions
        assert table.with_suffix(".md").is_file()
        assert table.with_suffix(".tex").is_file()


def test_released_runs_are_not_said_to_be_secret(published: Path) -> None:
    """They are of credentialed data, so the report is its owner's, and says that published figures may be passed on."""
    assert not published.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    assert "Of figures that have been published, nothing stands in the way" in words_of(published)


def test_what_the_runs_do_not_decide_says_so(tmp_path: Path) -> None:
    """One task of one family has no interval, no p-value of families and no cost; none of them is a 0."""
    source = write_csv(tmp_path / "runs.csv", small_rows())
    page = write_report(source, tmp_path / "out")
    primary = section(page, "Primary contrasts")
    assert "+0.500 interval not determined not determined" in primary
    assert "[" not in primary.split("1 of 1 improved")[0].split("+0.500")[1]
    assert "Not determined: no run told its cost" in section(page, "Cost")
    assert "No analysis was declared" in section(page, "What was declared")


def test_a_folder_and_the_table_of_its_report_say_the_same(tmp_path: Path) -> None:
    """The runs CSV that a report writes is a source of the same campaign figures, its name and hash apart."""
    runs = [
        build_run(task, agent, trial=trial, condition=condition, rates={"a": rate, "b": 0.5})
        for place, task in enumerate(("mimic-meld-24h", "mimic-charlson-raw", "eicu-gcs"))
        for agent in ("codex", "claude")
        for condition, rate in (("no-skill", 0.3 + place / 10), ("with-skill", 0.8))
        for trial in (1, 2)
    ]
    runs[-1] = build_run("eicu-gcs", "claude", trial=2, condition="with-skill", state="timeout")
    first = write_report(write_runs(tmp_path / "results", runs), tmp_path / "first")
    second = write_report(first.parent / "tables" / "runs.csv", tmp_path / "second")
    one, two = (json.loads((page.parent / "analysis.json").read_text()) for page in (first, second))
    for found in (one, two):
        del found["sources"], found["methods"], found["notes"]
    assert one == two
    for name in ("contrasts", "contrast-tasks", "arms", "passes", "standings", "failures"):
        tables = [page.parent / "tables" / f"{name}.csv" for page in (first, second)]
        assert tables[0].read_bytes() == tables[1].read_bytes(), name
    figures = sorted(path.name for path in (second.parent / "figures").glob("*.svg"))
    assert len(figures) > 3
    for figure in figures:
        made = [(page.parent / "figures" / figure).read_bytes() for page in (first, second)]
        assert made[0] == made[1], figure
    headings = re.findall(r'<h2 id="campaign[^>]*>([^<]+)<', first.read_text(encoding="utf-8"))
    assert "Primary contrasts" in headings
    assert "All runs</h2>" in first.read_text(encoding="utf-8")
    assert "All runs</h2>" not in second.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("runs", "there"),
    [
        ([build_run(), build_run(agent="another")], False),
        ([build_run(trial=1), build_run(trial=2)], False),
        ([build_run("mimic-meld-24h"), build_run("mimic-charlson-raw")], False),
        ([build_run(), build_run("mimic-meld-24h", "naive")], False),
        ([build_run(), build_run("mimic-meld-24h", "another")], True),
        ([build_run(), build_run(condition="with-skill")], True),
    ],
    ids=[
        "one task",
        "trials of one task",
        "one agent",
        "an agent and a baseline",
        "two agents, two tasks",
        "a contrast",
    ],
)
def test_a_folder_is_compared_only_where_there_is_something_to_compare(
    tmp_path: Path, runs: list[object], there: bool
) -> None:
    """A contrast, or several tasks with several arms or trials, make a part on the campaign."""
    page = write_report(write_runs(tmp_path / "results", runs), tmp_path / "out")  # type: ignore[arg-type]
    assert ("campaign-primary-title" in page.read_text(encoding="utf-8")) is there
    assert (page.parent / "analysis.json").is_file() is there


def test_a_declared_contrast_that_no_run_holds_is_bad_input(tmp_path: Path, declared: Path) -> None:
    """Nothing is written where the declared analysis cannot be made."""
    source = write_csv(tmp_path / "runs.csv", small_rows())
    with pytest.raises(InputError, match="with-skill-rawsql"):
        write_report(source, tmp_path / "out", plan=read_plan(declared))
    assert not (tmp_path / "out").exists()


def test_several_sources_are_reported_together(tmp_path: Path) -> None:
    """A folder and a table make one page of their comparison; each is named with its hash."""
    folder = write_runs(tmp_path / "results", [build_run("mimic-meld-24h", "codex", model="m")])
    rows = [f"{row},1.1" for row in small_rows("claude")]
    source = write_csv(tmp_path / "more.csv", rows, f"{HEADER},task_version")
    page = write_report([folder, source], tmp_path / "out")
    assert "1 task, 2 systems, 3 runs" in words_of(page)
    with (page.parent / "tables" / "sources.csv").open() as stream:
        found = {row["source"]: row["sha256"] for row in csv.DictReader(stream)}
    assert set(found) == {"results", "more.csv"}
    assert all(digest in page.read_text() for digest in found.values())


def test_a_report_is_not_written_over_its_source(tmp_path: Path) -> None:
    """The table of a report cannot be replaced by the report that is made from it."""
    first = write_report(
        write_runs(tmp_path / "results", [build_run("mimic-meld-24h")]), tmp_path / "out"
    )
    before = (tmp_path / "out" / "tables" / "runs.csv").read_bytes()
    for source in (first.parent, first.parent / "tables" / "runs.csv"):
        with pytest.raises(InputError, match="name another folder"):
            write_report(source, tmp_path / "out")
    assert (tmp_path / "out" / "tables" / "runs.csv").read_bytes() == before


def test_hostile_names_are_text() -> None:
    """Whatever a system, task, condition or family calls itself, the page shows it and runs none of it."""
    rows = [
        build_row(task, condition, reward=reward, system=HOSTILE_SYSTEM, family=HOSTILE + task)
        for task in (HOSTILE, "other")
        for condition, reward in ((f"with-{HOSTILE.replace(':', '')}", 0.9), ("no-skill", 0.2))
    ]
    runs = build_table(rows)
    analysis = build_analysis(runs, (f"with-{HOSTILE.replace(':', '')}:no-skill",))
    text = campaign_page(CampaignPart(analysis, runs, [], {}), ["contrasts"])
    skeleton = Skeleton(text)
    assert skeleton.open == []
    assert [tag for tag, _ in skeleton.tags if tag == "script"] == ["script"]
    assert "img" not in {tag for tag, _ in skeleton.tags}
    assert not any(name.startswith("on") for _, found in skeleton.tags for name in found)
    assert "\u202e" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "not determined: the tasks are of no installed suite" in text


def test_a_page_of_many_tasks_is_bounded() -> None:
    """Of two hundred tasks the sixty with the largest deltas stand in the page, and the page says where the rest is."""
    rows = [
        build_row(f"task-{n:03}", condition, reward=reward, family=f"family-{n // 2}")
        for n in range(200)
        for condition, reward in (("with-skill", n / 200), ("no-skill", 0.0))
    ]
    runs = build_table(rows)
    text = campaign_page(CampaignPart(build_analysis(runs), runs, [], {}), ["contrast-tasks"])
    assert "140 tasks more in" in re.sub(r"<[^>]+>", "", text)
    shown = set(re.findall(r'<tr>\n<th scope="row"><bdi>(task-\d+)</bdi>', text))
    assert shown == {f"task-{n:03}" for n in range(140, 200)}


def test_the_command_takes_tables_and_a_plan(tmp_path: Path) -> None:
    """`m4bench report RUNS.csv --analysis FILE --json` prints page, tables and figures alone."""
    app = typer.Typer()
    app.command()(report)
    plan = tmp_path / "plan.toml"
    plan.write_text('[analysis]\ncontrasts = ["with-skill:no-skill"]\n')
    source = write_csv(tmp_path / "runs.csv", small_rows())
    given = [str(source), "--analysis", str(plan), "--out", str(tmp_path / "out"), "--json"]
    asked = json.loads(CliRunner().invoke(app, given).stdout)
    assert set(asked) == {"page", "tables", "figures"}
    assert str(tmp_path / "out" / "tables" / "contrasts.tex") in asked["tables"]
    assert all(
        Path(name).is_file() for name in [asked["page"], *asked["tables"], *asked["figures"]]
    )


@pytest.mark.parametrize(
    ("options", "problem"), [([], "no place"), (["--out", "a", "--site", "b"], "two places")]
)
def test_a_report_has_one_place(tmp_path: Path, options: list[str], problem: str) -> None:
    """A page or a leaderboard: one of them, in a folder that is named."""
    app = typer.Typer()
    app.command()(report)
    source = write_csv(tmp_path / "runs.csv", small_rows())
    ended = CliRunner().invoke(app, [str(source), *options])
    assert isinstance(ended.exception, InputError)
    assert problem in str(ended.exception)


def test_a_later_report_takes_back_what_it_has_no_more(tmp_path: Path) -> None:
    """LaTeX, PNG and the analysis of a former report go where the new one has none."""
    out = tmp_path / "out"
    runs = [build_run("mimic-meld-24h"), build_run("mimic-charlson-raw", "another")]
    write_report(write_runs(tmp_path / "both", runs), out)
    assert (out / "analysis.json").is_file()
    assert (out / "tables" / "arms.tex").is_file()
    write_report(write_runs(tmp_path / "one", runs[:1]), out)
    left = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert not left & {"analysis.json", "tables/arms.tex", "figures/heat-map.png"}
    assert "tables/runs.tex" in left


@pytest.mark.slow
def test_the_paper_whole_stands_in_one_report(tmp_path: Path) -> None:
    """Both released campaigns with the shipped plan: the operational specification gains 0.162 on eight tasks."""
    primary, followup, *_ = paper_runs(tmp_path / "runs")
    page = write_report([primary, followup], tmp_path / "out", plan=read_plan(PAPER_PLAN))
    text = section(page, "Primary contrasts")
    assert "0.606 → 0.767 +0.162" in text
    assert "7 of 8 improved 1 declined" in text
    schemas = section(page, "In other schemas")
    assert "obfuscated codex · gpt-5.4-mini · medium 26 not run 0.696 not determined" in schemas
    assert "restructured codex · gpt-5.4-mini · medium 26 not run 0.668 not determined" in schemas
