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
from m4bench.suites.derivation.tasks.cards import load_tasks
from m4bench.suites.suite import StageRequest
from tests.suites.derivation.conformance import OpenCells, compare, expected_rows
from tests.suites.derivation.test_conformance import (
    conformance_open_cells,
    demo_open_cells,
    of_subjects,
    read_csv,
    types_of,
)

TASKS = (
    "mimic-charlson-raw",
    "mimic-gcs-24h-raw",
    "mimic-meld-24h",
    "mimic-meld-24h-raw",
    "mimic-sofa-24h",
    "mimic-sofa-24h-raw",
    "mimic-urine-output-rate",
    "mimic-urine-output-rate-raw",
)


def rebuilt(store: Store, dataset: str, task_name: str, folder: Path, drops: Drops) -> Path:
    """Run the reference baseline of a task on a database of host paths and return what it wrote."""
    suite, task = DerivationSuite(), load_tasks()[task_name]
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
    """The list above names every task there is."""
    assert set(TASKS) == set(load_tasks())


@pytest.mark.parametrize("task_name", TASKS)
@pytest.mark.parametrize("drops", ["strict", "published"])
def test_rebuilt_answer_equals_the_expected_file_of_the_invented_patients(
    task_name: str, drops: Drops, conformance_store: Store, shared: Path, tmp_path: Path
) -> None:
    """From the relations a task leaves, under either drop rule, the answer is the expected one."""
    output = rebuilt(conformance_store, "synthetic", task_name, tmp_path, drops)
    reference = load_tasks()[task_name].reference
    folder = shared / "conformance" / "expected"
    wanted = expected_rows(folder / "references" / f"{reference}.csv.gz")
    cells = conformance_open_cells(folder, "references", reference)
    assert _same(output, wanted, reference, cells) == []
    score = DerivationSuite().score(
        load_tasks()[task_name],
        output,
        store=conformance_store,
        dataset="synthetic",
        convention="published",
    )
    assert (score.reward, score.strict.passed, score.error) == (1.0, True, None)


@pytest.mark.parametrize("task_name", TASKS)
def test_rebuilt_answer_equals_the_expected_file_of_the_demo(
    task_name: str, demo_store: Store, shared: Path, tmp_path: Path
) -> None:
    """On the open demo, too, for the half of the patients whose answers are given."""
    output = rebuilt(demo_store, "mimic-iv-demo", task_name, tmp_path, "strict")
    reference = load_tasks()[task_name].reference
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

    for name in TASKS:
        task = load_tasks()[name]
        if task.mode == "raw":
            assert "mimiciv_derived." not in rebuild_script(library(), task, set())
