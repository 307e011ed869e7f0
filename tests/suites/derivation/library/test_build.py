# SPDX-License-Identifier: MIT
"""Building: in order, only what changed, private references, whole or not at all."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from m4bench.data.store import Store
from m4bench.model.errors import InputError, MissingError, StaleError
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import read_library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.export import export_concepts, export_references
from m4bench.suites.derivation.library.honeytokens import LOWEST, WATERMARK
from m4bench.suites.derivation.library.manifest import read_references
from m4bench.suites.derivation.library.plan import current_reference
from tests.suites.derivation.library.toy import derivation, toy_dataset, toy_library


def rows(file: Path) -> list[tuple[int, ...]]:
    """Read a Parquet file's rows."""
    return duckdb.sql(f"SELECT * FROM read_parquet('{file}')").fetchall()


def test_concepts_are_built_in_order_and_named_ones_bring_what_they_need(tmp_path: Path) -> None:
    """Asking for the last concept builds the first one before it."""
    dataset = toy_dataset(tmp_path / "store")
    report = build_concepts(toy_library(tmp_path / "lib"), dataset, ["summed"])
    assert list(report.built) == ["doubled", "summed"]
    assert rows(dataset.derived("published") / "summed.parquet") == [(1, 21), (2, 41), (3, 61)]


def test_nothing_is_redone_when_nothing_changed(tmp_path: Path) -> None:
    """A second build reuses every file, byte for byte."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    build_concepts(library, dataset)
    file = dataset.derived("published") / "summed.parquet"
    before = file.stat().st_mtime_ns
    report = build_concepts(library, dataset)
    assert (list(report.built), sorted(report.reused)) == ([], ["doubled", "summed"])
    assert file.stat().st_mtime_ns == before


def test_a_changed_query_rebuilds_what_depends_on_it(tmp_path: Path) -> None:
    """New SQL upstream is carried through to what reads it."""
    dataset = toy_dataset(tmp_path / "store")
    build_concepts(toy_library(tmp_path / "lib"), dataset)
    report = build_concepts(toy_library(tmp_path / "lib", doubled="value * 3"), dataset)
    assert list(report.built) == ["doubled", "summed"]
    assert rows(dataset.derived("published") / "summed.parquet")[0] == (1, 31)


def test_a_change_without_effect_stops_where_the_rows_are_equal(tmp_path: Path) -> None:
    """When a rewritten query gives the same rows, nothing downstream is redone."""
    dataset = toy_dataset(tmp_path / "store")
    build_concepts(toy_library(tmp_path / "lib"), dataset)
    report = build_concepts(toy_library(tmp_path / "lib", doubled="value + value"), dataset)
    assert (list(report.built), list(report.reused)) == (["doubled"], ["summed"])


def test_a_lost_file_is_made_again(tmp_path: Path) -> None:
    """A manifest entry without its file does not count as built."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    build_concepts(library, dataset)
    (dataset.derived("published") / "doubled.parquet").unlink()
    assert list(build_concepts(library, dataset).built) == ["doubled"]


def test_a_concept_without_its_source_table_is_left_out_or_refused(tmp_path: Path) -> None:
    """Building all leaves it out with the table's name; naming it is an error."""
    library = toy_library(tmp_path / "lib")
    extra = tmp_path / "lib" / "concepts" / "toy" / "absent.sql"
    extra.write_text(
        derivation("absent", "SELECT stay_id, value FROM toy_icu.nowhere", "toy_icu.nowhere")
    )
    library = toy_library(tmp_path / "lib")
    dataset = toy_dataset(tmp_path / "store")
    report = build_concepts(library, dataset)
    assert report.left_out == {"absent": ["toy_icu.nowhere"]}
    assert list(report.built) == ["doubled", "summed"]
    with pytest.raises(InputError, match=r"absent needs toy_icu\.nowhere"):
        build_concepts(library, dataset, ["absent"])


