# SPDX-License-Identifier: MIT
"""At the demo's size the ICU tables hold every item, text, unit and odd row that a specification speaks of."""

import re
from pathlib import Path

import pytest

from tests.data.synthetic.conftest import Rows

EVENTS = (
    "SELECT itemid FROM chartevents UNION SELECT itemid FROM inputevents "
    "UNION SELECT itemid FROM outputevents UNION SELECT itemid FROM procedureevents"
)
CONCEPTS = (
    "code_status", "crrt", "dobutamine", "dopamine", "epinephrine", "gcs", "height", "icp", "invasive_line",
    "milrinone", "neuroblock", "norepinephrine", "oxygen_delivery", "phenylephrine", "rhythm", "rrt",
    "urine_output", "urine_output_rate", "vasopressin", "ventilator_setting", "vitalsign", "weight_durations",
)  # fmt: skip


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_item_of_a_concept_occurs(rows: Rows, shared: Path, concept: str) -> None:
    """Each ICU item that the specification lists in its tables of items is documented somewhere."""
    text = (shared / "specs" / "concepts" / f"{concept}.md").read_text(encoding="utf-8")
    section = text.split("## Items")[1].split("\n## ")[0]
    listed = {int(item) for item in re.findall(r"\b(22\d{4})\b", section)}
    assert listed
    assert listed - {item for (item,) in rows(EVENTS)} == set()


def test_code_status_is_written_to_the_letter(rows: Rows) -> None:
    """The five wordings that count occur, one that does not, and rows without any."""
    found = {
        text for (text,) in rows("SELECT DISTINCT value FROM chartevents WHERE itemid = 223758")
    }
    assert found == {
        "Full code", "Comfort measures only", "DNI (do not intubate)", "DNR (do not resuscitate)",
        "DNR / DNI", "Other", None,
    }  # fmt: skip


def test_circuits_say_all_that_is_read_from_them(rows: Rows) -> None:
    """Every state of the circuit that sets a column occurs, and one that sets none."""
    found = {
        text for (text,) in rows("SELECT DISTINCT value FROM chartevents WHERE itemid = 224146")
    }
    assert found >= {
        "Active", "Initiated", "Reinitiated", "New Filter", "Recirculating", "Discontinued",
        "Clots Present", "No Clot Present", "Clots Increasing", "Clot Increasing", "Clotted",
        "Line pressure inconsistent",
    }  # fmt: skip


def test_sites_of_lines_are_written_in_several_ways(rows: Rows) -> None:
    """Sites occur with and without a full stop, with a blank at the end, in other words, and not at all."""
    found = {
        site
        for (site,) in rows(
            "SELECT DISTINCT location FROM procedureevents p JOIN d_items USING (itemid) "
            "WHERE category LIKE 'Access Lines%'"
        )
    }
    mapped = {"Antecub", "Antecube", "Axilla", "Brachial", "Femoral"}
    assert found >= {f"{side} {site}" for side in ("Left", "Right") for site in mapped}
    dotted = {"Axilla.", "Brachial.", "Femoral."}
    assert found >= {f"{side} {site}" for side in ("Left", "Right") for site in dotted}
    assert found >= {"Right Antecube ", "Right IJ", None}


@pytest.mark.parametrize(
    ("itemid", "units"),
    [
        # the units that a rule treats apart, and one row without any
        (221906, {"mcg/kg/min", "mg/kg/min", None}),
        (222315, {"units/hour", "units/min", None}),
        (221749, {"mcg/kg/min", "mcg/min", None}),
        (221555, {"mcg/kg/min", None}),
        (222062, {"mg/hour", None}),
    ],
)
def test_infusions_come_in_every_unit(rows: Rows, itemid: int, units: set[str | None]) -> None:
    """Each drug is ordered in all the units that its specification names; a push has none."""
    found = {
        u for (u,) in rows(f"SELECT DISTINCT rateuom FROM inputevents WHERE itemid = {itemid}")
    }
    assert found == units


VASOACTIVE = "itemid IN (221906, 221289, 221662, 221653, 221749, 222315, 221986)"


