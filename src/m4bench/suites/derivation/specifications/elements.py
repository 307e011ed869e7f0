# SPDX-License-Identifier: MIT
"""The elements that a specification has to have, and the line that states each. Knows no derivation.

An element is stated by a statement in a section that is about it, or by one whose words are those of the
element; a heading without a statement below it states nothing. The rules are told in
docs/reference/specifications.md.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from m4bench.suites.derivation.specifications.knowledge import Knowledge
from m4bench.suites.derivation.specifications.quantities import quantities
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.specifications.wording import unit_family, word_sequences

_FEWEST_WORDS = 2


@dataclass(frozen=True)
class Element:
    """One element: what it is, the titles of sections that are about it, the words that state it anywhere."""

    name: str
    about: str
    titles: re.Pattern[str]
    words: re.Pattern[str]


def _element(name: str, about: str, titles: str, words: str) -> Element:
    return Element(name, about, re.compile(titles, re.IGNORECASE), re.compile(words, re.IGNORECASE))


ELEMENTS = (
    _element(
        "grain",
        "what one row is",
        r"\bgrain\b|\bpopulation\b|\bcohort\b",
        r"\bone row\b|\brow (?:per|for)\b|\b(?:each|every|a) row (?:is|stands)\b",
    ),
    _element(
        "keys",
        "what identifies a row",
        r"\bkeys?\b",
        r"\bkeys?\b|\bunique\b|\bidentif(?:y|ies) (?:the|a|each|every) row\b|\bone row per \w+",
    ),
    _element(
        "sources",
        "which records hold what",
        r"^(?:sources of data|data sources?|sources? tables?|data|items|measurements)\b",
        r"\b(?:charted|recorded|documented|stored|taken|read|come|comes|drawn|ordered) (?:in|from|by|at|under|with)\b"
        r"|\b(?:laboratory|charting|orders?|diagnoses|prescriptions|cultures)\b",
    ),
    _element("units", "in which units values are", r"^units?\b", r"(?!)"),
    _element(
        "windows",
        "from when to when, each end included or excluded",
        r"^(?:time )?windows?\b|\btime frame\b",
        r"(?!)",
    ),
    _element(
        "missing data",
        "what stands for a value that is not known",
        r"\bmissing\b",
        r"\bmissing\b|\bnulls?\b|\bunknown\b|\bunmeasured\b|\bunavailable\b"
        r"|(?:\b(?:not|never|nothing|nobody|no one|none)|n[’']t) (?:was |were |is |has |have |had |been ){0,2}"
        r"(?:measured|charted|recorded|known|documented|taken|drawn|available)\b"
        r"|\bno (?:\w+ ){1,4}(?:(?:was|were|is|are|has been|have been) )?"
        r"(?:measured|charted|recorded|known|documented|available)\b"
        r"|\b(?:without|no) (?:any |a )?(?:value|measurement|result|entry)s?\b",
    ),
    _element(
        "precedence",
        "which rule or value goes before which",
        r"\bprecedence\b|\bpriorit",
        r"\bprecedence\b|\bpriority\b|\bgoes? before\b|\bin this order\b|\boverrid|\bprefer"
        r"|\bfirst (?:of|test|rule|line|row|one|that|condition)\b.{0,400}"
        r"\b(?:holds?|fits?|appl\w+|gives?|decides?|counts?)\b"
        r"|\b(?:highest|worst|lowest) (?:\w+ ){0,4}(?:counts?|is used|are used|is taken|decides)\b",
    ),
    _element(
        "tie-breaks",
        "what decides between equals",
        r"\bties?\b|\btie-?breaks?\b",
        r"\bties?\b|\btie-?breaks?\b|\bof several\b|\bseveral\b.{0,400}\b(?:at|of|with) (?:one|the same)\b"
        r"|\b(?:same|equal) (?:lowest|highest|values?|times?|totals?)\b|\bat one time\b",
    ),
    _element(
        "rounding",
        "where values are rounded, or that they are not",
        r"\brounding\b|\bprecision\b",
        r"\b(?:un)?round(?:ed|ing|s)?\b|\bdecimals?\b|\btruncat|\bwhole (?:numbers?|points)\b",
    ),
    _element(
        "edge cases",
        "what happens in cases that are easily overlooked",
        r"\bedge cases?\b|\bspecial cases?\b|\bexceptions?\b",
        r"\bedge cases?\b|\bspecial cases?\b|\bexceptions?\b",
    ),
    _element(
        "provenance",
        "where the definition comes from",
        r"^(?:sources|references|provenance|literature|sources and references)$",
        r"\bet al\b|\bdoi\b|\bguidelines?\b.{0,400}\b(?:19|20)\d\d\b|\b(?:19|20)\d\d;\d",
    ),
)
_ENDS = re.compile(
    r"\b(?:in|ex)clu(?:ded|ding|sive|sively|des?)\b|\bstrictly\b|\bclosed\b|\bopen\b|\bat or (?:after|before)\b"
    r"|\b(?:not|no) (?:later|earlier|more) than\b|\bat most\b|\bless than\b",
    re.IGNORECASE,
)
_NO_UNIT = re.compile(r"^none\b|\bno (?:units?|conversions?)\b", re.IGNORECASE)
# Hours and points are spoken of everywhere, in most cases as no unit of a column.
_NOT_ALONE = frozenset({"h", "d", "y", "minutes", "s", "points"})
_NO_WINDOW = re.compile(
    r"\b(?:no|none|without(?: a)?)\b.{0,400}\bwindows?\b|\bwindows?\b.{0,400}\bnone\b|^none\b"
    r"|\bwhole (?:admission|stay)\b"
    r"|\bentire (?:admission|stay)\b|\ball (?:diagnoses|times)\b|\bwhenever\b",
    re.IGNORECASE,
)


def elements(
    statements: Iterable[Statement], knowledge: Knowledge, about: Collection[str] = ()
) -> Mapping[str, int | None]:
    """Return the line that states each element, None where none does.

    A statement in a section about the element goes before one elsewhere with its words.

    Args:
        statements: the text.
        knowledge: what is known of columns, their units among it.
        about: the columns whose units are asked for; by default all that are known.
    """
    told = [one for one in statements if len(one.text.split()) >= _FEWEST_WORDS]
    found: dict[str, int | None] = {}
    for element in ELEMENTS:
        inside = [one for one in told if any(element.titles.search(t) for t in one.sections)]
        match element.name:
            case "windows":
                lines = _windows(inside, told)
            case "units":
                measured = frozenset(about or knowledge.units) & knowledge.units.keys()
                lines = [one.line for one in inside if _units_told(one, knowledge, measured)]
                own = {unit for column in measured for unit in knowledge.units[column]}
                vague = _NOT_ALONE if own - _NOT_ALONE else frozenset()
                lines += [one.line for one in told if _has_unit(one, knowledge, measured, vague)]
            case _:
                lines = [one.line for one in inside]
                lines += [one.line for one in told if element.words.search(one.text)]
        found[element.name] = lines[0] if lines else None
    return found


def _windows(inside: list[Statement], told: list[Statement]) -> list[int]:
    lines = [one.line for one in inside if _NO_WINDOW.search(one.text)]
    for one in (*inside, *told):
        if _ENDS.search(" ".join((one.text, *one.headers))) and any(
            quantity.time for quantity in quantities(one)
        ):
            lines.append(one.line)
            break
    return lines


def _units_told(statement: Statement, knowledge: Knowledge, measured: frozenset[str]) -> bool:
    """Tell whether a statement below a heading about units tells one, or that there is none."""
    none = _NO_UNIT.search(statement.text) is not None
    return none or _has_unit(statement, knowledge, measured)


def _has_unit(
    statement: Statement,
    knowledge: Knowledge,
    measured: frozenset[str],
    without: frozenset[str] = frozenset(),
) -> bool:
    """Tell whether a statement names a column that is measured together with a unit it may have.

    Where the derivation measures no column, any unit will do.
    """
    found = {
        unit
        for text in (statement.text, *statement.headers)
        for unit, _, _ in knowledge.unit_search.within(text)
    }
    found -= without
    if not found or not measured:
        return bool(found)
    families = {unit_family(unit) for unit in found} - {None}
    return any(
        unit in found or unit_family(unit) in families
        for column in knowledge.named(word_sequences(statement)) & measured
        for unit in knowledge.units[column]
    )
