# SPDX-License-Identifier: MIT
"""What PostgreSQL (14 and newer) needs otherwise than sqlglot writes it; each rule says why. Knows no derivation."""

from decimal import Decimal

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.rule import Writing
from m4bench.suites.derivation.library.dialects.typing import is_double, is_text, type_of

_BELOW_A_DAY = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600}
_COMPARISONS = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_ON_DOUBLES = (exp.Ln, exp.Exp, exp.Pow, exp.Sqrt)


def _typed(node: exp.Expression, kind: str) -> exp.Expression:
    node.type = exp.DataType.build(kind)
    return node


def _cast(node: exp.Expression, kind: str) -> exp.Expression:
    return _typed(exp.cast(node, kind, copy=False), kind)


def _as_double(node: exp.Expression) -> exp.Expression:
    inner = node.unnest()
    known = is_double(node) and not isinstance(inner, exp.Literal)
    return node if known else _cast(inner, "double")


def _factor(node: exp.Expression) -> exp.Expression:
    return exp.paren(node, copy=False) if isinstance(node, exp.Binary | exp.Case) else node


def _scaled(node: exp.Expression, scale: int) -> exp.Expression:
    if not scale:
        return node
    return exp.Mul(this=_factor(node), expression=exp.Literal.number(10**scale))


def _rounded(node: exp.Expression, scale: int) -> exp.Expression:
    """Return the whole number nearest to a double times a power of ten, halves away from zero, as a decimal.

    PostgreSQL rounds a double's halves to even, and a double that becomes a decimal is first cut to 15
    digits; its text is exact.
    """
    text = _cast(_scaled(node, scale), "text")
    return exp.Round(this=_cast(text, "decimal"))


def division(node: exp.Expression) -> exp.Expression:
    """`/` divides doubles, and by zero gives infinity or NaN, where PostgreSQL divides integers and refuses.

    Under a TRY_CAST to a decimal, where infinity becomes null, null is said at once.
    """
    if not isinstance(node, exp.Div):
        return node
    under_try = _reaches_try_cast(node)
    left, right = _as_double(node.this), _as_double(node.expression)
    quotient = exp.Div(this=left, expression=right, typed=True, safe=False)
    if _never_zero(right):
        return quotient
    zero = exp.Literal.number(0)
    if under_try:
        quotient.set("expression", exp.Nullif(this=right, expression=zero))
        return quotient
    infinity = exp.Mul(this=left.copy(), expression=_cast(exp.Literal.string("Infinity"), "double"))
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


def _never_zero(node: exp.Expression) -> bool:
    inner = node.unnest()
    if isinstance(inner, exp.Cast):
        return _never_zero(inner.this)
    if isinstance(inner, exp.Add):
        # A positive number and an exponential.
        return _never_zero(inner.left) and isinstance(inner.right.unnest(), exp.Exp)
    return isinstance(inner, exp.Literal) and not inner.is_string and Decimal(inner.name) > 0


def decimal(node: exp.Expression) -> exp.Expression:
    """A double becomes a decimal by rounding its product with a power of ten, halves away from zero.

    TRY_CAST gives null where the decimal has no room, which PostgreSQL can only be asked beforehand.
    """
    if not isinstance(node, exp.Cast) or not node.to.is_type("decimal"):
        return node
    operand, trying = node.this, isinstance(node, exp.TryCast)
    if not is_double(operand):
        if trying or not type_of(operand).is_type("decimal", *exp.DataType.NUMERIC_TYPES):
            raise InputError(f"a decimal is made of {type_of(operand).sql(dialect='duckdb')}")
        return node
    precision, scale = (int(size.name) for size in node.to.expressions)
    whole = _rounded(operand.copy(), scale)
    value = exp.Div(this=whole, expression=exp.Literal.number(10**scale)) if scale else whole
    if scale:
        value.set("typed", True)
    rounded = exp.cast(value, node.to)
    if not trying:
        return rounded
    bound = Decimal(10**precision * 10 - 5) / 10 ** (scale + 1)
    fits = exp.LT(this=exp.Abs(this=operand), expression=exp.Literal.number(f"{bound:f}"))
    return exp.Case().when(fits, rounded, copy=False)


