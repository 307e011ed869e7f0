# SPDX-License-Identifier: MIT
"""The door: exit codes, one-line errors, JSON alone on standard output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def m4bench(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "M4BENCH_STORE": str(store)},
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tasks", "show", "mimic-sofa-48h"], "no task is called mimic-sofa-48h"),
        (["tasks", "show", "mimic-meld-24h", "--condition", "with-skill"], "not available yet"),
        (["tasks", "show", "mimic-meld-24h", "--schema", "shifted"], "not available yet"),
        (["concepts", "build", "mimic-iv"], "m4bench data import mimic-iv --from DIR"),
        (["concepts", "show", "sofia"], "no concept or reference is called sofia"),
        (["references", "build", "synthetic", "--convention", "ours"], "no convention is called ours"),
        (["databases", "build", "synthetic", "--drops", "none"], "no drop rule is called none"),
        (["data", "import", "mimic-iii", "--from", "/nowhere"], "there is no dataset called mimic-iii"),
        (["data", "import", "mimic-iv", "--from", "/nowhere"], "/nowhere"),
        (["score", "mimic-meld-24h", "/nowhere/output.csv", "--dataset", "synthetic"], "/nowhere"),
        (["report", "/nowhere", "--out", "/tmp/never"], "/nowhere"),
        (["references", "export", "synthetic"], "say where with --to DIR"),
        (["concepts", "export", "synthetic"], "say where with --to DIR"),
        (["nonsense"], "No such command"),
    ],
)  # fmt: skip
def test_bad_usage_is_exit_2_with_one_clear_line(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    """Whatever is asked wrongly ends with exit code 2, says what to do, and prints no traceback."""
    done = m4bench(*arguments, store=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["tasks", "list", "--json"],
        ["concepts", "list", "--json"],
        ["concepts", "show", "meld", "--json"],
        ["references", "list", "--json"],
        ["data", "list", "--json"],
    ],
)
def test_json_stands_alone_on_standard_output(arguments: list[str], tmp_path: Path) -> None:
    """With --json the standard output is one JSON document."""
    done = m4bench(*arguments, store=tmp_path)
    assert done.returncode == 0
    json.loads(done.stdout)


def test_lineage_is_shown(tmp_path: Path) -> None:
    """A concept tells what it is built from."""
    shown = json.loads(m4bench("concepts", "show", "meld", "--json", store=tmp_path).stdout)
    assert {"first_day_lab", "first_day_rrt", "rrt", "chemistry"} <= set(shown["lineage"])
    assert "mimiciv_hosp.labevents" in shown["source_tables"]


def test_the_version_is_told(tmp_path: Path) -> None:
    """The tool and its engine say which they are."""
    done = m4bench("--version", store=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("m4bench 0.")
    assert "duckdb 1." in done.stdout
