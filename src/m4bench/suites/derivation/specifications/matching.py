# SPDX-License-Identifier: MIT
"""Whether a number of a statement states a fact: value, side, result, openness. Knows no library."""

import re

from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.knowledge import code_ends, direction_of
from m4bench.suites.derivation.specifications.quantities import (
    Quantity,
    canonical,
    header_numbers,
    is_time,
)
from m4bench.suites.derivation.specifications.statements import Statement

_FACTOR = re.compile(r"[\s-]*(?:times|fold|×|x|\*|·)(?![\w])", re.IGNORECASE)
_EXACTLY = re.compile(r"\b(?:exactly|equals?|equal to)\s+$|=\s*$", re.IGNORECASE)


_DOTTED_CODE = re.compile(r"(?:[A-Z]\w{1,2}|\d{3})\.\w{1,2}")  # three places before the dot


def code_written(statement: Statement, quantity: Quantity) -> str:
    """Return a number as a diagnosis code would be written: zeros kept, and no dot where a code may have one."""
    written = statement.text[quantity.start : quantity.end].upper()
    return written.replace(".", "") if _DOTTED_CODE.fullmatch(written) else written


def codes_run_together(statement: Statement, quantity: Quantity) -> tuple[str, ...]:
    """Return the codes of a list that was written without blanks, such as 410,412."""
    written = statement.text[quantity.start : quantity.end]
    parts = tuple(written.split(","))
    return parts if len(parts) > 1 and all(re.fullmatch(r"\d{3}", part) for part in parts) else ()


def values_written(statement: Statement, quantity: Quantity) -> set[str]:
    """Return what a number may stand for: itself, a code, the codes of a list, what is subtracted."""
    written = {quantity.value, code_written(statement, quantity)}
    written.update(codes_run_together(statement, quantity))
    if quantity.value.startswith("-"):
        written.add(quantity.value.removeprefix("-"))
    return written


def is_factor(statement: Statement, quantity: Quantity) -> bool:
    """Tell whether a number is spoken of as a factor, as in at least 1.5 times."""
    return _FACTOR.match(statement.text, quantity.end) is not None


def is_exact(statement: Statement, quantity: Quantity) -> bool:
    """Tell whether a value is spoken of as met exactly."""
    return _EXACTLY.search(statement.text[: quantity.start]) is not None


def states(
    fact: Fact, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
) -> bool:
    """Tell whether a quantity of the fact's value states the fact, the other quantities of the statement given."""
    written = statement.text[quantity.start : quantity.end]
    if (
        fact.kind != "code"
        and _DOTTED_CODE.fullmatch(written.upper())
        and (fact.value == code_written(statement, quantity))
    ):
        return False  # a dot that a code may have changes any other number
    match fact.kind:
        case "window":
            return window_states(fact, quantity)
        case "code":
            return _range_states(fact, quantity, statement, found)
        case "cut":
            compared = quantity.side is not None and not quantity.ranged
            if fact.side is None and compared:
                return False
            if fact.side is not None and fact.side not in (quantity.side, quantity.loose):
                return False
        case "constant":
            # 24 hours are no 24 mL.
            if quantity.time is not None and (
                quantity.value.startswith("-") or (fact.unit is not None and not is_time(fact.unit))
            ):
                return False
            if (
                fact.points is None
                and quantity.side is not None
                and not quantity.ranged
                and not is_factor(statement, quantity)
            ):
                return False
    if fact.points is None:
        return True
    direction = direction_of(fact)
    if direction and quantity.direction and direction != quantity.direction:
        return False
    return canonical(fact.points) in results_given(quantity, statement, found)


def results_given(
    quantity: Quantity, statement: Statement, found: tuple[Quantity, ...], *, only: bool = False
) -> set[str]:
    """Return the results that a statement gives beside a quantity.

    Args:
        quantity: the quantity, itself no result.
        statement: the statement.
        found: all quantities of the statement.
        only: leave out numbers that are not spoken of as results.
    """
    header = statement.headers[quantity.cell] if statement.headers else ""
    roles = ("points",) if only else ("points", "value")
    beside = {one.value for one in found if one is not quantity and one.role in roles}
    return beside | header_numbers(header)


def window_states(fact: Fact, quantity: Quantity) -> bool:
    """Tell whether a duration of a window's length says of its end what the window has."""
    if fact.closed is None:
        return True
    if quantity.side is None or quantity.timeline or fact.side is None:
        return quantity.closed == fact.closed
    # A condition and its complement say the same: less than 14 hours goes on, 14 hours or more begins anew.
    included = (quantity.side, quantity.direction) in (("upper", "up"), ("lower", "down"))
    consistent = quantity.closed in (None, included) or quantity.direction is None
    return quantity.side == fact.side and consistent


def _range_states(
    fact: Fact, quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
) -> bool:
    """Tell whether a range of codes is written with its last code after its first."""
    first, last = code_ends(fact)
    if first == last:
        return True
    following = found.index(quantity) + 1
    return following < len(found) and code_written(statement, found[following]) == last
