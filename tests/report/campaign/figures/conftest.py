# SPDX-License-Identifier: MIT
"""Figures that tests share: of the invented campaign, and of the paper's runs."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import default_plan
from m4bench.analysis.reading import read_run_table
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.exhibits import Figure
from tests.report.campaign.samples import sample_analysis, sample_table

Figures = dict[str, Figure]
Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def sampled() -> Figures:
    """The figures of the invented campaign by name."""
    return {figure.name: figure for figure in campaign_figures(sample_analysis(), sample_table())}


@pytest.fixture(scope="session")
def papers(shared: Path) -> Figures:
    """The figures of the paper's primary and follow-up runs by name."""
    folder = shared / "published"
    runs = read_run_table([folder / "codex_primary_runs.csv", folder / "codex_followup_runs.csv"])
    figures = campaign_figures(analyse(runs, default_plan(runs)), runs)
    return {figure.name: figure for figure in figures}


@pytest.fixture(scope="session")
def published(shared: Path) -> Callable[[str], Rows]:
    """Read a table of the paper by its name."""

    def read(name: str) -> Rows:
        path = shared / "specs" / "tasks" / "published-results" / f"{name}.csv"
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    return read
