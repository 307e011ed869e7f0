# SPDX-License-Identifier: MIT
"""From runs CSVs and folders of runs to one table of runs. Knows no comparison and no statistic."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from m4bench.analysis.run_csv import csv_text, run_rows
from m4bench.analysis.run_table_file import FileRows, Progress, read_run_csv, text_rows
from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.task_facts import TaskFacts, facts_of, installed_tasks
from m4bench.harness.finished.results import read_results
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.task import Task

REPORTED = Path("tables", "runs.csv")


def read_run_table(
    sources: Sequence[Path],
    facts: Mapping[str, TaskFacts] | None = None,
    progress: Progress | None = None,
) -> RunTable:
    """Read runs from files and folders into one table, each run id once.

    A source is a runs CSV (ours, or with the columns of the paper's release), a folder of runs, or the folder of a
    report, whose `tables/runs.csv` is read. What a file without the column leaves open (effort, hash of the
    dataset, sandbox) is taken from the runs beside it where all of the same agent and model, or of the same
    dataset, agree; what was taken is a note.

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
        raise InputError("holds no run", file=sources[0], remedy="name a table with one row a run")
    _require_one_family(reader, runs)
    _note_versions(reader, runs)
    runs.sort(key=lambda run: (run.cell, run.trial, run.run_id))
    return RunTable(tuple(runs), reader.names, tuple(reader.notes))


@dataclass
class _Reader:
    """What has been read so far."""

    tasks: Mapping[str, Task]
    facts: Mapping[str, TaskFacts]
    progress: Progress | None
    runs: dict[str, tuple[RunRow, int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    places: dict[str, Path] = field(default_factory=dict)
    absent: dict[str, frozenset[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def read(self, path: Path) -> None:
        """Read one source."""
        if path.is_dir() and (path / REPORTED).is_file():
            self._file(path / REPORTED, f"{path.resolve().name}/{REPORTED}")
        elif path.is_dir():
            self._folder(path)
        elif path.exists():
            self._file(path, path.name)
        else:
            remedy = "name a runs CSV or a folder of runs"
            raise InputError("is not there", file=path, remedy=remedy)

    def _file(self, path: Path, called: str) -> None:
        name = self._name(called, sha256_file(path) if path.is_file() else "", path)
        found = read_run_csv(path, self.facts, name, self.progress)
        if found.unknown:
            self.notes.append(f"{name}: columns without a meaning here: {', '.join(found.unknown)}")
        self._add(name, found)

    def _folder(self, path: Path) -> None:
        results = read_results(path, self.tasks)
        identities = sorted((run.run_id, run.identity) for run in results.runs)
        name = self._name(path.resolve().name, sha256_record(identities), path)
        if results.findings:
            self.notes.append(
                f"{name}: {_counted(len(results.findings), 'folder')} left out, whose record does not hold"
            )
        known = [run for run in results.runs if run.cell.task in self.facts]
        strangers = Counter(
            run.cell.task for run in results.runs if run.cell.task not in self.facts
        )
        for task, count in sorted(strangers.items()):
            self.notes.append(
                f"{name}: {_counted(count, 'run')} of {task} left out: "
                "no installed suite has the task, so that its family is unknown"
            )
        if known:
            text = csv_text(run_rows(known, self.tasks))
            self._add(name, text_rows(text, self.facts, name, path))
        if self.progress is not None:
            self.progress(name, 1, 1)

    def _name(self, called: str, digest: str, path: Path) -> str:
        """Return the name a source has in the table; one that is read twice keeps its name."""
        name, number = called, 1
        while self.names.get(name, digest) != digest:
            number += 1
            name = f"{called} ({number})"
        self.names[name] = digest
        self.places[name] = path
        return name

    def _add(self, name: str, found: FileRows) -> None:
        self.absent[name] = frozenset(_OPEN) - frozenset(found.header.names)
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


_OPEN = ("reasoning_effort", "dataset_hash", "sandbox")


def _completed(reader: _Reader) -> list[RunRow]:
    """Return the runs with what their file leaves open taken from the runs beside them."""
    runs = [run for run, _ in reader.runs.values()]
    for column, same, value, completed in (
        ("reasoning_effort", _agent_and_model, _effort, _with_effort),
        ("dataset_hash", _dataset, _hash, _with_hash),
        ("sandbox", _dataset, _sandbox, _with_sandbox),
    ):
        runs = _filled(reader, runs, column, same, value, completed)
    return runs


def _filled(
    reader: _Reader,
    runs: list[RunRow],
    column: str,
    same: Callable[[RunRow], tuple[str, ...]],
    value: Callable[[RunRow], str],
    completed: Callable[[RunRow, str], RunRow],
) -> list[RunRow]:
    """Return the runs with one open column filled where the runs that tell it agree."""
    lacking = {name for name, columns in reader.absent.items() if column in columns}
    told: dict[tuple[str, ...], set[str]] = {}
    for run in runs:
        if run.source not in lacking:
            told.setdefault(same(run), set()).add(value(run))
    taken: Counter[tuple[str, tuple[str, ...], str]] = Counter()
    filled = []
    for run in runs:
        known = told.get(same(run), set()) if run.source in lacking else set()
        if len(known) == 1 and (only := next(iter(known))):
            taken[run.source, same(run), only] += 1
            filled.append(completed(run, only))
        else:
            filled.append(run)
    for (source, whose, only), count in sorted(taken.items()):
        reader.notes.append(
            f"{source}: has no column {column}; {_counted(count, 'run')} of {' · '.join(whose)} taken as "
            f"{only}, as all others of the same"
        )
    return filled


def _agent_and_model(run: RunRow) -> tuple[str, ...]:
    return (run.system.agent, run.system.model)


def _dataset(run: RunRow) -> tuple[str, ...]:
    return (run.setting.dataset,)


def _effort(run: RunRow) -> str:
    return run.system.effort


def _hash(run: RunRow) -> str:
    return run.setting.dataset_hash


def _sandbox(run: RunRow) -> str:
    return run.setting.sandbox


def _with_effort(run: RunRow, effort: str) -> RunRow:
    return replace(run, system=run.system._replace(effort=effort))


def _with_hash(run: RunRow, digest: str) -> RunRow:
    return replace(run, setting=run.setting._replace(dataset_hash=digest))


def _with_sandbox(run: RunRow, sandbox: str) -> RunRow:
    return replace(run, setting=run.setting._replace(sandbox=sandbox))


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


def _note_versions(reader: _Reader, runs: Iterable[RunRow]) -> None:
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(run.task, set()).add(run.task_version or "none told")
    for task, found in sorted(versions.items()):
        if len(found) > 1:
            reader.notes.append(
                f"{task}: runs of several versions of the task are taken together ({', '.join(sorted(found))})"
            )


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
