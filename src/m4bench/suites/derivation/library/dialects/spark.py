# SPDX-License-Identifier: MIT
"""What Spark SQL needs otherwise than sqlglot writes it: the same rows as DuckDB's, under ANSI mode.

Written for Spark 4 with `spark.sql.ansi.enabled=true` and a session in UTC. ANSI mode is chosen because a
value that does not fit is then an error, as in DuckDB, and not a silent null; where DuckDB gives a null or
an infinity instead, the rules below say so in the query.
"""

from collections.abc import Callable

from sqlglot import exp
from sqlglot.dialects.spark import Spark

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.rule import Rule, Writing
from m4bench.suites.derivation.library.dialects.typing import type_of

_NUMBER = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$"
_WIDEST = 18  # digits that a whole number of Spark holds
_FIRST_WHOLE_DOUBLE = 2**52  # from here on every double is whole
_CLOCK_UNITS = ("SECOND", "MINUTE", "HOUR")
_MICROSECONDS = {
    "MICROSECOND": 1,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": 86_400_000_000,
}
_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")


class _Ansi(Spark):  # type: ignore[misc]
    """Spark SQL whose timestamps have no time zone whatever the session's default, and whose TRY_CAST stays."""

    class Generator(Spark.Generator):  # type: ignore[misc]
        """Writes clinical times as wall-clock times."""

        TYPE_MAPPING = {  # noqa: RUF012 - sqlglot declares it without ClassVar
            **Spark.Generator.TYPE_MAPPING,
            exp.DataType.Type.TIMESTAMP: "TIMESTAMP_NTZ",
        }
        TRANSFORMS = {  # noqa: RUF012
            **Spark.Generator.TRANSFORMS,
            exp.TryCast: lambda self, node: self.trycast_sql(node),
        }


def _cast(node: exp.Expression, to: str) -> exp.Cast:
    return exp.Cast(this=node, to=exp.DataType.build(to))


def _parenthesised(node: exp.Expression) -> exp.Expression:
    return exp.paren(node, copy=False) if isinstance(node, exp.Binary | exp.Neg) else node


def _call(name: str, *arguments: exp.Expression) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _literal(node: exp.Expression) -> exp.Literal | None:
    while isinstance(node, exp.Cast | exp.Paren | exp.Neg):
        node = node.this
    return node if isinstance(node, exp.Literal) else None


def _is(node: exp.Expression, *types: str) -> bool:
    return bool(type_of(node).is_type(*types))


def division(node: exp.Expression) -> exp.Expression:
    """`a / b` divides doubles; a division by zero is an infinity or not a number, an error in ANSI mode.

    Where all that can come of it is a decimal or none, none is said at once.
    """
    if not isinstance(node, exp.Div):
        return node
    above, below = node.left, node.right
    divisor = _literal(below)
    if not _is(above, "DOUBLE") and not _is(below, "DOUBLE"):
        above = _cast(above, "DOUBLE")
    if divisor is not None and divisor.is_number and float(divisor.this):
        return exp.Div(this=above, expression=below)
    if _becomes_decimal(node):
        return _call("TRY_DIVIDE", above, below)
    infinity = _cast(exp.Literal.string("Infinity"), "DOUBLE")
    nothing = exp.EQ(this=below.copy(), expression=exp.Literal.number(0))
    return exp.Case(
        ifs=[exp.If(this=nothing, true=exp.Mul(this=above.copy(), expression=infinity))],
        default=exp.Div(this=above, expression=below),
    )


def _becomes_decimal(node: exp.Expression) -> bool:
    """Tell whether a quotient is, perhaps divided again, tried as a decimal."""
    above = node.parent
    while isinstance(above, exp.Paren) or (isinstance(above, exp.Div) and above.left is node):
        node, above = above, above.parent
    return isinstance(above, exp.TryCast) and above.to.is_type("DECIMAL")


