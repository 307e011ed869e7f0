# SPDX-License-Identifier: MIT
"""A hospital of six ICU stays of three patients, and the SOFA program beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.conftest import bubblewrap, runtime
from tests.suites.derivation.checks.trial import Verdict, database, program, run

__all__ = ["bubblewrap", "runtime"]

Tried = Callable[[bytes], Verdict]

STAYS = "SELECT 10 + i // 2 AS subject_id, 20 + i // 2 AS hadm_id, 30 + i AS stay_id FROM range(6) AS t(i)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A work folder with the database and the program of mimic-sofa-24h."""
    database(tmp_path, {"mimiciv_icu.icustays": STAYS})
    program(tmp_path, "mimic-sofa-24h")
    return tmp_path


@pytest.fixture
def tried(folder: Path, capsys: pytest.CaptureFixture[str]) -> Tried:
    """A function that checks some bytes as the answer of that folder."""

    def check(content: bytes) -> Verdict:
        (folder / "output.csv").write_bytes(content)
        return run(folder / "check", capsys, folder / "output.csv")

    return check
