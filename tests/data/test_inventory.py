# SPDX-License-Identifier: MIT
from pathlib import Path

from m4bench.data.importer import import_dataset
from m4bench.data.inventory import take_inventory
from m4bench.data.store import Store
from tests.data.folders import dataset_in, small_hospital


def test_a_store_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    """Where there is no store there is no dataset, and none is made."""
    inventory = take_inventory(Store(tmp_path / "store"))
    assert (inventory.holdings, inventory.remains) == ((), ())
    assert list(tmp_path.iterdir()) == []


def test_folders_that_can_be_no_dataset_are_passed_over(tmp_path: Path) -> None:
    """A folder under a name no dataset can have, and a file, are not told of."""
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, small_hospital(tmp_path / "from"))
    (dataset.store / "lost+found").mkdir()
    (dataset.store / "notes.txt").write_text("x")
    inventory = take_inventory(Store(dataset.store))
    assert [holding.name for holding in inventory.holdings] == ["synthetic"]
    assert inventory.remains == ()


def test_references_without_their_dataset_are_told(tmp_path: Path) -> None:
    """Hidden references whose dataset is gone are named with the command that removes them."""
    dataset_in(tmp_path, "mimic-iv").references("published").mkdir(parents=True)
    [line] = take_inventory(Store(tmp_path / "store")).remains
    assert "m4bench data delete mimic-iv" in line


def test_a_broken_manifest_does_not_hide_the_other_datasets(tmp_path: Path) -> None:
    """Each dataset is held for itself; the broken one has its problem in place of a manifest."""
    source = small_hospital(tmp_path / "from")
    for name in ("synthetic", "mimic-iv"):
        import_dataset(dataset_in(tmp_path, name), source, allow_modified=True)
    dataset_in(tmp_path, "mimic-iv").manifest_path.write_text("{}")
    broken, whole = take_inventory(Store(tmp_path / "store")).holdings
    assert (broken.name, broken.manifest) == ("mimic-iv", None)
    assert "Field required" in (broken.problem or "")
    assert (whole.name, whole.problem) == ("synthetic", None)
