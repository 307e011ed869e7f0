# SPDX-License-Identifier: MIT
"""The part of a query that given output columns need: of each SELECT the outputs, and of each relation the columns.

Knows no fact. What is needed of rows that a label or an item tells apart is needed of those rows alone.
"""

from collections.abc import Iterable

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_scope import (
    Named,
    Place,
    Query,
    Relation,
    Select,
    Spread,
    Stack,
    look_up,
    names_of,
)
from m4bench.suites.derivation.specifications.extraction_values import (
    Constraints,
    Held,
    Reader,
    Values,
    arms_at,
    carriers,
    held_at,
    held_in,
    narrowed,
)

Output = tuple[Select, str]
_NOTHING: Held = frozenset()
ROWS = "*"  # what decides which rows a SELECT has, in place of an output


class Slice:
    """What one query needs for some of its output columns."""

    def __init__(self, root: Query, wanted: Iterable[str], reader: Reader) -> None:
        self._reader = reader
        self._seen: set[tuple[int, str, Held]] = set()
        self._joined: set[tuple[int, str]] = set()
        self.outputs: dict[Select, dict[str, None]] = {}
        self.reached: dict[Select, list[Held]] = {}
        self.sources: dict[Select, set[str]] = {}
        self.needed: dict[str, dict[str, None]] = {}
        self.feeds: dict[Output, dict[Output, None]] = {}
        self.handed_on: dict[Output, dict[Output, None]] = {}
        self.held: dict[Output, Values | None] = {}
        self.root = root
        for column in wanted:
            self._demand(Place(root, column), _NOTHING, None, carrying=False)

    def _demand(self, place: Place, held: Held, by: Output | None, *, carrying: bool) -> None:
        query, column = place
        match query:
            case Relation():
                self.needed.setdefault(query.name, {})[column] = None
            case Spread():
                self._expression(query.made, query.select, {}, by)
            case Stack():
                for arm in arms_at(place):
                    inside = held_at(place, held, arm)
                    self._demand(arm, inside, by, carrying=carrying)
            case Select():
                self._of_select(query, column, held, by, carrying=carrying)

    def _of_select(
        self, select: Select, column: str, held: Held, by: Output | None, *, carrying: bool
    ) -> None:
        if self._reader.is_dead(select) or column not in select.outputs:
            return
        constraints = self._reader.within(select, held)
        if constraints is None:
            return
        if by is not None:
            self.feeds.setdefault((select, column), {})[by] = None
            if carrying:
                self.handed_on.setdefault((select, column), {})[by] = None
        key = (id(select), column, held)
        if key in self._seen:
            return
        self._seen.add(key)
        self._hold(select, column, held)
        self.outputs.setdefault(select, {})[column] = None
        if held not in self.reached.setdefault(select, []):
            self.reached[select].append(held)
            self._rows(select, constraints)
        self._expression(select.outputs[column], select, constraints, (select, column))

    def _hold(self, select: Select, column: str, held: Held) -> None:
        """Note to which labels an output is held, None once it is needed whatever it holds."""
        own = next((values for name, values in held if name == column), None)
        before = self.held.get((select, column), frozenset())
        self.held[(select, column)] = None if own is None or before is None else before | own

    def _rows(self, select: Select, constraints: Constraints) -> None:
        """Need what decides which rows a SELECT has."""
        below = narrowed(constraints, self._filters(select))
        rows = (select, ROWS)
        for name, source in select.sources.items():
            if source.optional:
                continue
            self.sources.setdefault(select, set()).add(name)
            on = source.join.args.get("on") if source.join else None
            if on is not None:
                self._expression(on, select, below, rows)
            elif isinstance(source.query, Select | Stack) and (names := list_of(source.query)):
                self._source_column(select, name, Place(source.query, names[0]), below, rows)
        for clause in ("where", "group", "having", "qualify"):
            if part := select.clause(clause):
                self._expression(part, select, below, rows)
        if select.node.args.get("limit") and (order := select.clause("order")):
            self._expression(order, select, below, rows)
        if select.node.args.get("distinct"):
            for column, made in select.outputs.items():
                self.outputs.setdefault(select, {})[column] = None
                self._expression(made, select, constraints, (select, column))

    def _filters(self, select: Select) -> Constraints:
        return self._reader.constraints(select.clause("where"), select)

    def _expression(
        self, node: exp.Expression, select: Select, held: Constraints, by: Output | None
    ) -> None:
        """Need the columns of an expression, each held to what the conditions around it hold it to."""
        if isinstance(node, exp.Column):
            self._column(node, select, held, by)
        elif isinstance(node, exp.Case):
            self._case(node, select, held, by)
        elif isinstance(node, exp.Filter):
            inside = narrowed(held, self._reader.constraints(node.expression, select))
            self._expression(node.expression, select, inside, by)
            self._expression(node.this, select, inside, by)
        elif isinstance(node, exp.Query):
            inner = select.inner.get(id(node)) or select.inner.get(id(node.this))
            if inner is not None:
                for name in list_of(inner):
                    self._demand(Place(inner, name), _NOTHING, by, carrying=False)
        elif isinstance(node, exp.And | exp.Or) and self._reader.truth(node, select) is not None:
            return
        else:
            inside = held
            if isinstance(node, exp.And):
                inside = narrowed(held, self._reader.constraints(node, select))
            if isinstance(node, exp.Window) and (named := select.windows.get(node.alias.lower())):
                self._expression(named, select, held, by)
            for part in node.iter_expressions():
                if self._reader.truth(part, select) is not False:
                    self._expression(part, select, inside, by)

    def _case(self, node: exp.Case, select: Select, held: Constraints, by: Output | None) -> None:
        wanted = self.held.get(by) if by is not None else None
        for condition, result in branches(node, select, self._reader, wanted):
            inside = held
            if condition is not None:
                inside = narrowed(held, self._reader.constraints(condition, select))
                self._expression(condition, select, inside, by)
            if result is not None:
                self._expression(result, select, inside, by)

    def _column(
        self, node: exp.Column, select: Select, held: Constraints, by: Output | None
    ) -> None:
        meant = look_up(node, select)
        if isinstance(meant, Named):
            inside = held if meant.select is select else {}
            self._source_column(meant.select, meant.source, meant.place, inside, by, node)
        elif meant is not None:
            self._expression(meant, select, held, by)

    def _source_column(
        self,
        select: Select,
        name: str,
        place: Place,
        held: Constraints,
        by: Output | None,
        node: exp.Column | None = None,
    ) -> None:
        below = narrowed(held, self._filters(select))
        inside = held_in(below, name)
        carrying = False
        if by is not None and node is not None and by[0] is select and by[1] != ROWS:
            carrying = any(each is node for each in carriers(select.outputs[by[1]]))
        self._demand(place, inside, by, carrying=carrying)
        source = select.sources[name]
        if source.optional and source.join is not None and (id(select), name) not in self._joined:
            self._joined.add((id(select), name))
            self.sources.setdefault(select, set()).add(name)
            if on := source.join.args.get("on"):
                self._expression(on, select, self._filters(select), (select, ROWS))

    def fed(self, select: Select, column: str | None) -> list[str]:
        """Return the needed columns of the whole query that an output of a SELECT, or its rows, bear on."""
        pending = [
            (select, each) for each in self.outputs.get(select, {}) if column in (None, each)
        ]
        seen = set(pending)
        roots = self._roots()
        while pending:
            one = pending.pop()
            further = dict(self.feeds.get(one, {}))
            if one[1] == ROWS:
                further = {(one[0], each): None for each in self.outputs.get(one[0], {})}
            for by in further:
                if by not in seen:
                    seen.add(by)
                    pending.append(by)
        # what only decides which rows there are bears on all that is needed
        reached = {
            name: None for root, names in roots.items() for name in names if (root, name) in seen
        }
        everything = {name: None for names in roots.values() for name in names}
        return list(reached or everything)

    def _roots(self) -> dict[Select, list[str]]:
        arms = self.root.arms if isinstance(self.root, Stack) else [self.root]
        return {arm: list(self.outputs.get(arm, {})) for arm in arms if isinstance(arm, Select)}

    def names_made(self, select: Select, column: str) -> list[str]:
        """Return the names under which an output is handed on unchanged, its own first."""
        found = {column: None}
        pending = [(select, column)]
        seen = set(pending)
        while pending:
            for by in self.handed_on.get(pending.pop(0), {}):
                if by not in seen:
                    seen.add(by)
                    found[by[1]] = None
                    pending.append(by)
        return list(found)


