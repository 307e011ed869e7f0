# SPDX-License-Identifier: MIT
"""Cells on which engines could differ, and the expressions and queries that make them differ if anything does."""

CELLS_COLUMNS = [
    ("n", "INTEGER"),
    ("g", "INTEGER"),
    ("x", "DOUBLE"),
    ("y", "DOUBLE"),
    ("d", "DECIMAL(18,3)"),
    ("i", "INTEGER"),
    ("b", "BIGINT"),
    ("s", "SMALLINT"),
    ("t", "VARCHAR"),
    ("charted", "TIMESTAMP"),
    ("ended", "TIMESTAMP"),
    ("day", "DATE"),
]
CELLS = """
    (1, 1, 1.0005, 0, 1.005, 7, 9007199254740993, 2, '12', '2020-01-01 00:59:59.900', '2020-01-01 01:00:00', '2019-12-31'),
    (2, 1, 0.1065, 0.3, -1.005, -7, 3, 2, '12 ', '2020-01-01 00:00:00', '2020-03-01 00:00:00', '2020-01-31'),
    (3, 1, -0.0025, -0.7, 0.125, 8, -3, -2, '.5', '2150-02-28 23:59:59.999999', '2151-03-01 00:00:00', '2020-02-29'),
    (4, 1, 2.5, 3, 2.675, 0, 1, 3, '1e3', '2020-01-01 00:00:00', '2019-12-31 23:00:00', '2019-01-01'),
    (5, 2, -2.5, 1e300, 0.000, 1, 0, 1, '', '1969-12-31 23:59:59.500', '1970-01-01 00:00:00', '1969-12-31'),
    (6, 2, 3.5, 7, 999.999, 2147483647, 5, 4, '1d', '2020-01-31 10:00:00', '2020-02-29 10:00:00', '2020-01-31'),
    (7, 2, 1e18, 2, NULL, 5, 5, 1, ' -12.45', '2020-03-29 02:30:00', '2020-03-29 03:30:00', '2020-03-29'),
    (8, 2, 'nan', 1, -2.675, NULL, 5, 1, 'Zebra_%', '2020-10-25 02:30:00', NULL, NULL),
    (9, 3, 'inf', 1, 33.335, 4, NULL, 1, 'éclair', NULL, '2020-01-01', '2020-01-01'),
    (10, 3, NULL, 1, 33.345, 4, 6, NULL, NULL, '2020-01-01 00:00:00', '2020-01-01 12:00:00', '2020-01-01'),
    (11, 3, 0, 0, 0.001, 3, 6, 1, 'None', '2020-01-01 01:00:00', '2020-01-02 00:00:00', '2020-01-01'),
    (12, 3, 106.4999999999, 5e-324, 0.005, 3, 6, 1, 'a-b-c', '2020-01-01 05:00:00', '2020-01-02 00:00:00', '2020-01-01'),
    (13, 4, 0.285, 100, 0.005, 3, 6, 1, '+7', '2020-01-01 05:00:00.000001', '2020-01-02 00:00:00', '2020-01-01'),
    (14, 4, 4927.5, 1000, 0.005, 3, 6, 1, 'back\\slash ''q', '2020-01-01 07:00:00', '2020-01-02 00:00:00', '2020-01-01')
"""  # noqa: E501

