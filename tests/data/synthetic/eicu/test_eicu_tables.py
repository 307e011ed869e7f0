# SPDX-License-Identifier: MIT
"""Every declared eICU table is there, in its shape, about as full as the open demo, and hangs together."""

import csv
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from m4bench.cli.data import app
from m4bench.data.catalogue import declared_tables
from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.creation import write_hospital
from m4bench.data.synthetic.eicu import EicuSite
from m4bench.data.synthetic.tables import arrow_schemas, to_arrow
from tests.data.synthetic.eicu.conftest import STAYS, Rows

TABLES = {name.removeprefix("eicu_crd."): table for name, table in declared_tables("eicu").items()}
DEMO_STAYS = 2_520
PUBLISHED = {"lab": 434_660, "nursecharting": 1_477_163, "vitalperiodic": 1_634_960}
"""Rows of the open demo as published, of the tables that the list of releases leaves out."""
REGISTERS = {
    "hospital",
    "patient",
    "admissiondx",
    "apacheapsvar",
    "apachepredvar",
    "apachepatientresult",
}
FEW = {"careplaneol", "customlab", "careplaninfectiousdisease", "microlab"}
"""Tables of fewer than one row in five stays: chance alone moves them."""
EMPTY_COLUMNS = {
    ("careplancareprovider", "providertype"), ("respiratorycare", "sighpreslimit"),
    ("respiratorycare", "lowironoxlimit"), ("respiratorycare", "highironoxlimit"),
    ("respiratorycare", "meanairwaypreslimit"), ("apachepredvar", "ejectfract"),
}  # fmt: skip
"""Columns that the release leaves empty, or has under another name."""


def test_every_declared_table_has_its_columns_and_rows(sources: Rows, network: Path) -> None:
    """All 31 tables are written with the declared columns and types, and none is empty."""
    assert {file.stem for file in network.iterdir()} == set(TABLES)
    for name, table in TABLES.items():
        described = [
            (column, "REAL" if kind == "FLOAT" else kind)
            for column, kind, *_ in sources(f"DESCRIBE SELECT * FROM {name}")
        ]
        assert described == [(column.name, column.type) for column in table.columns], name
        assert sources(f"SELECT count(*) FROM {name}")[0][0] > 0, name


@pytest.mark.parametrize("name", sorted(TABLES))
def test_columns_are_filled(sources: Rows, name: str) -> None:
    """Each column that the release fills has values."""
    counts = ", ".join(f"count({column.name})" for column in TABLES[name].columns)
    filled = dict(
        zip(
            (c.name for c in TABLES[name].columns),
            sources(f"SELECT {counts} FROM {name}")[0],
            strict=True,
        )
    )
    empty = {(name, column) for column, count in filled.items() if not count}
    assert empty == {place for place in EMPTY_COLUMNS if place[0] == name}


def _demo_rows(shared: Path) -> dict[str, int]:
    with (shared / "specs" / "releases.csv").open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["dataset"] == "eicu-demo"]
    return {row["table"].lower(): int(row["rows"]) for row in rows} | PUBLISHED


@pytest.mark.parametrize("name", sorted(set(TABLES) - {"hospital"}))
def test_tables_are_as_full_as_those_of_the_open_demo(
    sources: Rows, shared: Path, name: str
) -> None:
    """Rows a stay are within a quarter of the demo's; within a factor of two where there are few."""
    expected = _demo_rows(shared)[name] / DEMO_STAYS
    ratio = sources(f"SELECT count(*) FROM {name}")[0][0] / STAYS / expected
    low, high = (0.5, 2.0) if name in FEW else (0.75, 1.25)
    assert low <= ratio <= high


def test_density_thins_events_and_no_register(tmp_path: Path) -> None:
    """At a third of the density registers are as long as before, charts about a third as long."""
    counts = []
    for density in (1.0, 1 / 3):
        block = Block(seed=5, number=0, stays=250, first=0, density=density)
        schemas = arrow_schemas("eicu")
        counts.append(
            {
                name.removeprefix("eicu_crd."): to_arrow(schemas[name], columns).num_rows
                for name, columns in EicuSite().rows(block)
            }
        )
    full, thin = counts
    for name in REGISTERS - {"hospital"}:
        assert thin[name] == full[name], name
    for name in ("nursecharting", "vitalperiodic", "vitalaperiodic", "lab", "medication", "note"):
        assert 0.25 <= thin[name] / full[name] <= 0.45, name


def test_a_block_depends_on_no_other_and_yields_no_table_twice() -> None:
    """Drawn again after another block it is the same; identifiers of two blocks are apart."""
    site, schemas = EicuSite(), arrow_schemas("eicu")
    first = [(name, to_arrow(schemas[name], rows)) for name, rows in site.rows(Block(8, 0, 60, 0))]
    second = [
        (name, to_arrow(schemas[name], rows)) for name, rows in site.rows(Block(8, 1, 60, 60))
    ]
    again = [(name, to_arrow(schemas[name], rows)) for name, rows in site.rows(Block(8, 0, 60, 0))]
    names = [name for name, _ in first]
    assert len(names) == len(set(names)) == len(TABLES) - 1
    assert all(a.equals(b) for (_, a), (_, b) in zip(first, again, strict=True))
    for (name, mine), (_, theirs) in zip(first, second, strict=True):
        key = "patientunitstayid"
        assert not set(mine[key].to_pylist()) & set(theirs[key].to_pylist()), name
        identifier = 0
        if name not in {"eicu_crd.patient"}:
            assert not set(mine[identifier].to_pylist()) & set(theirs[identifier].to_pylist()), name


