# SPDX-License-Identifier: MIT
"""Writes the parts of the families' pages that follow from tasks, headers, provenance and worked examples.

Usage: python tools/family_pages.py [--to docs/families]

A page is written by hand, `docs/families/<family>.md`; what stands between `<!-- written: PART -->` and
`<!-- end -->` is this script's: `tasks`, `conventions`, `example`, `validity`, `sources`. A test compares the pages
with what this script writes, so run it (`make pages`) after a change to tasks, headers, provenance or examples.
"""

import argparse
import csv
import re
import sys
from collections.abc import Callable
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parent))

from derivation_pages import cell, line

from m4bench.model.task import Task
from m4bench.suites.derivation.library.catalogue import Derivation, Library, library
from m4bench.suites.derivation.library.column_lineage import ColumnLineage
from m4bench.suites.derivation.specifications.completeness import task_completeness
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks
from m4bench.suites.derivation.tasks.provenance import provenance
from m4bench.suites.derivation.tasks.validity import reference_validity, validity

ROOT = Path(__file__).parent.parent
PART = re.compile(r"(<!-- written: (?P<part>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
FITTING_COLUMNS = 7
CONVENTIONS = {
    "expect": "published",
    "expect_current": "current",
    "expect_adjudicated": "adjudicated",
}


def families() -> dict[str, list[Task]]:
    """Return the suite's own tasks by family."""
    found: dict[str, list[Task]] = {}
    for task in load_tasks(TASKS_ROOT).values():
        found.setdefault(task.family, []).append(task)
    return found


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def tasks_part(family: str) -> str:
    """Return the table of a family's tasks, and what each is scored by."""
    rows = []
    for task in families()[family]:
        rules = task.scoring
        tolerances = sorted(set(rules.tolerances.values()))
        told = "exact" if not tolerances else " or ".join(f"{each:g}" for each in tolerances)
        if tolerances and len(rules.tolerances) < len(rules.scored):
            told += ", others exact"
        rows.append(
            [
                f"`{task.name}`",
                task.mode,
                task.difficulty,
                f"[{task.reference}](../reference/references/{task.reference}.md)",
                ", ".join(f"`{name}`" for name in rules.key),
                str(len(rules.scored)),
                told,
            ]
        )
    columns = ["task", "mode", "difficulty", "reference", "key", "columns scored", "tolerance"]
    decoys = []
    for task in families()[family]:
        found = task_completeness(task, "with-skill-decoy")["decoy"]
        stated = len(found.stated)
        decoys.append(
            [f"`{task.name}`", f"`{task.decoy}`", f"{stated} of {stated + len(found.absent)}"]
        )
    return (
        table(columns, rows)
        + "\nWhat the [decoy](../explanation/conditions.md) happens to state of a task's own facts:\n\n"
        + table(["task", "decoy", "facts"], decoys)
    )


def conventions_part(family: str) -> str:
    """Return what the conventions change in the references of a family, and folded, in what these are built from."""
    known = library()
    parts: list[str] = []
    for name in sorted({task.reference for task in families()[family]}):
        reference = known.references[name]
        upstream = [known.concepts[each] for each in known.order(reference.concepts)]
        target = {each for task in families()[family] for each in task.drops.target}
        near = [reference, *(each for each in upstream if each.name in target)]
        used = _used(known, reference)
        far = [each for each in upstream if each.name not in target and each.relation in used]
        for convention in ("current", "adjudicated"):
            beside = (
                " beside what `current` changes; no clinician has signed it"
                if convention == "adjudicated"
                else ""
            )
            parts.append(f"`{name}` under `{convention}`{beside}:\n\n")
            parts.append("".join(_told(near, convention)) or "- nothing of its own\n")
            if further := _told(far, convention):
                folded = "".join(f"    {each}" for each in further)
                parts.append(f'\n??? note "In what it is built from: {len(further)}"\n\n{folded}')
            parts.append("\n")
    return "".join(parts)


def _used(known: Library, reference: Derivation) -> set[str]:
    """Return the relations of which some column is behind a column of a reference."""
    lineage = ColumnLineage(known)
    columns = lineage.columns(lineage.relation_of(reference))
    return {each.relation for column in columns for each in lineage.upstream(column)}


def _told(derivations: list[Derivation], convention: str) -> list[str]:
    """Return a line for each parameter that a convention moves, once where several derivations share it."""
    told: dict[str, str] = {}
    for derivation in derivations:
        folder = f"{derivation.header.kind}s"
        for each in derivation.written.parameters:
            before = each.published if convention == "current" else each.under("current")
            if each.under(convention) != before:
                signed = f", signed by {each.signed_by}" if each.signed_by else ""
                told.setdefault(
                    each.difference,
                    f"- [{derivation.name}](../reference/{folder}/{derivation.name}.md): "
                    f"{line(each.difference)}{signed}.\n",
                )
    return list(told.values())


def example_part(family: str, folder: Path) -> str:
    """Return a family's worked examples: the invented rows, and the answer under each convention."""
    parts = []
    for example in yaml.safe_load(
        (folder / "examples" / f"{family}.yaml").read_text(encoding="utf-8")
    ):
        parts.append(f"### {example['title']}\n\n{example['story'].strip()}\n")
        for relation, text in example["given"].items():
            parts.append(f"`{relation}`:\n\n{_csv_table(text)}")
        answers: dict[str, list[str]] = {}
        for field, convention in CONVENTIONS.items():
            answers.setdefault(example.get(field, example["expect"]), []).append(f"`{convention}`")
        for text, conventions in answers.items():
            under = ", ".join(conventions)
            parts.append(
                f"Answer (`{example['reference']}`) under {under}:\n\n{_answer_table(text)}"
            )
        if because := example.get("because"):
            parts.append(because.strip() + "\n")
    return "\n".join(parts)


def _csv_table(text: str) -> str:
    rows = list(csv.reader(text.strip().splitlines()))
    if len(rows) == 1:
        return "no row\n"
    return table([f"`{name}`" for name in rows[0]], rows[1:])


def _answer_table(text: str) -> str:
    """Return an answer as a table; one with more columns than fit a page has a line a column and a column a row."""
    rows = list(csv.reader(text.strip().splitlines()))
    if len(rows[0]) <= FITTING_COLUMNS:
        return _csv_table(text)
    key, *lines = zip(*rows, strict=True)
    return table([f"`{key[0]}`", *key[1:]], [[f"`{name}`", *values] for name, *values in lines])


def validity_part(family: str) -> str:
    """Return what is known of the reference as clinical truth, from the data reports show too."""
    found, known = validity(family), reference_validity()
    parts = [f"{found.keeps}\n"]
    for caveat in found.caveats:
        figures = "".join(f" {figure.says}" for figure in caveat.figures)
        decided = ""
        if caveat.adjudicated:
            told = ", ".join(f"`{pointer}`" for pointer in caveat.adjudicated)
            decided = (
                f" Decided otherwise by {told} under `adjudicated`, which no clinician has signed."
            )
        source = known.sources[caveat.source]
        parts.append(f"- **{caveat.says}** {caveat.effect}{figures}{decided} *({source})*\n")
    review = f"\n{known.review.was} What it was not: {known.review.was_not}\n"
    return "".join([parts[0], "\n", *parts[1:], review])


def sources_part(family: str) -> str:
    """Return a family's sources."""
    return "".join(
        f"- {line(each.citation)}: {line(each.source_of)}."
        + (f" [doi:{each.doi}](https://doi.org/{each.doi})" if each.doi else "")
        + "\n"
        for each in provenance(family).sources
    )


def written(text: str, family: str, folder: Path) -> str:
    """Return a page with its written parts as they are now."""
    parts: dict[str, Callable[[], str]] = {
        "tasks": lambda: tasks_part(family),
        "conventions": lambda: conventions_part(family),
        "example": lambda: example_part(family, folder),
        "validity": lambda: validity_part(family),
        "sources": lambda: sources_part(family),
    }

    def part(found: re.Match[str]) -> str:
        return f"{found[1]}\n{parts[found['part']]().strip()}\n\n{found[3]}"

    return PART.sub(part, text)


def main() -> None:
    """Write the parts of every page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "families")
    folder = parser.parse_args().to
    for family in families():
        page = folder / f"{family}.md"
        page.write_text(written(page.read_text(encoding="utf-8"), family, folder), encoding="utf-8")
    print(f"{len(families())} pages in {folder}")


if __name__ == "__main__":
    main()