def list_of(query: Query) -> list[str]:
    """Return the columns of a query that is no relation."""
    return [] if isinstance(query, Relation | Spread) else names_of(query)


def branches(
    node: exp.Case, select: Select, reader: Reader, wanted: Values | None = None
) -> list[tuple[exp.Expression | None, exp.Expression | None]]:
    """Return the conditions and results of a CASE that may come to hold, the default last under the condition None.

    Of a CASE that is needed for some of its labels only, the result is None where it is another, and what follows
    the last that is needed is left out.
    """
    found: list[tuple[exp.Expression | None, exp.Expression | None]] = []
    for branch in node.args["ifs"]:
        condition = branch.this
        if node.this is not None:
            condition = exp.EQ(this=node.this.copy(), expression=condition.copy())
        known = reader.truth(condition, select)
        if known is False:
            continue
        found.append((None if known else condition, branch.args["true"]))
        if known is True:
            break
    else:
        if default := node.args.get("default"):
            found.append((None, default))
    return _for_labels(found, node, select, reader, wanted) if wanted else found


def _for_labels(
    found: list[tuple[exp.Expression | None, exp.Expression | None]],
    node: exp.Case,
    select: Select,
    reader: Reader,
    wanted: Values,
) -> list[tuple[exp.Expression | None, exp.Expression | None]]:
    made = [reader.labels(result, select) if result is not None else None for _, result in found]
    useful = [labels is None or not labels or bool(labels & wanted) for labels in made]
    last = max((at for at, use in enumerate(useful) if use), default=-1)
    if node.this is not None:  # one value meets one branch
        return [each for each, use in zip(found, useful, strict=True) if use]
    return [
        (condition, result if useful[at] else None)
        for at, (condition, result) in enumerate(found[: last + 1])
    ]
