# SPDX-License-Identifier: MIT
"""Every table of the hospital module has rows that belong together, as many as the open demo, in every column."""

import csv
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from m4bench.data.catalogue import declared_tables
from tests.data.synthetic.mimic.hospital_blocks import hosp_blocks, opened

STAYS = 250
REGISTERS = (
    "patients", "admissions", "transfers", "services", "diagnoses_icd", "procedures_icd", "drgcodes",
    "hcpcsevents",
)  # fmt: skip
EVENTS = (
    "labevents", "prescriptions", "pharmacy", "poe", "poe_detail", "emar", "emar_detail",
    "microbiologyevents", "omr",
)  # fmt: skip
NEVER_FILLED = {("microbiologyevents", "quantity")}
"""Null throughout in the released data too."""


@pytest.fixture(scope="module")
def tables() -> dict[str, pa.Table]:
    """The tables of one block at full density."""
    return hosp_blocks(STAYS)


@pytest.fixture(scope="module")
def engine(tables: dict[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """An engine that holds them."""
    return opened(tables)


def count(engine: duckdb.DuckDBPyConnection, query: str) -> int:
    """Return how many rows `FROM …` has."""
    return int(engine.execute(f"SELECT count(*) {query}").fetchall()[0][0])


def test_every_column_of_every_table_is_filled(tables: dict[str, pa.Table]) -> None:
    """No declared table lacks rows, and no column is null throughout but those that are in the release."""
    declared = {
        name.partition(".")[2]: [column.name for column in table.columns]
        for name, table in declared_tables("mimic-iv").items()
        if name.startswith("mimiciv_hosp.")
    }
    assert set(tables) >= set(declared)
    empty = {
        (name, column)
        for name, columns in declared.items()
        for column in columns
        if column in tables[name].column_names
        and tables[name].column(column).null_count == tables[name].num_rows
    }
    assert empty <= NEVER_FILLED | {("d_labitems", "loinc_code")}


@pytest.mark.parametrize("table", [*REGISTERS, *EVENTS])
def test_there_are_as_many_rows_a_stay_as_in_the_demo(
    tables: dict[str, pa.Table], shared: Path, table: str
) -> None:
    """Rows a stay are within three tenths of the open demo's."""
    with (shared / "specs" / "releases.csv").open(encoding="utf-8") as stream:
        rows = {
            row["table"]: int(row["rows"])
            for row in csv.DictReader(stream)
            if row["dataset"] == "mimic-iv-demo"
        }
    typical = rows[f"hosp.{table}"] / rows["icu.icustays"]
    assert 0.7 < tables[table].num_rows / STAYS / typical < 1.3


def test_a_thin_hospital_keeps_its_registers() -> None:
    """At a fifth of the density registers are the same to the cell, and events about a fifth."""
    dense, thin = hosp_blocks(120), hosp_blocks(120, density=0.2)
    for table in REGISTERS:
        assert thin[table].equals(dense[table]), table
    for table in EVENTS:
        assert 0.1 < thin[table].num_rows / dense[table].num_rows < 0.4, table


@pytest.mark.parametrize(
    "strangers",
    [
        "FROM pharmacy p ANTI JOIN poe USING (poe_id, subject_id, hadm_id)",
        "FROM prescriptions p ANTI JOIN poe USING (poe_id, poe_seq, subject_id, hadm_id)",
        "FROM prescriptions p ANTI JOIN pharmacy USING (pharmacy_id, poe_id, hadm_id)",
        "FROM emar e ANTI JOIN poe USING (poe_id, subject_id)",
        "FROM emar e ANTI JOIN prescriptions USING (pharmacy_id, poe_id) WHERE pharmacy_id IS NOT NULL",
        "FROM emar_detail d ANTI JOIN emar USING (emar_id, emar_seq, subject_id)",
        "FROM emar ANTI JOIN emar_detail USING (emar_id)",
        "FROM emar_detail d JOIN emar e USING (emar_id) WHERE d.pharmacy_id <> e.pharmacy_id",
        "FROM poe_detail d ANTI JOIN poe USING (poe_id, poe_seq, subject_id)",
        "FROM poe WHERE poe_id <> subject_id || '-' || poe_seq",
        "FROM emar WHERE emar_id <> subject_id || '-' || emar_seq",
        "FROM (SELECT max(poe_seq) - count(*) AS gap FROM poe GROUP BY subject_id) WHERE gap <> 0",
        "FROM poe a JOIN poe b USING (subject_id) "
        "WHERE a.poe_seq = b.poe_seq + 1 AND a.ordertime < b.ordertime",
        "FROM poe a JOIN poe b ON a.discontinue_of_poe_id = b.poe_id "
        "WHERE b.discontinued_by_poe_id <> a.poe_id OR a.hadm_id <> b.hadm_id",
        "FROM poe a ANTI JOIN poe b ON a.poe_id = b.discontinue_of_poe_id "
        "WHERE a.discontinued_by_poe_id IS NOT NULL",
        "FROM poe WHERE transaction_type = 'D/C' AND discontinue_of_poe_id IS NULL",
        "FROM emar JOIN prescriptions USING (pharmacy_id) WHERE rtrim(lower(medication)) <> rtrim(lower(drug))",
    ],
)
def test_orders_hang_together(engine: duckdb.DuckDBPyConnection, strangers: str) -> None:
    """What is ordered, dispensed, prescribed and given names one another, and numbers follow time."""
    assert count(engine, strangers) == 0


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("admissions", "admit_provider_id"), ("poe", "order_provider_id"),
        ("prescriptions", "order_provider_id"), ("labevents", "order_provider_id"),
        ("microbiologyevents", "order_provider_id"), ("emar", "enter_provider_id"),
    ],
)  # fmt: skip
def test_providers_are_known(engine: duckdb.DuckDBPyConnection, table: str, column: str) -> None:
    """Whoever orders, admits or documents is in the table of providers."""
    known = f"FROM {table} t ANTI JOIN provider p ON t.{column} = p.provider_id WHERE t.{column} IS NOT NULL"
    assert count(engine, known) == 0
    assert count(engine, f"FROM {table} WHERE {column} IS NOT NULL") > 0


