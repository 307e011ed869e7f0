# SPDX-License-Identifier: MIT
"""Markdown read as statements, each with its line and what it stands under. Knows no derivation and no medicine."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from m4bench.model.errors import InputError

if TYPE_CHECKING:
    from markdown_it.token import Token

LARGEST_TEXT = 200_000
LONGEST_STATEMENT = 4_000
CELL = "\t"

_FRONT_MATTER = re.compile(r"\A---[ ]*\n.*?^---[ ]*$\n?", re.MULTILINE | re.DOTALL)
_SENTENCE_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[A-Z0-9\"“(\[])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|approx|ca|cf|nos?|resp|incl|excl|fig|al|dr|art|ven|mix|st)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATED = 12
_SQL_BEGINS = re.compile(r"\A\s*(?:select|with|create|insert)\b", re.IGNORECASE)
_SHORT_LEAD = 12
_BREAKS = frozenset({"softbreak", "hardbreak"})


@dataclass(frozen=True)
class Statement:
    """A sentence, a bullet or a table row.

    Attributes:
        line: the line of the file it begins in, counted from 1.
        text: its words without markup; a row's cells stand between tabs, lines of the file end as they do there.
        sections: the headings above it, the outermost first.
        leads: the bullets it stands below and the line that announces its list or table, the nearest last.
        headers: of a row, the header cell above each of its cells.
        code: where words are set as code in it, as pairs of begin and end.
    """

    line: int
    text: str
    sections: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    code: tuple[tuple[int, int], ...] = ()

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """A row's cells; the whole text of any other statement."""
        return tuple(self.text.split(CELL)) if self.headers else (self.text,)

    @property
    def context(self) -> tuple[str, ...]:
        """What else says what the statement is about: headings but a text's own title, leads, header cells."""
        return (*self.sections[1:], *self.sections[-1:], *self.leads, *self.headers)

    def line_of(self, place: int) -> int:
        """Return the line of the file that holds a place in the text."""
        return self.line + self.text.count("\n", 0, place)

    def edited(self, start: int, end: int, text: str) -> "Statement":
        """Return the statement with a part of its text replaced; code around the part grows or shrinks with it."""
        longer = len(text) - (end - start)
        code = tuple(
            (begin + longer if begin >= end else begin, last + longer if last >= end else last)
            for begin, last in self.code
        )
        return replace(self, text=self.text[:start] + text + self.text[end:], code=code)


def read_text(path: Path) -> str:
    """Return a text file's content with plain line ends and without a byte order mark.

    Raises:
        InputError: it cannot be read, is not UTF-8, or is larger than a specification is.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputError("is no file", file=path)
        with path.open("rb") as stream:
            content = stream.read(LARGEST_TEXT + 1)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    if len(content) > LARGEST_TEXT:
        raise InputError(
            "is larger than 200 kB", file=path, remedy="a specification is read whole: shorten it"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", file=path, remedy="save it as UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a Markdown text in their order; front matter, queries and HTML are none.

    A paragraph is read sentence by sentence; a bullet's paragraph, a table row and a line of a code
    block are one statement each. Cells a row lacks are read as empty. What is longer than LONGEST_STATEMENT is
    read in pieces.
    """
    from markdown_it import MarkdownIt

    text = text.replace(CELL, "    ")
    matter = _FRONT_MATTER.match(text)
    if matter:
        text = "\n" * matter.group().count("\n") + text[matter.end() :]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return tuple(piece for one in _Reader().read(tokens) for piece in _pieces(one))


def _pieces(statement: Statement) -> Iterator[Statement]:
    """Yield a statement, or the pieces of one that is longer than anybody writes; pieces are no rows any more."""
    text = statement.text
    if len(text) <= LONGEST_STATEMENT:
        yield statement
        return
    begin = 0
    while begin < len(text):
        end = min(begin + LONGEST_STATEMENT, len(text))
        if end < len(text):
            end = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end), begin) or end
            end = end if end > begin else begin + LONGEST_STATEMENT
        piece = text[begin:end].replace(CELL, " ")
        yield replace(statement, line=statement.line_of(begin), text=piece, headers=(), code=())
        begin = end


@dataclass
class _Inline:
    text: str
    code: tuple[tuple[int, int], ...]
    line: int
    bold: str = ""

    def part(self, begin: int, end: int, offset: int = 0) -> tuple[tuple[int, int], ...]:
        """Return where code stands in a part of the text, told from `offset`."""
        within = self.code[bisect_left(self.code, (begin, begin)) :]
        return tuple(
            (first - begin + offset, last - begin + offset)
            for first, last in takewhile(lambda one: one[0] <= end, within)
            if last <= end
        )


