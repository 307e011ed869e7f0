# SPDX-License-Identifier: MIT
"""What a fact is about: the names of the columns compared, of what these come from and of what is made of them.

Knows no library; a fact found in a query is named here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from m4bench.suites.derivation.specifications.extraction_scope import (
    Named,
    Place,
    Rows,
    Select,
    Stack,
    look_up,
)
from m4bench.suites.derivation.specifications.extraction_slice import Slice, branches
from m4bench.suites.derivation.specifications.extraction_values import (
    Constraints,
    Held,
    Reader,
    arms_at,
    carried,
    carriers,
    held_at,
    held_in,
    narrowed,
)
from m4bench.suites.derivation.specifications.fact import Kind, Side

_NAMES = """
    valuenum value valueuom nursingchartvalue reading charttime starttime endtime storetime moment day opens closes
    ends begins itemid stay_id subject_id hadm_id specimen_id patientunitstayid icd_code icd_version drug_type
    vaso_rate rateuom amount rate dose points total quantity name label entry preference hours second_of_stay gap
"""
GENERIC = frozenset(_NAMES.split())  # names that say nothing of what is measured
_FEW = 2


@dataclass(frozen=True)
class Context:
    """Where an expression stands: in an output of a SELECT, or in what decides its rows or, `grouped`, its groups."""

    select: Select
    column: str | None
    points: str | None = None
    label: str | None = None
    version: str | None = None
    negated: bool = False
    grouped: bool = False
    source: str | None = None  # whose join it decides


@dataclass(frozen=True)
class Found:
    """One fact as it stands in a query; `rows_only` where it only decides which rows there are."""

    kind: Kind
    value: str
    subjects: tuple[str, ...]
    columns: tuple[str, ...]
    clause: str
    side: Side | None = None
    closed: bool | None = None
    points: str | None = None
    unit: str | None = None
    rows_only: bool = False
    interval: int | None = None
    loose: bool = False
    anchor: str = ""


class Names:
    """Names what facts of the needed part of a query are about."""

    def __init__(self, part: Slice, reader: Reader, derivation: str) -> None:
        self._slice = part
        self._reader = reader
        self._clauses: dict[int, tuple[exp.Expression, str]] = {}
        self.derivation = derivation

    def made(
        self,
        kind: Kind,
        value: str,
        subjects: Iterable[str],
        node: exp.Expression,
        at: Context,
    ) -> Found:
        """Return a fact found in a context."""
        known = list(dict.fromkeys(subjects))
        specific = [name for name in known if name not in GENERIC]
        columns = self._slice.fed(at.select, at.column)
        if at.column is None and specific:
            # a SELECT that makes little else is about what it makes
            own = [name for name in self._slice.outputs.get(at.select, {}) if name not in GENERIC]
            specific += own if len(own) <= _FEW else []
        if not specific:
            taken = [name for name in self._taken(at) if name not in GENERIC]
            specific = [*taken, *(c for c in columns if c not in GENERIC), self.derivation, *known]
        return Found(
            kind, value, tuple(dict.fromkeys(specific)), tuple(columns), self.clause(node), points=None,
            rows_only=at.column is None,
        )  # fmt: skip

    def clause(self, node: exp.Expression) -> str:
        """Return an expression as the query writes it, on one line."""
        if id(node) not in self._clauses:
            text = node.sql(dialect="duckdb", comments=False)
            self._clauses[id(node)] = node, text if len(text) <= 400 else f"{text[:399]}…"
        return self._clauses[id(node)][1]

    def subjects(self, nodes: Iterable[exp.Expression], at: Context) -> list[str]:
        """Return the names of the columns in expressions, where these come from, and what is made of them here."""
        found: dict[str, None] = {}
        columns = [c for node in nodes for c in node.find_all(exp.Column)]
        for column in columns:
            found[column.name.lower()] = None
        for column in columns:
            for name in self._origins(column, at.select, set()):
                found[name] = None
        if at.label and not at.label.isdigit():
            found[at.label.lower()] = None
        if at.column is not None:
            found.update(dict.fromkeys(self._slice.names_made(at.select, at.column)))
        else:
            for name, made in at.select.outputs.items():
                direct = {each.name.lower() for each in carriers(made)}
                if direct & {column.name.lower() for column in columns} & GENERIC:
                    found[name] = None
        return [name for name in found if not name.startswith("#")]

    def _taken(self, at: Context) -> Iterator[str]:
        """Yield the names of what a SELECT takes from the source whose join a condition decides."""
        for name in self._slice.outputs.get(at.select, {}) if at.source else ():
            for column in at.select.outputs[name].find_all(exp.Column):
                meant = look_up(column, at.select)
                if isinstance(meant, Named) and meant.source == at.source:
                    yield from (column.name.lower(), name)

    def _origins(
        self, node: exp.Expression, select: Select, seen: set[int], held: Constraints | None = None
    ) -> Iterator[str]:
        """Yield the names of the columns whose value an expression hands on, and of those behind them."""
        held = held or {}
        if isinstance(node, exp.Column):
            meant = look_up(node, select)
            if isinstance(meant, Named):
                inside = held_in(held, meant.source) if meant.select is select else frozenset()
                yield from self._origins_at(meant.place, seen, inside)
            elif meant is not None and id(meant) not in seen:
                seen.add(id(meant))
                yield from self._origins(meant, select, seen, held)
        elif isinstance(node, exp.Case):
            for condition, result in branches(node, select, self._reader):
                known = self._reader.constraints(condition, select)
                if result is not None:
                    yield from self._origins(result, select, seen, narrowed(held, known))
        else:
            for part in carried(node):
                yield from self._origins(part, select, seen, held)

    def _origins_at(self, place: Place, seen: set[int], held: Held) -> Iterator[str]:
        query, column = place
        if not isinstance(query, Rows):
            if isinstance(query, Select) and self._reader.within(query, held) is None:
                return
            yield column
        if isinstance(query, Stack):
            for arm in arms_at(place):
                yield from self._origins_at(arm, seen, held_at(place, held, arm))
        elif isinstance(query, Select) and (made := query.outputs.get(column)) is not None:
            inside = self._reader.within(query, held)
            if inside is not None and id(made) not in seen:
                seen.add(id(made))
                yield from self._origins(made, query, seen, inside)

    def kind(self, node: exp.Expression, at: Context) -> Kind:
        """Tell whether what an expression is compared with is an item, a code or a text."""
        names = {column.name.lower() for column in node.find_all(exp.Column)}
        names |= set(self._origins(node, at.select, set()))
        if any(name.endswith("itemid") for name in names):
            return "item"
        return "code" if names & {"icd_code"} else "text"
