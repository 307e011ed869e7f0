# SPDX-License-Identifier: MIT
"""The store: a folder of imported datasets and of what was derived from them. Knows paths, not contents."""

import re
from dataclasses import dataclass
from pathlib import Path

from m4bench.data.manifest import DatasetManifest
from m4bench.model.errors import InputError, MissingError
from m4bench.model.files import PRIVATE

MANIFEST = "manifest.json"
REFERENCES = ".references"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_PATTERN = re.compile(r"[*?\[\]]")


@dataclass(frozen=True)
class StoredDataset:
    """One dataset in the store.

    Layout: `source/<schema>/<table>.parquet`, `derived/<convention>/<concept>.parquet`,
    `presented/<schema variant>/<schema>/<table>.parquet`, `databases/…`, and the references of the
    dataset in a private root of their own.
    """

    store: Path
    name: str

    @property
    def root(self) -> Path:
        """The dataset's folder."""
        return self.store / self.name

    @property
    def manifest_path(self) -> Path:
        """The manifest of the imported source tables."""
        return self.root / "source" / MANIFEST

    def source(self, qualified: str) -> Path:
        """Return the Parquet file of the source table `schema.table`."""
        schema, table = qualified.split(".")
        return self.root / "source" / schema / f"{table}.parquet"

    def derived(self, convention: str) -> Path:
        """Return the folder of concepts under a convention."""
        return self.root / "derived" / convention

    def presented(self, variant: str) -> Path:
        """Return the folder of tables written once for an altered schema."""
        return self.root / "presented" / variant

    def databases(self, variant: str, drops: str, convention: str) -> Path:
        """Return the folder of task databases of a schema variant under a drop rule and a convention."""
        return self.root / "databases" / convention / variant / drops

    def references(self, convention: str) -> Path:
        """Return the private folder of hidden references under a convention."""
        return self.store / REFERENCES / self.name / convention

    def exists(self) -> bool:
        """Tell whether the dataset has been imported."""
        return self.manifest_path.is_file()

    def manifest(self) -> DatasetManifest:
        """Return the manifest.

        Raises:
            MissingError: the dataset has not been imported.
        """
        if not self.exists():
            raise MissingError(
                f"dataset {self.name} is not in the store {self.store}",
                remedy="make it with: m4bench data synth"
                if self.name == "synthetic"
                else f"import it with: m4bench data import {self.name} --from DIR",
            )
        return DatasetManifest.read(self.manifest_path)


@dataclass(frozen=True)
class Store:
    """The root of the store.

    Raises:
        InputError: the path holds a character the engine reads as a pattern of file names.
    """

    root: Path

    def __post_init__(self) -> None:
        if _PATTERN.search(str(self.root)):
            raise InputError(
                "a store's path may not hold any of * ? [ ]",
                file=self.root,
                remedy="choose another folder with --store",
            )

    def dataset(self, name: str) -> StoredDataset:
        """Return the place of a dataset, imported or not.

        Raises:
            InputError: the name is not one a dataset can have.
        """
        if not _NAME.fullmatch(name):
            raise InputError(
                f"no dataset can be called {name!r}",
                remedy="a name is made of lower-case letters, digits and hyphens",
            )
        return StoredDataset(self.root, name)

    def datasets(self) -> list[StoredDataset]:
        """Return the imported datasets, by name."""
        if not self.root.is_dir():
            return []
        found = [
            self.dataset(folder.name)
            for folder in sorted(self.root.iterdir())
            if folder.is_dir() and _NAME.fullmatch(folder.name)
        ]
        return [dataset for dataset in found if dataset.exists()]

    def private_references(self) -> Path:
        """Return the root of all hidden references, made with mode 0700 when missing."""
        folder = self.root / REFERENCES
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        folder.chmod(PRIVATE)
        return folder
