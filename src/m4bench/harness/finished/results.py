# SPDX-License-Identifier: MIT
"""Reading a results folder: every run whose record holds, and what could not be counted. Knows no page or table."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from m4bench.harness.audit.publishability import as_baseline
from m4bench.harness.finished.evidence import departure, read_record
from m4bench.harness.finished.soundness import contradiction
from m4bench.harness.finished.states import COMPLETED, UNMEASURED, UNSCORED
from m4bench.harness.run_folder import FAILED, RECORD
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.legible import without_paths
from m4bench.model.run import RunRecord
from m4bench.model.task import Task

INSTRUCTION = "instruction.md"
# What the folder of attempts without a measurement was called before.
FAILED_ONCE = ".infrastructure"
DOES_NOT_HOLD = "record does not hold"


@dataclass(frozen=True)
class Finding:
    """A folder that should hold a run and cannot be counted; `problem` says why in one line."""

    folder: str
    problem: str


@dataclass(frozen=True)
class Results:
    """What a results folder holds.

    `runs` are ordered by run id, each id once; an attempt without a measurement stands for its
    run until there is a better one. `unfinished` counts folders of runs that never ended, which are no
    runs, `repeated` attempts without a measurement that another has replaced.
    """

    runs: tuple[RunRecord, ...]
    findings: tuple[Finding, ...]
    unfinished: int
    repeated: int = 0


def read_results(results: Path, tasks: Mapping[str, Task] | None = None) -> Results:
    """Read all run folders directly below `results`; the folders are the truth, no index is used.

    A record is believed only where it agrees with itself, with its folder's name and with the files
    beside it; what does not hold is a finding and no run. Paths of the machine are taken out of its texts.

    Args:
        results: the folder.
        tasks: tasks by name; of one that is here, the deliverable of a finished run must be recorded.

    Raises:
        InputError: the folder is missing, cannot be read, is itself one run, or holds neither a run
            nor a finding.
    """
    try:
        if not results.is_dir():
            problem = "is not a folder" if os.path.lexists(results) else "is not there"
            raise InputError(
                problem, file=results, remedy="name a folder of results, or a runs CSV"
            )
        if os.path.lexists(results / RECORD):
            raise InputError(
                "is the folder of one run", file=results, remedy="name the folder above it"
            )
        found = _found(results, tasks or {})
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", file=results, remedy="name a folder of results"
        ) from error
    if not found.runs and not found.findings:
        raise InputError("holds no finished run", file=results, remedy="make one with: m4bench run")
    return found


def _found(results: Path, tasks: Mapping[str, Task]) -> Results:
    findings: list[Finding] = []
    runs: dict[str, RunRecord] = {}
    for folder in _folders(results):
        record = _believed(folder, folder.name, tasks, findings)
        if record is not None:
            runs[record.run_id] = record
    attempts = []
    for folder in [one for name in (FAILED, FAILED_ONCE) for one in _folders(results / name)]:
        record = _believed(folder, folder.name.rpartition("__")[0], tasks, findings)
        if record is not None and record.outcome.state not in UNMEASURED:
            words = "lies among failed attempts and is none"
            findings.append(Finding(folder.name, f"{DOES_NOT_HOLD}: {words}"))
        elif record is not None:
            attempts.append(record)
    lost = {record.run_id: record for record in sorted(attempts, key=lambda run: run.started)}
    every = lost | runs
    return Results(
        tuple(every[run_id] for run_id in sorted(every)),
        tuple(findings),
        unfinished=sum(1 for _ in results.glob(f"{PARTIAL_PREFIX}*")),
        repeated=len(attempts) - len(lost.keys() - runs.keys()),
    )


def read_runs(results: Path) -> list[RunRecord]:
    """Return the runs of a results folder whose records hold, ordered by run id.

    Raises:
        InputError: as `read_results`.
    """
    return list(read_results(results).runs)


def _folders(parent: Path) -> list[Path]:
    """Return what should be run folders directly below a folder, by name."""
    if not parent.is_dir():
        return []
    return [
        folder
        for folder in sorted(parent.iterdir())
        if not folder.name.startswith(".")
        and folder.is_dir()
        and any(os.path.lexists(folder / name) for name in (RECORD, INSTRUCTION))
    ]


def _believed(
    folder: Path, name: str, tasks: Mapping[str, Task], findings: list[Finding]
) -> RunRecord | None:
    """Return the record of a run of that name, or None and one finding more."""
    try:
        record = read_record(folder)
    except InputError as error:
        findings.append(Finding(folder.name, _without_file(error)))
        return None
    words = (
        contradiction(record, name)
        or _missing_deliverable(record, tasks.get(record.cell.task))
        or departure(record.artefacts, folder)
    )
    if words is None:
        return _travelling(record)
    findings.append(Finding(folder.name, f"{DOES_NOT_HOLD}: {words}"))
    return None


def _travelling(record: RunRecord) -> RunRecord:
    """Return a record whose free texts name no place of the machine that ran it."""
    plain = without_paths
    outcome, judged, score, model = (
        record.outcome,
        record.publishability,
        record.score,
        record.model,
    )
    reasons = tuple(plain(reason) for reason in judged.reasons)
    return record.model_copy(
        update={
            "outcome": outcome.model_copy(
                update={"reason": outcome.reason and plain(outcome.reason)}
            ),
            "publishability": as_baseline(
                record.cell.agent, judged.model_copy(update={"reasons": reasons})
            ),
            # A server of one's own may answer under the path of its file.
            "model": model
            and model.model_copy(
                update={"models_answered": tuple(plain(name) for name in model.models_answered)}
            ),
            "score": score
            and score.model_copy(
                update={
                    "error": score.error and plain(score.error),
                    "notes": tuple(plain(note) for note in score.notes),
                }
            ),
        }
    )


def _missing_deliverable(record: RunRecord, task: Task | None) -> str | None:
    if task is None or record.outcome.state not in (COMPLETED, UNSCORED):
        return None
    recorded = {artefact.name for artefact in record.artefacts}
    return None if task.deliverable in recorded else "the output is not among the recorded files"


def _without_file(error: InputError) -> str:
    """Return the error's words without the path, which is not for a page that travels."""
    place = f"{error.column}: " if error.column else ""
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{RECORD}: {place}{error.problem}{remedy}"
