# SPDX-License-Identifier: MIT
"""Arms: everything of a cell but task and trial, and how arms are told apart. Knows no score."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from m4bench.model.run import RunRecord

HASH_SHOWN = 8
LONGEST_OPTION = 40
_HASH = re.compile(r"[0-9a-f]{32,}")


@dataclass(frozen=True)
class Arm:
    """What a run holds fixed across tasks and trials.

    Two programs behind one agent name, or two imports under one dataset name, are two arms.
    """

    agent: str
    model: str
    effort: str
    condition: str
    schema: str
    dataset: str
    convention: str
    drops: str
    sandbox: str
    agent_version: str
    agent_options: tuple[tuple[str, str], ...]
    dataset_hash: str

    @classmethod
    def of(cls, run: RunRecord) -> "Arm":
        """Return the arm a run belongs to."""
        cell = run.cell
        return cls(
            agent=cell.agent,
            model=cell.model or "",
            effort=cell.effort or "",
            condition=cell.condition,
            schema=cell.schema_,
            dataset=cell.dataset,
            convention=cell.convention,
            drops=cell.drops,
            sandbox=cell.sandbox,
            agent_version=run.agent_version,
            agent_options=tuple(sorted(run.agent_options.items())),
            dataset_hash=run.dataset_hash,
        )

    @property
    def program(self) -> tuple[object, ...]:
        """What is measured, whatever it was given: the agent with model, effort, version and options."""
        return (self.agent, self.model, self.effort, self.agent_version, self.agent_options)


@dataclass(frozen=True)
class ArmName:
    """How an arm is called: by its agent, and by what sets it apart from the other arms."""

    agent: str
    details: tuple[str, ...]

    def __str__(self) -> str:
        return " · ".join((self.agent, *self.details))


# What every run of a report may share; where all do, it is said once and not in each arm's name.
SHAREABLE = ("condition", "schema", "dataset", "convention", "drops", "sandbox", "effort")


# What a reader takes for granted: such a value is in no name, only one that departs from it.
EXPECTED = {"sandbox": "bwrap", "drops": "strict"}


def shared_by_all(arms: Iterable[Arm]) -> dict[str, str]:
    """Return the dimensions on which all arms agree, with their value."""
    found = list(arms)
    return {
        name: getattr(found[0], name)
        for name in SHAREABLE
        if found and len({getattr(arm, name) for arm in found}) == 1
    }


def name_arms(arms: Sequence[Arm]) -> dict[Arm, ArmName]:
    """Name each arm by agent, model and what sets it apart, so that no two names are equal."""
    varying = [name for name in SHAREABLE if name not in shared_by_all(arms)]
    names = {
        arm: ArmName(
            arm.agent,
            tuple(text for text in (arm.model, *(_detail(arm, name) for name in varying)) if text),
        )
        for arm in arms
    }
    for extra in ("agent_options", "agent_version", "dataset_hash"):
        names = _set_apart(names, extra)
    return _numbered(names)


def _detail(arm: Arm, name: str) -> str:
    value = str(getattr(arm, name))
    if value == EXPECTED.get(name):
        return ""
    return f"{name} {value}" if value and name in ("effort", "drops", "sandbox") else value


def _set_apart(names: dict[Arm, ArmName], extra: str) -> dict[Arm, ArmName]:
    """Append `extra` to names that several arms bear and that it can tell apart."""
    bearers: dict[ArmName, list[Arm]] = {}
    for arm, name in names.items():
        bearers.setdefault(name, []).append(arm)
    result = dict(names)
    for name, same in bearers.items():
        if len({getattr(arm, extra) for arm in same}) > 1:
            for arm in same:
                result[arm] = ArmName(name.agent, (*name.details, _short(arm, extra, same)))
    return result


def _numbered(names: dict[Arm, ArmName]) -> dict[Arm, ArmName]:
    """Number arms whose names are made to look alike, as by a model called after a setting."""
    taken: Counter[ArmName] = Counter()
    result = {}
    for arm, name in names.items():
        taken[name] += 1
        again = taken[name]
        result[arm] = name if again == 1 else ArmName(name.agent, (*name.details, f"arm {again}"))
    return result


def _short(arm: Arm, extra: str, same: Sequence[Arm]) -> str:
    """Return the shortest telling form of a value among the arms it has to set apart."""
    if extra == "agent_options":
        return _options(arm, same)
    word = "version" if extra == "agent_version" else "data"
    return f"{word} {_told_apart(str(getattr(arm, extra)), {str(getattr(o, extra)) for o in same})}"


# Options that come with another one or with the agent's version: named only where nothing else differs.
FOLLOWING = ("protocol", "protocols", "disabled")


def _options(arm: Arm, same: Sequence[Arm]) -> str:
    """Return the options in which an arm differs from those it has to be told apart from, and no other."""
    options = {other: dict(other.agent_options) for other in same}
    keys = sorted({key for found in options.values() for key in found})
    differing = [key for key in keys if len({found.get(key, "") for found in options.values()}) > 1]
    leading = [key for key in differing if key not in FOLLOWING]
    if _kinds(options.values(), leading) == _kinds(options.values(), differing):
        differing = leading
    mine = options[arm]
    words = [
        f"{key} {_told_apart(mine[key], {found.get(key, '') for found in options.values()})}"
        for key in differing
        if mine.get(key)
    ]
    if words or not mine:
        return ", ".join(words) or "no options"
    return ", ".join(f"no {key}" for key in differing)


def _kinds(found: Iterable[Mapping[str, str]], keys: Sequence[str]) -> int:
    return len({tuple(options.get(key, "") for key in keys) for options in found})


def _told_apart(value: str, values: set[str]) -> str:
    """Return a value whole, or cut to its beginning where that is long and the beginning is enough."""
    length = HASH_SHOWN if _HASH.fullmatch(value) else LONGEST_OPTION
    while len({text[:length] for text in values}) < len(values):
        length += HASH_SHOWN
    return value[:length]


def version_shown(version: str) -> str:
    """Return a version as it is read: a hash by its first digits, anything else whole."""
    return version[:HASH_SHOWN] if _HASH.fullmatch(version) else version


def arm_order(arm: Arm) -> tuple[str, ...]:
    """Return a key that orders arms by name where nothing else does."""
    return tuple(str(getattr(arm, field.name)) for field in fields(arm))
