# SPDX-License-Identifier: MIT
"""Among 2,000 thinly charted stays the bedside reaches both ends of physiology, and crises hang together.

What is read here is computed from the rows by the words of the specifications, by no code of the library.
"""

from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.physiology import CRISES
from tests.data.synthetic.mimic.test_icu_tables import block_tables

BLOCKS, STAYS, DENSITY = 8, 250, 0.2
OWN_ITEMS_FROM = 240_000
Ask = Callable[[str], list[tuple[Any, ...]]]

FIRST_DAY = """
CREATE TABLE first_day AS
WITH signs AS (
  SELECT stay_id, charttime,
    avg(valuenum) FILTER (itemid = 220045 AND valuenum > 0 AND valuenum < 300) AS heart,
    avg(valuenum) FILTER (itemid IN (220179, 220050, 225309) AND valuenum > 0 AND valuenum < 400) AS systolic,
    avg(valuenum) FILTER (itemid IN (220181, 220052, 225312) AND valuenum > 0 AND valuenum < 300) AS pressure,
    avg(valuenum) FILTER (itemid IN (220210, 224690) AND valuenum > 0 AND valuenum < 70) AS breaths,
    avg(CASE WHEN itemid = 223761 AND valuenum > 70 AND valuenum < 120 THEN (valuenum - 32) / 1.8
             WHEN itemid = 223762 AND valuenum > 10 AND valuenum < 50 THEN valuenum END) AS celsius,
    avg(valuenum) FILTER (itemid IN (225664, 220621, 226537) AND valuenum > 0) AS glucose
  FROM chartevents GROUP BY ALL
)
SELECT stay_id, min(heart) AS heart_min, max(heart) AS heart_max, min(systolic) AS systolic_min,
  max(systolic) AS systolic_max, min(pressure) AS pressure_min, max(pressure) AS pressure_max,
  min(breaths) AS breaths_min, max(breaths) AS breaths_max, min(celsius) AS celsius_min,
  max(celsius) AS celsius_max, min(glucose) AS glucose_min, max(glucose) AS glucose_max
FROM icustays JOIN signs USING (stay_id)
WHERE charttime BETWEEN intime - INTERVAL 6 HOUR AND intime + INTERVAL 24 HOUR
GROUP BY stay_id
"""
URINE = """
CREATE TABLE urine AS
SELECT stay_id, sum(CASE WHEN itemid = 227488 AND value > 0 THEN -value ELSE value END) AS volume
FROM icustays JOIN outputevents USING (stay_id)
WHERE charttime BETWEEN intime AND intime + INTERVAL 24 HOUR AND itemid IN (
  226559, 226560, 226561, 226584, 226563, 226564, 226565, 226567, 226557, 226558, 227488, 227489)
GROUP BY stay_id
"""


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """A function that runs a query over the ICU tables of 2,000 stays, without the assessments."""
    with duckdb.connect() as connection:
        for number in range(BLOCKS):
            block = Block(20260101, number, STAYS, STAYS * number, DENSITY)
            verb, link = ("INSERT INTO", "") if number else ("CREATE TABLE", "AS")
            for name, table in block_tables(block):
                keep = f"WHERE itemid < {OWN_ITEMS_FROM}" if name == "chartevents" else ""
                connection.register("drawn", table)
                connection.execute(f"{verb} {name} {link} SELECT * FROM drawn {keep}")
            kinds = [CRISES[which].name for which in block.cohort.stays.course.crisis]
            connection.execute(
                f"{verb} crisis {link} SELECT unnest($1) AS stay_id, unnest($2) AS name",
                [block.cohort.stays.stay_id.tolist(), kinds],
            )
        connection.execute(FIRST_DAY)
        connection.execute(URINE)
        yield lambda query: connection.execute(query).fetchall()


