# SPDX-License-Identifier: MIT
"""What holds for a set of runs: data, condition, versions, and what each value means. Knows no page."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from m4bench.model.run import RunRecord
from m4bench.report import wording

_HASH = re.compile(r"[0-9a-f]{32,}")
HASH_SHOWN = 12


@dataclass(frozen=True)
class Value:
    """One value of a fact, what it means in a few words, and its full form where it is shortened."""

    text: str
    meaning: str = ""
    full: str = ""


@dataclass(frozen=True)
class Fact:
    """Something that holds for the runs: a label and the values found among them."""

    label: str
    values: tuple[Value, ...]


def facts(runs: Sequence[RunRecord]) -> list[Fact]:
    """Return what was asked, on which data, and with which tools."""
    datasets = sorted({(run.cell.dataset, _dataset(run), run.dataset_hash) for run in runs})
    return [
        Fact(
            "Dataset",
            tuple(
                Value(name, f"{about}, content {content[:8]}", full=content)
                for name, about, content in datasets
            ),
        ),
        _fact("Condition", runs, lambda run: run.cell.condition, wording.CONDITIONS),
        _fact("Schema", runs, lambda run: run.cell.schema_, wording.SCHEMAS),
        _fact("Drops", runs, lambda run: run.cell.drops, wording.DROPS),
        _fact("Convention", runs, lambda run: run.cell.convention, wording.CONVENTIONS),
        _fact("Sandbox", runs, lambda run: run.cell.sandbox, wording.SANDBOXES),
        _fact("Task versions", runs, lambda run: run.task_version),
        _fact("Engine", runs, lambda run: run.engine),
        _fact("Agent runtime", runs, lambda run: run.runtime),
        _fact("m4bench", runs, lambda run: run.m4bench),
        Fact("When", (Value(_period(runs)),)),
    ]


def holds_credentialed(runs: Sequence[RunRecord]) -> bool:
    """Tell whether a run was made on credentialed data, so that the report is under its licence."""
    return any(run.access == "credentialed" for run in runs)


def shortened(text: str) -> str:
    """Cut hashes within a text to their first digits."""
    return _HASH.sub(lambda found: found.group()[:HASH_SHOWN], text)


def _dataset(run: RunRecord) -> str:
    """Return who may have a dataset, which release it is, and whether it departs from it."""
    parts = [wording.ACCESS.get(run.access, run.access)]
    if run.release:
        parts.append(f"release {run.release}")
    if run.modified:
        parts.append("modified: not as released")
    return ", ".join(parts)


def _fact(
    label: str,
    runs: Sequence[RunRecord],
    get: Callable[[RunRecord], str],
    meanings: Mapping[str, str] | None = None,
) -> Fact:
    values = sorted({get(run) for run in runs})
    return Fact(
        label,
        tuple(
            Value(shortened(value), (meanings or {}).get(value, ""), full=value) for value in values
        ),
    )


def _period(runs: Sequence[RunRecord]) -> str:
    if not runs:
        return "–"
    first = min(run.started for run in runs).astimezone(UTC)
    last = max(run.finished for run in runs).astimezone(UTC)
    begin = f"{first:%Y-%m-%d %H:%M}"
    end = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{begin} UTC" if first == last else f"{begin} to {end} UTC"
