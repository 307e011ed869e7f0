# SPDX-License-Identifier: MIT
"""Writes the pages of the derivation library from its headers and SQL: one a derivation, and the conventions.

Usage: python tools/derivation_pages.py [--to docs/reference]

Writes `concepts/<name>.md`, `references/<name>.md` and `conventions.md`. A test compares them with what
this script writes, so run it (`make pages`) after a change to the library.
"""

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lineage_drawing import drawing

from m4bench.suites.derivation.library.catalogue import Derivation, Library, library
from m4bench.suites.derivation.library.header import Parameter
from m4bench.suites.derivation.library.resolution import Macro

ROOT = Path(__file__).parent.parent
GENERATED = "<!-- Written by tools/derivation_pages.py from the library; run `make pages`. -->\n\n"
UNSIGNED = "no clinician has signed it yet"
CONVENTIONS = ("published", "current", "adjudicated")
EFFECTS = "convention_effects"


def cell(text: str) -> str:
    """Return a text as a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def line(text: str) -> str:
    """Return a text on one line, without the stop it may end with where one follows."""
    return " ".join(text.split()).rstrip(".") if text.endswith(".") else " ".join(text.split())


def page(known: Library, derivation: Derivation) -> str:
    """Return the page of a concept or reference."""
    header = derivation.header
    key = ", ".join(f"`{name}`" for name in header.key or ())
    parts = [
        f"# {header.name}\n\n",
        GENERATED,
        "[All concepts and references](../concepts.md) · [Conventions](../conventions.md)\n\n",
        f"{header.title}: {header.grain}.\n\n",
        f"- Key: {key or 'none'}\n",
        f"- Source: {header.source}\n",
        f"- Rule numbers beside the clauses are those of the specification `{header.spec}`\n\n",
        _columns(derivation),
        _lineage(known, derivation),
        _conventions(known, derivation),
        _sql(known, derivation),
    ]
    return "".join(parts)


def _columns(derivation: Derivation) -> str:
    lines = ["## Columns\n\n", "| column | type | unit | meaning |\n|---|---|---|---|\n"]
    for column in derivation.written.header.columns:
        kinds = f"`{column.type}`" + "".join(
            f"; {name}: `{kind}`" for name, kind in sorted(column.types.items())
        )
        lines.append(
            f"| `{column.name}` | {kinds} | {cell(column.unit or '')} | {cell(column.meaning)} |\n"
        )
    return "".join([*lines, "\n"])


def _address(known: Library, name: str, kind: str) -> str | None:
    for other, derivations in (("concept", known.concepts), ("reference", known.references)):
        bare = name.removeprefix("reference ")
        if bare in derivations and name.startswith("reference ") == (other == "reference"):
            folder = "" if other == kind else f"../{other}s/"
            return f"{folder}{bare}.html"
    return None


def _lineage(known: Library, derivation: Derivation) -> str:
    target = _drawn_name(derivation)
    upstream = [known.concepts[name] for name in known.order(derivation.concepts)]
    arrows: dict[str, set[str]] = {}
    for each in (*upstream, derivation):
        sources = {name.partition(".")[2] for name in each.sources}
        arrows[_drawn_name(each)] = sources | set(each.concepts)
        arrows |= {name: set() for name in sources}
    readers: list[Derivation] = []
    if derivation.header.kind == "concept":
        readers = [
            each
            for each in (*known.concepts.values(), *known.references.values())
            if derivation.name in each.concepts
        ]
        arrows |= {_drawn_name(each): {target} for each in readers}
    drawn = drawing(
        arrows,
        target,
        lambda name: _address(known, name, derivation.header.kind),
        f"Lineage of {derivation.name}",
    )
    tables = ", ".join(f"`{name}`" for name in sorted(known.sources_of(derivation)))
    read_by = ", ".join(f"`{each.name}`" for each in readers) or "nothing in the library"
    lines = [
        "## Lineage\n\n",
        f'<div style="overflow-x:auto">{drawn}</div>\n\n',
        f"Rests on the source tables {tables}.",
    ]
    if derivation.header.kind == "concept":
        lines.append(f" Read by {read_by}.")
    return "".join([*lines, "\n\n"])


def _drawn_name(derivation: Derivation) -> str:
    kind = derivation.header.kind
    return derivation.name if kind == "concept" else f"reference {derivation.name}"


def _conventions(known: Library, derivation: Derivation) -> str:
    lines = ["## Conventions\n\n"]
    parameters = derivation.written.parameters
    if not parameters:
        lines.append(
            "Its own rules are the same under `published`, `current` and `adjudicated`.\n\n"
        )
    for parameter in parameters:
        lines += [f"### {parameter.name}\n\n", f"{parameter.difference} *{parameter.source}*\n\n"]
        lines.append(f"Example: {parameter.example}\n\n")
        lines += _values(parameter)
    upstream = [
        known.concepts[name]
        for name in known.order(derivation.concepts)
        if name != derivation.name and known.concepts[name].written.parameters
    ]
    if upstream:
        prefix = "" if derivation.header.kind == "concept" else "../concepts/"
        told = ", ".join(f"[{each.name}]({prefix}{each.name}.md)" for each in upstream)
        lines.append(f"It also follows the conventions of what it is made from: {told}.\n\n")
    if derivation.header.unresolved:
        lines.append("Left as they are, under `adjudicated` too:\n\n")
        lines += [f"- {each.says} ({each.reason})\n" for each in derivation.header.unresolved]
        lines.append("\n")
    return "".join(lines)


def _values(parameter: Parameter) -> list[str]:
    grouped: dict[str, list[str]] = {}
    for convention in CONVENTIONS:
        grouped.setdefault(parameter.under(convention).strip(), []).append(convention)
    lines = []
    for value, names in grouped.items():
        told = ", ".join(f"`{name}`" for name in names)
        if "adjudicated" in names and parameter.under("adjudicated") != parameter.under("current"):
            signed = parameter.signed_by
            told += f" (signed by {signed})" if signed else f" ({UNSIGNED})"
        lines.append(f"{told}:\n\n```sql\n{_dedented(value)}\n```\n\n")
    return lines


def _dedented(value: str) -> str:
    """Return a fragment whose later lines begin where the least indented of them does."""
    first, _, rest = value.partition("\n")
    return f"{first}\n{textwrap.indent(textwrap.dedent(rest), '  ')}" if rest else first


def _sql(known: Library, derivation: Derivation) -> str:
    written = derivation.written
    lines = ["## SQL\n\n"]
    if written.header.body:
        folder = "" if written.header.body in known.concepts else "../references/"
        if folder == "" and derivation.header.kind == "reference":
            folder = "../concepts/"
        lines.append(
            f"The SQL of [{written.header.body}]({folder}{written.header.body}.md), its columns above only.\n\n"
        )
    if written.settings:
        lines.append("| setting | value |\n|---|---|\n")
        lines += [
            f"| `${name}` | `{cell(value.strip())}` |\n" for name, value in written.settings.items()
        ]
        lines.append("\n")
    if not written.header.body:
        lines.append(f"```sql\n{written.text}\n```\n\n")
    for macro in _called(written.text, known.macros):
        lines.append(
            f"`{macro.name}({', '.join(macro.arguments)})` is\n\n```sql\n{macro.body}\n```\n\n"
        )
    return "".join(lines).rstrip() + "\n"


def _called(text: str, macros: dict[str, Macro]) -> list[Macro]:
    called: dict[str, Macro] = {}
    pending = [text]
    while pending:
        current = pending.pop()
        for name, macro in macros.items():
            if name not in called and re.search(rf"\b{name}\s*\(", current):
                called[name] = macro
                pending.append(macro.body)
    return [called[name] for name in sorted(called)]


def conventions_page(known: Library, effects: Path) -> str:
    """Return the page of all differences of conventions and of what they move."""
    kinds = (("concepts", known.concepts), ("references", known.references))
    every = [
        (kind, derivation, parameter)
        for kind, derivations in kinds
        for derivation in derivations.values()
        for parameter in derivation.header.conventions
    ]
    intro = (ROOT / "tools" / "conventions_intro.md").read_text(encoding="utf-8")
    parts = [intro.replace("\n\n", f"\n\n{GENERATED}", 1), "\n"]
    for convention in ("current", "adjudicated"):
        moved = [e for e in every if _moves(e[2], convention)]
        parts.append(f"## What `{convention}` changes\n\n")
        if convention == "adjudicated":
            signed = sum(parameter.signed_by is not None for _, _, parameter in moved)
            parts.append(
                f"Beside what `current` changes. Signed by a clinician: {signed} of {len(moved)}.\n\n"
            )
        named: tuple[str, str] | None = None
        for kind, d, p in moved:
            if (kind, d.name) != named:
                parts.append("\n" if named else "")
                parts.append(
                    f"### [{d.name}]({kind}/{d.name}.md) {{ #{convention}-{kind}-{d.name} }}\n\n"
                )
                named = (kind, d.name)
            parts.append(
                f"- **`{p.name}`**: {line(p.difference)}. *{line(p.source)}.* Example: {line(p.example)}\n"
            )
        parts.append("\n")
    parts.append("## What `adjudicated` leaves as it is\n\n")
    for kind, derivations in kinds:
        for derivation in derivations.values():
            if derivation.header.unresolved:
                name = derivation.name
                parts.append(f"### [{name}]({kind}/{name}.md) {{ #open-{kind}-{name} }}\n\n")
                parts += [
                    f"- {line(open_line.says)}. *{line(open_line.reason)}.*\n"
                    for open_line in derivation.header.unresolved
                ]
                parts.append("\n")
    for file in sorted(effects.glob("*.json")):
        parts.append(_effects(json.loads(file.read_text(encoding="utf-8"))))
    return "".join(parts).rstrip() + "\n"


def _moves(parameter: Parameter, convention: str) -> bool:
    if convention == "current":
        return parameter.under("current") != parameter.published
    return parameter.under("adjudicated") != parameter.under("current")


def _effects(found: dict) -> str:
    lines = [
        f"## What moves in {found['title']}\n\n",
        "Rows and patients whose value differs from `published`, rows present under one convention only "
        "included.\n\n",
        "| reference | rows | patients | rows moved by `current` | patients | rows moved by `adjudicated` "
        "| patients | most in |\n|---|---|---|---|---|---|---|---|\n",
    ]
    for name, row in found["references"].items():
        moved = [row["moved"][c] for c in ("current", "adjudicated")]
        told = " | ".join(f"{m['rows']:,} | {m['patients']:,}" for m in moved)
        columns = sorted(moved[1]["columns"].items(), key=lambda item: (-item[1], item[0]))[:4]
        most = ", ".join(f"`{column}` {rows:,}" for column, rows in columns)
        lines.append(f"| `{name}` | {row['rows']:,} | {row['patients']:,} | {told} | {most} |\n")
    lines.append("\n")
    for table in found["tables"]:
        lines.append(f"{table['title']}:\n\n")
        lines.append("| " + " | ".join(table["columns"]) + " |\n")
        lines.append("|" + "---|" * len(table["columns"]) + "\n")
        lines += ["| " + " | ".join(map(str, row)) + " |\n" for row in table["rows"]]
        lines.append("\n")
    return "".join(lines)


def write(known: Library, to: Path, effects: Path) -> list[Path]:
    """Write all pages below a folder and return them; pages of derivations that are gone are removed."""
    pages = {
        to / f"{kind}s" / f"{name}.md": page(known, derivation)
        for kind, derivations in (("concept", known.concepts), ("reference", known.references))
        for name, derivation in derivations.items()
    }
    pages[to / "conventions.md"] = conventions_page(known, effects)
    for folder in (to / "concepts", to / "references"):
        folder.mkdir(parents=True, exist_ok=True)
        for stale in set(folder.glob("*.md")) - set(pages):
            stale.unlink()
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return sorted(pages)


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "reference")
    chosen = parser.parse_args()
    written = write(library(), chosen.to, ROOT / "docs" / "reference" / EFFECTS)
    print(f"{len(written)} pages in {chosen.to}")


if __name__ == "__main__":
    main()
