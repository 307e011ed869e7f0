# SPDX-License-Identifier: MIT
"""Where a report may be written, and what a writer that was killed leaves."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from m4bench.cli.report import report
from m4bench.model.errors import InputError
from m4bench.report import write_report
from tests.report.records import build_run, write_runs


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def occupy(path: Path, by: str) -> None:
    """Put something else in the place of a report's file or folder."""
    if by == "folder":
        path.mkdir(parents=True)
    elif by == "fifo":
        os.mkfifo(path)
    elif by == "link":
        path.parent.joinpath("elsewhere").mkdir()
        path.symlink_to("elsewhere")
    else:
        path.write_text("mine")


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("index.html", "folder"),
        ("contents.json", "fifo"),
        ("tables/runs.csv", "folder"),
        ("tasks", "link"),
        ("figures", "file"),
    ],
)
def test_where_one_place_is_taken_nothing_is_written(
    pair: Path, tmp_path: Path, name: str, by: str
) -> None:
    """A folder, pipe or link in the place of a file or folder is named, before anything is replaced."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "kept.md").write_text("former")
    occupy(out / name, by)
    before = files(out)
    with pytest.raises(InputError, match=f"out/{name}: is not a"):
        write_report(pair, out, tasks={})
    assert files(out) == before


@pytest.mark.parametrize("name", ["index.html", "captions.md", "tables/runs.csv", "analysis.json"])
def test_a_file_that_no_report_listed_is_not_replaced(tmp_path: Path, name: str) -> None:
    """Somebody's own page or table in the place of ours is named, in an empty folder and beside a former report."""
    runs = [build_run("mimic-meld-24h"), build_run("mimic-meld-24h", condition="with-skill")]
    results = write_runs(tmp_path / "results", runs)
    for out in (tmp_path / "new", tmp_path / "former"):
        if out.name == "former":
            write_report(results, out)
            listed = json.loads((out / "contents.json").read_text())
            del listed["files"][name]
            (out / "contents.json").write_text(json.dumps(listed))
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("mine")
        before = files(out)
        with pytest.raises(InputError, match=f"{name}: is not a file of the report"):
            write_report(results, out)
        assert files(out) == before


@pytest.mark.parametrize(
    "content", ['{"files": {}, "kind": "leaderboard"}', "[]", "mine", '{"files": 1}']
)
def test_a_list_that_is_not_a_reports_is_not_replaced(
    pair: Path, tmp_path: Path, content: str
) -> None:
    """A leaderboard, or a list of something else, is no place for a report."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "contents.json").write_text(content)
    with pytest.raises(InputError, match=r"contents\.json: is not the list of a report"):
        write_report(pair, out, tasks={})
    assert files(out) == {"contents.json": content.encode()}


@pytest.mark.parametrize("out", [".", "report", "a/b", "../results/x", "../link/report"])
def test_a_report_is_not_written_among_its_results(pair: Path, out: str) -> None:
    """The folder of results, one in it, and one that a link leads there are refused."""
    (pair.parent / "link").symlink_to(pair)
    before = files(pair)
    with pytest.raises(InputError, match="lies in the folder of results"):
        write_report(pair, pair / out, tasks={})
    assert files(pair) == before


def test_results_in_the_place_of_a_reports_folder_are_refused(tmp_path: Path) -> None:
    """Results called `tasks` are no folder for pages."""
    results = write_runs(tmp_path / "tasks", [build_run()])
    with pytest.raises(InputError, match="lies in the folder of results"):
        write_report(results, tmp_path, tasks={})


@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["RUNS", "--out", "NAME"], "no folder is named for the report; name one with --out DIR"),
        (["RUNS", "--site", "NAME"], "no folder is named for the site; name one with --site DIR"),
        (["NAME", "--out", "x"], "a source of runs has an empty name; name a runs CSV"),
        (["RUNS", "NAME", "--out", "x"], "a source of runs has an empty name; name a runs CSV"),
    ],
)
def test_a_place_without_a_name_is_refused(
    pair: Path, arguments: list[str], words: str, name: str
) -> None:
    """An unset variable in a script is not the current folder."""
    app = typer.Typer()
    app.command()(report)
    given = [{"RUNS": str(pair), "NAME": name}.get(one, one) for one in arguments]
    ended = CliRunner().invoke(app, given)
    assert isinstance(ended.exception, InputError)
    assert words in str(ended.exception)


KILLED = """
import os, signal, sys
from pathlib import Path
from m4bench.report import write_report

def at(event, arguments):
    if event == "os.rename":
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(at)
write_report(Path(sys.argv[1]), Path(sys.argv[2]), tasks={})
"""


def test_what_a_killed_writer_leaves_is_private_and_goes_with_the_next(tmp_path: Path) -> None:
    """Of credentialed data no other user reads what is half written; the next report sweeps it alone."""
    run = build_run(dataset="mimic-iv", access="credentialed")
    results, out = write_runs(tmp_path / "results", [run]), tmp_path / "out"
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(results), str(out)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    left = list(out.rglob(".partial-*"))
    assert len(left) > 10
    assert {stat.S_IMODE(path.stat().st_mode) for path in left} == {0o600}
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    mine = out / ".partial-notes"
    mine.write_text("kept")
    write_report(results, out, tasks={})
    assert list(out.rglob(".partial-*")) == [mine]
