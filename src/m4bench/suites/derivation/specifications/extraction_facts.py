# SPDX-License-Identifier: MIT
"""The facts that the needed part of one query states. Knows no library; what is needed is for `extraction_slice`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_conditions import Conditions
from m4bench.suites.derivation.specifications.extraction_duration import (
    Durations,
    duration,
    of_interval,
)
from m4bench.suites.derivation.specifications.extraction_names import Context, Found
from m4bench.suites.derivation.specifications.extraction_slice import Slice, branches
from m4bench.suites.derivation.specifications.extraction_values import (
    Reader,
    bare,
    literal_text,
    number,
    written,
)

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv, exp.Pow)
_COMPUTING = (exp.Ln, exp.Exp, exp.Sqrt, exp.Greatest, exp.Least, exp.Nullif, exp.GenerateSeries)
_COMPARING = (
    *(exp.LT, exp.LTE, exp.GT, exp.GTE, exp.EQ, exp.NEQ, exp.In, exp.Between),
    *(exp.Like, exp.ILike, exp.Contains, exp.StartsWith, exp.RegexpLike, exp.NullSafeNEQ),
)
_RANKING = ("rank", "place", "part", "preference", "priority", "number", "order", "begins")
_SCORING = ("score", "points", "stage")


@dataclass
class Emitter:
    """Walks the needed expressions of a query and notes each fact with what it is about."""

    slice: Slice
    reader: Reader
    durations: Durations
    name: str

    def __post_init__(self) -> None:
        self.conditions = Conditions(self.slice, self.reader, self.durations, self.name)
        self.names = self.conditions.names

    def found(self) -> Iterator[Found]:
        """Yield what is found, the same fact as often as it stands there."""
        for select, columns in self.slice.outputs.items():
            for column in columns:
                yield from self._walk(select.outputs[column], Context(select, column))
            for source in self.slice.sources.get(select, ()):
                join = select.sources[source].join
                if join is not None and (on := join.args.get("on")):
                    yield from self._walk(on, Context(select, None, source=source))
            for clause in ("where", "having", "qualify"):
                if part := select.clause(clause):
                    grouped = clause == "having"
                    yield from self._walk(part.this, Context(select, None, grouped=grouped))

    def _walk(self, node: exp.Expression, at: Context) -> Iterator[Found]:
        """Yield the facts of an expression."""
        if isinstance(node, exp.Column | exp.Literal | exp.Query | exp.DataType):
            return
        if isinstance(node, exp.And | exp.Or):
            yield from self._junction(node, at)
        elif isinstance(node, exp.Not):
            yield from self._walk(node.this, replace(at, negated=not at.negated))
        elif isinstance(node, _COMPARING):
            if self.reader.truth(node, at.select) is not False:
                yield from self.conditions.of(node, at)
                for part in node.iter_expressions():
                    if self.reader.amount(part, at.select) is None:
                        yield from self._walk(part, at)
        elif isinstance(node, exp.Case):
            yield from self._case(node, at)
        elif isinstance(node, exp.Interval):
            yield from self._loose_interval(node, at)
        elif isinstance(node, exp.Window):
            yield from self._window(node, at)
        elif isinstance(node, exp.Coalesce):
            yield from self._walk(node.this, at)
            for default in node.expressions:
                yield from self._default(default, node, at)
        elif isinstance(node, _ARITHMETIC):
            yield from self._arithmetic(node, at)
        elif isinstance(node, _COMPUTING):
            for part in node.iter_expressions():
                yield from self._constant(part, node, at)
                yield from self._walk(part, at)
        elif isinstance(node, exp.Cast | exp.TryCast | exp.Round):
            yield from self._walk(node.this, at)
        else:
            for part in node.iter_expressions():
                yield from self._walk(part, at)

    def _junction(self, node: exp.And | exp.Or, at: Context) -> Iterator[Found]:
        if self.reader.truth(node, at.select) is not None:
            return
        if isinstance(node, exp.And):
            at = replace(at, version=self.conditions.version(node) or at.version)
        for side in (node.left, node.right):
            if self.reader.truth(side, at.select) is None:
                yield from self._walk(side, at)

    def _case(self, node: exp.Case, at: Context) -> Iterator[Found]:
        """Yield the facts of a CASE; a literal result is what its conditions' cuts give as points."""
        wanted = self.slice.held.get((at.select, at.column)) if at.column else None
        taken = branches(node, at.select, self.reader, wanted)
        scored = self._is_scored(taken, at)
        for condition, result in taken:
            value = number(result) if result is not None else None
            text = literal_text(result) if result is not None else None
            points = written(value) if scored and value is not None else None
            cuts = 0
            if condition is not None:
                inside = replace(at, points=points, label=text or at.label)
                for each in self._walk(condition, inside):
                    cuts += each.points is not None
                    yield each
            if value is None:
                if result is not None:
                    yield from self._walk(result, replace(at, points=None))
            elif scored and not cuts and value not in (0, 1):
                yield self._point(value, condition, node, at)

    def _is_scored(
        self, taken: Iterable[tuple[exp.Expression | None, exp.Expression | None]], at: Context
    ) -> bool:
        """Tell whether a CASE gives points or values, not flags or ranks of the query's own."""
        name = at.column or ""
        if name.endswith((*_RANKING, "itemid")):
            return False
        values = {number(result) for _, result in taken if result is not None} - {None}
        return bool(values - {Decimal(0), Decimal(1)}) or (bool(values) and name.endswith(_SCORING))

    def _point(
        self, value: Decimal, condition: exp.Expression | None, node: exp.Case, at: Context
    ) -> Found:
        subjects = [] if condition is None else self.names.subjects([condition], at)
        subjects += self.names.subjects(
            [] if condition is not None else [part for part, _ in _conditions(node)], at
        )
        return self.names.made(
            "constant", written(abs(value)), subjects, node if condition is None else condition, at
        )

    def _default(
        self, default: exp.Expression, node: exp.Expression, at: Context
    ) -> Iterator[Found]:
        text = literal_text(default)
        if text and self.reader.labels(node, at.select) is None:
            yield self.names.made("text", text.strip(), self.names.subjects([node], at), node, at)
        elif number(default) is not None:
            yield from self._constant(default, node, replace(at, points=None))
        else:
            yield from self._walk(default, at)

    def _arithmetic(self, node: exp.Expression, at: Context) -> Iterator[Found]:
        sides = list(node.iter_expressions())
        if self.durations.is_conversion(node, at.select):
            numbers: list[exp.Expression] = []
        elif (odd := self.durations.odd_unit(node, at.select)) is not None:
            yield self.names.made(
                "constant", written(odd.quantize(Decimal("0.0001"))),
                self.names.subjects([node], at), node, at,
            )  # fmt: skip
            numbers = []
        else:
            numbers = [side for side in sides if self.reader.amount(side, at.select) is not None]
        for side in numbers:
            for literal in side.find_all(exp.Literal):
                if not isinstance(literal.parent, exp.DataTypeParam):
                    yield from self._constant(literal, node, at)
        for side in sides:
            if side not in numbers and number(side) is None:
                yield from self._walk(side, at)

    def _constant(
        self, value: exp.Expression, node: exp.Expression, at: Context
    ) -> Iterator[Found]:
        amount = number(value)
        if amount is None or abs(amount) in (0, 1) or self._is_internal(node, at):
            return
        subjects = self.names.subjects([node], at)
        made = self.names.made("constant", written(abs(amount)), subjects, node, at)
        yield replace(made, points=at.points)

    def _is_internal(self, node: exp.Expression, at: Context) -> bool:
        return (at.column or "").endswith(_RANKING) and self.reader.labels(
            node, at.select
        ) is not None

    def _loose_interval(self, node: exp.Interval, at: Context) -> Iterator[Found]:
        """Yield an interval that no comparison has told of by then; one compared elsewhere is dropped later."""
        value = of_interval(node)
        around = node.parent
        if value is None or around is None or _rounds_up(around):
            return
        subjects = self.names.subjects([around], at)
        made = self.names.made("window", value, subjects, around, at)
        yield replace(made, interval=id(node), loose=True)

    def _window(self, node: exp.Window, at: Context) -> Iterator[Found]:
        yield from self._walk(node.this, at)
        frames = [node]
        if (named := at.select.windows.get(node.alias.lower())) is not None:
            frames.append(named)
        for frame in frames:
            order, spec = frame.args.get("order"), frame.args.get("spec")
            for part in (*(frame.args.get("partition_by") or []), *([order] if order else [])):
                yield from self._walk(part, at)
            if spec is not None and order is not None:
                yield from self._frame(spec, order, node, at)

    def _frame(
        self, spec: exp.Expression, order: exp.Expression, node: exp.Window, at: Context
    ) -> Iterator[Found]:
        """Yield the reach of a moving window, whose ends belong to it."""
        moment = order.expressions[0].this
        for end in ("start", "end"):
            reach = spec.args.get(end)
            if not isinstance(reach, exp.Expression):
                continue
            value = of_interval(reach) if isinstance(reach, exp.Interval) else None
            amount = number(reach)
            if amount is not None:
                seconds = self.durations.seconds(moment, at.select)
                by_rows = spec.args.get("kind") == "ROWS"
                if by_rows and bare(moment).name.lower() in ("hr", "hour"):
                    value = duration(abs(amount) + 1, Decimal(3600))
                elif seconds is not None and not by_rows:
                    value = duration(amount, seconds)
            if value is None:
                continue
            subjects = self.names.subjects([node.this, moment], at)
            made = self.names.made("window", value, subjects, spec, at)
            yield replace(made, side="lower", closed=True, anchor=f"{end} {made.clause}")


def _conditions(node: exp.Case) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    for branch in node.args["ifs"]:
        yield branch.this, branch.args["true"]


def _rounds_up(node: exp.Expression) -> bool:
    """Tell whether an interval takes a moment cut to its unit up to the next one."""
    return isinstance(node, exp.Add) and isinstance(
        bare(node.left), exp.TimestampTrunc | exp.DateTrunc
    )
