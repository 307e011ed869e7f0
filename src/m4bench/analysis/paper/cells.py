# SPDX-License-Identifier: MIT
"""Figures that know the runs they were computed from, and the tables they stand in. Knows no published table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from m4bench.analysis.paper.status import UNDETERMINED, status_of
from m4bench.analysis.runs import RunRow

Value = float | int | str | None
Origin = Literal["measured", "design", "definitions"]


class RunKey(NamedTuple):
    """What a run is a trial of, without anything that was measured."""

    task: str
    condition: str
    schema: str
    model: str
    trial: int


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure with its origin: made by `figure`, `design` or `definition`, and by nothing else.

    `measured` follows from what the runs named in `runs` measured, and from no other run; `design` from which
    runs there are, whatever they measured; `definitions` from the installed tasks. `runs` is empty but for
    `measured`. None is a figure that does not exist.
    """

    value: Value
    runs: frozenset[str]
    origin: Origin


Cell = Computed | str


def figure(selection: Sequence[RunRow], function: Callable[[Sequence[RunRow]], Value]) -> Computed:
    """Return what a function makes of a selection of runs.

    The function is given the selection and nothing else, so the figure can depend on no run outside it.
    """
    return Computed(function(selection), frozenset(run.run_id for run in selection), "measured")


def design(selection: Sequence[RunRow], function: Callable[[Sequence[RunKey]], Value]) -> Computed:
    """Return what a function makes of the identities of runs; it sees nothing that was measured."""
    keys = [
        RunKey(run.task, run.condition, run.schema, run.system.model, run.trial)
        for run in selection
    ]
    return Computed(function(keys), frozenset(), "design")


def definition(value: Value) -> Computed:
    """Return a figure that follows from the definitions of tasks or of the table, whatever was run."""
    return Computed(value, frozenset(), "definitions")


class Column(NamedTuple):
    """A column of a table: how its numbers are printed.

    `decimals` of numbers that are not whole; `absent` stands for a figure that does not exist; `added` is a column
    of ours that the published table has not.
    """

    name: str
    decimals: int = 3
    absent: str = ""
    added: bool = False

    def printed(self, value: Value) -> str:
        """Return a value as the release prints it: the binary number rounded to nearest, which has no ties here."""
        if value is None:
            return self.absent
        return f"{value:.{self.decimals}f}" if isinstance(value, float) else str(value)


Row = Mapping[str, Cell]


@dataclass(frozen=True)
class PaperTable:
    """A published table, computed.

    `keys` name the leading columns by which a row is known; they hold text. A row lacks the columns that no
    released run determines, and `m4bench.analysis.paper.status` says why. Where the data choose the rows or their
    order, `order` is that choice, a figure of its own; the figures of a row then depend on the row's runs alone.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    order: Computed | None = None
    note: str = ""
    _rows: dict[tuple[str, ...], Row] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._rows.update({self.key(row): row for row in self.rows})

    def key(self, row: Row) -> tuple[str, ...]:
        """Return the texts by which a row is known."""
        return tuple(str(row[name]) for name in self.keys)

    def find(self, key: tuple[str, ...]) -> Row | None:
        """Return the row of a key, None where the table has none."""
        return self._rows.get(key)

    def printed(self, row: Row, column: Column) -> str:
        """Return a cell as it would be printed; a cell that released runs do not determine as `UNDETERMINED`."""
        cell = row.get(column.name, UNDETERMINED)
        return column.printed(cell.value) if isinstance(cell, Computed) else cell

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain values; each cell is a label, a figure with its origin, or a reason."""
        return {
            "name": self.name,
            "title": self.title,
            "note": self.note,
            "keys": list(self.keys),
            "columns": [column.name for column in self.columns],
            "rows": [
                {column.name: self._json_cell(row, column) for column in self.columns}
                for row in self.rows
            ],
        }

    def _json_cell(self, row: Row, column: Column) -> str | dict[str, Any]:
        cell = row.get(column.name)
        if isinstance(cell, str):
            return cell
        if cell is None:
            return {"undetermined": status_of(self.name, self.key(row), column.name).why}
        return {
            "value": cell.value,
            "printed": column.printed(cell.value),
            "origin": cell.origin,
            "runs": len(cell.runs),
        }

    def text(self) -> str:
        """Return the table as aligned text: title, columns, a line a row, and why cells are missing."""
        lines = [[column.name for column in self.columns]]
        lines += [[self.printed(row, column) for column in self.columns] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        body = [
            "  ".join(
                cell.ljust(width) if number < len(self.keys) else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        notes = [self.note] if self.note else []
        notes += [f"{UNDETERMINED} {reason}" for reason in self.reasons()]
        return "\n".join([f"{self.name}: {self.title}", *body, *notes, ""])

    def reasons(self) -> tuple[str, ...]:
        """Return why cells of the table are missing, each reason once."""
        if not self.rows:
            return (status_of(self.name, (), "").why,)
        missing = (
            status_of(self.name, self.key(row), column.name).why
            for row in self.rows
            for column in self.columns
            if column.name not in row
        )
        return tuple(dict.fromkeys(missing))


def columns(text: str, **options: Any) -> tuple[Column, ...]:
    """Return columns from their names, divided by spaces, all printed alike."""
    return tuple(Column(name, **options) for name in text.split())
