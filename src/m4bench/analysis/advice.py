# SPDX-License-Identifier: MIT
"""What is said of a contrast's pairs beside figures: who stands aside, and how to ask where nothing pairs. Knows no
interval and no test.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from m4bench.analysis.pairing import Pair, Reading, is_publishable, pair, task_effects
from m4bench.analysis.pools import Pools
from m4bench.analysis.sides import FIELDS, Side, Sides
from m4bench.analysis.words import counted, joined

Unit = tuple[str, str]
MOST_TASKS = 3


def left_aside(pairs: Sequence[Pair], standing: Iterable[Pair]) -> tuple[str, ...]:
    """Name the systems whose cells that are not publishable keep pairs out, with tasks where it is not all of theirs.

    Args:
        pairs: of a contrast, every one.
        standing: those of them that figures are made of.
    """
    there = {(one.task, one.block) for one in standing}
    every: dict[str, set[Unit]] = {}
    out: dict[str, set[Unit]] = {}
    for one in pairs:
        unit = (one.task, one.block)
        for runs in one.cells:
            name = str(runs[0].system)
            every.setdefault(name, set()).add(unit)
            if unit not in there and not is_publishable([runs]):
                out.setdefault(name, set()).add(unit)
    return tuple(_told(name, out[name], every[name]) for name in sorted(out))


def _told(name: str, out: Collection[Unit], every: Collection[Unit]) -> str:
    if len(out) == len(every):
        return name
    blocks, all_blocks = ({block for _, block in units} for units in (out, every))
    if blocks != all_blocks:
        own = all(block.startswith(name) for block in blocks)
        name = joined(sorted(blocks)) if own else f"{name} ({joined(sorted(blocks))})"
        every = {unit for unit in every if unit[1] in blocks}
    tasks = sorted({task for task, _ in out})
    if len(out) == len(every):
        return name
    return f"{name} on {joined(tasks) if len(tasks) <= MOST_TASKS else counted(len(tasks), 'task')}"


def form_that_works(sides: Sides, pools: Pools, reading: Reading) -> str | None:
    """Return a contrast that has pairs where this one has none, since its sides differ in more than they name.

    It names the further fields of which no value is on both sides, with the first value of each; None where that
    gives no pair with numbers, or where a value could not be written.
    """
    found: tuple[dict[str, set[str]], ...] = ({}, {})
    cells = [
        cell for every in pools.apart(sides.treatment.named).values() for cell in every.items()
    ]
    tasks = [{key.task for key, runs in cells if side.matches(runs[0])} for side in sides]
    for key, runs in cells:
        for side, values in zip(sides, found, strict=True):
            if key.task in tasks[0] & tasks[1] and side.matches(runs[0]):
                for name, of in FIELDS.items():
                    values.setdefault(name, set()).add(of(runs[0]))
    further = [name for name in found[0] if not found[0][name] & found[1].get(name, set())]
    if not set(further) - sides.treatment.named:
        return None
    wider = [
        {**side.values, **{name: min(values[name]) for name in further if name not in side.values}}
        for side, values in zip(sides, found, strict=True)
    ]
    if any("," in value for values in wider for value in values.values()):
        return None
    asked = Sides(*(Side(values, _written(values)) for values in wider))
    return (
        f"{asked.treatment.label}:{asked.control.label}"
        if any(
            task_effects(pair(every, asked).pairs, reading)
            for every in pools.apart(asked.treatment.named).values()
        )
        else None
    )


def _written(values: Mapping[str, str]) -> str:
    return ",".join(f"{name}={values[name]}" for name in FIELDS if name in values)
