# SPDX-License-Identifier: MIT
"""The page of coverage: its figures are those of the simulation, its shape that of the installed tasks."""

import importlib.util
import math
import re
from pathlib import Path
from typing import Any

import pytest

from m4bench.analysis.task_facts import installed_task_facts
from m4bench.stats.coverage import INTERVALS, coverage

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "explanation" / "coverage.md"
RUNS = 2_000


@pytest.fixture(scope="module")
def script() -> Any:
    """The script that writes the page's figures."""
    spec = importlib.util.spec_from_file_location(
        "coverage_page", ROOT / "tools" / "coverage_page.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def part(name: str) -> str:
    """Return what the page has between a part's marks."""
    found = re.search(
        rf"<!-- written: {name} -->\n(.*?)<!-- end -->", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    return found[1].strip()


def lines(name: str) -> dict[str, list[str]]:
    """Return the lines of a part's table by their first cell."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part(name).splitlines()
    ]
    return {first: rest for first, *rest in cells[2:]}


def test_the_shape_simulated_is_that_of_the_installed_tasks(script: Any) -> None:
    """28 tasks in 15 families: three of one task, eleven of two, one of three, as the page says."""
    sizes = script.paper_sizes()
    assert (len(sizes), sum(sizes)) == (15, len(installed_task_facts())) == (15, 28)
    assert [sizes.count(size) for size in (1, 2, 3)] == [3, 11, 1]
    assert "three of one task, eleven of two, one of three" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("effects", "column"), [("normal", 0), ("skewed", 2)])
def test_figures_are_near_those_of_a_new_simulation(script: Any, effects: str, column: int) -> None:
    """Another seed, fewer data sets: every share of the paper's shape within four standard errors."""
    found = coverage(script.shape(script.paper_sizes(), effects), runs=RUNS, draws=1_000, seed=8)
    shown = {method: float(cells[column]) for method, cells in lines("paper").items()}
    shown |= {test: float(cells[column // 2]) for test, cells in lines("tests").items()}
    simulated = {
        script.NAMES[name]: r.share for name, r in (found.covered | found.rejected).items()
    }
    assert set(shown) == set(simulated)
    for method, figure in shown.items():
        error = math.sqrt(figure * (1 - figure) * (1 / RUNS + 1 / script.RUNS))
        assert simulated[method] == pytest.approx(figure, abs=4 * error + 0.0005), method


def test_parts_are_written_between_their_marks(script: Any) -> None:
    """A part replaces what stood between its marks and nothing else; a page without the part is refused."""
    page = (
        "a\n<!-- written: made -->\nold\n<!-- end -->\nb\n<!-- written: x -->\nkept\n<!-- end -->\n"
    )
    new = script.written(page, {"made": "new"})
    assert new == page.replace("old", "\nnew\n")
    with pytest.raises(SystemExit, match="no part tests"):
        script.written(page, {"tests": "new"})


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The page's example of a shape of one's own prints a line for each interval."""
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    exec(example[1], {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [method for method, _, _ in printed] == list(INTERVALS)
    assert all(0.5 < float(share) < 1 and float(error) < 0.02 for _, share, error in printed)


def test_a_shape_of_ones_own_is_printed(script: Any) -> None:
    """Three families at 90 %: every method has its line, and the bootstrap-t gives no interval."""
    shown = script.own((2, 2, 3), 0.5, "skewed", 0.90)
    assert "interval at 0.9 |" in shown
    assert "test at 0.1 |" in shown
    assert all(name in shown for name in script.NAMES.values())
    assert f"| {script.NAMES['family-bootstrap-t']} | none | none |" in shown


@pytest.mark.slow
def test_the_page_is_what_the_script_writes(script: Any) -> None:
    """Every figure of every table, simulated anew at full size with the page's seed (all but the time it took)."""
    found = script.parts()
    untimed = re.compile(r"Made in \d+ seconds")
    assert untimed.sub("", found.pop("made")) == untimed.sub("", part("made"))
    assert found == {name: part(name) for name in found}
