# SPDX-License-Identifier: MIT
import gzip
import traceback
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from m4bench.data.importer import import_dataset
from m4bench.model.errors import InputError
from tests.data.folders import DIAGNOSES, dataset_in, small_hospital, write

HEADER = "subject_id,hadm_id,seq_num,icd_code,icd_version\n"
GOOD = "10,100,1,0389,9\n"
SECRET = "4815162342SECRET"
FILE = "hosp/diagnoses_icd.csv"


@dataclass
class Case:
    """A spoilt file, and the place and the words that its refusal must show."""

    content: str | bytes
    words: str
    row: int | None = None
    column: str | None = None
    name: str = FILE


GZIPPED = gzip.compress((HEADER + GOOD * 3000).encode(), mtime=0)
CASES = {
    "missing-column": Case(
        f"subject_id,hadm_id,seq_num,icd_version\n1,2,3,{SECRET}\n", "missing", None, "icd_code"
    ),
    "text-in-integer": Case(
        HEADER + GOOD + f"{SECRET},100,1,0389,9\n", "not of type INTEGER", 3, "subject_id"
    ),
    "fraction-in-integer": Case(
        HEADER + GOOD * 5 + "10,4815.162342,1,0389,9\n", "not of type INTEGER", 7, "hadm_id"
    ),
    "integer-too-large": Case(
        HEADER + "10,100,4815162342,0389,9\n", "not of type INTEGER", 2, "seq_num"
    ),
    "word-none-in-integer": Case(HEADER + "10,100,1,0389,None\n", "SMALLINT", 2, "icd_version"),
    "misfit-after-long-field": Case(
        HEADER + f'10,100,1,"a\nb\r\nc",9\n10,100,1,"d\n",9\n10,{SECRET},1,x,9\n',
        "not of type INTEGER",
        7,
        "hadm_id",
    ),
    "first-of-two-misfits": Case(
        HEADER + GOOD + f"10,100,1,x,{SECRET}\n{SECRET},100,1,x,9\n", "SMALLINT", 3, "icd_version"
    ),
    "not-a-time": Case(
        "subject_id,hadm_id,transfertime,prev_service,curr_service\n"
        f"1,2,2180-01-01 00:00:00,A,B\n1,2,{SECRET},A,B\n",
        "not of type TIMESTAMP",
        3,
        "transfertime",
        "hosp/services.csv",
    ),
    "too-few-fields": Case(HEADER + GOOD + f"10,100,1,{SECRET}\n" + GOOD, "too few fields", 3),
    "too-many-fields": Case(HEADER + f"10,100,1,{SECRET},9,7\n", "too many fields", 2),
    "one-comma-too-many": Case(HEADER + GOOD + f"10,100,1,{SECRET},9,\n", "too many fields", 3),
    "width-after-long-field": Case(
        HEADER + f'10,100,1,"a\nb\nc",9\n10,100,1,{SECRET}\n', "too few fields", 5
    ),
    "blank-line": Case(HEADER + GOOD + "\n" + GOOD, "too few fields", 3),
    "unterminated-quote": Case(
        HEADER + GOOD + f'10,100,1,"{SECRET},9\n' + GOOD, "unterminated quote", 3, "icd_code"
    ),
    "unterminated-quote-closed-later": Case(
        HEADER + f'10,100,1,"{SECRET},9\n10,100,1,"0389",9\n', "not closed", 2, "icd_code"
    ),
    "quote-inside-field": Case(HEADER + f'10,100,1,{SECRET}"x,9\n', "quote", 2, "icd_code"),
    "not-utf-8": Case(
        (HEADER + GOOD).encode() + b"10,100,1,\xb5" + SECRET.encode() + b",9\n",
        "not UTF-8",
        3,
        "icd_code",
    ),
    "utf-16": Case((HEADER + GOOD).encode("utf-16"), "not UTF-8", 1),
    "nul-byte": Case(HEADER + GOOD + f"10,100,1,{SECRET}\0,9\n", "a NUL byte", 3, "icd_code"),
    "duplicate-column": Case(HEADER.replace("seq_num", "HADM_ID") + GOOD, "twice", 1, "hadm_id"),
    "nameless-column": Case("," + HEADER + "0," + GOOD, "has no name", 1),
    "empty-file": Case("", "is empty", 1),
    "truncated-gzip": Case(GZIPPED[: len(GZIPPED) // 2], "truncated or corrupt gzip", name="x.gz"),
    "truncated-trailer": Case(GZIPPED[:-5], "truncated or corrupt gzip", name="x.gz"),
    "corrupt-gzip": Case(
        GZIPPED[:-6] + bytes([GZIPPED[-6] ^ 255]) + GZIPPED[-5:],
        "truncated or corrupt gzip",
        name="x.gz",
    ),
    "not-gzip": Case(HEADER + GOOD, "truncated or corrupt gzip", name="x.gz"),
    "empty-gzip": Case(b"", "is empty", 1, name="x.gz"),
}


def refusal(source: Path, dataset_folder: Path, name: str = "synthetic") -> InputError:
    dataset = dataset_in(dataset_folder, name)
    with pytest.raises(InputError) as refused:
        import_dataset(dataset, source)
    assert not dataset.exists()
    assert not list(dataset.root.rglob(".partial-*.parquet"))
    shown = "".join(traceback.format_exception(refused.value))
    assert SECRET not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert SECRET not in shown
    assert "4815" not in str(refused.value)
    assert refused.value.remedy
    return refused.value


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_spoilt_file_is_refused_at_its_place_and_without_its_values(
    tmp_path: Path, case: Case
) -> None:
    """The one line names file, row and column, says what to do, and shows no value; nothing appears."""
    source = small_hospital(tmp_path / "from")
    name = case.name
    if name == "x.gz":
        (source / FILE).unlink()
        name = f"{FILE}.gz"
    path = source / name
    path.write_bytes(case.content.encode() if isinstance(case.content, str) else case.content)
    error = refusal(source, tmp_path)
    assert case.words in str(error)
    assert (Path(str(error.file)), error.row, error.column) == (path, case.row, case.column)


@pytest.mark.parametrize("packed", [False, True])
def test_a_fault_deep_in_a_file_is_found_at_its_line(tmp_path: Path, packed: bool) -> None:
    """A value that does not fit, hundreds of thousands of rows down, is named by its line."""
    rows = [f"{i},100,1,0389,9\n" for i in range(400_000)]
    rows[345_678] = f"1,{SECRET},1,0389,9\n"
    write(tmp_path / "from", f"{FILE}.gz" if packed else FILE, HEADER + "".join(rows))
    error = refusal(tmp_path / "from", tmp_path)
    assert (error.row, error.column) == (345_680, "hadm_id")


def test_an_earlier_dataset_outlives_a_refused_import(tmp_path: Path) -> None:
    """When the new files are refused, the dataset imported before stays whole."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    before = import_dataset(dataset, source)
    write(source, FILE, DIAGNOSES + "x,y,z\n")
    with pytest.raises(InputError, match="too few fields"):
        import_dataset(dataset, source)
    assert dataset.manifest() == before
    assert all((dataset.root / t.file).stat().st_size == t.bytes for t in before.tables)


def stays(**columns: pa.Array) -> pa.Table:
    """Return two stays as a table of Arrow, some columns replaced."""
    good = {
        "subject_id": pa.array([1, 2], pa.int32()),
        "hadm_id": pa.array([1, 2], pa.int32()),
        "stay_id": pa.array([1, 2], pa.int32()),
        "first_careunit": pa.array(["A", "B"]),
        "last_careunit": pa.array(["A", "B"]),
        "intime": pa.array([0, 1], pa.timestamp("us")),
        "outtime": pa.array([0, 1], pa.timestamp("us")),
        "los": pa.array([1.0, 2.0]),
    }
    return pa.table(good | columns)


HALVES_IN_A_STRUCT = pa.StructArray.from_arrays(
    [pa.array([1.0, 2.0], pa.float32()).cast(pa.float16())], names=["x"]
)


@pytest.mark.parametrize(
    ("column", "values", "words", "row"),
    [
        ("stay_id", pa.array([1.0, 4815.162342]), "not of type INTEGER", 2),
        ("stay_id", pa.array(["1", SECRET]), "not of type INTEGER", 2),
        ("los", pa.array([1.0, float("nan")]), "not of type DOUBLE", 2),
        ("intime", pa.array([0, 1], pa.timestamp("us", tz="UTC")), "does not convert", None),
        ("intime", pa.array([1, 2]), "does not convert to TIMESTAMP", None),
        ("first_careunit", pa.array([1, 4815162342]), "does not convert to VARCHAR", None),
        ("stay_id", pa.array([[1], [2]]), "does not convert to INTEGER", None),
        ("first_careunit", pa.array([b"\xff" + SECRET.encode(), b"x"]), "does not convert", None),
        ("last_careunit", pa.array(["A", f"{SECRET}\0"]), "a NUL byte", 2),
        ("last_careunit", pa.array(["A", f"{SECRET}\0"], pa.string_view()), "a NUL byte", 2),
        ("los", pa.array([1, 4815162342 * 10**32], pa.decimal256(50, 2)), "does not fit", None),
        ("los", pa.array([1, 1], pa.decimal256(60, 50)), "cannot be read by the engine", None),
        ("extra", HALVES_IN_A_STRUCT, "cannot be read by the engine", None),
    ],
)
def test_a_parquet_column_that_does_not_fit_is_refused(
    tmp_path: Path, column: str, values: pa.Array, words: str, row: int | None
) -> None:
    """A type that does not convert, or a value that does not fit, is refused by column and row number."""
    folder = tmp_path / "from" / "icu"
    folder.mkdir(parents=True)
    pq.write_table(stays(**{column: values}), folder / "icustays.parquet")
    error = refusal(tmp_path / "from", tmp_path)
    assert words in str(error)
    assert (error.column, error.row) == (column, row)


def test_a_parquet_file_without_a_required_column_is_refused(tmp_path: Path) -> None:
    """A required column is missed in Parquet too."""
    folder = tmp_path / "from" / "icu"
    folder.mkdir(parents=True)
    pq.write_table(stays().drop_columns(["intime"]), folder / "icustays.parquet")
    assert refusal(tmp_path / "from", tmp_path).column == "intime"


@pytest.mark.parametrize("keep", [0, 10, 400])
def test_a_broken_parquet_file_is_refused(tmp_path: Path, keep: int) -> None:
    """An empty or truncated Parquet file is refused by name."""
    folder = tmp_path / "from" / "icu"
    folder.mkdir(parents=True)
    path = folder / "icustays.parquet"
    pq.write_table(stays(), path)
    path.write_bytes(path.read_bytes()[:keep])
    assert "not a readable Parquet file" in str(refusal(tmp_path / "from", tmp_path))


def test_an_unknown_dataset_is_refused(tmp_path: Path) -> None:
    """A name outside the catalogue is refused before anything is written."""
    with pytest.raises(InputError, match="no dataset called mimic-3"):
        import_dataset(dataset_in(tmp_path, "mimic-3"), small_hospital(tmp_path / "from"))
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    "limit",
    ["lots", "banana", "", "0", "0GB", "-5GB", "50%", "none", "-1", "4", "9" * 30 + "TB"],
)
def test_a_nonsense_memory_limit_is_refused_before_anything_is_read(
    tmp_path: Path, limit: str
) -> None:
    """A memory limit that is none, or that the engine would take for none, is refused with an example."""
    with pytest.raises(InputError, match="--memory-limit 4GB"):
        import_dataset(dataset_in(tmp_path), tmp_path / "nowhere", memory_limit=limit)


@pytest.mark.parametrize("limit", ["1KB", "1MB"])
def test_a_memory_limit_that_is_too_small_is_told_as_such(tmp_path: Path, limit: str) -> None:
    """Where the engine runs out of its memory, the line names the option that gives it more."""
    source = tmp_path / "from"
    write(source, FILE, HEADER + GOOD * 50_000)
    with pytest.raises(InputError, match="memory limit is too small for this table; raise it"):
        import_dataset(dataset_in(tmp_path), source, memory_limit=limit)


@pytest.mark.parametrize("limit", ["1GB", "512 MiB", "1.5gb", "1G"])
def test_the_usual_ways_to_write_a_memory_limit_are_taken(tmp_path: Path, limit: str) -> None:
    """A number with a unit of thousands or of 1024 is a limit."""
    source = small_hospital(tmp_path / "from")
    assert import_dataset(dataset_in(tmp_path), source, memory_limit=limit).tables


def test_a_store_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """Where the store is a file, the refusal names it."""
    (tmp_path / "store").write_text("x")
    with pytest.raises(InputError, match="cannot be read or written") as refused:
        import_dataset(dataset_in(tmp_path), small_hospital(tmp_path / "from"))
    assert str(tmp_path / "store") in str(refused.value)
