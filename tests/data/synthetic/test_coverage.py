# SPDX-License-Identifier: MIT
"""At the demo's size the charts hold everything the derivations look for, and the mess of real charts."""

import re
from pathlib import Path

import pytest

from tests.data.synthetic.conftest import Rows

ALL_EVENTS = (
    "SELECT itemid FROM chartevents UNION SELECT itemid FROM labevents UNION SELECT itemid FROM inputevents "
    "UNION SELECT itemid FROM outputevents UNION SELECT itemid FROM procedureevents"
)
CONCEPTS = (
    "bg", "ventilation", "ventilator_setting", "oxygen_delivery", "vitalsign", "chemistry",
    "complete_blood_count", "blood_differential", "coagulation", "enzyme", "gcs", "urine_output",
    "weight_durations", "height", "urine_output_rate", "norepinephrine", "epinephrine", "dopamine",
    "dobutamine", "rrt", "crrt",
)  # fmt: skip


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_item_of_a_concept_occurs(rows: Rows, shared: Path, concept: str) -> None:
    """Each item that the concept's specification lists in its tables of items is charted somewhere."""
    text = (shared / "specs" / "concepts" / f"{concept}.md").read_text(encoding="utf-8")
    section = text.split("## Items")[1].split("\n## ")[0]
    listed = {
        int(item)
        for line in section.splitlines()
        if line.startswith("|")
        for item in re.findall(r"\b(5[0-3]\d{3}|22\d{4})\b", line)
    }
    found = {item for (item,) in rows(ALL_EVENTS)}
    assert listed - found == set()


DEVICES = (
    "Tracheostomy tube", "Trach mask ", "Endotracheal tube", "Bipap mask ", "CPAP mask ",
    "High flow nasal cannula", "Non-rebreather", "Face tent", "Aerosol-cool", "Venti mask ",
    "Medium conc mask ", "Ultrasonic neb", "Vapomist", "Oxymizer", "High flow neb", "Nasal cannula",
    "None", "T-piece", "Other",
)  # fmt: skip
VENTILATOR_MODES = (
    "(S) CMV", "APRV", "APRV/Biphasic+ApnPress", "APRV/Biphasic+ApnVol", "APV (cmv)", "Ambient",
    "Apnea Ventilation", "CMV", "CMV/ASSIST", "CMV/ASSIST/AutoFlow", "CMV/AutoFlow", "CPAP/PPS",
    "CPAP/PSV", "CPAP/PSV+Apn TCPL", "CPAP/PSV+ApnPres", "CPAP/PSV+ApnVol", "MMV", "MMV/AutoFlow",
    "MMV/PSV", "MMV/PSV/AutoFlow", "P-CMV", "PCV+", "PCV+/PSV", "PCV+Assist", "PRES/AC", "PRVC/AC",
    "PRVC/SIMV", "PSV/SBT", "SIMV", "SIMV/AutoFlow", "SIMV/PRES", "SIMV/PSV", "SIMV/PSV/AutoFlow",
    "SIMV/VOL", "SYNCHRON MASTER", "SYNCHRON SLAVE", "VOL/AC", "Standby",
)  # fmt: skip
HAMILTON_MODES = (
    "APRV", "APV (cmv)", "Ambient", "(S) CMV", "P-CMV", "SIMV", "APV (simv)", "P-SIMV", "VS", "ASV",
    "DuoPaP", "NIV", "NIV-ST", "SPONT", "Standby",
)  # fmt: skip
ANSWERS = {
    223900: {
        "Oriented": 5, "Confused": 4, "Inappropriate Words": 3, "Incomprehensible sounds": 2,
        "No Response": 1, "No Response-ETT": 1,
    },
    223901: {
        "Obeys Commands": 6, "Localizes Pain": 5, "Flex-withdraws": 4, "Abnormal Flexion": 3,
        "Abnormal extension": 2, "No response": 1,
    },
    220739: {"Spontaneously": 4, "To Speech": 3, "To Pain": 2, "None": 1},
}  # fmt: skip


