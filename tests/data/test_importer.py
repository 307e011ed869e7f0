# SPDX-License-Identifier: MIT
import csv
import gzip
import io
import stat
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest
from m4bench.data.store import Store, StoredDataset
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file
from tests.data.folders import DIAGNOSES, dataset_in, small_hospital, write

ICUSTAYS = "subject_id,hadm_id,stay_id,first_careunit,last_careunit,intime,outtime,los\n"


class Recorder:
    """Keeps what an import tells."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.stages: list[str] = []
        self.totals: list[int] = []
        self.bytes = 0

    def planned(self, what: str, total: int | None) -> None:
        self.totals.append(total or 0)
        self.bytes = 0

    def advanced(self, done: int) -> None:
        self.bytes += done

    def finished(self, stage: str) -> None:
        self.stages.append(stage)

    def note(self, text: str) -> None:
        self.notes.append(text)


def rows_of(dataset: StoredDataset, table: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        place = dataset.source(table)
        return connection.execute(f"SELECT * FROM read_parquet('{place}')").fetchall()


def nulls_of(manifest: DatasetManifest, table: str) -> dict[str, tuple[int, dict[str, int]]]:
    entry = manifest.table(table)
    assert entry is not None
    return {c.name: (c.nulls, c.null_tokens) for c in entry.columns if c.nulls or c.null_tokens}


def test_codes_keep_their_zeros_and_spaces(tmp_path: Path) -> None:
    """A code with leading zeros and one with a trailing space come through as written."""
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, small_hospital(tmp_path / "from"))
    codes = [row[3] for row in rows_of(dataset, "mimiciv_hosp.diagnoses_icd")]
    assert codes == ["0389", "042 ", "I10"]


def test_the_manifest_says_what_was_imported(tmp_path: Path) -> None:
    """Rows, hashes of sources and outputs, sizes, types and what is missing are recorded."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    manifest = import_dataset(dataset, source)
    assert manifest == dataset.manifest()
    assert (manifest.site, manifest.access, manifest.release, manifest.modified) == (
        "mimic-iv",
        "synthetic",
        None,
        False,
    )
    entry = manifest.table("mimiciv_hosp.diagnoses_icd")
    assert entry is not None
    place = dataset.root / entry.file
    assert place == dataset.source(entry.qualified)
    assert (entry.rows, entry.bytes, entry.sha256) == (3, place.stat().st_size, sha256_file(place))
    [given_file] = entry.sources
    given_path = source / given_file.name
    assert (given_file.name, given_file.sha256) == (
        "hosp/diagnoses_icd.csv",
        sha256_file(given_path),
    )
    assert [(c.name, c.type) for c in entry.columns] == [
        ("subject_id", "INTEGER"),
        ("hadm_id", "INTEGER"),
        ("seq_num", "INTEGER"),
        ("icd_code", "VARCHAR"),
        ("icd_version", "SMALLINT"),
    ]
    assert len(manifest.missing_tables) == 31 - 3
    assert "mimiciv_icu.chartevents" in manifest.missing_tables


def test_null_tokens_become_null_and_are_counted_and_none_does_not(tmp_path: Path) -> None:
    """The five tokens are null, quoted or not, in every type; near misses and `None` are values."""
    tokens = ["", '""', "NULL", '"NULL"', "NA", "N/A", "___", '"___"']
    values = ["None", "null", "na", "n/a", " NULL", "NA ", "____", "nan"]
    lines = [f"1,{t},b,c" for t in tokens] + [f"2,{v},b,c" for v in values] + ["NA,x,b,c"]
    header = "itemid,label,fluid,category\n"
    write(tmp_path / "from", "hosp/d_labitems.csv", header + "\n".join(lines) + "\n")
    dataset = dataset_in(tmp_path)
    manifest = import_dataset(dataset, tmp_path / "from")
    rows = rows_of(dataset, "mimiciv_hosp.d_labitems")
    assert [row[1] for row in rows] == [None] * 8 + values + ["x"]
    assert rows[-1][0] is None
    assert nulls_of(manifest, "mimiciv_hosp.d_labitems") == {
        "itemid": (1, {"NA": 1}),
        "label": (8, {"": 2, "NULL": 2, "NA": 1, "N/A": 1, "___": 2}),
    }


