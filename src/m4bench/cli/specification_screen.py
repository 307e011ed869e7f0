# SPDX-License-Identifier: MIT
"""What specifications state, leave out and contradict, as tables that fit 80 columns. Knows only how to print."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from m4bench.cli.options import counted, output
from m4bench.model.legible import legible
from m4bench.suites.derivation.specifications.completeness import Assessment, Place
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.skill import Finding

FOLDED = 10
"""How many facts of a list are printed where the rest is folded."""
_SIDES = {"upper": "below / at least", "lower": "above / at most"}


def told_fact(fact: Fact) -> str:
    """Return a fact as a person would say it."""
    if fact.kind == "cut":
        value = f"{_SIDES[fact.side]} {fact.value}" if fact.side else fact.value
        return f"{value} → {fact.points}" if fact.points is not None else value
    if fact.kind == "window" and fact.closed is not None:
        return f"{fact.value}, end {'included' if fact.closed else 'excluded'}"
    return fact.value


def show_elements(columns: Mapping[str, Assessment]) -> None:
    """Print the elements with the line of each text that states them."""
    table = Table("element", *columns, box=None)
    names = next(iter(columns.values())).elements
    for name in names:
        table.add_row(name, *(_line(one.elements.get(name), one) for one in columns.values()))
    output.print(table)


def _line(place: Place | None, assessment: Assessment) -> str:
    if place is None:
        return "not stated"
    files = {p.file for p in assessment.elements.values() if p is not None}
    line = f"line {place.line}"
    return f"{place.file}:{place.line}" if len(files) > 1 else line


def show_counts(columns: Mapping[str, Assessment]) -> None:
    """Print how many facts of each kind are stated, of how many."""
    counts = {name: one.counts() for name, one in columns.items()}
    kinds = list(dict.fromkeys(kind for found in counts.values() for kind in found))
    table = Table("facts stated", *columns, box=None)
    for kind in kinds:
        row = []
        for found in counts.values():
            of_kind = found.get(kind)
            row.append(
                f"{of_kind['stated']} of {of_kind['stated'] + of_kind['absent']}"
                if of_kind
                else "not asked"
            )
        table.add_row(kind, *row)
    table.add_row("contradictions", *(str(len(one.contradictions)) for one in columns.values()))
    output.print(table)


def show_absent(facts: Iterable[Fact], where: str, most: int | None = None) -> None:
    """Print facts that are absent, by kind: all, or the first `most` and how many more there are."""
    ordered = sorted(facts, key=lambda fact: fact.kind)
    if not ordered:
        return
    output.print(f"{counted(len(ordered), 'fact')} absent from the {where}:")
    table = Table("kind", "value", "of", "in", box=None)
    table.columns[0].no_wrap = True
    for fact in ordered[:most]:
        about = ", ".join(fact.subjects[:2] or fact.columns[:2])
        table.add_row(
            fact.kind,
            Text(legible(told_fact(fact))),
            about,
            fact.derivation.removeprefix("references."),
        )
    output.print(table)
    _tell_folded(len(ordered), most)


def _tell_folded(count: int, most: int | None) -> None:
    if most is not None and count > most:
        output.print(f"… {count - most} more; --full prints them")


def show_findings(findings: Iterable[Finding]) -> None:
    """Print findings with the line each is in."""
    for finding in findings:
        place = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
        output.print(legible(f"{place}: {finding.problem}"), markup=False, soft_wrap=True)


def show_completeness(found: Mapping[str, Assessment], *, full: bool) -> None:
    """Print what a task's texts state side by side, then what each leaves out and contradicts.

    Long lists of facts are folded unless they are wanted in full; contradictions never are.
    """
    columns = dict(found)
    most = None if full else FOLDED
    show_elements(columns)
    output.print()
    show_counts(columns)
    for name, words in (("skill", "skill"), ("operational", "operational specification")):
        if name in columns:
            show_findings(columns[name].contradictions)
            show_absent(columns[name].absent, words, most)
    if "decoy" in columns:
        _show_stated(columns["decoy"], most)


def _show_stated(decoy: Assessment, most: int | None) -> None:
    table = Table("kind", "value", "of", "line", box=None)
    for fact, places in sorted(decoy.stated, key=lambda one: one[0].kind)[:most]:
        about = ", ".join(fact.subjects[:2] or fact.columns[:2])
        table.add_row(fact.kind, Text(legible(told_fact(fact))), about, str(places[0].line))
    output.print(
        f"{counted(len(decoy.stated), 'fact')} of this task that the decoy happens to state:"
    )
    if decoy.stated:
        output.print(table)
        _tell_folded(len(decoy.stated), most)