@pytest.mark.parametrize(
    ("itemid", "expected"),
    [
        (226732, DEVICES),
        (223849, VENTILATOR_MODES),
        (229314, HAMILTON_MODES),
        (227290, ("CVVH", "CVVHD", "CVVHDF", "SCUF")),
        (225965, ("In use", "Capped")),
        (224146, ("Active", "Clots Present", "Clotted", "Discontinued")),
    ],
)
def test_every_text_is_charted(rows: Rows, itemid: int, expected: tuple[str, ...]) -> None:
    """All texts a rule names occur, to the letter and to the blank at the end."""
    found = {
        value
        for (value,) in rows(f"SELECT DISTINCT value FROM chartevents WHERE itemid = {itemid}")
    }
    assert set(expected) - found == set()


@pytest.mark.parametrize("itemid", sorted(ANSWERS))
def test_answers_of_the_coma_scale_carry_their_points(rows: Rows, itemid: int) -> None:
    """Each answer occurs with its own number of points, a few answers without any number."""
    charted = rows(
        f"SELECT DISTINCT value, valuenum::INT FROM chartevents WHERE itemid = {itemid} AND valuenum IS NOT NULL"
    )
    assert dict(charted) == ANSWERS[itemid]
    assert len(charted) == len(ANSWERS[itemid])


def test_specimens_are_arterial_venous_and_unlabelled(rows: Rows) -> None:
    """Gases come from arteries, veins, central lines, and one in twenty or so carries no label."""
    labels = dict(rows("SELECT value, count(*) FROM labevents WHERE itemid = 52033 GROUP BY 1"))
    assert set(labels) == {"ART.", "VEN.", "CENTRAL VENOUS.", "MIX."}
    assert labels["ART."] > labels["VEN."] > labels["MIX."]
    unlabelled = rows(
        "SELECT count(*) FROM (SELECT specimen_id FROM labevents WHERE itemid = 50821 EXCEPT "
        "SELECT specimen_id FROM labevents WHERE itemid = 52033)"
    )[0][0]
    assert unlabelled > 20


@pytest.mark.parametrize(
    ("mess", "least", "most"),
    [
        # share of all rows that show it, in percent
        ("hadm_id IS NULL FROM labevents", 3, 20),
        ("valuenum IS NULL FROM labevents", 0.5, 6),
        ("value = '___' FROM labevents", 0.05, 1),
        ("comments LIKE 'HEMOLYSIS%' FROM labevents", 0.1, 1),
        ("storetime > charttime + INTERVAL 8 HOUR FROM labevents", 0.5, 4),
        ("storetime > charttime + INTERVAL 8 HOUR FROM chartevents", 0.3, 3),
        ("value IS NULL FROM outputevents", 0.1, 2),
        ("valuenum IS NULL FROM chartevents WHERE itemid = 220045", 0.01, 0.5),
        ("valuenum <= 0 OR valuenum >= 300 FROM chartevents WHERE itemid = 220045", 0.01, 0.5),
        ("valuenum < 70 FROM chartevents WHERE itemid = 223761", 0.03, 1.5),
        ("valuenum > 100 OR valuenum = 0 FROM chartevents WHERE itemid = 220277", 0.01, 0.5),
        ("valuenum BETWEEN 0.21 AND 1 FROM chartevents WHERE itemid = 223835", 1, 20),
        ("valuenum <= 0.2 OR valuenum BETWEEN 1.01 AND 20 OR valuenum > 100 "
         "FROM chartevents WHERE itemid = 223835", 0.3, 5),
        ("valuenum BETWEEN 0.21 AND 1 FROM labevents WHERE itemid = 50816", 3, 15),
        ("valuenum <= 0.2 OR valuenum BETWEEN 1.01 AND 20 FROM labevents WHERE itemid = 50816", 0.5, 6),
        ("value LIKE '%-ETT' FROM chartevents WHERE itemid = 223900", 5, 50),
        ("icd_code LIKE '% ' FROM diagnoses_icd", 0.05, 1.5),
        ("rate = 0 FROM inputevents", 0.2, 4),
        ("rate IS NULL FROM inputevents", 35, 60),
        ("rate IS NULL FROM inputevents WHERE itemid IN (221906, 221289, 221662, 221653)", 0.1, 5),
        ("rateuom = 'mg/kg/min' FROM inputevents WHERE itemid = 221906", 0.1, 3),
    ],
)  # fmt: skip
def test_mess_occurs_at_the_rate_of_real_charts(
    rows: Rows, mess: str, least: float, most: float
) -> None:
    """Each kind of mess is there, and stays the exception it is in practice."""
    condition, source = mess.split(" FROM ", 1)
    share = rows(f"SELECT 100.0 * count_if({condition}) / count(*) FROM {source}")[0][0]
    assert least <= share <= most


