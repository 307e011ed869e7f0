# SPDX-License-Identifier: MIT
"""Reports on the published runs, made once for tests that only read them."""

from pathlib import Path

import pytest

from m4bench.analysis.paper.release import paper_runs
from m4bench.analysis.plan import read_plan
from m4bench.report import write_report

PLAN = """
[analysis]
contrasts = ["with-skill:no-skill", {contrast = "with-skill-rawsql:with-skill", claim = "equivalence", margin = 0.05}]
exploratory = ["with-skill-decoy:no-skill"]
"""


@pytest.fixture(scope="session")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that declares three contrasts."""
    path = tmp_path_factory.mktemp("plan") / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, declared: Path) -> Path:
    """The page of the report on the paper's primary campaign as it was released."""
    folder = tmp_path_factory.mktemp("published")
    primary = paper_runs(folder / "runs")[0]
    return write_report(primary, folder / "out", plan=read_plan(declared))
