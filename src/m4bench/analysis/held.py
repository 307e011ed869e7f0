# SPDX-License-Identifier: MIT
"""What is the same on both sides of a comparison, and what it is called. Knows no side and no figure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count
from typing import NamedTuple

from m4bench.analysis.runs import CellKey, System
from m4bench.analysis.sides import NATIVE

DATASET_FIELDS = frozenset({"dataset", "dataset_hash", "access"})
"""What a side that names a dataset has named with it."""
HASH_SHOWN = 8
Fields = tuple[tuple[str, str], ...]


class Held(NamedTuple):
    """What is the same on both sides of a pair: of the system and the presentation, and of the setting."""

    task: str
    system: Fields
    setting: Fields


class Block(NamedTuple):
    """What is held, but for the task and for what of the setting no task has twice: a unit of any task's delta."""

    system: Fields
    setting: Fields


def hidden_by(named: frozenset[str]) -> frozenset[str]:
    """Return the fields that are not held where sides name these."""
    return named | DATASET_FIELDS if "dataset" in named else named


def held_of(key: CellKey, named: frozenset[str] = frozenset()) -> Held:
    """Return what of a cell is held equal where the sides name these fields."""
    hidden = hidden_by(named)
    system = (*key.system._asdict().items(), ("condition", key.condition), ("schema", key.schema))
    return Held(
        key.task,
        tuple((name, value) for name, value in system if name not in hidden),
        tuple((name, value) for name, value in key.setting._asdict().items() if name not in hidden),
    )


class BlockLabels:
    """Names of what is held equal: system, then condition and schema where held, then settings that differ.

    A field of the setting is told only where it takes several values within one task (hash and access: within one
    task on one dataset), so that a system's tasks on two hospitals are one system's.
    """

    def __init__(self, cells: Iterable[CellKey]) -> None:
        """Look which fields of the setting differ within a task."""
        seen: dict[tuple[str, str, str], set[str]] = {}
        for key in cells:
            for name, value in key.setting._asdict().items():
                of = key.setting.dataset if name in ("dataset_hash", "access") else ""
                seen.setdefault((key.task, of, name), set()).add(value)
        self.telling = frozenset(name for (*_, name), values in seen.items() if len(values) > 1)

    def of(self, held: Iterable[Held]) -> dict[Held, str]:
        """Return the name of each: the same for the same block of any task, different for different ones."""
        blocks = {one: self._block(one) for one in held}
        written = {block: _written(block) for block in set(blocks.values())}
        times = Counter(written.values())
        return {
            one: written[block] if times[written[block]] == 1 else _in_full(block)
            for one, block in blocks.items()
        }

    def of_systems(self, cells: Iterable[CellKey]) -> dict[CellKey, str]:
        """Return for each cell the name of its system, with the settings that differ."""
        held = {key: held_of(key, frozenset({"condition", "schema"})) for key in cells}
        names = self.of(held.values())
        return {key: names[one] for key, one in held.items()}

    def _block(self, held: Held) -> Block:
        return Block(
            held.system,
            tuple((name, value) for name, value in held.setting if name in self.telling),
        )


def _written(block: Block) -> str:
    parts = [value for name, value in block.system if value and (name, value) != ("schema", NATIVE)]
    parts += [told(name, value) for name, value in block.setting]
    return " · ".join(parts) or "all runs"


def _in_full(block: Block) -> str:
    """Return every field with its name, its value in quotes, so that no two blocks are written alike."""
    return " · ".join(
        f"{_words(name)} {value!r}" if value else f"no {_words(name)}"
        for name, value in (*block.system, *block.setting)
    )


def distinct(systems: Iterable[System]) -> dict[System, str]:
    """Return a name for each of several systems; those that would be written alike are written in full."""
    blocks = {one: Block(tuple(one._asdict().items()), ()) for one in systems}
    times = Counter(_written(block) for block in blocks.values())
    return {
        one: written if times[written := _written(block)] == 1 else _in_full(block)
        for one, block in blocks.items()
    }


def told(name: str, value: str) -> str:
    """Return the value of a field of the setting as it is written beside others."""
    if name == "dataset_hash" and value:
        return f"data {value[:HASH_SHOWN]}"
    if name == "drops" and value:
        return f"{value} drops"
    return value or f"no {_words(name)} told"


def _words(name: str) -> str:
    return name.replace("_", " ")


def short_hashes(hashes: Iterable[str]) -> Mapping[str, str]:
    """Return hashes cut to eight characters, or to as many more as tell them apart."""
    listed = set(hashes)
    length = next(
        size for size in count(HASH_SHOWN) if len({one[:size] for one in listed}) == len(listed)
    )
    return {one: one[:length] for one in listed}
