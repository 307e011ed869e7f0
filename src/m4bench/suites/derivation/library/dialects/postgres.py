# SPDX-License-Identifier: MIT
"""What PostgreSQL (14 and newer) needs otherwise than sqlglot writes it; each rule says why. Knows no derivation."""

from decimal import Decimal

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.expressions import (
    as_double,
    cast,
    decimal_of_double,
    decimal_size,
    factor,
    never_zero,
    number,
    over,
    pattern,
    require_plain_aggregate,
    sure_double,
    times_power_of_ten,
    typed,
    where_it_fits,
)
from m4bench.suites.derivation.library.dialects.rule import Writing
from m4bench.suites.derivation.library.dialects.typing import is_double, is_text, type_of

_BELOW_A_DAY = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600}
_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_NUMBER = r"^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?\s*$"
_DOUBLE = r"^\s*[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,2})?|inf(inity)?|nan)\s*$"
_ON_DOUBLES = (exp.Ln, exp.Exp, exp.Pow, exp.Sqrt)


def _rounded(node: exp.Expression, scale: int) -> exp.Expression:
    """Return the whole number nearest to a double times a power of ten, halves away from zero, as a decimal.

    PostgreSQL rounds a double's halves to even, and a double that becomes a decimal is first cut to 15
    digits; its text is exact, for products up to 2^53.
    """
    text = cast(times_power_of_ten(node, scale), "text")
    return exp.Round(this=cast(text, "decimal"))


def division(node: exp.Expression) -> exp.Expression:
    """`/` divides doubles, and by zero gives infinity or NaN, where PostgreSQL divides integers and refuses.

    Under a TRY_CAST to a decimal, where infinity becomes null, null is said at once.
    """
    if not isinstance(node, exp.Div):
        return node
    under_try = _reaches_try_cast(node)
    left, right = as_double(node.this), as_double(node.expression)
    quotient = exp.Div(this=left, expression=right, typed=True, safe=False)
    if never_zero(right):
        return quotient
    zero = number(0)
    if under_try:
        quotient.set("expression", exp.Nullif(this=right, expression=zero))
        return quotient
    infinity = exp.Mul(this=left.copy(), expression=cast(exp.Literal.string("Infinity"), "double"))
    return (
        exp.Case()
        .when(exp.EQ(this=right.copy(), expression=zero), infinity, copy=False)
        .else_(quotient, copy=False)
    )


def _reaches_try_cast(node: exp.Expression) -> bool:
    parent, child = node.parent, node
    while isinstance(parent, exp.Paren) or (isinstance(parent, exp.Div) and parent.this is child):
        parent, child = parent.parent, parent
    return isinstance(parent, exp.TryCast) and bool(parent.to.is_type("decimal"))


def decimal(node: exp.Expression) -> exp.Expression:
    """A double becomes a decimal by rounding its product with a power of ten, halves away from zero.

    TRY_CAST gives null where the decimal has no room, which PostgreSQL can only be asked beforehand.
    """
    if not decimal_of_double(node):
        return node
    _, scale = decimal_size(node.to)
    rounded = exp.cast(over(_rounded(node.this.copy(), scale), 10**scale), node.to)
    trying = isinstance(node, exp.TryCast)
    return where_it_fits(node.this, node.to, rounded) if trying else rounded


