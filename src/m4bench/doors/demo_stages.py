# SPDX-License-Identifier: MIT
"""The stages of the demo, what is told of them, and how long is left. It does none of the work and draws nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

TELLING = 0.05
"""Share of a stage that must be done before its own pace is believed."""


@dataclass(frozen=True)
class Stage:
    """A stage: its name, and the seconds it took where the demo was timed (two cores, warm caches)."""

    name: str
    seconds: float


HOSPITAL = Stage("hospital", 25.0)
LIBRARY = Stage("concepts and references", 8.0)
DATABASES = Stage("task databases", 3.0)
PYTHON = Stage("the agents' Python", 12.0)
RUNS = Stage("runs", 15.0)
REPORT = Stage("report", 4.0)
STAGES = (HOSPITAL, LIBRARY, DATABASES, PYTHON, RUNS, REPORT)
WARM_SECONDS = 1.0
"""About what a stage takes that finds everything there."""


class Screen(Protocol):
    """What the demo tells while it works; all texts are one line."""

    def planned(
        self,
        headline: str,
        tasks: Sequence[str],
        agents: Sequence[str],
        there: Collection[Stage] = (),
    ) -> None:
        """Say what is about to be done, which runs there will be, and which stages are known to be done."""

    def begun(self, stage: Stage) -> None:
        """Say that a stage has begun."""

    def advanced(self, stage: Stage, share: float, doing: str) -> None:
        """Say which share of a stage is done, and what comes now."""

    def ended(self, stage: Stage, outcome: str, *, reused: bool) -> None:
        """Say that a stage is done; `reused` when all of it was there already."""

    def run_begun(self, task: str, agent: str) -> None:
        """Say that a run has begun."""

    def run_ended(self, task: str, agent: str, reward: str, *, kept: bool) -> None:
        """Say how a run ended; `kept` when it was there already."""

    def note(self, text: str) -> None:
        """Say something the user should know."""


class Silence:
    """Tells nothing."""

    def planned(
        self,
        headline: str,
        tasks: Sequence[str],
        agents: Sequence[str],
        there: Collection[Stage] = (),
    ) -> None:
        """Do nothing."""

    def begun(self, stage: Stage) -> None:
        """Do nothing."""

    def advanced(self, stage: Stage, share: float, doing: str) -> None:
        """Do nothing."""

    def ended(self, stage: Stage, outcome: str, *, reused: bool) -> None:
        """Do nothing."""

    def run_begun(self, task: str, agent: str) -> None:
        """Do nothing."""

    def run_ended(self, task: str, agent: str, reward: str, *, kept: bool) -> None:
        """Do nothing."""

    def note(self, text: str) -> None:
        """Do nothing."""


class StageOfWork:
    """A stage as a `WorkProgress`: two pieces of work, the inventing and the importing of a hospital.

    Args:
        screen: who is told.
        stage: the stage.
        shares: which share of the stage each piece is, in their order.
    """

    def __init__(self, screen: Screen, stage: Stage, shares: Sequence[float]) -> None:
        self._screen, self._stage = screen, stage
        self._shares = list(shares)
        self._before = self._share = 0.0
        self._total, self._done, self._what = 0, 0, ""

    def planned(self, what: str, total: int | None) -> None:
        """Begin the next piece."""
        self._before += self._share
        self._share = self._shares.pop(0) if self._shares else 0.0
        self._total, self._done, self._what = total or 0, 0, what
        self._tell()

    def advanced(self, done: int) -> None:
        """Move on within the piece."""
        self._done += done
        self._tell()

    def finished(self, stage: str) -> None:
        """Show the step that is done in place of what was said before."""
        self._what = stage
        self._tell()

    def note(self, text: str) -> None:
        """Show it in place of what was said before."""
        self._what = text
        self._tell()

    def _tell(self) -> None:
        part = min(1.0, self._done / self._total) if self._total else 0.0
        self._screen.advanced(self._stage, self._before + self._share * part, self._what)


@dataclass
class Schedule:
    """Elapsed and remaining time of the stages; times are given by the caller, in seconds on one clock.

    What has not begun is expected to take what it took where the demo was timed, times the pace of what
    has been done here; what is under way tells for itself once a little of it is done.
    `there` are stages known to be done before the demo begins.
    """

    stages: Sequence[Stage] = STAGES
    there: Collection[Stage] = ()
    began: dict[str, float] = field(default_factory=dict)
    taken: dict[str, float] = field(default_factory=dict)
    reused: set[str] = field(default_factory=set)
    share: float = 0.0

    def begin(self, stage: Stage, at: float) -> None:
        """Start a stage."""
        self.began[stage.name], self.share = at, 0.0

    def end(self, stage: Stage, at: float, *, reused: bool) -> None:
        """End a stage."""
        self.taken[stage.name] = at - self.began[stage.name]
        if reused:
            self.reused.add(stage.name)

    def pace(self) -> float:
        """Return how much longer this machine takes than the one where the demo was timed."""
        fresh = [s for s in self.stages if s.name in self.taken and s.name not in self.reused]
        expected = sum(stage.seconds for stage in fresh)
        return sum(self.taken[stage.name] for stage in fresh) / expected if expected else 1.0

    def expected(self, stage: Stage) -> float:
        """Return the seconds a stage will take in all; little when what it rests on was there already."""
        warm = stage in self.there or (HOSPITAL.name in self.reused and stage.name != RUNS.name)
        return WARM_SECONDS if warm else stage.seconds * self.pace()

    def remaining(self, at: float) -> float:
        """Return the seconds that are left, of the stage under way and of those to come."""
        left = 0.0
        for stage in self.stages:
            if stage.name in self.taken:
                continue
            if stage.name not in self.began:
                left += self.expected(stage)
                continue
            here = at - self.began[stage.name]
            if self.share >= TELLING:
                left += here * (1 - self.share) / self.share
            else:
                left += max(self.expected(stage) - here, 0.0)
        return left
