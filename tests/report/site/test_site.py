# SPDX-License-Identifier: MIT
"""A site as files: what its pages say, that nothing breaks out of them, and how they are written."""

import hashlib
import json
import re
import stat
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from m4bench.analysis.reading import read_run_table
from m4bench.cli.report import report
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.errors import InputError
from m4bench.report.contents import listing
from m4bench.report.site import write_site
from tests.report.records import build_run, write_runs
from tests.report.site.conftest import HOSTILE, NAMES, campaign
from tests.report.site.run_tables import (
    TASKS,
    Skeleton,
    build_row,
    build_rows,
    read_rows,
    skeleton,
    write_table,
)

PAGES = ("index.html", "reading.html", "sources.html", "systems/*.html", "tasks/*.html")
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def pages(front: Path) -> list[Path]:
    """Return every page of a site."""
    return [path for pattern in PAGES for path in sorted(front.parent.glob(pattern))]


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder by its name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def standings(front: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the lines of `standings.csv` by condition, schema and system."""
    return {
        (row["condition"], row["schema"], row["system"]): row
        for row in read_rows(front.parent / "data" / "standings.csv")
    }


# From the paper's tables: means of two models are 0.703 and 0.839, strict passes 13 and 25 of 280; the released
# run lists give the models' own.
LARGE, SMALL = "codex · gpt-5.5 · medium", "codex · gpt-5.4-mini · medium"


def test_the_published_runs_have_the_figures_of_the_paper(published: Path) -> None:
    """Rewards and strict passes are the paper's, and the interval of a pair excludes zero."""
    rows = standings(published)
    without, given = (
        [rows[(condition, "native", system)] for system in (LARGE, SMALL)]
        for condition in ("no-skill", "with-skill")
    )
    assert sum(float(row["reward"]) for row in without) / 2 == pytest.approx(0.703, abs=0.0005)
    assert sum(float(row["reward"]) for row in given) / 2 == pytest.approx(0.839, abs=0.0005)
    assert float(without[1]["reward"]) == pytest.approx(0.637, abs=0.0025)
    assert [sum(int(row["strict_passes"]) for row in side) for side in (without, given)] == [13, 25]
    assert {row["strict_runs"] for row in (*without, *given)} == {"140"}
    assert {row["tasks"] for row in (*without, *given)} == {"28"}
    for schema, reward in (("obfuscated", 0.696), ("restructured", 0.668)):
        row = rows[("with-skill", schema, SMALL)]
        assert float(row["reward"]) == pytest.approx(reward, abs=0.0005)
        assert row["tasks"] == "26"


def test_the_local_arm_of_the_paper_stands_beside(published: Path) -> None:
    """None of its runs is publishable, so it has no letter and is named in marked sections alone."""
    local = [row for row in standings(published).values() if row["agent"] == "pi-ollama"]
    assert local
    assert {row["publishable"] for row in local} == {"False"}
    assert {row["letters"] for row in local} == {""}
    text = published.read_text(encoding="utf-8")
    for board in text.split('<section class="board"')[1:]:
        before, _, beside = board.partition('class="beside"')
        assert "pi-ollama" not in before
        assert ("pi-ollama" in beside) == bool(beside)


def test_ties_of_the_published_runs_are_those_of_their_pairs(published: Path) -> None:
    """With whole families as units the models are told apart without and with the skill, under raw SQL they are not."""
    document = json.loads((published.parent / "data" / "standings.json").read_bytes())
    ties = {
        (board["condition"], row["system"]): row["tied_with"]
        for board in document["boards"]
        for row in board["systems"]
        if board["schema"] == "native"
    }
    for condition, tied in (("no-skill", []), ("with-skill", []), ("with-skill-rawsql", [SMALL])):
        assert ties[(condition, LARGE)] == tied
    pairs = {row["condition"]: row for row in read_rows(published.parent / "data" / "pairs.csv")}
    for condition, told_apart in (("with-skill", True), ("with-skill-rawsql", False)):
        assert (float(pairs[condition]["p_adjusted"]) <= 0.05) == told_apart


def test_a_site_of_agreement_data_says_so_and_is_its_owners(published: Path) -> None:
    """Every page names the agreement, and nobody else may read a file until the owner lets them."""
    for page in pages(published):
        assert "under an agreement" in page.read_text(encoding="utf-8")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in published.parent.rglob("*.*")}
    assert modes == {0o600}


