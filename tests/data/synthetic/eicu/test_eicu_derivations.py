# SPDX-License-Identifier: MIT
"""What is derived from the network takes every value there is, by every way there is, and follows its sources."""

import csv
from collections import defaultdict
from pathlib import Path

import duckdb
import pytest

from tests.data.synthetic.conftest import view_tables
from tests.data.synthetic.eicu.conftest import Rows
from tests.data.synthetic.eicu.recomputed import COMPONENTS, URINE, recompute

POINTS = {
    "preiculos": {0, 1, 2, 3, 5},
    "age": {0, 3, 6, 7, 9},
    "gcs": {0, 3, 4, 10},
    "heart_rate": {0, 1, 3, 4, 6},
    "mbp": {0, 2, 3, 4},
    "resp_rate": {0, 1, 6, 9, 10},
    "temp": {0, 2, 3, 4, 6},
    "urineoutput": {0, 1, 5, 8, 10},
    "mechvent": {0, 9},
    "electivesurgery": {0, 6},
}
"""Every number of points of every component, from the specification."""
SOURCES = (
    "patient", "nursecharting", "physicalexam", "intakeoutput", "respiratorycare", "apacheapsvar",
    "apachepredvar",
)  # fmt: skip
NULLS = ["", "NULL", "NA", "N/A", "___"]


