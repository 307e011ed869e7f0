# SPDX-License-Identifier: MIT
"""Numbers as clinicians write them: with comparison, range, unit of time and openness. Knows no derivation."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from m4bench.suites.derivation.specifications.statements import CELL, Statement

Direction = Literal["up", "down"]
Side = Literal["upper", "lower"]
Role = Literal["value", "points", "aside"]

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {
    "an": "1",
    "a": "1",
    "fifteen": "15",
    "twenty-four": "24",
    "thirty": "30",
    "forty-eight": "48",
    "sixty": "60",
    "seventy-two": "72",
}
_MINUTES = {
    "second": Decimal(1) / 60,
    "minute": Decimal(1),
    "hour": Decimal(60),
    "day": Decimal(1440),
    "week": Decimal(10080),
    "month": Decimal(43830),
    "year": Decimal(525960),
}
_TIME_UNITS = {
    "s": "second",
    "sec": "second",
    "secs": "second",
    "min": "minute",
    "mins": "minute",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "y": "year",
    "yr": "year",
    "yrs": "year",
} | {name + end: name for name in _MINUTES for end in ("", "s")}
_CLOCKED = frozenset(_MINUTES) - {"year"}
_UNIT = "|".join(sorted(map(re.escape, _TIME_UNITS), key=len, reverse=True))

_TOKEN = re.compile(
    r"(?P<code>(?<![\w.])[A-TV-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?(?![\w]))"
    r"|(?P<date>\b\d{4}-(?:0\d|1[0-2])(?:-\d\d)?(?!\d)|\b\d{1,2}:\d\d(?::\d\d)?)"
    r"|(?P<number>(?:(?<=[\s(\[<>=≤≥±,/])|\A)[-−](?=\d)|(?<![\w.])(?<![A-Za-z]-)(?=\.?\d))"
    r"(?P<digits>(?:\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
    r"|(?<![\w-])(?P<large>(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|a) )?(?:hundred )?thousand)(?![\w-])"
    rf"|(?<![\w-])(?P<word>{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?![\w-])"
    rf"(?=[\s-]+(?:full |whole |trailing |more |further )?(?:{_UNIT})\b)",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_FOLLOWING_UNIT = re.compile(rf"[\s-]*(?P<unit>{_UNIT})(?![\w/²^])", re.IGNORECASE)
_UNIT_BEFORE = re.compile(r"\b(?P<unit>hour|day|minute)s?\s+$", re.IGNORECASE)

_NOT = r"(?:not|never|no|nothing)"
_MORE = r"(?:more|greater|higher|larger|older|longer|later)"
_LESS = r"(?:less|lower|fewer|smaller|younger|shorter|earlier)"
_BEFORE: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "down", r"up to,? but (?:not (?:including|with)|excluding|without)|to (?:just )?below|short of"),
    ("upper", "up", rf"at or (?:above|over)|{_NOT} {_LESS} than|{_NOT} (?:below|under)"),
    ("upper", "up", rf"{_MORE} than or equal(?: to)?|equal(?: to)? or (?:{_MORE} than|above|over)"),
    ("upper", "up", r"at least|≥|>\s*=|=\s*>|(?:a )?minimum of|reach(?:es|ing)?"),
    ("lower", "down", rf"at or (?:below|under)|{_NOT} {_MORE} than|{_NOT} (?:above|over|beyond|exceeding)"),
    ("lower", "down", rf"{_LESS} than or equal(?: to)?|equal(?: to)? or (?:{_LESS} than|below|under)"),
    ("lower", "down", r"at most|≤|<\s*=|=\s*<|(?:a )?maximum of|up to(?: and including)?|through|to and including|until and including|does not exceed"),
    ("upper", "down", rf"below|under|{_LESS} than|beneath|<"),
    ("lower", "up", rf"above|over|{_MORE} than|exceed(?:s|ed|ing)?|beyond|>"),
)  # fmt: skip
_FROM: tuple[tuple[Side, Direction, str], ...] = (("upper", "up", "from|starting (?:at|from)"),)
_TIMED_BEFORE: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "up", rf"at or after|{_NOT} (?:before|earlier than)"),
    ("lower", "down", rf"at or before|{_NOT} (?:after|later than)"),
    ("upper", "down", "before|until|earlier than"),
    ("lower", "up", "after|later than"),
)
_AFTER: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "up", rf"(?:or|and) (?:{_MORE}|above|over|up(?:wards?)?)\b(?!\s*(?:than|\d))|\+(?!\s*\d)"),
    ("lower", "down", rf"(?:or|and) (?:{_LESS}|below|under|down(?:wards?)?)\b(?!\s*(?:than|\d))"),
)  # fmt: skip
_FILLER = (
    r"(?:\s+(?:a|an|the|about|exactly|value|values|rate|score|total|of|hour|day|hours|minutes))*"
)
_ASIDE_UNIT = r"(?:\s*[(\[][^()\[\]]{1,24}[)\]])?"
_COMPARED_BEFORE, _COMPARED_FROM, _COMPARED_BEFORE_TIMES = (
    [
        (side, direction, re.compile(rf"(?:^|(?<![\w]))(?:{words}){_FILLER}{_ASIDE_UNIT}\s*:?\s*$", re.I))
        for side, direction, words in table
    ]
    for table in (_BEFORE, _FROM, _TIMED_BEFORE)
)  # fmt: skip
_SOME_UNIT = r"(?:[\s-]*(?:/?[A-Za-zµμ°%][\w/µμ°%²^·.]*|%))?(?: of \w+)?"
_COMPARED_AFTER = [
    (side, direction, re.compile(rf"{_SOME_UNIT}[\s,]*(?:{words})", re.I))
    for side, direction, words in _AFTER
]
_RANGE = re.compile(
    rf"{_SOME_UNIT}\s*(?:\((?:in|ex)clu\w+\)|,? ?(?:in|ex)clu\w+,?)?\s*(?:to|through|–|-|—|…|\.\.\.?|and)"
    r"(?:\s+(?:just )?(?:below|under|less than|<|before))?\s*$",
    re.IGNORECASE,
)
_EXTENT = re.compile(
    r"\b(?:lies?|ranges?|runs?|goes|reach(?:es)?) (?:is |are )?(?:from|between|of)?\s*$",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(
    rf"{_SOME_UNIT}\s*(?:,|/|and|or|to|through|–|-|,\s*(?:and|or))\s*$", re.IGNORECASE
)
_POINTS_BEFORE = re.compile(
    r"\b(?:scores?|gives?|counts?|adds?|grades?|stage|points?|=|→|->|:)\s*$", re.I
)
_POINTS_AFTER = re.compile(r"\s*(?:points?|pts?)\b", re.IGNORECASE)
_POINTS_HEADER = re.compile(r"\b(?:points?|scores?|grades?|stage|weight)\b", re.IGNORECASE)
_ASIDE_HEADER = re.compile(
    r"(?:order|rule|step|line|priority|rank|#|nr\.?|no\.?|label|labels|name|version|icd|icd version"
    r"|icd[ _]version|(?:first )?characters?(?: compared| taken)?)",
    re.IGNORECASE,
)
_ASIDE_BEFORE = re.compile(
    r"(?:\b(?:rules?|steps?|sections?|tables?|fig(?:ure)?\.?|pages?|pp?\.|versions?|release|chapter|number|"
    r"no\.|faults?|criteri(?:on|a)|parts?|MIMIC-IV|eICU-CRD|eICU|ICD|level|type|class|doi|PMID|vol(?:ume)?\.?|"
    r"round(?:ed)? to|10\s*\^)\s*(?:\d+\s*(?:,|and|or|to|–|-)\s*)*)$",
    re.IGNORECASE,
)
_ASIDE_AFTER = re.compile(
    r"[\s-]*(?:(?:full|further|other|different|separate|distinct|such|source|whole|single|organ|numbered|required|"
    r"output|laboratory|physiologic(?:al)?|possible|possibly|named|remaining|listed)\s+)*"
    r"(?:decimals?|decimal|digits?|significant|times|rows?|records?|columns?|components?|groups?|tables?|criteria|"
    r"items?|classes|class|stays?|patients?|organs?|variables?|parts?|bands?|lists?|codes?|characters?|letters?|"
    r"conditions?|agents?|drugs?|databases?|values?|rules?|steps?|letters?|categor(?:y|ies)|systems?|entries|"
    r"members?|sources?|identifiers?|tests?|m2|January|February|March|April|May|June|July|August|September|October|November|December|m²|meters?)\b",
    re.IGNORECASE,
)
_OF_A_NUMBER = re.compile(r"\s+of\s+(?:the\s+)?(?:\d|two|three|four|five|six|seven|eight)")
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|for instance|examples?:|thus|such as|so that|here,)", re.IGNORECASE
)
_EXAMPLES = re.compile(r"\b(?:e\.g\.|for example|for instance|examples?:)", re.IGNORECASE)
_INCLUDED = re.compile(
    r"\bincluded\b|\binclusive(?:ly)?\b|\bincluding\b|\bclosed\b|\bat or (?:after|before|above|below)\b"
    r"|\bor (?:less|fewer|more|later|earlier|longer|shorter)\b|\bat (?:most|least)\b"
    r"|\b(?:not|no) (?:more|later|earlier|less|longer|fewer) than\b|[≤≥]|<=|>=|\bcounts? too\b|\bitself\b",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(
    r"\b(?:not|without|never|neither\b[^.;]*?) (?:itself |being )?(?:includ\w+|in it|within|counted)\b|\bexcluded\b(?! from)|\bexclusive(?:ly)?\b"
    r"|\bexcluding\b|\bstrictly\b|\bopen\b|\b(?<!not )(?<!no )(?:less|fewer|shorter|more|longer) than\b(?! or equal)"
    r"|\bbut not (?:at|itself)\b|\b(?:is|are) out\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:both|all|each)(?: the| of its| of their)?(?: \w+)? (?:ends?|bounds?|limits?)\b(?: \w+)?(?: are| is|:)? (?P<in>included|inclusive|in\b|closed)"
    r"|\bends (?:are )?(?P<in2>included)|\b(?P<in3>inclusive)(?: of)? (?:at )?both",
    re.IGNORECASE,
)


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
    return unit.lower() in _TIME_UNITS


def minutes_of(value: str, unit: str) -> Decimal | None:
    """Return a duration in minutes, None where the unit is none of time."""
    name = _TIME_UNITS.get(unit.lower())
    if name is None or not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return None
    return Decimal(value) * _MINUTES[name]


def quantities(statement: Statement) -> tuple[Quantity, ...]:
    """Return the quantities of a statement in their order."""
    found: list[Quantity] = []
    offset = 0
    for number, cell in enumerate(statement.cells):
        header = statement.headers[number] if statement.headers else ""
        for quantity in _cell(cell, header):
            found.append(
                replace(
                    quantity,
                    start=quantity.start + offset,
                    end=quantity.end + offset,
                    cell=number,
                )
            )
        offset += len(cell) + len(CELL)
    if statement.headers:
        row = _said(statement.text)
        found = [replace(q, closed=row) if q.time and q.closed is None else q for q in found]
    return tuple(found)


def header_numbers(header: str) -> frozenset[str]:
    """Return the numbers of a header cell: of a table that has a column for each number of points."""
    return frozenset(
        canonical(found["digits"]) for found in _TOKEN.finditer(header) if found["digits"]
    )


def _cell(text: str, header: str) -> list[Quantity]:
    spoken = text.replace("\n", " ")
    found = [q for match in _TOKEN.finditer(spoken) if (q := _token(match, spoken)) is not None]
    found = _with_ranges(found, spoken)
    found = _with_lists(found, spoken)
    found = _with_openness(found, spoken)
    if header and found:
        found = [_under_header(q, spoken, header) for q in found]
    return found


def _token(match: re.Match[str], text: str) -> Quantity | None:
    start, end = match.span()
    if match["code"]:
        if not _CODE.fullmatch(match["code"]):
            return None
        return Quantity(match["code"].replace(".", ""), start, end, shape="code")
    if match["date"]:
        return None
    if match["large"]:
        quantity = Quantity(_large(match["large"]), start, end)
    elif match["word"]:
        quantity = Quantity(NUMBER_WORDS[match["word"].lower()], start, end, shape="word")
    else:
        value = ("-" if match["number"] else "") + match["digits"]
        if _ORDINAL.match(text, end):
            return None
        quantity = Quantity(canonical(value), start, end)
        if re.match(r"[A-Za-z]", text[end : end + 1]) and not _FOLLOWING_UNIT.match(text, end):
            if not re.match(
                r"(?:mg|mcg|ml|l|g|kg|k|mmhg|mmol|meq|cm|x)\b", text[end:], re.IGNORECASE
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
    number = int(NUMBER_WORDS.get(factor, "1"))
    for word in (factor, *rest):
        number *= {"hundred": 100, "thousand": 1000}.get(word, 1)
    return str(number)


def _with_time(quantity: Quantity, text: str) -> Quantity:
    after = _FOLLOWING_UNIT.match(text, quantity.end)
    if quantity.shape == "word":
        after = re.compile(rf"[\s-]+(?:full |whole |trailing |more |further )?(?P<unit>{_UNIT})\b", re.I).match(text, quantity.end)  # fmt: skip
    if after:
        return replace(quantity, time=_TIME_UNITS[after["unit"].lower()])
    before = _UNIT_BEFORE.search(text, max(0, quantity.start - 12), quantity.start)
    return replace(quantity, time=before["unit"].lower()) if before else quantity


def _compared(quantity: Quantity, text: str) -> Quantity:
    before = text[max(0, quantity.start - 70) : quantity.start]
    timed = _COMPARED_BEFORE_TIMES if quantity.time else []
    for side, direction, pattern in timed:
        if pattern.search(before):
            return replace(quantity, side=side, direction=direction, timeline=True)
    for side, direction, pattern in (*_COMPARED_BEFORE, *_COMPARED_FROM):
        if pattern.search(before):
            begins = (side, direction, pattern) in _COMPARED_FROM
            if quantity.time in _CLOCKED and re.search(r"\b(?:over|under)\s*$", before, re.I):
                return quantity
            timeline = begins and quantity.time in _CLOCKED
            return replace(
                quantity, side=side, direction=direction, timeline=timeline, ranged=begins
            )
    for side, direction, pattern in _COMPARED_AFTER:
        if pattern.match(text, quantity.end):
            return replace(quantity, side=side, direction=direction)
    return quantity


def _role(quantity: Quantity, text: str) -> Role:
    before = text[max(0, quantity.start - 60) : quantity.start]
    if _ASIDE_BEFORE.search(before) or _ASIDE_AFTER.match(text, quantity.end):
        return "aside"
    if _OF_A_NUMBER.match(text, quantity.end) or re.match(
        r"\s*[x×]\s*10|[²³^*]", text[quantity.end :]
    ):
        return "aside"
    if _EXAMPLES.search(text, 0, quantity.start):
        return "aside"
    if _POINTS_AFTER.match(text, quantity.end) or (
        quantity.side is None and quantity.time is None and _POINTS_BEFORE.search(before)
    ):
        return "points"
    return "value"


def _with_ranges(found: list[Quantity], text: str) -> list[Quantity]:
    ranged = list(found)
    for place, (first, second) in enumerate(pairwise(found)):
        between = text[first.end : second.start]
        joined = _RANGE.fullmatch(between)
        if not joined or "points" in (first.role, second.role) or second.shape == "code":
            continue
        if _EXTENT.search(text, 0, first.start):
            ranged[place] = replace(first, role="aside")
            ranged[place + 1] = replace(second, role="aside")
            continue
        if re.search(r"\band\b", joined.group(), re.IGNORECASE) and not re.search(
            r"\bbetween\s*$", text[: first.start], re.IGNORECASE
        ):
            continue
        begun = ranged[place]
        if second.time is None and begun.time is not None:
            second = replace(second, time=begun.time, carried=True)
            ranged[place + 1] = second
        clocked = (second.time or begun.time) in _CLOCKED
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
        words = re.sub(r"\b(?:at least|at most|below|above|over|under|more than|less than|before|after|from|to|up|the|within|first|then|its|hour|included|excluded|inclusive|exclusive)\b|[()]", " ", between)  # fmt: skip
        near = _ENUMERATION.fullmatch(between) or re.fullmatch(
            r"\s*(?:,|/|and|or|–|-|\s)*\s*", words
        )
        if near and first.time is None and second.time is not None:
            listed[place] = replace(first, time=second.time, carried=True)
    for place in range(1, len(listed)):
        first, second = listed[place - 1], listed[place]
        if second.side is None and _ENUMERATION.fullmatch(text[first.end : second.start]):
            listed[place] = replace(second, loose=first.side or first.loose)
    return listed


def _said(text: str) -> bool | None:
    """Tell whether a text says included, excluded, or neither or both."""
    without = _EXCLUDED.sub(" ", text)
    excluded, included = without != text, bool(_INCLUDED.search(without))
    return None if excluded == included else included


def _with_openness(found: list[Quantity], text: str) -> list[Quantity]:
    timed = [place for place, quantity in enumerate(found) if quantity.time]
    if not timed:
        return found
    both = bool(_BOTH.search(text))
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
            closed = _said(text)
        said[place] = replace(quantity, closed=closed)
    return said


def _under_header(quantity: Quantity, text: str, header: str) -> Quantity:
    alone = re.fullmatch(r"\s*[-−]?[\d.,]+\s*", text) is not None
    if (
        quantity.time is None
        and (unit := re.search(rf"\b({_UNIT})\b", header, re.IGNORECASE))
        and alone
    ):
        quantity = replace(quantity, time=_TIME_UNITS[unit[1].lower()], carried=True)
    if quantity.side is None and alone:
        for side, direction, pattern in _COMPARED_BEFORE:
            if pattern.search(header + " "):
                quantity = replace(quantity, side=side, direction=direction)
                break
    if _ASIDE_HEADER.fullmatch(header.strip()):
        return replace(quantity, role="aside")
    if alone and quantity.side is None and _POINTS_HEADER.search(header):
        quantity = replace(quantity, role="points")
    return quantity
