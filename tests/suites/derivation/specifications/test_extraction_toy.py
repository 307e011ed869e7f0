# SPDX-License-Identifier: MIT
"""Facts of an invented library: each way a query can state one, and what states none."""

import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.suites.derivation.library.catalogue import read_library
from m4bench.suites.derivation.specifications.extraction import facts_in
from tests.suites.derivation.library.toy import derivation

SOURCE = "toy_icu.stays"


def told(folder: Path, sql: str) -> set[tuple[str, str, str | None, bool | None, str | None]]:
    """Return kind, value, side, closed and points of what one query over the toy source states."""
    (folder / "concepts").mkdir()
    (folder / "references").mkdir()
    text = derivation("answer", sql, SOURCE, "reference")
    (folder / "references" / "answer.sql").write_text(text)
    facts = facts_in(read_library(folder), "answer")
    return {(f.kind, f.value, f.side, f.closed, f.points) for f in facts}


Told = set[tuple[str, str, str | None, bool | None, str | None]]
CASES: list[tuple[str, str, Told]] = [
    (
        "an item of a filter that nothing tells apart, by items above void",
        f"SELECT stay_id, max(CASE WHEN valuenum <= 150 THEN valuenum END) AS value FROM {SOURCE}"
        " WHERE itemid IN (50912, 50931) GROUP BY stay_id",
        {
            ("item", "50912", None, None, None),
            ("item", "50931", None, None, None),
            ("cut", "150", "lower", None, None),
        },
    ),
    (
        "an item that a filter below does not let through",
        "WITH kept AS (SELECT stay_id, itemid, valuenum FROM toy_icu.stays WHERE itemid IN (50912, 50931))"
        " SELECT stay_id, max(CASE WHEN itemid IN (50912, 52546) THEN valuenum END) AS value"
        " FROM kept GROUP BY stay_id",
        {("item", "50912", None, None, None)},
    ),
    (
        "a scoring CASE, with what it gives where nothing else holds",
        "SELECT stay_id, CASE WHEN rate < 40 THEN 8 WHEN rate BETWEEN 40 AND 49 THEN 5 ELSE 2 END AS value"
        f" FROM {SOURCE}",
        {
            ("cut", "40", "upper", None, "8"),
            ("cut", "40", "upper", None, "5"),
            ("cut", "49", "lower", None, "5"),
            ("constant", "2", None, None, None),
        },
    ),
    (
        "windows before and after, one end open",
        f"SELECT stay_id, value FROM {SOURCE}"
        " WHERE charttime >= intime - INTERVAL 6 HOUR AND charttime < intime + INTERVAL 24 HOUR",
        {
            ("window", "6 hour", "lower", True, None),
            ("window", "24 hour", "upper", False, None),
        },
    ),
    (
        "a window under the name of its bound",
        "WITH day AS (SELECT stay_id, value, charttime, intime + INTERVAL 1 DAY AS until FROM toy_icu.stays)"
        " SELECT stay_id, value FROM day WHERE charttime <= until",
        {("window", "1 day", "lower", True, None)},
    ),
    (
        "elapsed time read back as hours",
        f"SELECT stay_id, value FROM {SOURCE} WHERE CAST(DATE_DIFF('microsecond', intime, charttime) AS DOUBLE)"
        " / CAST(3600000000 AS DOUBLE) > 14",
        {("window", "14 hour", "lower", False, None)},
    ),
    (
        "a trailing window, both ends in it",
        f"SELECT stay_id, sum(value) OVER (ORDER BY charttime RANGE BETWEEN INTERVAL 5 HOUR PRECEDING"
        f" AND CURRENT ROW) AS value FROM {SOURCE}",
        {("window", "5 hour", "lower", True, None)},
    ),
    (
        "labels tell rows apart and are no texts; only what the wanted label holds is needed",
        "WITH stacked AS (SELECT stay_id, 'one' AS label, value * 2.5 AS value FROM toy_icu.stays"
        " UNION ALL SELECT stay_id, 'other' AS label, value * 7 AS value FROM toy_icu.stays)"
        " SELECT stay_id, max(CASE WHEN label = 'one' THEN value END) AS value FROM stacked GROUP BY stay_id",
        {("constant", "2.5", None, None, None)},
    ),
    (
        "texts in lists and patterns, and a default that is no zero",
        f"SELECT stay_id, coalesce(value, 5) + coalesce(value, 0) AS value FROM {SOURCE}"
        " WHERE route IN ('OU ', 'OS') AND lower(drug) NOT LIKE '%cream%' AND drug <> ''",
        {
            ("text", "OU", None, None, None),
            ("text", "OS", None, None, None),
            ("text", "cream", None, None, None),
            ("constant", "5", None, None, None),
        },
    ),
    (
        "a branch that never holds, a flag, a cast and a row number",
        f"SELECT stay_id, CASE WHEN FALSE AND value > 9 THEN 3 ELSE CAST(value AS DECIMAL(18, 3)) END AS value"
        f" FROM {SOURCE} WHERE active = 1 QUALIFY row_number() OVER (ORDER BY value) = 1",
        set(),
    ),
    (
        "a join that gives nothing that is needed",
        "SELECT stay.stay_id, stay.value FROM toy_icu.stays AS stay LEFT JOIN"
        " (SELECT stay_id FROM toy_icu.stays WHERE value > 9) AS other ON other.stay_id = stay.stay_id",
        set(),
    ),
    (
        "codes of the version beside them",
        f"SELECT stay_id, max(CASE WHEN icd_version = 9 AND substr(icd_code, 1, 3) = '585' THEN 1 ELSE 0 END)"
        f" AS value FROM {SOURCE} GROUP BY stay_id",
        {("code", "585", None, None, None)},
    ),
]


@pytest.mark.parametrize(("what", "sql", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_query_states_its_facts_and_no_more(
    what: str, sql: str, expected: Told, tmp_path: Path
) -> None:
    """Exactly those."""
    assert told(tmp_path, sql) == expected, what


def test_what_a_derivation_needs_is_asked_of_its_inputs_alone(tmp_path: Path) -> None:
    """A column of an input that no one reads brings no fact."""
    (tmp_path / "concepts").mkdir()
    (tmp_path / "references").mkdir()
    concept = "SELECT stay_id, value * 3 AS value, value * 7 AS other FROM toy_icu.stays"
    declared = derivation("base", concept, SOURCE).replace(
        "inputs:", "  - {name: other, type: INTEGER, meaning: other}\ninputs:"
    )
    (tmp_path / "concepts" / "base.sql").write_text(declared)
    reads = derivation(
        "answer",
        "SELECT stay_id, value FROM mimiciv_derived.base",
        "mimiciv_derived.base",
        "reference",
    )
    (tmp_path / "references" / "answer.sql").write_text(reads)
    assert {fact.value for fact in facts_in(read_library(tmp_path), "answer")} == {"3"}


def test_the_parser_waits_until_facts_are_asked_for() -> None:
    """Loading the module loads no parser, so that commands without facts do not wait for it."""
    code = "import sys, m4bench.suites.derivation.specifications.extraction; print('sqlglot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
