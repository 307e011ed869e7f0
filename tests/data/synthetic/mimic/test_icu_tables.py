# SPDX-License-Identifier: MIT
"""The ICU tables are as full as the open demo's, their rows belong together, and density thins events alone."""

import csv
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.icu import icu_rows
from m4bench.data.synthetic.tables import arrow_schemas, to_arrow
from tests.data.synthetic.conftest import Rows

EVENTS = (
    "chartevents", "datetimeevents", "ingredientevents", "inputevents", "outputevents", "procedureevents",
)  # fmt: skip
STAYS_OF_THE_DEMO, DAYS_A_STAY = 140, 3.68
"""ICU stays of the open MIMIC-IV demo, and how long they last on average."""


def block_tables(block: Block) -> Iterator[tuple[str, pa.Table]]:
    """Yield the ICU tables of a block by their bare names."""
    schemas = arrow_schemas("mimic-iv")
    for table, columns in icu_rows(block):
        yield table.removeprefix("mimiciv_icu."), to_arrow(schemas[table], columns)


@pytest.mark.parametrize("table", EVENTS)
def test_rows_a_day_are_those_of_the_demo(rows: Rows, shared: Path, table: str) -> None:
    """A day of a stay has as many rows of each table as in the open MIMIC-IV demo, within a quarter."""
    with (shared / "specs" / "releases.csv").open(encoding="utf-8") as stream:
        known = {
            row["table"]: int(row["rows"])
            for row in csv.DictReader(stream)
            if row["dataset"] == "mimic-iv-demo"
        }
    days, found = rows(f"SELECT (SELECT sum(los) FROM icustays), count(*) FROM {table}")[0]
    real = known[f"icu.{table}"] / (STAYS_OF_THE_DEMO * DAYS_A_STAY)
    assert found / days == pytest.approx(real, rel=0.25)


@pytest.mark.parametrize("table", [*EVENTS, "caregiver", "d_items", "icustays"])
def test_every_column_is_filled(rows: Rows, table: str) -> None:
    """No column of the module is null throughout."""
    names = [name for name, *_ in rows(f"DESCRIBE {table}")]
    counts = rows(f"SELECT {', '.join(f'count({name})' for name in names)} FROM {table}")[0]
    assert [name for name, count in zip(names, counts, strict=True) if not count] == []


def test_lengths_of_stay_have_the_median_and_the_tail_of_the_demo() -> None:
    """Over 5,000 stays the median is about 2.2 days and the mean 3.7, within a tenth."""
    with duckdb.connect() as connection:
        los = [
            float(hours) / 24
            for number in range(20)
            for hours in Block(3, number, 250, 250 * number).cohort.stays.course.los
        ]
        relation = connection.execute("SELECT median(x), avg(x) FROM unnest($1) AS t(x)", [los])
        median, mean = relation.fetchall()[0]
    assert median == pytest.approx(2.16, rel=0.1)
    assert mean == pytest.approx(3.68, rel=0.1)


@pytest.mark.parametrize(
    ("items", "lower", "upper"),
    [
        # item of a number, and the quartiles of the open MIMIC-IV demo
        ((220045,), 78, 104),
        ((220210,), 16, 23),
        ((220277,), 95, 99),
        ((220179,), 100, 128),
        ((220181,), 66, 84),
        ((220052,), 69, 84),
        ((223761,), 98.0, 99.0),
        ((225664,), 116, 203),
        ((220739,), 3, 4),
        ((223901,), 5, 6),
        ((223835,), 40, 50),
        ((220339,), 5, 8),
        ((224685,), 394, 540),
        ((226512,), 67, 91),
    ],
)
def test_medians_lie_between_the_quartiles_of_the_demo(
    rows: Rows, items: tuple[int, ...], lower: float, upper: float
) -> None:
    """The median of what is charted lies within the middle half of the real one."""
    listed = ", ".join(map(str, items))
    median = rows(f"SELECT median(valuenum) FROM chartevents WHERE itemid IN ({listed})")[0][0]
    assert lower <= median <= upper


