# SPDX-License-Identifier: MIT
"""The same recipe gives the same hospital anywhere, another seed another, and memory does not grow with its size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.data.synthetic import generate
from m4bench.data.synthetic.content import content_hash, table_hashes
from m4bench.data.synthetic.creation import write_hospital
from m4bench.data.synthetic.hospital import BLOCK, SITES, _sizes
from m4bench.data.synthetic.recipe import MOST_STAYS
from m4bench.model.errors import InputError
from tests.data.synthetic.conftest import vector_units, view_tables

SAME_IN_EVERY_HOSPITAL = {table for site in SITES.values() for table, _ in site().dictionaries()}
HASHED = """
import sys
from pathlib import Path
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.hospital import generate
generate(Path(sys.argv[1]), stays=60, seed=11, site=sys.argv[2], density=0.3)
print(content_hash(Path(sys.argv[1])))
"""
WEIGHED = """
import resource, sys
from pathlib import Path
from m4bench.data.synthetic.hospital import generate
generate(Path(sys.argv[1]), stays=int(sys.argv[2]), seed=1, density=0.1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def printed(script: str, *arguments: object, **environment: str) -> str:
    """Run a script in a fresh interpreter and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.fixture(scope="module", params=sorted(SITES))
def site(request: pytest.FixtureRequest) -> str:
    """Each site in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def small(site: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hospital of 25 stays."""
    folder = tmp_path_factory.mktemp("small") / "files"
    generate(folder, stays=25, seed=11, site=site)
    return folder


def test_the_same_seed_gives_the_same_rows(small: Path, site: str, tmp_path: Path) -> None:
    """Two hospitals of one seed are equal table by table."""
    generate(tmp_path / "again", stays=25, seed=11, site=site)
    assert table_hashes(tmp_path / "again") == table_hashes(small)


def test_another_seed_gives_other_rows(small: Path, site: str, tmp_path: Path) -> None:
    """Every table that has rows, but for the dictionaries, differs under another seed."""
    generate(tmp_path / "other", stays=25, seed=12, site=site)
    first, second = table_hashes(small), table_hashes(tmp_path / "other")
    same = {table for table in first if first[table] == second[table] and first[table]["rows"]}
    assert same <= SAME_IN_EVERY_HOSPITAL
    assert content_hash(tmp_path / "other") != content_hash(small)


def test_neighbouring_and_long_seeds_are_different_hospitals(tmp_path: Path) -> None:
    """A seed counts in all of its digits, also where it is longer than a machine's number."""
    seeds = [0, 2**32, 2**191 + 1, 2**191 + 2]
    hashes = set()
    for seed in seeds:
        generate(tmp_path / str(seed), stays=1, seed=seed, density=0.1)
        hashes.add(content_hash(tmp_path / str(seed)))
    assert len(hashes) == len(seeds)


def test_rows_do_not_hang_on_the_vector_units(site: str, tmp_path: Path) -> None:
    """The content is the same when NumPy may not use what this processor has."""
    usual = printed(HASHED, tmp_path / "usual", site)
    limits = {"NPY_DISABLE_CPU_FEATURES": " ".join(vector_units())}
    assert printed(HASHED, tmp_path / "plain", site, **limits) == usual


def test_no_stay_number_is_used_twice_across_blocks(tmp_path: Path) -> None:
    """A hospital of several blocks has unique identifiers and exactly the stays asked for."""
    generate(tmp_path / "big", stays=1001, seed=3, density=0.05)
    connection = view_tables(tmp_path / "big")
    for table, key in (
        ("icustays", "stay_id"),
        ("admissions", "hadm_id"),
        ("patients", "subject_id"),
        ("labevents", "labevent_id"),
        ("microbiologyevents", "microevent_id"),
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


@pytest.mark.parametrize("stays", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK * 3 // 2 + 1, 5000])
def test_blocks_add_up_and_stay_near_their_size(stays: int) -> None:
    """Blocks hold all stays, and none holds more than half as many again as the usual one."""
    sizes = _sizes(stays)
    assert sum(sizes) == stays
    assert max(sizes) <= BLOCK * 3 / 2


@pytest.mark.parametrize("stays", [1, 2, 3, 7])
def test_a_tiny_hospital_is_a_hospital(site: str, tmp_path: Path, stays: int) -> None:
    """A handful of stays can be asked for; every declared table can be read."""
    generate(tmp_path / "tiny", stays=stays, seed=5, site=site)
    connection = view_tables(tmp_path / "tiny")
    register = {"mimic": "icustays", "eicu": "patient"}[site]
    assert connection.execute(f"SELECT count(*) FROM {register}").fetchall() == [(stays,)]
    assert set(table_hashes(tmp_path / "tiny")) == set(declared_tables(SITES[site]().name))


def test_a_thin_hospital_has_the_same_patients_and_fewer_events(tmp_path: Path) -> None:
    """Density thins what is charted, roughly in proportion, and leaves the registers alone."""
    for density in (1.0, 0.2):
        generate(tmp_path / str(density), stays=25, seed=11, density=density)
    full, thin = table_hashes(tmp_path / "1.0"), table_hashes(tmp_path / "0.2")
    for table in ("mimiciv_hosp.patients", "mimiciv_hosp.admissions", "mimiciv_icu.icustays"):
        assert full[table] == thin[table]
    share = {name: int(str(thin[name]["rows"])) / int(str(full[name]["rows"])) for name in (
        "mimiciv_icu.chartevents", "mimiciv_hosp.labevents"
    )}  # fmt: skip
    assert all(0.1 < part < 0.45 for part in share.values()), share


def test_memory_follows_the_block_not_the_hospital(tmp_path: Path) -> None:
    """Five times as many stays take less than half as much memory again."""
    peaks = [int(printed(WEIGHED, tmp_path / str(n), n)) for n in (BLOCK, 5 * BLOCK)]
    assert peaks[1] < 1.5 * peaks[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"stays": 0},
        {"stays": -5},
        {"stays": MOST_STAYS + 1},
        {"seed": -1},
        {"density": 0.0},
        {"density": 1.01},
        {"density": float("nan")},
        {"site": "amsterdam"},
        {"workers": 0},
    ],
    ids=str,
)
def test_impossible_hospitals_are_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    """What cannot be made is bad input, and nothing is written."""
    asked: dict[str, object] = {"stays": 10, "seed": 1} | wrong
    with pytest.raises(InputError):
        generate(tmp_path / "none", **asked)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["thesis.txt", "hosp/thesis.txt", "icu/patients.parquet"])
def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, place: str) -> None:
    """A folder that holds something else, at any depth, is refused and keeps it."""
    precious = tmp_path / place
    precious.parent.mkdir(exist_ok=True)
    precious.write_text("months of work")
    with pytest.raises(InputError, match="holds other files"):
        generate(tmp_path, stays=2, seed=1)
    assert precious.read_text() == "months of work"


def test_tables_without_a_recipe_are_left_alone(tmp_path: Path, site: str) -> None:
    """Tables of the names of a release may be somebody's real ones, whatever else is called a recipe."""
    generate(tmp_path / "files", stays=1, seed=1, site=site, density=0.1)
    before = content_hash(tmp_path / "files")
    for recipe in (None, "{}"):
        if recipe is not None:
            (tmp_path / "files" / "hospital.json").write_text(recipe)
        with pytest.raises(InputError, match=r"no hospital\.json of a hospital like this"):
            generate(tmp_path / "files", stays=2, seed=1, site=site, density=0.1)
    assert content_hash(tmp_path / "files") == before


def test_a_hospital_replaces_an_earlier_one(small: Path, site: str, tmp_path: Path) -> None:
    """Generating over a synthetic folder leaves only the new hospital, and nothing beside it."""
    folder = tmp_path / "files"
    write_hospital(folder, stays=3, seed=1, site=site)
    generate(folder, stays=25, seed=11, site=site)
    assert content_hash(folder) == content_hash(small)
    assert [path.name for path in tmp_path.iterdir()] == ["files"]
