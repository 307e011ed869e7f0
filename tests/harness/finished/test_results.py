# SPDX-License-Identifier: MIT
"""Reading a results folder."""

import contextlib
import json
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.harness.finished.evidence import LARGEST_RECORD
from m4bench.harness.finished.results import read_results, read_runs
from m4bench.model.errors import InputError
from m4bench.model.run import RunRecord
from tests.report.records import build_run, build_score, write_runs


def test_runs_are_read_from_their_folders_in_order(tmp_path: Path) -> None:
    """Every run folder is read, ordered by run id."""
    runs = [build_run("mimic-meld-24h"), build_run("mimic-sofa-24h"), build_run(trial=2)]
    found = read_runs(write_runs(tmp_path, runs))
    assert [run.run_id for run in found] == sorted(run.run_id for run in runs)
    assert {run.identity: run for run in found} == {run.identity: run for run in runs}


@pytest.mark.parametrize(
    ("agent", "recorded", "read"),
    [
        ("naive", [], ["a baseline is no measured agent"]),
        ("empty", ["no isolation"], ["a baseline is no measured agent", "no isolation"]),
        (
            "reference",
            ["the agent reference is not one to be measured"],
            ["a baseline is no measured agent"],
        ),
        ("codex", [], []),
        ("codex", ["no isolation"], ["no isolation"]),
    ],
)
def test_runs_of_baselines_are_of_no_measured_agent(
    agent: str, recorded: list[str], read: list[str], tmp_path: Path
) -> None:
    """Whatever an earlier version recorded of a baseline, it stands aside where agents are measured."""
    (run,) = read_runs(write_runs(tmp_path, [build_run(agent=agent, reasons=recorded)]))
    assert run.publishability.reasons == tuple(read)
    assert run.publishability.publishable is (not read)


def test_folders_that_are_no_runs_are_left_alone(tmp_path: Path) -> None:
    """Unfinished runs are counted apart; a report or a file beside the runs is not a finding."""
    write_runs(tmp_path, [build_run()])
    (tmp_path / ".partial-0123-x").mkdir()
    shutil.copy(next(tmp_path.glob("*/run.json")), tmp_path / ".partial-0123-x" / "run.json")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "index.html").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "run.json").write_text("{}")
    found = read_results(tmp_path)
    assert (len(found.runs), found.findings, found.unfinished) == (1, (), 1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "run.json"),
        ("", "run.json"),
        ("[]", "run.json"),
        ('{"format_version": 1, "run_id": "secret-cell"}', "identity"),
        (None, "cannot be read"),
    ],
)
def test_an_unreadable_record_is_a_finding(tmp_path: Path, content: str | None, words: str) -> None:
    """A record that is torn, empty, foreign or gone is named, and the other runs are still read."""
    write_runs(tmp_path, [build_run()])
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "instruction.md").write_text("card")
    if content is not None:
        (broken / "run.json").write_text(content)
    found = read_results(tmp_path)
    assert len(found.runs) == 1
    assert [finding.folder for finding in found.findings] == ["broken"]
    assert words in found.findings[0].problem
    assert "secret-cell" not in found.findings[0].problem
    assert str(tmp_path) not in found.findings[0].problem


def test_a_record_of_a_later_format_is_a_finding(tmp_path: Path) -> None:
    """A record that a later version wrote is not guessed at."""
    write_runs(tmp_path, [build_run()])
    path = next(tmp_path.glob("*/run.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format_version": 99}))
    found = read_results(tmp_path)
    assert found.runs == ()
    assert "format 99" in found.findings[0].problem


def lose(results: Path, run: RunRecord, attempt: str) -> None:
    """Leave an attempt that the infrastructure failed, as the harness does."""
    folder = results / ".unmeasured" / f"{run.run_id}__{attempt}"
    folder.mkdir(parents=True)
    run.write(folder / "run.json")


def test_an_attempt_the_infrastructure_failed_stands_for_its_run(tmp_path: Path) -> None:
    """Of two failed attempts at a run one is shown, without a measurement, and one counts as repeated."""
    lost = build_run(trial=2, state="infrastructure", reason="no sandbox")
    write_runs(tmp_path, [build_run(trial=1)])
    lose(tmp_path, lost, "0a")
    lose(tmp_path, lost, "0b")
    found = read_results(tmp_path)
    assert sorted(run.outcome.state for run in found.runs) == ["completed", "infrastructure"]
    assert (found.findings, found.repeated) == ((), 1)


def test_a_finished_run_replaces_its_failed_attempts(tmp_path: Path) -> None:
    """A run that was repeated with success counts once, with its score."""
    done = build_run()
    write_runs(tmp_path, [done])
    lost = build_run(state="infrastructure")
    assert lost.run_id == done.run_id
    lose(tmp_path, lost, "0a")
    found = read_results(tmp_path)
    assert [run.outcome.state for run in found.runs] == ["completed"]
    assert (found.findings, found.repeated) == ((), 1)


