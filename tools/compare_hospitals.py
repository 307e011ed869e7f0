# SPDX-License-Identifier: MIT
"""Compare two hospitals of one shape, MIMIC-IV's or eICU's, by their margins, as Markdown; no row is shown.

Usage: python tools/compare_hospitals.py HOSPITAL HOSPITAL [--names A B]

A hospital is a folder of Parquet, CSV or CSV.GZ files, for MIMIC-IV in `hosp/` and `icu/`: what `m4bench data
synth --to` writes, or a download from PhysioNet. Prints rows a stay by table, then quartiles and shares.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb

VITALS = {
    "heart rate, /min": (220045, 0, 300),
    "systolic pressure, cuff, mmHg": (220179, 0, 400),
    "mean pressure, artery, mmHg": (220052, 0, 300),
    "respiratory rate, /min": (220210, 0, 70),
    "oxygen saturation, %": (220277, 0, 100),
    "temperature, °F": (223761, 70, 120),
    "inspired oxygen, %": (223835, 20, 100),
    "tidal volume observed, mL": (224685, 0, 2000),
    "motor response (GCS)": (223901, 1, 6),
    "weight, kg": (224639, 20, 300),
}
LABS = {
    "creatinine, mg/dL": 50912,
    "urea nitrogen, mg/dL": 51006,
    "sodium, mEq/L": 50983,
    "potassium, mEq/L": 50971,
    "bicarbonate, mEq/L": 50882,
    "glucose, mg/dL": 50931,
    "bilirubin, mg/dL": 50885,
    "albumin, g/dL": 50862,
    "white cells, K/µL": 51301,
    "haemoglobin, g/dL": 51222,
    "platelets, K/µL": 51265,
    "INR": 51237,
    "lactate, mmol/L": 50813,
    "pH": 50820,
    "PaCO2, mmHg": 50818,
    "PaO2, mmHg": 50821,
}
SHARES = {
    "women, % of patients": "SELECT avg((gender = 'F')::INT) FROM patients",
    "admission with an ICU stay ends in death, %": (
        "SELECT avg(hospital_expire_flag) FROM admissions SEMI JOIN icustays USING (hadm_id)"
    ),
    "stays with an endotracheal tube, %": (
        "SELECT (SELECT count(DISTINCT stay_id) FROM chartevents "
        "WHERE itemid = 226732 AND value = 'Endotracheal tube') "
        "/ (SELECT count(*) FROM icustays)"
    ),
    "stays with norepinephrine, %": (
        "SELECT (SELECT count(DISTINCT stay_id) FROM inputevents WHERE itemid = 221906) "
        "/ (SELECT count(*) FROM icustays)"
    ),
    "stays with any vasopressor, %": (
        "SELECT (SELECT count(DISTINCT stay_id) FROM inputevents "
        "WHERE itemid IN (221906, 221289, 221662, 221749, 222315)) / (SELECT count(*) FROM icustays)"
    ),
    "stays with dialysis charted, %": (
        "SELECT (SELECT count(DISTINCT stay_id) FROM procedureevents "
        "WHERE itemid IN (225441, 225802, 225803, 225805, 225809, 225955)) "
        "/ (SELECT count(*) FROM icustays)"
    ),
    "admissions with an ICU stay and a culture, %": (
        "SELECT count(DISTINCT i.hadm_id) FILTER (m.hadm_id IS NOT NULL) / count(DISTINCT i.hadm_id) "
        "FROM icustays i LEFT JOIN (SELECT DISTINCT hadm_id FROM microbiologyevents) m USING (hadm_id)"
    ),
}
QUARTILES = {
    "age, years": "SELECT anchor_age AS v FROM patients",
    "days in the ICU": "SELECT los AS v FROM icustays",
    "days in the hospital, with an ICU stay": (
        "SELECT epoch(dischtime - admittime) / 86400 AS v FROM admissions SEMI JOIN icustays USING (hadm_id)"
    ),
    "urine, mL a day in the ICU": (
        "SELECT sum(value) / any_value(los) AS v FROM outputevents JOIN icustays USING (stay_id) "
        "WHERE itemid IN (226559, 226560, 226561, 226584, 226563, 226564, 226565, 226567, 226557, 226558) "
        "AND los > 0.5 GROUP BY stay_id"
    ),
    "diagnoses an admission": "SELECT count(*) AS v FROM diagnoses_icd GROUP BY hadm_id",
}


EICU_QUARTILES = {
    "age, years": "SELECT CASE WHEN age LIKE '>%' THEN 90 ELSE TRY_CAST(age AS INT) END AS v FROM patient",
    "days in the unit": "SELECT unitdischargeoffset / 1440 AS v FROM patient",
    "admission weight, kg": (
        "SELECT TRY_CAST(admissionweight AS DOUBLE) AS v FROM patient "
        "WHERE TRY_CAST(admissionweight AS DOUBLE) BETWEEN 20 AND 300"
    ),
    "systolic pressure, cuff, mmHg": (
        "SELECT noninvasivesystolic AS v FROM vitalaperiodic WHERE noninvasivesystolic BETWEEN 1 AND 400"
    ),
    "mean pressure, cuff, mmHg": (
        "SELECT noninvasivemean AS v FROM vitalaperiodic WHERE noninvasivemean BETWEEN 1 AND 300"
    ),
    "heart rate of the first day (APACHE)": "SELECT heartrate AS v FROM apacheapsvar WHERE heartrate > 0",
    "respiratory rate (APACHE)": "SELECT respiratoryrate AS v FROM apacheapsvar WHERE respiratoryrate > 0",
    "temperature, °C (APACHE)": "SELECT temperature AS v FROM apacheapsvar WHERE temperature > 0",
    "sodium (APACHE)": "SELECT sodium AS v FROM apacheapsvar WHERE sodium > 0",
    "creatinine (APACHE)": "SELECT creatinine AS v FROM apacheapsvar WHERE creatinine > 0",
    "urine, mL a day (APACHE)": "SELECT urine AS v FROM apacheapsvar WHERE urine >= 0",
    "score (APACHE IVa)": (
        "SELECT apachescore AS v FROM apachepatientresult WHERE apacheversion = 'IVa' AND apachescore >= 0"
    ),
    "diagnosis entries a stay": "SELECT count(*) AS v FROM diagnosis GROUP BY patientunitstayid",
}
EICU_SHARES = {
    "women, %": "SELECT avg((gender = 'Female')::INT) FROM patient",
    "died in the hospital, %": "SELECT avg((hospitaldischargestatus = 'Expired')::INT) FROM patient",
    "intubated on the first day, %": "SELECT avg((intubated = 1)::INT) FROM apacheapsvar",
    "elective surgery (APACHE), %": (
        "SELECT avg(COALESCE(TRY_CAST(electivesurgery AS INT), 0)) FROM apachepredvar"
    ),
    "stays with an infusion, %": (
        "SELECT (SELECT count(DISTINCT patientunitstayid) FROM infusiondrug) / count(*) FROM patient"
    ),
}


def opened(folder: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view of every table of a hospital."""
    engine = duckdb.connect()
    modules = [folder / "hosp", folder / "icu"] if (folder / "icu").is_dir() else [folder]
    kinds = (".parquet", ".csv", ".csv.gz")
    files = [
        file for module in modules for file in sorted(module.iterdir()) if file.name.endswith(kinds)
    ]
    if not files:
        sys.exit(f"{folder}: no tables")
    for file in files:
        name = file.name.partition(".")[0].lower()
        reader = "read_parquet" if file.suffix == ".parquet" else "read_csv"
        options = "" if file.suffix == ".parquet" else ", sample_size = -1"
        engine.execute(f"CREATE VIEW \"{name}\" AS SELECT * FROM {reader}('{file}'{options})")
    return engine


