# SPDX-License-Identifier: MIT
"""A program made once runs on a second hospital that has no store and no reference, in and out of a sandbox."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest

from m4bench.data.synthetic.creation import write_hospital
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.runtime import Runtime
from m4bench.harness.sandbox.sandbox import Limits, Plan
from m4bench.suites.derivation.schemas.view_database import (
    sandbox_path,
    write_with_fixed_paths,
    write_with_host_paths,
)
from m4bench.suites.derivation.tasks.cards import load_tasks
from m4bench.suites.derivation.tasks.naive import naive_sql
from tests.suites.derivation.checks.trial import program

MIB = 1 << 20
STAYS = 12
TASKS = ("mimic-sofa-24h-raw", "mimic-charlson-raw", "mimic-urine-output-rate-raw")
LOOK = """
import json, os, subprocess
found = {}
for name in %r:
    done = subprocess.run([f"./check-{name}", f"{name}.csv", "--json"], capture_output=True, text=True)
    found[name] = {"code": done.returncode, "told": json.loads(done.stdout), "errors": done.stderr}
json.dump(found, open("output.csv", "w"))
"""


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Path]]:
    """A folder with programs, hurried answers and no database yet, and the tables of a hospital made for it."""
    root = tmp_path_factory.mktemp("second")
    write_hospital(root / "hospital", stays=STAYS, seed=77, density=0.2)
    files = {
        f"mimiciv_{file.parent.name}.{file.stem}": file
        for file in (root / "hospital").glob("*/*.parquet")
    }
    work = root / "work"
    work.mkdir()
    write_with_host_paths(files, root / "host.duckdb")
    with duckdb.connect(str(root / "host.duckdb"), read_only=True) as engine:
        for name in TASKS:
            program(work, name).rename(work / f"check-{name}")
            query = naive_sql(load_tasks()[name])
            engine.execute(f"COPY ({query}) TO '{work / name}.csv' (HEADER)")
    kept = (work / "mimic-sofa-24h-raw.csv").read_text().splitlines(keepends=True)
    (work / "mimic-sofa-24h-raw.csv").write_text("".join(kept[:-1]))
    assert not list(root.rglob(".references"))
    return root, files


def assert_told(found: dict[str, Any]) -> None:
    """The stay left out of the SOFA answer is the only problem, told with this hospital's number of stays."""
    assert all(one["errors"] == "" for one in found.values())
    assert {name: one["code"] for name, one in found.items()} == dict(
        zip(TASKS, (1, 0, 0), strict=True)
    )
    checks = [check for one in found.values() for check in one["told"]["checks"]]
    assert [check for check in checks if check["state"] not in {"ok", "problem"}] == []
    problems = [check["says"] for check in checks if check["state"] == "problem"]
    expected = f"1 of {STAYS} have no row: every ICU stay of the database needs one"
    assert problems == [expected]


def test_it_runs_with_the_agents_python_outside(
    second: tuple[Path, dict[str, Path]], runtime: Runtime
) -> None:
    """The programs find the agent's Python by their first line, and the database they are given."""
    root, _ = second
    found = {}
    for name in TASKS:
        done = subprocess.run(
            [f"./check-{name}", f"{name}.csv", "--json", "--database", root / "host.duckdb"],
            cwd=root / "work",
            env={"PATH": os.pathsep.join([str(runtime.python.parent), "/usr/bin", "/bin"])},
            capture_output=True,
            text=True,
            check=False,
        )
        found[name] = {
            "code": done.returncode,
            "told": json.loads(done.stdout),
            "errors": done.stderr,
        }
    assert_told(found)


@pytest.mark.sandbox
def test_it_runs_in_the_sandbox(
    second: tuple[Path, dict[str, Path]], bubblewrap: BubblewrapSandbox, tmp_path: Path
) -> None:
    """Inside, where the tables stand at fixed paths, nothing but the work folder can be written and memory is short."""
    root, files = second
    write_with_fixed_paths(files, tmp_path / "database.duckdb")
    (tmp_path / "program").mkdir(mode=0o755)
    (tmp_path / "program" / "agent.py").write_text(LOOK % (TASKS,))
    layout = bubblewrap.layout(tmp_path)
    work = {file.name: file for file in (root / "work").iterdir() if file.is_file()}
    plan = Plan(
        argv=(layout.python, f"{layout.program}/agent.py"),
        env={"PATH": layout.path, "HOME": layout.home},
        work={**work, "database.duckdb": tmp_path / "database.duckdb"},
        program=tmp_path / "program",
        binds={sandbox_path(name): file for name, file in files.items()},
        forbidden=(),
        deliverable="output.csv",
        limits=Limits(timeout=120.0, memory=500 * MIB, disk=64 * MIB, scratch=16 * MIB),
    )
    done = bubblewrap.execute(plan, layout, tmp_path / "out")
    assert (done.exit_code, done.output) == (0, "present")
    (output,) = (tmp_path / "out").rglob("output.csv")
    assert_told(json.loads(output.read_text()))
