# SPDX-License-Identifier: MIT
"""The pages of a site: the boards, a page a system, a page a task, how to read them, what they were made from.

Knows no file but by name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import version
from typing import Any, NamedTuple

from m4bench.analysis.runs import RunRow, System
from m4bench.harness.finished.states import COMPLETED, STATES
from m4bench.report.site import grids
from m4bench.report.site.boards import NOT_TOLD, Place
from m4bench.report.site.data_files import FILES
from m4bench.report.site.filters import (
    ACCESS_RULES,
    LABELS,
    Part,
    field_values,
    filters,
    parts,
    several_hashes,
)
from m4bench.report.site.names import source_labels
from m4bench.report.site.rendering import render
from m4bench.report.site.study import Study, place_id

MOST_SLOTS = 8
MOST_NAMES = 4
MOST_MEMBERS = 24
MOST_PAIRS = 45
INDEX = "index.html"
UNDECLARED = "Not declared before the runs: m4bench supplied the analysis, which compares all systems that are there."


class Failure(NamedTuple):
    """How many runs of a system ended in a state, and under which conditions and schemas."""

    state: str
    meaning: str
    valid: bool
    runs: int
    where: tuple[tuple[str, int], ...]


class Pages:
    """The pages of one study."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._labels = source_labels(study.read.sources)

    def __len__(self) -> int:
        return (
            len(self.study.system_pages)
            + len(self.study.task_pages)
            + len(("reading", "sources", INDEX))
        )

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of every page, the front page last."""
        for system, slug in self.study.system_pages.items():
            yield f"systems/{slug}.html", self._system(system)
        for task, slug in self.study.task_pages.items():
            yield f"tasks/{slug}.html", self._task(task)
        yield "reading.html", self._page("site_reading.html", accesses=self._accesses())
        yield "sources.html", self._page("site_sources.html", files=FILES)
        yield INDEX, self._index()

    @cached_property
    def _of_system(self) -> Mapping[System, list[RunRow]]:
        found: dict[System, list[RunRow]] = {}
        for run in self.study.table:
            found.setdefault(run.system, []).append(run)
        return found

    @cached_property
    def _of_task(self) -> Mapping[str, list[RunRow]]:
        found: dict[str, list[RunRow]] = {}
        for run in self.study.table:
            found.setdefault(run.task, []).append(run)
        return found

    def _page(self, template: str, *, root: str = "", **own: Any) -> str:
        return render(template, {**self._shared, "root": root, **own})

    @cached_property
    def _shared(self) -> Mapping[str, Any]:
        places = [board.place for board in self.study.boards]
        several = several_hashes(self.study.boards)
        return {
            "study": self.study,
            "undeclared": UNDECLARED,
            "m4bench": version("m4bench"),
            "ids": {place: place_id(place) for place in places},
            "fields": {place: field_values(place, several) for place in places},
            "parts": self._parts,
            "brief": self._brief,
            "grid_name": self._grid_name,
            "most_slots": MOST_SLOTS,
            "most_names": MOST_NAMES,
            "most_members": MOST_MEMBERS,
            "most_pairs": MOST_PAIRS,
        }

    def _parts(self, place: Place) -> list[Part]:
        sandboxes = [name or NOT_TOLD for name in self.study.sandboxes[place]]
        return [*parts(place), Part("Sandbox", ", ".join(sandboxes))]

    def _brief(self, place: Place) -> str:
        """Return what of a place, but its condition and schema, is not the same on all of the site."""
        fields = self._shared["fields"][place]
        return " · ".join(
            f"{LABELS[name].lower()} {fields[name]}" for name in LABELS if name in self._varying
        )

    def _grid_name(self, grid: grids.Grid) -> str:
        """Return what tells a grid from the others of its page: its setting, and its schema where it has one."""
        schemas = {place.schema for place in grid.columns}
        own = [f"schema {schema}" for schema in schemas] if len(schemas) == 1 else []
        return " · ".join([*filter(None, [self._brief(grid.columns[0])]), *own]) or "all schemas"

    @cached_property
    def _varying(self) -> frozenset[str]:
        told = list(self._shared["fields"].values())
        return frozenset(
            name
            for name in LABELS
            if name not in ("condition", "schema") and len({fields[name] for fields in told}) > 1
        )

    def _index(self) -> str:
        by_family: dict[str, list[str]] = {}
        for task, family in self.study.families.items():
            by_family.setdefault(family, []).append(task)
        return self._page(
            "site_index.html",
            filters=filters(self.study.boards),
            by_family=dict(sorted(by_family.items())),
        )

    def _system(self, system: System) -> str:
        own = self._of_system[system]
        seats = self.study.seats[system]
        pairs = [
            (board, [pair for pair in board.pairs if str(system) in (pair.first, pair.second)])
            for board, _, on in seats
            if on and len(board.pairs) <= MOST_PAIRS
        ]
        counted = Counter(run.source for run in own)
        return self._page(
            "site_system.html",
            root="../",
            system=system,
            seats=seats,
            own_runs=len(own),
            grids=grids.of_system(self.study, system),
            failures=list(self._failures(system)),
            pairs=[(board, found) for board, found in pairs if found],
            sources=sorted(
                (self._labels.get(name, ""), number, self.study.read.sources.get(name, ""))
                for name, number in counted.items()
            ),
        )

    def _failures(self, system: System) -> Iterator[Failure]:
        ended: dict[tuple[str, bool], Counter[str]] = {}
        for run in self._of_system[system]:
            if not (run.valid and run.state == COMPLETED):
                where = f"{run.condition} ({run.schema})"
                ended.setdefault((run.state, run.valid), Counter())[where] += 1
        for (state, valid), places in sorted(ended.items()):
            yield Failure(
                state, STATES.get(state, ""), valid, places.total(), tuple(sorted(places.items()))
            )

    def _task(self, task: str) -> str:
        own = self._of_task[task]
        return self._page(
            "site_task.html",
            root="../",
            task=task,
            own_runs=len(own),
            own_systems=len({run.system for run in own}),
            grids=grids.of_task(self.study, task),
            by_name={str(system): slug for system, slug in self.study.system_pages.items()},
        )

    def _accesses(self) -> list[tuple[str, str]]:
        found = sorted({run.setting.access for run in self.study.table})
        return [(name or "not told", ACCESS_RULES.get(name, ACCESS_RULES[""])) for name in found]