def cast_to_decimal(node: exp.Expression) -> exp.Expression:
    """A double becomes a decimal as in DuckDB: scaled as a double, then rounded to a whole number.

    Spark would round the shortest decimal text of the double instead, so that 1.0005 and 1.000499… differ;
    it is left to do so with numbers whose whole form exceeds 64 bits, of which no digit is after the point.
    """
    if not isinstance(node, exp.Cast) or not node.to.is_type("DECIMAL"):
        return node
    value = node.this
    if _literal(value) is not None or isinstance(value, exp.Null) or not _is(value, "DOUBLE"):
        return node
    width, scale = (int(part.name) for part in node.to.expressions)
    kind = exp.TryCast if width > _WIDEST else type(node)
    scaled: exp.Expression = value.copy()
    if scale:
        scaled = exp.Mul(this=_parenthesised(scaled), expression=exp.Literal.number(10**scale))
    rounded: exp.Expression = kind(this=_call("ROUND", scaled), to=exp.DataType.build("BIGINT"))
    if scale:
        rounded = exp.Mul(this=rounded, expression=exp.Literal.number(f"0.{1:0{scale}d}"))
    decimal = kind(this=rounded, to=node.to.copy())
    if width > _WIDEST:
        return exp.Coalesce(this=decimal, expressions=[node.copy()])
    return decimal


def cast_to_integer(node: exp.Expression) -> exp.Expression:
    """A double becomes an integer by rounding to the nearest, halves to even; Spark would cut it off."""
    if not isinstance(node, exp.Cast) or not node.to.is_type(*_INTEGERS):
        return node
    value = node.this
    whole = isinstance(value, exp.Ceil | exp.Floor | exp.Null) or _literal(value) is not None
    if whole or not _is(value, "DOUBLE", "DECIMAL"):
        return node
    rounding = "RINT" if _is(value, "DOUBLE") else "ROUND"
    node.set("this", _call(rounding, value))
    return node


def cast_of_text(node: exp.Expression) -> exp.Expression:
    """Text is a number where it is written as one; Spark would also take the suffixes of Java's literals.

    An integer may have a fraction, which is rounded half away from zero; Spark would take it for no number.
    """
    if not isinstance(node, exp.TryCast) or not node.to.is_type("DECIMAL", "DOUBLE", *_INTEGERS):
        return node
    text = node.this
    if isinstance(text, exp.Null) or not _is(text, "TEXT", "VARCHAR"):
        return node
    condition = exp.RegexpLike(this=text.copy(), expression=exp.Literal.string(_NUMBER))
    if node.to.is_type(*_INTEGERS):
        wide = exp.TryCast(this=text, to=exp.DataType.build("DECIMAL(38, 9)"))
        node.set("this", _call("ROUND", wide))
    return exp.Case(ifs=[exp.If(this=condition, true=node)])


def mean_of_decimals(node: exp.Expression) -> exp.Expression:
    """The mean of decimals is a double: their exact sum over their number; Spark's would be a decimal."""
    if not isinstance(node, exp.Avg) or isinstance(node.this, exp.Order | exp.Distinct):
        return node
    if not _is(node.this, "DECIMAL"):
        return node
    if isinstance(node.parent, exp.Window | exp.Filter):
        raise InputError("has a mean of decimals over a window or a filter, not written for Spark")
    value, power = node.this, exp.Literal.number(10 ** int(type_of(node.this).expressions[1].name))
    return exp.Div(
        this=_cast(exp.Mul(this=exp.Sum(this=value), expression=power), "DOUBLE"),
        expression=exp.paren(
            exp.Mul(this=exp.Count(this=value.copy()), expression=power.copy()), copy=False
        ),
    )


