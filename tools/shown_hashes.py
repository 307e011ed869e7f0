# SPDX-License-Identifier: MIT
"""Records by hash what each task shows an agent under each condition, so that no text changes unnoticed.

Usage: python tools/shown_hashes.py [--check]

Writes `tests/suites/derivation/tasks/shown.json`: a task's interface version and, for each condition, the hash
that the record of a run keeps as `materials`. With --check nothing is written: exit 2 with one line a task
whose texts are not those that were recorded for its interface version.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from m4bench.harness.agents.agent import SKILL_FOLDERS
from m4bench.harness.workspace.given import given_files, materials_hash
from m4bench.model.files import write_text
from m4bench.model.task import Convention, Task
from m4bench.suites.derivation.tasks.cards import AVAILABLE_SCHEMAS, CONDITIONS, load_tasks
from m4bench.suites.derivation.tasks.materials import materials
from m4bench.suites.derivation.tasks.roots import OWN

ROOT = Path(__file__).parent.parent
SHOWN = ROOT / "tests" / "suites" / "derivation" / "tasks" / "shown.json"
BY_CONVENTION = "with-skill-rawsql"
Shown = dict[str, dict[str, Any]]


def hash_of(task: Task, condition: str, schema: str, convention: Convention) -> str:
    """Return the hash of what an agent that looks for skills in the usual folders is given."""
    shown = materials(task, condition, schema, convention, OWN)
    given = given_files(shown.skills, shown.programs, SKILL_FOLDERS)
    return materials_hash(shown.instruction, given)


def shown_by(task: Task) -> dict[str, Any]:
    """Return a task's interface version and its hashes by condition, presentation and, where it matters, convention."""
    hashes: dict[str, str] = {}
    for schema in AVAILABLE_SCHEMAS:
        for condition in CONDITIONS:
            conventions = get_args(Convention) if condition == BY_CONVENTION else ("published",)
            for convention in conventions:
                words = [condition, *([] if schema == "native" else [schema])]
                words += [] if convention == "published" else [convention]
                hashes[" ".join(words)] = hash_of(task, condition, schema, convention)
    return {"interface": task.version.interface, "shown": hashes}


def differences(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line a task that is not as recorded, with what to do."""
    for name in sorted({*recorded, *now}):
        if name not in now:
            yield f"{name} is recorded and no task any more: run make shown"
        elif name not in recorded:
            yield f"{name} is not recorded: run make shown"
        elif recorded[name]["interface"] != now[name]["interface"]:
            yield (
                f"{name} has the interface version {now[name]['interface']} and is recorded under "
                f"{recorded[name]['interface']}: run make shown"
            )
        elif recorded[name]["shown"] != now[name]["shown"]:
            before, after = recorded[name]["shown"], now[name]["shown"]
            changed = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
            yield (
                f"{name} shows other texts than were recorded for its interface version "
                f"{now[name]['interface']} ({', '.join(changed)}): raise version.interface in its task.toml "
                "and run make shown; before a first release make shown alone will do"
            )


def main() -> int:
    """Write the record, or hold the texts to it; return 2 when they differ."""
    parser = argparse.ArgumentParser(description="Record by hash what tasks show.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--file", type=Path, default=SHOWN)
    given = parser.parse_args()
    now = {task.name: shown_by(task) for task in load_tasks(OWN).values()}
    if not given.check:
        write_text(given.file, json.dumps(now, indent=1, sort_keys=True) + "\n")
        return 0
    if not given.file.is_file():
        print(f"{given.file.name}: nothing is recorded: run make shown", file=sys.stderr)
        return 2
    problems = list(differences(json.loads(given.file.read_text(encoding="utf-8")), now))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
