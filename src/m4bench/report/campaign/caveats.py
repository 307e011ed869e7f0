# SPDX-License-Identifier: MIT
"""What to beware of in the references behind a comparison, family by family. Knows no statistic.

Everything said is from the project’s own record of what its references are worth.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from m4bench.analysis.results import ContrastResult, FamilyDelta
from m4bench.model.task import Task
from m4bench.report.reference_worth import Worth, worth_of


@dataclass(frozen=True)
class FamilyCaveats:
    """A family of tasks, how it fared in one contrast, and what its reference is worth where that is known."""

    family: str
    tasks: tuple[str, ...]
    delta: FamilyDelta | None
    worth: Worth | None


def family_caveats(
    families: Mapping[str, str], tasks: Mapping[str, Task], contrast: ContrastResult | None
) -> list[FamilyCaveats]:
    """Return the families of an analysis by name.

    Args:
        families: the family of each task.
        tasks: the installed tasks by name.
        contrast: the one whose family deltas are put beside.
    """
    members: dict[str, list[str]] = {}
    for task, family in families.items():
        members.setdefault(family, []).append(task)
    deltas = {one.family: one for one in contrast.family_deltas} if contrast else {}
    return [
        FamilyCaveats(family, tuple(found), deltas.get(family), _worth(family, found, tasks))
        for family, found in sorted(members.items())
    ]


def _worth(family: str, names: list[str], tasks: Mapping[str, Task]) -> Worth | None:
    """Return what is known of a family’s reference; nothing where a name is another’s task.

    Of a task whose runs are of several versions each version is a task of its own, named behind a comma.
    """
    known = [task for name in names if (task := tasks.get(name.partition(", version ")[0]))]
    if len(known) < len(names) or any(task.family != family for task in known):
        return None
    return worth_of(known[0])