def test_open_data_makes_a_site_for_everybody(site: Path) -> None:
    """Rates on open or invented data stand as any file of this user."""
    assert stat.S_IMODE(site.stat().st_mode) & 0o044 == 0o044
    assert "under an agreement" not in site.read_text(encoding="utf-8")


def test_every_system_and_task_has_a_page_and_every_link_leads_to_one(site: Path) -> None:
    """Links stay within the site, and each leads to a file, or a place within the front page, that is there."""
    assert len(list(site.parent.glob("systems/*.html"))) == len(NAMES)
    assert len(list(site.parent.glob("tasks/*.html"))) == len(TASKS)
    ids = {attributes.get("id") for _, attributes in skeleton(site).tags}
    for page in pages(site):
        found = skeleton(page)
        for link in found.links:
            target, _, place = link.partition("#")
            assert ":" not in link or link == "data:,"
            assert not target or link == "data:," or (page.parent / target).is_file(), link
            if place and (not target or target.endswith("index.html")):
                assert place in ids | {"content"}


def test_no_text_of_a_run_breaks_out(site: Path) -> None:
    """Names stand as text; each page has its one script, which its content policy names, and no handler."""
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        (script,) = SCRIPT.findall(text)
        digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        found = skeleton(page)
        policy = next(
            attributes["content"] or ""
            for tag, attributes in found.tags
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        )
        assert f"script-src 'sha256-{digest}'" in policy
        assert policy.startswith("default-src 'none'")
        assert not [
            tag for tag, _ in found.tags if tag in ("img", "iframe", "form", "i b", "object")
        ]
        assert not [name for _, names in found.tags for name in names if name.startswith("on")]
        assert "\u202e" not in text
        assert "49" not in {one.strip() for one in found.texts}
    shown = " ".join(skeleton(site).texts)
    assert HOSTILE.replace("\u202e", "\\u202e") in shown
    assert "Beds & <i>boards</i>" in shown


def test_the_front_page_has_groups_and_no_rank(site: Path) -> None:
    """Lines have letters and whom they are tied with, and none has a place."""
    text = site.read_text(encoding="utf-8")
    found = skeleton(site)
    heads = {
        "System",
        "Group",
        "Reward",
        "Strict passes",
        "Tasks",
        "Cost a run",
        "Not told apart from",
    }
    assert heads <= set(found.texts)
    assert not re.search(r"\brank(?:ed|ing)?\b", " ".join(found.texts))
    assert "there are no ranks" in text
    assert "not told" in text
    assert "$0.25" in text


def test_figures_of_a_system_stand_on_its_page(site: Path) -> None:
    """Its arms by condition and schema, its tasks, how runs ended and where they come from."""
    row = next(
        row for row in read_rows(site.parent / "data" / "standings.csv") if row["agent"] == "solver"
    )
    page = next(
        path
        for path in site.parent.glob("systems/solver-*.html")
        if "<bdi>solver</bdi>" in path.read_text()
    )
    text = " ".join(skeleton(page).texts)
    for words in ("obfuscated", "with-checks", "<b>other</b>", "convention current", *TASKS):
        assert words in text
    assert "ran out of time" in text
    assert "timeout" in text
    assert "runs.csv" in text
    assert f"{float(row['reward']):.3f}" in text


def test_two_settings_never_share_a_table(site: Path) -> None:
    """Of another convention there is a table of its own on a system's and on a task's page."""
    system = next(
        path
        for path in site.parent.glob("systems/solver-*.html")
        if "<h1><bdi>solver</bdi>" in path.read_text(encoding="utf-8")
    )
    for page in (system, site.parent / "tasks" / "alpha.html"):
        tables = [
            table.partition("</table>")[0]
            for table in page.read_text(encoding="utf-8").split('<table class="matrix')[1:]
        ]
        (other,) = [table for table in tables if "&lt;b&gt;other" in table]
        assert "convention current" in other
        assert "no-skill" not in other
        assert any("no-skill" in table for table in tables)


