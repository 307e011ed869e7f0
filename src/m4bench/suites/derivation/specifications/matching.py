# SPDX-License-Identifier: MIT
"""Whether a number of a statement states a fact: value, side, result, openness. Knows no library."""

import re
from functools import lru_cache

from m4bench.suites.derivation.specifications import number_patterns as patterns
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
_SET_TO = re.compile(
    r"\b(?:treated|counted|counts?|taken|set|read|reads|used|regarded|entered|replaced|raised|lowered|capped"
    r"|becomes?|made)\s+(?:(?:as|to|by|at|with|up to|down to|being|exactly|if it were|though it were)\s+)*$",
    re.IGNORECASE,
)
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
    if quantity.value.startswith("-") and quantity.side is None:
        written.add(quantity.value.removeprefix("-"))
    return written


def is_factor(statement: Statement, quantity: Quantity) -> bool:
    """Tell whether a number is spoken of as a factor, as in at least 1.5 times."""
    return _FACTOR.match(statement.text, quantity.end) is not None


def is_exact(statement: Statement, quantity: Quantity) -> bool:
    """Tell whether a value is spoken of as met exactly."""
    return _EXACTLY.search(statement.text[max(0, quantity.start - 20) : quantity.start]) is not None


def states(
    fact: Fact,
    quantity: Quantity,
    statement: Statement,
    found: tuple[Quantity, ...],
    *,
    bound: bool = False,
) -> bool:
    """Tell whether a quantity of the fact's value states the fact.

    Args:
        fact: the fact.
        quantity: the quantity.
        statement: the statement it stands in.
        found: all quantities of the statement.
        bound: what follows is what the formula gives at the limit, so that it may be told as "counts as" the limit.
    """
    written = statement.text[quantity.start : quantity.end]
    if (
        fact.kind != "code"
        and _DOTTED_CODE.fullmatch(written.upper())
        and (fact.value == code_written(statement, quantity))
    ):
        return False  # a dot that a code may have changes any other number
    match fact.kind:
        case "window":
            # The time from one point to another is no negative one; a point may lie before another.
            if quantity.value.startswith("-") and _is_length(quantity) and fact.side is not None:
                return False
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
    if bound and _is_set_to_itself(quantity, statement, found):
        return True
    return canonical(fact.points) in results_given(quantity, statement, found)


def _is_length(quantity: Quantity) -> bool:
    return quantity.side is not None and not quantity.timeline and not quantity.ranged


def _is_set_to_itself(
    quantity: Quantity, statement: Statement, found: tuple[Quantity, ...]
) -> bool:
    """Tell whether a value beyond a limit is set to the limit: below 125 is treated as 125."""
    if quantity.side is None:
        return False
    return any(
        one.start > quantity.end
        and one.value == quantity.value
        and _SET_TO.search(statement.text[max(quantity.end, one.start - 60) : one.start])
        for one in found
    )


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
    beside |= worded_points(statement.text)
    given = beside | header_numbers(header)
    if any(one is not quantity and one.role == "points" for one in found) or (
        header_numbers(header) or worded_points(statement.text)
    ):
        return given
    announced = (worded_points(lead) for lead in reversed(statement.leads))
    return given | next(filter(None, announced), frozenset())


@lru_cache(maxsize=1024)
def worded_points(text: str) -> frozenset[str]:
    """Return the points that a text gives in so many words: one point, 2 points."""
    found = (match["number"].lower() for match in patterns.WORDED_POINTS.finditer(text))
    return frozenset(canonical(patterns.NUMBER_WORDS.get(number, number)) for number in found)


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
