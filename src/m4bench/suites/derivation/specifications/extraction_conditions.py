# SPDX-License-Identifier: MIT
"""The facts of one comparison: cuts, windows, items, codes and texts. Knows no library."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_duration import (
    Durations,
    duration,
    of_interval,
)
from m4bench.suites.derivation.specifications.extraction_names import (
    GENERIC,
    Context,
    Found,
    Names,
)
from m4bench.suites.derivation.specifications.extraction_scope import (
    Named,
    Place,
    Relation,
    Rows,
    Select,
    look_up,
    names_of,
)
from m4bench.suites.derivation.specifications.extraction_slice import Slice
from m4bench.suites.derivation.specifications.extraction_values import (
    Reader,
    bare,
    literal_text,
    number,
    written,
)
from m4bench.suites.derivation.specifications.fact import Side

_TURNED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE}
_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_MATCHING = (exp.Like, exp.ILike, exp.Contains, exp.StartsWith, exp.RegexpLike)
_CLOSING = (exp.LTE, exp.GTE, exp.Between)


class Conditions:
    """Reads comparisons in the needed part of a query; `name` is that of its derivation."""

    def __init__(self, part: Slice, reader: Reader, durations: Durations, name: str) -> None:
        self._slice = part
        self._reader = reader
        self._durations = durations
        self.names = Names(part, reader, name)

    @staticmethod
    def version(node: exp.Expression) -> str | None:
        """Return the ICD version to which a conjunction holds its rows."""
        for part in node.flatten() if isinstance(node, exp.And) else [node]:
            part = bare(part)
            if isinstance(part, exp.EQ) and bare(part.left).name.lower() == "icd_version":
                return f"icd{bare(part.right).name}"
        return None

    # -- comparisons ------------------------------------------------------------------------------

    def of(self, node: exp.Expression, at: Context) -> Iterator[Found]:
        """Yield the facts of a comparison that may hold."""
        if isinstance(node, exp.Between):
            low, high = node.args["low"], node.args["high"]
            yield from self._pair(exp.GTE(this=node.this, expression=low), node, at)
            yield from self._pair(exp.LTE(this=node.this, expression=high), node, at)
        elif isinstance(node, exp.In):
            yield from self._listed(node, at)
        elif isinstance(node, _MATCHING):
            yield from self._matched(node, at)
        else:
            yield from self._pair(node, node, at)

    def _listed(self, node: exp.In, at: Context) -> Iterator[Found]:
        if self._reader.labels(node.this, at.select) is not None:
            return
        if (query := node.args.get("query")) is not None:
            inner = at.select.inner.get(id(query)) or at.select.inner.get(id(query.this))
            names = names_of(inner) if inner is not None else []
            behind = self._reader.rows_at(Place(inner, names[0])) if inner and names else None
            if behind is not None:
                yield from self._cells(behind, node.this, node, at)
            return
        allowed = self._reader.domain(node.this, at.select)
        if at.column is None and not at.grouped and self.names.kind(node.this, at) == "item":
            allowed = None
            if self._told_apart(node.this, at):
                return
        for each in node.expressions:
            if allowed is None or bare(each).name in allowed:
                yield from self._literal(node.this, each, exp.EQ, node, at, listed=True)

    def _told_apart(self, node: exp.Expression, at: Context) -> bool:
        """Tell whether items in a filter are told apart by what is made of them, there or above."""
        column = bare(node)
        name = column.name.lower()
        for output in self._slice.outputs.get(at.select, {}):
            made = at.select.outputs[output]
            if isinstance(made, exp.Column) and made.name.lower() == name:
                held = self._slice.reached.get(at.select, [])
                if any(output == each for lists in held for each, _ in lists):
                    return True
            elif any(c.name.lower() == name for c in made.find_all(exp.Column)) and (
                not self._goes_on(made, name, at.select)
            ):
                return True
        return False

    def _outputs_of_item(self, item: str, at: Context) -> list[str]:
        """Return the outputs of a SELECT that are made of an item, needed or not."""
        return [
            name
            for name, made in at.select.outputs.items()
            if any(literal.name == item for literal in made.find_all(exp.Literal))
        ]

    def _goes_on(self, made: exp.Expression, name: str, select: Select) -> bool:
        """Tell whether a CASE takes values of items that none of its branches names."""
        for case in made.find_all(exp.Case):
            default = case.args.get("default")
            if default is None or self._reader.labels(default, select) is not None:
                continue
            if any(c.name.lower() == name for c in case.find_all(exp.Column)):
                return True
        return False

    def _matched(self, node: exp.Expression, at: Context) -> Iterator[Found]:
        pattern = literal_text(node.expression)
        if pattern is None:
            behind = self._reader.rows_behind(node.expression, at.select)
            if behind is not None:
                yield from self._cells(behind, node.this, node, at)
            return
        for part in pattern.strip("^$").split("%"):
            if part := part.strip().rstrip("_"):
                yield self._text(node.this, part, node, at)

    def _text(
        self, subject: exp.Expression, value: str, node: exp.Expression, at: Context
    ) -> Found:
        kind = self.names.kind(subject, at)
        found = self.names.made(kind, value, self.names.subjects([subject], at), node, at)
        return replace(found, unit=at.version if kind == "code" else None)

    def _pair(self, pair: exp.Expression, node: exp.Expression, at: Context) -> Iterator[Found]:
        left, right, order = pair.left, pair.right, type(pair)
        if _is_literal(left) and not _is_literal(right):
            left, right, order = right, left, _TURNED.get(order, order)
        known = [self._reader.labels(side, at.select) for side in (left, right)]
        if None not in known:
            return
        if _is_literal(right) or self._reader.amount(right, at.select) is not None:
            yield from self._literal(left, right, order, node, at)
            return
        for one, other, turned in ((left, right, order), (right, left, _TURNED.get(order, order))):
            behind = self._reader.rows_behind(other, at.select)
            if behind is not None and self._reader.labels(one, at.select) is None:
                yield from self._cells(behind, one, node, at, turned)
                return
            yield from self._bounds(one, other, turned, node, at)

    def _literal(
        self,
        subject: exp.Expression,
        literal: exp.Expression,
        order: type[exp.Expression],
        node: exp.Expression,
        at: Context,
        *,
        listed: bool = False,
    ) -> Iterator[Found]:
        """Yield the fact of a comparison with a literal."""
        position = _position(subject)
        if position is not None:
            yield from self._part(position, node, at)
            return
        if self._reader.labels(subject, at.select) is not None:
            return
        text, amount = literal_text(literal), self._reader.amount(literal, at.select)
        if text is not None:
            if text.strip():
                yield self._text(subject, text.strip(), node, at)
        elif amount is not None:
            yield from self._number(subject, amount, order, node, at, listed=listed)

    def _part(
        self, position: exp.StrPosition, node: exp.Expression, at: Context
    ) -> Iterator[Found]:
        part = position.args["substr"]
        text = literal_text(part)
        if text and text.strip():
            yield self._text(position.this, text.strip(), node, at)
        elif (behind := self._reader.rows_behind(part, at.select)) is not None:
            yield from self._cells(behind, position.this, node, at)

    def _number(
        self,
        subject: exp.Expression,
        amount: Decimal,
        order: type[exp.Expression],
        node: exp.Expression,
        at: Context,
        *,
        listed: bool = False,
    ) -> Iterator[Found]:
        names = {column.name.lower() for column in subject.find_all(exp.Column)}
        kind = self.names.kind(subject, at)
        subjects = self.names.subjects([subject], at)
        if kind == "item":
            allowed = self._reader.domain(subject, at.select)
            filters = at.column is None and not at.grouped and not listed and order is exp.EQ
            if filters and self._told_apart(subject, at):
                return
            if allowed is None or written(amount) in allowed:
                named = self._outputs_of_item(written(amount), at) if at.grouped else []
                yield self.names.made("item", written(amount), [*named, *subjects], node, at)
            return
        if names & {"icd_version"}:
            return
        if order in _ORDERING:
            seconds = None if at.points else self._durations.seconds(subject, at.select)
            side: Side = "upper" if order in (exp.LT, exp.GTE) else "lower"
            if seconds is not None and amount != 0:
                found = self.names.made("window", duration(amount, seconds), subjects, node, at)
                closed = (order in _CLOSING) != at.negated
                yield replace(found, side=side, closed=closed, anchor=f"{order.key} {found.clause}")
                return
            yield replace(
                self.names.made("cut", written(amount), subjects, node, at),
                side=side,
                points=at.points,
            )
        elif amount not in (0, 1) or (listed and at.points) or self._is_measured(subject, at):
            yield replace(
                self.names.made("cut", written(amount), subjects, node, at), points=at.points
            )

    def _is_measured(self, node: exp.Expression, at: Context) -> bool:
        """Tell whether a column is of a relation that declares a unit for it, so that 0 and 1 are no flags."""
        column = bare(node)
        meant = look_up(column, at.select) if isinstance(column, exp.Column) else None
        if not isinstance(meant, Named) or not isinstance(meant.place.query, Relation):
            return False
        unit = self._durations.declared(meant.place.query.name, meant.place.column)
        return unit is not None and unit != "points"

    def _bounds(
        self,
        moment: exp.Expression,
        bounded: exp.Expression,
        order: type[exp.Expression],
        node: exp.Expression,
        at: Context,
    ) -> Iterator[Found]:
        """Yield the window of a moment compared with another and an interval."""
        if order not in _ORDERING:
            return
        for bound in self._durations.bounds(bounded, at.select):
            value = of_interval(bound.interval)
            if value is None:
                continue
            # before an anchor, to lie later is to lie nearer
            near = order if bound.sign > 0 else _TURNED[order]
            side: Side = "upper" if near in (exp.LT, exp.GTE) else "lower"
            subjects = self.names.subjects([moment, bounded], at)
            subjects += self.names.subjects(
                [bound.anchor], replace(at, select=bound.select, column=None)
            )
            found = self.names.made("window", value, subjects, node, at)
            anchor = f"{bound.sign} {self.names.clause(bound.anchor)}"
            closed = (order in _CLOSING) != at.negated
            yield replace(
                found, side=side, closed=closed, interval=id(bound.interval), anchor=anchor
            )

    # -- VALUES lists -----------------------------------------------------------------------------

    def _cells(
        self,
        behind: tuple[Place, list[str]],
        subject: exp.Expression,
        node: exp.Expression,
        at: Context,
        order: type[exp.Expression] = exp.EQ,
    ) -> Iterator[Found]:
        """Yield what a VALUES list holds for a column that is compared with one of its own."""
        (rows, column), separators = behind
        assert isinstance(rows, Rows)
        place = rows.columns.index(column)
        kind = self.names.kind(subject, at)
        subjects = self.names.subjects([subject], at)
        for row in rows.cells:
            cell = row[place]
            amount = number(cell)
            labels = _labels(rows, row, place, self._compared(rows))
            version = _version(rows, row)
            if kind == "item":
                needed = self._slice.fed(at.select, at.column)
                made = [
                    *labels,
                    *subjects,
                    *(c for c in needed if c not in GENERIC),
                    self.names.derivation,
                ]
                yield self.names.made("item", bare(cell).name, made, node, at)
            elif amount is not None and not literal_text(cell):
                if order in _ORDERING:
                    side: Side = "upper" if order in (exp.LT, exp.GTE) else "lower"
                    yield replace(
                        self.names.made("cut", written(amount), labels or subjects, node, at),
                        side=side,
                    )
            else:
                for value in _split(literal_text(cell) or "", separators):
                    found = self.names.made(kind, value, labels or subjects, node, at)
                    shown = f"{found.clause}: {' '.join(_shown(row))}"
                    yield replace(
                        found,
                        unit=(version or at.version) if kind == "code" else None,
                        clause=shown if len(shown) <= 400 else f"{shown[:399]}…",
                    )

    def _compared(self, rows: Rows) -> set[str]:
        """Return the columns of a VALUES list that the query compares with columns of the data."""
        found: set[str] = set()
        for select in self._slice.outputs:
            ons = [s.join.args.get("on") for s in select.sources.values() if s.join is not None]
            for part in (*ons, select.clause("where")):
                for pair in part.find_all(exp.Binary) if part is not None else ():
                    if isinstance(pair, exp.Connector):
                        continue
                    for side in (pair.left, pair.right):
                        if isinstance(side, exp.Expression) and not _is_literal(pair.right):
                            behind = self._reader.rows_behind(side, select)
                            if behind is not None and behind[0].query is rows:
                                found.add(behind[0].column)
        return found


def _is_literal(node: exp.Expression) -> bool:
    return number(node) is not None or literal_text(node) is not None


def _position(node: exp.Expression) -> exp.StrPosition | None:
    node = bare(node)
    return node if isinstance(node, exp.StrPosition) else None


def _split(text: str, separators: list[str]) -> Iterator[str]:
    parts = [text]
    for separator in separators:
        parts = [piece for part in parts for piece in part.split(separator)]
    yield from (part.strip() for part in dict.fromkeys(parts) if part.strip())


def _labels(rows: Rows, row: list[exp.Expression], place: int, compared: set[str]) -> list[str]:
    """Return the texts of a row that name what it is about."""
    found = []
    for at, (name, cell) in enumerate(zip(rows.columns, row, strict=True)):
        text = literal_text(cell)
        if at != place and text and name not in compared:
            found.append(text.lower())
    return found


def _version(rows: Rows, row: list[exp.Expression]) -> str | None:
    if "icd_version" in rows.columns:
        return f"icd{bare(row[rows.columns.index('icd_version')]).name}"
    return None


def _shown(row: list[exp.Expression]) -> Iterator[str]:
    yield from (cell.sql(dialect="duckdb", comments=False) for cell in row)