def test_no_two_settings_have_one_heading(site: Path) -> None:
    """A heading names what of the setting differs on the site; choices stand in the order told everywhere."""
    text = site.read_text(encoding="utf-8")
    heads = [Skeleton(f"<h2{head}</h2>").texts for head in re.findall(r"<h2(.*?)</h2>", text)]
    told = [" ".join(one) for one in heads]
    assert len(told) == len(set(told)) == 6  # five settings and the list of tasks
    assert "no-skill schema native · convention published" in told
    choices = text.partition('name="condition"')[2].partition("</select>")[0]
    assert re.findall(r">([^<>]+)</option>", choices)[1:] == [
        "no-skill",
        "with-skill",
        "with-checks",
        "&lt;b&gt;other&lt;/b&gt;",
    ]


def test_two_releases_of_a_dataset_have_two_headings(tmp_path: Path) -> None:
    """Where only the hash differs, the heading has its beginning."""
    rows = [build_row(dataset_hash="1" * 64), build_row(dataset_hash="2" * 64)]
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    for digit in "12":
        assert f"dataset mimic-iv-demo, hash {digit * 8}" in skeleton(front).texts


def test_figures_are_written_as_in_a_report(tmp_path: Path) -> None:
    """Intervals in brackets, differences with their sign and their first figure, exact p-values."""
    # Three families: 0.4, 0.5, 0.6 are 0.5 ± 4.3027 · 0.1/√3, differences of 0.0003 alone have no spread, and of
    # eight ways to turn signs two are as far from zero.
    tasks = ("alpha", "beta", "gamma")
    rows = [
        build_row(task, agent, reward=reward + less)
        for agent, less in (("one", 0.0), ("two", -0.0003))
        for task, reward in zip(tasks, (0.4, 0.5, 0.6), strict=True)
    ]
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    texts = skeleton(front).texts
    assert "[0.252, 0.748]" in texts
    for words in ("+0.0003", "not determined", "0.250"):
        assert words in texts


@pytest.mark.parametrize(
    ("passed", "expected"), [((0, 0, 0), "× 0/3"), ((1, 0, 1), "✓ 2/3"), ((1, 1, 1), "✓ 3")]
)
def test_strict_passes_of_a_cell(tmp_path: Path, passed: tuple[int, ...], expected: str) -> None:
    """None is a cross with the number of runs, never a tick."""
    rows = [
        build_row(trial=number, passed=one, failed=1 - one) for number, one in enumerate(passed, 1)
    ]
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    for page in (front.parent / "tasks" / "alpha.html", front.parent / "systems" / "solver-m.html"):
        shown = {text[:1]: text for text in skeleton(page).texts if text[:1] in ("×", "✓")}
        assert shown == {expected[0]: expected}


@pytest.mark.parametrize("declared", [True, False])
def test_that_nothing_was_declared_is_told(tmp_path: Path, declared: bool) -> None:
    """The front page, the one on reading and that of sources say it, unless a plan was given."""
    source = write_table(tmp_path / "runs.csv", [*build_rows("one", 0.3), *build_rows("two", 0.5)])
    plan = AnalysisPlan(declared=True) if declared else None
    front = write_site([source], tmp_path / "out", plan=plan)
    for name in ("index.html", "reading.html", "systems/one-m.html"):
        text = " ".join(skeleton(front.parent / name).texts)
        assert ("Not declared before the runs" in text) != declared
    sources = " ".join(skeleton(front.parent / "sources.html").texts)
    assert ("none was given before the runs" in sources) != declared