@pytest.mark.parametrize(
    "disorder",
    [
        "FROM icustays s ANTI JOIN transfers t ON s.stay_id = t.transfer_id AND s.hadm_id = t.hadm_id "
        "AND s.intime = t.intime AND s.first_careunit = t.careunit",
        "FROM transfers WHERE (eventtype = 'discharge') <> (outtime IS NULL)",
        "FROM transfers WHERE (eventtype = 'discharge') <> (careunit IS NULL)",
        "FROM transfers WHERE outtime < intime",
        "FROM (SELECT outtime, lead(intime) OVER (PARTITION BY hadm_id ORDER BY intime, outtime, eventtype) "
        "AS following FROM transfers) WHERE outtime <> following",
        "FROM (SELECT hadm_id FROM transfers GROUP BY 1 "
        "HAVING count_if(eventtype = 'discharge') <> 1 OR count_if(eventtype = 'admit') <> 1)",
        "FROM admissions ANTI JOIN services USING (hadm_id)",
        "FROM (SELECT hadm_id FROM services GROUP BY 1 HAVING count_if(prev_service IS NULL) <> 1)",
        "FROM services WHERE prev_service = curr_service",
        "FROM services JOIN admissions USING (hadm_id) WHERE transfertime NOT BETWEEN admittime AND dischtime",
        "FROM procedures_icd p JOIN admissions USING (hadm_id) "
        "WHERE chartdate NOT BETWEEN admittime::DATE AND dischtime::DATE",
        "FROM procedures_icd ANTI JOIN d_icd_procedures USING (icd_code, icd_version)",
        "FROM hcpcsevents h ANTI JOIN d_hcpcs d ON h.hcpcs_cd = d.code",
        "FROM (SELECT hadm_id FROM diagnoses_icd GROUP BY hadm_id, rtrim(icd_code) HAVING count(*) > 1)",
        "FROM drgcodes WHERE (drg_type = 'APR') <> (drg_severity BETWEEN 1 AND 4 AND drg_mortality BETWEEN 1 AND 4)",
        "FROM diagnoses_icd d JOIN procedures_icd p USING (hadm_id) WHERE d.icd_version <> p.icd_version",
    ],
)
def test_the_way_through_the_hospital_is_in_order(
    engine: duckdb.DuckDBPyConnection, disorder: str
) -> None:
    """Wards follow one another without a gap, stays are told as transfers, codes are in their dictionaries."""
    assert count(engine, disorder) == 0


