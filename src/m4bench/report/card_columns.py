# SPDX-License-Identifier: MIT
"""The columns of a task's card: what each holds, in which unit or range, and when it is empty. Knows no run."""

from dataclasses import dataclass

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import card, column_rows

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
    found: list[CardColumn] = []
    last: CardColumn | None = None
    empty = ""
    for row in column_rows(text):
        fields = {title: cell.replace("`", "") for title, cell in row.items()}
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
