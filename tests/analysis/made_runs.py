# SPDX-License-Identifier: MIT
"""Runs made up in a line each, and the paper's released ones, for tests of analysis."""

from collections.abc import Iterable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import m4bench.analysis.paper
from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import default_plan
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.results import Analysis
from m4bench.analysis.runs import RunRow, RunTable, Setting, System
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast

RELEASED = Path(m4bench.analysis.paper.__file__).parent / "runs"
FILES = ("codex_primary_runs.csv", "codex_followup_runs.csv", "oss_runs.csv")
SETTING = Setting("mimic-iv", "", "published", "published", "", "credentialed")
_NUMBERS = count(1)


def made(task: str, condition: str, reward: float | None, **others: Any) -> RunRow:
    """Return a completed, publishable run of model `m` in family `task`, but for what is given otherwise."""
    number = next(_NUMBERS)
    agent, model, effort = (
        others.pop("agent", "codex"),
        others.pop("model", "m"),
        others.pop("effort", ""),
    )
    setting = SETTING._replace(
        **{name: others.pop(name) for name in Setting._fields if name in others}
    )
    given: dict[str, Any] = {
        "run_id": f"run-{number}",
        "task": task,
        "family": task,
        "mode": "standard",
        "condition": condition,
        "schema": "native",
        "system": System(agent, model, effort),
        "setting": setting,
        "trial": number,
        "reward": reward,
        "strict": False,
        "state": "completed",
        "valid": True,
        "publishable": True,
        "source": "made.csv",
    }
    return RunRow(**(given | others))


def table_of(*runs: RunRow | Iterable[RunRow]) -> RunTable:
    """Return a table of runs in order."""
    flat = [run for one in runs for run in ([one] if isinstance(one, RunRow) else one)]
    return RunTable(tuple(sorted(flat, key=lambda run: (run.cell, run.trial, run.run_id))))


def plan_of(*contrasts: str, **others: Any) -> AnalysisPlan:
    """Return a declared plan of primary contrasts."""
    declared = tuple(DeclaredContrast(contrast=one) for one in contrasts)
    given: dict[str, Any] = {"contrasts": declared, "declared": True, "draws": 1000}
    return AnalysisPlan(**(given | others))


def two_arms(task: str, treatment: float, control: float, **others: Any) -> list[RunRow]:
    """Return a run with and one without the skill."""
    return [
        made(task, "with-skill", treatment, **others),
        made(task, "no-skill", control, **others),
    ]


@cache
def analysis_of_the_paper(*files: str) -> Analysis:
    """Return the supplied analysis of released runs."""
    table = released(*files)
    return analyse(table, default_plan(table))


@cache
def released(*files: str) -> RunTable:
    """Return the paper's released runs of these files, or of all three."""
    return read_run_table([RELEASED / name for name in files or FILES])
