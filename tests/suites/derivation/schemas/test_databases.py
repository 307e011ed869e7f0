# SPDX-License-Identifier: MIT
"""Task databases: what they show, that they are small and current, and that leaks are found."""

import shutil
from pathlib import Path

import duckdb
import pytest

from m4bench.model.errors import InputError, MissingError, StaleError
from m4bench.model.task import DropRules, ScoringRules, Task, TaskVersion
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import Library, read_library
from m4bench.suites.derivation.library.plan import Stage, open_stage
from m4bench.suites.derivation.schemas.databases import (
    DATABASE,
    build_database,
    current_database,
    host_database,
    tasks_of,
)
from m4bench.suites.derivation.schemas.verify import by_bytes, verify_database
from m4bench.suites.derivation.schemas.view_database import sandbox_path
from m4bench.suites.derivation.schemas.visibility import hidden_concepts
from tests.suites.derivation.library.toy import derivation, toy_dataset, toy_library

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)
pytestmark = [pytest.mark.sandbox, needs_bubblewrap]

ROWS = "SELECT i::INTEGER AS stay_id, (i * 37 % 11)::INTEGER AS value FROM range(200) AS t(i)"


def toy_task(mode: str = "standard", carriers: tuple[str, ...] = ()) -> Task:
    """Return a task whose answer is the concept `summed`."""
    return Task(
        name="toy-task",
        suite="derivation",
        family="toy",
        title="toy",
        mode=mode,
        site="toy",
        difficulty="easy",
        grain="stay",
        reference="answer",
        version=TaskVersion(scoring=1, interface=1),
        drops=DropRules(target=("summed",), carriers=carriers, published=("summed",)),
        scoring=ScoringRules(
            key=("stay_id",),
            values=("value",),
            scored=("value",),
            required=("stay_id", "value"),
            row_coverage=1.0,
            accuracy=1.0,
        ),
    )


def built(folder: Path, library: Library, query: str = ROWS) -> Stage:
    """Build a toy dataset with a library and return its stage."""
    dataset = toy_dataset(folder / "store", query)
    build_concepts(library, dataset)
    build_references(library, dataset)
    return open_stage(dataset, "published")


def with_concept(folder: Path, name: str, sql: str, inputs: str) -> Library:
    """Return the toy library with one more concept."""
    toy_library(folder)
    (folder / "concepts" / "toy" / f"{name}.sql").write_text(derivation(name, sql, inputs))
    return read_library(folder)


def relations(database: Path) -> set[str]:
    """Return the relations a database file holds."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return {
            row[0]
            for row in connection.execute(
                "SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal"
            ).fetchall()
        }


def test_standard_shows_intermediates_and_hides_the_target_and_what_descends(
    tmp_path: Path,
) -> None:
    """The target goes, with its descendants; what it is made of stays."""
    library = with_concept(
        tmp_path / "lib",
        "later",
        "SELECT stay_id, value FROM mimiciv_derived.summed",
        "mimiciv_derived.summed",
    )
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    database, manifest, _ = current_database(
        library, stage, toy_task(), schema="native", drops="strict"
    )
    assert relations(database) == {"toy_icu.stays", "mimiciv_derived.doubled"}
    assert manifest.hidden == ("later", "summed")
    assert verify_database(library, stage, toy_task(), schema="native", drops="strict") == []


def test_raw_shows_source_tables_only(tmp_path: Path) -> None:
    """In raw mode there is no derived schema at all, not even its name in the file."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task("raw"), schema="native", drops="strict")
    database, _, _ = current_database(
        library, stage, toy_task("raw"), schema="native", drops="strict"
    )
    assert relations(database) == {"toy_icu.stays"}
    assert b"mimiciv_derived" not in database.read_bytes()
    assert verify_database(library, stage, toy_task("raw"), schema="native", drops="strict") == []


