# SPDX-License-Identifier: MIT
"""What is written for Spark, construct by construct; that the rows are the same is tested with Spark itself."""

import re

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.translate import translate

COLUMNS = {
    "mimiciv_icu.entry": {
        "stay_id": "INTEGER",
        "charttime": "TIMESTAMP",
        "chartdate": "DATE",
        "value": "VARCHAR",
        "valuenum": "DOUBLE",
        "weight": "DOUBLE",
        "height": "DECIMAL(18, 2)",
        "number": "BIGINT",
    }
}


def written(query: str) -> str:
    """Return a query over the one table as it is written for Spark, on one line."""
    text = translate(query, "spark", columns=COLUMNS)
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")")


def expression(text: str) -> str:
    """Return an expression as it is written for Spark."""
    found = written(f"SELECT {text} AS x FROM mimiciv_icu.entry")
    return found.removeprefix("SELECT ").partition(" AS x FROM")[0]


EXPRESSIONS = [
    ("CAST(valuenum AS DECIMAL(18, 3))",
     "CAST(CAST(ROUND(valuenum * 1000) AS BIGINT) * 0.001 AS DECIMAL(18, 3))"),
    ("TRY_CAST(valuenum + 1 AS DECIMAL(18, 1))",
     "TRY_CAST(TRY_CAST(ROUND((valuenum + 1) * 10) AS BIGINT) * 0.1 AS DECIMAL(18, 1))"),
    ("CAST(valuenum AS DECIMAL(4, 0))", "CAST(CAST(ROUND(valuenum) AS BIGINT) AS DECIMAL(4, 0))"),
    ("CAST(valuenum AS DECIMAL(38, 9))",
     "COALESCE(TRY_CAST(TRY_CAST(ROUND(valuenum * 1000000000) AS BIGINT) * 0.000000001 AS "
     "DECIMAL(38, 9)), CAST(valuenum AS DECIMAL(38, 9)))"),
    ("CAST(height AS DECIMAL(18, 1))", "CAST(height AS DECIMAL(18, 1))"),
    ("CAST(0.0737 AS DECIMAL(5, 4))", "CAST(0.0737 AS DECIMAL(5, 4))"),
    ("CAST(valuenum AS BIGINT)", "CAST(RINT(valuenum) AS BIGINT)"),
    ("CAST(CEIL(valuenum) AS BIGINT)", "CAST(CEIL(valuenum) AS BIGINT)"),
    ("CAST(height AS INTEGER)", "CAST(ROUND(height) AS INT)"),
    ("ROUND(valuenum, 2)", "ROUND(valuenum * CAST(100 AS DOUBLE)) / CAST(100 AS DOUBLE)"),
    ("ROUND(height, 1)", "ROUND(height, 1)"),
    ("floor(valuenum)",
     "CASE WHEN ABS(valuenum) < 4503599627370496 THEN CAST(FLOOR(valuenum) AS DOUBLE) ELSE valuenum END"),
    ("valuenum / 1.8", "valuenum / 1.8"),
    ("number / 3", "CAST(number AS DOUBLE) / 3"),
    ("valuenum / weight",
     "CASE WHEN weight = 0 THEN valuenum * CAST('Infinity' AS DOUBLE) ELSE valuenum / weight END"),
    ("TRY_CAST(valuenum / weight / 2 AS DECIMAL(18, 3))",
     "TRY_CAST(TRY_CAST(ROUND((TRY_DIVIDE(valuenum, weight) / 2) * 1000) AS BIGINT) * 0.001 "
     "AS DECIMAL(18, 3))"),
    ("date_diff('microsecond', charttime, charttime)",
     "TIMESTAMPDIFF(MICROSECOND, charttime, charttime)"),
    ("date_diff('second', charttime, chartdate)",
     "TIMESTAMPDIFF(SECOND, DATE_TRUNC('SECOND', charttime), DATE_TRUNC('SECOND', chartdate))"),
    ("date_diff('day', charttime, chartdate)",
     "TIMESTAMPDIFF(DAY, CAST(charttime AS DATE), CAST(chartdate AS DATE))"),
    ("date_trunc('hour', charttime)", "CAST(DATE_TRUNC('HOUR', charttime) AS TIMESTAMP_NTZ)"),
    ("make_timestamp(number, 1, 1, 0, 0, 0)", "MAKE_TIMESTAMP_NTZ(number, 1, 1, 0, 0, 0)"),
    ("chartdate + INTERVAL 1 DAY", "CAST(chartdate AS TIMESTAMP_NTZ) + INTERVAL '1' DAY"),
    ("charttime - INTERVAL 6 HOUR", "charttime - INTERVAL '6' HOUR"),
    ("avg(height)", "CAST(SUM(height) * 100 AS DOUBLE) / (COUNT(height) * 100)"),
    ("avg(valuenum)", "AVG(valuenum)"),
    ("sum(valuenum ORDER BY valuenum)",
     "AGGREGATE(ARRAY_SORT(COLLECT_LIST(valuenum)), CAST(NULL AS DOUBLE), "
     "(total, each) -> COALESCE(total, 0) + each)"),
    ("avg(valuenum ORDER BY charttime NULLS FIRST)",
     "AGGREGATE(ARRAY_SORT(COLLECT_LIST(STRUCT(charttime, valuenum AS summand)) "
     "FILTER(WHERE NOT valuenum IS NULL)).summand, CAST(NULL AS DOUBLE), "
     "(total, each) -> COALESCE(total, 0) + each) / COUNT(valuenum)"),
    ("list_avg(list_sort(list(valuenum)))",
     "AGGREGATE(ARRAY_SORT(COLLECT_LIST(valuenum)), CAST(NULL AS DOUBLE), "
     "(total, each) -> COALESCE(total, 0) + each) / SIZE(COLLECT_LIST(valuenum))"),
    ("min(valuenum) OVER (ORDER BY charttime RANGE BETWEEN INTERVAL 50 HOUR PRECEDING "
     "AND INTERVAL 1 MICROSECOND PRECEDING)",
     "MIN(valuenum) OVER (ORDER BY charttime NULLS LAST RANGE BETWEEN INTERVAL "
     "'2 02:00:00.000000' DAY TO SECOND PRECEDING AND INTERVAL '0 00:00:00.000001' DAY TO SECOND "
     "PRECEDING)"),
    ("min(valuenum) OVER (ORDER BY charttime DESC)",
     "MIN(valuenum) OVER (ORDER BY charttime DESC)"),
    ("'it''s'", r"'it\'s'"),
]  # fmt: skip


