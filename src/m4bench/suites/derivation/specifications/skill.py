# SPDX-License-Identifier: MIT
"""A skill's folder held against the Agent Skills rules and ours. Knows the names of derived tables, no fact."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from m4bench.model.errors import InputError
from m4bench.suites.derivation.specifications.statements import Statement, read_text, statements

SKILL_FILE = "SKILL.md"
MOST_FILES = 100
_READ_AT_ONCE = 2_000

_FRONT_MATTER = re.compile(r"\A---[ ]*\n(?P<yaml>.*?)^---[ ]*$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^ *(?:```|~~~)[ ]*(?P<language>\w*)")
_SQL = re.compile(
    r"\bSELECT\b[^.;|]{0,400}?\bFROM\s+[\"`\w]+|\bWITH\s+\w+\s+AS\s*\(|\bCASE\s+WHEN\b|\bGROUP\s+BY\b|\bORDER\s+BY\b"
    r"|\b(?:LEFT|INNER|CROSS|FULL|RIGHT)\s+(?:OUTER\s+)?JOIN\b|\bselect\s+[\w.*, `\n]{1,400}\s+from\s+`?\w+\.\w+"
)
_DERIVED = re.compile(r"\bmimiciv_derived\.\w+")
_IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
_PATH = re.compile(
    r"(?<![\w/:.<])(?:~|\.{1,2})?/[\w.-]+/"
    r"|(?<![\w/:.])(?:~|\.{1,2})/[\w.-]+"
    r"|\b[A-Za-z]:\\\w+"
    r"|\w-*\.(?:py|sql|sh|ipynb|parquet|duckdb)\b"
    r"|[\w.-]/[\w-]+\.(?:csv|md|json|toml|ya?ml|txt|html)\b"
)
_URL = re.compile(r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.)\S+", re.IGNORECASE)
_LINK = re.compile(r"\]\(\s*<?(?P<target>[^)\s>]*)")
_WEB = re.compile(r"(?:https?://|doi:|10\.\d{4,}/)", re.IGNORECASE)
_UNEXPECTED = re.compile(r"Unexpected fields in frontmatter: (?P<field>[^,.]+)")
_ABSENT = re.compile(
    r"\b(?:absent|unavailable|removed|gone|(?:be|are|is) missing|not (?:be )?(?:there|available|present)"
    r"|(?:do|may|might|does|need) not exist|not be available)\b",
    re.IGNORECASE,
)
_CITING = frozenset({"sources", "references", "sources and references", "literature", "provenance"})


@dataclass(frozen=True)
class Finding:
    """Something wrong with a text; `line` counts from 1, None where it is about a whole file."""

    file: str
    line: int | None
    problem: str


@dataclass(frozen=True)
class Skill:
    """A skill as its folder holds it: texts by path from the folder, and every other path below it."""

    name: str
    folder: Path
    texts: dict[str, str]
    others: tuple[str, ...]

    def statements(self) -> dict[str, tuple[Statement, ...]]:
        """Return the statements of each text, SKILL.md first."""
        return self._statements

    @cached_property
    def _statements(self) -> dict[str, tuple[Statement, ...]]:
        return {name: statements(text) for name, text in self.texts.items()}


def read_skill(path: Path) -> Skill:
    """Read a skill from its folder, or from the folder of its SKILL.md.

    Raises:
        InputError: there is no SKILL.md, or a text is not UTF-8 or larger than 200 kB.
    """
    if path.is_file() and path.name == SKILL_FILE:
        path = path.parent
    if not path.is_dir():
        raise InputError(
            "is no folder of a skill",
            file=path,
            remedy="name a folder that holds SKILL.md, that file, or a skill that comes with m4bench",
        )
    if not (path / SKILL_FILE).is_file():
        raise InputError(f"has no {SKILL_FILE}", file=path, remedy="a skill is a folder with one")
    names: list[str] = []
    for file in path.rglob("*"):
        if len(names) == MOST_FILES:
            raise InputError(f"holds more than {MOST_FILES} files", file=path)
        if file.is_symlink() or not file.is_dir():
            names.append(file.relative_to(path).as_posix())
    texts = [
        SKILL_FILE,
        *sorted(name for name in names if name.endswith(".md") and name != SKILL_FILE),
    ]
    read = {name: read_text(path / name) for name in texts if not _hidden(name)}
    others = tuple(sorted(name for name in names if name not in read))
    return Skill(path.absolute().name, path, read, others)


def _hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def format_findings(
    skill: Skill, derived: Collection[str] = (), columns: Collection[str] = ()
) -> list[Finding]:
    """Return what is wrong with the form of a skill.

    Args:
        skill: the skill.
        derived: names of derived tables, which may be absent where the skill is used.
        columns: names of columns; a table named like one cannot be told from it.
    """
    tables = {name for name in derived if "_" in name} - set(columns)
    found = [*_front_matter(skill), *_files(skill)]
    for name, text in skill.texts.items():
        found += _text(name, text, tables)
    if not any(
        _ABSENT.search(one.text) and re.search(r"\btables?\b", one.text, re.IGNORECASE)
        for told in skill.statements().values()
        for one in told
    ):
        problem = "nowhere says that the tables asked for, and derived ones, may be absent"
        found.append(Finding(SKILL_FILE, None, problem))
    return found


def _front_matter(skill: Skill) -> Iterator[Finding]:
    import yaml
    from skills_ref.errors import ParseError
    from skills_ref.parser import parse_frontmatter
    from skills_ref.validator import validate_metadata

    text = skill.texts[SKILL_FILE]
    try:
        fields, body = parse_frontmatter(text)
    except ParseError as error:
        yield Finding(SKILL_FILE, 1, " ".join(str(error).split()))
        return
    problems = validate_metadata(_as_texts(fields), Path(skill.name))
    for problem in problems:
        yield Finding(SKILL_FILE, _line_of_field(text, problem), problem)
    if not body.strip():
        yield Finding(SKILL_FILE, None, "says nothing below its front matter")
    matter = _FRONT_MATTER.match(text)
    if matter is None:
        yield Finding(SKILL_FILE, 1, "front matter does not end in a line of its own with ---")
        return
    try:
        declared = yaml.safe_load(matter["yaml"])
    except yaml.YAMLError:
        yield Finding(SKILL_FILE, 1, "front matter is no YAML that every reader takes")
        return
    yield from _metadata(text, declared.get("metadata") if isinstance(declared, dict) else None)


def _as_texts(fields: dict[str, Any]) -> dict[str, Any]:
    """Return front matter whose name and description are texts, as the validator expects them."""
    return {
        name: value if isinstance(value, (str, dict)) else str(value)
        for name, value in fields.items()
    }


def _metadata(text: str, metadata: Any) -> Iterator[Finding]:
    if metadata is None:
        return
    if not isinstance(metadata, dict):
        yield Finding(
            SKILL_FILE, _line_with(text, "metadata"), "metadata is no table of names and texts"
        )
        return
    for name, value in metadata.items():
        if not isinstance(value, str):
            yield Finding(
                SKILL_FILE,
                _line_with(text, str(name)),
                f"metadata: the value of {name} is no text; put it in quotation marks",
            )


def _line_of_field(text: str, problem: str) -> int | None:
    if unexpected := _UNEXPECTED.search(problem):
        return _line_with(text, unexpected["field"])
    for field in ("name", "description", "compatibility", "license", "metadata"):
        if re.search(rf"\b{field}\b", problem, re.IGNORECASE):
            return _line_with(text, field)
    return 1


def _line_with(text: str, field: str) -> int | None:
    for number, line in enumerate(text.split("\n"), start=1):
        if re.match(rf"\s*[\"']?{re.escape(field)}[\"']?\s*:", line):
            return number
    return 1


def _files(skill: Skill) -> Iterator[Finding]:
    for name in skill.others:
        what = "is hidden" if _hidden(name) else "is no Markdown text"
        yield Finding(name, None, f"{what}; a skill holds .md files and nothing else")
    for name in skill.texts:
        if (skill.folder / name).is_symlink():
            yield Finding(name, None, "is a link to another file")


def _text(name: str, text: str, tables: Collection[str]) -> Iterator[Finding]:
    lines = text.split("\n")
    matter = _FRONT_MATTER.match(text)
    begin = matter.group().count("\n") + 1 if matter else 0
    citing = False
    for number, line in enumerate(lines[begin:], start=begin + 1):
        heading = re.match(r" {0,3}#{1,6} +(?P<title>.*)", line)
        if heading:
            citing = heading["title"].strip(" #:\t").lower() in _CITING
        for begins in range(0, len(line), _READ_AT_ONCE):
            part = line[begins : begins + _READ_AT_ONCE]
            yield from (Finding(name, number, problem) for problem in _line(part, tables, citing))
    body = "\n".join(lines[begin:])
    for match in _SQL.finditer(body):
        yield Finding(name, begin + 1 + body.count("\n", 0, match.start()), "holds a query")


def _line(line: str, tables: Collection[str], citing: bool) -> Iterator[str]:
    fence = _FENCE.match(line)
    if fence and "sql" in fence["language"].lower():
        yield "begins a block of SQL"
    if found := _DERIVED.search(line):
        yield f"names the derived table {found.group().split('.')[1]}, which may be absent"
    for word in sorted({*_IDENTIFIER.findall(line)} & set(tables)):
        if not found or word not in found.group():
            yield f"names the derived table {word}, which may be absent"
    without = _URL.sub(" ", _LINK.sub("](", line))
    if _PATH.search(without):
        yield "holds a path of files"
    for target in (
        *(m["target"] for m in _LINK.finditer(line)),
        *_URL.findall(_LINK.sub("](", line)),
    ):
        if not _WEB.match(target):
            yield "holds a link to something that is no web address or DOI"
        elif not citing:
            yield "holds a link outside the section Sources"
