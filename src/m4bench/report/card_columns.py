# SPDX-License-Identifier: MIT
"""The columns of a task's card: what each holds, in which unit or range, and when it is empty. Knows no run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import card

_CELL = re.compile(r"(?<!\\)\|")
_UNITS = ("unit", "range", "values")
_SAME = ("the same", "as above")


@dataclass(frozen=True)
class CardColumn:
    """A column as its card describes it; `unit` is a unit or a range, and each text may be empty.

    `like` names the column that a meaning such as "the same over 12 hours" goes back to.
    """

    name: str
    unit: str
    empty: str
    meaning: str
    like: "CardColumn | None" = None

    @property
    def whole_meaning(self) -> str:
        """The meaning with that of the column it goes back to, so that it can stand alone."""
        if self.like is None:
            return self.meaning
        return f"{self.like.meaning} ({self.like.name}); here {self.meaning}"


def card_columns(task: Task | None, version: str) -> tuple[CardColumn, ...]:
    """Return the columns of a card in its order; none where the installed card is not of that version."""
    if task is None or str(task.version) != version:
        return ()
    try:
        return parse(card(task))
    except InputError:
        return ()


def parse(text: str) -> tuple[CardColumn, ...]:
    """Return the columns of the first table of a card whose head begins with `column`."""
    rows = [_cells(line) for line in text.splitlines() if line.startswith("|")]
    start = next((n for n, row in enumerate(rows) if row[0] == "column"), None)
    if start is None:
        return ()
    head = rows[start]
    found: list[CardColumn] = []
    last: CardColumn | None = None
    empty = ""
    for row in rows[start + 2 :]:
        fields: Mapping[str, str] = dict(zip(head, row, strict=False))
        meaning = fields.get("meaning", "")
        told = fields.get("null", "")
        empty = empty if told.startswith(_SAME) else told
        same = meaning.startswith(_SAME)
        column = CardColumn(
            fields["column"],
            next((fields[h] for h in _UNITS if fields.get(h)), ""),
            empty,
            meaning,
            last if same else None,
        )
        last = last if same else column
        found.append(column)
    return tuple(found)


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in _CELL.split(line.strip())[1:-1]]
