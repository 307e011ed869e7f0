# SPDX-License-Identifier: MIT
"""The same seed gives the same hospital, another seed another, and memory does not grow with its size."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.synthetic import generate
from m4bench.data.synthetic.hospital import _sizes
from m4bench.model.errors import InputError
from tests.data.synthetic.conftest import view_tables


def content(folder: Path) -> dict[str, str]:
    """Return a hash over the sorted rows of each table."""
    connection = view_tables(folder)
    tables = [file.stem for file in sorted(folder.glob("*/*.parquet"))]
    hashes = {}
    for table in tables:
        rows = sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall()))
        hashes[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return hashes


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hospital of 25 stays."""
    folder = tmp_path_factory.mktemp("small") / "files"
    generate(folder, stays=25, seed=11)
    return folder


def test_the_same_seed_gives_the_same_rows(small: Path, tmp_path: Path) -> None:
    """Two hospitals of one seed are equal table by table."""
    generate(tmp_path / "again", stays=25, seed=11)
    assert content(tmp_path / "again") == content(small)


def test_another_seed_gives_other_rows(small: Path, tmp_path: Path) -> None:
    """Every table but the dictionaries differs under another seed."""
    generate(tmp_path / "other", stays=25, seed=12)
    first, second = content(small), content(tmp_path / "other")
    same = {table for table in first if first[table] == second[table]}
    assert same == {"d_items", "d_labitems", "d_icd_diagnoses"}


def test_no_stay_number_is_used_twice_across_blocks(tmp_path: Path) -> None:
    """A hospital of several blocks has unique identifiers and exactly the stays asked for."""
    generate(tmp_path / "big", stays=1001, seed=3)
    connection = view_tables(tmp_path / "big")
    for table, key in (
        ("icustays", "stay_id"),
        ("admissions", "hadm_id"),
        ("patients", "subject_id"),
        ("labevents", "labevent_id"),
        ("inputevents", "orderid"),
    ):
        query = f"SELECT count(*), count(DISTINCT {key}) FROM {table}"
        total, distinct = connection.execute(query).fetchall()[0]
        assert total == distinct, table
    assert connection.execute("SELECT count(*) FROM icustays").fetchall() == [(1001,)]
    shared = (
        "SELECT count(*) FROM (SELECT specimen_id FROM labevents GROUP BY 1 "
        "HAVING count(DISTINCT subject_id) > 1)"
    )
    assert connection.execute(shared).fetchall() == [(0,)]


@pytest.mark.parametrize("stays", [1, 2, 499, 500, 749, 751, 5000])
def test_blocks_add_up_and_stay_near_their_size(stays: int) -> None:
    """Blocks hold all stays, and none holds more than half as many again as the usual 500."""
    sizes = _sizes(stays)
    assert sum(sizes) == stays
    assert max(sizes) <= 750


@pytest.mark.parametrize("stays", [1, 2, 3, 7])
def test_a_tiny_hospital_is_a_hospital(tmp_path: Path, stays: int) -> None:
    """A handful of stays can be asked for; every table can be read."""
    generate(tmp_path / "tiny", stays=stays, seed=5)
    connection = view_tables(tmp_path / "tiny")
    assert connection.execute("SELECT count(*) FROM icustays").fetchall() == [(stays,)]
    assert len(list((tmp_path / "tiny").glob("*/*.parquet"))) == 16


def test_memory_follows_the_block_not_the_hospital(tmp_path: Path) -> None:
    """Five times as many stays take less than half as much memory again."""
    script = (
        "import resource, sys; from pathlib import Path; from m4bench.data.synthetic import generate; "
        "generate(Path(sys.argv[1]), stays=int(sys.argv[2]), seed=1); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for stays in (500, 2500):
        run = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / str(stays)), str(stays)],
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(run.stdout))
    assert peaks[1] < 1.5 * peaks[0]


@pytest.mark.parametrize(("stays", "seed"), [(0, 1), (-5, 1), (10, -1), (200_001, 1)])
def test_impossible_sizes_and_seeds_are_refused(tmp_path: Path, stays: int, seed: int) -> None:
    """No stays and negative seeds are bad input, and nothing is written."""
    with pytest.raises(InputError):
        generate(tmp_path / "none", stays=stays, seed=seed)
    assert not (tmp_path / "none").exists()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    """A folder that holds something else is refused and keeps it."""
    precious = tmp_path / "thesis.txt"
    precious.write_text("months of work")
    with pytest.raises(InputError, match="holds other files"):
        generate(tmp_path, stays=2, seed=1)
    assert precious.read_text() == "months of work"


def test_a_hospital_replaces_an_earlier_one(small: Path, tmp_path: Path) -> None:
    """Generating over a synthetic folder leaves only the new hospital."""
    folder = tmp_path / "files"
    generate(folder, stays=3, seed=1)
    generate(folder, stays=25, seed=11)
    assert content(folder) == content(small)
