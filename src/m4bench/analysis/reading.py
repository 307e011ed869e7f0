# SPDX-License-Identifier: MIT
"""From runs CSVs and folders of runs to one table of runs. Knows no comparison and no statistic."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from m4bench.analysis.doubtful_names import doubtful_names
from m4bench.analysis.progress import Progress
from m4bench.analysis.run_csv import csv_text, run_rows
from m4bench.analysis.run_table_file import FileRows, read_run_csv, text_rows
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.same_trials import doubtful_trials
from m4bench.analysis.task_facts import TaskFacts, facts_of, installed_tasks
from m4bench.harness.finished.results import read_results
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.legible import as_meant, shortened
from m4bench.model.task import Task

REPORTED = Path("tables", "runs.csv")
EFFORT = "reasoning_effort"
NONE_TOLD = "none told"


def read_run_table(
    sources: Sequence[Path],
    facts: Mapping[str, TaskFacts] | None = None,
    progress: Progress | None = None,
) -> RunTable:
    """Read runs from files and folders into one table, each run id once.

    A source is a runs CSV (ours, or with the columns of the paper's release), a folder of runs, or the folder of a
    report, whose `tables/runs.csv` is read. What a table leaves open is taken from the runs beside it where all
    agree: the effort, where the column is missing, of the same agent and model; the dataset's hash, the sandbox and
    the access, where they are empty, on the same dataset. What was taken is a note.

    Args:
        sources: files and folders.
        facts: what is known of tasks; default what the installed suites say.
        progress: told a source's name, what of it is read and how much there is.

    Raises:
        InputError: a source cannot be read or is no table of runs, the same run id stands for two
            different runs, a task's family is unknown or told twice differently, or there is no run.
    """
    if not sources:
        raise InputError("no runs were named", remedy="name a runs CSV or a folder of runs")
    tasks = installed_tasks()
    reader = _Reader(tasks, facts_of(tasks) if facts is None else facts, progress)
    for path in sources:
        reader.read(path)
    runs = _completed(reader)
    if not runs:
        raise _nothing(sources, reader)
    _require_one_family(reader, runs)
    _note_versions(reader, runs)
    reader.notes.extend(doubtful_trials(runs))
    reader.notes.extend(doubtful_names(runs))
    reader.notes.extend(_notes_on_baselines(runs))
    runs.sort(key=lambda run: (run.cell, run.trial, run.run_id))
    return RunTable(tuple(runs), reader.names, tuple(reader.notes))


def named_source(text: str) -> Path:
    """Return the source that a text names; an empty one would name the current folder.

    Raises:
        InputError: the text is empty.
    """
    if not text.strip():
        remedy = "name a runs CSV or a folder of runs"
        raise InputError("a source of runs has an empty name", remedy=remedy)
    return Path(text)


def _nothing(sources: Sequence[Path], reader: "_Reader") -> InputError:
    """Return the error of sources without a run, with what was left out where something was."""
    for path, words in reader.left_out.items():
        remedy = "m4bench report RESULTS --out DIR tells of each"
        return InputError(f"holds no run that can be counted: {words}", file=path, remedy=remedy)
    return InputError("holds no run", file=sources[0], remedy="name a table with one row a run")


@dataclass
class _Reader:
    """What has been read so far."""

    tasks: Mapping[str, Task]
    facts: Mapping[str, TaskFacts]
    progress: Progress | None
    runs: dict[str, tuple[RunRow, int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    places: dict[str, Path] = field(default_factory=dict)
    without_effort: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    left_out: dict[Path, str] = field(default_factory=dict)

    def read(self, path: Path) -> None:
        """Read one source."""
        if path.is_dir() and (path / REPORTED).is_file():
            self._file(path / REPORTED, f"{path.resolve().name}/{REPORTED}")
        elif path.is_dir():
            self._folder(path)
        elif path.is_file():
            self._file(path, path.name)
        else:
            problem = "is not a regular file" if path.exists() else "is not there"
            raise InputError(problem, file=path, remedy="name a runs CSV or a folder of runs")

    def _file(self, path: Path, called: str) -> None:
        if path.suffix.lower() == ".toml":
            remedy = "a declared analysis is given with --analysis, and runs beside it"
            raise InputError("is TOML and no table of runs", file=path, remedy=remedy)
        try:
            digest = sha256_file(path)
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=path) from error
        name = self._name(called, digest, path)
        found = read_run_csv(path, self.facts, name, self.progress)
        if found.unknown:
            self.notes.append(f"{name}: columns without a meaning here: {', '.join(found.unknown)}")
        self.notes.extend(
            f"{name}: the {column} of {task} is told otherwise than its suite does, which is followed"
            for task, column in found.otherwise
        )
        self._add(name, found)

    def _folder(self, path: Path) -> None:
        if self.progress is not None:
            self.progress(path.resolve().name, 0, 1)
        results = read_results(path, self.tasks)
        identities = sorted((run.run_id, run.identity) for run in results.runs)
        name = self._name(path.resolve().name, sha256_record(identities), path)
        if results.findings:
            self.notes.append(
                f"{name}: {_counted(len(results.findings), 'folder')} left out, whose record does not hold"
            )
            left_out = (
                f"{_counted(len(results.findings), 'folder')} left out, the first: "
                f"{shortened(results.findings[0].problem)}"
            )
            self.left_out.setdefault(path, left_out)
        known = [run for run in results.runs if run.cell.task in self.facts]
        strangers = Counter(
            run.cell.task for run in results.runs if run.cell.task not in self.facts
        )
        for task, count in sorted(strangers.items()):
            left_out = (
                f"{_counted(count, 'run')} of {task} left out: "
                "no installed suite has the task, so that its family is unknown"
            )
            self.left_out.setdefault(path, left_out)
            self.notes.append(f"{name}: {left_out}")
        if known:
            text = csv_text(run_rows(known, self.tasks))
            self._add(name, text_rows(text, self.facts, name, path))

    def _name(self, called: str, digest: str, path: Path) -> str:
        """Return the name a source has in the table; one that is read twice keeps its name."""
        called = as_meant(called)
        name, number = called, 1
        while self.names.get(name, digest) != digest:
            number += 1
            name = f"{called} ({number})"
        self.names[name] = digest
        self.places[name] = path
        return name

    def _add(self, name: str, found: FileRows) -> None:
        if EFFORT not in found.header:
            self.without_effort.add(name)
        again = 0
        for run, line in zip(found.runs, found.lines, strict=True):
            former = self.runs.setdefault(run.run_id, (run, line))
            if former[0] is run:
                continue
            if replace(former[0], source=name) != run:
                where = f"row {former[1]} of {former[0].source}"
                raise InputError(
                    f"is the id of another run in {where}",
                    file=self.places[name],
                    row=line,
                    column="run_id",
                    remedy="leave out one of the two",
                )
            again += 1
        if again:
            self.notes.append(f"{name}: {_counted(again, 'run')} read before, counted once")


class Gap(NamedTuple):
    """A value that a table may leave open.

    `open`: whether a run's is; `value`: what a run has; `alike`: what runs have in common of which it is taken;
    `closed`: the run with the value.
    """

    column: str
    open: Callable[[RunRow], bool]
    value: Callable[[RunRow], str]
    alike: Callable[[RunRow], tuple[str, ...]]
    closed: Callable[[RunRow, str], RunRow]


def _gaps(without_effort: Container[str]) -> tuple[Gap, ...]:
    """Return what may be open: an empty effort is one that was not asked for, unless the whole column is missing."""
    effort = Gap(
        EFFORT,
        lambda run: run.source in without_effort,
        lambda run: run.system.effort,
        lambda run: run.system[:2],
        lambda run, value: replace(run, system=run.system._replace(effort=value)),
    )
    return (effort, *(_gap_of_setting(column) for column in ("dataset_hash", "sandbox", "access")))


def _gap_of_setting(column: str) -> Gap:
    def value(run: RunRow) -> str:
        return str(getattr(run.setting, column))

    return Gap(
        column,
        lambda run: not value(run),
        value,
        lambda run: (run.setting.dataset,),
        lambda run, found: replace(run, setting=run.setting._replace(**{column: found})),
    )


def _completed(reader: _Reader) -> list[RunRow]:
    """Return the runs with what their table leaves open taken from the runs beside them."""
    runs = [run for run, _ in reader.runs.values()]
    for gap in _gaps(reader.without_effort):
        runs = _filled(runs, gap, reader.notes)
    return runs


def _filled(runs: list[RunRow], gap: Gap, notes: list[str]) -> list[RunRow]:
    """Return the runs with one gap filled where the runs that tell the value agree."""
    told: dict[tuple[str, ...], set[str]] = {}
    for run in runs:
        if not gap.open(run):
            told.setdefault(gap.alike(run), set()).add(gap.value(run))
    taken: Counter[tuple[str, tuple[str, ...], str]] = Counter()
    filled = []
    for run in runs:
        known = told.get(gap.alike(run), set()) if gap.open(run) else set()
        if len(known) == 1 and (only := next(iter(known))):
            taken[run.source, gap.alike(run), only] += 1
            filled.append(gap.closed(run, only))
        else:
            filled.append(run)
    notes.extend(
        f"{source}: {gap.column} is not told; {_counted(count, 'run')} of {' · '.join(whose)} taken as {only}, "
        "as all others of the same"
        for (source, whose, only), count in sorted(taken.items())
    )
    return filled


def _require_one_family(reader: _Reader, runs: Iterable[RunRow]) -> None:
    """Refuse a task of two families or modes."""
    first: dict[str, RunRow] = {}
    for run in runs:
        former = first.setdefault(run.task, run)
        for column in ("family", "mode"):
            if getattr(former, column) != getattr(run, column):
                raise InputError(
                    f"tells two of the task {run.task}",
                    file=reader.places[run.source],
                    row=reader.runs[run.run_id][1],
                    column=column,
                    remedy=f"give all its runs the same {column}",
                )


def _notes_on_baselines(runs: Sequence[RunRow]) -> list[str]:
    """Name the baselines beside agents: they stand aside, whatever a table says of publishing them."""
    found = sorted({run.system.agent for run in runs if run.is_baseline})
    if not found or all(run.is_baseline for run in runs):
        return []
    return [
        f"baselines are no measured agents and stand aside where no agent is named: {', '.join(found)}"
    ]


def _note_versions(reader: _Reader, runs: Iterable[RunRow]) -> None:
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(run.task, set()).add(run.task_version or NONE_TOLD)
    for task, found in sorted(versions.items()):
        if len(found) > 1:
            told = ", ".join(sorted(found))
            note = f"{task}: runs of several versions of the task are kept apart, each a task of its own ({told})"
            if NONE_TOLD in found:
                note += "; where they are of one version, write it in the column task_version"
            reader.notes.append(note)


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
