# SPDX-License-Identifier: MIT
"""One file gives a derivation under each convention, resolved through the whole lineage."""

from pathlib import Path

import duckdb
import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import Library, library, read_library
from m4bench.suites.derivation.library.manifest import read_references
from m4bench.suites.derivation.library.plan import open_stage
from tests.suites.derivation.library.toy import derivation, toy_dataset, toy_library

PARAMETER = """conventions:
  - name: factor
    published: "2"
    current: "3"
    difference: values are tripled
    source: invented
    example: 10 gives 20, 30, 30
"""


def written(folder: Path, files: dict[str, str]) -> Library:
    """Write files beside the toy library's and read it again."""
    toy_library(folder)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    return read_library(folder)


def doubled(parameter: str = PARAMETER, sql: str = "value * $factor") -> str:
    """Return the text of the toy concept `doubled` with a parameter."""
    text = derivation(
        "doubled", f"SELECT stay_id, {sql} AS value FROM toy_icu.stays", "toy_icu.stays"
    )
    return text.replace("conventions: []\n", parameter)


def values(folder: Path, name: str) -> list[int]:
    """Return the values of a built toy concept."""
    rows = duckdb.sql(f"SELECT value FROM read_parquet('{folder / name}.parquet') ORDER BY stay_id")
    return [row[0] for row in rows.fetchall()]


def test_a_convention_holds_through_the_lineage(tmp_path: Path) -> None:
    """A reference under `current` is built on concepts under `current`, and `adjudicated` follows it."""
    toy = written(tmp_path / "lib", {"concepts/toy/doubled.sql": doubled()})
    dataset = toy_dataset(tmp_path / "store")
    wanted = {"published": [21, 41, 61], "current": [31, 61, 91], "adjudicated": [31, 61, 91]}
    for convention, expected in wanted.items():
        build_references(toy, dataset, convention=convention)  # type: ignore[arg-type]
        assert values(dataset.derived(convention), "summed") == expected
        manifest = read_references(dataset.references(convention), "toy", convention)  # type: ignore[arg-type]
        assert manifest.entries["answer"].lineage == {"doubled": convention, "summed": convention}


def test_what_a_convention_does_not_move_is_stored_once(tmp_path: Path) -> None:
    """Equal rows under another convention are another name of the same file, and stay when one is rebuilt."""
    toy = written(tmp_path / "lib", {"concepts/toy/doubled.sql": doubled()})
    dataset = toy_dataset(tmp_path / "store")
    build_concepts(toy, dataset, convention="current")
    report = build_concepts(toy, dataset, convention="adjudicated")
    assert list(report.reused) == ["doubled", "summed"]
    files = [dataset.derived(c) / "summed.parquet" for c in ("current", "adjudicated")]
    assert files[0].samefile(files[1])
    stage = open_stage(dataset, "adjudicated")
    assert stage.fresh(
        toy.under("adjudicated").concepts["summed"],
        stage.concepts.entries["summed"],
        files[1].parent,
    )
    files[0].unlink()
    build_concepts(toy, dataset, convention="current")
    assert values(dataset.derived("adjudicated"), "summed") == [31, 61, 91]


def test_a_column_may_have_another_type(tmp_path: Path) -> None:
    """A type stated for a convention is checked against the query under that convention."""
    text = doubled(sql="CAST(value * $factor AS $kind)").replace(
        "type: INTEGER, meaning: value", "type: INTEGER, types: {current: BIGINT}, meaning: value"
    )
    kind = "  - {name: kind, published: INTEGER, current: BIGINT, difference: d, source: s, example: e}\n"
    text = text.replace("  - name: factor", kind + "  - name: factor")
    toy = written(tmp_path / "lib", {"concepts/toy/doubled.sql": text})
    dataset = toy_dataset(tmp_path / "store")
    for convention in ("published", "current"):
        build_concepts(toy, dataset, ["doubled"], convention=convention)  # type: ignore[arg-type]
    assert toy.under("current").concepts["doubled"].header.columns[1].type == "BIGINT"


