# SPDX-License-Identifier: MIT
"""Durations in a query: intervals, elapsed time in any unit, and columns that hold one. Knows no fact."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_scope import (
    Named,
    Relation,
    Select,
    look_up,
)
from m4bench.suites.derivation.specifications.extraction_values import (
    bare,
    carried,
    number,
    written,
)

_SECONDS = {
    "microsecond": Decimal("0.000001"),
    "millisecond": Decimal("0.001"),
    "second": Decimal(1),
    "minute": Decimal(60),
    "hour": Decimal(3600),
    "day": Decimal(86400),
    "week": Decimal(604800),
    "year": Decimal("31556952"),
}
# a declared second is a clotting time, not a reach of time
_DECLARED = {
    "h": "hour",
    "hour": "hour",
    "hours": "hour",
    "min": "minute",
    "d": "day",
    "days": "day",
}
_OFFSET = "offset"


@dataclass(frozen=True)
class Bound:
    """A moment some interval after (sign 1) or before (sign -1) another."""

    interval: exp.Interval
    sign: int
    anchor: exp.Expression
    select: Select


def unit_of(interval: exp.Interval) -> str:
    """Return the unit of an interval in the singular and in lower case."""
    unit = interval.args.get("unit")
    return (unit.name if unit is not None else "").lower().rstrip("s")


def duration(amount: Decimal, seconds: Decimal) -> str:
    """Return a duration as a text writes it: `6 hour`, in hours where it is whole hours, else in a smaller unit."""
    total = abs(amount * seconds)
    for unit in ("hour", "minute", "second"):
        if total % _SECONDS[unit] == 0:
            return f"{written(total / _SECONDS[unit])} {unit}"
    return f"{written(total)} second"


def of_interval(interval: exp.Interval) -> str | None:
    """Return an interval as it is written, or None when it is none worth telling: of nothing, or an instant."""
    unit = unit_of(interval)
    amount = interval.this
    value = Decimal(amount.name) if isinstance(amount, exp.Literal) else number(amount)
    if value is None or value == 0 or unit in ("microsecond", "millisecond"):
        return None
    return f"{written(abs(value))} {unit}"


class Durations:
    """Reads durations off expressions; `declared` gives the unit a derivation declares for a column."""

    def __init__(self, declared: Callable[[str, str], str | None]) -> None:
        self.declared = declared

    def seconds(self, node: exp.Expression, select: Select, depth: int = 0) -> Decimal | None:
        """Return how many seconds one unit of an expression is, or None when it is no duration."""
        node = bare(node)
        if depth > 20:
            return None
        if isinstance(node, exp.DateDiff | exp.TimestampDiff):
            unit = node.args.get("unit")
            return _SECONDS.get((unit.name if unit is not None else "day").lower().rstrip("s"))
        if isinstance(node, exp.Div | exp.Mul):
            return self._scaled(node, select, depth)
        if isinstance(node, exp.Add | exp.Sub):
            sides = [self.seconds(side, select, depth + 1) for side in (node.left, node.right)]
            known = [side for side in sides if side is not None]
            constant = number(node.right) is not None or number(node.left) is not None
            return known[0] if len(known) == 2 or (known and constant) else None
        if isinstance(node, exp.Column):
            found = look_up(node, select)
            if not isinstance(found, Named):
                return None if found is None else self.seconds(found, select, depth + 1)
            return self._at(found, depth)
        parts = [part for part in carried(node, parts=False) if number(part) is None]
        given = [
            self.seconds(p, select, depth + 1) for p in parts if not isinstance(bare(p), exp.Null)
        ]
        return given[0] if given and all(each == given[0] for each in given) else None

    def _at(self, found: Named, depth: int) -> Decimal | None:
        query, column = found.place
        if isinstance(query, Relation):
            if column.endswith(_OFFSET):
                return _SECONDS["minute"]
            unit = _DECLARED.get((self.declared(query.name, column) or "").lower())
            return _SECONDS[unit] if unit else None
        if isinstance(query, Select) and column in query.outputs:
            return self.seconds(query.outputs[column], query, depth + 1)
        for arm in getattr(query, "arms", []):
            names = list(getattr(arm, "outputs", {}))
            at = list(getattr(query.arms[0], "outputs", {}))  # type: ignore[union-attr]
            if isinstance(arm, Select) and column in at and at.index(column) < len(names):
                unit_there = self.seconds(arm.outputs[names[at.index(column)]], arm, depth + 1)
                if unit_there is not None:
                    return unit_there
        return None

    def _scaled(self, node: exp.Div | exp.Mul, select: Select, depth: int) -> Decimal | None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            factor, unit = number(other), self.seconds(one, select, depth + 1)
            if factor is not None and factor != 0 and unit is not None:
                return unit * factor if isinstance(node, exp.Div) else unit / factor
        return None

    def is_conversion(self, node: exp.Expression, select: Select) -> bool:
        """Tell whether an arithmetic step only turns a duration into another unit of time."""
        if not isinstance(node, exp.Div | exp.Mul):
            return False
        return self._scaled(node, select, 0) in _SECONDS.values()

    def odd_unit(self, node: exp.Expression, select: Select) -> Decimal | None:
        """Return the days by which a duration is divided where that is no unit of time."""
        if isinstance(node, exp.Div) and (seconds := self._scaled(node, select, 0)) is not None:
            return seconds / _SECONDS["day"]
        return None

    def bounds(self, node: exp.Expression, select: Select, depth: int = 0) -> Iterator[Bound]:
        """Yield the interval by which a moment lies after or before another, copies of it followed."""
        node = bare(node)
        if isinstance(node, exp.Add | exp.Sub):
            interval = bare(node.right)
            if isinstance(interval, exp.Interval):
                sign = 1 if isinstance(node, exp.Add) else -1
                yield Bound(interval, sign, node.left, select)
        elif isinstance(node, exp.Column) and depth < 20:
            found = look_up(node, select)
            if isinstance(found, Named) and isinstance(found.place.query, Select):
                made = found.place.query.outputs.get(found.place.column)
                if made is not None:
                    yield from self.bounds(made, found.place.query, depth + 1)