@pytest.mark.parametrize(
    "case",
    [
        "FROM admissions WHERE admission_type = 'ELECTIVE'",
        "FROM admissions WHERE admission_type = 'SURGICAL SAME DAY ADMISSION'",
        "FROM admissions JOIN services USING (hadm_id) WHERE admission_type = 'ELECTIVE' AND "
        "curr_service LIKE '%SURG'",
        "FROM admissions SEMI JOIN (SELECT hadm_id FROM services GROUP BY 1 HAVING count_if(curr_service LIKE "
        "'%SURG' OR curr_service = 'ORTHO') = 0) USING (hadm_id) WHERE admission_type = 'ELECTIVE'",
        "FROM services WHERE curr_service = 'ORTHO'",
        "FROM admissions SEMI JOIN icustays USING (hadm_id) JOIN patients USING (subject_id) WHERE anchor_age = 91",
        "FROM patients WHERE anchor_age < 24",
        "FROM admissions JOIN patients USING (subject_id) WHERE year(admittime) < anchor_year",
        "FROM icustays JOIN admissions USING (hadm_id) WHERE intime - admittime < INTERVAL 10 MINUTE",
        "FROM icustays JOIN admissions USING (hadm_id) WHERE intime - admittime > INTERVAL 18708 MINUTE",
        "FROM admissions SEMI JOIN icustays USING (hadm_id) JOIN icustays s USING (hadm_id) "
        "WHERE hospital_expire_flag = 1 AND deathtime > outtime + INTERVAL 6 HOUR",
        "FROM patients p JOIN admissions a USING (subject_id) "
        "WHERE dod IS NOT NULL AND hospital_expire_flag = 0",
        "FROM (SELECT subject_id FROM icustays GROUP BY 1 HAVING count(DISTINCT hadm_id) > 2)",
        "FROM icustays WHERE first_careunit <> last_careunit",
        "FROM admissions WHERE discharge_location IS NULL",
        "FROM diagnoses_icd WHERE icd_version = 9 AND left(icd_code, 4) IN ('5854', '5855', '5856')",
        "FROM diagnoses_icd WHERE icd_version = 10 AND left(icd_code, 4) IN ('N184', 'N185', 'N186')",
        "FROM diagnoses_icd WHERE left(icd_code, 3) IN ('042', 'B20', 'B24')",
    ],
)  # fmt: skip
def test_what_the_rules_tell_apart_occurs(engine: duckdb.DuckDBPyConnection, case: str) -> None:
    """Each kind of patient, admission and stay that a derivation treats apart is somebody."""
    assert count(engine, case) > 0


def test_a_race_is_told_in_many_ways(engine: duckdb.DuckDBPyConnection) -> None:
    """Races are told in more than fifteen wordings, mostly one patient the same."""
    wordings, changed, people = engine.execute(
        "SELECT (SELECT count(DISTINCT race) FROM admissions), count_if(n > 1), count(*) "
        "FROM (SELECT count(DISTINCT race) AS n FROM admissions GROUP BY subject_id)"
    ).fetchall()[0]
    assert wordings > 15
    assert 0 < changed < 0.2 * people


def test_lengths_and_deaths_are_those_of_a_hospital(engine: duckdb.DuckDBPyConnection) -> None:
    """With an ICU stay half of the admissions last between four and twelve days, and one in eleven ends in death."""
    lower, upper, died, elsewhere = engine.execute(
        "SELECT quantile_cont(days, 0.25) FILTER (icu), quantile_cont(days, 0.75) FILTER (icu), "
        "avg(died) FILTER (icu), avg(died) FILTER (NOT icu) FROM (SELECT hospital_expire_flag AS died, "
        "epoch(dischtime - admittime) / 86400 AS days, hadm_id IN (SELECT hadm_id FROM icustays) AS icu "
        "FROM admissions)"
    ).fetchall()[0]
    assert 3 < lower < 5.5
    assert 8 < upper < 15
    assert 0.05 < died < 0.16
    assert elsewhere < 0.03
