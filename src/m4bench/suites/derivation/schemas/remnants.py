# SPDX-License-Identifier: MIT
"""What a drop rule leaves of a task's target, as a listing and no verdict. Makes no database and shows no row.

The published list names what the published benchmark removed. Beside it stand relations that descend from
the target, or whose rows equal it; strict drops would hide them.
"""

from collections.abc import Iterable
from itertools import groupby

from m4bench.model.record import Record
from m4bench.model.task import Drops, Task
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.column_lineage import ColumnLineage, by_relation
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.plan import Stage
from m4bench.suites.derivation.schemas.answers import answer_of
from m4bench.suites.derivation.schemas.databases import shown_files
from m4bench.suites.derivation.schemas.equal_columns import EqualColumn
from m4bench.suites.derivation.schemas.verify import by_rows
from m4bench.suites.derivation.schemas.visibility import derived_relation, hidden_concepts

_SAID = {
    "carries": "carries the target's",
    "derives": "derives",
    "governs": "lets the target govern",
}


class Remnant(Record):
    """A relation that a drop rule leaves visible though it holds something of the target.

    `stated` says whether the task states it as target or carrier; `lineage` gives, for each column of one
    that is not, `carries`, `derives` or `governs` when it depends on the target; `equal` the columns whose
    rows equal a scored column.
    """

    task: str
    relation: str
    stated: str | None
    lineage: dict[str, str]
    equal: tuple[EqualColumn, ...]

    def told(self) -> str:
        """Return it in words, without a row."""
        parts = [f"is stated as a {self.stated}"] if self.stated else []
        by_way = groupby(sorted(self.lineage, key=self.lineage.__getitem__), self.lineage.get)
        parts += [f"{_SAID[str(way)]} {', '.join(columns)}" for way, columns in by_way]
        parts += [
            f"{match.column} equals {match.target} on {match.agreement:.1%} of rows {match.how}"
            for match in self.equal
        ]
        return f"{self.relation} {'; '.join(parts)}"


def remnants(
    library: Library, task: Task, shown: Iterable[str], equal: Iterable[EqualColumn]
) -> list[Remnant]:
    """Return what is shown of a target: what strict drops would hide, and what equals a scored column.

    Args:
        library: where lineage is read.
        task: whose target it is.
        shown: the qualified relations an agent sees.
        equal: the columns whose rows equal a scored column; those of relations not shown are left out.
    """
    answer = answer_of(task)
    stated = dict.fromkeys(map(derived_relation, answer.target), "target")
    stated |= dict.fromkeys(map(derived_relation, answer.carriers), "carrier")
    lineage = ColumnLineage(library)
    seeds = [column for relation in stated for column in lineage.columns(relation)]
    reached = by_relation(lineage.downstream(seeds))
    matches = list(equal)
    hidden = {derived_relation(name) for name in hidden_concepts(library, task, "strict")}
    return [
        Remnant(
            task=task.name,
            relation=relation,
            stated=stated.get(relation),
            lineage={c: way.name.lower() for c, way in reached.get(relation, {}).items()},
            equal=tuple(match for match in matches if match.relation == relation),
        )
        for relation in sorted((hidden | {match.relation for match in matches}) & set(shown))
    ]


def what_is_left(
    library: Library, stage: Stage, task: Task, drops: Drops, limits: EngineLimits | None = None
) -> list[Remnant]:
    """Return what a drop rule leaves of a task's target on a dataset.

    Raises:
        MissingError, StaleError: the reference is absent or out of date, or a visible concept is.
    """
    files, _ = shown_files(library, stage, task, drops)
    equal = by_rows(library, stage, task, files, limits or EngineLimits())
    return remnants(library, task, files, equal)
