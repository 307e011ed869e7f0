# SPDX-License-Identifier: MIT
"""Checks an answer before it is handed in: form, keys, and what the card states. Knows no right answer.

    ./check output.csv [--database database.duckdb] [--json]

One line a check, problems first: `problem` has to be put right, `look` may be meant, `left out` could not be
checked, `ok` holds. Whether the values are right is not checked. Exit 0: ready to hand in; 1: problems; 2: the
file cannot be read. Reads the answer and the database beside it, opens the database read-only, writes nothing.
Needs Python and its duckdb package.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.answer import Answer, Finding, counted
from m4bench.suites.derivation.checks.program.cells import check_cells, check_header
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
HERE = Path(__file__).resolve().parent
ORDER = ("problem", "look", "left out", "ok")


def examined(path: Path, database: Path) -> tuple[list[Finding], str, int]:
    """Return what was found, whether places are lines or rows, and the exit code."""
    try:
        answer = Answer(DECLARED, open_answer(path))
        if len(answer.form.header) > 10_000:
            raise UnreadableError("it has more than 10,000 columns", "look at how it was written")
        check_header(answer)
        answer.open()
        check_cells(answer)
        keep(answer)
        check_keys(answer)
        check_sequences(answer)
        check_intervals(answer)
        check_database(answer, database)
    except UnreadableError as refusal:
        return (
            [Finding("file", "problem", f"{path.name}: {refusal.says}", refusal.remedy)],
            "line",
            2,
        )
    except duckdb.Error as error:
        says = f"{path.name} is not CSV these checks can read ({type(error).__name__})"
        return [*answer.findings, Finding("file", "problem", says, WRITE_PLAINLY)], "line", 2
    findings = sorted(answer.findings, key=lambda finding: ORDER.index(finding.state))
    return findings, answer.unit, int(any(finding.state == "problem" for finding in findings))


def verdict(findings: list[Finding]) -> str:
    """Return the last line."""
    problems = sum(finding.state == "problem" for finding in findings)
    if problems:
        return f"verdict: {counted(problems, 'problem')}"
    partly = any(finding.state == "left out" for finding in findings)
    return "verdict: ready to hand in" + (", as far as could be checked" if partly else "")


def shown(finding: Finding, unit: str) -> str:
    """Return a finding as the lines that tell it."""
    told = f"{finding.state:8} {finding.says}"
    if finding.places:
        values = finding.values or [""] * len(finding.places)
        places = [
            f"{p}: {v}" if v and v != "None" else f"{p}"
            for p, v in zip(finding.places, values, strict=True)
        ]
        told += f" ({unit} {', '.join(places)}{', …' if finding.count > len(places) else ''})"
    return told + (
        f"\n         → {finding.remedy}" if finding.remedy and finding.state != "ok" else ""
    )


def main(arguments: list[str] | None = None) -> int:
    """Check an answer and tell what was found; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="check", description=f"Checks an answer to: {DECLARED['title']}"
    )
    parser.add_argument(
        "answer", nargs="?", default=DECLARED["deliverable"], help="the file to be handed in"
    )
    parser.add_argument(
        "--database", help="the database it is checked against; default: the one beside it"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of lines"
    )
    given = parser.parse_args(arguments)
    path = Path(given.answer)
    if not path.exists() and not path.is_absolute() and (HERE / path).exists():
        path = HERE / path
    beside = path.absolute().parent / DECLARED["database"]
    database = (
        Path(given.database)
        if given.database
        else beside
        if beside.exists()
        else HERE / DECLARED["database"]
    )
    findings, unit, code = examined(path, database)
    if given.json:
        told: dict[str, Any] = {
            "task": DECLARED["task"],
            "ready": code == 0,
            "verdict": verdict(findings),
        }
        told["checks"] = [{**vars(finding), "unit": unit} for finding in findings]
        sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    else:
        lines = [shown(finding, unit) for finding in findings]
        sys.stdout.write("\n".join([*lines, verdict(findings)]) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
