# SPDX-License-Identifier: MIT
"""Prescriptions and cultures hold every name, route and order in time that the derivations tell apart."""

import re
from pathlib import Path

import duckdb
import pytest

from tests.data.synthetic.mimic.hospital_blocks import hosp_blocks, opened

ANTIBIOTIC = "regexp_matches(lower(drug), '(cillin|cef|mycin|floxacin|penem|sulfa|cycline|nidazole|mupirocin)')"
"""Some of the names, for rows of which only the route or the kind matters."""


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    """An engine with two blocks at full density: some names are rare."""
    return opened(hosp_blocks(300, blocks=2))


def listed(shared: Path, concept: str) -> set[str]:
    """Return the names that a specification lists among its items, in lower case."""
    text = (shared / "specs" / "concepts" / f"{concept}.md").read_text(encoding="utf-8")
    items = text.split("## Items")[1].split("\n## ")[0]
    if concept == "antibiotic":
        names = items.split("literal):")[1].split("**Route")[0]
        return set(re.findall(r"`([^`]+)`", names))
    if concept == "arb":
        return {word.lower() for word in re.findall(r"\b[A-Z]{5,}\b", items.split("(EPRO")[0])}
    names = next(line for line in items.splitlines() if line.count(",") > 5)
    return {name.strip(" .").lower() for name in re.sub(r" \([^)]*\)", "", names).split(",")}


@pytest.mark.parametrize(
    ("concept", "number"), [("acei", 10), ("arb", 16), ("nsaid", 20), ("antibiotic", 152)]
)
def test_every_listed_name_is_prescribed(
    engine: duckdb.DuckDBPyConnection, shared: Path, concept: str, number: int
) -> None:
    """Each name that a specification looks for is part of a prescribed drug's name."""
    names = listed(shared, concept)
    assert len(names) == number
    drugs = [
        drug
        for (drug,) in engine.execute("SELECT DISTINCT lower(drug) FROM prescriptions").fetchall()
        if drug
    ]
    assert {name for name in names if not any(name in drug for drug in drugs)} == set()


@pytest.mark.parametrize(
    "name",
    [
        "ketorolac", "eprosartan", "daptomycin", "ertapenem", "imipenem", "tigecycline", "fluconazole",
        "micafungin", "acyclovir", "colistin", "fidaxomicin", "aliskiren", "salsalate",
    ],
)  # fmt: skip
def test_look_alikes_are_prescribed(engine: duckdb.DuckDBPyConnection, name: str) -> None:
    """Drugs of the same kind that no list names are prescribed too."""
    found = engine.execute(
        "SELECT count(*) FROM prescriptions WHERE contains(lower(drug), ?)", [name]
    )
    assert found.fetchall()[0][0] > 0


@pytest.mark.parametrize(
    "case",
    [
        *(f"route = '{route}'" for route in ("OU", "OS", "OD", "AU", "AS", "AD", "TP", "tp")),
        "route ILIKE '%ear%'", "route ILIKE '%eye%'", "drug ILIKE '%cream%'", "drug ILIKE '%gel%'",
        "drug ILIKE '%desensitization%'", "drug ILIKE '%ophth oint%'", "route = 'NU'", "route IS NULL",
    ],
)  # fmt: skip
def test_every_exclusion_has_its_rows(engine: duckdb.DuckDBPyConnection, case: str) -> None:
    """Anti-infective drugs come by each route and in each form that is left out, or kept beside it."""
    query = f"SELECT count(*) FROM prescriptions WHERE {ANTIBIOTIC} AND {case}"
    assert engine.execute(query).fetchall()[0][0] > 0


def test_bases_are_licensed_by_other_rows_or_not_at_all(engine: duckdb.DuckDBPyConnection) -> None:
    """An antibiotic entered as a base shares drug and route with a main drug in one case and in another does not."""
    licensed = dict(
        engine.execute(
            "SELECT drug, count(*) FILTER (drug_type <> 'BASE') > 0 FROM prescriptions "
            f"WHERE {ANTIBIOTIC} GROUP BY drug, route HAVING count_if(drug_type = 'BASE') > 0"
        ).fetchall()
    )
    assert set(licensed.values()) == {True, False}


@pytest.mark.parametrize(
    ("mess", "least", "most"),
    [
        ("stoptime < starttime", 2, 6), ("stoptime IS NULL", 0.1, 1), ("starttime IS NULL", 0.01, 0.3),
        ("route IS NULL", 0.1, 1), ("drug IS NULL", 0.001, 0.1), ("drug LIKE '% '", 0.2, 6),
        ("drug = upper(drug) AND drug <> 'SW' AND drug <> 'NS' AND drug <> 'D5W'", 0.2, 2),
        ("drug_type = 'BASE'", 12, 26), ("drug_type = 'ADDITIVE'", 0.02, 0.4),
        ("dose_val_rx LIKE '%-%'", 1, 6), ("minute(starttime) <> 0", 2, 12),
    ],
)  # fmt: skip
def test_prescriptions_are_as_untidy_as_real_ones(
    engine: duckdb.DuckDBPyConnection, mess: str, least: float, most: float
) -> None:
    """Each kind of mess is there at about the rate of real orders, in percent."""
    query = f"SELECT 100.0 * count_if({mess}) / count(*) FROM prescriptions"
    assert least <= engine.execute(query).fetchall()[0][0] <= most


