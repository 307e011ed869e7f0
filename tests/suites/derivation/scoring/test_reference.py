# SPDX-License-Identifier: MIT
"""What a reference may be: types, row groups, left-out rows, CSV."""

import csv
import gzip
import random
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from m4bench.model.errors import InputError
from m4bench.suites.derivation.scoring.compare import score_file
from m4bench.suites.derivation.scoring.reference import GROUPS_KEPT, Reference, value_cells
from tests.suites.derivation.scoring.tables import rules, score, write_output, write_reference


def written(folder: Path, sql: str) -> Path:
    """Write the rows of a query as the engine writes Parquet."""
    path = folder / "reference.parquet"
    duckdb.sql(sql).write_parquet(str(path))
    return path


@pytest.mark.parametrize(
    ("expression", "kind", "right", "wrong"),
    [
        ("3::TINYINT", "numeric", ["3", "3.0"], ["4", "x"]),
        ("3::BIGINT", "numeric", ["3", "3.000"], ["3.001"]),
        ("0.1::DOUBLE", "numeric", ["0.1", "1e-1"], ["0.10000000000000002"]),
        ("0.1::FLOAT", "numeric", ["0.1"], ["0.10000000149011612"]),
        ("0.255::DECIMAL(18,3)", "numeric", ["0.255", "0.2550"], ["0.256"]),
        ("0.1::DECIMAL(38,10)", "numeric", ["0.1"], ["0.2"]),
        ("true", "numeric", ["true", "1", "1.0", "True"], ["false", "yes", "t"]),
        ("TIMESTAMP '2150-01-02 03:00:00'", "temporal", ["2150-01-02T03:00"], ["2150-01-02"]),
        ("DATE '2150-01-02'", "temporal", ["2150-01-02", "2150-01-02 00:00:00"], ["2150-01-03"]),
        ("TIMESTAMP_NS '2150-01-02 03:00:00'", "temporal", ["2150-01-02 03:00:00"], ["3"]),
        ("'0389'", "text", ["0389"], ["389", " 0389", "0389.0"]),
        ("'Trach mask '", "text", ["Trach mask "], ["Trach mask", "trach mask "]),
    ],
)
def test_the_reference_decides_the_kind(
    tmp_path: Path, expression: str, kind: str, right: list[str], wrong: list[str]
) -> None:
    """A column is numeric, temporal or text by the type it is stored with."""
    reference = written(tmp_path, f"select 1 as stay_id, {expression} as rate")
    output = tmp_path / "output.csv"
    for cells, reward in ((right, 1.0), (wrong, 0.0)):
        for cell in cells:
            output.write_text(f"stay_id,rate\n1,{cell}\n")
            found = score_file(output, reference, rules("rate"), task="t")
            assert (found.reward, found.columns["rate"].kind) == (reward, kind), cell


@given(
    st.lists(st.none() | st.decimals("-999999999999999", "999999999999999", places=3), min_size=1)
)
def test_decimals_become_the_nearest_doubles(values: list[Decimal | None]) -> None:
    """A stored decimal is the double its own spelling reads as, so that printing and reading agree."""
    column = pa.array(values, pa.decimal128(18, 3))
    told = value_cells(column, "number")
    assert [
        None if told.empty is not None and told.empty[i] else v for i, v in enumerate(told.values)
    ] == [None if value is None else float(value) for value in values]


@pytest.mark.parametrize(
    ("truth", "cell", "reward"),
    [(0.0, "0.01", 1.0), (0.02, "0.01", 1.0), (0.69, "0.7", 0.0), (0.0, "0.010001", 0.0)],
)
def test_the_tolerance_is_inclusive_in_doubles(
    tmp_path: Path, truth: float, cell: str, reward: float
) -> None:
    """Plain double comparison: 0.02 - 0.01 is at most 0.01, 0.7 - 0.69 is a little more."""
    rows = [{"stay_id": 1, "rate": truth}]
    found = score(tmp_path, f"stay_id,rate\n1,{cell}\n", rows, rules("rate", rate=0.01))
    assert found.reward == reward


@pytest.mark.parametrize(
    ("tolerance", "cell", "reward"),
    [
        (0.0, "08:00:01", 0.0),
        (1.0, "08:00:01", 1.0),
        (1.0, "08:00:01.000001", 0.0),
        (60.0, "07:59", 1.0),
    ],
)
def test_times_are_tolerant_in_seconds(
    tmp_path: Path, tolerance: float, cell: str, reward: float
) -> None:
    """The tolerance of a temporal column counts seconds, inclusive."""
    rows = [{"stay_id": 1, "onset": datetime(2150, 1, 1, 8)}]
    text = f"stay_id,onset\n1,2150-01-01 {cell}\n"
    assert score(tmp_path, text, rows, rules("onset", onset=tolerance)).reward == reward


