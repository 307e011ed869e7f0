# SPDX-License-Identifier: MIT
import os
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.deletion import delete_dataset
from m4bench.data.importer import import_dataset
from m4bench.data.inventory import take_inventory
from m4bench.data.store import Store, StoredDataset
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError, MissingError
from tests.data.folders import dataset_in, small_hospital

KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from m4bench.data.deletion import delete_dataset
from m4bench.data.store import Store

calls = []

def dying(*arguments, **words):
    calls.append(arguments)
    if len(calls) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **words)

owner, name = (Path, "rename") if sys.argv[3] == "rename" else (shutil, "rmtree")
real = getattr(owner, name)
setattr(owner, name, dying)
delete_dataset(Store(Path(sys.argv[1])).dataset("synthetic"))
"""


def imported(folder: Path) -> StoredDataset:
    dataset = dataset_in(folder)
    import_dataset(dataset, small_hospital(folder / "from"))
    references = dataset.references("published")
    references.mkdir(parents=True)
    (references / "key.parquet").write_bytes(b"rows")
    dataset.derived("published").mkdir(parents=True)
    return dataset


def rows_in(store: Path) -> list[str]:
    return [str(path.relative_to(store)) for path in store.rglob("*.parquet")]


def test_deleting_removes_the_dataset_and_its_references_and_nothing_else(tmp_path: Path) -> None:
    """The dataset, what was made from it and its references go; another dataset stays."""
    dataset = imported(tmp_path)
    other = dataset_in(tmp_path, "mimic-iv")
    import_dataset(other, tmp_path / "from")
    other.references("published").mkdir(parents=True)
    delete_dataset(dataset)
    assert not dataset.root.exists()
    assert not dataset.references("published").parent.exists()
    assert verify_dataset(other) == ()
    assert other.references("published").is_dir()
    with pytest.raises(MissingError, match="data list"):
        delete_dataset(dataset)
    with pytest.raises(MissingError, match="m4bench data synth"):
        verify_dataset(dataset)


@pytest.mark.parametrize("name", [".references", "../outside", "x/../../outside", "..", ".", ""])
def test_only_a_dataset_is_deleted(tmp_path: Path, name: str) -> None:
    """A name that leads elsewhere deletes nothing."""
    imported(tmp_path)
    (tmp_path / "outside").mkdir()
    with pytest.raises(MissingError):
        delete_dataset(StoredDataset(tmp_path / "store", name))
    assert (tmp_path / "outside").is_dir()
    assert (tmp_path / "store" / ".references").is_dir()
    assert dataset_in(tmp_path).exists()


KILLS = [("rename", 1), ("rename", 2), ("rmtree", 1), ("rmtree", 2)]


@pytest.mark.parametrize(("step", "time"), KILLS)
def test_a_deletion_killed_at_any_step_is_told_and_finished(
    tmp_path: Path, step: str, time: int
) -> None:
    """What a killed deletion leaves is listed, and the next deletion leaves no row of it."""
    dataset = imported(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(dataset.store), str(time), step], check=False
    )
    assert done.returncode == -9
    assert rows_in(dataset.store)
    inventory = take_inventory(Store(dataset.store))
    if (step, time) != ("rename", 1):
        assert inventory.holdings == ()
        assert any("m4bench data delete synthetic" in line for line in inventory.remains)
        with pytest.raises(MissingError, match="m4bench data delete synthetic"):
            verify_dataset(dataset)
    assert delete_dataset(dataset)
    assert rows_in(dataset.store) == []
    assert take_inventory(Store(dataset.store)).remains == ()
    with pytest.raises(MissingError, match="data list"):
        delete_dataset(dataset)


def test_an_import_finishes_a_deletion_cut_short(tmp_path: Path) -> None:
    """Importing the dataset anew removes what the killed deletion left, and no other dataset's rows."""
    dataset = imported(tmp_path)
    kept = dataset.store / ".partial-deleted-mimic-iv"
    kept.mkdir()
    subprocess.run([sys.executable, "-c", KILLED, str(dataset.store), "1", "rmtree"], check=False)
    import_dataset(dataset, tmp_path / "from")
    assert [path.name for path in dataset.store.glob(".partial-*")] == [kept.name]
    assert not list((dataset.store / ".references").iterdir())
    assert verify_dataset(dataset) == ()


def test_what_an_import_cut_short_left_is_told_and_removed(tmp_path: Path) -> None:
    """Rows of an import that never ended are named by the inventory and removed by a deletion."""
    dataset = dataset_in(tmp_path)
    source = small_hospital(tmp_path / "from")
    (source / "hosp/diagnoses_icd.csv").write_text("subject_id\n1\n")
    with pytest.raises(InputError):
        import_dataset(dataset, source)
    [line] = take_inventory(Store(dataset.store)).remains
    assert line.startswith("synthetic is not a whole dataset")
    delete_dataset(dataset)
    assert rows_in(dataset.store) == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A dataset that is a symbolic link stays, and the line names the folder that holds the rows."""
    dataset = imported(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    dataset.root.rename(elsewhere)
    dataset.root.symlink_to(elsewhere)
    with pytest.raises(InputError, match=f"symbolic link to {elsewhere}"):
        delete_dataset(dataset)
    assert verify_dataset(dataset) == ()
    assert dataset.references("published").is_dir()


@pytest.mark.sandbox
def test_a_store_that_is_read_only_is_one_line(tmp_path: Path) -> None:
    """Where the store cannot be written, the deletion is refused in one line, and nothing is gone."""
    dataset = imported(tmp_path)
    script = (
        "import sys; from pathlib import Path\n"
        "from m4bench.data.deletion import delete_dataset\n"
        "from m4bench.data.publication import reading\n"
        "from m4bench.data.store import Store\n"
        "from m4bench.data.verification import verify_dataset\n"
        "from m4bench.model.errors import InputError\n"
        "dataset = Store(Path(sys.argv[1])).dataset('synthetic')\n"
        "with reading(dataset.root): print(verify_dataset(dataset))\n"
        "try: delete_dataset(dataset)\n"
        "except InputError as error: print(error)\n"
    )
    said = subprocess.run(
        [
            *("bwrap", "--dev-bind", "/", "/", "--ro-bind", str(dataset.store), str(dataset.store)),
            *(sys.executable, "-c", script, str(dataset.store)),
        ],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    ).stdout.splitlines()
    assert said[0] == "()"
    assert said[1].startswith(f"{dataset.root}")
    assert "cannot be read or written (Read-only file system); check" in said[1]
    assert verify_dataset(dataset) == ()