@pytest.mark.parametrize(
    ("what", "query"),
    [
        ("heights in inches alone",
         "FROM (SELECT subject_id, charttime FROM chartevents WHERE itemid = 226707) "
         "ANTI JOIN (SELECT subject_id, charttime FROM chartevents WHERE itemid = 226730) "
         "USING (subject_id, charttime)"),
        ("an implausible height beside a plausible one in inches",
         "FROM chartevents a JOIN chartevents b USING (subject_id, charttime) WHERE a.itemid = 226730 "
         "AND a.valuenum < 120 AND b.itemid = 226707 AND b.valuenum BETWEEN 48 AND 90"),
        ("two heights at a time",
         "FROM (SELECT subject_id, charttime FROM chartevents WHERE itemid = 226730 "
         "GROUP BY ALL HAVING count(*) > 1)"),
        ("a height in fractions of a centimetre",
         "FROM chartevents WHERE itemid = 226730 AND valuenum <> round(valuenum)"),
        ("weights of 1500 or more", "FROM chartevents WHERE itemid = 224639 AND valuenum >= 1500"),
        ("weights of zero", "FROM chartevents WHERE itemid IN (226512, 224639) AND valuenum = 0"),
        ("a second admission weight",
         "FROM (SELECT stay_id FROM chartevents WHERE itemid = 226512 "
         "GROUP BY ALL HAVING count(DISTINCT charttime) > 1)"),
        ("a weight long after the stay",
         "FROM chartevents JOIN icustays USING (stay_id) WHERE itemid = 224639 "
         "AND charttime > outtime + INTERVAL 2 HOUR"),
        ("pressures of two probes at a time",
         "FROM chartevents a JOIN chartevents b USING (stay_id, charttime) "
         "WHERE a.itemid = 220765 AND b.itemid = 227989"),
        ("a skull pressure out of range",
         "FROM chartevents WHERE itemid = 220765 AND NOT valuenum BETWEEN 0.1 AND 99.9"),
        ("two rhythms at a time",
         "FROM (SELECT stay_id, charttime FROM chartevents WHERE itemid = 220048 "
         "GROUP BY ALL HAVING count(DISTINCT value) > 1)"),
        ("ectopic beats of two kinds",
         "FROM chartevents a JOIN chartevents b USING (stay_id, charttime) "
         "WHERE a.itemid = 224650 AND b.itemid = 226479"),
        ("three or four devices at a time",
         "FROM (SELECT subject_id, charttime FROM chartevents WHERE itemid = 226732 "
         "GROUP BY ALL HAVING count(*) > 2)"),
        ("a device without a word", "FROM chartevents WHERE itemid = 226732 AND value IS NULL"),
        ("a flow beside a mask's flow",
         "FROM chartevents a JOIN chartevents b USING (stay_id, charttime) "
         "WHERE a.itemid = 223834 AND b.itemid = 227582"),
        ("a flow without text",
         "FROM chartevents WHERE itemid = 223834 AND value IS NULL AND valuenum IS NOT NULL"),
        ("a ventilator's number without text",
         "FROM chartevents WHERE itemid BETWEEN 224684 AND 224700 AND value IS NULL AND valuenum > 0"),
        ("PEEP beyond its range", "FROM chartevents WHERE itemid = 220339 AND valuenum > 100"),
        ("masks without the blank at their end",
         "FROM chartevents WHERE itemid = 226732 AND value IN ('Bipap mask', 'CPAP mask')"),
        ("support not charted for 14 hours",
         "FROM (SELECT charttime - lag(charttime) OVER (PARTITION BY stay_id ORDER BY charttime) AS gap "
         "FROM chartevents WHERE itemid IN (226732, 223849, 229314)) WHERE gap >= INTERVAL 14 HOUR"),
        ("irrigant of nothing or less", "FROM outputevents WHERE itemid = 227488 AND value <= 0"),
        ("irrigant out without irrigant in",
         "FROM (SELECT * FROM outputevents WHERE itemid = 227489) "
         "ANTI JOIN (SELECT * FROM outputevents WHERE itemid = 227488) USING (stay_id, charttime)"),
        ("two bags at once",
         f"FROM (SELECT starttime, max(endtime) OVER (PARTITION BY stay_id, itemid ORDER BY starttime, endtime "
         f"ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier FROM inputevents WHERE {VASOACTIVE}) "
         "WHERE starttime < earlier"),
        ("a pause of an infusion",
         f"FROM (SELECT endtime, lead(starttime) OVER (PARTITION BY stay_id, itemid ORDER BY starttime, endtime) "
         f"AS later FROM inputevents WHERE {VASOACTIVE}) WHERE later > endtime"),
        ("an infusion at a rate of zero", f"FROM inputevents WHERE rate = 0 AND {VASOACTIVE}"),
        ("a push of a vasoactive drug", f"FROM inputevents WHERE rate IS NULL AND {VASOACTIVE}"),
        ("a push of a relaxant", "FROM inputevents WHERE rate IS NULL AND itemid IN (221555, 222062)"),
        ("an order without a weight", "FROM inputevents WHERE patientweight IS NULL"),
        ("a circuit infusion of nothing", "FROM inputevents WHERE itemid IN (227536, 227525) AND amount = 0"),
        ("rewritten orders", "FROM inputevents WHERE statusdescription = 'Rewritten'"),
        ("rewritten procedures", "FROM procedureevents WHERE statusdescription = 'Rewritten'"),
        ("a procedure without a value", "FROM procedureevents WHERE value IS NULL"),
        ("a procedure measured in days", "FROM procedureevents WHERE valueuom = 'day'"),
        ("systolic below diastolic",
         "FROM chartevents a JOIN chartevents b USING (stay_id, charttime) WHERE a.itemid = 220179 "
         "AND b.itemid = 220180 AND a.valuenum BETWEEN 1 AND b.valuenum - 10"),
    ],
)  # fmt: skip
def test_odd_rows_occur(many_rows: Rows, what: str, query: str) -> None:
    """The odd row that a rule speaks of exists."""
    assert many_rows(f"SELECT count(*) {query}")[0][0] >= 1, what


def test_a_number_entered_wrong_is_entered_again_later(rows: Rows) -> None:
    """The same item of the same minute occurs with two numbers, and the second is stored later."""
    twice, ordered = rows(
        "SELECT count(*), count_if(last > first) FROM (SELECT min(storetime) AS first, max(storetime) AS last "
        "FROM chartevents WHERE itemid IN (220045, 220210, 220277, 226512, 223835) "
        "GROUP BY stay_id, charttime, itemid HAVING count(DISTINCT valuenum) > 1)"
    )[0]
    assert twice > 10
    assert ordered >= twice - 1