@pytest.mark.parametrize(
    ("what", "query"),
    [
        ("stays without any chart", "FROM icustays ANTI JOIN chartevents USING (stay_id)"),
        ("stays without any data at all",
         "FROM icustays ANTI JOIN chartevents USING (stay_id) ANTI JOIN labevents USING (hadm_id)"),
        ("stays without a weight",
         "FROM (SELECT DISTINCT stay_id FROM chartevents) ANTI JOIN "
         "(SELECT stay_id FROM chartevents WHERE itemid IN (226512, 224639)) USING (stay_id)"),
        ("stays with a daily weight only",
         "FROM (SELECT DISTINCT stay_id FROM chartevents WHERE itemid = 224639) ANTI JOIN "
         "(SELECT stay_id FROM chartevents WHERE itemid = 226512) USING (stay_id)"),
        ("stays without urine",
         "FROM (SELECT DISTINCT stay_id FROM chartevents) ANTI JOIN outputevents USING (stay_id)"),
        ("admissions with several stays",
         "FROM (SELECT hadm_id FROM icustays GROUP BY 1 HAVING count(*) > 1)"),
        ("admissions without a stay", "FROM admissions ANTI JOIN icustays USING (hadm_id)"),
        ("patients without an admission", "FROM patients ANTI JOIN admissions USING (subject_id)"),
        ("admissions without diagnoses", "FROM admissions ANTI JOIN diagnoses_icd USING (hadm_id)"),
        ("two gases in one minute",
         "FROM (SELECT subject_id, charttime FROM labevents WHERE itemid = 50821 "
         "GROUP BY ALL HAVING count(DISTINCT specimen_id) > 1)"),
        ("urine of several routes in one minute",
         "FROM (SELECT stay_id, charttime FROM outputevents WHERE itemid IN (226559, 226564, 226565, "
         "226557, 226558, 227488, 227489) GROUP BY ALL HAVING count(DISTINCT itemid) > 1)"),
        ("the tube's answer beside a spoken one",
         "FROM (SELECT stay_id, charttime FROM chartevents WHERE itemid = 223900 "
         "GROUP BY ALL HAVING count(DISTINCT value) > 1)"),
        ("rows charted twice",
         "FROM (SELECT stay_id, charttime, itemid, value FROM chartevents GROUP BY ALL HAVING count(*) > 1)"),
        ("results repeated in a specimen",
         "FROM (SELECT specimen_id, itemid FROM labevents GROUP BY ALL HAVING count(*) > 1)"),
        ("a mislabelled weight of one",
         "FROM inputevents WHERE rateuom = 'mg/kg/min' AND patientweight = 1"),
        ("stays of less than six hours", "FROM icustays WHERE los < 0.25"),
        ("stays of more than a week", "FROM icustays WHERE los > 7"),
    ],
)  # fmt: skip
def test_odd_cases_occur(rows: Rows, what: str, query: str) -> None:
    """The odd case exists, and remains one: fewer than half of the stays' number."""
    count = rows(f"SELECT count(*) {query}")[0][0]
    common = {
        "rows charted twice",
        "urine of several routes in one minute",
        "admissions without a stay",
    }
    limit = 1e9 if what in common else 150
    assert 1 <= count <= limit, what


def test_look_alikes_are_in_the_dictionaries(rows: Rows) -> None:
    """The dictionaries tempt with items that no concept uses."""
    items = {item for (item,) in rows("SELECT itemid FROM d_items")}
    assert items >= {226566, 227442, 226627, 226631, 226531, 220615, 227457, 229632}
    labs = {item for (item,) in rows("SELECT itemid FROM d_labitems")}
    assert labs >= {52546, 53085, 53084, 53089, 52172, 50915, 52551, 52028, 51118}


def test_both_icd_versions_are_billed(rows: Rows) -> None:
    """ICD-9 and ICD-10 each code at least a fifth of the admissions, never one both."""
    shares = dict(rows("SELECT icd_version, count(DISTINCT hadm_id) FROM diagnoses_icd GROUP BY 1"))
    assert set(shares) == {9, 10}
    assert min(shares.values()) > 0.2 * sum(shares.values())
    mixed = "SELECT count(*) FROM (SELECT hadm_id FROM diagnoses_icd GROUP BY 1 HAVING count(DISTINCT icd_version) > 1)"
    assert rows(mixed) == [(0,)]
