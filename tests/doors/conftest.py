# SPDX-License-Identifier: MIT
"""A finished demo of a small hospital, made once, and copies of it without its runs."""

import shutil
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from m4bench.doors.demo import DemoResult, demo
from m4bench.doors.demo_stages import Silence, Stage

SMALL = {"stays": 60, "density": 0.05}
Copy = Callable[[], Path]


@dataclass
class Said(Silence):
    """A screen that keeps what it is told."""

    headline: str = ""
    notes: list[str] = field(default_factory=list)
    ended_stages: dict[str, bool] = field(default_factory=dict)
    shares: dict[str, list[float]] = field(default_factory=dict)
    cells: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    kept: set[tuple[str, str]] = field(default_factory=set)

    def planned(
        self,
        headline: str,
        tasks: Sequence[str],
        agents: Sequence[str],
        there: Collection[Stage] = (),
    ) -> None:
        """Keep the headline."""
        self.headline = headline

    def advanced(self, stage: Stage, share: float, doing: str) -> None:
        """Keep the share."""
        self.shares.setdefault(stage.name, []).append(share)

    def ended(self, stage: Stage, outcome: str, *, reused: bool) -> None:
        """Keep whether the stage was there already."""
        self.ended_stages[stage.name] = reused

    def run_begun(self, task: str, agent: str) -> None:
        """Keep that it began."""
        self.cells[task, agent] = ["begun"]

    def run_ended(self, task: str, agent: str, reward: str, *, kept: bool) -> None:
        """Keep the reward."""
        self.cells.setdefault((task, agent), []).append(reward)
        if kept:
            self.kept.add((task, agent))

    def note(self, text: str) -> None:
        """Keep the note."""
        self.notes.append(text)


@dataclass(frozen=True)
class Finished:
    """A demo that has ended: its folder, its result, and what was said."""

    out: Path
    result: DemoResult
    said: Said


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A demo that has ended."""
    out = tmp_path_factory.mktemp("demo") / "out"
    said = Said()
    return Finished(out, demo(out, said, **SMALL), said)  # type: ignore[arg-type]


@pytest.fixture
def without_runs(finished: Finished, tmp_path: Path) -> Copy:
    """Make a folder in which everything is done but the runs and the report."""

    def made() -> Path:
        out = tmp_path / "copy"
        shutil.copytree(finished.out, out, ignore=shutil.ignore_patterns("runs", "report"))
        return out

    return made
