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
from m4bench.analysis.results import Interval
from m4bench.analysis.runs import System
from m4bench.cli.report import report
from m4bench.cli.stats import stats
from m4bench.model.errors import InputError
from m4bench.report import latex, write_report
from m4bench.report.campaign.page import CampaignPart, campaign_page
from m4bench.report.campaign.tables import campaign_tables
from tests.report.campaign.sample_runs import build_run as build_row
from tests.report.campaign.sample_runs import table as build_table
from tests.report.campaign.samples import build_analysis, sample_table
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
    assert "equal within ±0.05: not shown at 0.05 (Holm p" in primary
    assert "difference: shown at 0.05 (Holm p 0.0009)" in primary
    assert ">a difference<" not in published.read_text(encoding="utf-8")
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
    """Results come first, then how they were made, what to beware of after, and the guide names each part."""
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
    assert "was declared in a file" in section(published, "The analysis")


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
    assert rows.count("<tr id=") == 15
    primary = published.read_text(encoding="utf-8").split('id="campaign-primary-title"')[1]
    linked = re.findall(r'href="#caveat-(\d+)"', primary.split("</section>")[0])
    assert sorted(map(int, linked)) == list(range(1, 16))


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
    assert "No analysis was declared" in section(page, "The analysis")
    assert "declared one" not in words_of(page)
    assert not re.search(r"\bas declared", words_of(page))


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
    assert ("campaign-notes-title" in page.read_text(encoding="utf-8")) is there
    assert (page.parent / "analysis.json").is_file() is there


def test_a_declared_contrast_that_no_run_holds_is_bad_input(tmp_path: Path, declared: Path) -> None:
    """Nothing is written where the declared analysis cannot be made."""
    source = write_csv(tmp_path / "runs.csv", small_rows())
    with pytest.raises(InputError, match="with-skill-rawsql"):
        write_report(source, tmp_path / "out", plan=read_plan(declared))
    assert not (tmp_path / "out").exists()


def test_several_sources_are_reported_together(tmp_path: Path) -> None:
    """A folder and a table make one page of their comparison; each is named with its hash."""
    run = build_run("mimic-meld-24h", "codex", model="m")
    folder = write_runs(tmp_path / "results", [run])
    rows = [f"{row},{run.task_version}" for row in small_rows("claude")]
    source = write_csv(tmp_path / "more.csv", rows, f"{HEADER},task_version")
    page = write_report([folder, source], tmp_path / "out")
    assert "1 task, 2 systems, 3 runs" in words_of(page)
    with (page.parent / "tables" / "sources.csv").open() as stream:
        found = {row["source"]: row["sha256"] for row in csv.DictReader(stream)}
    assert set(found) == {"results", "more.csv"}
    assert all(digest in page.read_text() for digest in found.values())


def test_runs_without_a_version_stay_apart_and_the_page_says_what_to_do(tmp_path: Path) -> None:
    """A table that tells no version of a task is not taken for the version of the runs beside it."""
    folder = write_runs(tmp_path / "results", [build_run("mimic-meld-24h", "codex", model="m")])
    source = write_csv(tmp_path / "more.csv", small_rows("claude"))
    page = write_report([folder, source], tmp_path / "out")
    assert "2 tasks, 2 systems, 3 runs" in words_of(page)
    notes = section(page, "Notes and sources")
    assert "mimic-meld-24h: runs of several versions of the task are kept apart" in notes
    assert "task_version" in notes


@pytest.mark.parametrize("several", [False, True])
def test_a_report_of_tables_is_a_source_of_the_next(tmp_path: Path, several: bool) -> None:
    """Its table of runs, read again, makes the same analysis: by the report, by its folder, and by `m4bench stats`."""
    rows = [
        row
        for agent in ("codex", "claude")
        for task in ("mimic-meld-24h", "mimic-charlson-raw", "eicu-gcs")
        for row in small_rows(agent, task)
    ]
    parts = [rows[:6], rows[6:]] if several else [rows]
    sources = [write_csv(tmp_path / f"{n}.csv", part) for n, part in enumerate(parts)]
    page = write_report(sources, tmp_path / "out")
    table = page.parent / "tables" / "runs.csv"
    assert table.with_suffix(".md").is_file()
    for again in (page.parent, table):
        assert figures_of([again]) == figures_of(sources)
    second = write_report(page.parent, tmp_path / "second")
    made = [out.parent / "tables" / "contrasts.csv" for out in (page, second)]
    assert made[0].read_bytes() == made[1].read_bytes()


def figures_of(sources: list[Path]) -> object:
    """Return what `m4bench stats --json` prints of sources, but for their names."""
    app = typer.Typer()
    app.command()(stats)
    found = json.loads(CliRunner().invoke(app, [*map(str, sources), "--json"]).stdout)
    for name in ("sources", "methods", "notes"):
        del found[name]
    return found