def test_the_database_names_fixed_paths_and_no_path_of_the_host(tmp_path: Path) -> None:
    """Inside, a view reads `/data/<schema>/<table>.parquet`, and answers where that file is bound."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task("raw"), schema="native", drops="strict")
    database, _, files = current_database(
        library, stage, toy_task("raw"), schema="native", drops="strict"
    )
    content = database.read_bytes()
    assert sandbox_path("toy_icu.stays").encode() in content
    assert str(tmp_path).encode() not in content
    assert set(files) == {"toy_icu.stays"}


def test_a_carrier_that_is_not_declared_is_found_by_its_rows(tmp_path: Path) -> None:
    """A visible concept that holds the answer under another name is a finding; declaring it hides it."""
    library = with_concept(
        tmp_path / "lib",
        "innocent",
        "SELECT stay_id, value * 2 + 1 AS value FROM toy_icu.stays",
        "toy_icu.stays",
    )
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    findings = verify_database(library, stage, toy_task(), schema="native", drops="strict")
    assert [(f.by, f.relation, f.column) for f in findings] == [
        ("rows", "mimiciv_derived.innocent", "value")
    ]
    declared = toy_task(carriers=("innocent",))
    assert "innocent" in hidden_concepts(library, declared, "strict")
    build_database(library, stage, declared, schema="native", drops="strict")
    assert verify_database(library, stage, declared, schema="native", drops="strict") == []


@pytest.mark.parametrize(
    ("column", "leaks"),
    [
        ("(i * 37 % 11) * 2 + 1", True),
        ("CASE WHEN i < 3 THEN -1 ELSE (i * 37 % 11) * 2 + 1 END", True),
        ("CASE WHEN i < 30 THEN -1 ELSE (i * 37 % 11) * 2 + 1 END", False),
        ("i", False),
        ("1", False),
    ],
    ids=["equal", "equal on nearly all", "equal on most", "other", "constant"],
)
def test_source_columns_are_compared_too(column: str, leaks: bool, tmp_path: Path) -> None:
    """A source column is a finding exactly when it equals the target on nearly all rows."""
    query = (
        "SELECT i::INTEGER AS stay_id, (i * 37 % 11)::INTEGER AS value, "
        f"({column})::INTEGER AS hint FROM range(200) AS t(i)"
    )
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library, query)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    findings = verify_database(library, stage, toy_task(), schema="native", drops="strict")
    assert [(f.relation, f.column) for f in findings] == (
        [("toy_icu.stays", "hint")] if leaks else []
    )


def test_an_input_that_is_declared_as_given_is_no_finding(tmp_path: Path) -> None:
    """What a task says it leaves to the agent may equal a scored column; nothing else may."""
    query = (
        "SELECT i::INTEGER AS stay_id, (i * 37 % 11)::INTEGER AS value, "
        "((i * 37 % 11) * 2 + 1)::INTEGER AS hint FROM range(200) AS t(i)"
    )
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library, query)
    task = toy_task()
    given = task.drops.model_copy(update={"given": ("toy_icu.stays.hint = value",)})
    task = task.model_copy(update={"drops": given})
    build_database(library, stage, task, schema="native", drops="strict")
    assert verify_database(library, stage, task, schema="native", drops="strict") == []


def test_a_rare_flag_is_not_mistaken_for_an_equal_column(tmp_path: Path) -> None:
    """Two columns of noughts with different rare ones agree on nearly all rows and give nothing away."""
    query = (
        "SELECT i::INTEGER AS stay_id, (CASE WHEN i % 100 < 5 THEN 0 ELSE -1 END)::INTEGER AS value, "
        "(CASE WHEN i % 100 > 94 THEN 1 ELSE -1 END)::INTEGER AS flag FROM range(2000) AS t(i)"
    )
    library = toy_library(tmp_path / "lib", doubled="value")
    stage = built(tmp_path, library, query)
    build_database(library, stage, toy_task("raw"), schema="native", drops="strict")
    assert verify_database(library, stage, toy_task("raw"), schema="native", drops="strict") == []


def test_an_extreme_of_many_rows_is_compared_with_the_key(tmp_path: Path) -> None:
    """A relation with several rows a key leaks when their largest value is the answer."""
    query = (
        "SELECT (i // 4)::INTEGER AS stay_id, ((i // 4) * 37 % 11)::INTEGER AS value, "
        "(((i // 4) * 37 % 11) * 2 + 1 - (i % 4))::INTEGER AS part FROM range(800) AS t(i)"
    )
    library = toy_library(tmp_path / "lib")
    (tmp_path / "lib" / "concepts" / "toy" / "doubled.sql").write_text(
        derivation(
            "doubled",
            "SELECT stay_id, max(value) * 2 AS value FROM toy_icu.stays GROUP BY stay_id",
            "toy_icu.stays",
        )
    )
    library = read_library(tmp_path / "lib")
    stage = built(tmp_path, library, query)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    findings = verify_database(library, stage, toy_task(), schema="native", drops="strict")
    assert [(f.column, f.detail.split(" joined rows ")[1]) for f in findings] == [
        ("part", "as largest value of a key")
    ]


def planted(stage: Stage) -> Path:
    """Put the hidden target into a task's database."""
    database = stage.dataset.databases("native", "strict", "published") / "toy-task" / DATABASE
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TABLE toy_icu.summed AS SELECT 1 AS stay_id")
    return database