def test_columns_are_read_by_name_in_any_order_and_case(tmp_path: Path) -> None:
    """Columns in another order and in capitals come to the same table, stored in lower case."""
    write(
        tmp_path / "from",
        "hosp/diagnoses_icd.csv",
        "ICD_VERSION,Icd_Code,SEQ_NUM,hadm_id,Subject_ID\n9,0389,1,100,10\n",
    )
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, tmp_path / "from")
    assert rows_of(dataset, "mimiciv_hosp.diagnoses_icd") == [(10, 100, 1, "0389", 9)]


def test_columns_without_any_value_are_noted(tmp_path: Path) -> None:
    """A column that is null in every row is named: a release once lost all its dates of death."""
    header = "subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod\n"
    rows = "1,F,60,2150,2008 - 2010,\n2,M,61,2151,2008 - 2010,\n"
    write(tmp_path / "from", "patients.csv", header + rows)
    told = Recorder()
    import_dataset(dataset_in(tmp_path), tmp_path / "from", progress=told)
    assert "patients.csv: null in every row: dod" in told.notes
    write(
        tmp_path / "from", "patients.csv", header + rows.replace("2010,\n2", "2010,2152-01-01\n2")
    )
    told = Recorder()
    import_dataset(dataset_in(tmp_path), tmp_path / "from", progress=told)
    assert not [note for note in told.notes if "null in every row" in note]


def test_undeclared_columns_are_kept_as_text_and_noted(tmp_path: Path) -> None:
    """An extra column follows the declared ones as text, marked in the manifest and in a note."""
    write(
        tmp_path / "from",
        "d_labitems.csv",
        "Zusatz,itemid,label,fluid,category\n007,1,a,b,c\nNA,2,a,b,c\n",
    )
    dataset, told = dataset_in(tmp_path), Recorder()
    manifest = import_dataset(dataset, tmp_path / "from", progress=told)
    assert rows_of(dataset, "mimiciv_hosp.d_labitems") == [
        (1, "a", "b", "c", "007"),
        (2, "a", "b", "c", None),
    ]
    entry = manifest.tables[0]
    assert [(c.name, c.type) for c in entry.columns if not c.declared] == [("zusatz", "VARCHAR")]
    assert any("column zusatz is not declared" in note for note in told.notes)


def test_an_optional_column_may_be_missing(tmp_path: Path) -> None:
    """A column that only some releases have may be absent."""
    header = "subject_id,hadm_id,chartdate,hcpcs_cd,seq_num,short_description"
    old = header.replace("chartdate,", "")
    write(tmp_path / "from", "hosp/hcpcsevents.csv", f"{old}\n1,2,99218,1,Observation\n")
    dataset = dataset_in(tmp_path)
    manifest = import_dataset(dataset, tmp_path / "from")
    assert [c.name for c in manifest.tables[0].columns] == old.split(",")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_text_keeps_line_ends_quotes_and_spaces(tmp_path: Path, ending: str) -> None:
    """Quoted line ends, doubled quotes, commas and outer spaces are part of the value."""
    lines = ["itemid,label,fluid,category", '1,"a\nb""c,d",  x  ," y "', "2,µmol,é,日本"]
    write(tmp_path / "from", "d_labitems.csv", ending.join(lines) + ending)
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, tmp_path / "from")
    assert rows_of(dataset, "mimiciv_hosp.d_labitems") == [
        (1, 'a\nb"c,d', "  x  ", " y "),
        (2, "µmol", "é", "日本"),
    ]


def test_a_table_without_rows_is_imported(tmp_path: Path) -> None:
    """A header alone makes an empty table with the declared types."""
    write(tmp_path / "from", "icu/icustays.csv", ICUSTAYS)
    dataset = dataset_in(tmp_path)
    manifest = import_dataset(dataset, tmp_path / "from")
    assert manifest.tables[0].rows == 0
    assert rows_of(dataset, "mimiciv_icu.icustays") == []


