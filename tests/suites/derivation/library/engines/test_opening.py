# SPDX-License-Identifier: MIT
"""Options of engines: the one that is meant is opened, and an option of another is refused."""

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.engines.opening import EngineOptions, existing_schemas


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