def test_a_dataset_of_which_nothing_can_be_derived_is_an_error(tmp_path: Path) -> None:
    """When every derivation lacks its tables, the build says so rather than ending well with nothing."""
    toy_library(tmp_path / "lib")
    for file in (tmp_path / "lib").rglob("doubled.sql"):
        file.write_text(file.read_text().replace("toy_icu.stays", "toy_icu.nowhere"))
    library = read_library(tmp_path / "lib")
    dataset = toy_dataset(tmp_path / "store")
    for build in (build_concepts, build_references):
        with pytest.raises(InputError, match="the source tables of nothing"):
            build(library, dataset)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "SELECT stay_id, value::BIGINT AS value FROM toy_icu.stays",
            "column value.*BIGINT.*INTEGER",
        ),
        ("SELECT stay_id, value AS other FROM toy_icu.stays", "gives the columns stay_id, other"),
    ],
)
def test_a_query_must_give_the_declared_columns(sql: str, message: str, tmp_path: Path) -> None:
    """A type or a name that differs from the header stops the build and writes nothing."""
    toy_library(tmp_path / "lib")
    file = tmp_path / "lib" / "concepts" / "toy" / "doubled.sql"
    file.write_text(derivation("doubled", sql, "toy_icu.stays"))
    dataset = toy_dataset(tmp_path / "store")
    with pytest.raises(InputError, match=message):
        build_concepts(read_library(tmp_path / "lib"), dataset)
    assert list(dataset.derived("published").glob("*.parquet")) == []


def test_output_does_not_depend_on_threads_or_input_order(tmp_path: Path) -> None:
    """The same rows in another order, with other thread counts, give the same bytes."""
    query = (
        "SELECT i::INTEGER AS stay_id, (i * 7919 % 1000)::INTEGER AS value FROM range(300000) t(i)"
    )
    hashes = set()
    for number, (threads, order) in enumerate([(1, "i"), (2, "hash(i)"), (4, "-i")]):
        dataset = toy_dataset(tmp_path / str(number), f"{query} ORDER BY {order}")
        report = build_concepts(
            toy_library(tmp_path / "lib"), dataset, limits=EngineLimits(threads=threads)
        )
        hashes.add(report.built["summed"].sha256)
    assert len(hashes) == 1


def test_references_are_private_marked_and_hold_keys_that_cannot_exist(tmp_path: Path) -> None:
    """A reference lies in a 0700 folder, carries a watermark, and its honeytokens are told in the manifest."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    build_references(library, dataset)
    folder = dataset.references("published")
    assert [p.stat().st_mode & 0o777 for p in (folder, folder.parent, folder.parent.parent)] == [
        0o700
    ] * 3
    entry = read_references(folder, "toy", "published").entries["answer"]
    assert (folder / entry.file).stat().st_mode & 0o777 == 0o600
    planted = {int(key[0]) for key in entry.honeytokens}
    assert len(planted) == 3
    assert min(planted) >= LOWEST
    found = rows(folder / entry.file)
    assert [r for r in found if r[0] not in planted] == [(1, 21), (2, 41), (3, 61)]
    assert {r[0] for r in found} >= planted
    assert entry.rows == 3
    metadata = pq.read_metadata(folder / entry.file).metadata
    assert metadata[WATERMARK.encode()].decode() == entry.watermark
    assert entry.lineage == {"doubled": "published", "summed": "published"}


def test_a_stale_reference_is_refused_with_the_command_that_refreshes_it(tmp_path: Path) -> None:
    """After an upstream query or the dataset changed, the stored reference may not be used."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    with pytest.raises(MissingError, match="m4bench references build toy answer"):
        current_reference(library, dataset, "published", "answer")
    build_references(library, dataset)
    assert current_reference(library, dataset, "published", "answer").rows == 3
    changed = toy_library(tmp_path / "lib2", doubled="value * 3")
    with pytest.raises(StaleError, match="m4bench references build toy answer"):
        current_reference(changed, dataset, "published", "answer")
    toy_dataset(tmp_path / "store", "SELECT 9 AS stay_id, 1 AS value")
    with pytest.raises(StaleError):
        current_reference(library, dataset, "published", "answer")


def test_a_reference_that_repeats_a_key_is_an_error(tmp_path: Path) -> None:
    """A reference must have one row a key; otherwise nothing is stored."""
    dataset = toy_dataset(
        tmp_path / "store", "SELECT * FROM (VALUES (1, 1), (1, 2)) AS t(stay_id, value)"
    )
    with pytest.raises(InputError, match="repeats 1 keys"):
        build_references(toy_library(tmp_path / "lib"), dataset)
    assert list(dataset.references("published").glob("*.parquet")) == []