def test_a_table_of_one_column_keeps_its_blank_lines_as_nulls(tmp_path: Path) -> None:
    """In a table of one column a blank line is a row."""
    write(tmp_path / "from", "icu/caregiver.csv", "caregiver_id\n7\n\n8\n")
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, tmp_path / "from")
    assert rows_of(dataset, "mimiciv_icu.caregiver") == [(7,), (None,), (8,)]


def test_rows_keep_the_order_of_the_file_and_outputs_are_the_same_each_time(
    tmp_path: Path,
) -> None:
    """The same many rows give the same bytes under any memory limit, in the order of the source."""
    lines = "".join(f"{i},{i % 97},{i % 5},c{i % 1000:04d},10\n" for i in range(300_000))
    write(tmp_path / "from", "hosp/diagnoses_icd.csv.gz", DIAGNOSES.splitlines()[0] + "\n" + lines)
    hashes = set()
    for limit in ("150MB", "1GB", None):
        dataset = Store(tmp_path / f"store-{limit}").dataset("synthetic")
        manifest = import_dataset(dataset, tmp_path / "from", memory_limit=limit)
        hashes.add(manifest.tables[0].sha256)
        subjects = [row[0] for row in rows_of(dataset, "mimiciv_hosp.diagnoses_icd")]
        assert subjects == list(range(300_000))
    assert len(hashes) == 1


