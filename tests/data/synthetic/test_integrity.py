# SPDX-License-Identifier: MIT
"""Rows belong to somebody, identifiers are unique, and times run forward."""

import numpy as np
import pytest

from m4bench.data.synthetic.block import Block
from tests.data.synthetic.conftest import Rows

STAY_EVENTS = ("chartevents", "inputevents", "outputevents", "procedureevents")


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("patients", "subject_id"),
        ("admissions", "hadm_id"),
        ("icustays", "stay_id"),
        ("transfers", "transfer_id"),
        ("labevents", "labevent_id"),
        ("inputevents", "orderid"),
        ("procedureevents", "orderid"),
        ("prescriptions", "pharmacy_id"),
        ("microbiologyevents", "microevent_id"),
        ("d_items", "itemid"),
        ("d_labitems", "itemid"),
        ("d_icd_diagnoses", "(icd_code, icd_version)"),
        ("diagnoses_icd", "(hadm_id, seq_num)"),
    ],
)
def test_identifiers_are_unique(rows: Rows, table: str, key: str) -> None:
    """A table's identifier is present and names one row."""
    total, distinct = rows(f"SELECT count(*), count(DISTINCT {key}) FROM {table}")[0]
    assert total == distinct > 0


@pytest.mark.parametrize(
    "table",
    ["icustays", "diagnoses_icd", "transfers", "services", "prescriptions", *STAY_EVENTS],
)
def test_every_row_belongs_to_an_admission_of_its_patient(rows: Rows, table: str) -> None:
    """Patient and admission of a row belong together."""
    orphans = f"SELECT count(*) FROM {table} t ANTI JOIN admissions a USING (subject_id, hadm_id)"
    assert rows(orphans) == [(0,)]


@pytest.mark.parametrize("table", STAY_EVENTS)
def test_every_event_belongs_to_a_stay_of_its_admission(rows: Rows, table: str) -> None:
    """Patient, admission and stay of an event belong together."""
    orphans = (
        f"SELECT count(*) FROM {table} t ANTI JOIN icustays s USING (subject_id, hadm_id, stay_id)"
    )
    assert rows(orphans) == [(0,)]


@pytest.mark.parametrize("table", ["admissions", "labevents", "microbiologyevents"])
def test_patients_are_known_and_a_filed_admission_is_theirs(rows: Rows, table: str) -> None:
    """Rows name a known patient, and an admission only if it is the patient's."""
    assert rows(f"SELECT count(*) FROM {table} ANTI JOIN patients USING (subject_id)") == [(0,)]
    strangers = (
        f"SELECT count(*) FROM (SELECT * FROM {table} WHERE hadm_id IS NOT NULL) t "
        "ANTI JOIN admissions a USING (subject_id, hadm_id)"
    )
    assert rows(strangers) == [(0,)]


@pytest.mark.parametrize(
    ("table", "dictionary"),
    [
        ("labevents", "d_labitems"),
        ("chartevents", "d_items WHERE linksto = 'chartevents'"),
        ("inputevents", "d_items WHERE linksto = 'inputevents'"),
        ("outputevents", "d_items WHERE linksto = 'outputevents'"),
        ("procedureevents", "d_items WHERE linksto = 'procedureevents'"),
    ],
)
def test_items_are_in_the_dictionary_under_their_table(
    rows: Rows, table: str, dictionary: str
) -> None:
    """The dictionary has each item that occurs, and says in which table it occurs."""
    unknown = (
        f"SELECT DISTINCT itemid FROM {table} WHERE itemid NOT IN (SELECT itemid FROM {dictionary})"
    )
    assert rows(unknown) == []


def test_codes_are_in_the_dictionary_but_for_the_padded_ones(rows: Rows) -> None:
    """Every diagnosis code has a title once blanks at its end are cut off."""
    unknown = (
        "SELECT count(*) FROM (SELECT rtrim(icd_code) AS icd_code, icd_version FROM diagnoses_icd) c "
        "ANTI JOIN d_icd_diagnoses d USING (icd_code, icd_version)"
    )
    assert rows(unknown) == [(0,)]


