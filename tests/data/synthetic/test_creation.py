# SPDX-License-Identifier: MIT
"""Making a hospital for a user: files in a folder, or a dataset of the store that says what it was made from."""

from pathlib import Path

import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.creation import store_hospital, write_hospital
from m4bench.data.synthetic.recipe import GENERATOR
from m4bench.model.errors import InputError


def test_the_same_hospital_is_not_imported_twice(tmp_path: Path) -> None:
    """Asked for again, the dataset in the store is left as it is; another is put in its place on demand alone."""
    store = Store(tmp_path)
    first = store_hospital(store, stays=6, seed=1)
    assert store_hospital(store, stays=6, seed=1).imported == first.imported
    with pytest.raises(InputError, match=r"6 stays, seed 1, .*--replace"):
        store_hospital(store, stays=6, seed=2)
    assert store.dataset("synthetic").manifest() == first
    other = store_hospital(store, stays=6, seed=2, replace_standing=True)
    assert other.content_hash() != first.content_hash()
    assert store.dataset("synthetic").manifest().content_hash() == other.content_hash()


def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    """A folder below a file is bad input that names the place."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_hospital(tmp_path / "file" / "hospital", stays=2)


def test_the_manifest_says_what_the_rows_were_made_from(tmp_path: Path) -> None:
    """Recipe, version of the generator and content hash stand in it, also when the files came first."""
    made = write_hospital(tmp_path / "files", stays=4, seed=9, density=0.5)
    assert (made.site, made.stays, made.seed, made.density) == ("mimic", 4, 9, 0.5)
    assert (made.sealed, made.generator) == (False, GENERATOR)
    store = Store(tmp_path / "store")
    assert import_dataset(store.dataset("synthetic"), tmp_path / "files").invented is None
    with pytest.raises(InputError, match="no recipe is known"):
        store_hospital(store, stays=4, seed=9, density=0.5)
    stored = store_hospital(store, stays=4, seed=9, density=0.5, replace_standing=True)
    assert stored.invented == made
    assert store.dataset("synthetic").manifest() == stored
    assert content_hash(store.dataset("synthetic")) == made.content


def test_nothing_is_left_beside_the_dataset(tmp_path: Path) -> None:
    """What a hospital is prepared in is gone when it stands."""
    store_hospital(Store(tmp_path / "store"), stays=2, seed=1, density=0.2)
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["synthetic"]
    assert {path.name for path in (tmp_path / "store" / "synthetic").iterdir()} == {
        ".import.lock",
        "source",
    }
