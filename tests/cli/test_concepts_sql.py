# SPDX-License-Identifier: MIT
"""`concepts sql` prints SQL alone, and engines that cannot be used end in one line."""

import subprocess
from pathlib import Path

import pytest
import sqlglot

from tests.cli.test_stages import m4bench


def said(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of concepts."""
    return m4bench("concepts", *arguments, store=store)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "bigquery", "spark"])
def test_what_is_printed_can_be_run(dialect: str, tmp_path: Path) -> None:
    """Standard output is a script of the dialect and nothing else."""
    done = said("sql", "age", "--dialect", dialect, "--lineage", store=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    statements = [tree for tree in sqlglot.parse(done.stdout, dialect=dialect) if tree is not None]
    assert [tree.key for tree in statements] == ["create", "create"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("sql", "age", "--dialect", "oracle"), "no dialect is called oracle"),
        (("sql", "nothing", "--dialect", "spark"), "no concept or reference is called nothing"),
        (("build", "synthetic", "--engine", "oracle"), "no engine is called oracle"),
        (("build", "synthetic", "--url", "x"), "--url is an option of --engine postgres"),
        (("build", "synthetic", "--engine", "postgres"), "synthetic"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    """Bad usage exits with 2 and says in one line what to do."""
    done = said(*arguments, store=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
