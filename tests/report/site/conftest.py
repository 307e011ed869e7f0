# SPDX-License-Identifier: MIT
"""Sites that several tests only read."""

from pathlib import Path
from typing import Any

import pytest

from m4bench.report.site import write_site
from tests.report.site.run_tables import TASKS, build_row, build_rows, write_table

HOSTILE = (
    "\"'><script>alert(1)</script><img src=https://x.example/p onerror=alert(2)>{{7*7}}&amp;\u202e"
)
NAMES = (HOSTILE, "x" * 300, "..", "../../up", "Solver", "solver", "SOLVER", "con", "=1+1", "агент")


def campaign() -> list[dict[str, Any]]:
    """Return runs of systems with hostile names under two conditions and two schemas, some not publishable."""
    rows = []
    for place, name in enumerate(NAMES):
        for condition in ("no-skill", "with-skill"):
            gain = 0.1 if condition == "with-skill" else 0.0
            rows += build_rows(
                name,
                0.2 + 0.05 * place + gain,
                condition=condition,
                cost_usd=0.25 if place % 2 else "",
                publishable=place != 4,
            )
    rows += build_rows("solver", 0.3, schema="obfuscated")
    rows += build_rows("solver", 0.1, condition="<b>other</b>", convention="current")
    late = {"agent_status": "timeout", "reward": 0.0, "passed": 0, "failed": 0, "errors": 1}
    rows += [build_row(task, condition="with-checks", **late) for task in TASKS]
    return rows


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The front page of a site of systems with hostile names."""
    folder = tmp_path_factory.mktemp("site")
    source = write_table(folder / "a" / "runs.csv", campaign())
    return write_site([source], folder / "out", title="Beds & <i>boards</i>")


@pytest.fixture(scope="session")
def published(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The front page of a site of the paper's runs."""
    sources = sorted((shared / "published").glob("*.csv"))
    return write_site(sources, tmp_path_factory.mktemp("published") / "out")
