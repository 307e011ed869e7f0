# SPDX-License-Identifier: MIT
"""Every rule of every task holds for the reference, on invented and on open patients; spoiled copies are told apart."""

import csv
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from m4bench.data.store import Store
from m4bench.model.task import Task
from m4bench.suites.derivation.checks.declared import load_checks
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.export import export_references
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.view_database import write_with_host_paths
from m4bench.suites.derivation.tasks.cards import load_tasks
from tests.suites.derivation.checks.trial import Verdict, program, run

TASKS = load_tasks()
FAMILIES = {(task.family, task.site): task for task in TASKS.values()}
DATASETS = {
    "conformance_store": ("synthetic", "mimic-iv"),
    "demo_store": ("mimic-iv-demo", "mimic-iv"),
    "eicu_conformance_store": ("synthetic-eicu", "eicu"),
    "eicu_demo_store": ("eicu-demo", "eicu"),
}
UNTRIED = {
    ("demo_store", "suspicion-infection"): [
        "a prescription whose start is unknown has `suspected_infection` 0"
    ]
}
"""What no row of a reference can try: in the open patients the start of every antibiotic is known."""
Answers = Callable[[str, Task], Path]


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Answers]:
    """A function that gives a folder with a dataset's source tables as the database and a reference as the answer."""
    folders: dict[str, Path] = {}

    def answer(fixture: str, task: Task) -> Path:
        dataset = DATASETS[fixture][0]
        if dataset not in folders:
            store: Store = request.getfixturevalue(fixture)
            folder = tmp_path_factory.mktemp(dataset)
            stage = open_stage(store.dataset(dataset), "published")
            files = {t.qualified: stage.file(t.qualified) for t in stage.source.tables}
            write_with_host_paths(files, folder / "database.duckdb")
            export_references(
                library(), store.dataset(dataset), None, folder / "exported", "csv", "published"
            )
            folders[dataset] = folder
        folder = folders[dataset]
        columns = ", ".join(task.scoring.required)
        file = folder / "exported" / f"{task.reference}.csv"
        duckdb.sql(
            f"COPY (SELECT {columns} FROM read_csv('{file}', all_varchar = true)) "
            f"TO '{folder / 'output.csv'}' (HEADER)"
        )
        return folder

    yield answer
    for folder in folders.values():
        shutil.rmtree(folder / "exported")


def cases() -> list[tuple[str, Task]]:
    """Every task on the invented patients, and one of each family on the open ones."""
    return [
        (fixture, task)
        for fixture, (_, site) in DATASETS.items()
        for task in (TASKS if "conformance" in fixture else FAMILIES).values()
        if task.site == site
    ]


@pytest.mark.parametrize(
    ("fixture", "task"), cases(), ids=[f"{f.removesuffix('_store')}-{t.name}" for f, t in cases()]
)
def test_a_reference_is_ready_to_hand_in(
    answers: Answers, capsys: pytest.CaptureFixture[str], fixture: str, task: Task
) -> None:
    """No rule is broken or left out; a look deserves what is null throughout, and rows try all but what is known."""
    folder = answers(fixture, task)
    found = run(program(folder, task.name), capsys, folder / "output.csv")
    assert found.problems == []
    assert found.of("left out") == []
    assert all("is empty in" in said for said in found.of("look"))
    untried = UNTRIED.get((fixture, task.family), [])
    assert found.of("not tested") == [f"no row it applies to: {says}" for says in untried]
    assert found.told["verdict"].startswith("verdict: ready to hand in")
    assert found.code == 0


Spoil = Callable[[Task, list[list[str]]], list[list[str]]]


def without_a_column(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The last column is gone."""
    return [row[:-1] for row in rows]


def with_a_row_twice(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The first row comes again."""
    return [*rows, rows[1]]


def without_the_last_row(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The last row is gone."""
    return rows[:-1]


def without_a_key(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The key of the first row is empty."""
    place = rows[0].index(task.scoring.key[0])
    return [rows[0], [*rows[1][:place], "", *rows[1][place + 1 :]], *rows[2:]]


def of_no_stay(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The first row has a key that no record has."""
    place = rows[0].index(task.scoring.key[0])
    return [rows[0], [*rows[1][:place], "7", *rows[1][place + 1 :]], *rows[2:]]


def out_of_range(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """The first column with a range or a list of values has another value in the first row."""
    for place, check in enumerate(load_checks(task).columns.values()):
        if check.at_least is not None or check.at_most is not None or check.values:
            return [rows[0], [*rows[1][:place], "-1", *rows[1][place + 1 :]], *rows[2:]]
    return [rows[0], [*rows[1][:-1], "much"], *rows[2:]]


def empty(task: Task, rows: list[list[str]]) -> list[list[str]]:
    """Nothing is left."""
    return []


SPOILED: tuple[tuple[Spoil, str], ...] = (
    (without_a_column, "columns are missing"),
    (with_a_row_twice, "an earlier row has"),
    (without_a_key, "is empty in 1 row"),
    (of_no_stay, "that is no "),
    (out_of_range, "|".join(("is outside", "is none of", "holds what is no number"))),
    (empty, "the file is empty"),
)


@pytest.mark.parametrize("task", FAMILIES.values(), ids=lambda task: str(task.name))
def test_a_spoiled_copy_of_a_reference_has_the_right_problem(
    answers: Answers, capsys: pytest.CaptureFixture[str], task: Task
) -> None:
    """A column, a key or a row is missing, repeated or wrong: that is among the problems said."""
    fixture = "conformance_store" if task.site == "mimic-iv" else "eicu_conformance_store"
    folder = answers(fixture, task)
    path = program(folder, task.name)
    with (folder / "output.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    spoiled = list(SPOILED)
    if any(rule.complete for rule in load_checks(task).members):
        spoiled.append((without_the_last_row, "have no row: every"))
    for spoil, words in spoiled:
        with (folder / "output.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows(spoil(task, rows))
        found: Verdict = run(path, capsys, folder / "output.csv")
        assert found.code in (1, 2)
        said = [word in one for one in found.problems for word in words.split("|")]
        assert any(said), (spoil.__name__, found.problems)
