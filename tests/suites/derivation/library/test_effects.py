# SPDX-License-Identifier: MIT
"""What conventions move is counted as a plain comparison of the rows counts it."""

from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.effects import effects
from m4bench.suites.derivation.library.manifest import read_references
from tests.suites.derivation.conformance import Row, built_rows, same

NAMES = (
    "charlson",
    "gcs-24h",
    "kdigo-48h",
    "sepsis3",
    "sofa-24h",
    "suspicion-infection",
    "ventilation",
)


@pytest.fixture(scope="session")
def compared_store(conformance_store: Store) -> Store:
    """Build some references of the invented patients under every convention."""
    for convention in ("published", "current", "adjudicated"):
        build_references(
            library(), conformance_store.dataset("synthetic"), NAMES, convention=convention
        )  # type: ignore[arg-type]
    return conformance_store


def rows_of(store: Store, convention: str, name: str) -> dict[tuple[str | None, ...], Row]:
    """Return the honest rows of a reference by key."""
    folder = store.dataset("synthetic").references(convention)
    entry = read_references(folder, "synthetic", convention).entries[name]  # type: ignore[arg-type]
    tokens = {tuple(key) for key in entry.honeytokens}
    rows = built_rows(folder / entry.file)
    return {key: row for row in rows if (key := tuple(row[k] for k in entry.key)) not in tokens}


@pytest.mark.parametrize("name", NAMES)
def test_moved_rows_are_those_that_differ(name: str, compared_store: Store) -> None:
    """Rows of one side only and rows with another value count, each once."""
    found = effects(library(), compared_store.dataset("synthetic"), [name], "invented")
    types = {c.name: c.type for c in library().references[name].header.columns}
    published = rows_of(compared_store, "published", name)
    assert found.references[name].rows == len(published)
    for convention in ("current", "adjudicated"):
        other = rows_of(compared_store, convention, name)
        moved = [
            key
            for key in {*published, *other}
            if key not in published
            or key not in other
            or any(not same(other[key][n], published[key][n], kind) for n, kind in types.items())
        ]
        told = found.references[name].moved[convention]  # type: ignore[index]
        assert (told.rows, told.only_published, told.only_here) == (
            len(moved),
            len(set(published) - set(other)),
            len(set(other) - set(published)),
        )


def test_cohorts_and_deaths_are_counted(compared_store: Store, shared: Path) -> None:
    """Sepsis, AKI and the stays of every band of a score add up to what the references hold."""
    found = effects(library(), compared_store.dataset("synthetic"), NAMES, "invented")
    cohorts, deaths = found.tables
    sepsis = [
        len(rows_of(compared_store, c, "sepsis3")) for c in ("published", "current", "adjudicated")
    ]
    assert [int(cell.replace(",", "")) for cell in cohorts.rows[0][1:]] == sepsis
    bands = [row for row in deaths.rows if row[0] == "sofa-24h"]
    for place, convention in enumerate(("published", "current", "adjudicated"), start=2):
        stays = sum(int(row[place].split(" of ")[1].replace(",", "")) for row in bands)
        assert stays == len(rows_of(compared_store, convention, "sofa-24h"))
