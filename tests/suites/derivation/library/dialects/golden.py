# SPDX-License-Identifier: MIT
"""Translations as they were last looked at, one file a concept; `make golden` writes them anew."""

import os
from pathlib import Path

from m4bench.suites.derivation.library.dialects.translate import Dialect

FOLDER = Path(__file__).parent / "golden"
WRITE = "M4BENCH_WRITE_GOLDEN"
REMEDY = "look at the difference; when it is meant, run: make golden"


def golden(dialect: Dialect, name: str) -> Path:
    """Return the file of a concept in a dialect."""
    return FOLDER / dialect / f"{name}.sql"


def require_golden(dialect: Dialect, name: str, text: str) -> None:
    """Compare a translation with its file, or write the file where that is asked for."""
    file = golden(dialect, name)
    if os.environ.get(WRITE) == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), REMEDY
    assert text == file.read_text(encoding="utf-8"), REMEDY
