# SPDX-License-Identifier: MIT
"""What can be told of expressions without rows: numbers, labels, lists that hold a column, conditions that never hold.

A *label* is a value that the query itself makes from literals to tell its own rows apart; nothing of the data is
called so. The *domain* of a column is the list of values that filters below have left to it.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal, DivisionByZero, InvalidOperation

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_scope import (
    Named,
    Place,
    Query,
    Relation,
    Rows,
    Select,
    Spread,
    Stack,
    look_up,
    output_at,
)

Values = frozenset[str]
Constraints = dict[tuple[str, str], Values]  # by a source's name and the column's
Held = frozenset[tuple[str, Values]]  # columns of a query held to lists

WRAPPERS = (exp.Paren, exp.Cast, exp.TryCast, exp.Alias)
_NUMBERINGS = (exp.RowNumber, exp.Rank, exp.DenseRank)
_KEEPING = (
    *(exp.Min, exp.Max, exp.Avg, exp.Sum, exp.AnyValue, exp.First, exp.Last, exp.Median),
    *(exp.Round, exp.Lower, exp.Upper, exp.Trim, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue),
    *(exp.Window, exp.Filter, exp.Distinct, exp.Abs, exp.Ordered, exp.IgnoreNulls),
)
_CHOOSING = (exp.Coalesce, exp.Greatest, exp.Least, exp.Nullif)
_PARTS = (exp.Substring, exp.Left, exp.SplitPart, exp.Split, exp.Unnest)


def bare(node: exp.Expression) -> exp.Expression:
    """Return an expression out of its parentheses and casts."""
    while isinstance(node, WRAPPERS):
        node = node.this
    return node


def number(node: exp.Expression) -> Decimal | None:
    """Return the number that an expression of literals stands for."""
    node = bare(node)
    if isinstance(node, exp.Literal):
        return Decimal(node.name) if not node.is_string else None
    if isinstance(node, exp.Neg):
        inner = number(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
        left, right = number(node.left), number(node.right)
        if left is None or right is None:
            return None
        try:
            return _computed(node, left, right)
        except (DivisionByZero, InvalidOperation):
            return None
    return None


def _computed(node: exp.Expression, left: Decimal, right: Decimal) -> Decimal:
    match node:
        case exp.Add():
            return left + right
        case exp.Sub():
            return left - right
        case exp.Mul():
            return left * right
    return left / right


def written(value: Decimal) -> str:
    """Return a number as a text writes it, without exponent or idle zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def carried(node: exp.Expression, *, parts: bool = True) -> Iterator[exp.Expression]:
    """Yield the expressions one step below whose value, or the choice among whose values, an expression hands on."""
    if isinstance(node, (*WRAPPERS, *_KEEPING)):
        yield node.this
    elif isinstance(node, _CHOOSING):
        yield from (node.this, *node.expressions)
    elif isinstance(node, exp.Case):
        yield from (branch.args["true"] for branch in node.args["ifs"])
        if default := node.args.get("default"):
            yield default
    elif parts and isinstance(node, _PARTS):
        yield node.this if node.this is not None else node.expressions[0]


def carriers(node: exp.Expression) -> Iterator[exp.Column]:
    """Yield the columns whose value an expression hands on."""
    if isinstance(node, exp.Column):
        yield node
    for inner in carried(node):
        yield from carriers(inner)


