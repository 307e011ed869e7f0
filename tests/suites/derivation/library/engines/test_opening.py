# SPDX-License-Identifier: MIT
"""Options of engines: the one that is meant is opened, and an option of another is refused."""

from pathlib import Path

import pytest

from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.creation import store_hospital
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import Library, library
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.engines.opening import (
    EngineOptions,
    build_with,
    existing_schemas,
    require_read,
)
from tests.suites.derivation.library.toy import toy_dataset, toy_library

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"
"""A server that is not there: what is refused first is told in other words."""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "oracle"}, "no engine is called oracle"),
        ({"url": "postgresql://a/b"}, "--url is an option of --engine postgres"),
        ({"engine": "spark", "source_schema": ("hosp",)}, "--source-schema is an option of"),
        ({"engine": "postgres", "master": "local[*]"}, "--master is an option of --engine spark"),
    ],
)
def test_options_of_another_engine_are_refused(options: dict[str, object], said: str) -> None:
    """An option that the named engine would not look at is an error."""
    with pytest.raises(InputError, match=said):
        EngineOptions.model_validate(options).is_warehouse  # noqa: B018 # asking is what refuses


@pytest.mark.parametrize(
    ("options", "is_warehouse"),
    [({}, False), ({"engine": "postgres", "url": "x"}, True), ({"engine": "spark"}, True)],
)
def test_duckdb_is_no_warehouse(options: dict[str, object], is_warehouse: bool) -> None:
    """DuckDB builds in the store itself."""
    assert EngineOptions.model_validate(options).is_warehouse is is_warehouse


def test_schemas_have_their_own_name_or_another() -> None:
    """A schema of source tables is said as it is, or with the name it has in the database."""
    assert existing_schemas(["mimiciv_icu", "mimiciv_hosp=hosp"]) == {
        "mimiciv_icu": "mimiciv_icu",
        "mimiciv_hosp": "hosp",
    }


@pytest.mark.parametrize("said", ["", "=hosp", "mimiciv_hosp=", "mimiciv_hosp.patients"])
def test_a_schema_without_a_name_is_refused(said: str) -> None:
    """What names no schema is an error that shows it."""
    with pytest.raises(InputError, match="names no schema"):
        existing_schemas([said])


def test_a_schema_is_said_once() -> None:
    """Two names for one schema are an error."""
    with pytest.raises(InputError, match="toy_icu more than once"):
        existing_schemas(["toy_icu=one", "toy_icu=two"])


def built(options: EngineOptions, said: Library, dataset: StoredDataset, *names: str) -> None:
    """Build all concepts, or those named."""
    limits = EngineLimits(memory="1GB", threads=1)
    build_with(options, said, dataset, names or None, convention="published", limits=limits)


@pytest.fixture(scope="module")
def eicu(tmp_path_factory: pytest.TempPathFactory) -> StoredDataset:
    """A small invented hospital of eICU's shape."""
    store = Store(tmp_path_factory.mktemp("eicu") / "store")
    store_hospital(store, stays=3, density=0.2, site="eicu")
    return store.dataset("synthetic-eicu")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "for which no concept is specified, only references"),
        (("age",), "age is derived from mimic-iv, and synthetic-eicu is shaped like eicu"),
    ],
)
@pytest.mark.parametrize(
    "options",
    [
        EngineOptions(),
        EngineOptions(engine="postgres", url=NOWHERE),
        EngineOptions(engine="spark", master="spark://127.0.0.1:1"),
    ],
    ids=lambda options: options.engine,
)
def test_every_engine_refuses_a_site_without_concepts(
    options: EngineOptions, names: tuple[str, ...], said: str, eicu: StoredDataset
) -> None:
    """The words are DuckDB's, and no session is opened for them."""
    with pytest.raises(InputError, match=said):
        built(options, library(), eicu, *names)


def test_a_schema_that_nothing_reads_is_refused(tmp_path: Path) -> None:
    """Before the server is asked, with the schemas there are; one that is read goes on to the server."""
    toy, said = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    for schema, told in (
        ("nonsense", "reads a schema called nonsense.*toy_icu"),
        ("toy_icu", "no session"),
    ):
        options = EngineOptions(engine="postgres", url=NOWHERE, source_schema=(f"{schema}=hosp",))
        with pytest.raises(InputError, match=told):
            built(options, said, toy)


def test_the_schemas_of_a_site_are_those_its_concepts_read(
    tmp_path: Path, eicu: StoredDataset
) -> None:
    """MIMIC-IV has two, and eICU's is none of its."""
    store_hospital(Store(tmp_path), stays=3, density=0.2, site="mimic")
    dataset = Store(tmp_path).dataset("synthetic")
    require_read(["mimiciv_hosp", "mimiciv_icu"], library(), dataset)
    for schema in ("eicu_crd", "mimiciv_derived", "mimiciv"):
        with pytest.raises(InputError, match=f"called {schema}; .*mimiciv_hosp or mimiciv_icu"):
            require_read([schema], library(), dataset)
