# SPDX-License-Identifier: MIT
"""The page as text: complete, escaped, self-contained; and the command that writes it."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

from m4bench.cli.report import report
from m4bench.model.errors import InputError
from m4bench.report import write_report
from m4bench.report.write import installed_tasks
from tests.report.records import COLUMNS, build_run, build_score, write_runs

TASKS = installed_tasks()
HOSTILE = (
    "\"'><script>alert(1)</script><img src=https://x.example/p onerror=alert(2)>{{7*7}}&amp;\u202e"
)


class Skeleton(HTMLParser):
    """The tags and attributes of a page, and whether every tag is closed in order."""

    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, which must be of that name."""
        assert self.open.pop() == tag


def page_of(folder: Path, *, out: str = "out") -> str:
    """Return the text of the page of a results folder."""
    return write_report(folder, folder.parent / out, tasks={}).read_text(encoding="utf-8")


def test_the_page_needs_nothing_from_elsewhere(study_report: Path) -> None:
    """No style, font, image or script comes from outside the page, and its tags are well nested."""
    pages = [study_report, *sorted(study_report.parent.glob("tasks/*.html"))]
    assert len(pages) == 1 + len(COLUMNS)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        skeleton = Skeleton(text)
        assert skeleton.open == []
        linked = [
            value
            for tag, attributes in skeleton.tags
            for name, value in attributes.items()
            if name in ("src", "href", "srcset", "action", "xlink:href") and value
        ]
        beside = [link for link in linked if not link.startswith("#") and link != "data:,"]
        assert all((page.parent / link).is_file() for link in beside), beside
        assert not any(":" in link or link.startswith("/") for link in beside)
        assert "url(" not in text
        assert "@import" not in text