# Each is evaluated on every row above in both engines.
EXPRESSIONS = (
    # decimals: scaled as a double and rounded half away from zero, none where they do not fit
    "TRY_CAST(x AS DECIMAL(18, 3))", "TRY_CAST(x AS DECIMAL(18, 0))", "TRY_CAST(x / 10 AS DECIMAL(18, 3))",
    "TRY_CAST(x / y AS DECIMAL(18, 3))", "TRY_CAST(y / x / i AS DECIMAL(18, 2))",
    "TRY_CAST(TRY_CAST(x AS DECIMAL(18, 3)) AS DECIMAL(18, 2))",
    "TRY_CAST(CASE WHEN x < 1e9 THEN x END AS DECIMAL(38, 9))", "CAST(TRY_CAST(x AS DECIMAL(38, 9)) AS DOUBLE)",
    "TRY_CAST(x AS DECIMAL(18, 9))",
    "CAST(d AS DECIMAL(18, 2))", "CAST(d AS DECIMAL(18, 0))", "round(d, 2)", "round(d, 1)", "d * d", "d + 1",
    "d * 100", "d * CAST(0.047 AS DECIMAL(4, 3))", "coalesce(d, 0)", "greatest(d, 0.5)",
    # division: doubles always, infinite or not a number by zero
    "x / y", "i / s", "b / 3", "d / 3", "d / s", "x / 3 / y", "1 / i", "-x / y", "x / 0.3", "(i - 8) / (i - 7)",
    # doubles
    "round(x)", "round(x, 2)", "round(x * 10, 1)", "TRY_CAST(x AS BIGINT)", "TRY_CAST(x AS INTEGER)",
    "CAST(d AS INTEGER)", "floor(y)", "ceil(x)", "CAST(floor(x / 3) AS DOUBLE)", "CAST(ceil(i / 4) AS BIGINT)",
    "TRY_CAST(ceil(x) AS BIGINT)", "abs(x)", "abs(d)", "-x",
    "CAST(d AS DOUBLE)", "CAST(i AS DOUBLE)", "x > y", "x = y", "d > 0.005", "d >= y", "x <> 0", "i > 3.5",
    "greatest(x, y)", "least(x, y, d)", "greatest(i, b, NULL)", "x IS DISTINCT FROM y", "x BETWEEN 0 AND 3",
    # integers
    "i % 3", "-7 % s", "b + i", "b * 2", "CAST(s AS BIGINT) * i", "i = s", "i IN (7, NULL)",
    "CASE i WHEN 7 THEN 'seven' WHEN 8 THEN 'eight' END", "coalesce(x, i)", "CASE WHEN i > 3 THEN x ELSE i END",
    # texts: in order of their bytes, as numbers where written so
    "TRY_CAST(t AS DECIMAL(18, 3))", "TRY_CAST(t AS DECIMAL(18, 1))", "TRY_CAST(t AS INTEGER)",
    "TRY_CAST(t AS DOUBLE)", "t < 'a'", "t >= 'None'", "lower(t)", "upper(t)", "substring(t, 1, 2)",
    "substr(t, 2)", "left(t, 3)", "split_part(t, '-', 1)", "split_part(t, '-', 2)", "split_part(t, '-', 5)",
    "strpos(t, 'b')", "strpos(t, '')", "t LIKE '%-%'", "t LIKE '1_'", "t NOT LIKE '%e%'", "length(t)", "t || '!'",
 "t = 'back\\slash ''q'", "t IN ('12', 'None')", "least(t, 'None')",
    "trim(t) = t",
    # times: elapsed, by boundaries crossed, never of a zone
    "date_diff('microsecond', charted, ended)", "date_diff('second', charted, ended)",
    "date_diff('minute', charted, ended)", "date_diff('hour', charted, ended)",
    "date_diff('day', charted, ended)", "date_diff('day', day, ended)",
    "CAST(date_diff('microsecond', charted, ended) AS DOUBLE) / CAST(3600000000 AS DOUBLE)",
    "date_trunc('hour', charted)", "date_trunc('day', charted)", "charted + INTERVAL 1 HOUR",
    "charted - INTERVAL 1 MONTH", "charted + i * INTERVAL 1 HOUR", "charted + INTERVAL 1 MICROSECOND",
    "day + INTERVAL 1 DAY", "CAST(charted AS DATE)",
    "day - INTERVAL 1 MONTH", "CAST(day AS TIMESTAMP)", "charted < ended", "charted >= day", "greatest(charted, ended)",
    "least(charted, ended - INTERVAL 1 DAY)", "coalesce(ended, charted)",
    "make_timestamp(CASE WHEN s > 0 THEN 2000 + s ELSE 1900 END, 1, 1, 0, 0, 0)",
    "charted BETWEEN ended - INTERVAL 1 DAY AND ended",
    # functions
    "ln(CASE WHEN y > 0 THEN y END)", "exp(CASE WHEN i < 100 THEN i END)", "power(y, 0.5)",
    "exp(-d) / (1 + exp(-d))",
)  # fmt: skip