def ordered_sum(node: exp.Expression) -> exp.Expression:
    """A sum or mean `ORDER BY` adds a sorted array, so that its last digit does not hang on the order of rows."""
    if not isinstance(node, exp.Sum | exp.Avg) or not isinstance(node.this, exp.Order):
        return node
    value, keys = node.this.this, node.this.expressions
    if isinstance(node.parent, exp.Window | exp.Filter) or not _is(value, "DOUBLE"):
        raise InputError("has an ordered sum of a kind that is not written for Spark")
    if any(key.args.get("desc") for key in keys):
        raise InputError("has a sum in descending order, not written for Spark")
    listed: exp.Expression = _call("COLLECT_LIST", value.copy())
    alone = [key.this for key in keys] == [value]
    if not alone:
        fields: list[exp.Expression] = []
        for key in keys:
            if not key.args.get("nulls_first"):
                fields.append(exp.Is(this=key.this.copy(), expression=exp.Null()))
            fields.append(key.this.copy())
        record = _call("STRUCT", *fields, exp.alias_(value.copy(), "summand"))
        known = exp.Is(this=value.copy(), expression=exp.Null()).not_()
        listed = exp.Filter(this=_call("COLLECT_LIST", record), expression=exp.Where(this=known))
    in_order: exp.Expression = _call("ARRAY_SORT", listed)
    if not alone:
        in_order = exp.Dot(this=in_order, expression=exp.to_identifier("summand"))
    if isinstance(node, exp.Sum):
        return _added(in_order)
    return exp.Div(this=_added(in_order), expression=exp.Count(this=value.copy()))


def mean_of_list(node: exp.Expression) -> exp.Expression:
    """`list_avg` has no counterpart: the array is added in its order, and an empty one has no mean."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "list_avg":
        return node
    values = node.expressions[0]
    counted = values.this if isinstance(values, exp.ArraySort) else values
    return exp.Div(this=_added(values), expression=_call("SIZE", counted.copy()))


def _added(values: exp.Expression) -> exp.Expression:
    """Return the sum of an array of doubles without nulls, added from the first on; null when it is empty."""
    total, each = exp.to_identifier("total"), exp.to_identifier("each")
    so_far = exp.Coalesce(this=exp.column(total.copy()), expressions=[exp.Literal.number(0)])
    step = exp.Lambda(
        this=exp.Add(this=so_far, expression=exp.column(each.copy())), expressions=[total, each]
    )
    return _call("AGGREGATE", values, _cast(exp.Null(), "DOUBLE"), step)


def rounded_double(node: exp.Expression) -> exp.Expression:
    """A double is rounded at a power of ten; Spark would round its shortest decimal text."""
    if not isinstance(node, exp.Round) or not _is(node.this, "DOUBLE"):
        return node
    digits = node.args.get("decimals")
    if digits is None or digits == exp.Literal.number(0):
        return node
    if not isinstance(digits, exp.Literal):
        raise InputError("rounding to a number of digits that varies is not translated for Spark")
    power = _cast(exp.Literal.number(10 ** int(digits.this)), "DOUBLE")
    scaled = exp.Mul(this=_parenthesised(node.this), expression=power)
    return exp.Div(this=_call("ROUND", scaled), expression=power.copy())


def whole_double(node: exp.Expression) -> exp.Expression:
    """`ceil` and `floor` of a double are doubles; Spark's are integers, which do not hold every double."""
    if not isinstance(node, exp.Ceil | exp.Floor) or not _is(node.this, "DOUBLE"):
        return node
    if type(node.parent) is exp.Cast and node.parent.to.is_type(*_INTEGERS):
        return node
    value = node.this
    size = exp.Abs(this=value.copy())
    small = exp.LT(this=size, expression=exp.Literal.number(_FIRST_WHOLE_DOUBLE))
    return exp.Case(ifs=[exp.If(this=small, true=_cast(node.copy(), "DOUBLE"))], default=value)


def series(node: exp.Expression) -> exp.Expression:
    """A series that ends before it begins is empty; Spark's sequence would count down."""
    if not isinstance(node, exp.GenerateSeries) or node.args.get("step") is not None:
        return node
    first, last = node.args["start"], node.args["end"]
    return exp.Case(
        ifs=[
            exp.If(
                this=exp.LTE(this=first, expression=last),
                true=_call("SEQUENCE", first.copy(), last.copy()),
            )
        ],
        default=_call("ARRAY"),
    )


