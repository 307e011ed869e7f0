# SPDX-License-Identifier: MIT
"""How the demo looks on a terminal: all of it in view, whatever its height, and nothing hidden at the end."""

import io

import pytest
from rich.console import Console

from m4bench.cli.demo_screen import Lines, Notes, Picture, demo_screen
from m4bench.doors.demo_stages import HOSPITAL, RUNS, STAGES

TASKS = [f"mimic-task-{number:02d}" for number in range(28)]
AGENTS = ("reference", "naive", "empty")


def terminal(height: int) -> Console:
    """Return a terminal of 80 columns that keeps what it shows."""
    return Console(file=io.StringIO(), force_terminal=True, width=80, height=height, record=True)


def among_runs(console: Console) -> Picture:
    """Return a picture in the middle of the runs."""
    picture = Picture(console)
    picture.planned("500 invented ICU stays", TASKS, AGENTS)
    for stage in STAGES[:4]:
        picture.begun(stage)
        picture.ended(stage, "made in many words, " * 6, reused=stage is not HOSPITAL)
    picture.begun(RUNS)
    for task in TASKS[:15]:
        for agent in AGENTS:
            picture.run_begun(task, agent)
            picture.run_ended(task, agent, "0.500", kept=False)
    picture.run_begun(TASKS[15], "reference")
    picture.advanced(RUNS, 0.5, "45 of 84")
    return picture


@pytest.mark.parametrize("height", [17, 24, 60])
def test_the_picture_fits_and_shows_where_it_is(height: int) -> None:
    """However low the terminal, stages, times and the run that moved last are in view."""
    console = terminal(height)
    console.print(among_runs(console).drawn())
    lines = console.export_text().splitlines()
    assert len(lines) <= height
    shown = "\n".join(lines)
    assert all(f"✓  {stage.name}" in shown for stage in STAGES[:4])
    assert f"▸  {RUNS.name}" in shown
    assert "50% 45 of 84" in shown
    assert "elapsed, about" in shown
    assert TASKS[15] in shown
    assert ("more tasks" in shown) == (height < 40)


def test_the_end_shows_every_task() -> None:
    """What stays on the screen holds every reward."""
    console = terminal(24)
    console.print(among_runs(console).whole())
    shown = console.export_text()
    assert all(task in shown for task in TASKS)
    assert shown.count("0.500") == 15 * len(AGENTS)


def test_the_screen_suits_the_console() -> None:
    """A terminal has a picture, a pipe lines, and who asks for quiet only notes."""
    pipe = Console(file=io.StringIO(), width=80)
    with demo_screen(terminal(24), quiet=False) as live:
        assert isinstance(live, Picture)
    with demo_screen(pipe, quiet=False) as plain:
        assert isinstance(plain, Lines)
    with demo_screen(terminal(24), quiet=True) as quiet:
        assert type(quiet) is Notes


def test_names_are_not_read_as_markup() -> None:
    """Square brackets in what is shown stay square brackets."""
    console = terminal(40)
    picture = Picture(console)
    names = ("[red]headline[/red]", "[bold]task", "[u]agent", "[dim]note", "[i]0.5")
    picture.planned(names[0], [names[1]], [names[2]])
    picture.run_ended(names[1], names[2], names[4], kept=True)
    picture.note(names[3])
    console.print(picture.drawn())
    shown = console.export_text()
    assert [name for name in names if name not in shown] == []
