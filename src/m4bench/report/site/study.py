# SPDX-License-Identifier: MIT
"""Everything the pages of a site speak of, put in order once. Knows no layout and no file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from m4bench.analysis.progress import Progress
from m4bench.analysis.runs import RunTable, System
from m4bench.model.analysis import AnalysisPlan
from m4bench.report.site.boards import (
    Board,
    Entry,
    Place,
    boards,
    comparable,
    is_measured,
)
from m4bench.report.site.names import anchor, slugs, source_labels

TITLE = "Leaderboard"


@dataclass(frozen=True)
class Source:
    """A file or folder that runs came from, without the place it lay at."""

    label: str
    sha256: str
    runs: int
    publishable: int
    unmeasured: int
    access: tuple[str, ...]


class Seat(NamedTuple):
    """A system at a board: `on` it, or beside it where its runs may not be published."""

    board: Board
    entry: Entry
    on: bool


@dataclass(frozen=True)
class Study:
    """Boards, systems, tasks and sources of a site, with the file names of their pages.

    `read` are the runs as they were read, `table` what of them is taken together; `sandboxes` are those of a
    place's runs.
    """

    title: str
    plan: AnalysisPlan
    read: RunTable
    table: RunTable
    boards: tuple[Board, ...]
    sources: tuple[Source, ...]
    system_pages: Mapping[System, str]
    task_pages: Mapping[str, str]
    families: Mapping[str, str]
    sandboxes: Mapping[Place, tuple[str, ...]]

    @property
    def credentialed(self) -> bool:
        """Whether a run was made on data that are given under an agreement."""
        return any(run.setting.access == "credentialed" for run in self.table)

    @cached_property
    def seats(self) -> Mapping[System, tuple[Seat, ...]]:
        """The boards each system is on or beside."""
        found: dict[System, list[Seat]] = {system: [] for system in self.system_pages}
        for board in self.boards:
            for entries, on in ((board.entries, True), (board.aside, False)):
                for entry in entries:
                    found[entry.system].append(Seat(board, entry, on))
        return {system: tuple(seats) for system, seats in found.items()}


def build_study(
    read: RunTable, plan: AnalysisPlan, title: str | None, progress: Progress | None = None
) -> Study:
    """Return what the pages speak of.

    Raises:
        InputError: two systems would be written alike.
    """
    table = comparable(read)
    systems = sorted({run.system for run in table})
    by_name = slugs((str(system) for system in systems), "system")
    families = table.families()
    return Study(
        title=(title or "").strip() or TITLE,
        plan=plan,
        read=read,
        table=table,
        boards=boards(table, plan, progress),
        sources=tuple(_sources(table)),
        system_pages={system: by_name[str(system)] for system in systems},
        task_pages=slugs(families, "task"),
        families=families,
        sandboxes=_sandboxes(read, table),
    )


def _sandboxes(read: RunTable, table: RunTable) -> dict[Place, tuple[str, ...]]:
    found: dict[Place, set[str]] = {}
    for was, run in zip(read, table, strict=True):
        place = Place(run.condition, run.schema, run.setting)
        found.setdefault(place, set()).add(was.setting.sandbox)
    return {place: tuple(sorted(names)) for place, names in found.items()}


def _sources(table: RunTable) -> Iterator[Source]:
    labels = source_labels(table.sources)
    for name, label in sorted(
        labels.items(), key=lambda found: (found[1], table.sources[found[0]])
    ):
        own = [run for run in table if run.source == name]
        yield Source(
            label,
            table.sources[name],
            len(own),
            sum(run.publishable for run in own),
            sum(not is_measured(run) for run in own),
            tuple(sorted({run.setting.access for run in own})),
        )


def place_id(place: Place) -> str:
    """Return the name of a board's place within the front page, the same whatever else is there."""
    return anchor(place.condition, place.schema, *place.setting)
