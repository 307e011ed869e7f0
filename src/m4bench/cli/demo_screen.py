# SPDX-License-Identifier: MIT
"""How the demo looks: a live picture of stages and rewards on a terminal, one line a stage elsewhere.

It knows nothing of the work; what it shows is what it is told.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from m4bench.doors.demo_stages import STAGES, Schedule, Screen, Silence, Stage

FRAMES_A_SECOND = 8
LINES_BESIDE_GRID = 7
LEAST_GRID = 4
WAITING, UNDER_WAY = "·", "…"


@contextmanager
def demo_screen(console: Console, *, quiet: bool) -> Iterator[Screen]:
    """Yield the screen that suits a console; a live one leaves the finished picture behind."""
    if quiet:
        yield Notes(console)
    elif console.is_terminal and not console.is_dumb_terminal:
        picture = Picture(console)
        with Live(
            console=console,
            get_renderable=picture.drawn,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ):
            yield picture
        console.print(picture.whole())
    else:
        yield Lines(console)


def _line(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


class Notes(Silence):
    """Shows nothing but what the user should know."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def note(self, text: str) -> None:
        """Print it."""
        _line(self._console, text)


class Lines(Notes):
    """One line a stage, for pipes and logs."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._schedule = Schedule()

    def planned(
        self,
        headline: str,
        tasks: Sequence[str],
        agents: Sequence[str],
        there: Collection[Stage] = (),
    ) -> None:
        """Print what is about to be done and how long it takes."""
        self._schedule.there = there
        minutes = max(1, round(self._schedule.remaining(time.monotonic()) / 60))
        _line(
            self._console,
            f"demo: {headline}; about {minutes} min on two cores when nothing is there",
        )

    def begun(self, stage: Stage) -> None:
        """Take the time."""
        self._schedule.begin(stage, time.monotonic())

    def ended(self, stage: Stage, outcome: str, *, reused: bool) -> None:
        """Print the stage's line."""
        self._schedule.end(stage, time.monotonic(), reused=reused)
        number = STAGES.index(stage) + 1
        took = "kept from before" if reused else f"{self._schedule.taken[stage.name]:.1f} s"
        _line(self._console, f"{number}/{len(STAGES)} {stage.name}: {outcome} ({took})")


class Picture:
    """Stages with their times above, tasks × agents filling with rewards below."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._schedule = Schedule()
        self._began = time.monotonic()
        self._headline = ""
        self._tasks: Sequence[str] = ()
        self._agents: Sequence[str] = ()
        self._stage: Stage | None = None
        self._doing = ""
        self._outcomes: dict[str, str] = {}
        self._cells: dict[tuple[str, str], Text] = {}
        self._last = 0

    def planned(
        self,
        headline: str,
        tasks: Sequence[str],
        agents: Sequence[str],
        there: Collection[Stage] = (),
    ) -> None:
        """Lay out the grid."""
        self._schedule.there = there
        self._headline, self._tasks, self._agents = headline, tasks, agents

    def begun(self, stage: Stage) -> None:
        """Show the stage as under way."""
        self._schedule.begin(stage, time.monotonic())
        self._stage, self._doing = stage, ""

    def advanced(self, stage: Stage, share: float, doing: str) -> None:
        """Show how far it is."""
        self._schedule.share, self._doing = share, doing

    def ended(self, stage: Stage, outcome: str, *, reused: bool) -> None:
        """Show its outcome and time."""
        self._schedule.end(stage, time.monotonic(), reused=reused)
        self._outcomes[stage.name] = f"{outcome}, kept from before" if reused else outcome
        self._stage = None

    def run_begun(self, task: str, agent: str) -> None:
        """Mark the cell."""
        self._fill(task, agent, Text(UNDER_WAY, style="yellow"))

    def run_ended(self, task: str, agent: str, reward: str, *, kept: bool) -> None:
        """Fill the cell."""
        self._fill(task, agent, Text(reward, style="dim" if kept else "bold"))

    def note(self, text: str) -> None:
        """Print it above the picture."""
        _line(self._console, text)

    def drawn(self) -> Group:
        """Return the picture as it is now, no higher than the terminal."""
        room = self._console.height - len(STAGES) - LINES_BESIDE_GRID
        return self._picture(max(room, LEAST_GRID))

    def whole(self) -> Group:
        """Return the picture with every task."""
        return self._picture(len(self._tasks))

    def _fill(self, task: str, agent: str, text: Text) -> None:
        self._cells[task, agent] = text
        self._last = self._tasks.index(task)

    def _picture(self, rows: int) -> Group:
        now = time.monotonic()
        times = f"{_time(now - self._began)} elapsed"
        if len(self._outcomes) < len(STAGES):
            times += f", about {_time(self._schedule.remaining(now))} left"
        parts: list[RenderableType] = [
            Text(self._headline, style="bold"),
            self._stages(now),
            Text(times, style="cyan"),
        ]
        return Group(*parts, Text(), self._grid(rows)) if self._tasks else Group(*parts)

    def _stages(self, now: float) -> Table:
        table = Table(box=None, show_header=False, pad_edge=False, expand=True)
        table.add_column(width=1)
        table.add_column(width=max(len(stage.name) for stage in STAGES))
        table.add_column(width=len("00:00"), justify="right")
        table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        for stage in STAGES:
            if stage.name in self._outcomes:
                taken = _time(self._schedule.taken[stage.name])
                outcome = Text(self._outcomes[stage.name])
                table.add_row("✓", stage.name, taken, outcome, style="green")
            elif stage is self._stage:
                here = _time(now - self._schedule.began[stage.name])
                share = f"{self._schedule.share:.0%} " if self._schedule.share else ""
                doing = Text(share + self._doing)
                table.add_row("▸", stage.name, here, doing, style="yellow")
            else:
                table.add_row(WAITING, stage.name, "", "", style="dim")
        return table

    def _grid(self, rows: int) -> Group:
        """Return the rewards of at most so many tasks, around the one that moved last."""
        first = max(0, min(self._last - rows // 2, len(self._tasks) - rows))
        shown = self._tasks[first : first + rows]
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("reward", no_wrap=True)
        for agent in self._agents:
            table.add_column(Text(agent), justify="right", no_wrap=True)
        for task in shown:
            cells = (
                self._cells.get((task, agent), Text(WAITING, style="dim")) for agent in self._agents
            )
            table.add_row(Text(task), *cells)
        hidden = len(self._tasks) - len(shown)
        more = [Text(f"and {hidden} more tasks", style="dim")] if hidden else []
        return Group(table, *more)