def test_a_body_is_shared_and_a_setting_tells_apart(tmp_path: Path) -> None:
    """A file that names a body runs its SQL with settings of its own and gives its own columns only."""
    body = derivation(
        "doubled", "SELECT stay_id, value * $times AS value FROM toy_icu.stays", "toy_icu.stays"
    )
    body = body.replace("conventions: []\n", "conventions: []\nsettings: {times: '2'}\n")
    child = (
        derivation("fivefold", "", "toy_icu.stays")
        .replace("conventions: []\n", "conventions: []\nbody: doubled\nsettings: {times: '5'}\n")
        .replace("  - {name: stay_id, type: INTEGER, meaning: stay}\n", "")
        .replace("key: [stay_id]", "key: [value]")
    )
    toy = written(
        tmp_path / "lib",
        {"concepts/toy/doubled.sql": body, "concepts/toy/fivefold.sql": child},
    )
    dataset = toy_dataset(tmp_path / "store")
    build_concepts(toy, dataset)
    rows = duckdb.sql(
        f"FROM read_parquet('{dataset.derived('published')}/fivefold.parquet') ORDER BY 1"
    )
    assert (rows.columns, rows.fetchall()) == (["value"], [(50,), (100,), (150,)])


def test_a_macro_is_part_of_what_a_concept_is_made_from(tmp_path: Path) -> None:
    """A changed macro makes the concepts that call it again, and no others."""
    files = {
        "macros/toy.sql": "CREATE MACRO scaled(v) AS\n  v * 2;\n",
        "concepts/toy/doubled.sql": doubled("conventions: []\n", "scaled(value)"),
    }
    toy = written(tmp_path / "lib", files)
    dataset = toy_dataset(tmp_path / "store")
    build_concepts(toy, dataset)
    assert values(dataset.derived("published"), "doubled") == [20, 40, 60]
    files["macros/toy.sql"] = "CREATE MACRO scaled(v) AS\n  v * 4;\n"
    report = build_concepts(written(tmp_path / "lib", files), dataset)
    assert set(report.built) == {"doubled", "summed"}
    assert values(dataset.derived("published"), "doubled") == [40, 80, 120]


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"concepts/toy/doubled.sql": doubled(sql="value * $factor + $other")}, r"\$other is not declared"),
        ({"concepts/toy/doubled.sql": doubled(sql="value * 2")}, "parameter factor and does not use it"),
        ({"concepts/toy/doubled.sql": doubled().replace("current: \"3\"\n", "current: \"$x\"\n")}, "x is not declared"),
        ({"concepts/toy/doubled.sql": doubled().replace("    source: invented\n", "")}, "does not fit"),
        (
            {"concepts/toy/other.sql": derivation("other", "", "toy_icu.stays").replace(
                "conventions: []", "conventions: []\nbody: nowhere")},
            "body nowhere is no derivation with SQL",
        ),
        (
            {"concepts/toy/other.sql": derivation("other", "", "toy_icu.stays").replace(
                "conventions: []", "conventions: []\nbody: doubled\nsettings: {times: '3'}")},
            "its body has no parameter times",
        ),
        ({"concepts/toy/other.sql": derivation("other", "", "toy_icu.stays")}, "neither SQL nor a body"),
        ({"macros/empty.sql": "-- nothing\n"}, "holds no macro"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_refused(
    files: dict[str, str], fault: str, tmp_path: Path
) -> None:
    """What is undeclared, unused or missing is told with the file's name, under whichever convention."""
    with pytest.raises(InputError, match=fault) as refused:
        written(tmp_path / "lib", files).under("current")
    assert ".sql" in str(refused.value)


@pytest.mark.parametrize("convention", ["published", "current", "adjudicated"])
def test_the_library_resolves_under_every_convention(convention: str) -> None:
    """Every derivation of the suite has plain SQL under each convention, and all declared inputs are read somewhere."""
    resolved = library(convention)  # type: ignore[arg-type]
    for each in (*resolved.concepts.values(), *resolved.references.values()):
        each.check()
        assert "$" not in each.sql.replace("$'", "").replace("$|", ""), each.name


def test_declared_inputs_are_read_under_some_convention() -> None:
    """An input that no convention of a derivation reads is not declared."""
    conventions = [library(c) for c in ("published", "current", "adjudicated")]
    for kinds in ([c.concepts for c in conventions], [c.references for c in conventions]):
        for name, each in kinds[0].items():
            read = set().union(*(kind[name].inputs for kind in kinds))
            assert read == set(each.header.inputs), name