# Windows, aggregates and joins; each gives rows of which the first columns are a key.
QUERIES = {
    "nulls stand last in windows":
        "SELECT n, row_number() OVER (ORDER BY x, n) AS a, row_number() OVER (ORDER BY charted DESC, n) AS b, "
        "row_number() OVER (ORDER BY t, n) AS c, row_number() OVER (ORDER BY d NULLS FIRST, n) AS e FROM cells",
    "dense ranks, neighbours, named windows":
        "SELECT n, dense_rank() OVER w AS a, lag(x) OVER w AS b, lead(charted) OVER w AS c, "
        "count(*) OVER (PARTITION BY g) AS e FROM cells WINDOW w AS (PARTITION BY g ORDER BY charted NULLS FIRST, n)",
    "frames of time, of different units and with nulls":
        "SELECT n, min(y) OVER (PARTITION BY g ORDER BY charted RANGE BETWEEN INTERVAL 48 HOUR PRECEDING AND "
        "INTERVAL 1 MICROSECOND PRECEDING) AS a, count(*) OVER (PARTITION BY g ORDER BY charted NULLS FIRST "
        "RANGE BETWEEN INTERVAL 5 HOUR PRECEDING AND CURRENT ROW) AS b, max(n) OVER (PARTITION BY g ORDER BY "
        "charted RANGE BETWEEN INTERVAL 1 MICROSECOND FOLLOWING AND INTERVAL 24 HOUR FOLLOWING) AS c FROM cells",
    "frames of numbers and rows":
        "SELECT n, count(*) OVER (ORDER BY n RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) AS a, "
        "sum(i) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS b, "
        "max(x) OVER (PARTITION BY g ORDER BY i RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS c, "
        "max(t) OVER (PARTITION BY g ORDER BY i) AS e FROM cells",
    "series, also empty ones":
        "SELECT c.n, h.hr, c.charted + h.hr * INTERVAL 1 HOUR AS a FROM cells AS c "
        "CROSS JOIN UNNEST(generate_series(1, c.i)) AS h(hr) WHERE c.i < 100",
    "parts of a text":
        "SELECT c.n, p.part FROM cells AS c CROSS JOIN UNNEST(string_split(c.t, '-')) AS p(part)",
    "sums and means":
        "SELECT g, sum(i) AS a, avg(i) AS b, sum(d) AS c, avg(d) AS e, count(t) AS f, count(*) AS h, max(t) AS j, "
        "min(t) AS k, min(charted) AS l, count(DISTINCT i) AS m, sum(b) AS o FROM cells GROUP BY g",
    "sums in order":
        "SELECT g, avg(y ORDER BY y) AS a, avg(TRY_CAST(x AS DECIMAL(18, 9))) AS f, "
        "avg(CASE WHEN x < 1e9 THEN CAST(x AS DECIMAL(38, 9)) END) AS h, "
        "sum(y ORDER BY charted NULLS FIRST, y NULLS FIRST) AS b, "
        "sum(CASE WHEN n > 6 THEN y END ORDER BY charted) AS c, list_avg(list_sort(list(y) FILTER (WHERE i > 3))) AS e "
        "FROM cells GROUP BY g",
    "sums of nothing":
        "SELECT g, avg(CASE WHEN n > 99 THEN d END) AS a, sum(CASE WHEN n > 99 THEN y END) AS b, "
        "avg(CASE WHEN n > 99 THEN y END ORDER BY n) AS c, list_avg(list_sort(list(y) FILTER (WHERE n > 99))) AS e "
        "FROM cells GROUP BY g",
    "texts in a list":
        "SELECT g, string_agg(DISTINCT t, ', ' ORDER BY t NULLS FIRST) AS a FROM cells GROUP BY g",
    "not a number is above all, equal to itself":
        "SELECT x / 0 AS a, count(*) AS b, max(n) AS c FROM cells WHERE x = x GROUP BY x / 0",
    "outer joins and nulls in keys":
        "SELECT a.n, b.n AS m, coalesce(a.x, b.y) AS c FROM cells AS a "
        "FULL OUTER JOIN (SELECT n + 7 AS n, i, y FROM cells) AS b ON a.n = b.n AND a.i >= b.i",
    "having, distinct, union":
        "SELECT i, count(*) AS a FROM cells GROUP BY i HAVING count(*) > 1 "
        "UNION ALL SELECT DISTINCT g, CAST(NULL AS BIGINT) AS a FROM cells",
}  # fmt: skip
