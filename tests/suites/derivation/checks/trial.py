# SPDX-License-Identifier: MIT
"""Runs the program `check` of a task on texts beside small hand-made databases."""

import importlib.machinery
import importlib.util
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest

from m4bench.suites.derivation.checks.script import check_script
from m4bench.suites.derivation.tasks.cards import load_tasks


@dataclass(frozen=True)
class Verdict:
    """What one run of the program told: exit code, and the object it prints."""

    code: int
    told: Mapping[str, Any]

    def of(self, state: str) -> list[str]:
        """Return what is said in one state."""
        return [check["says"] for check in self.told["checks"] if check["state"] == state]

    @property
    def problems(self) -> list[str]:
        """What has to be put right."""
        return self.of("problem")

    def check(self, words: str) -> Mapping[str, Any]:
        """Return the only check that says these words."""
        found = [check for check in self.told["checks"] if words in check["says"]]
        assert len(found) == 1, (words, self.told)
        return dict(found[0])


def program(folder: Path, task: str) -> Path:
    """Write a task's program into a folder, executable, and return it."""
    path = folder / "check"
    path.write_text(check_script(load_tasks()[task]), encoding="utf-8")
    path.chmod(0o755)
    return path


def loaded(path: Path) -> ModuleType:
    """Return a program as a module, without running it and without writing byte code."""
    loader = importlib.machinery.SourceFileLoader("agents_check", str(path))
    spec = importlib.util.spec_from_loader("agents_check", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["agents_check"] = module
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def run(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Verdict:
    """Run a program in this process."""
    capsys.readouterr()
    code = loaded(path).main([*map(str, arguments), "--json"])
    return Verdict(code, json.loads(capsys.readouterr().out))


def database(folder: Path, tables: Mapping[str, str]) -> Path:
    """Write a database of tables, each given by the query it holds, and return it."""
    path = folder / "database.duckdb"
    with duckdb.connect(str(path)) as engine:
        for qualified, query in tables.items():
            engine.execute(f"CREATE SCHEMA IF NOT EXISTS {qualified.split('.')[0]}")
            engine.execute(f"CREATE TABLE {qualified} AS {query}")
    return path


def lines(rows: Iterable[str], end: str = "\n") -> bytes:
    """Return rows as the bytes of a file."""
    return "".join(f"{row}{end}" for row in rows).encode()
