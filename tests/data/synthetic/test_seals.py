# SPDX-License-Identifier: MIT
"""A sealed seed: kept where no agent reads, bound by a commitment, told on demand, never lost in silence."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from m4bench.data.deletion import delete_dataset
from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import REFERENCES, Store
from m4bench.data.synthetic import creation
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.creation import store_hospital, write_hospital
from m4bench.data.synthetic.recipe import GENERATOR, Recipe
from m4bench.data.synthetic.seals import Seal, reveal
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError, MeasurementFailedError, MissingError

STAYS, DENSITY = 6, 0.2


@pytest.fixture(scope="module")
def sealed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a sealed hospital."""
    root = tmp_path_factory.mktemp("sealed") / "store"
    store_hospital(Store(root), stays=STAYS, density=DENSITY, sealed=True)
    return root


@pytest.fixture
def store(sealed_once: Path, tmp_path: Path) -> Store:
    """A copy of it that a test may change."""
    shutil.copytree(sealed_once, tmp_path / "store")
    return Store(tmp_path / "store")


def manifest(store: Store) -> DatasetManifest:
    return store.dataset("synthetic").manifest()


def seal_files(store: Store) -> list[Path]:
    return sorted((store.root / REFERENCES).rglob("seal-*"))


def spellings(seed: int) -> Iterator[bytes]:
    """Yield the forms in which a seed could lie in a file."""
    yield str(seed).encode()
    yield f"{seed:x}".encode()
    for order in ("little", "big"):
        yield seed.to_bytes(24, order)  # type: ignore[arg-type]


def test_the_seed_lies_in_one_private_file_alone(store: Store) -> None:
    """No file of the store but the seal holds the seed, and only its owner may read that."""
    seal = reveal(store.dataset("synthetic"))
    holding = [
        path
        for path in store.root.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in spellings(int(seal.seed)))
    ]
    assert holding == seal_files(store)
    assert len(holding) == 1
    assert holding[0].stat().st_mode & 0o777 == 0o600
    assert holding[0].parent.stat().st_mode & 0o777 == 0o700
    assert holding[0].parent.parent.stat().st_mode & 0o777 == 0o700


def test_a_private_seed_has_at_least_128_bits_and_is_not_drawn_twice(tmp_path: Path) -> None:
    """Two sealed hospitals have different long seeds."""
    seeds = []
    for name in ("a", "b"):
        store = Store(tmp_path / name)
        store_hospital(store, stays=1, density=DENSITY, sealed=True)
        seeds.append(int(reveal(store.dataset("synthetic")).seed))
    assert seeds[0] != seeds[1]
    assert min(seed.bit_length() for seed in seeds) >= 128


def test_the_manifest_commits_to_the_recipe_and_tells_no_seed(store: Store) -> None:
    """The commitment is the documented digest, computed here by hand."""
    invented = manifest(store).invented
    assert invented is not None
    assert invented.sealed
    assert invented.seed is None
    seed = reveal(store.dataset("synthetic")).seed
    text = (
        f'{{"density":{DENSITY},"generator":{GENERATOR},"seed":"{seed}",'
        f'"site":"mimic","stays":{STAYS}}}'
    )
    assert invented.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert invented.content == content_hash(store.dataset("synthetic"))


@pytest.mark.parametrize(
    "other",
    [
        Recipe("mimic", 10, 8, 0.5),
        Recipe("mimic", 11, 7, 0.5),
        Recipe("eicu", 10, 7, 0.5),
        Recipe("mimic", 10, 7, 0.25),
    ],
)
def test_a_commitment_binds_to_every_part(other: Recipe) -> None:
    """Another seed, size, site, density or version of the generator has another commitment."""
    recipe = Recipe("mimic", 10, 7, 0.5)
    assert other.commitment() != recipe.commitment()
    assert recipe.commitment(GENERATOR + 1) != recipe.commitment()


def test_the_revealed_seed_makes_the_hospital_again(store: Store, tmp_path: Path) -> None:
    """As files or in the store, the content is the same, and the sealed dataset stands as it was."""
    before, seed = manifest(store), int(reveal(store.dataset("synthetic")).seed)
    assert before.invented is not None
    made = write_hospital(tmp_path / "again", stays=STAYS, density=DENSITY, seed=seed)
    assert made.content == before.invented.content
    assert made.commitment == before.invented.commitment
    assert store_hospital(store, stays=STAYS, density=DENSITY, seed=seed) == before
    assert verify_dataset(store.dataset("synthetic")) == ()


def test_a_damaged_sealed_dataset_is_mended_by_its_own_seed(store: Store) -> None:
    """The same recipe may replace it, for nothing is lost."""
    seed = int(reveal(store.dataset("synthetic")).seed)
    store.dataset("synthetic").source("mimiciv_icu.icustays").write_bytes(b"rust")
    mended = store_hospital(store, stays=STAYS, density=DENSITY, seed=seed)
    assert verify_dataset(store.dataset("synthetic")) == ()
    assert mended.invented is not None
    assert mended.invented.content == content_hash(store.dataset("synthetic"))


