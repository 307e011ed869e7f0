# SPDX-License-Identifier: MIT
r"""Tables as LaTeX ready to be read by `\input`, which no text of a run can break out of. Knows no run.

What is written compiles with pdfLaTeX and its default fonts; it takes the packages `booktabs`, `array`
and, for long tables, `longtable`. Letters these fonts lack are told by their code point.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from m4bench.report.exhibits import Table
from m4bench.report.wording import foreign

LONG = 40
DECIMALS = 3
SMALLEST_P = 0.0001
# How many letters of a size a line of the article class has room for, and what two columns stand apart.
SIZES = (("small", 68), ("footnotesize", 74), ("scriptsize", 80))
APART = 2
NARROWEST = 13
WIDEST = 16  # of a line of a title
ABSENT = " A dash stands where a value was not determined."
# Where a long word may break: after a sign between its parts, or within letters that have none.
_BREAKS = re.compile(
    r"(\\_|(?<!\$)[-:@/=](?=[^\s$])|\.(?=[^\s\d])|[A-Za-z0-9]{16}(?=[A-Za-z0-9]{5}))"
)
# A number as campaigns write it, with its sign, its bounds or what it is of: its column is set to the right.
_FIGURE = re.compile(r"n\. d\.|(?:Holm )?[-+−<>]?\$?\d[\d.,]*|\d+ of \d+|\[[^\[\]]+\]")
_THIN = ".,[] "
_APART = re.compile(r"_| · ")

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "'": r"\char39{}",
    "`": r"\char96{}",
    # After the end of a row these two would be its options.
    "[": "{[}",
    "*": "{*}",
}
_LETTERS = {
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "✓": r"$\surd$",
    "†": r"\dag{}",
    "°": r"$^{\circ}$",
    "²": "$^2$",
    "³": "$^3$",
    "µ": r"$\mu$",
    "μ": r"$\mu$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "Δ": r"$\Delta$",
    "§": r"\S{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "å": r"\aa{}",
    "Å": r"\AA{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\u2009": r"\,",
    "\u2011": "-",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_LIGATURE = re.compile(r"([-,])(?=\1)")  # two of these would become one sign


class _Column(NamedTuple):
    """A column as it is set: its decimals where it is of numbers, its width in letters, and how many it may take.

    `room` is None where nothing has to be broken; `right` where it is set to the right, as figures are.
    """

    name: str
    numeric: bool
    decimals: int
    width: int
    room: int | None = None
    right: bool = False


def text(value: object) -> str:
    """Return a text on one line in which no sign means anything to LaTeX and every letter can be set."""
    letters = "".join(_letter(letter) for letter in unicodedata.normalize("NFC", foreign(value)))
    return _LIGATURE.sub(r"\1{}", letters)


def table(exhibit: Table) -> str:
    r"""Return a table with caption and the label `tab:` and its name, to be read by `\input`.

    A long one goes on over pages. Numbers of a column have the same decimals and are set to the right, so that
    their points stand below each other; a column whose texts are long breaks its lines.
    """
    exhibit = exhibit.in_print or exhibit
    rows = exhibit.rows
    names, alike = _shown(exhibit)
    columns = [_column(name, [row[name] for row in rows]) for name in names]
    absent = (
        ABSENT if any(_is_absent(row[one.name], one) for row in rows for one in columns) else ""
    )
    head = f"% {exhibit.name}: needs \\usepackage{{booktabs,array,longtable}}\n"
    words = f"{text(exhibit.title)}. {_sentence(exhibit.caption + alike + absent)}"
    caption = f"\\caption{{{words}}}\\label{{tab:{exhibit.name}}}"
    columns, size, letters = _fitted(columns)
    layout = "".join(_aligned(column, letters) for column in columns)
    titles = _line([_title(column) for column in columns])
    lines = [
        _above(exhibit, place, len(columns), letters)
        + _line([_cell(row[column.name], column) for column in columns])
        for place, row in enumerate(rows)
    ]
    if len(rows) > LONG:
        return head + _long(caption, layout, titles, lines, size, len(columns))
    body = "\n".join(
        [
            r"\begin{table}[htbp]",
            r"\centering",
            r"\setlength{\belowcaptionskip}{\medskipamount}",
            caption,
            size,
            r"\setlength{\tabcolsep}{4pt}",
            f"\\begin{{tabular}}{{{layout}}}",
            r"\toprule",
            titles,
            r"\midrule",
            *(lines or [f"\\multicolumn{{{len(columns)}}}{{l}}{{no rows}} \\tabularnewline"]),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )
    return f"{head}{body}\n"


def _above(exhibit: Table, place: int, columns: int, letters: int) -> str:
    """Return what stands above a row: the heading of those that begin with it, or a little space."""
    rows, heading, space = exhibit.rows, exhibit.headed_by, exhibit.spaced_by
    if heading and (place == 0 or rows[place][heading] != rows[place - 1][heading]):
        said = str(rows[place][heading])
        aligned = "l" if len(said) < letters - APART else r"p{0.95\linewidth}"
        rule = "\\midrule\n" if place else ""
        cell = f"\\multicolumn{{{columns}}}{{{aligned}}}{{\\textit{{{text(said)}}}}}"
        return f"{rule}{cell} \\tabularnewline\n\\noalign{{\\nobreak}}\n"
    if space and place and rows[place][space] != rows[place - 1][space]:
        return "\\addlinespace\n"
    return ""


def _long(
    caption: str, layout: str, titles: str, lines: Sequence[str], size: str, columns: int
) -> str:
    body = "\n".join(
        [
            r"\begingroup",
            size,
            r"\setlength{\tabcolsep}{4pt}",
            f"\\begin{{longtable}}{{{layout}}}",
            f"{caption}\\tabularnewline",
            r"\toprule",
            titles,
            r"\midrule",
            r"\endfirsthead",
            r"\toprule",
            titles,
            r"\midrule",
            r"\endhead",
            r"\midrule",
            f"\\multicolumn{{{columns}}}{{r}}{{goes on}} \\tabularnewline",
            r"\endfoot",
            r"\bottomrule",
            r"\endlastfoot",
            *lines,
            r"\end{longtable}",
            r"\endgroup",
        ]
    )
    return f"{body}\n"


def _shown(exhibit: Table) -> tuple[list[str], str]:
    """Return the columns that stand in print, and what to say of those left out.

    They are those that the table names, or all, but for texts that are the same in every row.
    """
    beside = {exhibit.headed_by, exhibit.spaced_by}
    every = [name for name in exhibit.rows[0] if name not in beside] if exhibit.rows else []
    every = every or ["nothing"]
    named = [name for name in every if name in exhibit.printed] or every
    alike = [name for name in named if _alike([row[name] for row in exhibit.rows])]
    said = [f"{name.replace('_', ' ')} {exhibit.rows[0][name] or 'not told'}" for name in alike]
    shown = [name for name in named if name not in alike]
    return (shown, f" In all rows: {', '.join(said)}." if said else "") if shown else (named, "")


def _alike(values: Sequence[Any]) -> bool:
    """Tell whether a column has the same text in each of several rows."""
    return len(values) > 1 and len(set(values)) == 1 and isinstance(values[0], str)


def _column(name: str, values: Sequence[Any]) -> _Column:
    found = [value for value in values if value is not None]
    numeric = bool(found) and all(_is_number(value) for value in found)
    decimals = _decimals(name, found) if numeric else 0
    words = max(len(line) for line in _lines_of(name))
    right = numeric or (bool(found) and all(_is_figure(value) for value in found))
    unset = _Column(name, numeric, decimals, 0, right=right)
    longest = max((_length(value, unset) for value in found), default=0)
    if right and not numeric:
        longest = max(math.ceil(len(one) - sum(map(one.count, _THIN)) / 2) for one in found)
    return unset._replace(width=max(words, longest))


def _length(value: Any, column: _Column) -> int:
    """Return about how many letters a cell takes."""
    return len(f"{value:.{column.decimals}f}") if column.numeric else len(foreign(value))


def _fitted(columns: Sequence[_Column]) -> tuple[list[_Column], str, int]:
    """Return the columns with the room they have, the size they are set in, and the letters of a line of it.

    The largest size in which all fit; where they fit in none, the widest texts are broken.
    """
    apart = APART * len(columns)
    for size, letters in SIZES:
        if sum(column.width for column in columns) + apart <= letters:
            return list(columns), f"\\{size}", letters
    size, letters = SIZES[-1] if len(columns) > 3 else SIZES[0]
    return _narrowed(columns, letters - apart), f"\\{size}", letters


def _narrowed(columns: Sequence[_Column], letters: int) -> list[_Column]:
    """Return the columns with the widest texts cut to one width, so that all take no more than so many letters."""
    left = letters - sum(column.width for column in columns if column.right)
    texts = sorted(column.width for column in columns if not column.right)
    room = NARROWEST
    for place, width in enumerate(texts):
        share = left // (len(texts) - place)
        if width > share:
            room = max(share, NARROWEST)
            break
        left -= width
    return [
        column._replace(room=room) if not column.right and column.width > room else column
        for column in columns
    ]


def _decimals(name: str, values: Sequence[float]) -> int:
    """Return how many decimals tell the numbers of a column apart without more than four digits of most."""
    if all(isinstance(value, int) for value in values):
        return 0
    if name.startswith("p_") or name.endswith(("_p", "sign_flip")):
        return DECIMALS + 1
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return DECIMALS if largest < 10 else 2 if largest < 100 else 1


def _aligned(column: _Column, letters: int) -> str:
    if column.room is None:
        return "r" if column.right else "l"
    return f">{{\\raggedright\\arraybackslash}}p{{{column.room / letters:.2f}\\linewidth}}"


def _lines_of(title: str) -> list[str]:
    """Return the lines of a title: its words, and of a long one its parts, as many as a line has room for."""
    lines: list[str] = []
    for word in _APART.split(title):
        line = ""
        for part in re.findall(r"[^-]*-|[^-]+", word) or [""]:
            if line and len(line) + len(part) > WIDEST:
                lines.append(line)
                line = ""
            line += part
        lines.append(line)
    return lines


def _title(column: _Column) -> str:
    """Return the title of a column, a word a line where it is longer than what stands below it."""
    words = [text(word) for word in _lines_of(column.name)]
    if column.room is not None or len(column.name) <= column.width or len(words) == 1:
        return " ".join(words)
    side = "r" if column.right else "l"
    lines = r" \\ ".join(words)
    return f"\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{lines}\\end{{tabular}}"


def _cell(value: Any, column: _Column) -> str:
    if value is None:
        return "--" if column.numeric else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not _is_number(value):
        return text(value) if column.room is None else _broken(foreign(value), column.room)
    if isinstance(value, float) and not math.isfinite(value):
        return "--"
    if column.decimals > DECIMALS and 0 < value < SMALLEST_P:
        return f"$<${SMALLEST_P:.4f}"
    shown = f"{abs(value):.{column.decimals}f}"
    return f"$-${shown}" if value < 0 and float(shown) else shown


def _broken(shown: str, room: int) -> str:
    """Return a text that may break between its words, and within those alone that are too long for a line."""
    words = [
        _BREAKS.sub(r"\1\\allowbreak{}", text(word))
        if len(word) > room - APART
        else f"\\mbox{{{text(word)}}}"
        if "-" in word
        else text(word)
        for word in shown.split(" ")
    ]
    return " ".join(words).replace(" $-$ ", "~$-$ ")


def _is_figure(value: Any) -> bool:
    """Tell whether a text is a number as it is written for readers, or that there is none."""
    return isinstance(value, str) and (not value or bool(_FIGURE.fullmatch(value)))


def _is_absent(value: Any, column: _Column) -> bool:
    if value is None:
        return column.numeric
    return isinstance(value, float) and not math.isfinite(value)


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\tabularnewline"


def _sentence(caption: str) -> str:
    """Return a caption as text whole: it is ours, and may be longer than what others wrote."""
    pieces = re.findall(r"\S.{0,299}(?!\S)|\S+", caption)
    return " ".join(text(piece.strip()) for piece in pieces)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _letter(letter: str) -> str:
    if letter in _SIGNS:
        return _SIGNS[letter]
    if " " <= letter <= "~":
        return letter
    if letter in _LETTERS:
        return _LETTERS[letter]
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0])
        return f"\\{_ACCENTS[parts[1]]}{{{base}}}"
    return f"U+{ord(letter):04X}"
