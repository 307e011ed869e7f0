# SPDX-License-Identifier: MIT
"""The charts look like those of many hospitals: their habits, their mess, and patients like the open demo's."""

from pathlib import Path

import duckdb
import pytest

from tests.data.synthetic.eicu.conftest import Rows

MESS = [
    # share of rows that show it, in percent
    ("try_cast(nursingchartvalue AS DOUBLE) IS NULL FROM nursecharting "
     "WHERE nursingchartcelltypevalname = 'Heart Rate'", 0.05, 0.6),
    ("try_cast(nursingchartvalue AS DOUBLE) NOT BETWEEN 25 AND 225 FROM nursecharting "
     "WHERE nursingchartcelltypevalname = 'Heart Rate'", 0.03, 1.5),
    ("try_cast(nursingchartvalue AS DOUBLE) > 60 FROM nursecharting "
     "WHERE nursingchartcelltypevalname = 'Temperature (C)'", 0.05, 1),
    ("try_cast(nursingchartvalue AS DOUBLE) < 60 FROM nursecharting "
     "WHERE nursingchartcelltypevalname = 'Temperature (F)'", 0.05, 1),
    ("nursingchartentryoffset > nursingchartoffset + 290 FROM nursecharting", 0.5, 2),
    ("nursingchartcelltypecat = 'Other' FROM nursecharting WHERE nursingchartcelltypevalname = 'Heart Rate'", 0.05, 1),
    ("nursingchartcelltypecat = 'Scores' FROM nursecharting WHERE nursingchartcelltypevalname = 'Heart Rate'", 1, 10),
    ("labresult IS NULL FROM lab", 0.2, 1.5),
    ("labresultrevisedoffset > labresultoffset + 500 FROM lab", 0.5, 4),
    ("cellvaluenumeric IS NULL FROM intakeoutput", 0.01, 0.5),
    ("drugrate = '0' FROM infusiondrug", 2, 10),
    ("try_cast(drugrate AS DOUBLE) IS NULL FROM infusiondrug", 0.3, 2),
    ("drugname LIKE '% ()' FROM infusiondrug", 3, 15),
    ("drugamount IS NULL FROM infusiondrug", 50, 80),
    ("drugname IS NULL FROM medication", 30, 50),
    ("drugordercancelled = 'Yes' FROM medication", 2, 6),
    ("try_cast(respchartvalue AS DOUBLE) IS NULL FROM respiratorycharting", 3, 20),
    ("admissionheight < 90 FROM patient", 0.1, 4),
    # 34, 15 and 7 of 2,520 stays of the open demo
    ("hospitaldischargeoffset < unitdischargeoffset FROM patient", 0.6, 2.2),
    ("hospitaladmitoffset > 0 FROM patient", 0.2, 1.2),
    ("hospitaladmitoffset > unitdischargeoffset FROM patient", 0.01, 0.6),
    # 2.2 in a hundred of its orders
    ("drugstopoffset > hospitaldischargeoffset + 1440 "
     "FROM medication JOIN patient USING (patientunitstayid)", 0.8, 3.5),
    ("length(drugname) = 255 FROM admissiondrug", 100, 100),
]  # fmt: skip


@pytest.mark.parametrize(("mess", "least", "most"), MESS)
def test_mess_occurs_at_the_rate_of_ordinary_charts(
    sources: Rows, mess: str, least: float, most: float
) -> None:
    """Each kind of mess is there, and stays what it is in practice."""
    condition, source = mess.split(" FROM ", 1)
    share = sources(f"SELECT 100.0 * count_if({condition}) / count(*) FROM {source}")[0][0]
    assert least <= share <= most


