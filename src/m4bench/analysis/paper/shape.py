# SPDX-License-Identifier: MIT
"""How many tasks, families and cells there are among runs, by their identities. Knows nothing measured."""

from collections.abc import Sequence

from m4bench.analysis.paper.arms import Side
from m4bench.analysis.paper.cells import RunKey
from m4bench.analysis.paper.tasks import families

Keys = Sequence[RunKey]


def _paired(keys: Keys, sides: Sequence[Side]) -> set[str]:
    """Return the tasks of which one model has every side."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for key in keys:
        found.setdefault((key.task, key.model), set()).add((key.condition, key.schema))
    return {task for (task, _), present in found.items() if present.issuperset(sides)}


def paired_tasks(keys: Keys, sides: Sequence[Side], unit: str = "") -> int | str:
    """Return how many tasks have every side within a model, with a unit behind where one is given."""
    count = len(_paired(keys, sides))
    return f"{count}{unit}" if unit else count


def paired_families(keys: Keys, sides: Sequence[Side], unit: str = "") -> int | str:
    """Return how many families those tasks are of."""
    count = len({families()[task] for task in _paired(keys, sides)})
    return f"{count}{unit}" if unit else count


def cell_count(keys: Keys) -> int:
    """Return how many cells of task, condition, schema and model there are."""
    return len({(key.task, key.condition, key.schema, key.model) for key in keys})
