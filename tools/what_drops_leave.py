# SPDX-License-Identifier: MIT
"""Write the table of what published drops leave of each standard task's target into docs/explanation/drops.md.

Usage: python tools/what_drops_leave.py STORE [--dataset mimic-iv-demo] [--page docs/explanation/drops.md] [--check]

The dataset's concepts and references must have been built. Names of relations and columns and shares of equal
rows are written, never a value. `--check` writes nothing and exits 1 when the page would change.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from m4bench.data.store import Store
from m4bench.model.task import ScoringRules, Task, TaskVersion
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.plan import Stage, open_stage
from m4bench.suites.derivation.schemas.answers import Answer, answers
from m4bench.suites.derivation.schemas.databases import shown_files
from m4bench.suites.derivation.schemas.remnants import Remnant, what_is_left
from m4bench.suites.derivation.schemas.verify import by_lineage, by_rows

BEGIN, END = "<!-- table: tools/what_drops_leave.py -->", "<!-- end of table -->"
IDENTIFIERS = {"subject_id", "hadm_id", "stay_id"}


def standard_task(reference: str, answer: Answer) -> Task:
    """The standard task of a reference, all columns but key and identifiers scored."""
    header = library().references[reference].header
    key = header.key or ()
    scored = tuple(c.name for c in header.columns if c.name not in {*key, *IDENTIFIERS})
    return Task(
        name=reference,
        suite="derivation",
        family=reference,
        title=header.title,
        mode="standard",
        site="mimic-iv",
        difficulty="medium",
        grain=header.grain,
        reference=reference,
        version=TaskVersion(scoring=1, interface=1),
        drops=answer.drops(),
        scoring=ScoringRules(
            key=key, values=scored, scored=scored, required=scored, row_coverage=1.0, accuracy=1.0
        ),
    )


def row(remnant: Remnant) -> str:
    """One line of the table."""
    ways = Counter(remnant.lineage.values())
    carried = [f"`{c}`" for c, way in remnant.lineage.items() if way == "carries"]
    by_descent = [f"is carried as {', '.join(carried)}"] if carried else []
    by_descent += [
        f"{said} in {ways[way]} column{'s' if ways[way] > 1 else ''}"
        for way, said in (("derives", "enters"), ("governs", "governs"))
        if ways[way]
    ]
    if remnant.stated:
        by_descent = [f"none; stated as a {remnant.stated}"]
    equal = [f"`{m.column}` = `{m.target}`, {m.agreement:.1%} of {m.rows:,}" for m in remnant.equal]
    name = remnant.relation.removeprefix(f"{DERIVED_SCHEMA}.")
    return f"| {remnant.task} | `{name}` | {'; '.join(by_descent)} | {'; '.join(equal) or 'none'} |"


def table(stage: Stage) -> str:
    """The table of all standard tasks."""
    lines = [
        "| reference | relation left | the target by descent | columns equal to a scored one, share of joined rows |",
        "|---|---|---|---|",
    ]
    nothing = []
    for reference, answer in answers().items():
        if not answer.published:
            continue
        task = standard_task(reference, answer)
        strict, _ = shown_files(library(), stage, task, "strict")
        found = [f"{f.relation}.{f.column}" for f in by_lineage(library(), task, "strict", strict)]
        found += [m.as_given() for m in by_rows(library(), stage, task, strict, EngineLimits())]
        if found:
            sys.exit(f"{reference}: strict drops leave {', '.join(found)}")
        left = what_is_left(library(), stage, task, "published")
        lines += [row(remnant) for remnant in left]
        if not left:
            nothing.append(reference)
    text = "\n".join(lines)
    return f"{text}\n\nNothing is left of {', '.join(nothing[:-1])} and {nothing[-1]}."


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--dataset", default="mimic-iv-demo")
    parser.add_argument("--page", type=Path, default=Path("docs/explanation/drops.md"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    page = options.page.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    made = table(open_stage(Store(options.store).dataset(options.dataset), "published"))
    text = f"{before}{BEGIN}\n{made}\n{END}{after}"
    if not options.check:
        options.page.write_text(text, encoding="utf-8")
    return int(options.check and text != page)


if __name__ == "__main__":
    sys.exit(main())
