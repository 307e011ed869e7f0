# SPDX-License-Identifier: MIT
"""Rows count as invented where that is proven: by their recipe, and by identifiers no real release holds."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.creation import store_hospital, write_hospital
from m4bench.data.synthetic.proof import import_invented
from m4bench.data.synthetic.recipe import DATASETS
from m4bench.data.synthetic.recipe_file import RECIPE_FILE
from m4bench.model.errors import InputError

DATASET_OF = pytest.mark.parametrize("site", ["mimic", "eicu"])
REAL_SUBJECT, REAL_UNIT_STAY = 10_000_032, 141_168
"""The lowest identifiers of the released databases, as their documentation shows them."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of a small hospital of each site, `mimic` and `eicu`."""
    root = tmp_path_factory.mktemp("hospitals")
    for site in DATASETS:
        write_hospital(root / site, stays=5, density=0.2, site=site)
    return root


@pytest.fixture
def files(written: Path, tmp_path: Path) -> Path:
    """A copy of them that a test may spoil."""
    return shutil.copytree(written, tmp_path / "files")


def place(folder: Path, site: str = "mimic") -> StoredDataset:
    return Store(folder / "store").dataset(DATASETS[site])


def spoil(file: Path, column: str, value: int | str) -> None:
    """Write a value into the first row of a column."""
    table = pq.read_table(file)
    at = table.schema.get_field_index(column)
    first = pa.array([row == 0 for row in range(len(table))])
    changed = pc.if_else(first, pa.scalar(value, table.schema.field(at).type), table[column])
    pq.write_table(table.set_column(at, table.schema.field(at), changed), file)


def forge(folder: Path) -> None:
    """Make the recipe fit the rows that are there."""
    recipe = json.loads((folder / RECIPE_FILE).read_text())
    recipe["content"] = content_hash(folder)
    (folder / RECIPE_FILE).write_text(json.dumps(recipe))


def nothing_stored(folder: Path) -> bool:
    store = folder / "store"
    return not store.exists() or not list(store.iterdir())


@DATASET_OF
def test_a_hospital_with_its_recipe_is_invented(files: Path, tmp_path: Path, site: str) -> None:
    """What a folder's recipe says stands in the manifest, and others may read the dataset."""
    manifest = import_invented(place(tmp_path, site), files / site)
    assert manifest.invented is not None
    recipe = json.loads((files / site / RECIPE_FILE).read_text())
    assert recipe == {"format_version": 1} | manifest.invented.model_dump(mode="json")
    assert manifest.kept_as == "synthetic"
    assert (
        place(tmp_path, site).root.stat().st_mode & 0o777
        == place(tmp_path).store.stat().st_mode & 0o777
    )


@DATASET_OF
def test_without_a_recipe_nothing_is_taken(files: Path, tmp_path: Path, site: str) -> None:
    """Any folder could hold real rows; the refusal says under which names these are imported."""
    (files / site / RECIPE_FILE).unlink()
    names = {"mimic": "mimic-iv or mimic-iv-demo", "eicu": "eicu or eicu-demo"}[site]
    with pytest.raises(InputError, match=names):
        import_invented(place(tmp_path, site), files / site)
    assert nothing_stored(tmp_path)


def test_other_rows_than_the_recipes_are_not_taken(files: Path, tmp_path: Path) -> None:
    """One changed value is another hospital."""
    spoil(files / "mimic" / "icu" / "icustays.parquet", "first_careunit", "Elsewhere")
    with pytest.raises(InputError, match="not those of this recipe"):
        import_invented(place(tmp_path), files / "mimic")
    assert nothing_stored(tmp_path)


@pytest.mark.parametrize(
    ("site", "table", "column", "value"),
    [
        ("mimic", "hosp/patients", "subject_id", REAL_SUBJECT),
        ("mimic", "icu/chartevents", "hadm_id", 20_000_019),
        ("mimic", "icu/icustays", "stay_id", 30_000_153),
        ("eicu", "vitalPeriodic", "patientunitstayid", REAL_UNIT_STAY),
        ("eicu", "patient", "patienthealthsystemstayid", 128_919),
        ("eicu", "patient", "uniquepid", "002-1039"),
    ],
)
def test_a_forged_recipe_makes_no_row_invented(
    files: Path, tmp_path: Path, site: str, table: str, column: str, value: int | str
) -> None:
    """One identifier in a real release's range is named by file and column, and nothing is stored."""
    file = next(
        f
        for f in files.rglob("*.parquet")
        if str(f.with_suffix("")).lower().endswith(f"{site}/{table}".lower())
    )
    spoil(file, column, value)
    forge(files / site)
    with pytest.raises(InputError, match=f"column {column}: holds identifiers") as refused:
        import_invented(place(tmp_path, site), files / site)
    assert str(file) in str(refused.value)
    assert str(value) not in str(refused.value)
    assert nothing_stored(tmp_path)


def test_a_refused_hospital_leaves_the_one_in_place(files: Path, tmp_path: Path) -> None:
    """The dataset that stands is not touched by rows that are not taken."""
    standing = store_hospital(Store(tmp_path / "store"), stays=2, density=0.2)
    spoil(files / "mimic" / "hosp" / "patients.parquet", "subject_id", REAL_SUBJECT)
    forge(files / "mimic")
    with pytest.raises(InputError, match="subject_id"):
        import_invented(place(tmp_path), files / "mimic")
    assert place(tmp_path).manifest() == standing
    assert not list(place(tmp_path).root.glob(".partial*"))


@pytest.mark.parametrize("change", [{"seed": 1}, {"stays": 6}, {"site": "eicu"}])
def test_a_recipe_that_contradicts_itself_is_refused(
    files: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    """Seed, stays and site are bound by the commitment."""
    recipe = json.loads((files / "mimic" / RECIPE_FILE).read_text())
    (files / "mimic" / RECIPE_FILE).write_text(json.dumps(recipe | change))
    with pytest.raises(InputError, match=RECIPE_FILE):
        import_invented(place(tmp_path), files / "mimic")
    assert nothing_stored(tmp_path)


def test_rows_of_unknown_origin_are_kept_like_real_ones(files: Path, tmp_path: Path) -> None:
    """An import without proof stays private and counts as credentialed, until the proof is brought."""
    manifest = import_dataset(place(tmp_path), files / "mimic")
    assert manifest.invented is None
    assert (manifest.access, manifest.kept_as) == ("synthetic", "credentialed")
    assert place(tmp_path).root.stat().st_mode & 0o777 == 0o700
    proven = import_invented(place(tmp_path), files / "mimic")
    assert proven.imported == manifest.imported
    assert proven.kept_as == "synthetic"
    assert place(tmp_path).manifest() == proven


def test_a_folder_with_a_recipe_is_written_again(files: Path) -> None:
    """The recipe is the generator's own, so that the folder can be replaced."""
    again = write_hospital(files / "mimic", stays=3, density=0.2)
    assert json.loads((files / "mimic" / RECIPE_FILE).read_text())["stays"] == again.stays
