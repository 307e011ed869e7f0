# SPDX-License-Identifier: MIT
"""The derivation suite through the whole harness, on a small invented hospital."""

import json
import shutil
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import DATASET, store_hospital
from m4bench.harness.run import RunRequest, run
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.model.errors import InputError
from m4bench.model.run import RunRecord
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.suite import find_task

TASK = "mimic-meld-24h"
LOOK = """
import duckdb, json, os
seen = duckdb.connect("database.duckdb", read_only=True)
tables = seen.sql("select table_schema || '.' || table_name from information_schema.tables").fetchall()
files = [os.path.join(folder, name) for folder, _, names in os.walk("/data") for name in names]
rows = seen.sql("select count(*) from mimiciv_icu.icustays").fetchone()[0]
open("seen.json", "w").write(json.dumps({"tables": [t for t, in tables], "files": files, "rows": rows}))
"""


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory, bubblewrap: BubblewrapSandbox) -> Store:
    """A store with an invented hospital of twenty stays, ready for one task."""
    store = Store(tmp_path_factory.mktemp("hospital") / "store")
    dataset = store.dataset(DATASET)
    store_hospital(store, stays=20, seed=1)
    build_concepts(library(), dataset)
    _, task = find_task(TASK)
    build_references(library(), dataset, [task.reference])
    build_database(
        library(), open_stage(dataset, "published"), task, schema="native", drops="strict"
    )
    return store


def attempt(store: Store, results: Path, agent: str, **options: object) -> RunRecord:
    """One run of the task."""
    return run(
        RunRequest(
            results=results,
            store=store,
            dataset=DATASET,
            task=TASK,
            condition="no-skill",
            agent=agent,
            **options,  # type: ignore[arg-type]
        )
    )


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
def test_the_reference_agent_solves_the_task(sandbox: str, hospital: Store, tmp_path: Path) -> None:
    """What the agent is shown is enough to rebuild the reference exactly, with and without isolation."""
    record = attempt(hospital, tmp_path / "results", "reference", sandbox=sandbox)
    assert record.outcome.state == "completed", record.outcome
    assert record.score is not None
    assert record.score.reward == 1.0
    assert record.score.strict.passed
    assert record.access == "synthetic"
    assert record.setup_bytes <= 2_000_000


def test_rows_not_proven_to_be_invented_stay_behind_isolation(
    hospital: Store, tmp_path: Path
) -> None:
    """The name synthetic alone lets no run go without isolation, and the record calls the rows credentialed."""
    store = Store(shutil.copytree(hospital.root, tmp_path / "store"))
    dataset = store.dataset(DATASET)
    dataset.manifest().model_copy(update={"invented": None}).write(dataset.manifest_path)
    with pytest.raises(InputError, match="not proven to be invented"):
        attempt(store, tmp_path / "results", "reference", sandbox="none")
    record = attempt(store, tmp_path / "results", "reference", sandbox="bwrap")
    assert record.score is not None
    assert record.access == "credentialed"


def test_an_agent_sees_the_data_and_not_the_target(hospital: Store, tmp_path: Path) -> None:
    """The database opens inside on exactly the files shown there, and the derived answer is not among them."""
    program = tmp_path / "look.py"
    program.write_text(LOOK)
    record = attempt(hospital, tmp_path / "results", "command", program=program)
    assert record.outcome.state == "no-output", record.outcome
    folder = tmp_path / "results" / record.run_id
    seen = json.loads((folder / "files" / "seen.json").read_text())
    assert seen["rows"] == 20
    assert len(seen["tables"]) == len(seen["files"])
    assert not [name for name in [*seen["tables"], *seen["files"]] if "meld" in name]