def test_a_sealed_dataset_is_not_replaced(store: Store, tmp_path: Path) -> None:
    """Neither another hospital, nor another sealed one, nor files take its place, and its seal stays."""
    before, seals = manifest(store), seal_files(store)
    write_hospital(tmp_path / "files", stays=2, density=DENSITY)
    for replace in (
        lambda: store_hospital(store, stays=2, density=DENSITY),
        lambda: store_hospital(store, stays=STAYS, density=DENSITY, sealed=True),
        lambda: import_dataset(store.dataset("synthetic"), tmp_path / "files"),
    ):
        with pytest.raises(InputError, match=r"its seed would be lost.*data delete synthetic"):
            replace()
    assert manifest(store) == before
    assert seal_files(store) == seals
    assert verify_dataset(store.dataset("synthetic")) == ()


def test_deletion_makes_room_and_takes_the_seal_along(store: Store) -> None:
    """Once it is deleted, nothing of the seed is left and another hospital may come."""
    delete_dataset(store.dataset("synthetic"))
    assert seal_files(store) == []
    made = store_hospital(store, stays=1, density=DENSITY).invented
    assert made is not None
    assert not made.sealed


def test_a_sealed_hospital_that_fails_leaves_no_seal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the import is refused, the seal that was written before it goes again."""
    monkeypatch.setattr(creation, "IMPORT_MEMORY", "no limit at all")
    store = Store(tmp_path / "store")
    with pytest.raises(InputError, match="is not a memory limit"):
        store_hospital(store, stays=1, density=DENSITY, sealed=True)
    assert seal_files(store) == []
    assert not store.dataset("synthetic").exists()


def test_an_altered_seal_does_not_pass(store: Store) -> None:
    """A seed that does not fit the commitment is not told as if it did."""
    (file,) = seal_files(store)
    seal = json.loads(file.read_text())
    file.write_text(json.dumps(seal | {"seed": str(int(seal["seed"]) + 1)}))
    with pytest.raises(MeasurementFailedError, match="does not fit the commitment"):
        reveal(store.dataset("synthetic"))


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("commitment", "0" * 64),
        ("dataset", "synthetic-eicu"),
        ("numpy", "0.1"),
        ("generator", GENERATOR - 1),
        ("stays", STAYS + 1),
        ("density", DENSITY / 2),
        ("site", "eicu"),
    ],
)
def test_a_seal_is_held_against_the_manifest_in_every_part(
    store: Store, field: str, other: object
) -> None:
    """Whatever both say must be the same, also where the seed alone would fit."""
    (file,) = seal_files(store)
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: other}))
    with pytest.raises(MeasurementFailedError, match=f"its {field} is not that of the manifest"):
        reveal(store.dataset("synthetic"))


@pytest.mark.parametrize(
    "spelling",
    ["{} ", " {}", "0{}", "+{}", "-{}", "{}\n", "{}.0", "1_{}", "9" * 81, "", "0x1f", "\u0663"],
)
def test_a_seed_has_one_spelling(store: Store, spelling: str) -> None:
    """Digits with anything around them are refused in one line that does not tell them."""
    (file,) = seal_files(store)
    seal = json.loads(file.read_text())
    file.write_text(json.dumps(seal | {"seed": spelling.format(seal["seed"])}))
    with pytest.raises(InputError, match="column seed") as told:
        reveal(store.dataset("synthetic"))
    assert seal["seed"] not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("field", "other"), [("stays", 0), ("site", "moon"), ("density", 1e-320)])
def test_a_seal_of_no_possible_hospital_is_refused(store: Store, field: str, other: object) -> None:
    """A recipe out of its range ends in one line that names the file."""
    (file,) = seal_files(store)
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: other}))
    with pytest.raises(InputError, match=file.name):
        reveal(store.dataset("synthetic"))


def test_a_seal_that_is_gone_is_missed(store: Store) -> None:
    """The line says where it should be."""
    (file,) = seal_files(store)
    file.unlink()
    with pytest.raises(MissingError, match=file.name):
        reveal(store.dataset("synthetic"))


def test_what_is_not_sealed_is_not_revealed(tmp_path: Path) -> None:
    """An open hospital has its seed in the manifest; an unknown one has none; a missing one is missing."""
    store = Store(tmp_path / "store")
    with pytest.raises(MissingError, match="m4bench data synth"):
        reveal(store.dataset("synthetic"))
    made = store_hospital(store, stays=1, density=DENSITY, seed=77)
    assert made.invented is not None
    assert made.invented.seed == 77
    with pytest.raises(InputError, match="its seed stands in its manifest"):
        reveal(store.dataset("synthetic"))


def test_a_seal_and_a_seed_exclude_each_other(tmp_path: Path) -> None:
    """A sealed hospital cannot be asked for with a seed that somebody knows."""
    with pytest.raises(InputError, match="draws its own seed"):
        store_hospital(Store(tmp_path / "store"), stays=1, seed=1, sealed=True)
    assert list(tmp_path.iterdir()) == []


def test_a_seal_is_read_as_it_was_written(store: Store) -> None:
    """The document keeps a seed longer than a number of JavaScript."""
    (file,) = seal_files(store)
    assert Seal.read(file).recipe() == Recipe(
        "mimic", STAYS, int(json.loads(file.read_text())["seed"]), DENSITY
    )
