# SPDX-License-Identifier: MIT
"""The items that a query reads of a table are found in what it demands of them."""

import pytest

from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.item_readings import reading_of

EVENTS = "toy_icu.stays"


@pytest.mark.parametrize(
    ("sql", "items"),
    [
        pytest.param("SELECT value FROM toy_icu.stays WHERE itemid = 7", {7}, id="one"),
        pytest.param(
            "SELECT value FROM toy_icu.stays AS s WHERE value > 0 AND s.itemid IN (7, 8)",
            {7, 8},
            id="a list among other conditions",
        ),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.d AS d LEFT JOIN toy_icu.stays AS s ON d.a = s.a AND s.itemid = 7",
            {7},
            id="joined on",
        ),
        pytest.param(
            "WITH a AS (SELECT value FROM toy_icu.stays WHERE itemid = 7), "
            "b AS (SELECT value FROM toy_icu.stays WHERE itemid = 9) "
            "SELECT a.value FROM a JOIN b ON a.value = b.value",
            {7, 9},
            id="read twice",
        ),
        pytest.param(
            "SELECT value FROM toy_icu.stays "
            "WHERE (itemid IN (7, 8) OR (itemid = 9 AND value > 1) OR FALSE) AND (value > 0 OR TRUE)",
            {7, 8, 9},
            id="one list or another",
        ),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN toy_icu.d AS d ON d.a = s.a AND s.itemid = 7",
            {7},
            id="on, of the first of two",
        ),
        pytest.param(
            "WITH item AS (SELECT itemid, b FROM (VALUES (1, 7), (2, 8)) AS t(b, itemid)) "
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN item AS i ON s.itemid = i.itemid",
            {7, 8},
            id="a list of rows",
        ),
        pytest.param(
            "WITH item AS (SELECT b AS itemid FROM (VALUES (1, 7), (2, 8)) AS t(b, itemid)) "
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN item AS i ON s.itemid = i.itemid",
            None,
            id="another column of a list of rows",
        ),
        pytest.param(
            "WITH item AS (SELECT itemid FROM (VALUES (7)) AS t(itemid) UNION SELECT a FROM toy_icu.d) "
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN item AS i ON s.itemid = i.itemid",
            None,
            id="a list of rows and more",
        ),
        pytest.param(
            "WITH item AS (SELECT itemid FROM (VALUES (7)) AS t(itemid)) "
            "SELECT 1 AS a FROM toy_icu.stays AS s LEFT JOIN item AS i ON s.itemid = i.itemid",
            None,
            id="a list of rows that need not match",
        ),
        pytest.param("SELECT value FROM toy_icu.stays", None, id="all of it"),
        pytest.param(
            "SELECT value FROM toy_icu.stays WHERE itemid = 7 OR value = 1", None, id="or another"
        ),
        pytest.param("SELECT value FROM toy_icu.stays WHERE itemid <> 7", None, id="all but one"),
        pytest.param("SELECT value FROM toy_icu.stays WHERE NOT itemid IN (7)", None, id="not in"),
        pytest.param(
            "SELECT value FROM toy_icu.stays WHERE itemid IN (SELECT a FROM toy_icu.d)",
            None,
            id="a list of another table",
        ),
        pytest.param("SELECT * FROM toy_icu.stays WHERE itemid = 7", None, id="columns not named"),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.stays AS s LEFT JOIN toy_icu.d AS d ON d.a = s.a AND s.itemid = 7",
            None,
            id="kept without a match",
        ),
        pytest.param(
            "SELECT 1 AS a FROM toy_icu.stays AS s JOIN toy_icu.d AS d ON d.a = s.a WHERE itemid = 7",
            None,
            id="whose item is not said",
        ),
        pytest.param(
            "WITH a AS (SELECT value FROM toy_icu.stays WHERE itemid = 7) "
            "SELECT a.value FROM a JOIN toy_icu.stays AS s ON a.value = s.value",
            None,
            id="once limited, once not",
        ),
    ],
)
def test_the_items_that_a_query_reads(sql: str, items: set[int] | None) -> None:
    """A query is known to read some items only where each of its readings of the table says so."""
    found = reading_of(sql, EVENTS)
    assert (found and set(found.items)) == items


def test_readers_of_events_say_which_items_they_read() -> None:
    """Every concept limits charted events and laboratory results to items."""
    relations = ("mimiciv_icu.chartevents", "mimiciv_hosp.labevents")
    readers = [
        (concept.name, reading_of(concept.sql, relation))
        for concept in library().concepts.values()
        for relation in relations
        if relation in concept.sources
    ]
    assert len(readers) > 20
    assert [name for name, found in readers if not found] == []
