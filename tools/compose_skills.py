# SPDX-License-Identifier: MIT
"""Writes the skills that agents are given from the skills as authored, with shared sections filled in.

Usage: python tools/compose_skills.py [--check] [NAME...]

Each `tools/skills/<name>.md` becomes `tasks/<family>/skills/<name>/SKILL.md`, the family being the one its
front matter names as `metadata.family`. A line `{{ block: NAME }}` is replaced by `tools/skills/blocks/NAME.md`.
It needs Python alone, and it does not know what a skill says. With --check nothing is written, and a file
that is not as it would be written is a problem. Exit 2 with one line a problem; what is sound is written
all the same, so that one author's slip does not hold up another.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
AUTHORED = ROOT / "tools" / "skills"
TASKS = ROOT / "src" / "m4bench" / "suites" / "derivation" / "tasks"
SKILL = "SKILL.md"
_BLOCK = re.compile(r"[ \t]*\{\{ *block: *(?P<name>[a-z0-9][a-z0-9-]*) *\}\}[ \t]*")
_FRONT_MATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n", re.DOTALL)
_NAME = re.compile(r"^name:[ \t]*[\"']?(?P<value>[^\s\"']+)", re.MULTILINE)
_FAMILY = re.compile(
    r"^metadata:[ \t]*\n(?:[ \t]+.*\n)*?[ \t]+family:[ \t]*[\"']?(?P<value>[^\s\"']+)", re.MULTILINE
)


class Problem(Exception):  # noqa: N818 # printed as a line, never a fault of the program
    """Something an author has to mend; its text is one line."""


def read(path: Path) -> str:
    """Return a text with one newline at its end."""
    try:
        return path.read_text(encoding="utf-8").strip() + "\n"
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: is not UTF-8 text") from error


def family_of(path: Path, text: str) -> str:
    """Return the family a skill's front matter names; its name must be the file's."""
    found = _FRONT_MATTER.match(text)
    fields = found["fields"] + "\n" if found else ""
    name, family = _NAME.search(fields), _FAMILY.search(fields)
    if name is None or name["value"] != path.stem:
        raise Problem(f"{path}: its front matter does not say name: {path.stem}")
    if family is None:
        raise Problem(f"{path}: its front matter has no metadata.family")
    return family["value"]


def filled(path: Path, blocks: dict[str, str], used: set[str]) -> str:
    """Return a skill with its blocks in place; the names of these are added to `used`."""
    lines: list[str] = []
    for number, line in enumerate(read(path).splitlines(), start=1):
        found = _BLOCK.fullmatch(line)
        if found is None:
            if "{{" in line or "}}" in line:
                raise Problem(
                    f"{path}:{number}: a block stands alone on its line: {{{{ block: NAME }}}}"
                )
            lines.append(line)
            continue
        used.add(found["name"])
        if found["name"] not in blocks:
            known = ", ".join(sorted(blocks)) or "none"
            raise Problem(
                f"{path}:{number}: no block is called {found['name']}; there are: {known}"
            )
        lines.append(blocks[found["name"]].rstrip("\n"))
    return "\n".join(lines) + "\n"


def write(target: Path, text: str) -> None:
    """Write a file beside its place and rename it there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(target)


def compose(authored: Path, tasks: Path, names: list[str], *, check: bool) -> Iterator[str]:
    """Write or compare the named skills, or all, and yield what is wrong."""
    blocks: dict[str, str] = {}
    for path in sorted((authored / "blocks").glob("*.md")):
        blocks[path.stem] = read(path)
        if "{{" in blocks[path.stem]:
            yield f"{path}: a block holds no other"
    used: set[str] = set()
    targets: set[Path] = set()
    sources = {path.stem: path for path in sorted(authored.glob("*.md"))}
    for name in names:
        if name not in sources:
            yield f"no skill is called {name}; there are: {', '.join(sources) or 'none'}"
    for name, path in sources.items():
        try:
            text = filled(path, blocks, used)
            family = family_of(path, text)
            if not (tasks / family).is_dir():
                raise Problem(f"{path}: no family is called {family}")
            target = tasks / family / "skills" / name / SKILL
            targets.add(target)
            if names and name not in names:
                continue
            if not target.is_file() or target.read_bytes() != text.encode():
                if check:
                    raise Problem(f"{target}: is not what {path} says; run make skills")
                write(target, text)
                print(f"wrote {target}")
        except Problem as problem:
            yield str(problem)
    if names:
        return
    yield from (
        f"{authored / 'blocks' / name}.md: no skill uses it" for name in blocks if name not in used
    )
    for kept in sorted(tasks.glob(f"*/skills/*/{SKILL}")):
        if kept not in targets and kept.parent.name not in sources:
            yield f"{kept}: no skill of this name is authored in {authored}"


def main() -> int:
    """Compose the skills; return 2 when something has to be mended."""
    parser = argparse.ArgumentParser(description="Write the skills from tools/skills.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--from", dest="authored", type=Path, default=AUTHORED)
    parser.add_argument("--to", dest="tasks", type=Path, default=TASKS)
    given = parser.parse_args()
    problems = list(compose(given.authored, given.tasks, given.names, check=given.check))
    for problem in problems:
        print(problem.replace(f"{ROOT}/", ""), file=sys.stderr)
    return 2 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
