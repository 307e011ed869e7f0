# SPDX-License-Identifier: MIT
"""A new task: begun from its reference, found by lint until it is written, and never over something that is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.tasks.beginnings import with_validity
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks, read_task
from m4bench.suites.derivation.tasks.lint import lint
from m4bench.suites.derivation.tasks.materials import materials
from m4bench.suites.derivation.tasks.new import NewTask, begin_task
from m4bench.suites.derivation.tasks.provenance import provenance
from m4bench.suites.derivation.tasks.validity import (
    VALIDITY,
    reference_validity,
    unwritten_entry,
    validity_problems,
)

LODS = NewTask("mimic-lods-24h", "lods", "lods-24h", "raw")


FILLED = {
    "as 0 to 24, or nothing": "",
    "never, or where": "where nothing was measured",
    "where, in the words of the card": "where nothing was measured",
    "the skill of another family": "sofa-score",
    "the derived relations": "lods",
}
"""What a place is filled with, by how it begins; every other with some words."""
PLACE = re.compile(r'TO WRITE(?:: ?((?:(?!TO WRITE)[^|")\n])*))?')


def _filled(found: re.Match[str]) -> str:
    asked = found[1] or ""
    return next((text for begin, text in FILLED.items() if asked.startswith(begin)), "some words")


@pytest.mark.parametrize("reference", sorted(library().references))
def test_what_is_begun_is_accepted_once_its_places_are_filled(
    reference: str, tmp_path: Path
) -> None:
    """From an empty folder: lint names each place with its line and nothing else, and accepts what is filled there.

    The definition has its reference's columns and key, and every condition has something to give.
    """
    root = tmp_path / "none yet"
    begun = begin_task(NewTask("a-task", "a-family", reference, "raw"), root)
    header = library().references[reference].header
    task = read_task(root / "a-family" / "a-task")
    assert task.scoring.required == tuple(column.name for column in header.columns)
    assert task.scoring.key == header.key
    marked = [
        (file, f"line {number} still has a place marked TO WRITE")
        for file in begun
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        for _ in range(line.count("TO WRITE"))
    ]
    findings = lint(["a-task"], root=root)
    named = [(f.file, f.problem.partition(":")[0]) for f in findings if "still has" in f.problem]
    assert sorted(named) == sorted(marked)
    assert {f.problem for f in findings if "TO WRITE" not in f.problem} == set()
    for file in begun:
        file.write_text(PLACE.sub(_filled, file.read_text(encoding="utf-8")), encoding="utf-8")
    assert lint(["a-task"], root=root) == []
    task = read_task(root / "a-family" / "a-task")
    assert provenance("a-family", root).signed is False
    assert "a-family/SKILL.md" in materials(task, "with-skill", "native", root=root).skills
    program = materials(task, "with-skill+checks", "native", root=root).programs["check"]
    compile(program, "check", "exec")


def test_the_second_task_of_a_family_is_accepted_too(tmp_path: Path) -> None:
    """In standard mode the answer's relation is a place to fill, and provenance is begun once."""
    begin_task(LODS, tmp_path)
    second = begin_task(NewTask("mimic-lods", "lods", "lods-24h", "standard"), tmp_path)
    assert [file.name for file in second] == ["task.toml", "instruction.md"]
    for file in tmp_path.rglob("*.*"):
        if file.is_file():
            file.write_text(PLACE.sub(_filled, file.read_text(encoding="utf-8")), encoding="utf-8")
    assert lint(root=tmp_path) == []


@pytest.mark.parametrize("family", ["aaa", "lods", "zzz"])
def test_a_family_of_the_suite_gets_an_entry_of_what_its_reference_is_worth(
    family: str, tmp_path: Path
) -> None:
    """The entry stands in the order of names, leaves the others' bytes alone, fits, and its places are found."""
    text = VALIDITY.read_text(encoding="utf-8")
    begun = with_validity(text, family)
    file = tmp_path / "validity.yaml"
    file.write_text(begun, encoding="utf-8")
    families = reference_validity(file).families
    assert list(families) == sorted(families)
    assert {**families, family: None} == {**reference_validity().families, family: None}
    assert set(text.splitlines()) <= set(begun.splitlines())
    places = list(unwritten_entry(family, file))
    assert [begun.splitlines()[line - 1].count("TO WRITE") for line, _ in places] == [1, 1, 1]
    assert list(unwritten_entry("kdigo", file)) == []
    file.write_text(PLACE.sub(_filled, begun), encoding="utf-8")
    reference_validity.cache_clear()
    assert list(validity_problems(family, file)) == []


LIMITED = """
import resource, sys
from pathlib import Path
from m4bench.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.argv[1:] = ["tasks", "new", "mimic-lods-24h", "--family", "lods", "--reference", "lods-24h", "--to", sys.argv[2]]
run()
"""


@pytest.mark.parametrize("room", [0, 500, 1200])
@pytest.mark.parametrize("there", ["nothing", "the family"])
def test_a_full_disk_leaves_no_file_and_no_empty_folder(
    room: int, there: str, tmp_path: Path
) -> None:
    """Whichever file finds no room: one line, exit 2, and what was there before is there alone."""
    root = tmp_path / "tasks"
    if there == "the family":
        (root / "lods/references").mkdir(parents=True)
        (root / "lods/references/notes.txt").write_text("mine", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(room), str(root)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "cannot be written" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_second_task_leaves_what_its_family_shares_alone(tmp_path: Path) -> None:
    """Files of the family that are there keep their bytes."""
    begin_task(LODS, tmp_path)
    query = tmp_path / "lods" / "naive.sql"
    query.write_text("SELECT 1", encoding="utf-8")
    written = begin_task(NewTask("mimic-lods-12h", "lods", "lods-24h", "standard"), tmp_path)
    assert query.read_text(encoding="utf-8") == "SELECT 1"
    assert {file.parent.name for file in written} == {"mimic-lods-12h"}


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        (NewTask("mimic-sofa-24h", "sofa", "sofa-24h", "raw"), "there is a task called"),
        (NewTask("Mimic LODS", "lods", "lods-24h", "raw"), "is no name for a task"),
        (NewTask("mimic-lods", "../lods", "lods-24h", "raw"), "is no name for a family"),
        (NewTask("mimic-lods", "lods", "lods-25h", "raw"), "no reference is called"),
        (NewTask("mimic-lods", "lods", "lods-24h", "easy"), "there is no mode"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    task: NewTask, problem: str, tmp_path: Path
) -> None:
    """A name that is taken or leaves the folder, an unknown reference or mode: one line, nothing written."""
    with pytest.raises(InputError, match=problem):
        begin_task(task, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    """A task begun twice is refused and keeps what its author wrote."""
    begin_task(LODS, tmp_path)
    card = tmp_path / "lods/mimic-lods-24h/instruction.md"
    card.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="there is a task called"):
        begin_task(LODS, tmp_path)
    assert card.read_text(encoding="utf-8") == "mine"


def test_a_root_that_a_user_names_is_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task below a folder of the variable stands beside the suite's own."""
    begin_task(LODS, tmp_path)
    own = set(load_tasks(TASKS_ROOT))
    monkeypatch.setenv("M4BENCH_TASKS", str(tmp_path))
    assert set(load_tasks()) - own >= {"mimic-lods-24h"}
