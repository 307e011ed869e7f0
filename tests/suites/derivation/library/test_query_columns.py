# SPDX-License-Identifier: MIT
"""The columns of one query, followed to the relations it reads."""

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.query_columns import query_columns
from m4bench.suites.derivation.library.query_scope import ColumnOf, Way, joined

WAYS = {"c": Way.CARRIES, "d": Way.DERIVES, "g": Way.GOVERNS}


def stated(text: str) -> dict[ColumnOf, Way]:
    """Return dependencies written as `s.t.column:way`, ways by their first letter."""
    pairs = (part.split(":") for part in text.split())
    return {ColumnOf(*name.rsplit(".", 1)): WAYS[way] for name, way in pairs}


@pytest.mark.parametrize(
    ("sql", "column", "dependencies"),
    [
        ("SELECT a FROM s.t", "a", "s.t.a:c"),
        ("SELECT x.A AS b FROM S.T AS x", "b", "s.t.a:c"),
        ("SELECT (a) AS b FROM s.t", "b", "s.t.a:c"),
        ("SELECT CAST(a AS TEXT) AS b FROM s.t", "b", "s.t.a:d"),
        ("SELECT a + 1 AS b FROM s.t", "b", "s.t.a:d"),
        ("SELECT CASE WHEN a > 1 THEN b END AS c FROM s.t", "c", "s.t.a:d s.t.b:d"),
        ("SELECT 1 AS b FROM s.t", "b", ""),
        ("SELECT count(*) AS n FROM s.t", "n", ""),
        ("SELECT a FROM s.t WHERE b = 1", "a", "s.t.a:c s.t.b:g"),
        ("SELECT a FROM s.t WHERE a = 1", "a", "s.t.a:c"),
        (
            "SELECT max(a) AS a FROM s.t GROUP BY b HAVING sum(c) > 1",
            "a",
            "s.t.a:d s.t.b:g s.t.c:g",
        ),
        ("SELECT sum(a) FILTER (WHERE b) AS x FROM s.t", "x", "s.t.a:d s.t.b:d"),
        ("SELECT first(a ORDER BY b) AS x FROM s.t", "x", "s.t.a:d s.t.b:g"),
        ("SELECT a FROM s.t ORDER BY b LIMIT 1", "a", "s.t.a:c s.t.b:g"),
        ("SELECT a FROM s.t ORDER BY b", "a", "s.t.a:c"),
        ("SELECT DISTINCT a, b FROM s.t", "a", "s.t.a:c s.t.b:g"),
        ("SELECT DISTINCT ON (b) a FROM s.t", "a", "s.t.a:c s.t.b:g"),
        (
            "SELECT lag(a) OVER (PARTITION BY b ORDER BY c) AS x FROM s.t",
            "x",
            "s.t.a:d s.t.b:g s.t.c:g",
        ),
        (
            "SELECT sum(a) OVER w AS x FROM s.t WINDOW w AS (PARTITION BY b ORDER BY c)",
            "x",
            "s.t.a:d s.t.b:g s.t.c:g",
        ),
        ("SELECT a FROM s.t QUALIFY row_number() OVER (ORDER BY b) = 1", "a", "s.t.a:c s.t.b:g"),
        ("SELECT a + 1 AS b, 2 AS z FROM s.t WHERE z > b", "z", "s.t.a:g"),
    ],
)
def test_one_relation(sql: str, column: str, dependencies: str) -> None:
    """A copy carries, an expression derives, a clause that chooses rows governs."""
    assert query_columns(sql)[column] == stated(dependencies)


@pytest.mark.parametrize(
    ("sql", "column", "dependencies"),
    [
        ("SELECT t.a FROM s.t JOIN s.u ON t.k = u.k", "a", "s.t.a:c s.t.k:g s.u.k:g"),
        ("SELECT t.a FROM s.t JOIN s.u USING (k)", "a", "s.t.a:c s.t.k:g s.u.k:g"),
        ("SELECT t.a FROM s.t LEFT JOIN s.u ON t.k = u.k", "a", "s.t.a:c"),
        ("SELECT u.b FROM s.t LEFT JOIN s.u ON t.k = u.k", "b", "s.u.b:c s.t.k:g s.u.k:g"),
        ("SELECT t.a FROM s.t RIGHT JOIN s.u ON t.k = u.k", "a", "s.t.a:c s.t.k:g s.u.k:g"),
        (
            "WITH f AS (SELECT k, b FROM s.u WHERE w = 1) "
            "SELECT f.b FROM s.t LEFT JOIN f ON t.k = f.k",
            "b",
            "s.u.b:c s.u.k:g s.u.w:g s.t.k:g",
        ),
        ("WITH c AS (SELECT a AS b FROM s.t WHERE k = 1) SELECT b FROM c", "b", "s.t.a:c s.t.k:g"),
        (
            "WITH c AS (SELECT a FROM s.t), d AS (SELECT a FROM c) SELECT a AS z FROM d",
            "z",
            "s.t.a:c",
        ),
        ("WITH c(x) AS (SELECT a FROM s.t) SELECT x FROM c", "x", "s.t.a:c"),
        ("SELECT y.a FROM (SELECT a FROM s.t WHERE b) AS y", "a", "s.t.a:c s.t.b:g"),
        ("WITH c AS (SELECT a, b FROM s.t) SELECT * FROM c", "b", "s.t.b:c"),
        ("SELECT a AS x FROM s.t UNION ALL SELECT b FROM s.u", "x", "s.t.a:c s.u.b:c"),
        (
            "SELECT a AS x FROM s.t UNION ALL SELECT b + 1 FROM s.u WHERE c",
            "x",
            "s.t.a:c s.u.b:d s.u.c:g",
        ),
        ("SELECT a AS x FROM s.t EXCEPT SELECT b FROM s.u", "x", "s.t.a:c s.u.b:g"),
        ("SELECT a FROM s.t WHERE k IN (SELECT q FROM s.u)", "a", "s.t.a:c s.t.k:g s.u.q:g"),
        (
            "SELECT a FROM s.t WHERE EXISTS (SELECT 1 FROM s.u WHERE u.q = t.k)",
            "a",
            "s.t.a:c s.t.k:g s.u.q:g",
        ),
        (
            "SELECT (SELECT max(q) FROM s.u WHERE u.k = t.k) AS x FROM s.t",
            "x",
            "s.u.q:d s.u.k:g s.t.k:g",
        ),
        ("SELECT EXISTS (SELECT 1 FROM s.u WHERE u.q = t.k) AS x FROM s.t", "x", "s.t.k:d s.u.q:d"),
        (
            "SELECT e.n FROM s.t CROSS JOIN UNNEST(generate_series(t.a, t.b)) AS e(n)",
            "n",
            "s.t.a:d s.t.b:d",
        ),
        ("SELECT v.x FROM (VALUES (1, 2)) AS v(x, y)", "x", ""),
        (
            "SELECT e.n FROM s.t, LATERAL (SELECT u.a AS n FROM s.u WHERE u.k = t.k) AS e",
            "n",
            "s.u.a:c s.u.k:g s.t.k:g",
        ),
        (
            "SELECT t.a FROM s.t ASOF JOIN s.u ON t.k = u.k AND t.c >= u.c",
            "a",
            "s.t.a:c s.t.k:g s.u.k:g s.t.c:g s.u.c:g",
        ),
    ],
)
def test_several_relations(sql: str, column: str, dependencies: str) -> None:
    """Columns are followed through joins, CTEs, set operations and subqueries.

    What a left join does not find governs the columns of its right side and none of its left.
    """
    assert query_columns(sql)[column] == stated(dependencies)


