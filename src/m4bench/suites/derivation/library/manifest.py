# SPDX-License-Identifier: MIT
"""What is known of a built derivation: what it was made from, by hash, and what came out."""

from pathlib import Path

from pydantic import Field

from m4bench.data.store import MANIFEST
from m4bench.model.hashing import sha256_record
from m4bench.model.record import Document, Record
from m4bench.model.task import Convention

DERIVED_FORMAT = 1


class Made(Record):
    """What a derivation is made from; equal values give equal rows."""

    name: str
    convention: Convention
    sql: str
    columns: tuple[tuple[str, str], ...]
    inputs: dict[str, str]
    engine: str

    def digest(self) -> str:
        """Return the identity of the result."""
        return sha256_record(self.model_dump(mode="json"))

    def same_rows(self, other: "Made") -> bool:
        """Tell whether another derivation was made from the same, whatever its convention is called."""
        return self.model_copy(update={"convention": other.convention}) == other


class DerivedEntry(Record):
    """A built derivation; `repeated_keys` counts rows beyond the first of a declared key.

    `absent` names the source tables, through its lineage, of which the dataset had no rows to give.
    """

    name: str
    made: Made
    identity: str
    file: str
    rows: int
    bytes: int
    sha256: str
    repeated_keys: int
    seconds: float
    absent: tuple[str, ...] = ()


class ReferenceEntry(DerivedEntry):
    """A built reference; its file holds `honeytokens` (keys that cannot exist) and a watermark."""

    key: tuple[str, ...]
    honeytokens: tuple[tuple[str, ...], ...]
    watermark: str
    lineage: dict[str, Convention]


class DerivedManifest(Document):
    """All built concepts of a dataset under a convention."""

    format_version: int = DERIVED_FORMAT
    dataset: str
    convention: Convention
    entries: dict[str, DerivedEntry] = Field(default_factory=dict)


class ReferenceManifest(Document):
    """All built references of a dataset under a convention."""

    format_version: int = DERIVED_FORMAT
    dataset: str
    convention: Convention
    entries: dict[str, ReferenceEntry] = Field(default_factory=dict)


def read_concepts(folder: Path, dataset: str, convention: Convention) -> DerivedManifest:
    """Return the manifest of a folder of concepts, empty when there is none."""
    path = folder / MANIFEST
    if path.is_file():
        return DerivedManifest.read(path)
    return DerivedManifest(dataset=dataset, convention=convention)


def read_references(folder: Path, dataset: str, convention: Convention) -> ReferenceManifest:
    """Return the manifest of a folder of references, empty when there is none."""
    path = folder / MANIFEST
    if path.is_file():
        return ReferenceManifest.read(path)
    return ReferenceManifest(dataset=dataset, convention=convention)