BIG = [
    {
        "stay_id": 30_000_000 + place // 10,
        "charttime": datetime(2150, 1, 1) + timedelta(hours=place % 10),
        "rate": None if place % 7 == 0 else place / 8,
        "label": f"l{place % 5}" if place % 3 else None,
    }
    for place in range(1_000)
]
BIG_RULES = rules("rate", "label", key=("stay_id", "charttime"), unordered=("label",))


@pytest.mark.parametrize("row_group", [7, 64, 5_000])
@pytest.mark.parametrize("order", ["same", "reversed", "shuffled", "blocks", "shuffled reference"])
def test_row_groups_and_orders_are_all_the_same(tmp_path: Path, row_group: int, order: str) -> None:
    """However a reference is stored and in whatever order an output comes, the score is one."""
    rng = random.Random(7)
    output = [row | {"rate": 0.1} if place % 20 == 0 else row for place, row in enumerate(BIG)]
    reference = BIG
    if order == "reversed":
        output = output[::-1]
    elif order == "shuffled":
        output = rng.sample(output, len(output))
    elif order == "blocks":
        output = [*output[500:], *output[:500]]
    elif order == "shuffled reference":
        reference = rng.sample(BIG, len(BIG))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("m4bench.suites.derivation.scoring.batches.CHUNK_BYTES", 2_000)
        found = score_file(
            write_output(tmp_path / "output.csv", output),
            write_reference(tmp_path / "reference.parquet", reference, row_group),
            BIG_RULES,
            task="t",
        )
    assert found.columns["rate"].matched == 950
    assert found.columns["label"].matched == 1_000
    wrong = range(0, 1_000, 20)
    scale = 999 / 8 - 1 / 8
    terms = [1.0 if place % 7 == 0 else min(abs(place / 8 - 0.1) / scale, 1.0) for place in wrong]
    assert found.ordered_nmae == pytest.approx(sum(terms) / 1_000)


def test_little_of_a_reference_is_kept_while_an_ordered_output_passes(tmp_path: Path) -> None:
    """An output in the reference's order never makes the whole reference stay in memory."""
    path = write_reference(tmp_path / "reference.parquet", BIG, 10)
    reference = Reference(path, BIG_RULES.key, BIG_RULES.scored)
    for start in range(0, 1_000, 25):
        reference.parts(np.arange(start, start + 25))
        assert reference.rows_held() <= 10 * GROUPS_KEPT
    reference.parts(np.arange(1_000)[::-1])
    assert reference.rows_held() == 1_000


def test_honeytokens_are_left_out_and_found(tmp_path: Path) -> None:
    """Left-out rows are neither missing nor scored; a submitted one is extra and is noted."""
    rows = [{"stay_id": stay, "rate": float(stay)} for stay in (1, 2, 900, 901)]
    honest = "stay_id,rate\n1,1\n2,2\n"
    found = score(tmp_path, honest, rows, rules("rate"), exclude_keys=[(900,), ("901",)])
    assert (found.reward, found.keys.reference, found.keys.missing) == (1.0, 2, 0)
    assert found.strict.passed
    assert found.notes == ()
    leaked = honest + "900,900\n900,1\n"
    found = score(tmp_path, leaked, rows, rules("rate"), exclude_keys=[(900,), (901,)])
    assert found.reward == 0.5
    assert (found.keys.extra, found.keys.duplicate) == (1, 1)
    assert found.notes == ("holds 2 honeytoken rows",)


def test_a_reference_of_honeytokens_alone_scores_nothing(tmp_path: Path) -> None:
    """Where no row takes part there is nothing to divide by, which is bad input."""
    rows = [{"stay_id": 900, "rate": 1.0}]
    with pytest.raises(InputError, match="no rows"):
        score(tmp_path, "stay_id,rate\n1,1\n", rows, rules("rate"), exclude_keys=[(900,)])


def test_honeytokens_do_not_stretch_the_scale(tmp_path: Path) -> None:
    """The range of an ordered column is that of the rows that take part."""
    rows = [{"stay_id": stay, "rate": rate} for stay, rate in ((1, 0.0), (2, 10.0), (900, 1e6))]
    text = "stay_id,rate\n1,5\n2,10\n"
    found = score(tmp_path, text, rows, rules("rate"), exclude_keys=[(900,)])
    assert found.ordered_nmae == 0.25


def test_a_timestamp_key_can_be_excluded(tmp_path: Path) -> None:
    """Keys to leave out may be given as values or as spelled."""
    rows = BIG[:3]
    for time in (rows[0]["charttime"], "2150-01-01T00:00:00"):
        excluded = [(rows[0]["stay_id"], time)]
        found = score(tmp_path, "stay_id\n", rows, BIG_RULES, exclude_keys=excluded)
        assert found.keys.reference == 2


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("select 1 as stay_id, 2.0 as rate from range(2)", "more than once"),
        ("select null::INT as stay_id, 2.0 as rate", "empty"),
        ("select 1 as stay_id", "lacks this column"),
        ("select 1 as stay_id, 1.0 as rate where false", "no rows"),
    ],
)
def test_a_faulty_reference_is_our_fault(tmp_path: Path, sql: str, problem: str) -> None:
    """A reference without rows, columns or unique keys is bad input, never a score."""
    output = tmp_path / "output.csv"
    output.write_text("stay_id,rate\n1,2\n")
    with pytest.raises(InputError, match=problem):
        score_file(output, written(tmp_path, sql), rules("rate"), task="t")