def test_links_within_the_page_lead_somewhere(study_report: Path) -> None:
    """Every anchor that is linked or refers to a label exists once."""
    for page in (study_report, *study_report.parent.glob("tasks/*.html")):
        skeleton = Skeleton(page.read_text(encoding="utf-8"))
        ids = [attributes["id"] for _, attributes in skeleton.tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        for _, attributes in skeleton.tags:
            target = attributes.get("href") or ""
            assert not target.startswith("#") or target[1:] in ids
            assert attributes.get("aria-labelledby", ids[0]) in ids


def test_the_page_shows_tasks_agents_and_what_went_wrong(study_report: Path) -> None:
    """A stranger finds each task, each agent, the failures and the lowest columns."""
    text = study_report.read_text(encoding="utf-8")
    for task in COLUMNS:
        assert task in text
    for words in (
        "reference",
        "naive",
        "gpt-5.4-mini",
        "exceeded 1800 s",
        "sandbox did not start",
        "Lowest columns",
        "8\u202f912",
        "duckdb 1.5.6",
    ):
        assert words in text
    order = [
        "What was asked",
        "Who answered how well",
        "Which columns and rows failed",
        "What went wrong",
        "One disagreement, worked",
        "Task by agent",
        "All runs",
    ]
    places = [text.index(f">{heading}</h2>") for heading in order]
    assert places == sorted(places)


def test_no_caption_is_cut(study_report: Path) -> None:
    """What explains a figure is there to its end."""
    for page in (study_report, *study_report.parent.glob("tasks/*.html")):
        captions = re.findall(r"<figcaption>.*?</figcaption>", page.read_text(encoding="utf-8"))
        assert len(captions) >= 2
        assert not any("… As" in re.sub(r"<[^>]+>", "", caption) for caption in captions)


def test_a_card_in_short_says_what_each_column_means_and_what_passes(tmp_path: Path) -> None:
    """Unit, meaning, when a column is empty, its tolerance; and thresholds as shares of all."""
    name = "mimic-urine-output-rate"
    runs = [build_run(name, rates={"uo_mlkghr_6hr": 0.5}, version=str(TASKS[name].version))]
    results = write_runs(tmp_path / "results", runs)
    front = write_report(results, tmp_path / "out", tasks=TASKS)
    page = (front.parent / "tasks" / f"{name}.html").read_text(encoding="utf-8")
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "uo_mlkghr_6hr mL/kg/h urine output rate of the trailing 6 hours" in words
    assert (
        "where fewer than 6 hours of collection are documented, or the volume or weight is null"
        in words
    )
    assert "at least 95 % of the keys, and a match rate of 100 % in every scored" in words
    assert "Meaning urine output rate of the trailing 6 hours mL/kg/h" in " ".join(
        re.sub(r"<[^>]+>", " ", front.read_text(encoding="utf-8")).split()
    )


def test_a_card_of_another_version_explains_no_column(tmp_path: Path) -> None:
    """The columns of today's card are not put beside runs of an earlier one."""
    name = "mimic-urine-output-rate"
    results = write_runs(tmp_path / "results", [build_run(name, version="0.9")])
    write_report(results, tmp_path / "out", tasks=TASKS)
    page = (tmp_path / "out" / "tasks" / f"{name}.html").read_text(encoding="utf-8")
    assert "What each column means" not in page


def test_one_word_stands_for_a_key_given_twice(study_report: Path) -> None:
    """It is duplicate in every figure, table and text, never repeated."""
    for path in study_report.parent.rglob("*"):
        if path.suffix in (".html", ".svg", ".md"):
            text = re.sub(
                r"<(style|script)>.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.S
            )
            assert not re.search(r"\brepeat", text, re.I), path.name


def test_the_guide_names_the_sections_as_the_pages_do(study_report: Path) -> None:
    """Every heading of a page stands in bold in the guide's part on it, and no bold name there is another's.

    What a front page says of a campaign has a part of its own.
    """
    guide = (Path(__file__).parents[2] / "docs/how-to/read-a-report.md").read_text(encoding="utf-8")
    parts = {part.split("\n", 1)[0]: part for part in guide.split("\n## ")}
    task = study_report.parent / "tasks" / "mimic-sofa-24h.html"
    for title, page, unnamed in (
        ("The front page, from the top", study_report, {"What was asked", "What the figures mean"}),
        ("A task's page", task, set()),
    ):
        text = page.read_text(encoding="utf-8")
        headings = set(re.findall(r"<h2[^>]*>([^<]+)</h2>", text)) - unnamed
        named = {
            " ".join(name.rstrip(".").split())
            for name in re.findall(r"\*\*(.+?)\*\*", parts[title], re.S)
        }
        campaign = set(re.findall(r'<h2 id="campaign-[^>]*>([^<]+)</h2>', text))
        assert headings - campaign <= named
        others = named - headings - {"One disagreement, worked"}
        assert all(f"{name}" in text for name in others), others


def test_the_headline_counts_agents_by_what_they_are(tmp_path: Path) -> None:
    """Two programs behind one name are two agents; one agent under two conditions is one."""
    runs = [
        build_run(options={"program": "one.py"}),
        build_run(options={"program": "two.py"}),
        build_run(options={"program": "two.py"}, condition="with-skill"),
    ]
    assert "<h1>1 task, 2 agents, 3 runs</h1>" in page_of(write_runs(tmp_path / "results", runs))


def test_hostile_text_is_shown_and_never_run(tmp_path: Path) -> None:
    """Whatever a run calls itself, its columns, notes, errors and reasons is text on the page."""
    score = build_score(HOSTILE, {HOSTILE: 0.5}, dataset=HOSTILE, notes=[HOSTILE])
    runs = [
        build_run(
            HOSTILE,
            HOSTILE,
            model=HOSTILE,
            effort=HOSTILE,
            condition=HOSTILE,
            schema=HOSTILE,
            dataset=HOSTILE,
            version=HOSTILE,
            agent_version=HOSTILE,
            engine=HOSTILE,
            state=HOSTILE,
            reason=HOSTILE,
            reasons=[HOSTILE],
            options={HOSTILE: HOSTILE},
            score=score,
        ),
        build_run(score=build_score("mimic-sofa-24h", {"a": 0.0}, error=HOSTILE)),
    ]
    results = write_runs(tmp_path / "results", runs)
    broken = results / HOSTILE.replace("/", "_")
    broken.mkdir()
    (broken / "run.json").write_text("{")
    front = write_report(results, tmp_path / "out", tasks={})
    pages = [front, *front.parent.glob("tasks/*.html")]
    assert len(pages) == 3
    for page in pages:
        text = page.read_text(encoding="utf-8")
        skeleton = Skeleton(text)
        assert [tag for tag, _ in skeleton.tags if tag == "script"] == ["script"]
        assert "img" not in {tag for tag, _ in skeleton.tags}
        assert not any(
            name.startswith("on") for _, attributes in skeleton.tags for name in attributes
        )
        assert "\u202e" not in text
        if page.name != "mimic-sofa-24h.html":
            assert "&lt;script&gt;alert(1)" in text
            assert "{{7*7}}" in text
    for drawing in front.parent.glob("figures/*.svg"):
        text = drawing.read_text(encoding="utf-8")
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
        assert tags <= {"svg", "g", "path", "line", "rect", "text", "title", "desc"}
        assert "\u202e" not in text
    for table in front.parent.glob("tables/*.md"):
        assert "<script>" not in table.read_text(encoding="utf-8")


def test_only_the_pages_own_script_may_run(study_report: Path) -> None:
    """The content policy names the one script by its hash and forbids every request."""
    policy = next(
        attributes["content"]
        for tag, attributes in Skeleton(study_report.read_text(encoding="utf-8")).tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", policy)


def test_the_same_results_give_the_same_bytes(study: Path, study_report: Path) -> None:
    """A report can be made again and compared, file by file."""
    one, two = study_report.parent, write_report(study, study.parent / "again", tasks={}).parent
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(two) for path in two.rglob("*") if path.is_file())
    for name in files:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_a_thousand_runs_fit_on_a_page(tmp_path: Path) -> None:
    """A campaign of 1,200 runs is reported whole."""
    runs = [
        build_run(task, agent, trial=trial, condition=condition)
        for task in COLUMNS
        for agent in ("a", "b", "c")
        for condition in ("no-skill", "with-skill")
        for trial in range(1, 26)
    ]
    text = page_of(write_runs(tmp_path / "results", runs))
    assert len(runs) == 1200
    assert all(run.identity[:12] in text for run in runs)


def test_results_of_nothing_but_broken_records_still_make_a_page(tmp_path: Path) -> None:
    """When no record can be read, the page says so instead of failing."""
    (tmp_path / "results" / "torn").mkdir(parents=True)
    (tmp_path / "results" / "torn" / "run.json").write_text("{")
    text = page_of(tmp_path / "results")
    assert "No run could be read" in text
    assert "torn" in text


@pytest.mark.parametrize(("access", "open_to_others"), [("credentialed", False), ("open", True)])
def test_reports_on_credentialed_data_are_for_their_owner(
    tmp_path: Path, access: str, open_to_others: bool
) -> None:
    """A report on credentialed data carries a notice and no other user can read it."""
    text = page_of(write_runs(tmp_path / "results", [build_run(access=access)]))
    written = list((tmp_path / "out").rglob("*"))
    assert len(written) > 10
    for path in written:
        assert bool(path.stat().st_mode & stat.S_IROTH) is open_to_others
    assert ("use agreement" in text) is not open_to_others


def test_an_arm_without_a_measurement_is_not_called_unpublishable(tmp_path: Path) -> None:
    """What was not measured has no figure that could be published or not, and no line or column for one."""
    text = page_of(write_runs(tmp_path / "results", [build_run(state="unscored")]))
    glance = text[text.index("Who answered how well") : text.index("</header>")]
    assert "1 agent without any measurement stands under" in glance
    assert "not publishable" not in glance
    assert "Task by agent" not in text


def test_an_arm_without_a_measurement_takes_no_line_and_no_column(tmp_path: Path) -> None:
    """An agent whose key was refused is told among what went wrong and in the list of runs, nowhere else."""
    lost = build_run(agent="keyless", state="provider-auth", reason="401")
    text = page_of(write_runs(tmp_path / "results", [build_run(), lost]))
    parts = {
        re.sub(r".*?>", "", part.split("</h2>")[0], count=1): part for part in text.split("<h2")
    }
    named = {title for title, part in parts.items() if "<bdi>keyless</bdi>" in part}
    assert named == {"What went wrong", "On which data, with which tools", "All runs"}
    assert not any("keyless" in figure for figure in re.findall(r"<figure.*?</figure>", text, re.S))


def test_reasons_on_credentialed_data_stand_in_csv_alone(tmp_path: Path) -> None:
    """What a tool or a provider said may hold more than counts: no Markdown and no LaTeX passes it on."""
    said = "token sk-12345 refused at the desk of somebody"
    for access, passed_on in (("credentialed", False), ("open", True)):
        runs = [
            build_run(access=access, options={"note": said}),
            build_run(trial=2, access=access, state="error", reason=said, options={"note": said}),
        ]
        out = tmp_path / access
        write_report(write_runs(tmp_path / f"{access}-results", runs), out, tasks={})
        found = {
            path.name
            for path in out.joinpath("tables").iterdir()
            if "sk-12345" in path.read_text(encoding="utf-8").replace("{}", "")
        }
        assert {"runs.csv", "troubles.csv", "agents.csv"} <= found
        assert bool({name for name in found if not name.endswith(".csv")}) is passed_on
        captions = (out / "captions.md").read_text()
        assert ("stand in the CSV alone" in captions) is not passed_on


def test_a_task_of_very_many_runs_is_bounded(tmp_path: Path) -> None:
    """Of 450 runs of one task 400 stand in its page, and the page says where the others are."""
    runs = [build_run(trial=trial) for trial in range(1, 451)]
    page = write_report(write_runs(tmp_path / "results", runs), tmp_path / "out", tasks={})
    (task,) = (page.parent / "tasks").glob("*.html")
    text = task.read_text(encoding="utf-8")
    rows = text.split('class="runs stack"')[1].split("</table>")[0]
    assert rows.count("<tr") == 1 + 400
    assert "50 runs more in" in re.sub(r"<[^>]+>", "", text)


def test_a_report_leaves_other_files_in_its_folder(pair: Path, tmp_path: Path) -> None:
    """Writing a report again replaces its own files only."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("kept")
    write_report(pair, out, tasks={})
    write_report(pair, out, tasks={})
    assert sorted(path.name for path in out.iterdir()) == [
        "captions.md",
        "contents.json",
        "figures",
        "index.html",
        "mine.txt",
        "tables",
        "tasks",
    ]


def test_a_report_takes_back_only_its_own_untouched_files(study: Path, tmp_path: Path) -> None:
    """Pages and figures of a task that is gone are removed, unless somebody changed them or listed others."""
    out = tmp_path / "out"
    write_report(study, out, tasks={})
    kept = out / "tasks" / "mimic-meld-24h.html"
    kept.write_text("annotated")
    gone = [out / "tasks" / "mimic-sofa-24h.html", out / "figures" / "mimic-sofa-24h-keys.svg"]
    outside = tmp_path / "outside.csv"
    outside.write_text("mine")
    contents = json.loads((out / "contents.json").read_text())
    contents["files"]["../outside.csv"] = {
        "bytes": 4,
        "sha256": hashlib.sha256(b"mine").hexdigest(),
    }
    (out / "contents.json").write_text(json.dumps(contents))
    assert all(path.is_file() for path in gone)
    for run in [*study.glob("*"), *study.glob(".unmeasured/*")]:
        record = run / "run.json"
        if record.is_file() and json.loads(record.read_text())["cell"]["task"] in (
            "mimic-sofa-24h",
            "mimic-meld-24h",
        ):
            shutil.rmtree(run)
    write_report(study, out, tasks={})
    assert not any(path.exists() for path in gone)
    assert kept.read_text() == "annotated"
    assert outside.read_text() == "mine"


def test_the_contents_are_those_of_the_files(study_report: Path) -> None:
    """`contents.json` names every other file with its size and hash."""
    out = study_report.parent
    listed = json.loads((out / "contents.json").read_text())["files"]
    there = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert set(listed) == there - {"contents.json"}
    for name, entry in listed.items():
        content = (out / name).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (
            len(content),
            hashlib.sha256(content).hexdigest(),
        )


@pytest.mark.parametrize("out", ["/proc/x", "/proc/self/x/y", "x" * 400, "file/below", "loop/x"])
def test_a_place_that_cannot_be_written_is_one_line(pair: Path, tmp_path: Path, out: str) -> None:
    """A read-only place, a name too long, a file or a loop on the way: bad input that names the place."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError) as caught:
        write_report(pair, tmp_path / out, tasks={})
    assert caught.value.exit_code == 2
    assert str(tmp_path / out) in str(caught.value)
    assert "\n" not in str(caught.value)


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from xml.etree import ElementTree
from m4bench.model.errors import InputError
from m4bench.report import write_report
from m4bench.report.write import installed_tasks

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    write_report(Path(sys.argv[1]), Path(sys.argv[2]), tasks={})
except InputError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def test_a_disk_without_room_leaves_the_former_report_whole(pair: Path, tmp_path: Path) -> None:
    """Where files cannot grow, no file of the report that was there is replaced and none is left over."""
    out = tmp_path / "out"
    write_report(pair, out, tasks={})
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    shutil.rmtree(next(pair.glob("*__t1__*")))
    ended = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(pair), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (2, "")
    assert ended.stdout == f"{out}: cannot be written (File too large); make room there\n"
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_the_page_says_which_release_of_the_data_and_whether_it_was_changed(
    tmp_path: Path,
) -> None:
    """Release and modification stand beside the dataset; two imports behind one name are both there."""
    runs = [
        build_run(dataset="mimic-iv-demo", access="open", release="2.2"),
        build_run(
            dataset="mimic-iv-demo",
            access="open",
            release="2.2",
            modified=True,
            dataset_hash="e" * 64,
            reasons=["the data set is not as released"],
        ),
    ]
    text = page_of(write_runs(tmp_path / "results", runs))
    assert 'open data, release <span class="whole">2.2</span>, dataset hash a1b2c3d4' in text
    assert "modified: not as released, dataset hash eeeeeeee" in text


def test_an_output_that_was_not_scored_is_among_what_went_wrong(tmp_path: Path) -> None:
    """A run without a score for want of scoring is shown, and is no measurement."""
    runs = [build_run(), build_run(trial=2, state="unscored", reason="the reference changed")]
    text = page_of(write_runs(tmp_path / "results", runs))
    assert "Runs whose output was not scored" in text
    assert "the reference changed" in text
    assert "2 runs, 2 trials of each task and agent: 1 was measured" in text


def test_a_file_is_no_folder_for_a_report(pair: Path, tmp_path: Path) -> None:
    """A report is not written over a file."""
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError, match="not a folder"):
        write_report(pair, tmp_path / "out", tasks={})
    assert (tmp_path / "out").read_text() == "mine"