@pytest.mark.parametrize(
    ("habit", "query"),
    [
        ("labels of the mean pressure",
         "SELECT nursingchartcelltypevallabel FROM nursecharting JOIN patient USING (patientunitstayid) "
         "WHERE nursingchartcelltypevallabel IN ('Invasive BP', 'MAP (mmHg)', 'Arterial Line MAP (mmHg)') "
         "AND nursingchartcelltypevalname IN ('Invasive BP Mean', 'Value')"),
        ("labels of the coma total",
         "SELECT nursingchartcelltypevallabel FROM nursecharting WHERE nursingchartcelltypevallabel "
         "IN ('Glasgow coma score', 'Score (Glasgow Coma Scale)')"),
        ("units of one drug", "SELECT drugname FROM infusiondrug WHERE drugname LIKE 'Norepinephrine%'"),
        ("cells for urine", "SELECT celllabel FROM intakeoutput WHERE celllabel ILIKE '%urine%'"),
        ("words for room air",
         "SELECT nursingchartvalue FROM nursecharting WHERE nursingchartcelltypevallabel = 'O2 Admin Device' "
         "AND nursingchartvalue IN ('room air', 'RA')"),
    ],
)  # fmt: skip
def test_hospitals_have_words_of_their_own(sources: Rows, habit: str, query: str) -> None:
    """One thing has several names in the network."""
    assert len(sources(f"SELECT DISTINCT * FROM ({query})")) >= 2, habit


def test_a_hospital_keeps_its_habits(sources: Rows) -> None:
    """All stays of a hospital have the line's mean under one label, coma totals under one or two."""
    mixed = sources(
        "SELECT count(*) FROM (SELECT hospitalid FROM nursecharting JOIN patient USING (patientunitstayid) "
        "WHERE nursingchartcelltypevalname = 'Invasive BP Mean' OR nursingchartcelltypevallabel "
        "IN ('MAP (mmHg)', 'Arterial Line MAP (mmHg)') GROUP BY 1 "
        "HAVING count(DISTINCT nursingchartcelltypevallabel) > 1)"
    )
    assert mixed == [(0,)]


@pytest.mark.parametrize(
    ("what", "query"),
    [
        ("rows charted twice",
         "FROM (SELECT patientunitstayid, nursingchartoffset, nursingchartcelltypevallabel, "
         "nursingchartcelltypevalname, nursingchartvalue FROM nursecharting GROUP BY ALL HAVING count(*) > 1)"),
        ("results filed twice",
         "FROM (SELECT patientunitstayid, labresultoffset, labname, labresult FROM lab GROUP BY ALL "
         "HAVING count(*) > 1)"),
        ("stays without any chart", "FROM patient ANTI JOIN nursecharting USING (patientunitstayid) "
         "ANTI JOIN lab USING (patientunitstayid)"),
        ("stays without charted fluids", "FROM patient ANTI JOIN intakeoutput USING (patientunitstayid)"),
        ("results before admission", "FROM lab WHERE labresultoffset < 0"),
        ("two versions of a result of one stay",
         "FROM (SELECT patientunitstayid FROM apachepatientresult GROUP BY 1 HAVING count(*) = 2)"),
        ("charts between two unit stays' hospitals", "FROM patient WHERE unitvisitnumber > 1"),
    ],
)  # fmt: skip
def test_odd_cases_occur(sources: Rows, what: str, query: str) -> None:
    """The odd case exists."""
    assert sources(f"SELECT count(*) {query}")[0][0] >= 5, what


