# SPDX-License-Identifier: MIT
"""What holds for a set of runs: data, condition, versions, and what each value means. Knows no page."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from m4bench.model.run import RunRecord
from m4bench.report import wording
from m4bench.report.provenance import Provenances, in_words, is_proven
from m4bench.report.usage import tool_version

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


def facts(runs: Sequence[RunRecord], proven: Provenances) -> list[Fact]:
    """Return what was asked, on which data, and with which tools; what a dataset was made from where proven."""
    datasets = sorted({(run.cell.dataset, _dataset(run, proven), run.dataset_hash) for run in runs})
    return [
        Fact(
            "Dataset",
            tuple(
                Value(name, f"{about}, dataset hash {digest[:8]}", full=digest)
                for name, about, digest in datasets
            ),
        ),
        *_recipes(datasets, proven),
        _fact("Condition", runs, lambda run: run.cell.condition, wording.CONDITIONS),
        _fact("Schema", runs, lambda run: run.cell.schema_, wording.SCHEMAS),
        _fact("Drops", runs, lambda run: run.cell.drops, wording.DROPS),
        _fact("Convention", runs, lambda run: run.cell.convention, wording.CONVENTIONS),
        _sandboxes(runs),
        *_agents(runs),
        _fact("Task versions", runs, lambda run: run.task_version),
        _fact("Engine", runs, lambda run: run.engine),
        _fact("Agent runtime", runs, lambda run: run.runtime),
        _fact("m4bench", runs, lambda run: run.m4bench),
        Fact("When", (Value(_period(runs)),)),
    ]


def _sandboxes(runs: Sequence[RunRecord]) -> Fact:
    """Return the sandboxes, and of each what its runs could reach: with a model also the gateway."""
    with_model: dict[str, set[bool]] = {}
    for run in runs:
        with_model.setdefault(run.cell.sandbox, set()).add(run.model is not None)
    return Fact(
        "Sandbox",
        tuple(Value(name, wording.sandbox(name, with_model[name])) for name in sorted(with_model)),
    )


def _agents(runs: Sequence[RunRecord]) -> list[Fact]:
    """Return the agents with their versions, and where runs had a model, the models, their ways and prices."""
    agents = sorted({(run.cell.agent, tool_version(run), run.agent_version) for run in runs})
    found = [
        Fact(
            "Agents",
            tuple(Value(name, f"version {told}", full=full) for name, told, full in agents),
        )
    ]
    answered: dict[tuple[str, str, str], set[str]] = {}
    for run in runs:
        if run.model is not None:
            asked = run.cell.model or ", ".join(run.model.models)
            way = (asked, run.model.endpoint, run.model.protocol)
            answered.setdefault(way, set()).update(run.model.models_answered)
    if answered:
        found.append(
            Fact(
                "Models",
                tuple(
                    Value(asked, f"endpoint {endpoint}, {protocol}; {_names(answered[way])}")
                    for way in sorted(answered)
                    for asked, endpoint, protocol in [way]
                ),
            )
        )
    prices = sorted({run.usage.prices for run in runs if run.usage and run.usage.prices})
    if prices:
        found.append(Fact("Prices", tuple(Value(table) for table in prices)))
    return found


def _names(answered: set[str]) -> str:
    names = ", ".join(sorted(answered))
    return f"answered as {names}" if names else "the name it answered under is unknown"


def holds_credentialed(runs: Sequence[RunRecord]) -> bool:
    """Tell whether a run was made on credentialed data, so that the report is under its licence."""
    return any(run.access == "credentialed" for run in runs)


def is_for_its_owner(runs: Sequence[RunRecord], proven: Provenances) -> bool:
    """Tell whether a report may be on real patients under a licence, so that no other user may read it."""
    return holds_credentialed(runs) or any(found.doubtful for found in proven.values())


def shortened(text: str) -> str:
    """Cut hashes within a text to their first digits."""
    return _HASH.sub(lambda found: found.group()[:HASH_SHOWN], text)


def _recipes(datasets: Sequence[tuple[str, str, str]], proven: Provenances) -> list[Fact]:
    """Return what the invented datasets were made from; no fact where none is proven to be invented."""
    found = []
    for name, _, digest in datasets:
        invention = proven[digest].invention if digest in proven else None
        if invention is not None:
            full = f"content {invention.content}, commitment {invention.commitment}"
            made = f"generator {invention.generator}, NumPy {invention.numpy}"
            called = f"{name}: " if len(datasets) > 1 else ""
            found.append(Value(f"{called}{in_words(invention)}", made, full=full))
    return [Fact("Recipe", tuple(found))] if found else []


def _dataset(run: RunRecord, proven: Provenances) -> str:
    """Return who may have a dataset, which release it is, and whether it departs from it."""
    parts = [wording.access(run.access, proven=is_proven(run, proven))]
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
