# SPDX-License-Identifier: MIT
"""Records what each sentence of our skills states, so that `m4bench skills lint` finds one that loses a fact.

Usage: python tools/stated_facts.py

Writes `stated.json` into the folder of each family. Run it (`make stated`) after a skill or a derivation has changed on
purpose, and look at the difference: a sentence that is gone or new stands there by its first words.
"""

import json

from m4bench.model.files import write_text
from m4bench.suites.derivation.specifications.library_facts import comparison_of
from m4bench.suites.derivation.specifications.skill import read_skill
from m4bench.suites.derivation.specifications.skill_lint import statements_of
from m4bench.suites.derivation.specifications.stated_record import RECORD, stated
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks


def main() -> None:
    """Write the record of every family."""
    tasks = load_tasks(TASKS_ROOT)
    for family in sorted({task.family for task in tasks.values()}):
        comparison = comparison_of([task for task in tasks.values() if task.family == family])
        found = {
            folder.name: stated(statements_of(read_skill(folder)), comparison)
            for folder in sorted((TASKS_ROOT / family / "skills").iterdir())
        }
        lines = ",\n".join(
            f"{json.dumps(name)}: [\n"
            + ",\n".join(json.dumps(list(one), ensure_ascii=False) for one in rows)
            + "\n]"
            for name, rows in found.items()
        )
        write_text(TASKS_ROOT / family / RECORD, f"{{\n{lines}\n}}\n")
        print(f"{family}: {sum(map(len, found.values()))} sentences")


if __name__ == "__main__":
    main()
