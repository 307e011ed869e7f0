# SPDX-License-Identifier: MIT
"""Stores built once a test session, whatever the number of workers."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _session_folder(factory: pytest.TempPathFactory, worker_id: str) -> Path:
    base = factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def built_store(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Callable[[str, Path, bool], Store]:
    """Return a function that imports a folder as a dataset and builds all it can, once a session."""
    root = _session_folder(tmp_path_factory, worker_id)

    def build(dataset: str, source: Path, allow_modified: bool) -> Store:
        store = Store(root / "store")
        with _exclusive(root / f"{dataset}.lock"):
            marker = root / f"{dataset}.built"
            if not marker.exists():
                import_dataset(store.dataset(dataset), source, allow_modified=allow_modified)
                if store.dataset(dataset).manifest().site != "eicu":  # has references alone
                    build_concepts(library(), store.dataset(dataset))
                build_references(library(), store.dataset(dataset))
                marker.touch()
        return store

    return build


@pytest.fixture(scope="session")
def conformance_store(built_store: Callable[[str, Path, bool], Store], shared: Path) -> Store:
    """A store with the invented conformance patients as `synthetic`, everything built."""
    return built_store("synthetic", shared / "conformance" / "mimic", False)


@pytest.fixture(scope="session")
def demo_store(built_store: Callable[[str, Path, bool], Store], shared: Path) -> Store:
    """A store with the open MIMIC-IV demo, everything built."""
    return built_store("mimic-iv-demo", shared / "data" / "mimic-iv-demo", True)


@pytest.fixture(scope="session")
def eicu_conformance_store(built_store: Callable[[str, Path, bool], Store], shared: Path) -> Store:
    """A store with the invented eICU patients as `synthetic-eicu`, every reference built."""
    return built_store("synthetic-eicu", shared / "conformance" / "eicu", False)


@pytest.fixture(scope="session")
def eicu_demo_store(
    built_store: Callable[[str, Path, bool], Store],
    shared: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Store:
    """A store with the open eICU demo, every reference built.

    The copy at hand lacks nurseCharting; its expected files stand on an empty table in the place, so one
    is written beside links to the others.
    """
    source = shared / "data" / "eicu-demo"
    assert not [file for file in source.iterdir() if file.name.lower().startswith("nursecharting")]
    folder = tmp_path_factory.mktemp("eicu-demo")
    for file in source.glob("*.csv.gz"):
        (folder / file.name).symlink_to(file)
    header = ",".join(declared_tables("eicu")["eicu_crd.nursecharting"].column_types)
    (folder / "nurseCharting.csv").write_text(f"{header}\n", encoding="utf-8")
    return built_store("eicu-demo", folder, True)