def test_baselines_stand_beside_agents(tmp_path: Path) -> None:
    """In folders of runs no baseline is on a board; its line says what it is, not that it failed to be isolated."""
    runs = [build_run(agent=agent) for agent in ("solver", "naive", "empty", "reference")]
    front = write_site([write_runs(tmp_path / "results", runs)], tmp_path / "out")
    (board,) = front.read_text(encoding="utf-8").split('<section class="board"')[1:]
    before, _, beside = board.partition('class="beside"')
    assert [name in before for name in ("solver", "naive", "empty", "reference")] == [
        True,
        False,
        False,
        False,
    ]
    assert beside.count("baseline: ") == 3
    assert 'class="tag"' not in beside
    reading = " ".join(skeleton(front.parent / "reading.html").texts)
    assert "no measured agents" in reading


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        (("naive", "empty"), "All runs in this setting are of baselines."),
        (("naive", "solver"), "No run in this setting may be published."),
    ],
)
def test_a_setting_without_a_publishable_run_says_why(
    tmp_path: Path, agents: tuple[str, ...], expected: str
) -> None:
    """Baselines alone are no fault; an agent that may not be published is told as such."""
    rows = [build_row(agent=agent, publishable=False) for agent in agents]
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    assert expected in skeleton(front).texts


def test_how_to_read_it_is_told(site: Path) -> None:
    """The page on reading says what an interval, a letter, fewer tasks and another setting mean."""
    text = " ".join(skeleton(site.parent / "reading.html").texts)
    for words in (
        "Tasks of one family succeed and fail together",
        "Two systems that share a letter are not told apart",
        "Another dataset, convention or drops make another question",
        "Fewer tasks",
        "Not publishable",
        "Data anyone may have, under their open licence",
    ):
        assert words in text


def test_sources_stand_with_their_hash_and_without_their_place(site: Path) -> None:
    """A source is its file's name and the sha256 of its bytes; no file of the site holds a folder of this machine."""
    source = site.parent.parent / "a" / "runs.csv"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    assert digest in (site.parent / "sources.html").read_text()
    document = json.loads((site.parent / "data" / "standings.json").read_bytes())
    assert [(one["name"], one["sha256"]) for one in document["sources"]] == [("runs.csv", digest)]
    place = str(site.parent.parent).encode()
    assert not [name for name, content in contents(site.parent).items() if place in content]


def test_the_document_for_programs_holds_no_letter_that_reorders(site: Path) -> None:
    """A hostile name stands there escaped: the file is ASCII, and read as it was given."""
    content = (site.parent / "data" / "standings.json").read_bytes()
    assert content.isascii()
    assert b"\\u202e" in content
    systems = {row["agent"] for board in json.loads(content)["boards"] for row in board["systems"]}
    assert HOSTILE in systems


def test_the_merged_runs_are_read_again_as_the_same_runs(tmp_path: Path) -> None:
    """`runs.csv` loses nothing that an analysis uses, and a site of it has the same standings."""
    rows = [
        row for row in campaign() if row["agent"] != HOSTILE
    ]  # invisible signs are written as escapes
    source = write_table(tmp_path / "runs.csv", rows)
    first = write_site([source], tmp_path / "first").parent / "data"
    assert read_run_table([first / "runs.csv"]).runs == read_run_table([source]).runs
    again = write_site([first / "runs.csv"], tmp_path / "again").parent / "data"
    for name in ("standings.csv", "pairs.csv", "cells.csv", "runs.csv"):
        assert (again / name).read_bytes() == (first / name).read_bytes()


def test_folders_of_runs_and_tables_come_together(tmp_path: Path) -> None:
    """A folder of run records and a table make one site; reasons and paths of runs stay behind."""
    results = write_runs(
        tmp_path / "results",
        [
            build_run(agent="solver", model="m"),
            build_run(agent="other", model="m", reasons=["read /secret/place"]),
        ],
    )
    table = write_table(
        tmp_path / "more.csv", [build_row("mimic-sofa-24h", "third", family="sofa")]
    )
    front = write_site([results, table], tmp_path / "out")
    names = {row["agent"] for row in read_rows(front.parent / "data" / "standings.csv")}
    assert names == {"solver", "other", "third"}
    whole = b"".join(contents(front.parent).values())
    assert b"secret" not in whole
    assert b"results" in (front.parent / "sources.html").read_bytes()