def test_some_orders_are_entered_twice(engine: duckdb.DuckDBPyConnection) -> None:
    """A few prescriptions agree in patient, drug, start and stop, and differ in their number only."""
    twice = engine.execute(
        "SELECT count(*) FROM (SELECT hadm_id FROM prescriptions WHERE drug_type = 'MAIN' "
        "GROUP BY hadm_id, drug, route, starttime, stoptime HAVING count(*) > 1 AND count(DISTINCT pharmacy_id) > 1)"
    ).fetchall()[0][0]
    orders = engine.execute("SELECT count(*) FROM prescriptions").fetchall()[0][0]
    assert 0.001 * orders < twice < 0.03 * orders


COURSES = f"""
WITH ordered AS (
  SELECT subject_id, starttime FROM prescriptions WHERE {ANTIBIOTIC} AND route = 'IV' AND starttime IS NOT NULL
), taken AS (
  SELECT subject_id, micro_specimen_id, max(charttime) AS charttime, max(chartdate)::DATE AS chartdate
  FROM microbiologyevents GROUP BY ALL
), pairs AS (
  SELECT o.subject_id, o.starttime, t.charttime, t.micro_specimen_id,
    t.charttime < o.starttime AND o.starttime <= t.charttime + INTERVAL 72 HOUR AS before,
    t.charttime - INTERVAL 24 HOUR <= o.starttime AND o.starttime < t.charttime AS after,
    t.charttime IS NULL AND o.starttime::DATE BETWEEN t.chartdate AND t.chartdate + 3 AS dated
  FROM ordered AS o LEFT JOIN taken AS t USING (subject_id)
), told AS (
  SELECT subject_id, starttime, count_if(before) AS befores, count_if(after) AS afters,
    count_if(dated) AS dateds FROM pairs GROUP BY ALL
)
"""
"""Intravenous antibiotics and the cultures in their windows, by the words of the specification."""


@pytest.mark.parametrize(
    "case",
    [
        "befores = 1 AND afters = 0", "befores = 0 AND afters > 0 AND dateds = 0", "befores > 2",
        "befores > 0 AND afters > 0", "befores = 0 AND afters = 0 AND dateds > 0",
        "befores = 0 AND afters = 0 AND dateds = 0",
    ],
)  # fmt: skip
def test_cultures_come_before_after_and_apart_from_antibiotics(
    engine: duckdb.DuckDBPyConnection, case: str
) -> None:
    """Each relation of an antibiotic to the cultures around it occurs."""
    query = f"{COURSES} SELECT count(*) FROM told WHERE {case}"
    assert engine.execute(query).fetchall()[0][0] > 0


@pytest.mark.parametrize(
    ("case", "least", "most"),
    [
        # share of specimens, in percent
        ("charttime IS NULL", 3, 12), ("hadm_id IS NULL", 15, 45), ("positive > 0", 8, 30),
        ("tried > 0", 3, 22), ("cancelled > 0", 0.2, 6), ("negative > 0", 0.2, 8), ("isolates > 1", 0.5, 8),
    ],
)  # fmt: skip
def test_cultures_are_those_of_a_hospital(
    engine: duckdb.DuckDBPyConnection, case: str, least: float, most: float
) -> None:
    """Dates without a time, strays, growth, resistance, cancelled and negative cultures come at usual rates."""
    query = (
        f"SELECT 100.0 * count_if({case}) / count(*) FROM (SELECT micro_specimen_id, max(charttime) AS charttime, "
        "max(hadm_id) AS hadm_id, count_if(org_name IS NOT NULL AND org_itemid NOT IN (90856, 90760)) AS positive, "
        "count(ab_name) AS tried, count_if(org_itemid = 90760) AS cancelled, "
        "count_if(org_itemid = 90856) AS negative, max(isolate_num) AS isolates "
        "FROM microbiologyevents GROUP BY 1)"
    )
    assert least <= engine.execute(query).fetchall()[0][0] <= most


@pytest.mark.parametrize(
    "disorder",
    [
        "(org_name IS NULL) <> (org_itemid IS NULL)",
        "ab_name IS NOT NULL AND org_name IS NULL",
        "(interpretation IS NULL) <> (ab_name IS NULL)",
        "(ab_name IS NULL) <> (ab_itemid IS NULL)",
        "storetime < charttime",
        "dilution_value IS NOT NULL AND interpretation IS NULL",
        "charttime::DATE <> chartdate::DATE",
    ],
)
def test_rows_of_cultures_are_in_order(engine: duckdb.DuckDBPyConnection, disorder: str) -> None:
    """What grows has a name, what is tried has an answer, and a time falls on its date."""
    query = f"SELECT count(*) FROM microbiologyevents WHERE {disorder}"
    assert engine.execute(query).fetchall() == [(0,)]


def test_infected_patients_get_antibiotics_and_cultures(engine: duckdb.DuckDBPyConnection) -> None:
    """Admissions for sepsis have at least half as many antibiotics again as those for chest pain."""
    sepsis, pain = (
        engine.execute(
            "SELECT count(*) / count(DISTINCT hadm_id) FROM (SELECT hadm_id FROM diagnoses_icd WHERE seq_num = 1 "
            f"AND rtrim(icd_code) IN {codes}) LEFT JOIN (SELECT hadm_id FROM prescriptions WHERE {ANTIBIOTIC} "
            "AND route = 'IV') USING (hadm_id)"
        ).fetchall()[0][0]
        for codes in (("0389", "A419"), ("78650", "R079"))
    )
    assert sepsis > 1.5 * pain