def truncated_time(node: exp.Expression) -> exp.Expression:
    """`date_trunc` gives a time of the session's zone in Spark, of which the wall clock is taken."""
    if not isinstance(node, exp.TimestampTrunc):
        return node
    return _cast(node, "TIMESTAMP")


def time_of_parts(node: exp.Expression) -> exp.Expression:
    """`make_timestamp` gives a time of the session's zone in Spark unless asked for another."""
    if not isinstance(node, exp.TimestampFromParts):
        return node
    parts = [node.args[each] for each in ("year", "month", "day", "hour", "min", "sec")]
    return _call("MAKE_TIMESTAMP_NTZ", *parts)


def elapsed(node: exp.Expression) -> exp.Expression:
    """`date_diff` counts the boundaries crossed; Spark's counts whole units elapsed."""
    if not isinstance(node, exp.DateDiff):
        return node
    unit = node.text("unit").upper()
    later, earlier = node.this, node.expression
    if unit == "MICROSECOND":
        cut: Callable[[exp.Expression], exp.Expression] = lambda time: time  # noqa: E731
    elif unit in _CLOCK_UNITS:
        cut = lambda time: _call("DATE_TRUNC", exp.Literal.string(unit), time)  # noqa: E731
    elif unit == "DAY":
        cut = lambda time: _cast(time, "DATE")  # noqa: E731
    else:
        raise InputError(f"date_diff in units of {unit} is not translated for Spark")
    return _call("TIMESTAMPDIFF", exp.var(unit), cut(earlier), cut(later))


def frame_of_one_unit(node: exp.Expression) -> exp.Expression:
    """The bounds of a frame have to be intervals of one type: where their units differ, days to seconds."""
    if not isinstance(node, exp.WindowSpec):
        return node
    bounds = [
        bound for key in ("start", "end") if isinstance(bound := node.args.get(key), exp.Interval)
    ]
    if len({bound.text("unit").upper() for bound in bounds}) < 2:
        return node
    for bound in bounds:
        unit = bound.text("unit").upper()
        if unit not in _MICROSECONDS:
            raise InputError(f"has a frame bounded by an interval in {unit}, not written for Spark")
        seconds, micro = divmod(int(bound.name) * _MICROSECONDS[unit], 1_000_000)
        days, seconds = divmod(seconds, 86_400)
        clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{micro:06d}"
        bound.set("this", exp.Literal.string(f"{days} {clock}"))
        bound.set("unit", exp.IntervalSpan(this=exp.var("DAY"), expression=exp.var("SECOND")))
    return node


def time_from_date(node: exp.Expression) -> exp.Expression:
    """A date and an interval are a time; in Spark they would stay a date."""
    if not isinstance(node, exp.Add | exp.Sub):
        return node
    if _is_interval(node.right) and node.left.type is not None and _is(node.left, "DATE"):
        node.set("this", _cast(node.left, "TIMESTAMP"))
    return node


def _is_interval(node: exp.Expression) -> bool:
    return isinstance(node, exp.Interval) or node.find(exp.Interval) is not None


RULES: tuple[Rule, ...] = (
    elapsed,
    truncated_time,
    time_of_parts,
    time_from_date,
    frame_of_one_unit,
    series,
    cast_of_text,
    cast_to_decimal,
    cast_to_integer,
    rounded_double,
    whole_double,
    mean_of_decimals,
    ordered_sum,
    mean_of_list,
    division,
)


def written_for_spark(node: exp.Expression) -> exp.Expression:
    """Give a node to the rule that changes it, if any; what a rule makes is not given to another."""
    for rule in RULES:
        new = rule(node)
        if new is not node:
            return new
    return node


WRITING = Writing(_Ansi, (written_for_spark,))