@pytest.mark.parametrize(
    "state",
    [
        # the bands in which a point table of the severity scores has a value of its own
        "heart_min < 30", "heart_min < 33", "heart_min BETWEEN 33 AND 39.9", "heart_min BETWEEN 40 AND 49.9",
        "heart_max BETWEEN 110 AND 119.9", "heart_max BETWEEN 140 AND 154.9", "heart_max >= 160",
        "pressure_min < 20.65", "pressure_min BETWEEN 20.65 AND 39.9", "pressure_min BETWEEN 51 AND 61.32",
        "pressure_max BETWEEN 120 AND 129.9", "pressure_max BETWEEN 130 AND 139.9", "pressure_max > 143.44",
        "systolic_min < 40", "systolic_min BETWEEN 40 AND 69.9", "systolic_max BETWEEN 200 AND 239.9",
        "systolic_max BETWEEN 240 AND 269.9 AND heart_max < 140", "systolic_max >= 270 AND systolic_min >= 70",
        "celsius_min < 33", "celsius_min BETWEEN 33 AND 33.49", "celsius_min BETWEEN 33.5 AND 33.99",
        "celsius_min BETWEEN 34 AND 34.99", "celsius_min BETWEEN 35 AND 35.99", "celsius_max > 39.88",
        "celsius_max BETWEEN 38.1 AND 39.87", "celsius_min >= 36.4 AND celsius_max < 36.89",
        "breaths_min < 6", "breaths_min BETWEEN 6 AND 11.9", "breaths_max BETWEEN 35 AND 39.9",
        "breaths_max BETWEEN 40 AND 49.9", "breaths_max >= 50", "breaths_max <= 20",
        "glucose_min < 40", "glucose_min BETWEEN 40 AND 59.9", "glucose_max BETWEEN 200 AND 349.9",
        "glucose_max >= 350 AND glucose_max < 900",
    ],
)  # fmt: skip
def test_every_band_of_vital_signs_is_reached(ask: Ask, state: str) -> None:
    """Somebody is in this state on the first day, and hardly anybody in the extreme ones."""
    count = ask(f"SELECT count(*) FROM first_day WHERE {state}")[0][0]
    assert count >= 1
    if "<" in state and "BETWEEN" not in state and "AND" not in state and "max" not in state:
        assert count < 60


@pytest.mark.parametrize(
    "band",
    [
        "< 200", "BETWEEN 200 AND 399", "BETWEEN 400 AND 599", "BETWEEN 600 AND 899", "BETWEEN 900 AND 1499",
        "BETWEEN 1500 AND 1999", "BETWEEN 2000 AND 3999", "BETWEEN 4000 AND 6896", "> 6896.8", ">= 10000",
    ],
)  # fmt: skip
def test_urine_runs_from_anuria_to_polyuria(ask: Ask, band: str) -> None:
    """The first day's urine falls into every band of the severity scores."""
    assert ask(f"SELECT count(*) FROM urine WHERE volume {band}")[0][0] >= 1


def test_answers_of_the_coma_scale_do_not_always_fall_together(ask: Ask) -> None:
    """Beside comas of all depths there are eyes open without speech, and speech with closed eyes."""
    met = {
        tuple(row)
        for row in ask(
            "SELECT DISTINCT max(valuenum) FILTER (itemid = 220739)::INT AS eyes, "
            "max(valuenum) FILTER (itemid = 223900 AND value <> 'No Response-ETT')::INT AS verbal, "
            "max(valuenum) FILTER (itemid = 223901)::INT AS motor "
            "FROM chartevents WHERE itemid IN (220739, 223900, 223901) GROUP BY stay_id, charttime"
        )
    }
    assert {sum(row) for row in met if None not in row} == set(range(3, 16))
    assert any(row[0] == 4 and row[1] == 1 for row in met)
    assert any(row[0] == 1 and row[1] in {4, 5} for row in met)
    assert any(row[1] in {4, 5} and row[2] in {1, 2, 3, 4} for row in met)
    assert any(row[0] == 1 and row[1] == 1 and row[2] in {5, 6} for row in met)
    assert {None} | set(range(1, 7)) == {row[2] for row in met}


def test_doses_span_every_grade(ask: Ask) -> None:
    """Dopamine is given below 5, up to 15 and above; the two adrenalines below and above 0.1."""
    dopamine = {
        grade
        for (grade,) in ask(
            "SELECT DISTINCT CASE WHEN rate > 15 THEN 4 WHEN rate > 5 THEN 3 WHEN rate > 0 THEN 2 END "
            "FROM inputevents WHERE itemid = 221662 AND rate > 0"
        )
    }
    assert dopamine == {2, 3, 4}
    for itemid in (221906, 221289):
        low, high = ask(
            "SELECT count_if(rate > 0 AND rate <= 0.1), count_if(rate > 0.1) "
            f"FROM inputevents WHERE itemid = {itemid} AND rateuom = 'mcg/kg/min'"
        )[0]
        assert min(low, high) > 3