def _inline(token: "Token") -> _Inline:
    text = ""
    code = []
    children = token.children or []
    for child in children:
        if child.type in _BREAKS:
            text += "\n"
        elif child.type == "html_inline":
            text += " "
        elif child.type == "code_inline":
            code.append((len(text), len(text) + len(child.content)))
            text += child.content
        elif child.type == "text":
            text += child.content
    line = (token.map or [0])[0] + 1
    return _Inline(text.replace(CELL, " "), tuple(code), line, _bold_begin(children))


def _bold_begin(children: "list[Token]") -> str:
    """Return what a paragraph begins with in bold, which names what it is about."""
    words: list[str] = []
    for child in children:
        if child.type == "strong_close":
            return "".join(words)
        if child.type == "text" and not words and not child.content.strip():
            continue
        if child.type not in ("strong_open", "text", "code_inline"):
            return ""
        if child.type == "text" and child is children[0]:
            return ""
        words.append(child.content)
    return ""


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        upto = end.start() + 1
        if _ABBREVIATED.search(text, max(begin, upto - _LONGEST_ABBREVIATED), upto):
            continue
        yield begin, text[begin : end.end()].rstrip()
        begin = end.end()
    if text[begin:].strip():
        yield begin, text[begin:].rstrip()


class _Reader:
    """Walks a document's tokens once, keeping what the next statement stands under."""

    def __init__(self) -> None:
        self.sections: list[tuple[int, str]] = []
        self.bullets: list[str] = []
        self.announced: list[str] = [""]
        self.headers: list[str] = []
        self.row: list[_Inline] = []

    def read(self, tokens: "list[Token]") -> Iterator[Statement]:
        holder = ""
        for token in tokens:
            match token.type:
                case "heading_open" | "paragraph_open" | "th_open" | "td_open":
                    holder = token.type
                    level = int(token.tag[1]) if holder == "heading_open" else 0
                case "inline":
                    yield from self._inline(_inline(token), holder, level)
                case "list_item_open":
                    self.bullets.append("")
                    self.announced.append("")
                case "list_item_close":
                    self.bullets.pop()
                    self.announced.pop()
                case "bullet_list_close" | "ordered_list_close" | "table_close":
                    self.announced[-1] = ""
                case "thead_open":
                    self.headers = []
                case "tr_open":
                    self.row = []
                case "tr_close" if self.row:
                    yield self._table_row()
                case "fence" | "code_block":
                    yield from self._code(token)

    def _inline(self, inline: _Inline, holder: str, level: int) -> Iterator[Statement]:
        if holder == "heading_open":
            while self.sections and self.sections[-1][0] >= level:
                self.sections.pop()
            self.sections.append((level, inline.text.strip()))
            self.announced = [""] * len(self.announced)
        elif holder == "th_open":
            self.headers.append(inline.text.strip())
        elif holder == "td_open":
            self.row.append(inline)
        elif inline.text.strip():
            yield from self._paragraph(inline)

    def _sections(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.sections)

    def _leads(self, *, announced: bool = True) -> tuple[str, ...]:
        above = self.announced if announced else self.announced[:-1]
        return tuple(dict.fromkeys(lead for lead in (*above, *self.bullets) if lead))

    def _paragraph(self, inline: _Inline) -> Iterator[Statement]:
        in_bullet = bool(self.bullets)
        whole = inline.text.rstrip()
        begins_bullet = in_bullet and not self.bullets[-1]
        bold = (inline.bold,) if inline.bold else ()
        for begin, sentence in [(0, whole)] if in_bullet else _sentences(whole):
            yield Statement(
                inline.line + inline.text.count("\n", 0, begin),
                sentence,
                self._sections(),
                (*self._leads(announced=False), *bold),
                code=inline.part(begin, begin + len(sentence)),
            )
        last = [sentence for _, sentence in _sentences(whole)][-1]
        announces = last.endswith(":") or len(last.split()) <= _SHORT_LEAD
        self.announced[-1] = last if announces else ""
        if begins_bullet:
            self.bullets[-1] = whole

    def _table_row(self) -> Statement:
        headers = [*self.headers, *[""] * (len(self.row) - len(self.headers))]
        cells: list[str] = []
        code: list[tuple[int, int]] = []
        for inline in self.row:
            begins = len(inline.text) - len(inline.text.lstrip())
            text = inline.text.strip()
            offset = sum(map(len, cells)) + len(cells)
            code += inline.part(begins, begins + len(text), offset)
            cells.append(text)
        return Statement(
            self.row[0].line,
            CELL.join(cells),
            self._sections(),
            self._leads(),
            headers=tuple(headers[: len(cells)]),
            code=tuple(code),
        )

    def _code(self, token: "Token") -> Iterator[Statement]:
        if token.info.strip().lower().startswith("sql") or _SQL_BEGINS.match(token.content):
            return
        first = (token.map or [0])[0] + (2 if token.type == "fence" else 1)
        for number, line in enumerate(token.content.split("\n")):
            if line.strip():
                yield Statement(first + number, line.strip(), self._sections(), self._leads())
