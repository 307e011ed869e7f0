# SPDX-License-Identifier: MIT
"""The report as one HTML page that needs no network and no script. Knows no file but its templates."""

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from m4bench.model.run import RunRecord
from m4bench.model.task import Task
from m4bench.report import wording
from m4bench.report.arms import shared_by_all
from m4bench.report.results import Results
from m4bench.report.states import STATES
from m4bench.report.summary import Question, Summary, is_measured, passes_strictly
from m4bench.report.trouble import lowest_columns, troubles

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


def render(results: Results, summary: Summary, tasks: Mapping[str, Task]) -> str:
    """Return the page.

    Everything that comes from a run is escaped, and a content policy lets no foreign script run and no
    request leave. `tasks` supplies titles and grains; a task missing there is shown by name alone.
    """
    environment = _environment()
    loader = environment.loader
    if loader is None:  # pragma: no cover - given two lines above
        raise RuntimeError("the environment has no loader")
    script = loader.get_source(environment, "page.js")[0]
    return environment.get_template("page.html").render(
        styles=Markup(loader.get_source(environment, "page.css")[0]),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_content_hash(script),
        results=results,
        summary=summary,
        tasks=tasks,
        facts=facts(summary),
        shared=shared_by_all([arm.arm for arm in summary.arms]),
        troubles=troubles(results, summary),
        lowest=lowest_columns(summary),
        anchors={question: _anchor(question, n) for n, question in enumerate(summary.questions)},
        measured=sum(is_measured(run) for run in summary.runs),
        publishable=sum(run.publishability.publishable for run in summary.runs),
        strict=sum(passes_strictly(run) for run in summary.runs),
        agents=len({arm.arm.program for arm in summary.arms}),
        credentialed=holds_credentialed(summary.runs),
        wording=wording,
        states=STATES,
    )


def holds_credentialed(runs: Sequence[RunRecord]) -> bool:
    """Tell whether a run was made on credentialed data, so that the report is under its licence."""
    return any(run.access == "credentialed" for run in runs)


def _dataset(run: RunRecord) -> str:
    """Return who may have a dataset, which release it is, and whether it departs from it."""
    parts = [wording.ACCESS.get(run.access, run.access)]
    if run.release:
        parts.append(f"release {run.release}")
    if run.modified:
        parts.append("modified: not as released")
    return ", ".join(parts)


def facts(summary: Summary) -> list[Fact]:
    """Return what was asked, on which data, and with which tools."""
    runs = summary.runs
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


def shortened(text: str) -> str:
    """Cut hashes within a text to their first digits."""
    return _HASH.sub(lambda found: found.group()[:HASH_SHOWN], text)


def _period(runs: Sequence[RunRecord]) -> str:
    if not runs:
        return "–"
    first = min(run.started for run in runs).astimezone(UTC)
    last = max(run.finished for run in runs).astimezone(UTC)
    begin = f"{first:%Y-%m-%d %H:%M}"
    end = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{begin} UTC" if first == last else f"{begin} to {end} UTC"


def _anchor(question: Question, place: int) -> str:
    """Return an id for a task's section: readable, and unique even for names of nothing but signs."""
    word = re.sub(r"[^a-z0-9]+", "-", question.task.lower()).strip("-")
    return f"task-{place + 1}-{word[:60]}".rstrip("-")


def _content_hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("m4bench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_fit_for_a_line,
    )
    environment.filters.update(
        rate=wording.rate,
        count=wording.count,
        seconds=wording.seconds,
        threshold=wording.threshold,
        shortened=shortened,
    )
    environment.globals.update(
        plural=wording.plural, passes_strictly=passes_strictly, is_measured=is_measured
    )
    return environment


def _fit_for_a_line(value: Any) -> Any:
    """Treat every printed text as foreign unless it is markup of our own templates."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else wording.foreign(value)