def test_the_recomputation_is_that_of_the_specification(shared: Path) -> None:
    """On the conformance data it gives the expected references, row by row."""
    connection = duckdb.connect()
    types: dict[str, dict[str, str]] = defaultdict(dict)
    with (shared / "conformance" / "eicu" / "schema.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            types[row["table"]][row["column"]] = row["type"]
    for table, columns in types.items():
        file = shared / "conformance" / "eicu" / f"{table}.csv.gz"
        connection.execute(
            f"CREATE TABLE {table} AS SELECT * FROM "
            f"read_csv('{file}', header = true, columns = {columns!r}, nullstr = {NULLS!r})"
        )
    recompute(connection, shared / "specs")
    expected = shared / "conformance" / "expected" / "references"
    scores = [f"{name}_score" for name in COMPONENTS]
    coma = ["gcs_min", "gcs_motor", "gcs_verbal", "gcs_eyes"]
    for view, file, columns_of in (("oasis", "eicu-oasis", scores), ("coma", "eicu-gcs", coma)):
        differ = " OR ".join(f"v.{column} IS DISTINCT FROM e.{column}" for column in columns_of)
        rows, wrong = connection.execute(
            f"SELECT count(*), count_if({differ}) FROM {view} v "
            f"JOIN read_csv('{expected / file}.csv.gz') e ON v.stay = e.patientunitstayid"
        ).fetchall()[0]
        assert (rows, wrong) == (450, 0), view


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_oasis_component_takes_every_number_of_points(derived: Rows, component: str) -> None:
    """Each number of points is given to at least five stays, by a measurement and not for want of one."""
    given = dict(
        derived(
            f"SELECT {component}_score, count(*) FROM oasis WHERE NOT {component}_absent GROUP BY 1"
        )
    )
    assert set(given) == POINTS[component]
    assert min(given.values()) >= 5


@pytest.mark.parametrize(
    "component", sorted(set(COMPONENTS) - {"preiculos", "mechvent", "electivesurgery"})
)
def test_a_component_can_be_absent(derived: Rows, component: str) -> None:
    """Some stays have nothing to score a component by, most have."""
    share = derived(f"SELECT avg({component}_absent::INT) FROM oasis")[0][0]
    assert 0 < share < 0.25


@pytest.mark.parametrize(
    ("column", "least", "most"),
    [("gcs_min", 3, 15), ("gcs_motor", 1, 6), ("gcs_verbal", 1, 5), ("gcs_eyes", 1, 4)],
)
def test_coma_totals_and_answers_take_every_value(
    derived: Rows, column: str, least: int, most: int
) -> None:
    """Totals run from 3 to 15, every answer through its steps, each in at least five charted stays."""
    given = dict(derived(f"SELECT {column}::INT, count(*) FROM coma WHERE charted GROUP BY 1"))
    assert set(given) == set(range(least, most + 1))
    assert min(given.values()) >= 5


BRANCHES = {
    "no coma scale charted": "coma WHERE NOT charted",
    "a coma total from nurses beside one of physicians":
        "coma_day WHERE nurses IS NOT NULL AND physicians IS NOT NULL",
    "a coma total from physicians alone": "coma_day WHERE nurses IS NULL",
    "both labels of the total at one time":
        "(SELECT patientunitstayid FROM nursecharting WHERE nursingchartcelltypevalname = 'GCS Total' OR "
        "nursingchartcelltypevallabel = 'Score (Glasgow Coma Scale)' "
        "GROUP BY patientunitstayid, nursingchartoffset "
        "HAVING count(DISTINCT nursingchartcelltypevallabel) = 2)",
    "answers without a total": "coma_rows WHERE total IS NULL AND motor IS NOT NULL",
    "a total without answers": "coma_rows WHERE total IS NOT NULL AND coalesce(motor, verbal, eyes) IS NULL",
    "a total that cannot be, low": "coma_rows WHERE total <= 2",
    "a total that cannot be, high": "coma_rows WHERE total >= 16",
    "answers missing at the lowest": "coma JOIN coma_rows USING (stay) WHERE total = gcs_min AND motor IS NULL",
    "a total in words":
        "nursecharting WHERE nursingchartcelltypevalname = 'GCS Total' AND nursingchartvalue LIKE 'Unable%'",
    "an answer in words":
        "nursecharting WHERE nursingchartcelltypevalname = 'Verbal' AND nursingchartvalue = 'Oriented'",
    "coma under the heading that does not count":
        "nursecharting WHERE nursingchartcelltypevalname = 'GCS Total' AND nursingchartcelltypecat = 'Vital Signs'",
    "coma charted before the window": "coma_rows WHERE minute < -360",
    "coma charted before admission": "coma_rows WHERE minute BETWEEN -360 AND 0",
    "coma charted after the window": "coma_rows WHERE minute > 1440",
    "mean pressure by cuff alone": "oasis WHERE line_min IS NULL AND cuff_min IS NOT NULL",
    "a cuff pressure worse than the line's": "oasis WHERE line_min > 61.4 AND cuff_min < 51",
    "a pressure whose maximum counts": "oasis WHERE coalesce(line_min, cuff_min) > 143.44",
    "a normal minimum that hides a high pressure": "oasis WHERE mbp_score = 0 AND cuff_max > 143.44",
    "breaths whose maximum counts": "oasis WHERE breaths_min > 22",
    "a normal minimum that hides fast breathing": "oasis WHERE resp_rate_score = 0 AND breaths_max > 30",
    "a slow pulse that hides a fast one": "oasis WHERE heart_min < 33 AND heart_max > 88",
    "a fever hidden by a normal minimum": "oasis WHERE temp_score = 2 AND warmth_max > 39.88",
    "temperature in Fahrenheit alone":
        "(SELECT stay FROM charted GROUP BY stay HAVING bool_or(name = 'Temperature (F)') "
        "AND NOT bool_or(name = 'Temperature (C)'))",
    "urine from the abstraction alone":
        "oasis ANTI JOIN urine_day USING (stay) WHERE urine IS NOT NULL",
    "urine charted beside the abstraction's":
        "urine_day JOIN apacheapsvar a ON a.patientunitstayid = stay WHERE a.urine > 0",
    "an abstraction without urine": "apacheapsvar WHERE urine = -1",
    "an abstraction of no urine at all": "apacheapsvar WHERE urine = 0",
    "ventilation by the abstraction alone": "oasis ANTI JOIN airway_day USING (stay) WHERE mechvent_score = 9",
    "ventilation by an airway field alone":
        "airway_day a LEFT JOIN apacheapsvar v ON v.patientunitstayid = a.stay "
        "LEFT JOIN apachepredvar p ON p.patientunitstayid = a.stay "
        "WHERE coalesce(v.intubated, 0) <> 1 AND coalesce(p.oobintubday1, 0) <> 1",
    "an airway noted to be none": "respiratorycare WHERE airwaytype = 'No Artificial Airway'",
    "an apnea volume alone":
        "respiratorycare WHERE setapneatv IS NOT NULL AND airwaytype IS NULL AND airwaysize IS NULL "
        "AND airwayposition IS NULL AND cuffpressure IS NULL",
    "a cuff pressure": "respiratorycare WHERE cuffpressure IS NOT NULL",
    "elective surgery from the emergency room":
        "oasis WHERE electivesurgery = 1 AND unitadmitsource = 'Emergency Department'",
    "elective surgery from elsewhere": "oasis WHERE electivesurgery_score = 0",
    "surgery that was not elective": "oasis WHERE electivesurgery = 0",
    "elective surgery of unknown source": "oasis WHERE electivesurgery = 1 AND unitadmitsource IS NULL",
    "no surgery at all": "oasis WHERE electivesurgery IS NULL",
    "a stay without abstraction": "patient ANTI JOIN apachepredvar USING (patientunitstayid)",
    "admission to hospital after that to the unit": "patient WHERE hospitaladmitoffset > 0",
    "an age in words": "patient WHERE age = '> 89'",
    "no age": "patient WHERE age IS NULL",
    "no admission diagnosis": "patient WHERE apacheadmissiondx IS NULL",
}  # fmt: skip


@pytest.mark.parametrize("branch", BRANCHES)
def test_every_branch_of_the_rules_is_taken(derived: Rows, branch: str) -> None:
    """Each case that a rule tells apart occurs."""
    assert derived(f"SELECT count(*) FROM {BRANCHES[branch]}")[0][0] >= 1


def test_every_label_of_urine_is_in_use(derived: Rows) -> None:
    """Each of the listed cells for urine is charted somewhere, and so are the patterns and their look-alikes."""
    unused = derived(
        "SELECT label FROM urine_labels WHERE label NOT IN (SELECT cellpath[49:] FROM intakeoutput)"
    )
    assert unused == []
    patterns = ("Foley", "Output", "Urine Output (mL)", "Urinary Catheter Output")
    for pattern in patterns:
        listed = derived(
            f"SELECT count(*) FROM intakeoutput WHERE {URINE} AND starts_with(cellpath[49:], '{pattern}') "
            "AND cellpath[49:] NOT IN (SELECT label FROM urine_labels)"
        )
        assert listed[0][0] >= 1, pattern
    for word in ("pacu", "or", "ir"):
        excluded = derived(
            "SELECT count(*) FROM intakeoutput WHERE cellpath[49:] ILIKE 'foley%' "
            f"AND cellpath[49:] ILIKE '%{word}%' AND NOT ({URINE})"
        )
        assert excluded[0][0] >= 1, word


def test_every_admission_diagnosis_and_group_occurs(derived: Rows, shared: Path) -> None:
    """Each of the 181 listed diagnoses is somebody's, and some are in no group."""
    groups = shared / "specs" / "tasks" / "apache-groups.csv"
    absent = derived(
        f"SELECT g.apacheadmissiondx FROM read_csv('{groups}') g ANTI JOIN patient USING (apacheadmissiondx)"
    )
    assert absent == []
    share = derived(
        f"SELECT avg((apacheadmissiondx NOT IN (SELECT apacheadmissiondx FROM read_csv('{groups}')))::INT) "
        "FROM patient WHERE apacheadmissiondx IS NOT NULL"
    )[0][0]
    assert 0.05 < share < 0.3


def test_unit_stays_score_like_an_intensive_care_unit(derived: Rows) -> None:
    """The sum of the components has its middle between 20 and 32, as in the original population."""
    total = " + ".join(f"{name}_score" for name in COMPONENTS)
    lower, middle, upper = derived(
        f"SELECT unnest(quantile_disc({total}, [0.05, 0.5, 0.95])) FROM oasis"
    )
    assert lower[0] < 18
    assert 20 <= middle[0] <= 32
    assert upper[0] > 36


@pytest.fixture(scope="module")
def quarter(network: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the derivations' sources for a quarter of the stays."""
    folder = tmp_path_factory.mktemp("quarter")
    for table in SOURCES:
        duckdb.execute(
            f"COPY (SELECT * FROM '{network / table}.parquet' WHERE patientunitstayid % 4 = 0) "
            f"TO '{folder / table}.parquet'"
        )
    return folder


@pytest.mark.parametrize(
    ("table", "column", "rows", "component"),
    [
        ("nursecharting", "nursingchartvalue",
         "nursingchartcelltypevalname = 'Heart Rate'", "heart_rate"),
        ("nursecharting", "nursingchartvalue",
         "nursingchartcelltypevalname = 'Respiratory Rate'", "resp_rate"),
        ("nursecharting", "nursingchartvalue",
         "nursingchartcelltypevalname = 'Temperature (C)'", "temp"),
        ("nursecharting", "nursingchartvalue",
         "nursingchartcelltypevalname = 'Non-Invasive BP Mean'", "mbp"),
        ("nursecharting", "nursingchartvalue",
         "nursingchartcelltypevalname = 'GCS Total'", "gcs"),
        ("intakeoutput", "cellvaluenumeric", URINE, "urineoutput"),
        ("patient", "age", "true", "age"),
        ("patient", "hospitaladmitoffset", "true", "preiculos"),
        ("apachepredvar", "oobintubday1", "true", "mechvent"),
        ("apachepredvar", "electivesurgery", "true", "electivesurgery"),
    ],
)  # fmt: skip
def test_points_follow_their_source(
    quarter: Path, shared: Path, table: str, column: str, rows: str, component: str
) -> None:
    """When the values of one column are dealt to other rows, points of that component change, of others not."""
    connection = view_tables(quarter)
    recompute(connection, shared / "specs")
    before = {row[0]: row[1:] for row in connection.execute(_scores()).fetchall()}
    connection.execute(
        f"CREATE TABLE chosen AS SELECT *, row_number() OVER () AS place FROM {table} WHERE {rows}"
    )
    connection.execute(
        f"CREATE TABLE dealt AS SELECT c.* EXCLUDE (place) REPLACE (v.{column} AS {column}) FROM chosen c "
        f"JOIN (SELECT {column}, row_number() OVER (ORDER BY hash(place)) AS place FROM chosen) v USING (place)"
    )
    connection.execute(f"CREATE TABLE kept AS FROM {table} WHERE NOT coalesce({rows}, false)")
    connection.execute(f"CREATE OR REPLACE VIEW {table} AS FROM kept UNION ALL BY NAME FROM dealt")
    after = {row[0]: row[1:] for row in connection.execute(_scores()).fetchall()}
    changed = {
        name: sum(before[key][place] != after[key][place] for key in before)
        for place, name in enumerate(COMPONENTS)
    }
    assert changed.pop(component) >= 25
    assert sum(changed.values()) == 0


def _scores() -> str:
    return f"SELECT stay, {', '.join(f'{name}_score' for name in COMPONENTS)} FROM oasis"