def number_of_text(node: exp.Expression) -> exp.Expression:
    """TRY_CAST of text rounds what is written as a number and has room, and gives null for all else.

    Underscores between digits, which DuckDB reads, are not read; nor are doubles of three-digit exponents.
    """
    if not isinstance(node, exp.TryCast) or not is_text(node.this):
        return node
    if node.to.is_type("double"):
        double = exp.RegexpILike(this=node.this, expression=exp.Literal.string(_DOUBLE))
        return exp.Case().when(double, cast(node.this.copy(), "double"), copy=False)
    if node.to.is_type("decimal"):
        precision, scale = decimal_size(node.to)
        largest = (Decimal(10**precision) - Decimal("0.5")) / 10**scale
    elif node.to.is_type("int"):
        largest, scale = Decimal("2147483647.5"), 0
    else:
        raise InputError(f"tries to cast text to {node.to.sql(dialect='duckdb')}")
    figures = exp.RegexpLike(this=node.this, expression=exp.Literal.string(_NUMBER))
    value = cast(node.this.copy(), "decimal")
    fits = exp.LT(this=exp.Abs(this=value), expression=number(largest))
    rounded = exp.Round(this=value.copy(), decimals=number(scale))
    inner = exp.Case().when(fits, exp.cast(rounded, node.to), copy=False)
    return exp.Case().when(figures, inner, copy=False)


def left_over(node: exp.Expression) -> exp.Expression:
    """TRY_CAST is not known to PostgreSQL, so that none may be left."""
    if isinstance(node, exp.TryCast):
        raise InputError(f"tries to cast to {node.to.sql(dialect='duckdb')}")
    return node


def rounding(node: exp.Expression) -> exp.Expression:
    """ROUND of a double rounds halves away from zero; PostgreSQL's rounds them to even and takes no digits."""
    if not isinstance(node, exp.Round) or not is_double(node.this):
        return node
    digits = node.args.get("decimals")
    scale = int(digits.name) if digits is not None else 0
    return over(cast(_rounded(node.this, scale), "double"), 10**scale)


def mean_of_list(node: exp.Expression) -> exp.Expression:
    """LIST_AVG of a sorted list becomes a mean in that order: a sum of doubles depends on its order."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "list_avg":
        return node
    (values,) = node.expressions
    element = exp.column("element")
    if isinstance(values, exp.ArraySort):
        values = values.this
        element = exp.Order(this=element, expressions=[exp.Ordered(this=exp.column("element"))])
    held = exp.Unnest(
        expressions=[values],
        alias=exp.TableAlias(
            this=exp.to_identifier("held"), columns=[exp.to_identifier("element")]
        ),
    )
    return exp.paren(exp.select(exp.Avg(this=element)).from_(held), copy=False)


def mean_of_decimals(node: exp.Expression) -> exp.Expression:
    """AVG of decimals divides their exact sum as a double; PostgreSQL's decimal mean is cut after some digits."""
    if not isinstance(node, exp.Avg) or not type_of(node.this).is_type("decimal"):
        return node
    require_plain_aggregate(node)
    _, scale = decimal_size(type_of(node.this))
    total = times_power_of_ten(exp.Sum(this=node.this), scale)
    entries = exp.Nullif(this=exp.Count(this=node.this.copy()), expression=number(0))
    share = factor(times_power_of_ten(entries, scale))
    return exp.Div(this=cast(total, "double"), expression=share, typed=True)


def text_order(node: exp.Expression) -> exp.Expression:
    """Texts are ordered by their bytes; in PostgreSQL by the language of the database unless it is told."""
    if isinstance(node, exp.Ordered | exp.Min | exp.Max):
        if is_text(node.this):
            node.set("this", _by_bytes(node.this))
    elif isinstance(node, exp.Greatest | exp.Least | exp.Distinct):
        if isinstance(node, exp.Distinct) and not isinstance(node.parent, exp.AggFunc | exp.Order):
            return node
        arguments = [node.this, *node.expressions] if node.this else node.expressions
        for argument in arguments:
            if is_text(argument):
                argument.replace(_by_bytes(argument.copy()))
    elif isinstance(node, _COMPARISONS) and is_text(node.this):
        node.set("this", _by_bytes(node.this))
    return node


def _by_bytes(node: exp.Expression) -> exp.Expression:
    if isinstance(node, exp.Collate):
        return node
    collated = exp.Collate(this=factor(node), expression=exp.to_identifier("C", quoted=True))
    return typed(collated, "text")