STACKED = (
    "WITH stacked AS ("
    "SELECT k, 'a' AS name, x AS value FROM s.t WHERE p UNION ALL "
    "SELECT k, CASE WHEN q THEN 'b' ELSE 'c' END AS name, y AS value FROM s.u UNION ALL "
    "SELECT k, z AS name, w AS value FROM s.v"
    "), passed AS (SELECT k, name, value FROM stacked) "
)
KEPT = "s.v.w:d s.v.z:d s.t.k:g s.u.k:g s.v.k:g s.t.p:g"


@pytest.mark.parametrize(
    ("select", "dependencies"),
    [
        ("max(CASE WHEN name = 'a' THEN value END) AS m FROM passed GROUP BY k", f"s.t.x:d {KEPT}"),
        (
            "max(CASE WHEN name IN ('a', 'b') THEN value END) AS m FROM passed GROUP BY k",
            f"s.t.x:d s.u.y:d s.u.q:d {KEPT}",
        ),
        (
            "max(value) FILTER (WHERE name = 'c') AS m FROM passed GROUP BY k",
            f"s.u.y:d s.u.q:d {KEPT}",
        ),
        (
            "max(CASE WHEN name = 'a' OR value > 1 THEN k END) AS m FROM passed",
            "s.t.k:d s.t.x:d s.t.p:g s.u.k:d s.u.y:d s.u.q:d s.v.k:d s.v.w:d s.v.z:d",
        ),
        ("value AS m FROM passed WHERE name = 'a'", "s.t.x:c s.t.p:g s.v.w:c s.v.z:g"),
        (
            "max(CASE WHEN later.name = 'a' THEN later.value END) AS m "
            "FROM (SELECT name, lag(value) OVER (ORDER BY k) AS value FROM passed) AS later",
            "s.t.x:d s.u.y:d s.v.w:d s.u.q:d s.v.z:d s.t.k:g s.u.k:g s.v.k:g s.t.p:g",
        ),
    ],
    ids=["case", "in", "filter", "or", "where", "mixed by a window"],
)
def test_stacked_measures_are_told_apart_by_their_labels(select: str, dependencies: str) -> None:
    """A condition on the label leaves out what bears another; a column that is no label may hold any text.

    Once rows of several parts are mixed in one value, nothing is left out.
    """
    assert query_columns(f"{STACKED} SELECT {select}")["m"] == stated(dependencies)


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT a FROM s.t JOIN s.u ON t.k = u.k", "more than one relation"),
        ("SELECT x.a FROM s.t", "of no relation"),
        ("WITH c AS (SELECT a FROM s.t) SELECT b FROM c", "of no relation"),
        ("SELECT * FROM s.t", "star"),
        ("DELETE FROM s.t", "not followed"),
    ],
)
def test_what_cannot_be_followed_is_refused(sql: str, problem: str) -> None:
    """A name that may be of several relations, or of none, is an error and no guess."""
    with pytest.raises(InputError, match=problem):
        query_columns(sql)


def test_the_strongest_way_counts_and_a_chain_is_as_strong_as_its_weakest() -> None:
    """Of several ways to one column the strongest is kept, capped by the step that leads there."""
    a, b = ColumnOf("s.t", "a"), ColumnOf("s.t", "b")
    parts = [{a: Way.GOVERNS}, {a: Way.CARRIES, b: Way.GOVERNS}]
    assert joined(parts) == {a: Way.CARRIES, b: Way.GOVERNS}
    assert joined(parts, Way.DERIVES) == {a: Way.DERIVES, b: Way.GOVERNS}
