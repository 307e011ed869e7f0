# SPDX-License-Identifier: MIT
"""Numbers as clinicians write them: with comparison, range, unit of time and openness. Knows no derivation."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from m4bench.suites.derivation.specifications import number_patterns as patterns
from m4bench.suites.derivation.specifications.number_patterns import Direction, Side
from m4bench.suites.derivation.specifications.statements import CELL, Statement

# No comparison and no example reaches further than this many characters.
_LOOKED_BACK = 600
_NEAR = 60
Role = Literal["value", "points", "aside"]


@dataclass(frozen=True)
class Quantity:
    """A number of a statement and how it is spoken of.

    Attributes:
        value: canonical: no thousands separators, no trailing zeros; a code without its dot, in capitals.
        start: where it stands in the statement's text, its sign included.
        end: where it ends.
        shape: a number in digits, a number word before a unit of time, or a diagnosis code.
        side: to which side of the value the value itself belongs, by the comparison next to it.
        direction: whether values above or below it are spoken of.
        ranged: the side is that of a range's end, which nobody means to the last digit.
        loose: the side carried over from a list it stands in.
        time: its unit of time, in the singular.
        timeline: the side is one of points in time (from 6 hours before) and not of the duration's length.
        carried: the unit of time is that of the list or range it stands in.
        minutes: a duration's length.
        closed: whether its end is said to be included; None where nothing is said.
        role: a result of scoring, something beside the matter (rule 3, 4 decimals, 2 of 3), or a value.
        percent: it is followed by a per cent sign.
        cell: the number of the cell it stands in; 0 in a sentence.
    """

    value: str
    start: int
    end: int
    shape: Literal["number", "word", "code"] = "number"
    side: Side | None = None
    direction: Direction | None = None
    ranged: bool = False
    loose: Side | None = None
    time: str | None = None
    timeline: bool = False
    carried: bool = False
    closed: bool | None = None
    role: Role = "value"
    percent: bool = False
    cell: int = 0

    @property
    def minutes(self) -> Decimal | None:
        """The length of a duration in minutes."""
        return minutes_of(self.value, self.time) if self.time else None


def canonical(number: str) -> str:
    """Return a number as it is compared: `1.10` as `1.1`, `10,000` as `10000`, `.5` as `0.5`."""
    plain = re.sub(r"[,\u00a0\u2009\u202f]", "", number).replace("−", "-")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    sign = "-" if plain.startswith("-") else ""
    whole, _, part = plain.removeprefix("-").partition(".")
    # Leading zeros are kept: diagnosis codes begin with them.
    return f"{sign}{whole or '0'}{'.' + part if part else ''}"


def is_time(unit: str) -> bool:
    """Tell whether a unit is one of time."""
    return unit.lower() in patterns.TIME_UNITS


def minutes_of(value: str, unit: str) -> Decimal | None:
    """Return a duration in minutes, None where the unit is none of time."""
    name = patterns.TIME_UNITS.get(unit.lower())
    if name is None or not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return None
    return Decimal(value) * patterns.MINUTES[name]


def quantities(statement: Statement) -> tuple[Quantity, ...]:
    """Return the quantities of a statement in their order."""
    found: list[Quantity] = []
    offset = 0
    for number, cell in enumerate(statement.cells):
        header = statement.headers[number] if statement.headers else ""
        found.extend(
            replace(one, start=one.start + offset, end=one.end + offset, cell=number)
            for one in _cell(cell, header)
        )
        offset += len(cell) + len(CELL)
    if statement.headers:
        row = _said(statement.text)
        found = [replace(q, closed=row) if q.time and q.closed is None else q for q in found]
    return tuple(found)


def header_numbers(header: str) -> frozenset[str]:
    """Return the numbers of a header cell: of a table that has a column for each number of points."""
    return frozenset(
        canonical(found["digits"]) for found in patterns.TOKEN.finditer(header) if found["digits"]
    )


def _cell(text: str, header: str) -> list[Quantity]:
    spoken = text.replace("\n", " ")
    found = [
        q for match in patterns.TOKEN.finditer(spoken) if (q := _token(match, spoken)) is not None
    ]
    found = _with_ranges(found, spoken)
    found = _with_lists(found, spoken)
    found = _with_openness(found, spoken)
    if header and found:
        found = [_under_header(q, spoken, header) for q in found]
    return found


def _token(match: re.Match[str], text: str) -> Quantity | None:
    start, end = match.span()
    if match["code"]:
        if not patterns.CODE.fullmatch(match["code"]):
            return None
        return Quantity(match["code"].replace(".", ""), start, end, shape="code")
    if match["date"]:
        return None
    if match["large"]:
        quantity = Quantity(_large(match["large"]), start, end)
    elif match["word"]:
        quantity = Quantity(patterns.NUMBER_WORDS[match["word"].lower()], start, end, shape="word")
    else:
        value = ("-" if match["number"] else "") + match["digits"]
        if patterns.ORDINAL.match(text, end):
            return None
        quantity = Quantity(canonical(value), start, end)
        joined = re.match(r"[A-Za-z]", text[end : end + 1])
        if (
            joined
            and not patterns.FOLLOWING_UNIT.match(text, end)
            and not patterns.JOINED_UNIT.match(text, end)
        ):
            return None
    quantity = _with_time(quantity, text)
    quantity = _compared(quantity, text)
    return replace(
        quantity, role=_role(quantity, text), percent=bool(re.match(r"\s*%", text[end:]))
    )


def _large(words: str) -> str:
    """Return the number of words such as ten thousand, or two hundred thousand."""
    factor, *rest = words.lower().split()
    number = int(patterns.NUMBER_WORDS.get(factor, "1"))
    for word in (factor, *rest):
        number *= {"hundred": 100, "thousand": 1000}.get(word, 1)
    return str(number)


def _with_time(quantity: Quantity, text: str) -> Quantity:
    after = patterns.FOLLOWING_UNIT.match(text, quantity.end)
    if quantity.shape == "word":
        after = patterns.UNIT_OF_WORD.match(text, quantity.end)
    if after:
        return replace(quantity, time=patterns.TIME_UNITS[after["unit"].lower()])
    before = patterns.UNIT_BEFORE.search(text, max(0, quantity.start - 12), quantity.start)
    return replace(quantity, time=before["unit"].lower()) if before else quantity


def _compared(quantity: Quantity, text: str) -> Quantity:
    before = text[max(0, quantity.start - 70) : quantity.start]
    timed = patterns.COMPARED_BEFORE_TIMES if quantity.time else []
    for side, direction, pattern in timed:
        if pattern.search(before):
            return replace(quantity, side=side, direction=direction, timeline=True)
    compared = (*patterns.COMPARED_BEFORE, *patterns.COMPARED_FROM)
    for side, direction, pattern in compared if patterns.COMPARING.search(before) else ():
        if pattern.search(before):
            if patterns.DIVIDED.search(before):
                return quantity
            begins = (side, direction, pattern) in patterns.COMPARED_FROM
            if quantity.time in patterns.CLOCKED and patterns.DURING.search(before):
                return quantity
            timeline = begins and quantity.time in patterns.CLOCKED
            return replace(
                quantity, side=side, direction=direction, timeline=timeline, ranged=begins
            )
    for side, direction, pattern in patterns.COMPARED_AFTER:
        if pattern.match(text, quantity.end):
            return replace(quantity, side=side, direction=direction)
    return quantity


@lru_cache(maxsize=64)
def _examples(text: str) -> tuple[int, ...]:
    """Return where the words end that announce an example."""
    return tuple(match.end() for match in patterns.EXAMPLES.finditer(text))


def _role(quantity: Quantity, text: str) -> Role:
    before = text[max(0, quantity.start - 60) : quantity.start]
    if patterns.ASIDE_BEFORE.search(before) or patterns.ASIDE_AFTER.match(text, quantity.end):
        return "aside"
    if patterns.OF_A_NUMBER.match(text, quantity.end) or re.match(
        r"\s*[x×]\s*10|[²³^*]", text[quantity.end :]
    ):
        return "aside"
    if any(
        one <= quantity.start and one >= quantity.start - _LOOKED_BACK for one in _examples(text)
    ):
        return "aside"
    if patterns.POINTS_AFTER.match(text, quantity.end) or (
        quantity.side is None and quantity.time is None and patterns.POINTS_BEFORE.search(before)
    ):
        return "points"
    return "value"


def _with_ranges(found: list[Quantity], text: str) -> list[Quantity]:
    ranged = list(found)
    for place, (first, second) in enumerate(pairwise(found)):
        between = text[first.end : second.start]
        joined = patterns.RANGE.fullmatch(between)
        if not joined or "points" in (first.role, second.role) or second.shape == "code":
            continue
        if patterns.EXTENT.search(text, max(0, first.start - _NEAR), first.start):
            ranged[place] = replace(first, role="aside")
            ranged[place + 1] = replace(second, role="aside")
            continue
        if re.search(r"\band\b", joined.group(), re.IGNORECASE) and not re.search(
            r"\bbetween\s*$", text[max(0, first.start - 20) : first.start], re.IGNORECASE
        ):
            continue
        begun = ranged[place]
        if second.time is None and begun.time is not None:
            second = replace(second, time=begun.time, carried=True)
            ranged[place + 1] = second
        clocked = (second.time or begun.time) in patterns.CLOCKED
        if begun.side is None:
            ranged[place] = replace(
                begun, side="upper", direction="up", timeline=clocked, ranged=True
            )
        if second.side is None:
            ranged[place + 1] = replace(
                second, side="lower", direction="down", timeline=clocked, ranged=True
            )
    return ranged


def _with_lists(found: list[Quantity], text: str) -> list[Quantity]:
    listed = list(found)
    for place in range(len(listed) - 2, -1, -1):
        first, second = listed[place], listed[place + 1]
        between = text[first.end : second.start]
        words = patterns.BETWEEN_LISTED.sub(" ", between)
        near = patterns.ENUMERATION.fullmatch(between) or re.fullmatch(
            r"\s*(?:,|/|and|or|–|-|\s)*\s*", words
        )
        if near and first.time is None and second.time is not None:
            listed[place] = replace(first, time=second.time, carried=True)
            if patterns.DURING.search(text, max(0, first.start - _NEAR), first.start):
                listed[place] = replace(listed[place], side=None, direction=None)
    for place in range(1, len(listed)):
        first, second = listed[place - 1], listed[place]
        if second.side is None and patterns.ENUMERATION.fullmatch(text[first.end : second.start]):
            listed[place] = replace(second, loose=first.side or first.loose)
    return listed


def _said(text: str) -> bool | None:
    """Tell whether a text says included, excluded, or neither or both."""
    without = patterns.EXCLUDED.sub(" ", text)
    excluded, included = without != text, bool(patterns.INCLUDED.search(without))
    return None if excluded == included else included


def _with_openness(found: list[Quantity], text: str) -> list[Quantity]:
    timed = [place for place, quantity in enumerate(found) if quantity.time]
    if not timed:
        return found
    both = bool(patterns.BOTH.search(text))
    anywhere = _said(text)
    said = list(found)
    for order, place in enumerate(timed):
        quantity = said[place]
        begin = found[timed[order - 1]].end if order else 0
        end = found[timed[order + 1]].start if order + 1 < len(timed) else len(text)
        closed = _said(text[quantity.end : end])
        if closed is None:
            closed = _said(text[begin : quantity.start])
        if closed is None and both:
            closed = True
        if closed is None:
            closed = anywhere
        said[place] = replace(quantity, closed=closed)
    return said


def _under_header(quantity: Quantity, text: str, header: str) -> Quantity:
    alone = re.fullmatch(r"\s*[-−]?[\d.,]+\s*", text) is not None
    if (
        quantity.time is None
        and (unit := re.search(rf"\b({patterns.UNIT})\b", header, re.IGNORECASE))
        and alone
    ):
        quantity = replace(quantity, time=patterns.TIME_UNITS[unit[1].lower()], carried=True)
    if quantity.side is None and alone:
        for side, direction, pattern in patterns.COMPARED_BEFORE:
            if pattern.search(header + " "):
                quantity = replace(quantity, side=side, direction=direction)
                break
    if patterns.ASIDE_HEADER.fullmatch(header.strip()):
        return replace(quantity, role="aside")
    if alone and quantity.side is None and patterns.POINTS_HEADER.search(header):
        quantity = replace(quantity, role="points")
    return quantity
