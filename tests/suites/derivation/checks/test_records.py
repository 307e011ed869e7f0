# SPDX-License-Identifier: MIT
"""What the program says of keys and of rows against the database; how it is called and what it leaves."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.suites.derivation.checks.conftest import Tried
from tests.suites.derivation.checks.test_cells import URINE
from tests.suites.derivation.checks.test_form import GOOD, PLAIN
from tests.suites.derivation.checks.trial import database, lines, program, run


@pytest.mark.parametrize(
    ("rows", "said", "count", "places"),
    [
        ([*GOOD, GOOD[1], GOOD[2], GOOD[1]], "repeat a `stay_id`", 3, [8, 9, 10]),
        (GOOD[:-1], "1 of 6 have no row: every ICU stay", 1, []),
        (GOOD[:2], "5 of 6 have no row: every ICU stay", 5, []),
        ([*GOOD, "1,2,99,0,0,0,0,0,0,0"], "with a `stay_id` that is no ICU stay", 1, [8]),
        ([*GOOD[:6], GOOD[6].replace("12,22,35", "11,22,35")], "is the patient of", 1, [7]),
        ([*GOOD[:6], GOOD[6].replace("12,22,35", "12,21,35")], "is the hospital adm", 1, [7]),
    ],
    ids=["repeated", "one-less", "five-less", "stranger", "patient", "admission"],
)
def test_keys_are_those_of_the_database_each_once(
    tried: Tried, rows: list[str], said: str, count: int, places: list[int]
) -> None:
    """One problem tells how many rows or records, and in which lines."""
    found = tried(lines(rows))
    assert len(found.problems) == 1
    check = found.check(said)
    assert (check["state"], check["count"], check["places"]) == ("problem", count, places)
    assert check["remedy"]


def test_without_a_database_what_needs_it_is_left_out_and_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is checked, the verdict says that it could not be whole, and the exit code is that of the rest."""
    (folder / "output.csv").write_bytes(PLAIN)
    (folder / "database.duckdb").unlink()
    found = run(folder / "check", capsys, folder / "output.csv")
    assert len(found.of("left out")) == 3
    assert found.told["verdict"] == "verdict: ready to hand in, as far as could be checked"
    assert found.code == 0