@pytest.mark.parametrize(("duckdb_sql", "expected"), EXPRESSIONS)
def test_expressions(duckdb_sql: str, expected: str) -> None:
    """Each construct that Spark reads otherwise is written as the rule says, the others as they stand."""
    assert expression(duckdb_sql) == expected


def test_text_is_a_number_only_where_it_is_written_as_one() -> None:
    """A text is tried as a number after its form was looked at, and an integer may have a fraction."""
    decimal = expression("TRY_CAST(value AS DECIMAL(18, 3))")
    assert decimal.startswith("CASE WHEN value RLIKE ")
    assert decimal.endswith(" THEN TRY_CAST(value AS DECIMAL(18, 3)) END")
    whole = expression("TRY_CAST(value AS INTEGER)")
    assert whole.endswith(" THEN TRY_CAST(ROUND(TRY_CAST(value AS DECIMAL(38, 9))) AS INT) END")


def test_a_series_that_ends_before_it_begins_is_empty() -> None:
    """Spark would count down from the beginning to the end."""
    found = written(
        "SELECT entry.stay_id, hour.hr FROM mimiciv_icu.entry AS entry "
        "CROSS JOIN UNNEST(generate_series(1, entry.number)) AS hour(hr)"
    )
    assert (
        "LATERAL VIEW EXPLODE(CASE WHEN 1 <= entry.number THEN SEQUENCE(1, entry.number)" in found
    )
    assert "ELSE ARRAY() END) hour AS hr" in found


REFUSED = [
    ("date_diff('month', charttime, charttime)", "MONTH"),
    ("sum(valuenum ORDER BY valuenum DESC)", "descending"),
    ("sum(number ORDER BY number)", "ordered sum"),
    ("sum(valuenum ORDER BY valuenum) OVER ()", "ordered sum"),
    ("avg(height) OVER ()", "mean of decimals"),
    ("round(valuenum, number)", "varies"),
    ("min(valuenum) OVER (ORDER BY charttime RANGE BETWEEN INTERVAL 1 MONTH PRECEDING "
     "AND INTERVAL 1 DAY PRECEDING)", "MONTH"),
]  # fmt: skip


@pytest.mark.parametrize(("duckdb_sql", "said"), REFUSED)
def test_what_cannot_be_said_is_refused(duckdb_sql: str, said: str) -> None:
    """Nothing is written that would give other rows."""
    with pytest.raises(InputError, match=said):
        expression(duckdb_sql)


def test_a_rule_that_needs_a_type_refuses_without_it() -> None:
    """Without declared columns a division or a decimal is not guessed at."""
    with pytest.raises(InputError, match="not known"):
        translate("SELECT CAST(valuenum AS DECIMAL(18, 3)) FROM mimiciv_icu.entry", "spark")