@pytest.mark.parametrize(
    ("what", "query", "real"),
    [
        ("a ventilator", "SELECT stay_id FROM chartevents WHERE itemid IN (223849, 229314)", 0.47),
        ("a pressor",
         "SELECT stay_id FROM inputevents WHERE itemid IN (221906, 221289, 221749, 222315, 221662)", 0.37),
        ("an artery measured",
         "SELECT stay_id FROM chartevents WHERE itemid IN (220052, 225312)", 0.48),
        ("a central line", "SELECT stay_id FROM procedureevents WHERE itemid = 224263", 0.27),
    ],
)  # fmt: skip
def test_as_many_are_supported_as_in_the_demo(
    many_rows: Rows, what: str, query: str, real: float
) -> None:
    """The share of stays under each support is that of the demo, give or take ten in a hundred."""
    share = many_rows(
        f"SELECT count(DISTINCT stay_id) / (SELECT count(*) FROM icustays) FROM ({query})"
    )[0][0]
    assert share == pytest.approx(real, abs=0.1), what


@pytest.mark.parametrize("table", EVENTS)
def test_caregivers_and_items_are_known(rows: Rows, table: str) -> None:
    """Who documents is in the table of caregivers, and what is documented in the dictionary, under this table."""
    strangers = rows(
        f"SELECT count(*) FROM {table} WHERE caregiver_id NOT IN (SELECT caregiver_id FROM caregiver)"
    )
    unknown = rows(
        f"SELECT DISTINCT itemid FROM {table} "
        f"ANTI JOIN (SELECT itemid FROM d_items WHERE linksto = '{table}') USING (itemid)"
    )
    assert (strangers, unknown) == ([(0,)], [])


@pytest.mark.parametrize("table", ["datetimeevents", "ingredientevents"])
def test_rows_belong_to_a_stay_of_their_patient(rows: Rows, table: str) -> None:
    """Patient, admission and stay of a row belong together."""
    orphans = (
        f"SELECT count(*) FROM {table} ANTI JOIN icustays USING (subject_id, hadm_id, stay_id)"
    )
    assert rows(orphans) == [(0,)]


@pytest.mark.parametrize(
    "disorder",
    [
        "FROM ingredientevents i ANTI JOIN inputevents USING (stay_id, orderid, linkorderid, starttime, endtime)",
        "FROM inputevents i ANTI JOIN (SELECT orderid AS linkorderid FROM inputevents) USING (linkorderid)",
        "FROM inputevents WHERE linkorderid > orderid",
        "FROM ingredientevents WHERE endtime <= starttime",
        "FROM datetimeevents WHERE value > charttime",
        "FROM datetimeevents WHERE valueuom = 'Date' AND value <> value::DATE",
        "FROM inputevents JOIN icustays USING (stay_id) WHERE endtime > outtime + INTERVAL 1 HOUR",
        "FROM procedureevents JOIN icustays USING (stay_id) WHERE endtime > outtime + INTERVAL 1 HOUR",
        "FROM d_items WHERE label IS NULL OR category IS NULL OR abbreviation IS NULL",
    ],
)
def test_rows_agree_with_each_other(rows: Rows, disorder: str) -> None:
    """Ingredients follow their orders, segments the order they began with, and dates the day they are noted."""
    assert rows(f"SELECT count(*) {disorder}") == [(0,)]


def test_density_thins_events_and_no_register() -> None:
    """At a quarter of the density a block has about a quarter of the events, and the same stays."""
    full, thin = (dict(block_tables(Block(11, 0, 60, 0, density))) for density in (1.0, 0.25))
    assert thin["icustays"].equals(full["icustays"])
    for table in (
        "chartevents",
        "datetimeevents",
        "ingredientevents",
        "inputevents",
        "outputevents",
    ):
        assert 0.15 < thin[table].num_rows / full[table].num_rows < 0.4, table
    assert thin["procedureevents"].num_rows < full["procedureevents"].num_rows


def test_a_block_is_the_same_whenever_it_is_drawn() -> None:
    """Two drawings of a block have equal rows in equal order, another block has other rows."""
    first, again, other = (
        dict(block_tables(Block(11, number, 30, 30 * number))) for number in (1, 1, 2)
    )
    assert all(first[table].equals(again[table]) for table in first)
    assert not any(first[table].equals(other[table]) for table in EVENTS)