def rounding(node: exp.Expression) -> exp.Expression:
    """ROUND of a double rounds halves away from zero; PostgreSQL's rounds them to even and takes no digits."""
    if not isinstance(node, exp.Round) or not is_double(node.this):
        return node
    digits = node.args.get("decimals")
    scale = int(digits.name) if digits is not None else 0
    whole = _cast(_rounded(node.this, scale), "double")
    if not scale:
        return whole
    return exp.Div(this=whole, expression=exp.Literal.number(10**scale), typed=True)


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
    scale = exp.Literal.number(10 ** int(type_of(node.this).expressions[1].name))
    total = exp.Mul(this=exp.Sum(this=node.this), expression=scale)
    number = exp.Mul(
        this=exp.Nullif(this=exp.Count(this=node.this.copy()), expression=exp.Literal.number(0)),
        expression=scale.copy(),
    )
    return exp.Div(this=_cast(total, "double"), expression=exp.paren(number), typed=True)


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
    elif (isinstance(node, _COMPARISONS) and is_text(node.this)) or (
        isinstance(node, exp.Between) and is_text(node.this)
    ):
        node.set("this", _by_bytes(node.this))
    return node


def _by_bytes(node: exp.Expression) -> exp.Expression:
    if isinstance(node, exp.Collate):
        return node
    collated = exp.Collate(this=_factor(node), expression=exp.to_identifier("C", quoted=True))
    return _typed(collated, "text")


def elapsed(node: exp.Expression) -> exp.Expression:
    """DATE_DIFF counts the borders of a unit that are passed; PostgreSQL has seconds of an interval only."""
    if not isinstance(node, exp.DateDiff):
        return node
    later, earlier, unit = node.this, node.expression, node.text("unit").upper() or "DAY"

    def epoch(of: exp.Expression) -> exp.Expression:
        return exp.Extract(this=exp.var("EPOCH"), expression=of)

    def between(a: exp.Expression, b: exp.Expression) -> exp.Expression:
        return exp.Sub(this=_factor(a), expression=_factor(b))

    if unit == "MICROSECOND":
        million = exp.Literal.number(1_000_000)
        elapsed_time: exp.Expression = exp.Mul(
            this=epoch(between(later, earlier)), expression=million
        )
    elif unit in _BELOW_A_DAY:
        later, earlier = (
            exp.TimestampTrunc(this=_cast(time, "timestamp"), unit=exp.var(unit))
            for time in (later, earlier)
        )
        elapsed_time = epoch(between(later, earlier))
        if _BELOW_A_DAY[unit] > 1:
            seconds = exp.Literal.number(_BELOW_A_DAY[unit])
            elapsed_time = exp.Div(this=elapsed_time, expression=seconds, typed=True)
    elif unit == "DAY":
        elapsed_time = between(_cast(later, "date"), _cast(earlier, "date"))
    elif unit == "YEAR":
        later, earlier = (
            exp.Extract(this=exp.var("YEAR"), expression=time) for time in (later, earlier)
        )
        elapsed_time = between(later, earlier)
    else:
        raise InputError(f"DATE_DIFF counts the unit {unit.lower()}, which PostgreSQL is not told")
    return _cast(elapsed_time, "bigint")


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
        node.set("this", _as_double(node.this))
        if node.args.get("expression") is not None:
            node.set("expression", _as_double(node.expression))
    return node


def printed(node: exp.Expression) -> exp.Expression:
    """A double's text differs from engine to engine, so that no query may rest on it."""
    if isinstance(node, exp.Cast) and node.to.is_type("text", "varchar") and is_double(node.this):
        raise InputError("a double is cast to text")
    return node


WRITING = Writing(
    "postgres",
    (
        printed,
        text_order,
        double_functions,
        mean_of_decimals,
        division,
        decimal,
        rounding,
        mean_of_list,
        elapsed,
        series,
        split,
    ),
)