class Reader:
    """Follows values through the SELECTs of one query; `made_elsewhere` gives the labels of a derivation's column."""

    def __init__(self, made_elsewhere: Callable[[str, str], Values | None]) -> None:
        self._made_elsewhere = made_elsewhere
        self._labels: dict[tuple[int, str], Values | None] = {}
        self._domains: dict[tuple[int, str], Values | None] = {}
        self._reading: set[int] = set()

    def labels(self, node: exp.Expression, select: Select) -> Values | None:
        """Return the labels an expression may give, or None where its values are not all labels."""
        node = bare(node)
        if isinstance(node, exp.Literal):
            return frozenset([node.name])
        if isinstance(node, exp.Null):
            return frozenset()
        if isinstance(node, exp.Neg):
            return self.labels(node.this, select)
        if isinstance(node, exp.Column):
            found = look_up(node, select)
            if isinstance(found, Named):
                return self.labels_of(found.place)
            return None if found is None else self.labels(found, select)
        if isinstance(node, exp.Window) and isinstance(node.this, _NUMBERINGS):
            return frozenset()
        parts = list(carried(node, parts=False))
        known = [self.labels(part, select) for part in parts]
        if not parts or any(each is None for each in known):
            return None
        return frozenset().union(*(each for each in known if each is not None))

    def amount(self, node: exp.Expression, select: Select) -> Decimal | None:
        """Return the number that an expression of literals, or of columns that hold one literal, stands for."""
        plain = number(node)
        node = bare(node)
        if plain is not None or isinstance(node, exp.Literal):
            return plain
        if isinstance(node, exp.Column):
            made = self.labels(node, select)
            only = next(iter(made)) if made is not None and len(made) == 1 else ""
            return Decimal(only) if only.replace(".", "", 1).isdigit() else None
        if isinstance(node, exp.Mul):
            sides = [self.amount(side, select) for side in (node.left, node.right)]
            known = [side for side in sides if side is not None]
            return known[0] * known[1] if len(known) == len(sides) else None
        return None

    def labels_of(self, place: Place) -> Values | None:
        """Return the labels a column of a query may hold."""
        key = (id(place.query), place.column)
        if key not in self._labels:
            self._labels[key] = None
            self._labels[key] = self._find_labels(place)
        return self._labels[key]

    def _find_labels(self, place: Place) -> Values | None:
        query, column = place
        match query:
            case Relation():
                return self._made_elsewhere(query.name, column)
            case Rows():
                at = query.columns.index(column)
                cells = [bare(row[at]) for row in query.cells]
                return frozenset(cell.name for cell in cells if isinstance(cell, exp.Literal))
            case Select():
                made = query.outputs.get(column)
                return None if made is None else self.labels(made, query)
            case Stack():
                found = [self.labels_of(each) for each in arms_at(place)]
                if any(each is None for each in found):
                    return None
                return frozenset().union(*(each for each in found if each is not None))
        return None

    def rows_behind(self, node: exp.Expression, select: Select) -> tuple[Place, list[str]] | None:
        """Return the column of a VALUES list that an expression hands on, and the texts at which it is split."""
        node = bare(node)
        split = [each.name for each in _separators(node)]
        if isinstance(node, exp.Column):
            found = look_up(node, select)
            if isinstance(found, Named):
                return self.rows_at(found.place)
            return None if found is None else self.rows_behind(found, select)
        for part in carried(node):
            behind = self.rows_behind(part, select)
            if behind is not None:
                return behind[0], [*behind[1], *split]
        return None

    def rows_at(self, place: Place) -> tuple[Place, list[str]] | None:
        """Return the column of a VALUES list behind a column of a query, and the texts at which it is split."""
        query, column = place
        match query:
            case Rows():
                return place, []
            case Select():
                made = query.outputs.get(column)
                return None if made is None else self.rows_behind(made, query)
            case Spread():
                return self.rows_behind(query.made, query.select)
            case Stack():
                found = [self.rows_at(each) for each in arms_at(place)]
                return next((each for each in found if each is not None), None)
        return None

    def constraints(self, condition: exp.Expression | None, select: Select) -> Constraints:
        """Return the lists of literals to which a condition holds columns of a SELECT's sources."""
        if condition is None:
            return {}
        condition = condition.this if isinstance(condition, exp.Where) else condition
        node = bare(condition)
        if isinstance(node, exp.And):
            return narrowed(
                self.constraints(node.left, select), self.constraints(node.right, select)
            )
        if isinstance(node, exp.Or):
            sides = [
                side for side in (node.left, node.right) if self.truth(side, select) is not False
            ]
            found = [self.constraints(side, select) for side in sides]
            shared = set(found[0]).intersection(*found[1:]) if found else set()
            return {key: frozenset().union(*(each[key] for each in found)) for key in shared}
        values: list[exp.Expression] = []
        if isinstance(node, exp.In):
            values = node.expressions
        elif isinstance(node, exp.EQ):
            values = [node.right]
        column = bare(node.this) if values else None
        if isinstance(column, exp.Column) and all(
            isinstance(bare(value), exp.Literal) for value in values
        ):
            found_at = look_up(column, select)
            if isinstance(found_at, Named) and found_at.select is select:
                key = (found_at.source, found_at.place.column)
                return {key: frozenset(bare(value).name for value in values)}
        return {}

    def within(self, select: Select, held: Held) -> Constraints | None:
        """Return the lists to which outputs of a SELECT hold its sources, or None when labels leave no row."""
        constraints: Constraints = {}
        for name, values in held:
            made = select.outputs.get(name)
            if made is None:
                continue
            labels = self.labels(made, select)
            if labels and not labels & values:
                return None
            column = bare(made)
            meant = look_up(column, select) if isinstance(column, exp.Column) else None
            if isinstance(meant, Named) and meant.select is select:
                constraints = narrowed(constraints, {(meant.source, meant.place.column): values})
        return constraints

    def domain(self, node: exp.Expression, select: Select) -> Values | None:
        """Return the list of values left to a column by the filters below and in the SELECT itself."""
        node = bare(node)
        found = look_up(node, select) if isinstance(node, exp.Column) else None
        if not isinstance(found, Named):
            return None
        below = self.domain_of(found.place)
        if found.select is not select or id(select) in self._reading:
            return below  # a filter is not held against itself
        self._reading.add(id(select))
        lists = [below, *self._held(found, select)]
        self._reading.discard(id(select))
        known = [each for each in lists if each is not None]
        return frozenset.intersection(*known) if known else None

    def _held(self, found: Named, select: Select) -> Iterator[Values | None]:
        key = (found.source, found.place.column)
        yield self.constraints(select.clause("where"), select).get(key)
        for source in select.sources.values():
            on = source.join.args.get("on") if source.join else None
            if on is None or source.optional:
                continue
            yield self.constraints(on, select).get(key)
            for equal in on.find_all(exp.EQ):
                sides = [bare(equal.left), bare(equal.right)]
                meant = [look_up(s, select) if isinstance(s, exp.Column) else None for s in sides]
                for one, other in (meant, meant[::-1]):
                    if isinstance(one, Named) and isinstance(other, Named) and one == found:
                        yield self.domain_of(other.place)

    def domain_of(self, place: Place) -> Values | None:
        """Return the list of values left to a column of a query."""
        key = (id(place.query), place.column)
        if key not in self._domains:
            self._domains[key] = None
            self._domains[key] = self._find_domain(place)
        return self._domains[key]

    def _find_domain(self, place: Place) -> Values | None:
        query, column = place
        match query:
            case Rows():
                return self._find_labels(place)
            case Select():
                made = query.outputs.get(column)
                return None if made is None else self.domain(made, query)
            case Stack():
                found = [
                    self.domain_of(each) for each in arms_at(place) if not self.is_dead(each.query)
                ]
                if any(each is None for each in found):
                    return None
                return frozenset().union(*(each for each in found if each is not None))
        return None

    def is_dead(self, query: Query) -> bool:
        """Tell whether a query gives no row whatever the data."""
        return isinstance(query, Select) and self.truth(query.clause("where"), query) is False

    def truth(self, node: exp.Expression | None, select: Select) -> bool | None:
        """Return whether a condition always or never holds, or None where that depends on the data.

        A condition that is always null never holds.
        """
        if node is None:
            return None
        node = bare(node.this if isinstance(node, exp.Where | exp.Having) else node)
        match node:
            case exp.Boolean():
                return bool(node.this)
            case exp.Not():
                inner = self.truth(node.this, select)
                return None if inner is None or _is_null(node.this) else not inner
            case exp.And() | exp.Or():
                return self._joined(node, select)
            case exp.In() if node.expressions:
                held = self._held_values(node.this, select)
                listed = [self.labels(each, select) for each in node.expressions]
                if held is None or any(each is None for each in listed):
                    return None
                values = frozenset().union(*(each for each in listed if each is not None))
                return False if held and not held & values else None
            case exp.EQ():
                if _is_null(node.left) or _is_null(node.right):
                    return False
                sides = [self._held_values(side, select) for side in (node.left, node.right)]
                if sides[0] and sides[1] and not sides[0] & sides[1]:
                    return False
            case exp.LT() | exp.LTE() | exp.GT() | exp.GTE() | exp.NEQ():
                if _is_null(node.left) or _is_null(node.right):
                    return False
        return None

    def _joined(self, node: exp.And | exp.Or, select: Select) -> bool | None:
        sides = [self.truth(side, select) for side in (node.left, node.right)]
        decisive = isinstance(node, exp.Or)
        if decisive in sides:
            return decisive
        return not decisive if None not in sides else None

    def _held_values(self, node: exp.Expression, select: Select) -> Values | None:
        labels = self.labels(node, select)
        return labels if labels is not None else self.domain(node, select)