def test_the_same_runs_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    """Written elsewhere, every file is the same."""
    source = site.parent.parent / "a" / "runs.csv"
    again = write_site([source], tmp_path / "elsewhere", title="Beds & <i>boards</i>")
    assert contents(again.parent) == contents(site.parent)


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    """Reading, comparing and writing are told as they are done, with no text of a run, and the last is the last."""
    told: list[tuple[str, int, int]] = []
    source = write_table(tmp_path / "runs.csv", build_rows("[red]one", 0.5))
    write_site([source], tmp_path / "out", progress=lambda *step: told.append(step))
    assert ("reading runs.csv", 0) in {step[:2] for step in told}
    assert ("comparing", 0, 1) in told
    assert told[-1] == ("writing pages", 11, 11)  # a system, seven tasks, reading, sources, front
    assert not [name for name, _, _ in told if "[" in name]


def test_contents_list_every_file(site: Path) -> None:
    """Size and sha256 of each are those of the file, and none is left out."""
    listed = json.loads((site.parent / "contents.json").read_bytes())["files"]
    files = contents(site.parent)
    assert set(listed) == set(files) - {"contents.json"}
    assert all(
        (entry["bytes"], entry["sha256"])
        == (len(files[name]), hashlib.sha256(files[name]).hexdigest())
        for name, entry in listed.items()
    )


def test_a_later_site_replaces_the_former(tmp_path: Path) -> None:
    """Pages of systems that are gone go, unless somebody changed them; other files stay."""
    out = tmp_path / "out"
    rows = [*build_rows("first", 0.4), *build_rows("gone", 0.5), *build_rows("kept", 0.6)]
    write_site([write_table(tmp_path / "runs.csv", rows)], out)
    (out / "CNAME").write_text("board.example.org\n")
    (out / "systems" / "kept-m.html").write_text("mine")
    write_site([write_table(tmp_path / "runs.csv", build_rows("first", 0.4))], out)
    assert sorted(path.name for path in out.glob("systems/*")) == ["first-m.html", "kept-m.html"]
    assert (out / "CNAME").exists()
    assert "gone" not in (out / "index.html").read_text()


def test_of_one_system_nothing_is_compared(tmp_path: Path) -> None:
    """A single system in a single setting has no filter, no group and no tie."""
    front = write_site(
        [write_table(tmp_path / "runs.csv", [build_row("alpha", "only")])], tmp_path / "out"
    )
    texts = skeleton(front).texts
    assert "Group" not in texts
    assert "Condition" in texts
    assert 'id="filters"' not in front.read_text()
    assert "no interval" in texts  # one family has none


def test_weighting_and_confidence_are_the_plans(tmp_path: Path) -> None:
    """Each family equal is another mean than each task equal, and the pages say which it is."""
    rows = [
        build_row("alpha", "one", family="a", reward=0.0),
        build_row("beta", "one", family="a", reward=0.0),
        build_row("gamma", "one", family="c", reward=0.9),
    ]
    source = write_table(tmp_path / "runs.csv", rows)
    found = {}
    for weighting in ("task", "family"):
        plan = AnalysisPlan(weighting=weighting, confidence=0.9)
        front = write_site([source], tmp_path / weighting, plan=plan)
        (row,) = standings(front).values()
        found[weighting] = float(row["reward"])
        assert f"each {weighting} equal" in (front.parent / "sources.html").read_text()
        assert "A 90 % interval" in (front.parent / "reading.html").read_text()
    assert found == {"task": pytest.approx(0.3), "family": pytest.approx(0.45)}


@pytest.mark.parametrize("text", ["", "run_id,task\n"])
def test_a_table_without_runs_is_refused(tmp_path: Path, text: str) -> None:
    """There is nothing to show, and nothing is written."""
    source = tmp_path / "runs.csv"
    source.write_text(text)
    with pytest.raises(InputError):
        write_site([source], tmp_path / "out")
    with pytest.raises(InputError):
        write_site([], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_places_where_a_site_may_not_stand_are_refused(tmp_path: Path) -> None:
    """Not in a file, not among results, not over a report, not over a source, not over a link to elsewhere."""
    results = write_runs(tmp_path / "results", [build_run()])
    source = write_table(tmp_path / "runs.csv", build_rows("one", 0.5))
    (tmp_path / "file").write_text("")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "contents.json").write_bytes(listing({}))
    write_table(tmp_path / "site" / "data" / "runs.csv", build_rows("one", 0.5))
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "data").symlink_to(tmp_path / "results")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("my own page")
    write_table(tmp_path / "theirs" / "data" / "runs.csv", build_rows("one", 0.5))
    before = contents(tmp_path)
    for sources, out in (
        ([source], "file"),
        ([results], "results/board"),
        ([source], "report"),
        ([tmp_path / "site" / "data" / "runs.csv"], "site"),
        ([source], "linked"),
        ([source], "mine"),
        ([source], "theirs"),
    ):
        with pytest.raises(InputError):
            write_site(sources, tmp_path / out)
    assert contents(tmp_path) == before


