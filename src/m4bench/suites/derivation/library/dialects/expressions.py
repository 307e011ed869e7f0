# SPDX-License-Identifier: MIT
"""Expressions that rules of several dialects put together. Knows no dialect."""

from decimal import Decimal

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.typing import is_double, type_of


def typed(node: exp.Expression, kind: str) -> exp.Expression:
    """Return an expression with its type set."""
    node.type = exp.DataType.build(kind)
    return node


def cast(node: exp.Expression, kind: str) -> exp.Expression:
    """Return a cast, its type set."""
    return typed(exp.cast(node, kind, copy=False), kind)


def number(value: int | Decimal) -> exp.Expression:
    """Return a literal number."""
    return exp.Literal.number(f"{value:f}" if isinstance(value, Decimal) else value)


def as_double(node: exp.Expression) -> exp.Expression:
    """Return an expression as a double; a decimal literal, which sqlglot takes for one, is cast too."""
    inner = node.unnest()
    known = is_double(node) and not isinstance(inner, exp.Literal)
    return node if known else cast(inner, "double")


def factor(node: exp.Expression) -> exp.Expression:
    """Return an expression in parentheses where an operator beside it could tear it apart."""
    return exp.paren(node, copy=False) if isinstance(node, exp.Binary | exp.Case) else node


def times_power_of_ten(node: exp.Expression, scale: int) -> exp.Expression:
    """Return an expression times 10^scale."""
    return exp.Mul(this=factor(node), expression=number(10**scale)) if scale else node


def over(node: exp.Expression, divisor: int) -> exp.Expression:
    """Return a quotient that is left as it is written."""
    if divisor == 1:
        return node
    return exp.Div(this=factor(node), expression=number(divisor), typed=True, safe=False)


def never_zero(node: exp.Expression) -> bool:
    """Tell whether a divisor can be seen not to be zero: a positive number, or one plus an exponential."""
    inner = node.unnest()
    if isinstance(inner, exp.Cast):
        return never_zero(inner.this)
    if isinstance(inner, exp.Add):
        return never_zero(inner.left) and isinstance(inner.right.unnest(), exp.Exp)
    return isinstance(inner, exp.Literal) and not inner.is_string and Decimal(inner.name) > 0


def decimal_size(kind: exp.DataType) -> tuple[int, int]:
    """Return precision and scale of a decimal type."""
    precision, scale = (int(size.name) for size in kind.expressions)
    return precision, scale


def where_it_fits(
    operand: exp.Expression, kind: exp.DataType, value: exp.Expression
) -> exp.Expression:
    """Return a value where a double has room in a decimal type, null elsewhere and for infinity and NaN."""
    precision, scale = decimal_size(kind)
    bound = Decimal(10**precision * 10 - 5) / 10 ** (scale + 1)
    fits = exp.LT(this=exp.Abs(this=operand), expression=number(bound))
    return exp.Case().when(fits, value, copy=False)


def decimal_of_double(node: exp.Expression) -> bool:
    """Tell whether a node makes a decimal of a double.

    Raises:
        InputError: it makes one of something that may not be a number, without trying.
    """
    if not isinstance(node, exp.Cast) or not node.to.is_type("decimal"):
        return False
    if is_double(node.this):
        return True
    found = type_of(node.this)
    if not isinstance(node, exp.TryCast) and not found.is_type(*exp.DataType.NUMERIC_TYPES):
        raise InputError(f"makes a decimal of {found.sql(dialect='duckdb')}")
    return False


def require_plain_aggregate(node: exp.Expression) -> None:
    """Refuse an aggregate that is to become an expression where only an aggregate can stand.

    Raises:
        InputError: it is filtered, or one of a window.
    """
    if isinstance(node.parent, exp.Window | exp.Filter):
        raise InputError(f"{node.parent.sql(dialect='duckdb')[:60]} is no aggregate of a group")


def pattern(node: exp.Expression) -> exp.Expression:
    """A backslash in a pattern of LIKE is a sign like others; in other dialects it is not, so that none may stand."""
    if isinstance(node, exp.Like | exp.ILike) and "\\" in node.expression.sql(dialect="duckdb"):
        raise InputError("has a backslash in a pattern of LIKE")
    return node


def sure_double(node: exp.Expression) -> exp.Expression:
    """TRY_CAST of a number to a double never fails, so that it is a plain cast."""
    if (
        isinstance(node, exp.TryCast)
        and node.to.is_type("double")
        and type_of(node.this).is_type(*exp.DataType.NUMERIC_TYPES)
    ):
        return exp.cast(node.this, "double", copy=False)
    return node
