# SPDX-License-Identifier: MIT
"""The two sides of a contrast, read from the text `A:B` with the runs there are. Knows no plan and no cell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from m4bench.analysis.runs import RunRow, RunTable
from m4bench.model.errors import InputError
from m4bench.model.legible import shortened

NATIVE = "native"
MOST_NAMES = 30
WRITTEN = "TREATMENT:CONTROL, each CONDITION[@SCHEMA] or FIELD=VALUE[,FIELD=VALUE…]"
FIELDS: Mapping[str, Callable[[RunRow], str]] = {
    "condition": lambda run: run.condition,
    "schema": lambda run: run.schema,
    "agent": lambda run: run.system.agent,
    "model": lambda run: run.system.model,
    "effort": lambda run: run.system.effort,
    "convention": lambda run: run.setting.convention,
    "dataset": lambda run: run.setting.dataset,
}


@dataclass(frozen=True)
class Side:
    """One side of a contrast: the runs whose fields have these values.

    `label` is the side as it was written; of one written by fields their values, in the order of `FIELDS`, so that
    two sides of the same fields never have the same one. `of_agents`: runs of baselines are not of the side, as it
    names neither agent nor model and there are agents to be measured.
    """

    values: Mapping[str, str]
    label: str
    of_agents: bool = False

    @property
    def named(self) -> frozenset[str]:
        """The fields the side gives a value of."""
        return frozenset(self.values)

    def matches(self, run: RunRow) -> bool:
        """Tell whether a run belongs to the side."""
        if self.of_agents and run.is_baseline:
            return False
        return all(FIELDS[name](run) == value for name, value in self.values.items())


class Sides(NamedTuple):
    """The two sides of a contrast; its delta is the treatment's mean minus the control's."""

    treatment: Side
    control: Side


def resolve(contrast: str, table: RunTable) -> Sides:
    """Return the sides of a contrast `A:B`.

    Values may hold colons: the text is split at the one colon that leaves two sides which occur in the runs.

    Raises:
        InputError: it is no contrast, no run belongs to a side (with the values there are), several
            splits would do, both sides are the same, or they name different fields.
    """
    splits = [
        (contrast[:at], contrast[at + 1 :]) for at, letter in enumerate(contrast) if letter == ":"
    ]
    if not splits:
        raise _refusal(contrast, "has no two sides", f"write {WRITTEN}")
    known = {name: sorted({of(run) for run in table}) for name, of in FIELDS.items()}
    read: list[Sides] = []
    faults: list[_Fault] = []
    for texts in splits:
        first, second = (_tried(contrast, text.strip(), table, known) for text in texts)
        if isinstance(first, Side) and isinstance(second, Side):
            read.append(Sides(first, second))
        else:
            faults.append(_fault_of_split(first, second))
    if not read:
        raise max(faults, key=lambda fault: (fault.reads_well, fault.good)).error
    if len(read) > 1:
        both = " or ".join(f"{one.treatment.label} minus {one.control.label}" for one in read)
        raise _refusal(
            contrast, f"can be read as {shortened(both)}", "name more fields of each side"
        )
    return _comparable(contrast, read[0])


class _Fault(NamedTuple):
    """Why a text is no side: whether it reads well at least, and how many sides of its split are good."""

    error: InputError
    reads_well: bool
    good: int = 0


class _NoSuchRunError(InputError):
    """A side reads well and no run belongs to it."""


def _fault_of_split(*sides: Side | _Fault) -> _Fault:
    """Return what is wrong with a split, with a text that cannot be read before one that only has no run."""
    wrong = [one for one in sides if isinstance(one, _Fault)]
    return min(wrong, key=lambda fault: fault.reads_well)._replace(good=len(sides) - len(wrong))


def _tried(
    contrast: str, text: str, table: RunTable, known: Mapping[str, list[str]]
) -> Side | _Fault:
    try:
        return _side(contrast, text, table, known)
    except InputError as error:
        return _Fault(error, isinstance(error, _NoSuchRunError))


def _side(contrast: str, text: str, table: RunTable, known: Mapping[str, list[str]]) -> Side:
    values = _fields(contrast, text) if "=" in text else _condition(contrast, text, known)
    for name, value in values.items():
        if value not in known[name]:
            problem = f"no run has the {name} {shortened(value) or '(none)'}"
            raise _NoSuchRunError(
                f"contrast {shortened(contrast)}: {problem}",
                remedy=f"there are: {_listed(known[name])}",
            )
    names_a_system = not values.keys().isdisjoint(("agent", "model"))
    of_agents = not names_a_system and not all(run.is_baseline for run in table)
    side = Side(values, _label(values) if "=" in text else text, of_agents)
    if not any(side.matches(run) for run in table):
        raise _NoSuchRunError(
            f"contrast {shortened(contrast)}: no run is of {shortened(text)}",
            remedy="choose values that occur together",
        )
    return side


def _listed(names: list[str]) -> str:
    """Return the values there are, of many the first of them."""
    told = [shortened(one) or "(none)" for one in names[:MOST_NAMES]]
    more = [f"and {len(names) - MOST_NAMES:,} more"] if len(names) > MOST_NAMES else []
    return ", ".join(told + more) or "no runs"


def _label(values: Mapping[str, str]) -> str:
    return " · ".join(values[name] or f"no {name}" for name in FIELDS if name in values)


def _condition(contrast: str, text: str, known: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the fields of `CONDITION[@SCHEMA]`; a condition of a suite may hold an @ itself."""
    if not text:
        raise _refusal(contrast, "has an empty side", f"write {WRITTEN}")
    condition, at, schema = text.rpartition("@")
    if not at or text in known["condition"]:
        return {"condition": text, "schema": NATIVE}
    return {"condition": condition, "schema": schema}


def _fields(contrast: str, text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in FIELDS:
            raise _refusal(
                contrast, f"has no field {shortened(name)}", f"fields are: {', '.join(FIELDS)}"
            )
        if name in values:
            raise _refusal(contrast, f"names {name} twice on one side", "name each field once")
        values[name] = value
    return values


def _comparable(contrast: str, sides: Sides) -> Sides:
    """Return the sides when no run can belong to both and nothing is fixed on one side alone."""
    treatment, control = sides
    if treatment.named != control.named:
        only = ", ".join(sorted(treatment.named ^ control.named))
        raise _refusal(
            contrast,
            f"fixes {only} on one side only",
            "name the same fields on both sides (a condition written alone fixes the schema too)",
        )
    if treatment.values == control.values:
        raise _refusal(contrast, "has the same runs on both sides", "name two different sides")
    return sides


def _refusal(contrast: str, problem: str, remedy: str) -> InputError:
    return InputError(f"contrast {shortened(contrast)} {problem}", remedy=remedy)