def tables_of(engine: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of the tables of a hospital."""
    query = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    return {name for (name,) in engine.execute(query).fetchall()}


def rows_a_stay(engine: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Return rows by table divided by ICU stays; dictionaries are left out."""
    names = tables_of(engine)
    register = "icustays" if "icustays" in names else "patient"
    stays = engine.execute(f"SELECT count(*) FROM {register}").fetchall()[0][0]
    skipped = {"provider", "caregiver", "hospital"}
    return {
        name: engine.execute(f'SELECT count(*) FROM "{name}"').fetchall()[0][0] / stays
        for name in sorted(names)
        if not name.startswith("d_") and name not in skipped
    }


def quartiles(engine: duckdb.DuckDBPyConnection, query: str) -> str:
    """Return `median (lower quartile to upper quartile)` of a query's column v."""
    found = engine.execute(
        f"SELECT quantile_cont(v::DOUBLE, [0.25, 0.5, 0.75]) FROM ({query}) WHERE v IS NOT NULL"
    ).fetchall()[0][0]
    if found is None:
        return "none"
    lower, median, upper = (f"{value:.3g}" if value < 1000 else f"{value:,.0f}" for value in found)
    return f"{median} ({lower} to {upper})"


def margins(engine: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every margin."""
    eicu = "icustays" not in tables_of(engine)
    for name, query in (EICU_QUARTILES if eicu else QUARTILES).items():
        yield name, quartiles(engine, query)
    for name, query in (EICU_SHARES if eicu else SHARES).items():
        share = engine.execute(query).fetchall()[0][0]
        yield name, f"{100 * share:.1f}"
    if eicu:
        return
    for name, (item, low, high) in VITALS.items():
        inside = f"itemid = {item} AND valuenum > {low} AND valuenum <= {high}"
        yield name, quartiles(engine, f"SELECT valuenum AS v FROM chartevents WHERE {inside}")
    in_the_unit = "l.charttime BETWEEN s.intime AND s.outtime"
    for name, item in LABS.items():
        yield (
            name,
            quartiles(
                engine,
                f"SELECT valuenum AS v FROM labevents l JOIN icustays s USING (hadm_id) "
                f"WHERE itemid = {item} AND {in_the_unit}",
            ),
        )


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hospitals", type=Path, nargs=2)
    parser.add_argument("--names", nargs=2, default=["first", "second"])
    options = parser.parse_args()
    engines = [opened(folder) for folder in options.hospitals]
    one, other = (rows_a_stay(engine) for engine in engines)
    print(f"| rows a stay | {' | '.join(options.names)} | ratio |\n|---|---:|---:|---:|")
    for table in sorted({*one, *other}):
        first, second = one.get(table, 0.0), other.get(table, 0.0)
        ratio = f"{second / first:.2f}" if first else "–"
        print(f"| {table} | {first:,.1f} | {second:,.1f} | {ratio} |")
    print(f"\n| median (quartiles) | {' | '.join(options.names)} |\n|---|---|---|")
    for (name, first_text), (_, second_text) in zip(*map(margins, engines), strict=True):
        print(f"| {name} | {first_text} | {second_text} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