@pytest.mark.parametrize("name", sorted(TABLES))
def test_identifiers_are_unique_and_outside_the_release(sources: Rows, name: str) -> None:
    """A table's identifier names one row, and lies above every one of the release."""
    key = TABLES[name].columns[0].name
    rows, distinct, least = sources(
        f"SELECT count(*), count(DISTINCT {key}), min({key}) FROM {name}"
    )[0]
    assert rows == distinct
    highest = {"patient": 4_000_000, "hospital": 1_000}.get(name, 999_999_999)
    assert least > highest


@pytest.mark.parametrize("name", sorted(set(TABLES) - {"hospital", "patient"}))
def test_rows_belong_to_stays(sources: Rows, name: str) -> None:
    """Every row's unit stay is known."""
    assert sources(f"SELECT count(*) FROM {name} ANTI JOIN patient USING (patientunitstayid)") == [
        (0,)
    ]


@pytest.mark.parametrize(
    "disorder",
    [
        "FROM patient WHERE NOT regexp_full_match(uniquepid, '900-[0-9]{6}')",
        "FROM patient ANTI JOIN hospital USING (hospitalid)",
        "FROM (SELECT wardid FROM patient GROUP BY 1 HAVING count(DISTINCT hospitalid) > 1)",
        "FROM (SELECT wardid FROM patient GROUP BY 1 HAVING count(DISTINCT unittype) > 1)",
        "FROM (SELECT patienthealthsystemstayid FROM patient GROUP BY 1 "
        "HAVING count(DISTINCT uniquepid) > 1 OR count(DISTINCT hospitalid) > 1)",
        "FROM (SELECT patienthealthsystemstayid, unitvisitnumber FROM patient GROUP BY ALL HAVING count(*) > 1)",
        "FROM patient a JOIN patient b USING (patienthealthsystemstayid) "
        "WHERE b.unitvisitnumber = a.unitvisitnumber + 1 "
        "AND a.hospitaladmitoffset - b.hospitaladmitoffset < a.unitdischargeoffset",
        "FROM patient WHERE unitdischargeoffset <= 0",
        "FROM patient WHERE hospitaldischargeoffset < unitdischargeoffset - 1440",
        "FROM medication WHERE drugstopoffset < drugstartoffset",
        "FROM patient WHERE unitdischargestatus = 'Expired' AND hospitaldischargestatus <> 'Expired'",
        "FROM patient WHERE (unitdischargelocation = 'Death') <> (unitdischargestatus = 'Expired')",
        "FROM patient WHERE unitstaytype = 'admit' AND unitvisitnumber > 1",
        "FROM nursecharting WHERE nursingchartentryoffset < nursingchartoffset",
        "FROM lab WHERE labresultrevisedoffset < labresultoffset",
        "FROM nursecharting JOIN patient USING (patientunitstayid) "
        "WHERE nursingchartoffset > unitdischargeoffset + 60 OR nursingchartoffset < -600",
        "FROM (SELECT patientunitstayid, intakeoutputoffset FROM intakeoutput GROUP BY ALL "
        "HAVING abs(sum(cellvaluenumeric) FILTER (cellpath LIKE '%|Output (ml)|%') - any_value(outputtotal)) > 1e-6)",
    ],
)  # fmt: skip
def test_tables_hang_together(sources: Rows, disorder: str) -> None:
    """No row is out of the order of a real network."""
    assert sources(f"SELECT count(*) {disorder}") == [(0,)]


def test_patients_return_and_stays_follow_each_other(sources: Rows) -> None:
    """Hospital stays have up to three unit stays, patients several hospital stays; many hospitals are in use."""
    stays, hospital_stays, patients, hospitals, wards = sources(
        "SELECT count(*), count(DISTINCT patienthealthsystemstayid), count(DISTINCT uniquepid), "
        "count(DISTINCT hospitalid), count(DISTINCT wardid) FROM patient"
    )[0]
    assert stays > hospital_stays > patients > 0.5 * stays
    assert hospitals > 150
    assert wards > hospitals


def test_half_of_the_later_unit_stays_follow_at_once(sources: Rows) -> None:
    """Some begin the minute the stay before ends, none before that, others hours later."""
    at_once, later = sources(
        "SELECT count_if(gap <= 1), count_if(gap > 600) FROM (SELECT "
        "a.hospitaladmitoffset - b.hospitaladmitoffset - a.unitdischargeoffset AS gap FROM patient a "
        "JOIN patient b USING (patienthealthsystemstayid) WHERE b.unitvisitnumber = a.unitvisitnumber + 1)"
    )[0]
    assert at_once >= 40
    assert later >= 20


def test_files_import_from_the_command_line(tmp_path: Path) -> None:
    """The folder is imported as dataset synthetic-eicu as it is, and verifies."""
    write_hospital(tmp_path / "from", stays=40, seed=2, site="eicu")
    store = ["--store", str(tmp_path / "store")]
    done = CliRunner().invoke(
        app, ["import", "synthetic-eicu", "--from", str(tmp_path / "from"), *store]
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("synthetic-eicu: 31 tables, ")
    assert CliRunner().invoke(app, ["verify", "synthetic-eicu", *store]).exit_code == 0
    kept = tmp_path / "store" / "synthetic-eicu" / "source" / "eicu_crd" / "nursecharting.parquet"
    before, after = (
        duckdb.execute(f"SELECT count(*), count(nursingchartoffset) FROM '{file}'").fetchall()
        for file in (tmp_path / "from" / "nursecharting.parquet", kept)
    )
    assert before == after
