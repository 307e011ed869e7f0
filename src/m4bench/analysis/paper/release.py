# SPDX-License-Identifier: MIT
"""The paper's released runs, shipped with the package so that anybody can compute its tables. Reads none of them."""

from importlib.resources import as_file, files
from pathlib import Path

from m4bench.model.files import written_beside

RUN_LISTS = ("codex_primary_runs.csv", "codex_followup_runs.csv", "oss_runs.csv")
CREDIT = "README.md"


def paper_runs(to: Path) -> tuple[Path, ...]:
    """Write the released run lists, and whose they are, to a folder; return the lists' paths.

    Each file is as it was released, byte for byte; one that is there already is replaced.
    """
    shipped = files(__package__) / "runs"
    for name in (*RUN_LISTS, CREDIT):
        with as_file(shipped / name) as source, written_beside(to / name) as partial:
            partial.write_bytes(source.read_bytes())
    return tuple(to / name for name in RUN_LISTS)