def test_results_of_failed_attempts_alone_are_results(tmp_path: Path) -> None:
    """When nothing could be measured there is still something to report."""
    lose(tmp_path, build_run(state="infrastructure"), "0a")
    found = read_results(tmp_path)
    assert (len(found.runs), found.repeated) == (1, 0)


def test_a_copied_run_folder_is_no_second_trial(tmp_path: Path) -> None:
    """A copy of a run folder under another name is a finding."""
    write_runs(tmp_path, [build_run()])
    original = next(tmp_path.iterdir())
    shutil.copytree(original, tmp_path / "zz-copy")
    found = read_results(tmp_path)
    assert len(found.runs) == 1
    assert found.findings[0].problem == (
        "record does not hold: run_id is not the name of the folder"
    )


def test_a_measurement_among_failed_attempts_is_a_finding(tmp_path: Path) -> None:
    """A scored run that was laid among the failed attempts does not vanish without a word."""
    run = build_run()
    write_runs(tmp_path / ".unmeasured", [run])
    folder = tmp_path / ".unmeasured" / run.run_id
    folder.rename(folder.with_name(f"{run.run_id}__0a"))
    found = read_results(tmp_path)
    assert found.runs == ()
    assert "lies among failed attempts" in found.findings[0].problem


def test_no_text_of_a_record_names_a_place_of_the_machine(tmp_path: Path) -> None:
    """Reason, error, notes and what forbids publishing are for a page that travels."""
    place = "/home/somebody/store/x: is gone"
    score = build_score("mimic-sofa-24h", {"sofa": 0.0}, error=place, notes=[place])
    runs = [
        build_run(score=score, reasons=[place]),
        build_run(trial=2, state="unscored", reason=place),
    ]
    found = read_results(write_runs(tmp_path, runs))
    assert len(found.runs) == 2
    text = "".join(run.model_dump_json() for run in found.runs)
    assert "somebody" not in text
    assert text.count("(a path): is gone") == 4


def make_fifo(path: Path) -> None:
    """Put a pipe there that nobody writes to."""
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    """Put a socket there that nobody listens at."""
    with socket.socket(socket.AF_UNIX) as place, contextlib.chdir(path.parent):
        place.bind(path.name)


RECORDS: dict[str, Callable[[Path], object]] = {
    "fifo": make_fifo,
    "socket": make_socket,
    "folder": Path.mkdir,
    "dangling link": lambda path: path.symlink_to("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "no utf-8": lambda path: path.write_bytes(b'{"run_id": "\xff\xfe"}'),
    "utf-16": lambda path: path.write_bytes(build_run().model_dump_json().encode("utf-16")),
    "deep": lambda path: path.write_text("[" * 100_000),
    "huge": lambda path: path.write_bytes(b" " * (LARGEST_RECORD + 1)),
    "long number": lambda path: path.write_text('{"format_version": ' + "9" * 5000 + "}"),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_whatever_stands_in_a_records_place_is_a_finding(tmp_path: Path, kind: str) -> None:
    """Pipes, links, folders and foreign bytes are named; nothing hangs, and the other runs are read."""
    write_runs(tmp_path, [build_run()])
    odd = tmp_path / "odd"
    odd.mkdir()
    RECORDS[kind](odd / "run.json")
    found = read_results(tmp_path)
    assert len(found.runs) == 1
    (finding,) = found.findings
    assert finding.folder == "odd"
    assert "\n" not in finding.problem


def test_a_link_to_a_good_record_is_not_followed(tmp_path: Path) -> None:
    """A record is a file of its own folder."""
    write_runs(tmp_path, [build_run()])
    record = next(tmp_path.glob("*/run.json"))
    record.rename(tmp_path / "elsewhere.json")
    record.symlink_to(tmp_path / "elsewhere.json")
    found = read_results(tmp_path)
    assert (found.runs, len(found.findings)) == ((), 1)


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """A name that no file system takes is bad input."""
    with pytest.raises(InputError, match="cannot be read"):
        read_results(tmp_path / ("x" * 400))


@pytest.mark.parametrize("case", ["missing", "file", "empty", "only-partial", "one-run"])
def test_what_is_no_results_folder_is_refused(tmp_path: Path, case: str) -> None:
    """Nothing to report is bad input, said in one line that names the folder."""
    place = tmp_path / "results"
    if case == "file":
        place.write_text("")
    elif case != "missing":
        place.mkdir()
    if case == "only-partial":
        (place / ".partial-1-x").mkdir()
    if case == "one-run":
        write_runs(tmp_path / "all", [build_run()])
        place = next((tmp_path / "all").iterdir())
    with pytest.raises(InputError) as caught:
        read_results(place)
    assert str(place) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert ("is not there" in str(caught.value)) is (case == "missing")