def test_the_command_names_a_site_and_lists_its_data(tmp_path: Path) -> None:
    """`--title` is the heading, `--json` names the files to download; a report has no title to be given."""
    app = typer.Typer()
    app.command()(report)
    source = str(write_table(tmp_path / "runs.csv", build_rows("one", 0.5)))
    out = tmp_path / "out"
    given = [source, "--site", str(out), "--title", "Our board", "--json"]
    asked = json.loads(CliRunner().invoke(app, given).stdout)
    assert set(asked) == {"page", "data"}
    assert {Path(name).name for name in asked["data"]} >= {"standings.csv", "runs.csv"}
    assert all(Path(name).is_file() for name in asked["data"])
    assert re.search(r"<h1>(<bdi>)?Our board<", (out / "index.html").read_text())
    ended = CliRunner().invoke(app, [source, "--out", str(tmp_path / "b"), "--title", "x"])
    assert isinstance(ended.exception, InputError)
    assert not (tmp_path / "b").exists()


def test_the_command_says_what_it_does(tmp_path: Path) -> None:
    """Off a terminal each thing that is done is one line, with the name of the source that is read."""
    source = write_table(tmp_path / "runs.csv", build_rows("one", 0.5))
    for option, expected in (
        ("--site", ["reading runs.csv", "comparing", "writing pages"]),
        ("--out", ["reading runs.csv", "comparing", "drawing"]),
    ):
        ended = subprocess.run(
            [
                sys.executable,
                "-m",
                "m4bench.cli.main",
                "report",
                source,
                option,
                tmp_path / option[2:],
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        told = [line for line in ended.stderr.splitlines() if line.startswith("report: ")]
        assert len(set(told)) == len(told)
        assert [one for one in told if one.removeprefix("report: ") in expected] == [
            f"report: {one}" for one in expected
        ]


def test_what_stands_in_the_way_and_what_a_killed_writer_left(tmp_path: Path) -> None:
    """A folder in the place of a file is refused and nothing is replaced; a torn file of ours goes, others stay."""
    source = write_table(tmp_path / "runs.csv", build_rows("one", 0.5))
    out = tmp_path / "out"
    (out / "index.html").mkdir(parents=True)
    with pytest.raises(InputError, match="is not a file"):
        write_site([source], out)
    assert contents(out) == {}
    (out / "index.html").rmdir()
    (out / "data").mkdir()
    for name in ("0123456789ab-runs.csv", "mine"):
        (out / "data" / f".partial-{name}").write_text("torn")
    write_site([source], out)
    assert [path.name for path in out.glob("data/.partial-*")] == [".partial-mine"]


def test_many_conditions_and_two_releases_of_a_dataset(tmp_path: Path) -> None:
    """Many columns stand in a table a schema; two releases of one name are told apart by their hash."""
    rows = [
        build_row("alpha", "one", condition=f"c{n}", schema=schema, dataset_hash="1" * 64)
        for n in range(5)
        for schema in ("native", "obfuscated")
    ]
    rows.append(build_row("alpha", "one", condition="c0", dataset_hash="2" * 64))
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    tables = (front.parent / "tasks" / "alpha.html").read_text().split('<table class="matrix')[1:]
    assert [table.count('<th scope="col"') - 1 for table in tables] == [5, 5, 1]
    assert {"mimic-iv-demo, hash 11111111", "mimic-iv-demo, hash 22222222"} <= set(
        skeleton(front).texts
    )
