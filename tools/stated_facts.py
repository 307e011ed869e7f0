# SPDX-License-Identifier: MIT
"""Records what each sentence of our skills states and says, so that `m4bench skills lint` finds one that changed.

Usage: python tools/stated_facts.py

Writes `stated.json` into the folder of each family. Run it (`make stated`) after a skill or a derivation has changed on
purpose, and only after every sentence that the lint names was read against the SQL: the record takes whatever stands
there, true or false.
"""

from m4bench.model.files import write_text
from m4bench.suites.derivation.specifications.library_facts import comparison_of
from m4bench.suites.derivation.specifications.skill import read_skill
from m4bench.suites.derivation.specifications.skill_lint import tasks_of_skill
from m4bench.suites.derivation.specifications.stated_record import (
    RECORD,
    record_text,
    recorded,
    sentences,
)
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks


def main() -> None:
    """Write the record of every family."""
    for family in sorted({task.family for task in load_tasks(TASKS_ROOT).values()}):
        found = {
            folder.name: recorded(
                read_skill(folder), comparison_of(tasks_of_skill(folder.name, folder))
            )
            for folder in sorted((TASKS_ROOT / family / "skills").iterdir())
        }
        write_text(TASKS_ROOT / family / RECORD, record_text(found))
        print(f"{family}: {sum(len(sentences(one)) for one in found.values())} sentences")


if __name__ == "__main__":
    main()
