# SPDX-License-Identifier: MIT
"""The words by which clinicians compare, bound and set aside numbers, as patterns. Knows no statement."""

import re
from decimal import Decimal
from typing import Literal

Direction = Literal["up", "down"]
Side = Literal["upper", "lower"]

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
MINUTES = {
    "second": Decimal(1) / 60,
    "minute": Decimal(1),
    "hour": Decimal(60),
    "day": Decimal(1440),
    "week": Decimal(10080),
    "month": Decimal(43830),
    "year": Decimal(525960),
}
TIME_UNITS = {
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
} | {name + end: name for name in MINUTES for end in ("", "s")}
CLOCKED = frozenset(MINUTES) - {"year"}
UNIT = "|".join(sorted(map(re.escape, TIME_UNITS), key=len, reverse=True))

TOKEN = re.compile(
    r"(?P<code>(?<![\w.])[A-TV-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?(?![\w]))"
    r"|(?P<date>\b\d{4}-(?:0\d|1[0-2])(?:-\d\d)?(?!\d)|\b\d{1,2}:\d\d(?::\d\d)?)"
    r"|(?P<number>(?:(?<=[\s(\[<>=≤≥±,/])|\A)[-−](?=\d)|(?<![\w.])(?<![A-Za-z]-)(?=\.?\d))"
    r"(?P<digits>(?:\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
    r"|(?<![\w-])(?P<large>(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|a) )?(?:hundred )?thousand)(?![\w-])"
    rf"|(?<![\w-])(?P<word>{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?![\w-])"
    rf"(?=[\s-]+(?:full |whole |trailing |more |further )?(?:{UNIT})\b)",
    re.IGNORECASE,
)
CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?")
ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
FOLLOWING_UNIT = re.compile(rf"[\s-]*(?P<unit>{UNIT})(?![\w/²^])", re.IGNORECASE)
UNIT_BEFORE = re.compile(r"\b(?P<unit>hour|day|minute)s?\s+$", re.IGNORECASE)

