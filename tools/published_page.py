# SPDX-License-Identifier: MIT
"""Writes the tables of docs/reference/published-figures.md: each published figure beside the one computed.

Usage: python tools/published_page.py PUBLISHED [--to docs/reference/published-figures.md]

PUBLISHED is the folder of published tables, one CSV each. What stands between `<!-- written: PART -->` and
`<!-- end -->` is this script's: `statuses` and `tables`. A test compares the page with what this script writes, so run
it after a change to the analysis of the paper.
"""

import argparse
import csv
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from m4bench.analysis.paper import (
    Computed,
    PaperTable,
    Status,
    paper_runs,
    published_tables,
    status_of,
)
from m4bench.analysis.paper.cells import Column, Row
from m4bench.analysis.reading import read_run_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "published-figures.md"
FOLDED_ROWS = 30
ABSENT = "–"
BESIDE = "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}"
ORIGINS = {
    "measured": "computed from what runs measured",
    "design": "computed from which runs there are",
    "definitions": "given by the definitions of tasks",
    "label": "a label, or left empty in print",
}
MARKS = "abcdefghijklmnopqrstuvwxyz"


class Published(NamedTuple):
    """A published table as it stands in its file: the header by our names of columns, and the rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Cell(NamedTuple):
    """A published cell with what is known of it; `computed` is a label's text, a figure, or None."""

    column: str
    printed: str
    computed: Computed | str | None
    status: Status


def read(path: Path, table: PaperTable) -> Published:
    """Return a published table; where its header names two columns alike, ours tell them apart."""
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = list(csv.reader(stream))
    ours = [column.name for column in table.columns if not column.added]
    return Published(tuple(ours or header), tuple(tuple(row) for row in rows))


def rows_of(table: PaperTable, published: Published) -> Iterator[tuple[Row | None, list[Cell]]]:
    """Yield each published row as its cells, with the computed row, None where there is none."""
    keys = table.keys or published.header[:1]
    positions = [published.header.index(name) for name in keys]
    for row in published.rows:
        key = tuple(row[position] for position in positions)
        computed = table.find(key)
        yield (
            computed,
            [
                Cell(name, text, (computed or {}).get(name), status_of(table.name, key, name))
                for name, text in zip(published.header, row, strict=True)
            ],
        )


def shown(text: str) -> str:
    """Return a text as it may stand in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def cell_text(cell: Cell, column: Column | None, marks: dict[str, str]) -> str:
    """Return a cell of the page: a label, or the printed figure and the computed one, with a mark for its reason."""
    if not cell.status.determined:
        mark = marks.setdefault(cell.status.why, MARKS[len(marks)])
        return f"{shown(cell.printed) or 'none'}{BESIDE}{ABSENT}\N{NO-BREAK SPACE}({mark})"
    if not isinstance(cell.computed, Computed) or column is None:
        return shown(cell.printed)
    ours = column.printed(cell.computed.value) or "none"
    pair = f"{shown(cell.printed) or 'none'}{BESIDE}{shown(ours)}"
    if not cell.status.remark:
        return pair
    mark = marks.setdefault(cell.status.remark, MARKS[len(marks)])
    return f"{pair}\N{NO-BREAK SPACE}({mark})"


def section(table: PaperTable, published: Published) -> list[str]:
    """Return the lines of a table's section."""
    marks: dict[str, str] = {}
    ours = {column.name: column for column in table.columns}
    added = [column for column in table.columns if column.added]
    header = [*published.header, *(f"{column.name} (ours)" for column in added)]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for computed, cells in rows_of(table, published):
        texts = [
            cell_text(cell, ours.get(cell.column), marks) if table.rows else shown(cell.printed)
            for cell in cells
        ]
        texts += [table.printed(computed, column) if computed else ABSENT for column in added]
        lines.append(f"| {' | '.join(texts)} |")
    if len(published.rows) > FOLDED_ROWS:
        title = f'??? note "All {len(published.rows)} rows"'
        lines = [title, "", *(f"    {line}" for line in lines)]
    notes = [table.note] if table.note else []
    if not table.rows:
        notes.append(f"As printed; nothing of it is determined: {table.reasons()[0]}.")
    notes += [f"({mark}) {why}." for why, mark in marks.items()]
    head = [f"### {table.name}", "", f"{table.title}.", ""]
    return [*head, *lines, "", *(text for note in notes for text in (note, ""))]


def statuses(tables: dict[str, PaperTable], published: dict[str, Published]) -> str:
    """Return how many published cells have which status."""
    determined: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for name, one in published.items():
        for _, cells in rows_of(tables[name], one):
            for cell in cells:
                if not cell.status.determined:
                    missing[cell.status.why] += 1
                elif isinstance(cell.computed, Computed):
                    determined[cell.computed.origin] += 1
                else:
                    determined["label"] += 1
    lines = ["| status | cells |", "|---|---:|"]
    lines += [
        f"| determined: {text} | {determined[origin]:,} |" for origin, text in ORIGINS.items()
    ]
    lines += [
        f"| not determined by released runs: {why} | {count:,} |"
        for why, count in sorted(missing.items(), key=lambda item: (-item[1], item[0]))
    ]
    whole = determined.total() + missing.total()
    lines.append(f"| all cells of {len(published)} tables | {whole:,} |")
    return "\n".join(lines)


def parts(folder: Path) -> dict[str, str]:
    """Return the parts of the page that are this script's."""
    with tempfile.TemporaryDirectory() as place:
        tables = published_tables(read_run_table(paper_runs(Path(place))))
    published = {name: read(folder / f"{name}.csv", table) for name, table in tables.items()}
    sections = [line for name, one in published.items() for line in section(tables[name], one)]
    return {"statuses": statuses(tables, published), "tables": "\n".join(sections).rstrip()}


def written(page: str, folder: Path) -> str:
    """Return a page with the parts that are this script's as they should be."""
    for part, text in parts(folder).items():
        before, begin, rest = page.partition(f"<!-- written: {part} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return page


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("published", type=Path)
    parser.add_argument("--to", type=Path, default=PAGE)
    given = parser.parse_args()
    page = written(given.to.read_text(encoding="utf-8"), given.published)
    given.to.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
