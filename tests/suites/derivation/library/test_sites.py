# SPDX-License-Identifier: MIT
"""A derivation belongs to the hospital database it rests on, and a dataset has those of its site alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.build import (
    BuildReport,
    build_concepts,
    build_references,
)
from m4bench.suites.derivation.library.catalogue import library, read_library
from m4bench.suites.derivation.library.export import export_references
from m4bench.suites.derivation.library.sites import serves, site_of
from tests.suites.derivation.library.toy import derivation, toy_dataset, toy_library

EICU = ["eicu-apache-groups", "eicu-gcs", "eicu-oasis"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with a small hospital of either site, nothing built."""
    store = Store(tmp_path_factory.mktemp("sites") / "store")
    for site in ("mimic", "eicu"):
        store_hospital(store, stays=5, density=0.2, site=site)
    return store


def test_what_rests_on_eicu_is_named_after_it() -> None:
    """Three references rest on eICU, every other derivation on MIMIC-IV."""
    names = [*library().concepts, *library().references]
    of_eicu = {name for name in names if site_of(library(), name) == "eicu"}
    assert sorted(of_eicu) == EICU
    assert {site_of(library(), name) for name in set(names) - of_eicu} == {"mimic-iv"}


def test_tables_of_no_declared_site_serve_any_dataset(tmp_path: Path) -> None:
    """A library of one's own may rest on schemas the catalogue does not know."""
    toy = toy_library(tmp_path / "lib")
    assert site_of(toy, "answer") is None
    assert serves(toy, "answer", "eicu")
    assert list(build_references(toy, toy_dataset(tmp_path / "store")).built)


def test_a_derivation_of_two_sites_is_an_error(tmp_path: Path) -> None:
    """No dataset could serve it."""
    toy_library(tmp_path / "lib")
    sql = "SELECT a.stay_id, 1 AS value FROM mimiciv_icu.icustays AS a CROSS JOIN eicu_crd.patient AS b"
    file = tmp_path / "lib" / "references" / "both.sql"
    file.write_text(
        derivation("both", sql, "mimiciv_icu.icustays, eicu_crd.patient", kind="reference")
    )
    with pytest.raises(InputError, match=r"more than one .*: eicu_crd, mimiciv_icu"):
        site_of(read_library(tmp_path / "lib"), "both")


def test_an_eicu_dataset_builds_and_exports_its_references_alone(
    store: Store, tmp_path: Path
) -> None:
    """Those of the other site are not even left out."""
    dataset = store.dataset("synthetic-eicu")
    report = build_references(library(), dataset)
    assert sorted({**report.built, **report.reused}) == [f"reference {name}" for name in EICU]
    assert report.left_out == {}
    files = export_references(library(), dataset, None, tmp_path / "out", "csv", "published")
    assert [file.stem for file in files] == EICU
    header, *rows = files[0].read_text().splitlines()
    assert header.startswith("patientunitstayid,uniquepid,")
    assert len(rows) == 5


@pytest.mark.parametrize(
    ("build", "dataset", "names", "said"),
    [
        (build_concepts, "synthetic-eicu", None, ("no concept is specified, only references",)),
        (
            build_concepts,
            "synthetic-eicu",
            ["sofa"],
            ("sofa is derived from mimic-iv", "like eicu"),
        ),
        (build_references, "synthetic-eicu", ["sofa-24h"], ("sofa-24h is derived from mimic-iv",)),
        (build_references, "synthetic", ["eicu-gcs"], ("is derived from eicu", "like mimic-iv")),
    ],
)
def test_what_a_site_cannot_have_is_refused_in_one_line(
    store: Store,
    build: Callable[..., BuildReport],
    dataset: str,
    names: list[str] | None,
    said: tuple[str, ...],
) -> None:
    """The line names both sites, and what can be built where there is something."""
    with pytest.raises(InputError) as caught:
        build(library(), store.dataset(dataset), names)
    assert all(part in str(caught.value) for part in said)
    assert "\n" not in str(caught.value)


def test_the_list_of_references_tells_the_site() -> None:
    """On the command line a reference stands with the site it rests on."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "references", "list", "--json"],
        capture_output=True, text=True, check=True, env=dict(os.environ),
    )  # fmt: skip
    told = {each["name"]: each["site"] for each in json.loads(done.stdout)}
    assert {name: told[name] for name in ("eicu-oasis", "oasis-24h")} == {
        "eicu-oasis": "eicu",
        "oasis-24h": "mimic-iv",
    }