def elapsed(node: exp.Expression) -> exp.Expression:
    """DATE_DIFF counts the borders of a unit that are passed; PostgreSQL has seconds of an interval only."""
    if not isinstance(node, exp.DateDiff):
        return node
    later, earlier, unit = node.this, node.expression, node.text("unit").upper() or "DAY"

    def epoch(of: exp.Expression) -> exp.Expression:
        return exp.Extract(this=exp.var("EPOCH"), expression=of)

    def between(a: exp.Expression, b: exp.Expression) -> exp.Expression:
        return exp.Sub(this=factor(a), expression=factor(b))

    if unit == "MICROSECOND":
        million = number(1_000_000)
        elapsed_time: exp.Expression = exp.Mul(
            this=epoch(between(later, earlier)), expression=million
        )
    elif unit in _BELOW_A_DAY:
        later, earlier = (
            exp.TimestampTrunc(this=cast(time, "timestamp"), unit=exp.var(unit))
            for time in (later, earlier)
        )
        elapsed_time = epoch(between(later, earlier))
        elapsed_time = over(elapsed_time, _BELOW_A_DAY[unit])
    elif unit == "DAY":
        elapsed_time = between(cast(later, "date"), cast(earlier, "date"))
    elif unit == "YEAR":
        later, earlier = (
            exp.Extract(this=exp.var("YEAR"), expression=time) for time in (later, earlier)
        )
        elapsed_time = between(later, earlier)
    else:
        raise InputError(f"DATE_DIFF counts the unit {unit.lower()}, which PostgreSQL is not told")
    return cast(elapsed_time, "bigint")


def series(node: exp.Expression) -> exp.Expression:
    """A series is a list that is unnested; in PostgreSQL it is a set of rows as it stands."""
    if not isinstance(node, exp.Unnest):
        return node
    if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.GenerateSeries):
        return exp.Table(this=node.expressions[0], alias=node.args.get("alias"))
    return node


def split(node: exp.Expression) -> exp.Expression:
    """STRING_SPLIT is STRING_TO_ARRAY."""
    if not isinstance(node, exp.Split):
        return node
    return exp.func("STRING_TO_ARRAY", node.this, node.expression)


def double_functions(node: exp.Expression) -> exp.Expression:
    """Logarithms and powers are of doubles; PostgreSQL has other ones for decimals, of other digits."""
    if isinstance(node, _ON_DOUBLES):
        node.set("this", as_double(node.this))
        if node.args.get("expression") is not None:
            node.set("expression", as_double(node.expression))
    return node


def nulls_of_a_union(node: exp.Expression) -> exp.Expression:
    """A NULL takes the type of its column in the other parts of a union; PostgreSQL looks at two parts only."""
    if not isinstance(node, exp.SetOperation):
        return node
    parts = [part.selects for part in node.find_all(exp.Select) if _is_part(part, node)]
    for column in zip(*parts, strict=True):
        kinds = [cell.type for cell in column if cell.type and not cell.is_type("unknown", "null")]
        for cell in column:
            if kinds and isinstance(cell.unalias(), exp.Null):
                cell.unalias().replace(exp.cast(exp.null(), kinds[0]))
    return node


def _is_part(select: exp.Expression, union: exp.Expression) -> bool:
    above = select.parent
    while isinstance(above, exp.SetOperation | exp.Subquery) and above is not union:
        above = above.parent
    return above is union


def printed(node: exp.Expression) -> exp.Expression:
    """A double's text differs from engine to engine, so that no query may rest on it."""
    if isinstance(node, exp.Cast) and node.to.is_type("text", "varchar") and is_double(node.this):
        raise InputError("a double is cast to text")
    return node


WRITING = Writing(
    "postgres",
    (
        pattern,
        sure_double,
        nulls_of_a_union,
        printed,
        text_order,
        double_functions,
        mean_of_decimals,
        division,
        decimal,
        number_of_text,
        rounding,
        mean_of_list,
        elapsed,
        series,
        split,
        left_over,
    ),
    frozenset({"STRING_TO_ARRAY"}),
)
