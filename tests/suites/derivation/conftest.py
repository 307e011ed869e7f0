# SPDX-License-Identifier: MIT
"""Stores built once a test session, whatever the number of workers."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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
