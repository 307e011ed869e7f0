# SPDX-License-Identifier: MIT
"""Progress of long work: a bar with an estimate on a terminal, one line a stage elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from m4bench.cli.options import notes
from m4bench.model.legible import legible

Report = Callable[[str, int, int], None]


@contextmanager
def steps(title: str, *, spoken: bool = False) -> Iterator[Report]:
    """Yield a function that is told the step's name, the number done and the number in all.

    Of `spoken` steps the name itself says what is done, such as "reading runs.csv"; each is said once.
    """
    if not notes.is_terminal:
        said: set[str] = set()

        def line(name: str, _done: int, total: int) -> None:
            # A stage within the work has a word of its own before the name of what is made.
            stage = name if spoken else name.rpartition(" ")[0]
            if name and stage not in said:
                said.add(stage)
                what = f"{title}, {stage}s" if stage else title
                said_of_it = f"{title}: {name}" if spoken else f"{what}: {total}"
                notes.print(legible(said_of_it), markup=False, highlight=False, soft_wrap=True)

        yield line
        return
    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[step]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=notes, transient=True) as bar:
        task = bar.add_task(title, total=None, step="")

        def advance(name: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, step=legible(name))

        yield advance
