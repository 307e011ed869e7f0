# SPDX-License-Identifier: MIT
"""What BigQuery needs otherwise than sqlglot writes it; each rule says why. Knows no derivation.

Nothing here was run on BigQuery: the rules follow its reference, and what they write is parsed again.
"""

from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.expressions import (
    as_double,
    cast,
    decimal_of_double,
    decimal_size,
    never_zero,
    number,
    over,
    pattern,
    require_plain_aggregate,
    sure_double,
    times_power_of_ten,
    where_it_fits,
)
from m4bench.suites.derivation.library.dialects.rule import Writing
from m4bench.suites.derivation.library.dialects.typing import is_double, is_text, type_of

_MICROSECONDS = {
    "MICROSECOND": 1,
    "SECOND": 10**6,
    "MINUTE": 60 * 10**6,
    "HOUR": 3600 * 10**6,
    "DAY": 86400 * 10**6,
}
_ON_DOUBLES = (exp.Ln, exp.Exp, exp.Pow, exp.Sqrt)


def division(node: exp.Expression) -> exp.Expression:
    """`/` divides doubles, and by zero gives infinity or NaN, where BigQuery refuses; IEEE_DIVIDE does as DuckDB."""
    if not isinstance(node, exp.Div):
        return node
    left, right = as_double(node.this), as_double(node.expression)
    if never_zero(right):
        return exp.Div(this=left, expression=right, typed=True, safe=False)
    return exp.func("IEEE_DIVIDE", left, right)


def decimal(node: exp.Expression) -> exp.Expression:
    """A decimal of so many digits is NUMERIC, rounded; BigQuery keeps sizes for columns of tables only.

    A double is rounded as its product with a power of ten, halves away from zero, and TRY_CAST gives null
    where the decimal has no room.
    """
    if not isinstance(node, exp.Cast) or not node.to.is_type("decimal"):
        return node
    if isinstance(node, exp.TryCast) and is_text(node.this):
        return node
    _, scale = decimal_size(node.to)
    if not decimal_of_double(node):
        if type_of(node.this).is_type(*exp.DataType.INTEGER_TYPES):
            return cast(node.this, "decimal")
        return exp.Round(this=cast(node.this, "decimal"), decimals=number(scale))
    whole = exp.Round(this=times_power_of_ten(node.this.copy(), scale))
    rounded = over(cast(whole, "decimal"), 10**scale)
    trying = isinstance(node, exp.TryCast)
    return where_it_fits(node.this, node.to, rounded) if trying else rounded


def number_of_text(node: exp.Expression) -> exp.Expression:
    """TRY_CAST of text rounds what is written as a number, halves away from zero."""
    if not isinstance(node, exp.TryCast) or not is_text(node.this) or node.to.is_type("double"):
        return node
    read = exp.TryCast(this=node.this, to=exp.DataType.build("decimal"))
    if node.to.is_type("decimal"):
        _, scale = decimal_size(node.to)
        return exp.Round(this=read, decimals=number(scale))
    return exp.cast(exp.Round(this=read), node.to)


def sums(node: exp.Expression) -> exp.Expression:
    """SUM and AVG take no order in BigQuery, so that of doubles the last digit may differ from run to run.

    AVG of decimals would be cut after nine digits: it divides their exact sum as a double.
    """
    if isinstance(node, exp.Avg | exp.Sum) and isinstance(node.this, exp.Order):
        node.set("this", node.this.this)
    if not isinstance(node, exp.Avg) or is_double(node.this):
        return node
    require_plain_aggregate(node)
    entries = exp.Nullif(this=exp.Count(this=node.this.copy()), expression=number(0))
    total = cast(exp.Sum(this=node.this), "double")
    return exp.Div(this=total, expression=entries, typed=True, safe=False)