@pytest.mark.parametrize("damage", ["shorter", "same size"])
def test_a_damaged_file_is_made_again_and_not_scored_against(damage: str, tmp_path: Path) -> None:
    """A stored file that is not the recorded one is rebuilt by a build, and refused by a score."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    build_references(library, dataset)
    files = [
        dataset.derived("published") / "summed.parquet",
        dataset.references("published") / "answer.parquet",
    ]
    for file in files:
        content = file.read_bytes()
        file.write_bytes(content[:-9] if damage == "shorter" else content[:-1] + b"X")
    with pytest.raises(StaleError, match="m4bench references build toy answer"):
        current_reference(library, dataset, "published", "answer", hashed=True)
    with pytest.raises(StaleError, match="m4bench concepts build toy summed"):
        export_concepts(library, dataset, ["summed"], tmp_path / "to", "csv", "published")
    with pytest.raises(StaleError, match="m4bench references build toy answer"):
        export_references(library, dataset, ["answer"], tmp_path / "to", "csv", "published")
    report = build_references(library, dataset)
    assert list(report.built) == ["summed", "reference answer"]
    assert current_reference(library, dataset, "published", "answer", hashed=True).rows == 3


@pytest.mark.parametrize(
    ("builder", "manifest"),
    [("build_concepts", "DerivedManifest"), ("build_references", "ReferenceManifest")],
)
def test_a_kill_between_file_and_manifest_is_noticed(
    builder: str, manifest: str, tmp_path: Path
) -> None:
    """Killed after a file was replaced and before its manifest says so, nothing old passes for fresh."""
    library = toy_library(tmp_path / "lib")
    first = toy_dataset(tmp_path / "store")
    build_references(library, first)
    changed = "SELECT * FROM (VALUES (1, 11), (2, 22), (3, 33)) AS t(stay_id, value)"
    dataset = toy_dataset(tmp_path / "store", changed)
    build_concepts(library, dataset)
    if builder == "build_concepts":
        dataset = toy_dataset(tmp_path / "store")
        build_concepts(library, dataset)
        dataset = toy_dataset(tmp_path / "store", changed)
    script = textwrap.dedent(
        f"""
        import os, signal, sys
        from pathlib import Path
        from m4bench.data.store import Store
        from m4bench.suites.derivation.library import build, manifest
        from m4bench.suites.derivation.library.catalogue import read_library
        real = manifest.{manifest}.write
        def killed(self, *arguments, **named):
            if {{"answer", "doubled"}} & set(self.entries):
                os.kill(os.getpid(), signal.SIGKILL)
            real(self, *arguments, **named)
        manifest.{manifest}.write = killed
        build.{builder}(read_library(Path(sys.argv[1])), Store(Path(sys.argv[2])).dataset("toy"))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "lib"), str(tmp_path / "store")], check=False
    )
    assert done.returncode == -signal.SIGKILL
    dataset = toy_dataset(tmp_path / "store")
    build_references(library, dataset)
    entry = current_reference(library, dataset, "published", "answer", hashed=True)
    tokens = {int(key[0]) for key in entry.honeytokens}
    found = [r for r in rows(dataset.references("published") / entry.file) if r[0] not in tokens]
    assert found == [(1, 21), (2, 41), (3, 61)]


def test_a_value_the_definition_cannot_take_is_told_without_the_value(tmp_path: Path) -> None:
    """When the engine fails on a value, the line names what failed, and not the value."""
    dataset = toy_dataset(tmp_path / "store", "SELECT 1 AS stay_id, 2147483647 AS value")
    with pytest.raises(InputError, match=r"building doubled failed in the engine") as refused:
        build_concepts(toy_library(tmp_path / "lib"), dataset)
    assert "2147483647" not in str(refused.value)
    assert list(dataset.derived("published").glob("*.parquet")) == []


@pytest.mark.parametrize(
    "memory",
    [
        *("banana", "", "0", "0GB", "50%", "-5GB", "4", "4 GB 2"),
        *("1025TiB", "99999999999999999999TB", "9" * 400 + "GB"),
    ],
)
def test_a_memory_limit_must_be_an_amount(memory: str) -> None:
    """A limit that is no positive amount of memory is refused before anything starts."""
    with pytest.raises(InputError, match="no amount of memory"):
        EngineLimits.of_memory(memory)


