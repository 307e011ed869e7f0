# SPDX-License-Identifier: MIT
import io

import pytest
from rich.console import Console
from rich.progress import Progress

from m4bench.data.progress import ConsoleProgress, TimeLeftColumn


@pytest.mark.parametrize(
    ("done", "words"),
    [
        (0, "a table\n"),
        (1, "a table (1 % done)\n"),
        (4.9, "a table (5 % done)\n"),
        (5, "a table (5 % done, about 0 s left)\n"),
        (100, "a table\n"),
    ],
)
def test_the_time_left_is_told_once_enough_is_done(done: float, words: str) -> None:
    """Below five percent of the bytes a line says only how far the work is."""
    shown = io.StringIO()
    with ConsoleProgress(Console(file=shown)) as progress:
        progress.planned("importing", 1000)
        shown.truncate(0)
        shown.seek(0)
        progress.advanced(round(done * 10))
        progress.finished("a table")
    assert shown.getvalue() == words


def test_the_bar_tells_the_time_left_once_enough_is_done() -> None:
    """The bar leaves the time out below five percent, and shows it from there on."""
    bar = Progress(console=Console(file=io.StringIO(), force_terminal=True))
    bar.add_task("importing", total=1000)
    [task] = bar.tasks
    bar.update(task.id, completed=49)
    assert TimeLeftColumn().render(task).plain == ""
    bar.update(task.id, completed=50)
    assert TimeLeftColumn().render(task).plain != ""
