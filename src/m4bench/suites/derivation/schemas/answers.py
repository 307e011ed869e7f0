# SPDX-License-Identifier: MIT
"""What the answer of each reference is among the concepts, as `answers.toml` states it. Knows no task and no rows."""

import tomllib
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from m4bench.model.record import Record
from m4bench.model.task import DropRules, Task

_FILE = Path(__file__).with_name("answers.toml")


class Answer(Record):
    """The concepts that give a reference away, the inputs that may equal it, and how rows are matched.

    The fields are those of a task's `drops`; `matched_by` are column lists, each unique in the reference
    or nearly so, that stand in for a key no other relation has.
    """

    target: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    matched_by: tuple[tuple[str, ...], ...] = ()

    def drops(self) -> DropRules:
        """Return the drop rules of a task that asks for this answer."""
        return DropRules(**self.model_dump(exclude={"matched_by"}))


@lru_cache(maxsize=1)
def answers() -> dict[str, Answer]:
    """Return the stated answers by reference."""
    content = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, Answer]).validate_python(content)


def answer_of(task: Task) -> Answer:
    """Return the answer a task asks for: what its definition says, with what is stated of its reference.

    A reference that is not stated has the task's own drop rules and no more.
    """
    stated = answers().get(task.reference, Answer())
    own = Answer.model_validate(task.drops.model_dump())
    given = tuple(dict.fromkeys((*own.given, *stated.given)))
    return own.model_copy(update={"given": given, "matched_by": stated.matched_by})
