# SPDX-License-Identifier: MIT
"""A row of a runs CSV that contradicts itself is refused in one line, and one that does not is taken."""

from pathlib import Path

import pytest

from m4bench.analysis.reading import read_run_table
from m4bench.model.errors import InputError
from tests.analysis.test_reading import ROW, csv_of

SOUND = ROW | {
    "task": "mimic-sofa-24h",
    "reward": "0.5",
    "match_rates": '{"sofa": 0.25, "liver": 0.75}',
    "passed": "4",
    "failed": "0",
    "errors": "0",
    "strict_pass": "True",
    "agent_status": "completed",
    "outcome_valid": "True",
    "dataset": "mimic-iv",
    "access": "credentialed",
}


def read(folder: Path, fields: dict[str, str]) -> None:
    """Read a table of one row."""
    path = folder / "runs.csv"
    path.write_text(csv_of(SOUND | fields), encoding="utf-8")
    read_run_table([path])


@pytest.mark.parametrize(
    ("fields", "column", "words"),
    [
        ({"failed": "1"}, "strict_pass", "a pass beside a failed check"),
        ({"errors": "1"}, "strict_pass", "a pass beside an error"),
        ({"reward": "", "match_rates": ""}, "strict_pass", "a pass beside no reward"),
        ({"reward": "0.9"}, "reward", "not the mean of the row’s match rates"),
        (
            {"agent_status": "timeout", "strict_pass": "False"},
            "reward",
            "above 0, and the run ended as timeout",
        ),
        ({"agent_status": "infrastructure"}, "outcome_valid", "infrastructure is no measurement"),
        ({"agent_status": "Completed"}, "agent_status", "did you mean completed?"),
        ({"agent_status": "NO_OUTPUT"}, "agent_status", "did you mean no-output?"),
        ({"access": "open"}, "access", "is open, and mimic-iv is credentialed"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(
    tmp_path: Path, fields: dict[str, str], column: str, words: str
) -> None:
    """File, row and column are named, and what to do."""
    with pytest.raises(InputError) as refused:
        read(tmp_path, fields)
    said = str(refused.value)
    assert f"row 2, column {column}: " in said
    assert words in said


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"reward": "0.50000001"},
        {"reward": "0", "match_rates": "", "strict_pass": "False", "agent_status": "timeout"},
        {
            "reward": "",
            "match_rates": "",
            "strict_pass": "False",
            "agent_status": "infrastructure",
            "outcome_valid": "False",
        },
        {"agent_status": "judged-by-hand", "outcome_valid": ""},
        {"dataset": "mimic-iv-demo", "access": "open"},
    ],
)
def test_a_row_that_agrees_with_itself_is_taken(tmp_path: Path, fields: dict[str, str]) -> None:
    """Rounding, failures at 0, lost runs, a suite's own state and open data are no contradiction."""
    read(tmp_path, fields)
