# SPDX-License-Identifier: MIT
"""The demo: the whole way on a synthetic hospital, and again without doing finished work twice."""

import csv
from pathlib import Path

import pytest

from m4bench.doors.demo import AGENTS, demo
from m4bench.suites.derivation.tasks.cards import load_tasks


@pytest.mark.sandbox
def test_the_demo_ends_with_a_report_and_can_be_repeated(tmp_path: Path) -> None:
    """Every baseline runs every task; only the reference agent is perfect; a repeat adds nothing."""
    said: list[str] = []
    page = demo(tmp_path / "demo", said.append)
    assert page.is_file()
    rows = list(csv.DictReader((page.parent / "runs.csv").open()))
    assert len(rows) == len(load_tasks()) * len(AGENTS)
    rewards = {agent: [float(r["reward"]) for r in rows if r["agent"] == agent] for agent in AGENTS}
    assert set(rewards["reference"]) == {1.0}
    assert set(rewards["empty"]) == {0.0}
    assert all(0.0 < reward < 1.0 for reward in rewards["naive"])
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "demo" / "runs").glob("*/run.json")}
    demo(tmp_path / "demo", said.append)
    after = {p: p.stat().st_mtime_ns for p in (tmp_path / "demo" / "runs").glob("*/run.json")}
    assert before == after
