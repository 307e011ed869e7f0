# SPDX-License-Identifier: MIT
"""Reading a results folder: every run that can be read, and what could not. Knows no page or table."""

from dataclasses import dataclass
from pathlib import Path

from m4bench.harness.run_folder import FAILED, RECORD
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.run import RUN_FORMAT, RunRecord

INSTRUCTION = "instruction.md"


@dataclass(frozen=True)
class Finding:
    """A folder that should hold a run and cannot be counted; `problem` says why in one line."""

    folder: str
    problem: str


@dataclass(frozen=True)
class Results:
    """What a results folder holds.

    `runs` are ordered by run id, each id once; an attempt that the infrastructure failed stands for its
    run until there is a better one. `unfinished` counts folders of runs that never ended, which are no
    runs, `repeated` attempts that the infrastructure failed and that another has replaced.
    """

    runs: tuple[RunRecord, ...]
    findings: tuple[Finding, ...]
    unfinished: int
    repeated: int = 0


def read_results(results: Path) -> Results:
    """Read all run folders directly below `results`; the folders are the truth, no index is used.

    Raises:
        InputError: the folder is missing, is itself one run, or holds neither a run nor a finding.
    """
    if not results.is_dir():
        raise InputError("is not a folder", file=results, remedy="name a folder of results")
    if (results / RECORD).is_file():
        raise InputError(
            "is the folder of one run", file=results, remedy="name the folder above it"
        )
    findings: list[Finding] = []
    runs: dict[str, RunRecord] = {}
    for folder, record in _records(results, findings):
        if record.run_id in runs:
            findings.append(Finding(folder, f"repeats the run {record.run_id}; counted once"))
        else:
            runs[record.run_id] = record
    lost: dict[str, RunRecord] = {}
    attempts = _records(results / FAILED, findings)
    for _, record in sorted(attempts, key=lambda attempt: attempt[1].started):
        lost[record.run_id] = record
    every = lost | runs
    if not every and not findings:
        raise InputError("holds no finished run", file=results, remedy="make one with: m4bench run")
    return Results(
        tuple(every[run_id] for run_id in sorted(every)),
        tuple(findings),
        unfinished=sum(1 for _ in results.glob(f"{PARTIAL_PREFIX}*")),
        repeated=len(attempts) - len(lost.keys() - runs.keys()),
    )


def _records(parent: Path, findings: list[Finding]) -> list[tuple[str, RunRecord]]:
    """Return the records of the folders below `parent` by folder name; what cannot be read is a finding."""
    found = []
    for folder in sorted(parent.iterdir()) if parent.is_dir() else ():
        if folder.name.startswith(".") or not _looks_like_a_run(folder):
            continue
        try:
            found.append((folder.name, _read(folder)))
        except InputError as error:
            findings.append(Finding(folder.name, _without_file(error)))
    return found


def read_runs(results: Path) -> list[RunRecord]:
    """Return the runs of a results folder that can be read, ordered by run id.

    Raises:
        InputError: the folder is missing, is itself one run, or holds neither a run nor a finding.
    """
    return list(read_results(results).runs)


def _looks_like_a_run(folder: Path) -> bool:
    return folder.is_dir() and any((folder / name).exists() for name in (RECORD, INSTRUCTION))


def _read(folder: Path) -> RunRecord:
    record = RunRecord.read(folder / RECORD)
    if record.format_version > RUN_FORMAT:
        raise InputError(
            f"is of format {record.format_version}, this version reads up to {RUN_FORMAT}",
            remedy="read it with the version of m4bench that wrote it",
        )
    return record


def _without_file(error: InputError) -> str:
    """Return the error's words without the path, which is not for a page that travels."""
    place = f"{error.column}: " if error.column else ""
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{RECORD}: {place}{error.problem}{remedy}"