@pytest.mark.parametrize(
    "disorder",
    [
        "FROM admissions WHERE dischtime <= admittime",
        "FROM admissions WHERE (hospital_expire_flag = 1) <> (deathtime IS NOT NULL)",
        "FROM admissions WHERE (hospital_expire_flag = 1) <> (discharge_location = 'DIED')",
        "FROM admissions WHERE edregtime > admittime OR edouttime < edregtime",
        "FROM admissions JOIN patients USING (subject_id) WHERE dod < admittime::DATE",
        "FROM admissions JOIN patients USING (subject_id) "
        "WHERE anchor_age + year(admittime) - anchor_year < 18",
        "FROM icustays s JOIN admissions a USING (hadm_id) WHERE s.outtime > a.dischtime",
        "FROM chartevents JOIN admissions USING (hadm_id) WHERE charttime > deathtime",
        "FROM outputevents JOIN admissions USING (hadm_id) WHERE charttime > deathtime",
        "FROM labevents JOIN admissions USING (hadm_id) WHERE charttime > deathtime",
        "FROM inputevents JOIN admissions USING (hadm_id) WHERE endtime > deathtime + INTERVAL 2 MINUTE",
        "FROM icustays WHERE outtime <= intime OR abs(los - epoch(outtime - intime) / 86400) > 1e-9",
        "FROM icustays s JOIN admissions a USING (hadm_id) "
        "WHERE s.intime < a.admittime OR s.outtime > a.dischtime + INTERVAL 1 MINUTE",
        "FROM inputevents WHERE endtime <= starttime",
        "FROM procedureevents WHERE endtime <= starttime",
        "FROM labevents WHERE storetime < charttime",
        "FROM chartevents WHERE storetime < charttime",
        "FROM chartevents c JOIN icustays s USING (stay_id) "
        "WHERE c.charttime < s.intime - INTERVAL 3 HOUR OR c.charttime > s.outtime + INTERVAL 3 DAY",
        "FROM icustays a JOIN icustays b USING (subject_id) "
        "WHERE a.stay_id <> b.stay_id AND a.intime <= b.intime AND b.intime < a.outtime",
        "FROM admissions a JOIN admissions b USING (subject_id) WHERE a.hadm_id <> b.hadm_id "
        "AND a.admittime <= b.admittime AND b.admittime < a.dischtime",
        "FROM (SELECT specimen_id FROM labevents GROUP BY specimen_id "
        "HAVING count(DISTINCT (subject_id, hadm_id, charttime)) > 1)",
    ],
)
def test_times_and_specimens_are_in_order(rows: Rows, disorder: str) -> None:
    """No row is out of the order of a real stay."""
    assert rows(f"SELECT count(*) {disorder}") == [(0,)]


def test_a_hospital_has_the_stays_asked_for(rows: Rows) -> None:
    """There are exactly 300 stays, in several admissions and patients, some of them shared."""
    stays, admissions, patients = rows(
        "SELECT count(*), count(DISTINCT hadm_id), count(DISTINCT subject_id) FROM icustays"
    )[0]
    assert stays == 300
    assert stays > admissions > patients > 150


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_is_admitted_before_coming_of_age(seed: int) -> None:
    """Also of those whose admission lies years before their anchor year; there are young ones enough."""
    cohort = Block(seed, 0, 20_000, 0).cohort
    people, admissions = cohort.patients, cohort.admissions
    year = admissions.admitted.astype("datetime64[s]").astype("datetime64[Y]").astype(int) + 1970
    age = (people.anchor_age - people.anchor_year)[admissions.patient] + year
    assert age.min() == 18
    assert (people.anchor_age == 18).sum() > 20
    assert (year < people.anchor_year[admissions.patient]).sum() > 500


def test_no_age_is_commoner_than_its_neighbours() -> None:
    """The generator knows no threshold of a score: each tenth year is as common as those beside it."""
    age = Block(3, 0, 60_000, 0).cohort.patients.anchor_age
    counted = np.bincount(age, minlength=92)
    assert (counted[18:90] > 0).all()
    for edge in (30, 40, 50, 60, 70, 80):
        beside = (counted[edge - 1] + counted[edge + 1]) / 2
        assert counted[edge] == pytest.approx(beside, rel=0.2)
