# SPDX-License-Identifier: MIT
"""The commands between a dataset and a run: short when they work, one line when nothing can be done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital

RAW, STANDARD = "mimic-meld-24h-raw", "mimic-meld-24h"
GROUPS = ((), ("data",), ("concepts",), ("references",), ("tasks",), ("databases",))


def m4bench(*arguments: str, store: Path, columns: int = 80) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "M4BENCH_STORE": str(store), "COLUMNS": str(columns)},
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small hospital of each site, nothing built."""
    root = tmp_path_factory.mktemp("stages") / "store"
    for site in ("mimic", "eicu"):
        store_hospital(Store(root), stays=5, density=0.2, site=site)
    return root


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: " ".join(group) or "all")
def test_no_command_is_described_by_half_a_sentence(group: tuple[str, ...], tmp_path: Path) -> None:
    """At 80 columns every line of the list of commands stands whole."""
    said = m4bench(*group, "--help", store=tmp_path).stdout
    commands = said.partition("Commands:")[2].splitlines()[1:]
    assert commands
    assert not [line for line in commands if line.endswith(("...", "…"))]


@pytest.mark.parametrize("command", [("run",), ("tasks", "show")], ids=" ".join)
def test_what_is_not_available_yet_is_told_apart(command: tuple[str, ...], tmp_path: Path) -> None:
    """Help names what can be chosen first, and what cannot be yet after saying so."""
    said = " ".join(m4bench(*command, "--help", store=tmp_path, columns=200).stdout.split())
    assert "no-skill, with-skill, with-skill-all, with-skill-decoy," in said.replace(
        "with- ", "with-"
    )
    assert "native; not available yet: obfuscated," in said


def test_the_databases_of_eicu_are_made_and_proven(store: Path, tmp_path: Path) -> None:
    """Its two tasks have databases of source tables alone, and nothing is found in them."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    copy = shutil.copytree(store, tmp_path / "store")
    assert m4bench("references", "build", "synthetic-eicu", store=copy).returncode == 0
    made = m4bench("databases", "build", "synthetic-eicu", store=copy)
    assert made.returncode == 0, made.stderr
    assert {path.parent.name for path in copy.rglob("database.duckdb")} == {
        "eicu-gcs",
        "eicu-oasis",
    }
    proven = m4bench("databases", "verify", "synthetic-eicu", store=copy)
    assert (proven.returncode, proven.stdout.splitlines()[-1]) == (0, "2 databases, 0 findings")


def test_of_eicu_the_references_are_built_and_no_concept(store: Path, tmp_path: Path) -> None:
    """A build of concepts says in one line what there is instead, and that is built at once."""
    copy = shutil.copytree(store, tmp_path / "store")
    refused = m4bench("concepts", "build", "synthetic-eicu", store=copy)
    assert (refused.returncode, refused.stdout) == (2, "")
    (line,) = refused.stderr.splitlines()
    assert "no concept is specified, only references" in line
    command = line.partition("run: m4bench ")[2]
    built = m4bench(*command.split(), store=copy)
    assert built.returncode == 0
    assert built.stderr.splitlines() == ["references, references: 3"]
    assert "3 built, 0 unchanged" in built.stdout
    assert not (copy / "synthetic-eicu" / "derived").exists()


def test_of_named_databases_those_that_can_be_are_made(store: Path, tmp_path: Path) -> None:
    """A task that cannot be served keeps no other from its database; the exit code is that of bad input."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    copy = shutil.copytree(store, tmp_path / "store")
    done = m4bench("databases", "build", "synthetic", STANDARD, RAW, store=copy)
    assert done.returncode == 2
    assert RAW in done.stdout
    assert STANDARD not in done.stdout.replace(RAW, "")
    assert f"not made: {STANDARD}: " in done.stderr
    assert "m4bench concepts build synthetic" in done.stderr
    assert done.stderr.splitlines()[-1] == "m4bench: 1 database of 2 were not made"
    assert [path.parent.name for path in copy.rglob("database.duckdb")] == [RAW]


def test_off_a_terminal_a_stage_is_one_line(store: Path, tmp_path: Path) -> None:
    """A verification and a build of all concepts say what they do, not each table."""
    copy = shutil.copytree(store, tmp_path / "store")
    verified = m4bench("data", "verify", "synthetic", store=copy)
    assert verified.returncode == 0
    assert [line.partition(":")[0] for line in verified.stderr.splitlines()] == [
        "verifying synthetic"
    ]
    built = m4bench("concepts", "build", "synthetic", store=copy)
    assert built.returncode == 0
    assert built.stderr.splitlines() == ["concepts: 65"]


def test_score_takes_the_dataset_that_run_takes(store: Path, tmp_path: Path) -> None:
    """Without a dataset it is the synthetic one, and what has to be built of it is named."""
    output = tmp_path / "output.csv"
    output.write_text("stay_id\n1\n")
    done = m4bench("score", STANDARD, str(output), store=store)
    assert done.returncode == 2
    assert "references build synthetic" in done.stderr