DEMO_FILES = {
    "patient": "patient", "apacheapsvar": "apacheApsVar", "apachepredvar": "apachePredVar",
    "vitalaperiodic": "vitalAperiodic", "intakeoutput": "intakeOutput", "apachepatientresult": "apachePatientResult",
}  # fmt: skip
MARGINALS = [
    # figure, and how far from the demo's it may lie: as a share of it, or absolutely
    ("median(try_cast(age AS INTEGER)) FROM patient", 0.1, 0),
    ("avg((gender = 'Female')::INT) FROM patient", 0, 0.1),
    ("avg((age = '> 89')::INT) FROM patient", 0, 0.03),
    ("median(try_cast(unitdischargeoffset AS DOUBLE)) FROM patient", 0.25, 0),
    ("avg(try_cast(unitdischargeoffset AS DOUBLE)) FROM patient", 0.25, 0),
    ("median(try_cast(hospitaldischargeoffset AS DOUBLE)) FROM patient", 0.25, 0),
    ("avg((hospitaldischargestatus = 'Expired')::INT) FROM patient", 0, 0.04),
    ("avg((unittype = 'Med-Surg ICU')::INT) FROM patient", 0, 0.1),
    ("avg((unitadmitsource = 'Emergency Department')::INT) FROM patient", 0, 0.1),
    ("median(try_cast(admissionweight AS DOUBLE)) FROM patient", 0.05, 0),
    ("median(try_cast(noninvasivesystolic AS DOUBLE)) FROM vitalaperiodic", 0.07, 0),
    ("median(try_cast(noninvasivemean AS DOUBLE)) FROM vitalaperiodic", 0.07, 0),
    ("median(try_cast(noninvasivediastolic AS DOUBLE)) FROM vitalaperiodic", 0.07, 0),
    ("median(try_cast(heartrate AS DOUBLE)) FROM apacheapsvar", 0.1, 0),
    ("median(try_cast(respiratoryrate AS DOUBLE)) FROM apacheapsvar", 0.15, 0),
    ("median(try_cast(temperature AS DOUBLE)) FROM apacheapsvar WHERE try_cast(temperature AS DOUBLE) > 0", 0.01, 0),
    ("avg(try_cast(vent AS DOUBLE)) FROM apacheapsvar", 0, 0.07),
    ("avg(try_cast(intubated AS DOUBLE)) FROM apacheapsvar", 0, 0.05),
    ("avg(try_cast(oobintubday1 AS DOUBLE)) FROM apachepredvar", 0, 0.06),
    ("avg((try_cast(eyes AS INTEGER) = 4)::INT) FROM apacheapsvar", 0, 0.12),
    ("avg((try_cast(motor AS INTEGER) = 6)::INT) FROM apacheapsvar", 0, 0.12),
    ("avg((try_cast(verbal AS INTEGER) = 5)::INT) FROM apacheapsvar", 0, 0.12),
    ("avg((try_cast(electivesurgery AS INTEGER) IS NOT DISTINCT FROM 1)::INT) FROM apachepredvar", 0, 0.06),
    ("median(try_cast(urine AS DOUBLE)) FROM apacheapsvar WHERE try_cast(urine AS DOUBLE) > 0", 0.25, 0),
    ("median(try_cast(cellvaluenumeric AS DOUBLE)) FROM intakeoutput WHERE celllabel = 'Urine'", 0.3, 0),
    ("median(try_cast(acutephysiologyscore AS DOUBLE)) FROM apachepatientresult", 0.2, 0),
]  # fmt: skip


@pytest.fixture(scope="module")
def demo(shared: Path) -> duckdb.DuckDBPyConnection:
    """The tables of the open demo that figures are compared with."""
    connection = duckdb.connect()
    for table, name in DEMO_FILES.items():
        file = shared / "data" / "eicu-demo" / f"{name}.csv.gz"
        connection.execute(
            f"CREATE TABLE {table} AS SELECT * FROM "
            f"read_csv('{file}', all_varchar = true, header = true, quote = '\"', escape = '\"')"
        )
    return connection


@pytest.mark.parametrize(("figure", "relative", "absolute"), MARGINALS)
def test_patients_resemble_the_open_demo(
    sources: Rows, demo: duckdb.DuckDBPyConnection, figure: str, relative: float, absolute: float
) -> None:
    """A figure over all stays is near that of the open demo."""
    (theirs,) = demo.execute(f"SELECT {figure}").fetchall()[0]
    (ours,) = sources(f"SELECT {figure}")[0]
    assert ours == pytest.approx(theirs, rel=relative, abs=absolute)
