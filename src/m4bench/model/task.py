# SPDX-License-Identifier: MIT
"""A task: one derivation asked of an agent, with how its answer is scored."""

from typing import Literal

from pydantic import Field

from m4bench.model.record import Record

Mode = Literal["standard", "raw"]
Drops = Literal["strict", "published"]
Convention = Literal["published", "current", "adjudicated"]


class TaskVersion(Record):
    """Two counters: `scoring` rises when a score can change, `interface` when what an agent sees changes."""

    scoring: int
    interface: int

    def __str__(self) -> str:
        return f"{self.scoring}.{self.interface}"


class DropRules(Record):
    """Which derived relations are kept from the agent.

    `target` are the relations that are the answer or a rename of it, `carriers` those that hold its
    columns without descending from it; `strict` removes both and all their descendants. `published`
    is the list the paper used. In raw mode no derived relation is shown whatever is listed. `given` names
    the inputs that equal a scored column and are meant to be seen, as `schema.table.column = scored`.
    """

    target: tuple[str, ...]
    carriers: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


class ScoringRules(Record):
    """How an answer is compared with the reference.

    `tolerances` are absolute and inclusive, in the unit of the column; a column not named is exact.
    `values` are the columns the paper's per-task table counts, `scored` all that enter the reward.
    """

    key: tuple[str, ...]
    values: tuple[str, ...]
    scored: tuple[str, ...]
    required: tuple[str, ...]
    tolerances: dict[str, float] = Field(default_factory=dict)
    unordered: tuple[str, ...] = ()
    row_coverage: float
    accuracy: float


class Task(Record):
    """One task of a suite.

    `skills` name the written procedures that are meant for it, `decoy` the one of another family that is given
    in their place where the question is whether more context alone helps.
    """

    name: str
    suite: str
    family: str
    title: str
    mode: Mode
    site: str
    difficulty: str
    grain: str
    reference: str
    version: TaskVersion
    drops: DropRules
    scoring: ScoringRules
    skills: tuple[str, ...] = ()
    decoy: str | None = None
    deliverable: str = "output.csv"