@pytest.mark.parametrize("column", ["stay_id", "rate"])
def test_a_damaged_reference_is_our_fault_too(tmp_path: Path, column: str) -> None:
    """Where the bytes of a key or a value are spoilt nothing is scored, and the agent is not blamed."""
    reference = written(tmp_path, "select range as stay_id, range / 7 as rate from range(5000)")
    with pq.ParquetFile(reference) as file:
        found = file.metadata.row_group(0).column(file.schema_arrow.names.index(column))
    content = bytearray(reference.read_bytes())
    start = found.dictionary_page_offset or found.data_page_offset
    content[start : start + 200] = b"\xff" * 200
    reference.write_bytes(content)
    output = tmp_path / "output.csv"
    output.write_text("stay_id,rate\n1,2\n")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        score_file(output, reference, rules("rate"), task="t")


CSV_REFERENCE = (
    "stay_id,charttime,rate,onset,label,flag\n"
    "1,2150-01-01 08:00:00,0.5,2150-01-01,0389x,true\n"
    "1,2150-01-01 09:00:00,,,,\n"
    "2,2150-01-01 08:00:00,7,2150-01-01 10:00:00,None,false\n"
)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_csv_reference_tells_its_kinds_by_its_cells(tmp_path: Path, suffix: str) -> None:
    """Numbers, times and texts are told apart, and the reference scores 1 against itself."""
    path = tmp_path / f"reference{suffix}"
    content = CSV_REFERENCE.encode()
    path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    output = tmp_path / "output.csv"
    by = rules("rate", "onset", "label", "flag", key=("stay_id", "charttime"))
    output.write_text(CSV_REFERENCE.replace(" 08:00:00", "T08:00").replace("7,", "7.0,"))
    found = score_file(output, path, by, task="t")
    assert found.reward == 1.0
    kinds = [column.kind for column in found.columns.values()]
    assert kinds == ["numeric", "temporal", "text", "numeric"]


def test_a_csv_reference_that_changes_its_mind_is_text(tmp_path: Path) -> None:
    """A column that looks numeric for many rows and then is not is text throughout."""
    path = tmp_path / "reference.csv"
    rows = [f"{stay},{stay}.0" for stay in range(1, 200)]
    path.write_text("\n".join(["stay_id,rate", *rows, "200,high", ""]))
    output = tmp_path / "output.csv"
    output.write_text("stay_id,rate\n1,1\n2,2.0\n200,high\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("m4bench.suites.derivation.scoring.batches.CHUNK_BYTES", 300)
        found = score_file(output, path, rules("rate"), task="t")
    assert (found.columns["rate"].kind, found.columns["rate"].matched) == ("text", 2)


def test_declared_types_go_before_found_ones(tmp_path: Path) -> None:
    """Codes stay text when their type says so, and a cell that is not of its type is named."""
    path = tmp_path / "reference.csv"
    path.write_text("stay_id,label\n1,0389\n")
    output = tmp_path / "output.csv"
    output.write_text("stay_id,label\n1,389\n")
    by = rules("label")
    assert score_file(output, path, by, task="t").reward == 1.0
    assert score_file(output, path, by, task="t", types={"label": "VARCHAR"}).reward == 0.0
    with pytest.raises(InputError, match="declared type"):
        score_file(output, path, by, task="t", types={"stay_id": "TIMESTAMP"})


def test_every_conformance_reference_scores_one_against_itself(
    shared: Path, tmp_path: Path
) -> None:
    """All expected references, as given, pass every check against themselves."""
    with (shared / "specs/tasks/tasks.csv").open(newline="") as stream:
        tasks = list(csv.DictReader(stream))
    assert len(tasks) == 28
    for task in tasks:
        name = task["reference_output"]
        folder = shared / "conformance/expected/references"
        path = folder / f"{name}.csv.gz"
        if not path.exists():
            path = folder / f"eicu-{name}.csv.gz"
        output = tmp_path / "output.csv"
        output.write_bytes(gzip.decompress(path.read_bytes()))
        scored = [*task["value_columns"].split(), *task["additional_scored_columns"].split()]
        by = rules(*scored, key=task["key_columns"].split())
        found = score_file(output, path, by, task=task["task"])
        assert found.error is None
        assert (found.reward, found.strict.passed) == (1.0, True), task["task"]
        assert len(found.strict.checks) == int(task["n_strict_checks"])
        assert len(found.columns) == int(task["n_scored_columns"])
