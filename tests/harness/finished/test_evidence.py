# SPDX-License-Identifier: MIT
"""The files beside a record: a run counts only with those that it recorded."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.harness.finished.evidence import departure
from m4bench.harness.finished.results import read_results
from m4bench.model.run import Artefact
from tests.report.records import build_run, with_files, write_runs
from tests.report.test_tables import TASK

FILES = {"output.csv": b"stay_id,sofa\n1,2\n", "logs/stdout.txt": b"done\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run that left two files."""
    run = with_files(build_run(), FILES)
    place = write_runs(tmp_path / "results", [run]) / run.run_id
    for name, content in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(content)
    return place


def test_a_run_with_its_files_counts(folder: Path) -> None:
    """Files as recorded, and one more that is not recorded, are no finding."""
    (folder / "my-notes.txt").write_text("mine")
    found = read_results(folder.parent, {TASK.name: TASK})
    assert (len(found.runs), found.findings) == (1, ())


def replace_by_link(path: Path) -> None:
    """Put a link to the same content in a file's place."""
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def replace_folder_by_link(path: Path) -> None:
    """Put a link to the same folder in the place of a file's folder."""
    parent = path.parent / "logs" if path.name == "output.csv" else path.parent
    parent.rename(parent.with_name("moved"))
    parent.symlink_to("moved")


def replace_by_fifo(path: Path) -> None:
    """Put a pipe that nobody writes to in a file's place."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Path.unlink, "output.csv cannot be read"),
        (lambda path: path.write_bytes(b""), "output.csv is not of the recorded size"),
        (
            lambda path: path.write_bytes(b"stay_id,sofa\n1,9\n"),
            "output.csv is not what was recorded",
        ),
        (replace_by_link, "output.csv cannot be read"),
        (replace_folder_by_link, "logs/stdout.txt cannot be read"),
        (replace_by_fifo, "output.csv is not a regular file"),
    ],
)
def test_a_changed_file_voids_the_record(
    folder: Path, change: Callable[[Path], object], words: str
) -> None:
    """A deliverable that is gone, other than recorded, or no file any more leaves the run out."""
    change(folder / "output.csv")
    found = read_results(folder.parent)
    assert found.runs == ()
    assert found.findings[0].problem.startswith(f"record does not hold: {words}")


def test_a_finished_run_has_its_deliverable_recorded(tmp_path: Path) -> None:
    """A record that drops its output from the list of files does not hold."""
    run = with_files(build_run(TASK.name), {})
    found = read_results(write_runs(tmp_path, [run]), {TASK.name: TASK})
    assert found.runs == ()
    assert "output is not among the recorded files" in found.findings[0].problem


@pytest.mark.parametrize("name", ["/etc/hostname", "../results.txt", "a/../../b", "", ".", "a\0b"])
def test_only_files_within_the_folder_are_read(tmp_path: Path, name: str) -> None:
    """A record cannot make the report read elsewhere."""
    (tmp_path / "run").mkdir()
    artefact = Artefact(name=name, bytes=0, sha256="")
    assert departure((artefact,), tmp_path / "run") == "a recorded file is not in the run's folder"


def test_a_file_recorded_twice_is_named(folder: Path) -> None:
    """Each file has one size and one hash."""
    artefact = Artefact(name="output.csv", bytes=1, sha256="")
    assert departure((artefact, artefact), folder) == "a file is recorded twice"
