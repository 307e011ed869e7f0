# SPDX-License-Identifier: MIT
"""The reference baseline: rebuilt from what a task shows, its answer equals the expected files."""

import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.model.task import Drops
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.suite import DerivationSuite
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks
from m4bench.suites.suite import StageRequest
from tests.suites.derivation.conformance import OpenCells, compare, expected_rows
from tests.suites.derivation.test_conformance import (
    conformance_open_cells,
    demo_open_cells,
    of_subjects,
    read_csv,
    types_of,
)

TASKS = load_tasks(TASKS_ROOT)
MIMIC = sorted(name for name, task in TASKS.items() if task.site == "mimic-iv")
EICU = sorted(name for name, task in TASKS.items() if task.site == "eicu")


def rebuilt(store: Store, dataset: str, task_name: str, folder: Path, drops: Drops) -> Path:
    """Run the reference baseline of a task on a database of host paths and return what it wrote."""
    suite, task = DerivationSuite(), TASKS[task_name]
    request = StageRequest(
        store=store,
        dataset=dataset,
        condition="no-skill",
        schema="native",
        drops=drops,
        convention="published",
        host_paths=True,
    )
    staging = suite.stage(task, request)
    (folder / "database.duckdb").write_bytes(staging.files["database.duckdb"].read_bytes())
    script = folder / "script.py"
    script.write_text(suite.baseline("reference", task, request))
    subprocess.run([sys.executable, str(script)], cwd=folder, check=True, capture_output=True)
    return folder / task.deliverable


def test_all_tasks_are_covered() -> None:
    """The tests below take every task there is."""
    assert len(MIMIC) == 26
    assert len(EICU) == 2
    assert {*MIMIC, *EICU} == set(TASKS)


@pytest.mark.parametrize("task_name", MIMIC)
@pytest.mark.parametrize("drops", ["strict", "published"])
def test_rebuilt_answer_equals_the_expected_file_of_the_invented_patients(
    task_name: str, drops: Drops, conformance_store: Store, shared: Path, tmp_path: Path
) -> None:
    """From the relations a task leaves, under either drop rule, the answer is the expected one."""
    output = rebuilt(conformance_store, "synthetic", task_name, tmp_path, drops)
    _is_expected(output, task_name, conformance_store, "synthetic", shared)


@pytest.mark.parametrize("task_name", EICU)
def test_rebuilt_answer_equals_the_expected_file_of_the_invented_eicu_patients(
    task_name: str, eicu_conformance_store: Store, shared: Path, tmp_path: Path
) -> None:
    """From the source tables of eICU the answer is the expected one."""
    output = rebuilt(eicu_conformance_store, "synthetic-eicu", task_name, tmp_path, "strict")
    _is_expected(output, task_name, eicu_conformance_store, "synthetic-eicu", shared)


def _is_expected(output: Path, task_name: str, store: Store, dataset: str, shared: Path) -> None:
    reference = TASKS[task_name].reference
    folder = shared / "conformance" / "expected"
    wanted = expected_rows(folder / "references" / f"{reference}.csv.gz")
    cells = conformance_open_cells(folder, "references", reference)
    assert _same(output, wanted, reference, cells) == []
    score = DerivationSuite().score(
        TASKS[task_name], output, store=store, dataset=dataset, convention="published"
    )
    assert (score.reward, score.strict.passed, score.error) == (1.0, True, None)


@pytest.mark.parametrize("task_name", MIMIC)
def test_rebuilt_answer_equals_the_expected_file_of_the_demo(
    task_name: str, demo_store: Store, shared: Path, tmp_path: Path
) -> None:
    """On the open demo, too, for the half of the patients whose answers are given."""
    output = rebuilt(demo_store, "mimic-iv-demo", task_name, tmp_path, "strict")
    reference = TASKS[task_name].reference
    folder = shared / "data" / "mimic-iv-demo" / "expected"
    wanted = expected_rows(folder / "references" / f"{reference}.csv.gz")
    given = {row["subject_id"] for row in read_csv(folder / "subjects_given.csv")}
    dataset = demo_store.dataset("mimic-iv-demo")
    cells = demo_open_cells(folder, "references", reference)
    found = of_subjects(expected_rows(output), dataset, given)
    assert compare(found, wanted, types_of("references", reference), cells).differences == []


def _same(output: Path, wanted: list, reference: str, cells: OpenCells) -> list[str]:
    return compare(
        expected_rows(output), wanted, types_of("references", reference), cells
    ).differences


def test_a_script_reads_hidden_concepts_from_nowhere() -> None:
    """In raw mode the script names no relation of the derived schema, so it stands on source tables alone."""
    from m4bench.suites.derivation.rebuild import rebuild_script

    for task in TASKS.values():
        if task.mode == "raw":
            assert "mimiciv_derived." not in rebuild_script(library(), task, set())