def test_any_name_and_text_is_written_in_every_file(tmp_path: Path) -> None:
    """A folder whose name is no UTF-8, and names with signs XML cannot hold, stand in a whole report."""
    runs = [build_run(model="m\x01\u202e"), build_run(agent="a\ufffe\x0b", trial=2)]
    results = write_runs(tmp_path / "results", runs)
    odd = Path(os.fsdecode(os.fsencode(results) + b"/\xff\xfe"))
    odd.mkdir()
    (odd / "run.json").touch()
    out = write_report(results, tmp_path / "out", tasks={}).parent
    text = (out / "tables" / "troubles.csv").read_text(encoding="utf-8")
    assert "\\udcff\\udcfe" in text
    for path in out.rglob("*"):
        if path.is_file() and path.suffix not in (".pdf", ".png"):
            assert not set(path.read_text(encoding="utf-8")) & set("\x01\x0b\u202e"), path
        if path.suffix == ".svg":
            ElementTree.parse(path)


def test_the_command_prints_the_path_of_the_page(pair: Path, tmp_path: Path) -> None:
    """`m4bench report` prints the page's path, and with --json the tables' too."""
    app = typer.Typer()
    app.command()(report)
    out = tmp_path / "out"
    plain = CliRunner().invoke(app, [str(pair), "--out", str(out)])
    assert (plain.exit_code, plain.stdout.strip()) == (0, str(out / "index.html"))
    asked = json.loads(CliRunner().invoke(app, [str(pair), "--out", str(out), "--json"]).stdout)
    assert asked["page"] == str(out / "index.html")
    assert {Path(name).suffix for name in asked["tables"]} == {".csv", ".md", ".tex"}
    assert {Path(name).suffix for name in asked["figures"]} == {".svg", ".pdf", ".png"}
    assert all(Path(name).is_file() for name in asked["tables"] + asked["figures"])