def mean_of_list(node: exp.Expression) -> exp.Expression:
    """LIST_AVG of a list becomes the mean of what it holds."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "list_avg":
        return node
    (values,) = node.expressions
    values = values.this if isinstance(values, exp.ArraySort) else values
    held = exp.Unnest(
        expressions=[values], alias=exp.TableAlias(columns=[exp.to_identifier("element")])
    )
    mean_of = exp.select(exp.Avg(this=exp.column("element"))).from_(held)
    return exp.paren(mean_of, copy=False)


def filtered(node: exp.Expression) -> exp.Expression:
    """FILTER is not known to BigQuery: what does not pass becomes null, which no aggregate counts.

    A list keeps nulls unless it is told; DuckDB's would keep those that pass, of which a mean sees nothing.
    """
    if not isinstance(node, exp.Filter):
        return node
    aggregate, condition = node.this, node.expression.this
    if isinstance(aggregate.this, exp.Star | exp.Distinct | exp.Order):
        raise InputError(f"filters {aggregate.sql(dialect='duckdb')}, which BigQuery is not told")
    aggregate.set("this", exp.If(this=condition, true=aggregate.this, false=exp.null()))
    return exp.IgnoreNulls(this=aggregate) if isinstance(aggregate, exp.ArrayAgg) else aggregate


def extremes(node: exp.Expression) -> exp.Expression:
    """GREATEST and LEAST leave nulls out; in BigQuery one null makes all of it null.

    Two are said again behind it; of more, an aggregate over a list is taken, which leaves nulls out.
    """
    if not isinstance(node, exp.Greatest | exp.Least):
        return node
    values = [node.this, *node.expressions]
    if len(values) == 2:
        pair = type(node)(this=values[0], expressions=values[1:], ignore_nulls=False)
        return exp.Coalesce(this=pair, expressions=[value.copy() for value in values])
    if node.find(exp.AggFunc):
        raise InputError("takes an extreme of more than two aggregates, which BigQuery is not told")
    held = exp.Unnest(
        expressions=[exp.Array(expressions=values)],
        alias=exp.TableAlias(columns=[exp.to_identifier("element")]),
    )
    extreme = exp.Max if isinstance(node, exp.Greatest) else exp.Min
    return exp.paren(exp.select(extreme(this=exp.column("element"))).from_(held), copy=False)


def elapsed(node: exp.Expression) -> exp.Expression:
    """DATE_DIFF of times is DATETIME_DIFF."""
    if not isinstance(node, exp.DateDiff) or not node.args.get("unit"):
        return node
    return exp.func("DATETIME_DIFF", node.this, node.expression, exp.var(node.text("unit").upper()))


def truncated(node: exp.Expression) -> exp.Expression:
    """DATE_TRUNC of a time without a zone is DATETIME_TRUNC."""
    if not isinstance(node, exp.TimestampTrunc):
        return node
    return exp.func("DATETIME_TRUNC", node.this, exp.var(node.text("unit").upper()))


def part_of_text(node: exp.Expression) -> exp.Expression:
    """SPLIT_PART is an element of SPLIT, empty where there are not so many."""
    if not isinstance(node, exp.SplitPart):
        return node
    place = int(node.args["part_index"].name) - 1
    offset = exp.func("SAFE_OFFSET", number(place))
    element = exp.Bracket(
        this=exp.Split(this=node.this, expression=node.args["delimiter"]), expressions=[offset]
    )
    return exp.Coalesce(this=element, expressions=[exp.Literal.string("")])


def window(node: exp.Expression) -> exp.Expression:
    """A window's order puts nulls first when it ascends, and its RANGE counts numbers only.

    Nulls that stand elsewhere are a key of their own; a RANGE of time counts microseconds since 1970.
    """
    if not isinstance(node, exp.Window):
        return node
    if any(is_double(column) for column in node.args.get("partition_by") or ()):
        raise InputError("a window is partitioned by a double, which BigQuery refuses")
    if node.args.get("order") is None:
        return node
    order, frame = node.args["order"], node.args.get("spec")
    bounds = [frame.args.get(end) for end in ("start", "end")] if frame is not None else []
    if any(isinstance(bound, exp.Interval) for bound in bounds):
        (key,) = order.expressions
        epoch = cast(exp.Literal.string("1970-01-01 00:00:00"), "timestamp")
        key.set("this", exp.func("DATETIME_DIFF", key.this, epoch, exp.var("MICROSECOND")))
        for end, bound in zip(("start", "end"), bounds, strict=True):
            if isinstance(bound, exp.Interval):
                unit = _MICROSECONDS[bound.text("unit").upper()]
                frame.set(end, number(int(bound.this.name) * unit))
    keys = []
    for key in order.expressions:
        descending, first = bool(key.args.get("desc")), bool(key.args.get("nulls_first"))
        if first == descending:
            absent = exp.Is(this=key.this.copy(), expression=exp.null())
            keys.append(exp.Ordered(this=absent, desc=first, nulls_first=not first))
            key.set("nulls_first", not descending)
        keys.append(key)
    counted = frame is not None and frame.text("kind") == "RANGE"
    counted = counted and any(isinstance(bound, exp.Literal) for bound in bounds)
    if counted and len(keys) != len(order.expressions):
        raise InputError("a RANGE of so much has its nulls last, which BigQuery is not told")
    order.set("expressions", keys)
    return node


def unnested(node: exp.Expression) -> exp.Expression:
    """What is unnested has one name in BigQuery, which stands for the element: not that of a column of it."""
    if not isinstance(node, exp.Unnest) or not isinstance(
        alias := node.args.get("alias"), exp.TableAlias
    ):
        return node
    if alias.this is None or len(alias.columns) != 1:
        return node
    name, column = alias.this, alias.columns[0].name
    select = node.find_ancestor(exp.Select)
    for found in select.find_all(exp.Column) if select else ():
        if found.table == name.name and found.name == column:
            element = exp.column(name.copy())
            projected = found.parent is select and found.arg_key == "expressions"
            found.replace(exp.alias_(element, column) if projected else element)
    alias.set("columns", [alias.this])
    alias.set("this", None)
    return node


def interval(node: exp.Expression) -> exp.Expression:
    """An interval counts by a number, not by text."""
    if isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal):
        node.set("this", number(int(node.this.name)))
    return node


def listed_rows(node: exp.Expression) -> exp.Expression:
    """VALUES of one column have one type in BigQuery: whole numbers among doubles are written as doubles."""
    if not isinstance(node, exp.Values):
        return node
    rows = [row.expressions for row in node.expressions]
    for column in zip(*rows, strict=True):
        if any(
            type_of(cell).is_type("double") for cell in column if not isinstance(cell, exp.Null)
        ):
            for cell in column:
                if isinstance(cell, exp.Literal) and cell.is_int:
                    cell.replace(exp.Literal.number(f"{cell.name}.0"))
    return node


def double_functions(node: exp.Expression) -> exp.Expression:
    """Logarithms and powers are of doubles."""
    if isinstance(node, _ON_DOUBLES):
        node.set("this", as_double(node.this))
        if node.args.get("expression") is not None:
            node.set("expression", as_double(node.expression))
    return node


def whole(node: exp.Expression) -> exp.Expression:
    """A double becomes a whole number by rounding halves to even, in BigQuery away from zero: it must be whole."""
    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.INTEGER_TYPES):
        inner = node.this.unnest()
        if is_double(node.this) and not isinstance(inner, exp.Ceil | exp.Floor | exp.Round):
            raise InputError("makes a whole number of a double that may not be one")
    return node


WRITING = Writing(
    "bigquery",
    (
        pattern,
        sure_double,
        listed_rows,
        whole,
        double_functions,
        sums,
        division,
        decimal,
        number_of_text,
        mean_of_list,
        filtered,
        extremes,
        elapsed,
        truncated,
        part_of_text,
        window,
        unnested,
        interval,
    ),
    frozenset({"DATETIME_DIFF", "DATETIME_TRUNC", "IEEE_DIVIDE", "SAFE_OFFSET"}),
)
