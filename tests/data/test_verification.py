# SPDX-License-Identifier: MIT
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest
from m4bench.data.progress import SilentProgress
from m4bench.data.store import StoredDataset
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError
from tests.data.folders import dataset_in, small_hospital

TABLE = "mimiciv_hosp.diagnoses_icd"


def imported(folder: Path) -> StoredDataset:
    dataset = dataset_in(folder)
    import_dataset(dataset, small_hospital(folder / "from"))
    return dataset


def test_a_dataset_as_imported_holds(tmp_path: Path) -> None:
    """Nothing is found where nothing was touched."""
    assert verify_dataset(imported(tmp_path)) == ()


def drop_a_row(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path)


def retype(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, "subject_id", table["subject_id"].cast(pa.int64())), path)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (Path.unlink, ["the file is missing"]),
        (lambda p: p.write_bytes(p.read_bytes()[:100]), ["sha256", "not readable Parquet"]),
        (drop_a_row, ["sha256", "3 rows are recorded, 2 found"]),
        (retype, ["sha256", "columns or their types"]),
    ],
    ids=["missing", "truncated", "row-lost", "retyped"],
)
def test_what_differs_from_the_manifest_is_found(
    tmp_path: Path, spoil: Callable[[Path], object], words: list[str]
) -> None:
    """A table that is gone, damaged, shortened or retyped is found, by table."""
    dataset = imported(tmp_path)
    spoil(dataset.source(TABLE))
    findings = verify_dataset(dataset)
    assert len(findings) == len(words)
    for finding, word in zip(findings, words, strict=True):
        assert finding.startswith(f"{TABLE}: ")
        assert word in finding


class Importing(SilentProgress):
    """Imports other rows as soon as a table has been verified."""

    def __init__(self, dataset: StoredDataset, source: Path) -> None:
        self.dataset, self.source = dataset, source

    def advanced(self, done: int) -> None:
        """Import, once."""
        services = self.source / "hosp" / "services.csv"
        if services.exists():
            services.unlink()
            import_dataset(self.dataset, self.source)


def test_an_import_during_a_verification_is_not_taken_for_damage(tmp_path: Path) -> None:
    """Tables that another import took away are no finding: the line says to verify again."""
    dataset = imported(tmp_path)
    with pytest.raises(InputError, match="imported again or deleted while it was verified"):
        verify_dataset(dataset, Importing(dataset, tmp_path / "from"))
    assert verify_dataset(dataset) == ()


def test_a_count_that_the_manifest_has_wrong_is_found(tmp_path: Path) -> None:
    """Rows are counted again, not believed."""
    dataset = imported(tmp_path)
    manifest = dataset.manifest()
    tables = tuple(t.model_copy(update={"rows": t.rows + 1}) for t in manifest.tables)
    DatasetManifest(**(manifest.model_dump() | {"tables": tables})).write(dataset.manifest_path)
    assert len(verify_dataset(dataset)) == 3


def test_a_table_the_manifest_does_not_know_is_found(tmp_path: Path) -> None:
    """A Parquet file that was put beside the tables is found."""
    dataset = imported(tmp_path)
    stray = dataset.source("mimiciv_hosp.patients")
    stray.write_bytes(dataset.source(TABLE).read_bytes())
    assert verify_dataset(dataset) == (
        "source/mimiciv_hosp/patients.parquet: is not in the manifest",
    )
