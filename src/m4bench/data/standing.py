# SPDX-License-Identifier: MIT
"""What the dataset in place says it was made of. Reads no table and no source file."""

from collections.abc import Mapping

from m4bench.data.catalogue import DatasetDeclaration
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError


def manifest_made_from(
    dataset: StoredDataset, declaration: DatasetDeclaration, given: Mapping[str, str]
) -> DatasetManifest | None:
    """Return the manifest in place when it says that it was made of these files under this catalogue.

    Args:
        dataset: the dataset in place, if there is one.
        declaration: what the catalogue declares now.
        given: the sha256 of the source file of each table `schema.table`.
    """
    if not dataset.exists():
        return None
    try:
        manifest = dataset.manifest()
    except InputError:
        return None
    recorded = {t.qualified: [file.sha256 for file in t.sources] for t in manifest.tables}
    if recorded != {name: [sha256] for name, sha256 in given.items()}:
        return None
    for entry in manifest.tables:
        types = declaration.tables[entry.qualified].column_types
        if any(types.get(c.name) != (c.type if c.declared else None) for c in entry.columns):
            return None
    return manifest
