# SPDX-License-Identifier: MIT
"""Runs that may be one run told twice, or trials numbered wrongly. Knows no file, and leaves no run out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from m4bench.analysis.runs import RunRow
from m4bench.analysis.words import counted

NAMES = tuple(one.name for one in fields(RunRow) if one.name not in ("run_id", "source"))


def doubtful_trials(runs: Iterable[RunRow]) -> list[str]:
    """Return a note for each source with runs of one trial's number in a cell, and one on runs of the same content.

    Neither is refused: a released table may number its trials otherwise, and two runs may come out the same.
    """
    places: dict[tuple[object, ...], list[RunRow]] = {}
    for run in runs:
        places.setdefault((run.cell, run.task_version, run.trial), []).append(run)
    several = [found for found in places.values() if len(found) > 1]
    again = Counter(source for found in several for source in _further_of_one_source(found))
    notes = [
        f"{source}: {counted(number, 'run')} with the trial number of another run of the same cell: "
        "each counts as a trial of its own"
        for source, number in sorted(again.items())
    ]
    alike = sum(len(found) - len({_content(run) for run in found}) for found in several)
    if alike:
        verb = "is" if alike == 1 else "are"
        notes.append(
            f"{counted(alike, 'run')} {verb} in all but the run id the same as another: if a run was written twice, "
            "leave one out"
        )
    return notes


def _further_of_one_source(found: Sequence[RunRow]) -> Iterator[str]:
    """Yield the source of each run but the first of its source."""
    seen: set[str] = set()
    for run in found:
        if run.source in seen:
            yield run.source
        seen.add(run.source)


def _content(run: RunRow) -> tuple[object, ...]:
    values = (getattr(run, name) for name in NAMES)
    return tuple(tuple(one.items()) if isinstance(one, dict) else one for one in values)