CELLS = st.sampled_from(["", "NULL", "NA", "N/A", "___", "None", "0389", " x ", 'q"q', "a,b", "µ"])
NUMBERS = st.one_of(st.none(), st.integers(-(2**31), 2**31 - 1))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(st.tuples(NUMBERS, CELLS, CELLS, CELLS), max_size=8))
def test_csv_gzip_and_parquet_of_the_same_rows_give_the_same_table(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int | None, str, str, str]]
) -> None:
    """The format of the source does not change the values."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([("itemid", "label", "fluid", "category"), *rows])
    typed = pa.table(
        {
            "ITEMID": pa.array([row[0] for row in rows], pa.int64()),
            **{
                name: pa.array([row[i] for row in rows], pa.string())
                for i, name in enumerate(("label", "fluid", "category"), start=1)
            },
        }
    )
    results = []
    for kind in ("csv", "csv.gz", "parquet"):
        folder = tmp_path_factory.mktemp("case")
        if kind == "parquet":
            folder.joinpath("from").mkdir()
            pq.write_table(typed, folder / "from" / "d_labitems.parquet")
        else:
            write(folder / "from", f"d_labitems.{kind}", text.getvalue())
        dataset = dataset_in(folder)
        manifest = import_dataset(dataset, folder / "from")
        types = [(c.name, c.type) for c in manifest.tables[0].columns]
        results.append((types, rows_of(dataset, "mimiciv_hosp.d_labitems")))
    assert results[0] == results[1] == results[2]


def test_parquet_columns_of_other_widths_and_encodings_are_taken(tmp_path: Path) -> None:
    """Wide integers, whole floats, nanosecond times, dictionaries and all-null columns fit their types."""
    folder = tmp_path / "from" / "icu"
    folder.mkdir(parents=True)
    pq.write_table(
        pa.table(
            {
                "subject_id": pa.array([1], pa.int64()),
                "hadm_id": pa.array([2.0]),
                "stay_id": pa.array(["3"]),
                "first_careunit": pa.array(["MICU"]).dictionary_encode(),
                "last_careunit": pa.nulls(1),
                "intime": pa.array([0], pa.timestamp("ns")),
                "outtime": pa.array(["1970-01-02"]),
                "los": pa.array([None], pa.int32()),
            }
        ),
        folder / "icustays.parquet",
    )
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, tmp_path / "from")
    with duckdb.connect() as connection:
        place = dataset.source("mimiciv_icu.icustays")
        relation = connection.sql(
            f"SELECT * REPLACE (intime::text AS intime, outtime::text AS outtime) FROM '{place}'"
        )
        described = connection.sql(f"DESCRIBE FROM '{place}'").fetchall()
        assert relation.fetchall() == [
            (1, 2, 3, "MICU", None, "1970-01-01 00:00:00", "1970-01-02 00:00:00", None)
        ]
    assert [row[1] for row in described] == [
        *["INTEGER"] * 3,
        *["VARCHAR"] * 2,
        *["TIMESTAMP"] * 2,
        "DOUBLE",
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (pa.array([1.5, None], pa.float32()).cast(pa.float16()), [1.5, None]),
        (pa.array([Decimal("2.25"), None], pa.decimal256(50, 2)), [2.25, None]),
        (pa.array([Decimal("2.25"), None], pa.decimal128(20, 2)), [2.25, None]),
        (pa.array(["3.5", "___"], pa.string_view()), [3.5, None]),
        (pa.array(["3.5", "NA"], pa.large_string()), [3.5, None]),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_numbers_and_texts_of_rare_parquet_types_are_taken(
    tmp_path: Path, given: pa.Array, expected: list[float | None]
) -> None:
    """Half floats, long decimals and text views come through as the numbers they are."""
    folder = tmp_path / "from" / "icu"
    folder.mkdir(parents=True)
    times = pa.array([0, 1], pa.timestamp("us"))
    pq.write_table(
        pa.table(
            {name: pa.array([1, 2]) for name in ("subject_id", "hadm_id", "stay_id")}
            | {
                "first_careunit": pa.array(["MICU", "\u00b5"], pa.string_view()),
                "last_careunit": pa.array(["NULL", "x"], pa.string_view()),
                "intime": times,
                "outtime": times,
                "los": given,
            }
        ),
        folder / "icustays.parquet",
    )
    dataset = dataset_in(tmp_path)
    manifest = import_dataset(dataset, tmp_path / "from")
    rows = rows_of(dataset, "mimiciv_icu.icustays")
    assert [row[7] for row in rows] == expected
    assert [row[3:5] for row in rows] == [("MICU", None), ("\u00b5", "x")]
    assert nulls_of(manifest, "mimiciv_icu.icustays")["last_careunit"] == (1, {"NULL": 1})


def test_progress_counts_every_byte_and_names_every_table(tmp_path: Path) -> None:
    """The bytes told add up to the size of the files, and each table is told once with its rows."""
    source, told = small_hospital(tmp_path / "from"), Recorder()
    import_dataset(dataset_in(tmp_path), source, progress=told)
    size = sum(path.stat().st_size for path in source.rglob("*.csv*"))
    assert told.totals == [size, size]
    assert told.bytes == size
    assert sorted(told.stages) == [
        "mimiciv_hosp.d_labitems: 1 rows",
        "mimiciv_hosp.diagnoses_icd: 3 rows",
        "mimiciv_hosp.services: 2 rows",
    ]


def test_the_same_files_are_unchanged_and_others_replace(tmp_path: Path) -> None:
    """A second import of the same files does nothing; changed files replace the dataset."""
    dataset, source, told = dataset_in(tmp_path), small_hospital(tmp_path / "from"), Recorder()
    first = import_dataset(dataset, source)
    assert import_dataset(dataset, source, progress=told) == first
    assert any("unchanged" in note for note in told.notes)
    write(source, "hosp/diagnoses_icd.csv", DIAGNOSES + "12,102,1,J18,10\n")
    (source / "hosp" / "services.csv").unlink()
    second = import_dataset(dataset, source)
    assert [t.qualified for t in second.tables] == [
        "mimiciv_hosp.d_labitems",
        "mimiciv_hosp.diagnoses_icd",
    ]
    assert not dataset.source("mimiciv_hosp.services").exists()
    assert len(rows_of(dataset, "mimiciv_hosp.diagnoses_icd")) == 4
    assert [path.name for path in dataset.root.iterdir()] != []
    assert not [p for p in dataset.root.iterdir() if p.name.startswith(".partial")]


def flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)


def put_beside(path: Path) -> None:
    path.with_name("patients.parquet").write_bytes(path.read_bytes())


@pytest.mark.parametrize("damage", [Path.unlink, flip_a_byte, put_beside])
def test_what_does_not_verify_is_not_taken_for_unchanged(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """A dataset that `verify` says to import again is imported again, whatever its files' sizes."""
    dataset, source, told = dataset_in(tmp_path), small_hospital(tmp_path / "from"), Recorder()
    import_dataset(dataset, source)
    damage(dataset.source("mimiciv_hosp.services"))
    [finding] = {finding.split(":")[0] for finding in verify_dataset(dataset)}
    import_dataset(dataset, source, progress=told)
    assert verify_dataset(dataset) == ()
    assert not any("unchanged" in note for note in told.notes)
    assert any(f"imported again, because in the store {finding}" in note for note in told.notes)