NOT = r"(?:not|never|no|nothing)"
MORE = r"(?:more|greater|higher|larger|older|longer|later)"
LESS = r"(?:less|lower|fewer|smaller|younger|shorter|earlier)"
BEFORE: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "down", r"up to,? but (?:not (?:including|with)|excluding|without)|to (?:just )?below|short of"),
    ("upper", "up", rf"at or (?:above|over)|{NOT} {LESS} than|{NOT} (?:below|under)"),
    ("upper", "up", rf"{MORE} than or equal(?: to)?|equal(?: to)? or (?:{MORE} than|above|over)"),
    ("upper", "up", r"at least|≥|>\s*=|=\s*>|(?:a )?minimum of|reach(?:es|ing)?"),
    ("lower", "down", rf"at or (?:below|under)|{NOT} {MORE} than|{NOT} (?:above|over|beyond|exceeding)"),
    ("lower", "down", rf"{LESS} than or equal(?: to)?|equal(?: to)? or (?:{LESS} than|below|under)"),
    ("lower", "down", r"at most|≤|<\s*=|=\s*<|(?:a )?maximum of|up to(?: and including)?|through|does not exceed"),
    ("lower", "down", r"(?:to|until) and including"),
    ("upper", "down", rf"below|under|{LESS} than|beneath|<"),
    ("lower", "up", rf"above|over|{MORE} than|exceed(?:s|ed|ing)?|beyond|>"),
)  # fmt: skip
FROM: tuple[tuple[Side, Direction, str], ...] = (("upper", "up", "from|starting (?:at|from)"),)
TIMED_BEFORE: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "up", rf"at or after|{NOT} (?:before|earlier than)"),
    ("lower", "down", rf"at or before|{NOT} (?:after|later than)"),
    ("upper", "down", "before|until|earlier than"),
    ("lower", "up", "after|later than"),
)
AFTER: tuple[tuple[Side, Direction, str], ...] = (
    ("upper", "up", rf"(?:or|and) (?:{MORE}|above|over|up(?:wards?)?)\b(?!\s*(?:than|\d))|\+(?!\s*\d)"),
    ("lower", "down", rf"(?:or|and) (?:{LESS}|below|under|down(?:wards?)?)\b(?!\s*(?:than|\d))"),
)  # fmt: skip
FILLER = (
    r"(?:\s+(?:a|an|the|about|exactly|value|values|rate|score|total|of|hour|day|hours|minutes))*"
)
COMPARING = re.compile("|".join(f"(?:{words})" for _, _, words in (*BEFORE, *FROM)), re.IGNORECASE)
ASIDE_UNIT = r"(?:\s*[(\[][^()\[\]]{1,24}[)\]])?"
COMPARED_BEFORE, COMPARED_FROM, COMPARED_BEFORE_TIMES = (
    [
        (side, direction, re.compile(rf"(?:^|(?<![\w]))(?:{words}){FILLER}{ASIDE_UNIT}\s*:?\s*$", re.I))
        for side, direction, words in table
    ]
    for table in (BEFORE, FROM, TIMED_BEFORE)
)  # fmt: skip
SOME_UNIT = r"(?:[\s-]*(?:/?[A-Za-zµμ°%][\w/µμ°%²^·.]*|%))?(?: (?:of|per) \w+| celsius)?"
COMPARED_AFTER = [
    (side, direction, re.compile(rf"{SOME_UNIT}[\s,]*(?:{words})", re.I))
    for side, direction, words in AFTER
]
RANGE = re.compile(
    rf"{SOME_UNIT}\s*(?:\((?:in|ex)clu\w+\)|,? ?(?:in|ex)clu\w+,?)?\s*(?:to|through|–|-|—|…|\.\.\.?|and)"
    r"(?:\s+(?:just )?(?:below|under|less than|<|before))?\s*$",
    re.IGNORECASE,
)
DURING = re.compile(r"\b(?:over|under)\s*$", re.IGNORECASE)
DIVIDED = re.compile(r"(?:\d|\b(?:one|two|ten|hundred))\s+over\s*$", re.IGNORECASE)
EXTENT = re.compile(
    r"\b(?:lies?|ranges?|runs?|goes|reach(?:es)?) (?:is |are )?(?:from|between|of)?\s*$",
    re.IGNORECASE,
)
ENUMERATION = re.compile(
    rf"{SOME_UNIT}\s*(?:,|/|and|or|to|through|–|-|,\s*(?:and|or))\s*$", re.IGNORECASE
)
POINTS_BEFORE = re.compile(
    r"\b(?:scores?|gives?|counts?|adds?|grades?|stage|points?|=|→|->|:)\s*$", re.I
)
POINTS_AFTER = re.compile(r"\s*(?:points?|pts?)\b", re.IGNORECASE)
WORDED_POINTS = re.compile(
    r"(?<![\w.,-])(?P<number>\d+|one|two|three|four|five|six|seven|eight|nine|ten)[ -]"
    r"(?:more |extra |further )?(?:points?|pts?)\b",
    re.IGNORECASE,
)
POINTS_HEADER = re.compile(r"\b(?:points?|scores?|grades?|stage|weight)\b", re.IGNORECASE)
ASIDE_HEADER = re.compile(
    r"(?:order|rule|step|line|priority|rank|#|nr\.?|no\.?|label|labels|name|version|icd|icd version"
    r"|icd[ _]version|(?:first )?characters?(?: compared| taken)?)",
    re.IGNORECASE,
)
ASIDE_BEFORE = re.compile(
    r"(?:\b(?:rules?|steps?|sections?|tables?|fig(?:ure)?\.?|pages?|pp?\.|versions?|release|chapter|number|"
    r"no\.|faults?|criteri(?:on|a)|parts?|MIMIC-IV|eICU-CRD|eICU|ICD|level|type|class|doi|PMID|vol(?:ume)?\.?|"
    r"round(?:ed)? to|10\s*\^)\s*(?:\d+\s*(?:,|and|or|to|–|-)\s*)*)$",
    re.IGNORECASE,
)
ASIDE_AFTER = re.compile(
    r"[\s-]*(?:(?:full|further|other|different|separate|distinct|such|source|whole|single|organ|numbered|required|"
    r"output|laboratory|physiologic(?:al)?|possible|possibly|named|remaining|listed)\s+)*"
    r"(?:decimals?|decimal|digits?|significant|rows?|records?|columns?|components?|groups?|tables?|criteria|"
    r"items?|classes|class|stays?|patients?|organs?|variables?|parts?|bands?|lists?|codes?|characters?|letters?|"
    r"conditions?|agents?|drugs?|databases?|values?|rules?|steps?|letters?|categor(?:y|ies)|systems?|entries|"
    r"members?|sources?|identifiers?|tests?|m2|m²|meters?|"
    r"January|February|March|April|May|June|July|August|September|October|November|December)\b",
    re.IGNORECASE,
)
OF_A_NUMBER = re.compile(r"\s+of\s+(?:the\s+)?(?:\d|two|three|four|five|six|seven|eight)")
EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|for instance|examples?:|thus|such as|so that|here,)", re.IGNORECASE
)
EXAMPLES = re.compile(r"\b(?:e\.g\.|for example|for instance|examples?:)", re.IGNORECASE)
INCLUDED = re.compile(
    r"\bincluded\b|\binclusive(?:ly)?\b|\bincluding\b|\bclosed\b|\bat or (?:after|before|above|below)\b"
    r"|\bor (?:less|fewer|more|later|earlier|longer|shorter)\b|\bat (?:most|least)\b"
    r"|\b(?:not|no) (?:more|later|earlier|less|longer|fewer) than\b|[≤≥]|<=|>=|\bcounts? too\b|\bitself\b",
    re.IGNORECASE,
)
EXCLUDED = re.compile(
    r"\b(?:not|without|never|neither\b[^.;]{0,200}?) (?:itself |being )?(?:includ\w+|in it|within|counted)\b"
    r"|\bexcluded\b(?! from)|\bexclusive(?:ly)?\b"
    r"|\bexcluding\b|\bstrictly\b|\bopen\b|\b(?<!not )(?<!no )(?:less|fewer|shorter|more|longer) than\b(?! or equal)"
    r"|\bbut not (?:at|itself)\b|\b(?:is|are) out\b",
    re.IGNORECASE,
)
BOTH = re.compile(
    r"\b(?:both|all|each)(?: the| of its| of their)?(?: \w+)? (?:ends?|bounds?|limits?)\b(?: \w+)?"
    r"(?: are| is|:)? (?P<in>included|inclusive|in\b|closed)"
    r"|\bends (?:are )?(?P<in2>included)|\b(?P<in3>inclusive)(?: of)? (?:at )?both",
    re.IGNORECASE,
)


UNIT_OF_WORD = re.compile(
    rf"[\s-]+(?:full |whole |trailing |more |further )?(?P<unit>{UNIT})\b", re.IGNORECASE
)
JOINED_UNIT = re.compile(r"(?:mg|mcg|ml|l|g|kg|k|mmhg|mmol|meq|cm|x)\b", re.IGNORECASE)
BETWEEN_LISTED = re.compile(
    r"\b(?:at least|at most|below|above|over|under|more than|less than|before|after|from|to|up|the|within|first|then|"
    r"its|hour|included|excluded|inclusive|exclusive)\b|[()]"
)