@pytest.mark.parametrize("content", [b"no database", b""], ids=["text", "empty"])
def test_a_database_that_is_none_or_lacks_the_tables_leaves_its_checks_out(
    folder: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    """A damaged file and one without the tables end in no traceback."""
    (folder / "output.csv").write_bytes(PLAIN)
    (folder / "database.duckdb").write_bytes(content)
    found = run(folder / "check", capsys, folder / "output.csv")
    assert len(found.of("left out")) == 3
    assert found.problems == []


@pytest.mark.parametrize(
    "stays",
    [
        "SELECT 10 AS subject_id, 20 AS hadm_id, 'a30' AS stay_id",
        "SELECT 10 AS subject_id, 20 AS hadm_id, DATE '2150-01-01' AS stay_id",
        "SELECT 'a10' AS subject_id, 20 AS hadm_id, 30 AS stay_id",
    ],
    ids=["key is text", "key is a date", "patient is text"],
)
def test_a_database_of_other_types_is_at_fault_itself(
    folder: Path, capsys: pytest.CaptureFixture[str], stays: str
) -> None:
    """What the database cannot be compared by is left out and laid on it; the answer has no problem by it."""
    (folder / "output.csv").write_bytes(lines(GOOD[:2]))
    (folder / "database.duckdb").unlink()
    database(folder, {"mimiciv_icu.icustays": stays})
    found = run(folder / "check", capsys, folder / "output.csv")
    assert (found.code, found.problems) == (0, [])
    assert found.of("left out")
    assert all("the database is at fault, not the answer" in said for said in found.of("left out"))
    assert not any("CSV" in said for said in found.of("left out"))


def test_a_rule_no_record_could_try_is_not_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database without records of the group, and keys that are all empty: neither tells that a rule holds."""
    none = "SELECT 1 AS subject_id, 2 AS hadm_id, 3 AS stay_id WHERE false"
    database(tmp_path, {"mimiciv_icu.icustays": none})
    script = program(tmp_path, "mimic-sofa-24h")
    (tmp_path / "output.csv").write_bytes(lines([GOOD[0], "10,20,,0,0,0,0,0,0,0"]))
    found = run(script, capsys, tmp_path / "output.csv")
    assert found.problems == ["`stay_id` is empty in 1 row"]
    assert found.of("not tested") == [
        "no row has its `stay_id`: each `stay_id` comes once",
        "no row has its `stay_id`: every ICU stay has a row, and every row is of an ICU stay",
        "no row has a record of the database to compare with: `subject_id` is the patient of the ICU stay",
        "no row has a record of the database to compare with: `hadm_id` is the hospital admission of the ICU stay",
    ]
    assert found.told["verdict"] == "verdict: 1 problem; 4 rules not tested"


def test_another_database_may_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--database` stands in for the one beside the answer."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    other = database(
        elsewhere,
        {"mimiciv_icu.icustays": "SELECT 10 AS subject_id, 20 AS hadm_id, 30 AS stay_id"},
    )
    (folder / "output.csv").write_bytes(lines(GOOD[:2]))
    assert run(folder / "check", capsys, folder / "output.csv").code == 1
    found = run(folder / "check", capsys, folder / "output.csv", "--database", other)
    assert found.code == 0


def test_it_reads_the_database_while_another_program_reads_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The database is opened read-only, and read-only beside others."""
    (folder / "output.csv").write_bytes(PLAIN)
    with duckdb.connect(str(folder / "database.duckdb"), read_only=True):
        done = subprocess.run([folder / "check"], cwd=folder, env=_python_first(), check=False)
    assert done.returncode == 0


def test_urine_rows_stand_at_times_of_charted_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row at another time of the same stay is told apart from one of another stay."""
    tables = {
        "mimiciv_icu.icustays": "SELECT 1 AS stay_id",
        "mimiciv_icu.outputevents": "SELECT 1 AS stay_id, TIMESTAMP '2150-01-01 07:00:00' AS charttime",
    }
    database(tmp_path, tables)
    rest = ",70,60,210,210,210,0.4,,,6.5,6.5,6.5"
    script = program(tmp_path, "mimic-urine-output-rate")
    for key, places in (
        ("1,2150-01-01 07:00:00", []),
        ("1,2150-01-01 07:00:01", [[2]]),
        ("2,2150-01-01 07:00:00", [[2], [2]]),
    ):
        (tmp_path / "output.csv").write_bytes(lines([URINE, key + rest]))
        found = run(script, capsys, tmp_path / "output.csv")
        told = [one["places"] for one in found.told["checks"] if one["state"] == "problem"]
        assert told == places


def _python_first() -> dict[str, str]:
    """Return an environment in which `python3` is this Python, and the language is no UTF-8 one."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {"PATH": path, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}


def test_it_runs_as_a_program_from_anywhere_and_writes_nothing(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From its own folder and from another; the folder cannot be written to, and nothing in it changes."""
    (folder / "output.csv").write_bytes(PLAIN)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        for arguments, place in (
            ([folder / "check", "output.csv"], folder),
            ([folder / "check"], elsewhere),
            ([folder / "check", folder / "output.csv"], elsewhere),
        ):
            done = subprocess.run(
                arguments, cwd=place, env=_python_first(), capture_output=True, check=False
            )
            assert done.stderr == b""
            told = done.stdout.decode().splitlines()
            assert told[-1] == "verdict: ready to hand in"
            assert {line.split()[0] for line in told[:-1]} == {"ok"}
            assert done.returncode == 0
    finally:
        folder.chmod(stat.S_IRWXU)
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert list(elsewhere.iterdir()) == []


def test_lines_for_readers_put_problems_first_with_what_to_do(folder: Path) -> None:
    """A problem is one line with its place and value, then one with its remedy; the verdict is last."""
    (folder / "output.csv").write_bytes(PLAIN.replace(b",4,4,", b",4,9,"))
    done = subprocess.run(
        [folder / "check"], cwd=folder, env=_python_first(), capture_output=True, check=False
    )
    told = done.stdout.decode().splitlines()
    assert told[0] == "problem    `respiration` is outside 0 to 4 in 1 row (line 6: 9)"
    assert told[1].strip().startswith("→ ")
    assert told[2].startswith("problem    not so: `sofa` is the sum")
    assert told[-1] == "verdict: 2 problems"
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["out*put.csv", "output[1].csv", "out'put?.csv", "out put.csv"])
def test_a_file_may_have_any_name(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A name is never taken for a pattern, of which another file would be read."""
    (folder / name).write_bytes(PLAIN)
    (folder / "output1.csv").write_bytes(b"other\n")
    assert run(folder / "check", capsys, folder / name).code == 0