@pytest.mark.parametrize(
    ("crisis", "measure", "sign"),
    [
        ("hypothermia", "celsius_min", -1),
        ("hypothermia", "heart_min", -1),
        ("heat stroke", "celsius_max", 1),
        ("heat stroke", "heart_max", 1),
        ("heart block", "heart_min", -1),
        ("tachyarrhythmia", "heart_max", 1),
        ("hypertensive emergency", "systolic_max", 1),
        ("circulatory collapse", "pressure_min", -1),
        ("status asthmaticus", "breaths_max", 1),
        ("opioid poisoning", "breaths_min", -1),
        ("ketoacidosis", "breaths_max", 1),
        ("ketoacidosis", "glucose_max", 1),
        ("hypoglycaemia", "glucose_min", -1),
    ],
)
def test_a_crisis_shows_in_what_it_disturbs(ask: Ask, crisis: str, measure: str, sign: int) -> None:
    """Those in a crisis differ in the measurement it acts on from those in none, as the crisis would have it."""
    inside, outside = (
        ask(
            f"SELECT median({measure}) FROM first_day JOIN crisis USING (stay_id) WHERE name = '{name}'"
        )[0][0]
        for name in (crisis, "none")
    )
    assert sign * (inside - outside) > 0


def test_rhythm_goes_with_the_rate(ask: Ask) -> None:
    """Sinus bradycardia is charted below 60 and tachycardia above 100 beats; a block beats slower than either."""
    rates: dict[str, float] = dict(
        ask(
            "SELECT r.value, median(h.valuenum) FROM chartevents r JOIN chartevents h USING (stay_id, charttime) "
            "WHERE r.itemid = 220048 AND h.itemid = 220045 AND h.valuenum BETWEEN 10 AND 290 GROUP BY 1"
        )
    )
    assert rates["SB (Sinus Bradycardia)"] < 60 < rates["SR (Sinus Rhythm)"]
    assert rates["SR (Sinus Rhythm)"] < 100 < rates["ST (Sinus Tachycardia)"]
    assert rates["3rd AV (Complete Heart Block)"] < rates["SR (Sinus Rhythm)"]
    assert rates["SVT (Supra Ventricular Tachycardia)"] > 100


def test_tubes_and_their_drugs_go_together(ask: Ask) -> None:
    """Sedatives and relaxants by infusion are given mostly to those who are charted on a ventilator."""
    within, all_given = ask(
        "SELECT count(DISTINCT stay_id) FILTER (stay_id IN (SELECT stay_id FROM chartevents "
        "WHERE itemid IN (223849, 229314))), count(DISTINCT stay_id) "
        "FROM inputevents WHERE itemid = 222168 AND rateuom = 'mcg/kg/min'"
    )[0]
    assert within > 0.85 * all_given


def test_a_crisis_begins_at_once_and_halves() -> None:
    """Before its hour a crisis is nowhere, at it as deep as drawn, a half-life later half as deep."""
    course = Block(5, 0, 250, 0).cohort.stays.course
    for which, crisis in enumerate(CRISES[1:], start=1):
        stay = (course.crisis == which).nonzero()[0]
        assert 1 <= len(stay) < 25
        begin, deep = course.crisis_from[stay], course.crisis_depth[stay]
        assert not course.in_crisis(crisis.name, stay, begin - 0.01).any()
        assert course.in_crisis(crisis.name, stay, begin) == pytest.approx(deep)
        later = course.in_crisis(crisis.name, stay, begin + crisis.half_life)
        assert later == pytest.approx(deep / 2)


def test_an_unknown_crisis_is_refused() -> None:
    """A name that is no crisis raises instead of giving nobody in it."""
    course = Block(5, 0, 20, 0).cohort.stays.course
    with pytest.raises(ValueError, match="sunstroke"):
        course.in_crisis("sunstroke", course.crisis[:1], course.crisis_from[:1])
