# SPDX-License-Identifier: MIT
"""A store with one hidden reference, and runs scored against it: as little as a report needs to show rows."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from m4bench.data.manifest import Access, DatasetManifest, Invention
from m4bench.data.store import MANIFEST, Store
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.recipe import Recipe
from m4bench.model.hashing import sha256_file
from m4bench.model.run import RunRecord
from m4bench.model.task import DropRules, ScoringRules, Task, TaskVersion
from m4bench.suites.derivation.library.manifest import Made, ReferenceEntry, ReferenceManifest
from m4bench.suites.derivation.scoring.compare import score_file
from tests.report.records import build_run, with_files

TASK = Task(
    name="mimic-invented",
    suite="derivation",
    family="invented",
    title="An invented derivation",
    mode="raw",
    site="mimic-iv",
    difficulty="easy",
    grain="stay",
    reference="invented",
    version=TaskVersion(scoring=1, interface=1),
    drops=DropRules(target=()),
    scoring=ScoringRules(
        key=("stay_id",),
        values=("score", "rate", "seen", "word"),
        scored=("score", "rate", "seen", "word"),
        required=("stay_id",),
        tolerances={"rate": 0.01, "seen": 60},
        row_coverage=1.0,
        accuracy=0.9,
    ),
)
HONEYTOKEN = "999999999"
NOON = datetime(2150, 1, 1, 12)
TRUTH: dict[str, list[Any]] = {
    "stay_id": [1, 2, 3, 4, 5, int(HONEYTOKEN)],
    "score": [1, 2, 3, None, 5, 0],
    "rate": [0.5, 0.25, 1.0, 2.0, None, 0.0],
    "seen": [NOON] * 6,
    "word": ["a", "b", "c", "d", "e", "f"],
}
IDENTITY = "d" * 64


def write_reference(path: Path) -> Path:
    """Write the reference, a honeytoken among its rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    types = [pa.int64(), pa.int32(), pa.float64(), pa.timestamp("us"), pa.string()]
    columns = [pa.array(values, type_) for values, type_ in zip(TRUTH.values(), types, strict=True)]
    pq.write_table(pa.table(dict(zip(TRUTH, columns, strict=True))), path)
    return path


def build_store(
    root: Path,
    *,
    access: Access = "synthetic",
    sealed: bool = False,
    identity: str = IDENTITY,
    proof: str = "whole",
    name: str = "synthetic",
) -> tuple[Store, str]:
    """Return a store that holds the reference, and the hash of its dataset.

    `proof` is "whole", "none" (imported without a recipe), "foreign" (a recipe of other rows), "unsealed" (a
    seal that was only denied), "other seed" (one the commitment is not of), or "real" (rows with identifiers
    of a real release).
    """
    store = Store(root)
    dataset = store.dataset(name)
    if proof == "real":
        path = dataset.root / "source" / "mimiciv_icu" / "icustays.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(pa.table({"stay_id": [30_000_153]}), path)
    invented = Invention(
        site="mimic",
        stays=5,
        density=1.0,
        seed={"unsealed": None, "other seed": 2}.get(proof, None if sealed else 1),
        sealed=sealed,
        commitment="c" * 64 if sealed else Recipe("mimic", 5, 1, 1.0).commitment(1),
        generator=1,
        numpy="2",
        content="e" * 64 if proof == "foreign" else content_hash(dataset),
    )
    manifest = DatasetManifest(
        dataset=name,
        site="mimic",
        release=None,
        access=access,
        modified=False,
        invented=None if proof == "none" else invented,
        tables=(),
        engine="duckdb 1.5.6",
        imported=datetime(2026, 1, 1, tzinfo=UTC),
    )
    manifest.write(dataset.manifest_path)
    folder = dataset.references("published")
    path = write_reference(folder / "invented.parquet")
    made = Made(
        name="invented", convention="published", sql="", columns=(), inputs={}, engine="duckdb"
    )
    entry = ReferenceEntry(
        name="invented",
        made=made,
        identity=identity,
        file=path.name,
        rows=6,
        bytes=path.stat().st_size,
        sha256=sha256_file(path),
        repeated_keys=0,
        seconds=0.0,
        key=("stay_id",),
        honeytokens=((HONEYTOKEN,),),
        watermark="w",
        lineage={},
    )
    ReferenceManifest(dataset=name, convention="published", entries={"invented": entry}).write(
        folder / MANIFEST
    )
    return store, manifest.content_hash()


def scored_run(
    results: Path, output: str, reference: Path, dataset_hash: str, **fields: Any
) -> RunRecord:
    """Write the folder of a run that left `output`, scored by the real scorer, and return its record."""
    content = output.encode()
    draft = results.parent / "draft.csv"
    draft.write_bytes(content)
    score = score_file(
        draft,
        reference,
        TASK.scoring,
        task=TASK.name,
        dataset=fields.get("dataset", "synthetic"),
        exclude_keys=[(HONEYTOKEN,)],
    )
    run = build_run(
        TASK.name, score=score, dataset_hash=dataset_hash, reference_hash=IDENTITY, **fields
    )
    files: Mapping[str, bytes] = {"output.csv": content, "instruction.md": b"card\n"}
    run = with_files(run, files)
    folder = results / run.run_id
    folder.mkdir(parents=True)
    for name, body in files.items():
        (folder / name).write_bytes(body)
    (folder / "run.json").write_text(run.model_dump_json())
    return run