@pytest.mark.parametrize("manifest", [b"\xff\xfe{", b"{", b"\0", b""])
def test_an_import_repairs_a_dataset_with_a_broken_manifest(
    tmp_path: Path, manifest: bytes
) -> None:
    """A manifest that is no text or no JSON does not stand in the way of importing again."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    before = import_dataset(dataset, source)
    dataset.manifest_path.write_bytes(manifest)
    import_dataset(dataset, source)
    assert dataset.manifest().content_hash() == before.content_hash()


def test_stages_made_from_earlier_rows_are_named(tmp_path: Path) -> None:
    """When the rows change, the derived stages in the store are told to be stale, and left."""
    dataset, source, told = dataset_in(tmp_path), small_hospital(tmp_path / "from"), Recorder()
    import_dataset(dataset, source)
    dataset.derived("published").mkdir(parents=True)
    dataset.references("published").mkdir(parents=True)
    write(source, "hosp/diagnoses_icd.csv", DIAGNOSES + "12,102,1,J18,10\n")
    import_dataset(dataset, source, progress=told)
    assert any("derived, references of synthetic are stale" in note for note in told.notes)
    assert dataset.derived("published").is_dir()


def test_the_disk_that_is_needed_is_told_before_it_starts(tmp_path: Path) -> None:
    """An estimate of the disk comes before any table, and not when there is nothing to do."""
    dataset, source, told = dataset_in(tmp_path), small_hospital(tmp_path / "from"), Recorder()
    import_dataset(dataset, source, progress=told)
    assert [note for note in told.notes if "of disk are needed" in note]
    again = Recorder()
    import_dataset(dataset, source, progress=again)
    assert not [note for note in again.notes if "of disk are needed" in note]


def test_known_row_counts_decide(tmp_path: Path) -> None:
    """A count that differs from the release is refused, and taken and recorded when that is allowed."""
    stays = "".join(f"{i},{i},{i},A,B,2180-01-01,2180-01-02,1.0\n" for i in range(139))
    write(tmp_path / "from", "icu/icustays.csv", ICUSTAYS + stays)
    dataset = dataset_in(tmp_path, "mimic-iv-demo")
    with pytest.raises(InputError, match=r"139 rows, and 140 .release 2\.2. are declared"):
        import_dataset(dataset, tmp_path / "from")
    assert not dataset.exists()
    manifest = import_dataset(dataset, tmp_path / "from", allow_modified=True)
    assert (manifest.modified, manifest.release) == (True, None)
    assert manifest.modifications == (
        "mimiciv_icu.icustays: 140 (release 2.2) rows expected, 139 found",
        *(f"{name}: the table is missing" for name in manifest.missing_tables),
    )
    assert len(manifest.missing_tables) == 30
    with pytest.raises(InputError, match="139 rows"):
        import_dataset(dataset, tmp_path / "from")
    write(tmp_path / "from", "icu/icustays.csv", ICUSTAYS + stays + "9,9,9,A,B,,,\n")
    whole = import_dataset(dataset, tmp_path / "from")
    assert (whole.modified, whole.release) == (True, "2.2")


def test_the_demo_of_mimic_is_imported_as_modified(tmp_path: Path, shared: Path) -> None:
    """The given MIMIC-IV demo misses chart rows: refused, then imported as modified, all counts right."""
    dataset = dataset_in(tmp_path, "mimic-iv-demo")
    source = shared / "data" / "mimic-iv-demo"
    with pytest.raises(InputError, match="668,731 rows, and 668,862"):
        import_dataset(dataset, source)
    manifest = import_dataset(dataset, source, allow_modified=True)
    with (shared / "specs" / "releases.csv").open() as stream:
        expected = {
            f"mimiciv_{row['table']}": int(row["rows"])
            for row in csv.DictReader(stream)
            if row["dataset"] == "mimic-iv-demo"
        }
    found = {table.qualified: table.rows for table in manifest.tables}
    assert found == expected | {"mimiciv_icu.chartevents": 668_731}
    assert len(manifest.modifications) == 1
    assert manifest.missing_tables == ()


def test_the_demo_of_eicu_is_imported_as_its_release(tmp_path: Path, shared: Path) -> None:
    """The eICU demo, three tables missing, agrees with release 2.0.1 in all it has, and is not it."""
    dataset = dataset_in(tmp_path, "eicu-demo")
    manifest = import_dataset(dataset, shared / "data" / "eicu-demo")
    assert (manifest.release, manifest.modified) == ("2.0.1", True)
    assert manifest.modifications == (
        "eicu_crd.lab: the table is missing",
        "eicu_crd.nursecharting: the table is missing",
        "eicu_crd.vitalperiodic: the table is missing",
    )
    assert manifest.missing_tables == (
        "eicu_crd.lab",
        "eicu_crd.nursecharting",
        "eicu_crd.vitalperiodic",
    )
    assert len(manifest.tables) == 28


@pytest.mark.parametrize(("site", "name"), [("mimic", "synthetic"), ("eicu", "synthetic-eicu")])
def test_conformance_rows_come_through_cell_by_cell(
    tmp_path: Path, shared: Path, site: str, name: str
) -> None:
    """Every cell of the conformance data, printed back, is the text of the file, or null for a token."""
    dataset = dataset_in(tmp_path, name)
    manifest = import_dataset(dataset, shared / "conformance" / site)
    files = {
        p.name.removesuffix(".csv.gz"): p for p in (shared / "conformance" / site).rglob("*.gz")
    }
    assert {t.table for t in manifest.tables} == set(files)
    for entry in manifest.tables:
        with gzip.open(files[entry.table], "rt", newline="") as stream:
            given_rows = list(csv.DictReader(stream))
        assert len(given_rows) == entry.rows
        stored = pq.read_table(dataset.source(entry.qualified))
        for column in entry.columns:
            wanted = [row[column.name] for row in given_rows]
            got = stored.column(column.name)
            nulls = [text in ("", "NULL", "NA", "N/A", "___") for text in wanted]
            assert got.is_null().to_pylist() == nulls, column.name
            if column.type == "VARCHAR":
                assert got.drop_null().to_pylist() == [
                    text for text, null in zip(wanted, nulls, strict=True) if not null
                ]
            elif column.type in ("INTEGER", "SMALLINT", "BIGINT", "DOUBLE"):
                numbers = [float(t) for t, null in zip(wanted, nulls, strict=True) if not null]
                assert [float(v) for v in got.drop_null().to_pylist()] == numbers
            assert column.nulls == sum(nulls)


def test_the_folder_of_an_import_leaves_other_users_nothing_new(tmp_path: Path) -> None:
    """A finished dataset holds its tables and its manifest and nothing else."""
    dataset = dataset_in(tmp_path)
    import_dataset(dataset, small_hospital(tmp_path / "from"))
    files = {str(p.relative_to(dataset.root)) for p in dataset.root.rglob("*") if p.is_file()}
    assert files == {
        ".import.lock",
        "source/manifest.json",
        "source/mimiciv_hosp/d_labitems.parquet",
        "source/mimiciv_hosp/diagnoses_icd.parquet",
        "source/mimiciv_hosp/services.parquet",
    }


@pytest.mark.parametrize(("name", "mode"), [("mimic-iv", 0o700), ("eicu", 0o700)])
def test_credentialed_rows_are_for_their_owner_alone(tmp_path: Path, name: str, mode: int) -> None:
    """The folder of a credentialed dataset is closed to other users, also where nothing has changed."""
    if name == "eicu":
        write(tmp_path / "from", "hospital.csv", "hospitalid,numbedscategory\n1,<100\n")
    else:
        small_hospital(tmp_path / "from")
    dataset = dataset_in(tmp_path, name)
    for _again in range(2):
        import_dataset(dataset, tmp_path / "from", allow_modified=True)
        assert stat.S_IMODE(dataset.root.stat().st_mode) == mode
        dataset.root.chmod(0o755)
