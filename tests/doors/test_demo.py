# SPDX-License-Identifier: MIT
"""The demo: the whole way on a synthetic hospital, and again without doing finished work twice."""

import csv
import fcntl
import json
import shutil
from pathlib import Path

import pytest

from m4bench.doors import demo as door
from m4bench.doors.demo import AGENTS, EARLIER, LOCK, demo, demo_tasks, summary
from m4bench.doors.demo_stages import RUNS, STAGES
from m4bench.model.errors import InputError

from .conftest import SMALL, Copy, Finished, Said

pytestmark = pytest.mark.sandbox


def test_the_demo_ends_with_a_report(finished: Finished) -> None:
    """Every baseline runs every task; the reference agent is perfect, the empty one earns nothing."""
    page = finished.result.page
    rows = list(csv.DictReader((page.parent / "tables" / "runs.csv").open()))
    assert page.is_file()
    assert len(rows) == len(demo_tasks()) * len(AGENTS)
    rewards = {agent: [float(r["reward"]) for r in rows if r["agent"] == agent] for agent in AGENTS}
    assert set(rewards["reference"]) == {1.0}
    assert set(rewards["empty"]) == {0.0}
    assert all(0.0 < reward < 1.0 for reward in rewards["naive"])
    assert finished.result.problems == ()
    assert finished.result.isolated


def test_a_demo_asks_one_task_of_each_family() -> None:
    """Every family that MIMIC-IV serves is there once, in standard mode where it has such a task."""
    families = [task.family for task in demo_tasks().values()]
    assert len(set(families)) == len(families) == 15
    assert {"mimic-sofa-24h", "mimic-charlson-raw"} <= set(demo_tasks())
    assert all(name.startswith("mimic-") for name in demo_tasks())


def test_everything_is_told(finished: Finished) -> None:
    """Each stage ends, each share grows to at most the whole, and each cell begins and is filled."""
    said = finished.said
    assert list(said.ended_stages) == [stage.name for stage in STAGES]
    for shares in said.shares.values():
        assert shares == sorted(shares)
        assert shares[-1] <= 1
    assert said.shares[RUNS.name][-1] == 1
    assert set(said.cells) == {(task, agent) for task in demo_tasks() for agent in AGENTS}
    assert all(told[0] == "begun" and len(told) == 2 for told in said.cells.values())
    assert f"{SMALL['stays']} invented" in said.headline


def _records(out: Path) -> dict[str, int]:
    return {p.parent.name: p.stat().st_mtime_ns for p in (out / "runs").glob("*/run.json")}


def test_a_second_demo_does_nothing_twice(finished: Finished) -> None:
    """All stages but the report find everything there; no run is touched, and the result is the same."""
    before, said = _records(finished.out), Said()
    again = demo(finished.out, said, **SMALL)  # type: ignore[arg-type]
    assert _records(finished.out) == before
    assert [name for name, reused in said.ended_stages.items() if not reused] == ["report"]
    assert said.kept == set(said.cells)
    assert summary(again) == summary(finished.result)


def test_what_was_not_scored_is_run_again(finished: Finished, tmp_path: Path) -> None:
    """A run without a score is put aside and repeated, and only that one."""
    out = Path(shutil.copytree(finished.out, tmp_path / "copy"))
    before = _records(out)
    unscored = next(iter(before))
    path = out / "runs" / unscored / "run.json"
    record = json.loads(path.read_text())
    record["score"], record["outcome"]["state"] = None, "unscored"
    path.write_text(json.dumps(record))
    result = demo(out, **SMALL)  # type: ignore[arg-type]
    after = _records(out)
    assert [name for name in before if before[name] != after[name]] == [unscored]
    assert (out / EARLIER / unscored).is_dir()
    assert result.problems == ()


def test_without_isolation_runs_are_marked_and_others_put_aside(
    without_runs: Copy, finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where bubblewrap is missing a note says so, and no run is publishable; the report is on these runs alone.

    Isolated runs of an earlier demo are kept beside, and runs of a user's own program are left.
    """
    out = without_runs()
    own = out / "runs" / "a-program-of-ones-own"
    earlier = out / "runs" / next(iter(_records(finished.out)))
    record = (finished.out / "runs" / earlier.name / "run.json").read_text()
    agent = json.loads(record)["cell"]["agent"]
    for folder, text in (
        (earlier, record),
        (own, record.replace(f'"agent": "{agent}"', '"agent": "command"')),
    ):
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(text)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    said = Said()
    result = demo(out, said, **SMALL)  # type: ignore[arg-type]
    assert (out / EARLIER / earlier.name / "run.json").read_text() == record
    assert (own / "run.json").is_file()
    assert ["bubblewrap is not installed" in note for note in said.notes] == [True, False]
    assert str(out / EARLIER) in said.notes[1]
    assert not said.kept
    assert not result.isolated
    assert {record.cell.sandbox for record in result.records} == {"none"}
    assert not any(record.publishability.publishable for record in result.records)
    assert result.problems == ()


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "LOCK_PATIENCE", 0.1)


@pytest.mark.usefixtures("_impatient")
def test_two_demos_do_not_share_a_folder(tmp_path: Path) -> None:
    """While one works in a folder, another is refused with what to do."""
    with (tmp_path / LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another demo works in this folder"):
            demo(tmp_path, **SMALL)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    """A file where the folder should be is named in one line."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="choose another --out"):
        demo(tmp_path / "file" / "out", **SMALL)  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