def test_a_database_that_was_altered_is_refused_and_made_again(tmp_path: Path) -> None:
    """A table put into a database after it was made reaches no agent, and the next build removes it."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    planted(stage)
    with pytest.raises(StaleError, match="is not the one that was made"):
        current_database(library, stage, toy_task(), schema="native", drops="strict")
    assert build_database(library, stage, toy_task(), schema="native", drops="strict")[1]
    assert verify_database(library, stage, toy_task(), schema="native", drops="strict") == []


def test_a_planted_relation_is_found_by_bytes(tmp_path: Path) -> None:
    """A relation that the manifest does not name is a finding, and so is a hidden name in the file."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    manifest, _ = build_database(library, stage, toy_task(), schema="native", drops="strict")
    _, _, files = current_database(library, stage, toy_task(), schema="native", drops="strict")
    findings = by_bytes(toy_task(), manifest, planted(stage), files)
    assert {f.relation for f in findings} == {"mimiciv_derived.summed", "toy_icu.summed"}


def test_a_file_behind_a_view_that_was_replaced_is_a_finding(tmp_path: Path) -> None:
    """Verification compares every shown file with its recorded hash."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    build_database(library, stage, toy_task(), schema="native", drops="strict")
    file = stage.file("toy_icu.stays")
    duckdb.sql(f"COPY ({ROWS.replace('37', '41')}) TO '{file}' (FORMAT parquet)")
    findings = verify_database(library, stage, toy_task(), schema="native", drops="strict")
    assert [(f.by, f.relation) for f in findings] == [("bytes", "toy_icu.stays")]


def test_a_database_is_made_once_and_refused_when_its_tables_changed(tmp_path: Path) -> None:
    """An unchanged database is kept; one over tables that changed is refused with the command."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    with pytest.raises(MissingError, match="m4bench databases build toy toy-task"):
        current_database(library, stage, toy_task(), schema="native", drops="strict")
    assert build_database(library, stage, toy_task(), schema="native", drops="strict")[1]
    assert not build_database(library, stage, toy_task(), schema="native", drops="strict")[1]
    changed = toy_library(tmp_path / "lib", doubled="value * 5")
    stage = built(tmp_path, changed)
    with pytest.raises(StaleError, match="m4bench databases build"):
        current_database(changed, stage, toy_task(), schema="native", drops="strict")


def test_its_size_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """Views hold no rows: the database of a thousand times the rows has the same size."""
    library = toy_library(tmp_path / "lib")
    sizes = []
    for number, rows in enumerate((100, 100_000)):
        query = f"SELECT i::INTEGER AS stay_id, i::INTEGER AS value FROM range({rows}) AS t(i)"
        stage = built(tmp_path / str(number), library, query)
        manifest, _ = build_database(library, stage, toy_task(), schema="native", drops="strict")
        sizes.append(manifest.bytes)
    assert sizes[0] == sizes[1] <= 2_000_000


def test_a_dataset_of_another_site_is_refused(tmp_path: Path) -> None:
    """A task is made for one site; another one's tables do not become its database."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    elsewhere = toy_task().model_copy(update={"site": "elsewhere"})
    with pytest.raises(InputError, match="is a task on elsewhere, and toy is shaped like toy"):
        build_database(library, stage, elsewhere, schema="native", drops="strict")
    with pytest.raises(InputError, match="the tables of no task"):
        tasks_of(library, stage, [elsewhere])
    assert tasks_of(library, stage, [elsewhere, toy_task()]) == [toy_task()]


def test_host_paths_serve_where_there_is_no_file_view(tmp_path: Path) -> None:
    """For runs without isolation the same views name the files where they are."""
    library = toy_library(tmp_path / "lib")
    stage = built(tmp_path, library)
    database = host_database(
        stage,
        toy_task(),
        {"toy_icu.stays": stage.file("toy_icu.stays")},
        "0" * 64,
        schema="native",
        drops="strict",
    )
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM toy_icu.stays").fetchone() == (200,)
