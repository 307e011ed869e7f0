# SPDX-License-Identifier: MIT
"""Write the database an agent sees: plain views over Parquet at fixed paths, made where those paths exist.

A view can only be written while its files are there, so the database is made by a short-lived process
that sees the permitted files under `/data` and nothing else new; it holds no path of the host.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import duckdb

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.engine import create_views

DATA_ROOT = "/data"
_MAKER = """
import json, sys
import duckdb
files = json.load(sys.stdin)
connection = duckdb.connect(sys.argv[1])
for qualified in sorted(files):
    schema, table = qualified.split(".")
    connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
    path = files[qualified].replace("'", "''")
    connection.execute(
        f'CREATE VIEW "{schema}"."{table}" AS SELECT * FROM read_parquet(\\'{path}\\')'
    )
connection.execute("CHECKPOINT")
connection.close()
"""


def sandbox_path(qualified: str) -> str:
    """Return where the file of `schema.table` stands inside a sandbox."""
    schema, table = qualified.split(".")
    return f"{DATA_ROOT}/{schema}/{table}.parquet"


def write_with_host_paths(files: Mapping[str, Path], database: Path) -> None:
    """Write a database whose views name the files where they are on the host (for runs without isolation)."""
    connection = duckdb.connect(str(database))
    try:
        create_views(connection, files)
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


def bubblewrap() -> str:
    """Return the bubblewrap program.

    Raises:
        InputError: it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise InputError(
            "bubblewrap is not installed, so no database with fixed paths can be made",
            remedy="install it (Debian: apt-get install bubblewrap) or run with --sandbox none",
        )
    return found


def write_with_fixed_paths(files: Mapping[str, Path], database: Path) -> None:
    """Write a database whose views name `/data/<schema>/<table>.parquet`.

    Raises:
        InputError: bubblewrap is missing or not permitted here.
    """
    arguments = [
        bubblewrap(),
        "--unshare-user-try",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
    ]
    arguments += ["--die-with-parent", "--tmpfs", "/"]
    for entry in sorted(Path("/").iterdir()):
        if entry.name == DATA_ROOT.strip("/"):
            continue
        if entry.is_symlink():
            arguments += ["--symlink", str(entry.readlink()), str(entry)]
        else:
            arguments += ["--dev-bind", str(entry), str(entry)]
    for qualified, file in sorted(files.items()):
        arguments += ["--ro-bind", str(file.resolve()), sandbox_path(qualified)]
    # A store below /data would be hidden by the file view, so the database is bound on its own.
    target = f"{DATA_ROOT}/.made"
    arguments += ["--bind", str(database.parent.resolve()), target]
    arguments += [sys.executable, "-I", "-c", _MAKER, f"{target}/{database.name}"]
    paths = {qualified: sandbox_path(qualified) for qualified in files}
    done = subprocess.run(
        arguments,
        input=json.dumps(paths),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ.get("PATH", os.defpath)},
        cwd="/",
    )
    if done.returncode != 0:
        if "No space left" in done.stderr:
            raise InputError(
                "the task database could not be written: the disk is full", file=database
            )
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(
            f"the task database could not be made ({last})",
            remedy="check that bubblewrap may create namespaces here, or run with --sandbox none",
        )