@pytest.mark.parametrize("memory", ["4GB", "512MiB", "1.5 GB", "800mb", "4G", "1024TiB"])
def test_amounts_of_memory_are_taken(memory: str) -> None:
    """What the engine takes is taken."""
    with engine(EngineLimits.of_memory(memory)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_row_without_a_key_is_exported(tmp_path: Path) -> None:
    """A null in the column that tells honeytokens is none of them: the row is in the export, they are not."""
    rows = "SELECT * FROM (VALUES (1, 10), (NULL, 20)) AS t(stay_id, value)"
    dataset, library = toy_dataset(tmp_path / "store", rows), toy_library(tmp_path / "lib")
    build_references(library, dataset)
    (file,) = export_references(library, dataset, None, tmp_path / "to", "csv", "published")
    assert sorted(file.read_text().splitlines()) == [",41", "1,21", "stay_id,value"]


def test_a_dataset_that_is_not_there_leaves_no_trace(tmp_path: Path) -> None:
    """Refusing an unknown dataset makes no folder."""
    (tmp_path / "store").mkdir()
    with pytest.raises(MissingError):
        build_concepts(toy_library(tmp_path / "lib"), Store(tmp_path / "store").dataset("nosuch"))
    assert list((tmp_path / "store").iterdir()) == []


@pytest.mark.parametrize("name", ["../zzz", "", ".references", "a/b", "A", "x" * 65])
def test_a_name_no_dataset_can_have_is_refused(name: str, tmp_path: Path) -> None:
    """A dataset's name leads nowhere outside the store."""
    with pytest.raises(InputError, match="no dataset can be called"):
        Store(tmp_path).dataset(name)


@pytest.mark.parametrize("folder", ["st[ab]", "st*", "st?"])
def test_a_store_whose_path_is_a_pattern_is_refused(folder: str, tmp_path: Path) -> None:
    """The engine would read such a path as a pattern, and other stores' files with it."""
    with pytest.raises(InputError, match="may not hold any of"):
        Store(tmp_path / folder)


def test_stale_concepts_are_not_exported(tmp_path: Path) -> None:
    """After the dataset changed, a concept is refused until it is built again."""
    dataset, library = toy_dataset(tmp_path / "store"), toy_library(tmp_path / "lib")
    build_concepts(library, dataset)
    assert export_concepts(library, dataset, None, tmp_path / "x", "csv", "published")
    toy_dataset(tmp_path / "store", "SELECT 9 AS stay_id, 1 AS value")
    with pytest.raises(StaleError, match="m4bench concepts build toy"):
        export_concepts(library, dataset, None, tmp_path / "y", "csv", "published")
    assert not (tmp_path / "y").exists()


def test_a_killed_build_leaves_nothing_half_written_and_goes_on(tmp_path: Path) -> None:
    """Killed while a concept is being written, a build leaves whole files only, and the next one finishes."""
    dataset = toy_dataset(tmp_path / "store")
    library = toy_library(tmp_path / "lib")
    build_concepts(library, dataset, ["doubled"])
    script = textwrap.dedent(
        """
        import os, signal, sys
        from pathlib import Path
        from m4bench.data.store import Store
        from m4bench.suites.derivation.library import build
        from m4bench.suites.derivation.library.catalogue import read_library
        real = build.execute
        def killed(*arguments, **more):
            real(*arguments, **more)
            os.kill(os.getpid(), signal.SIGKILL)
        build.execute = killed
        build.build_concepts(read_library(Path(sys.argv[1])), Store(Path(sys.argv[2])).dataset("toy"))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "lib"), str(tmp_path / "store")],
        check=False,
        env={**os.environ},
    )
    assert done.returncode == -signal.SIGKILL
    folder = dataset.derived("published")
    assert [p.name for p in folder.glob("*.parquet") if not p.name.startswith(".")] == [
        "doubled.parquet"
    ]
    report = build_concepts(library, dataset)
    assert (list(report.built), list(report.reused)) == (["summed"], ["doubled"])
    assert list(folder.glob(".partial-*")) == []