def arms_at(place: Place) -> Iterator[Place]:
    """Yield a column of a union in each of its arms."""
    query = place.query
    if isinstance(query, Stack):
        for arm in query.arms:
            name = output_at(query, place.column, arm)
            if name is not None:
                yield Place(arm, name)


def held_in(constraints: Constraints, source: str) -> Held:
    """Return what constraints hold a source's columns to."""
    return frozenset(
        (column, values) for (at, column), values in constraints.items() if at == source
    )


def held_at(place: Place, held: Held, arm: Place) -> Held:
    """Return what holds a union's columns as it holds those of one arm."""
    return frozenset(
        (inner.column, values)
        for name, values in held
        for inner in arms_at(Place(place.query, name))
        if inner.query is arm.query
    )


def narrowed(one: Constraints, other: Constraints) -> Constraints:
    """Return constraints that hold together."""
    both = {**one, **other}
    return {
        key: one[key] & other[key] if key in one and key in other else values
        for key, values in both.items()
    }


def _is_null(node: exp.Expression) -> bool:
    return isinstance(bare(node), exp.Null)


def _separators(node: exp.Expression) -> Iterator[exp.Expression]:
    """Yield the text at which a list is split; a range keeps its two ends."""
    if isinstance(node, exp.Split):
        yield node.expression


def literal_text(node: exp.Expression) -> str | None:
    """Return the text that an expression of text literals stands for."""
    node = bare(node)
    if isinstance(node, exp.Literal):
        return node.name if node.is_string else None
    if isinstance(node, exp.DPipe | exp.Concat):
        parts = [literal_text(part) for part in node.iter_expressions()]
        return None if None in parts else "".join(part or "" for part in parts)
    return None
