# SPDX-License-Identifier: MIT
"""Checks an answer before it is handed in: form, keys, and what the card states. Knows no right answer.

    ./check output.csv [--database database.duckdb] [--json]

One line a check, problems first: `problem` has to be put right, `look` may be meant, `left out` could not be
checked, `not tested` names a rule that no row could try, `ok` holds. Whether the values are right is not checked.
Exit 0: ready to hand in; 1: problems; 2: the file cannot be read. Reads the answer and the database beside it,
opens the database read-only, writes nothing. Needs Python and its duckdb package.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.answer import MEMORY, Answer, Finding, counted
from m4bench.suites.derivation.checks.program.cells import (
    NOT_TESTED,
    check_cells,
    check_form,
    check_header,
)
from m4bench.suites.derivation.checks.program.form import (
    WRITE_PLAINLY,
    UnreadableError,
    open_answer,
)
from m4bench.suites.derivation.checks.program.records import (
    check_database,
    check_intervals,
    check_keys,
    check_sequences,
    keep,
)

DECLARED: dict[str, Any] = {}
WIDTH = len(NOT_TESTED)
HERE = Path(__file__).resolve().parent
ORDER = ("problem", "look", "left out", NOT_TESTED, "ok")


def examined(path: Path, database: Path) -> tuple[list[Finding], str, int]:
    """Return what was found, whether places are lines or rows, and the exit code."""
    try:
        form = open_answer(path)
    except UnreadableError as refusal:
        says = f"{path.name}: {refusal.says}"
        return [Finding("file", "problem", says, refusal.remedy)], "line", 2
    answer, code = Answer(DECLARED, form), 1
    try:
        check_form(answer)
        check_header(answer)
        if answer.open():
            check_cells(answer)
            keep(answer)
            check_keys(answer)
            check_sequences(answer)
            check_intervals(answer)
            check_database(answer, database)
    except duckdb.OutOfMemoryException:
        answer.add("file", "left out", f"the other checks: they would take more than {MEMORY}")
    except duckdb.Error as error:
        says = f"{path.name} is not CSV these checks can read ({type(error).__name__})"
        answer.add("file", "problem", says, WRITE_PLAINLY)
        code = 2
    findings = sorted(answer.findings, key=lambda finding: ORDER.index(finding.state))
    ready = all(finding.state != "problem" for finding in findings)
    return findings, answer.unit, 0 if ready else code


def verdict(findings: list[Finding]) -> str:
    """Return the last line."""
    states = [finding.state for finding in findings]
    untested = states.count(NOT_TESTED)
    further = f"; {counted(untested, 'rule')} {NOT_TESTED}" if untested else ""
    if problems := states.count("problem"):
        return f"verdict: {counted(problems, 'problem')}{further}"
    partly = ", as far as could be checked" if "left out" in states else ""
    return f"verdict: ready to hand in{partly}{further}"


def shown(finding: Finding, unit: str) -> str:
    """Return a finding as the lines that tell it."""
    told = f"{finding.state:{WIDTH}} {finding.says}"
    if finding.places:
        values = finding.values or [""] * len(finding.places)
        places = [f"{p}: {v}" if v else f"{p}" for p, v in zip(finding.places, values, strict=True)]
        told += f" ({unit} {', '.join(places)}{', …' if finding.count > len(places) else ''})"
    if finding.remedy and finding.state != "ok":
        told += f"\n{' ' * WIDTH} → {finding.remedy}"
    return told


def main(arguments: list[str] | None = None) -> int:
    """Check an answer and tell what was found; return the exit code."""
    parser = argparse.ArgumentParser(prog="check", description=f"Checks: {DECLARED['title']}")
    deliverable, beside_it = DECLARED["deliverable"], DECLARED["database"]
    parser.add_argument("answer", nargs="?", default=deliverable, help="default: %(default)s")
    parser.add_argument("--database", help=f"default: {beside_it} beside the answer")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    path = _found(Path(given.answer), HERE)
    database = Path(given.database or _found(path.absolute().parent / beside_it, HERE))
    findings, unit, code = examined(path, database)
    told: dict[str, Any] = {"task": DECLARED["task"], "ready": code == 0}
    told |= {"verdict": verdict(findings), "unit": unit, "checks": [vars(f) for f in findings]}
    lines = [*(shown(finding, unit) for finding in findings), verdict(findings)]
    text = json.dumps(told, indent=1, ensure_ascii=False) if given.json else "\n".join(lines)
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return code


def _found(path: Path, folder: Path) -> Path:
    """Return a path, or the file of its name in the folder when only that one is there."""
    other = folder / path.name
    return other if not path.exists() and other.exists() else path


if __name__ == "__main__":
    sys.exit(main())
