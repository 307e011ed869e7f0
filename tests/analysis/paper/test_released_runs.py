# SPDX-License-Identifier: MIT
"""The shipped run lists are the released ones, hold rates and counts only, and are written whole."""

import csv
import json
import re
from pathlib import Path

import pytest

from m4bench.analysis.paper import paper_runs
from m4bench.analysis.paper.release import CREDIT, RUN_LISTS
from m4bench.analysis.paper.tasks import PAPER_TASKS, paper_tasks

NUMBER = r"(-?\d+(\.\d+)?([eE]-?\d+)?)?"
TRUTH = r"True|False"
NAME = r"[a-z0-9.:-]+"
FORM = {
    "run_id": r"[a-z0-9.-]+(_[A-Za-z0-9.-]+)*_t[1-5]_\d{8}_\d{6}",
    "task": "|".join(PAPER_TASKS),
    "condition": r"no-skill|with-skill|with-skill-decoy|with-skill-rawsql|operational-spec",
    "schema": r"native|obfuscated|restructured",
    "agent": NAME,
    "model": NAME,
    "reasoning_effort": NAME,
    "agent_status": "",
    "tier": "",
    "tier_name": "",
    **dict.fromkeys(
        (
            "publishable",
            "isolated",
            "filesystem_canary",
            "contamination_lint",
            "diagnostics_failed",
        ),
        TRUTH,
    ),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the shipped run lists were written to."""
    folder = tmp_path_factory.mktemp("written") / "new"
    paper_runs(folder)
    return folder


def test_the_lists_are_the_released_ones(shared: Path, written: Path) -> None:
    """Each list equals the published one byte for byte."""
    for name in RUN_LISTS:
        assert (written / name).read_bytes() == (shared / "published" / name).read_bytes(), name


def test_lists_and_their_credit_are_written_again_over_themselves(tmp_path: Path) -> None:
    """The paths returned are the lists'; whose they are stands beside them; a second time changes nothing."""
    paths = paper_runs(tmp_path)
    assert [path.name for path in paths] == list(RUN_LISTS)
    assert "Ill et al., MIT" in (tmp_path / CREDIT).read_text(encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert paper_runs(tmp_path) == paths
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert len(before) == 4


@pytest.mark.parametrize(("name", "runs"), list(zip(RUN_LISTS, (760, 340, 110), strict=True)))
def test_a_list_holds_rates_and_counts_only(written: Path, name: str, runs: int) -> None:
    """Every field has the form of its column: a name from a closed list, a truth, a number, or rates by column."""
    with (written / name).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == runs
    for row in rows:
        for column, text in row.items():
            if column == "match_rates":
                rates = json.loads(text)
                assert set(rates) <= set(paper_tasks()[row["task"]].scoring.scored), row["run_id"]
                assert all(0 <= rate <= 1 for rate in rates.values())
            else:
                assert re.fullmatch(FORM.get(column, NUMBER), text), (row["run_id"], column)