def test_what_contrasts_have_in_common_is_said_once() -> None:
    """A remark stands once with the contrasts it concerns, and pairs of which one side lacks are counted together."""
    runs = sample_table()
    analysis = build_analysis(
        runs, ("with-skill:no-skill", "with-skill-rawsql:no-skill", "with-skill-decoy:no-skill")
    )
    one, two, three = analysis.contrasts
    pairs = [
        f"{task}, {name}: no decoy" for task in ("a", "b, version 2") for name in ("x", "y, z")
    ]
    found = [
        one.model_copy(update={"notes": ("few families",)}),
        two.model_copy(update={"notes": ("few families", "a subset")}),
        three.model_copy(update={"notes": ("a subset",), "missing": tuple(pairs)}),
    ]
    page = campaign_page(
        CampaignPart(analysis.model_copy(update={"contrasts": tuple(found)}), runs, [], {}), []
    )
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert words.count("few families.") == words.count("a subset.") == 1
    shared = "with-skill − no-skill ; with-skill-rawsql − no-skill : few families."
    assert shared in words
    assert "2 tasks × 2 (no decoy), x , y, z in a , b, version 2" in words


def test_a_contrast_says_within_which_setting_and_what_is_held_equal() -> None:
    """The setting stands beside the name, in tables too; conditions that are held equal are not called systems."""
    runs = sample_table()
    analysis = build_analysis(runs)
    own = analysis.contrasts[0].model_copy(
        update={"setting": "current, mimic-iv-demo", "held_equal": ("no-skill", "with-skill")}
    )
    found = analysis.model_copy(update={"contrasts": (own,)})
    page = campaign_page(CampaignPart(found, runs, [], {}), [])
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "with-skill − no-skill ( current, mimic-iv-demo )" in words
    assert "with-skill minus no-skill (current, mimic-iv-demo): " in words
    assert "held equal: no-skill; with-skill, " in words
    tables = {one.name: one for one in campaign_tables(found, runs)}
    for name in ("primary", "contrasts", "contrast-tasks", "sensitivity"):
        printed = re.sub(r"\\mbox\{([^}]*)\}", r"\1", latex.table(tables[name]))
        assert "current, mimic-iv-demo" in printed, name
        assert all(row["setting"] == "current, mimic-iv-demo" for row in tables[name].rows)


def test_a_percentile_interval_of_equal_deltas_is_not_determined() -> None:
    """Resampling deltas that are all alike tells nothing, on the page and in the table."""
    runs = sample_table()
    nothing = Interval(low=0.0, high=0.0, method="task-percentile", level=0.95)
    analysis = build_analysis(runs)
    own = analysis.contrasts[0].model_copy(update={"task_bootstrap": nothing})
    found = analysis.model_copy(update={"contrasts": (own,)})
    page = campaign_page(CampaignPart(found, runs, [], {}), [])
    assert "[0.000, 0.000]" not in page
    assert "not determined: all deltas are equal" in page
    (row,) = next(
        t for t in campaign_tables(found, runs) if t.name == "published-descriptives"
    ).rows
    assert (row["task_bootstrap_low"], row["task_bootstrap_high"]) == (None, None)


def test_the_published_test_is_of_rewards_only() -> None:
    """Another measure has published intervals but no such test, which is not one that was not determined."""
    runs = sample_table()
    analysis = build_analysis(runs)
    near = Interval(low=0.1, high=0.2, method="task-percentile", level=0.95)
    own = analysis.contrasts[0].model_copy(update={"task_bootstrap": near, "metric": "strict"})
    found = analysis.model_copy(update={"contrasts": (own,)})
    page = campaign_page(CampaignPart(found, runs, [], {}), [])
    part = page.split('id="campaign-descriptives-title"')[1].split("</section>")[0]
    assert "reward only" in part.split('data-label="Sign-flip of tasks, p"')[1]


def test_the_list_of_sections_is_whole(published: Path, tmp_path: Path) -> None:
    """Every section below the list of links has a link in it, and nothing else has."""
    runs = [build_run("mimic-meld-24h"), build_run("mimic-charlson-raw", "another")]
    folder = write_report(write_runs(tmp_path / "results", runs), tmp_path / "out")
    for page in (published, folder):
        text = page.read_text(encoding="utf-8")
        listed, below = text.split('class="onpage"')[1].split("</nav>", 1)
        links = re.findall(r'<a href="#([^"]+)">', listed)
        assert links == re.findall(r'<h2 id="([^"]+)"', below)
        assert len(links) > 6


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
