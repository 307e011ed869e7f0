# SPDX-License-Identifier: MIT
"""The facts of a reference, read off its whole lineage: what a text about it has to state. Knows no text.

A derivation is cut to what its needed output columns need; what is left is read for facts, and the columns it reads
of its inputs are the needed ones of these. The parser is loaded when facts are asked for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from m4bench.model.errors import InputError
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Derivation, Library, library
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA, parse
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.vocabulary import phrases, stem

if TYPE_CHECKING:
    from m4bench.suites.derivation.specifications.extraction_names import Found
    from m4bench.suites.derivation.specifications.extraction_scope import Query
    from m4bench.suites.derivation.specifications.extraction_values import Reader

GENERIC_MEASURES = frozenset({"vaso_rate", "vaso_amount"})  # of which a derivation's name says more
_IDENTIFIERS = frozenset(
    [
        "subject_id",
        "hadm_id",
        "stay_id",
        "patientunitstayid",
        "uniquepid",
        "patienthealthsystemstayid",
    ]
)


class _Extraction:
    """Reads the derivations of a library under one convention, each once for the columns needed of it."""

    def __init__(self, known: Library) -> None:
        self.known = known
        self._labels: dict[tuple[str, str], frozenset[str] | None] = {}
        self._queries: dict[str, tuple[Query, Reader]] = {}

    def columns(self, relation: str) -> tuple[str, ...] | None:
        found = self._of(relation)
        return tuple(column.name for column in found.header.columns) if found else None

    def unit(self, relation: str, column: str) -> str | None:
        found = self._of(relation)
        columns = found.header.columns if found else ()
        return next((each.unit for each in columns if each.name == column), None)

    def _of(self, relation: str) -> Derivation | None:
        schema, _, name = relation.partition(".")
        return self.known.concepts.get(name) if schema == DERIVED_SCHEMA else None

    def labels(self, relation: str, column: str) -> frozenset[str] | None:
        """Return the values that a derivation's column may hold when all are made from literals by it."""
        key = (relation, column)
        if key not in self._labels:
            self._labels[key] = None
            found = self._of(relation)
            made = self._made(found, column) if found else None
            self._labels[key] = made or None
        return self._labels[key]

    def _query(self, derivation: Derivation) -> "tuple[Query, Reader]":
        """Return a derivation's query and what is known of its values, read once."""
        from m4bench.suites.derivation.specifications.extraction_scope import Builder
        from m4bench.suites.derivation.specifications.extraction_values import Reader

        if derivation.sql not in self._queries:
            query = Builder(self.columns).query(parse(derivation.sql), {})
            self._queries[derivation.sql] = query, Reader(self.labels)
        return self._queries[derivation.sql]

    def _made(self, derivation: Derivation, column: str) -> frozenset[str] | None:
        from m4bench.suites.derivation.specifications.extraction_scope import Place

        query, reader = self._query(derivation)
        return reader.labels_of(Place(query, column))

    def read(
        self, derivation: Derivation, wanted: Iterable[str]
    ) -> "tuple[list[Found], dict[str, dict[str, None]]]":
        """Return what a derivation states for some of its columns, and the columns it needs of each relation."""
        from m4bench.suites.derivation.specifications.extraction_duration import Durations
        from m4bench.suites.derivation.specifications.extraction_facts import Emitter
        from m4bench.suites.derivation.specifications.extraction_slice import Slice

        query, reader = self._query(derivation)
        part = Slice(query, wanted, reader)
        emitter = Emitter(part, reader, Durations(self.unit), derivation.name)
        return list(emitter.found()), part.needed

    def facts(self, wanted: dict[str, list[str]], root: Derivation | None) -> Iterator[Fact]:
        """Yield the facts of derivations and of all they rest on, those nearest to the data last."""
        units: dict[str, Fact] = {}
        if root is not None:
            name = _reference(root)
            found, needed = self.read(root, wanted.pop(name))
            yield from self._told(name, root, found)
            yield from self._made_texts(name, root)
            self._note_units(units, name, root, [c.name for c in root.header.columns])
            _add(wanted, needed)
        for name in reversed(self.known.order(wanted)):
            derivation = self.known.concepts[name]
            columns = [c.name for c in derivation.header.columns if c.name in wanted.get(name, ())]
            if not columns:
                continue
            found, needed = self.read(derivation, columns)
            yield from self._told(name, derivation, found)
            self._note_units(units, name, derivation, columns)
            _add(wanted, needed)
        yield from units.values()

    def _made_texts(self, name: str, root: Derivation) -> Iterator[Fact]:
        """Yield the texts that a reference gives as values of its own."""
        for column in root.header.columns:
            made = self._made(root, column.name)
            for text in sorted(made or ()):
                if text.strip() and not _is_number(text):
                    yield Fact(
                        kind="text", derivation=name, columns=(column.name,),
                        subjects=(column.name,), value=text, clause=f"{column.name} = '{text}'",
                    )  # fmt: skip

    @staticmethod
    def _note_units(
        units: dict[str, Fact], name: str, derivation: Derivation, columns: list[str]
    ) -> None:
        """Keep the unit of each quantity once, under the derivation nearest to the data."""
        for column in derivation.header.columns:
            if column.name not in columns or not column.unit or column.unit == "points":
                continue
            own = column.name if column.name not in GENERIC_MEASURES else derivation.name
            same = next(
                (key for key in units if key == stem(own) or _one_quantity(key, own)), stem(own)
            )
            names = (own, column.name, *(units[same].subjects if same in units else ()))
            units[same] = Fact(
                kind="unit", derivation=name, columns=(column.name,),
                subjects=tuple(dict.fromkeys(names)), value=column.unit, unit=column.unit,
                clause=f"{column.name}: {column.meaning}",
            )  # fmt: skip

    def _told(self, name: str, derivation: Derivation, found: "list[Found]") -> Iterator[Fact]:
        compared = {each.interval for each in found if each.interval and not each.loose}
        told_apart = Counter((f.kind, f.value) for f in found if not f.rows_only)
        merged: dict[tuple[object, ...], Fact] = {}
        for each in found:
            if each.loose and each.interval in compared:
                continue
            if each.kind == "item" and each.rows_only and told_apart[(each.kind, each.value)]:
                continue
            key = _key(each)
            before = merged.get(key)
            subjects = (*(before.subjects if before else ()), *each.subjects)
            columns = (*(before.columns if before else ()), *each.columns)
            merged[key] = Fact(
                kind=each.kind, derivation=name, columns=tuple(dict.fromkeys(columns)),
                subjects=tuple(dict.fromkeys(subjects)), value=each.value, side=each.side,
                closed=each.closed, points=each.points,
                unit=self._unit(each, derivation), clause=before.clause if before else each.clause,
            )  # fmt: skip
        yield from merged.values()

    def _unit(self, found: "Found", derivation: Derivation) -> str | None:
        if found.kind == "window":
            return found.value.split()[-1]
        if found.kind not in ("cut", "constant"):
            return found.unit
        own = {column.name: column.unit for column in derivation.header.columns}
        for subject in found.subjects[:1]:
            units = [own.get(subject), *(self.unit(r, subject) for r in sorted(derivation.inputs))]
            known = [unit for unit in units if unit]
            if known:
                return known[0]
        return None


def _reference(root: Derivation) -> str:
    """Return the name under which a reference stands among derivations."""
    from m4bench.suites.derivation.library.column_lineage import REFERENCES

    return f"{REFERENCES}.{root.name}"


def _one_quantity(known: str, column: str) -> bool:
    """Tell whether two columns name one quantity, as platelet and platelets do."""
    plain, other = known.replace("_", " "), stem(column).replace("_", " ")
    return other in phrases(known) and plain in phrases(column)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdigit()


def _add(wanted: dict[str, list[str]], needed: dict[str, dict[str, None]]) -> None:
    for relation, columns in needed.items():
        schema, _, name = relation.partition(".")
        if schema == DERIVED_SCHEMA:
            wanted.setdefault(name, []).extend(columns)


def _key(found: "Found") -> tuple[object, ...]:
    """Return what makes two places of a query one fact: windows by their bound, items and texts by their value."""
    same = (found.kind, found.value, found.side, found.closed, found.points, found.unit)
    match found.kind:
        case "window":
            return (*same, found.anchor.split(" ", 1)[0], found.loose)
        case "item":
            return same
    return (*same, stem(found.subjects[0]) if found.subjects else "")


def facts_in(known: Library, reference: str) -> tuple[Fact, ...]:
    """Return every fact that a reference of a library depends on.

    Raises:
        InputError: there is no such reference, or a query of its lineage cannot be followed.
    """
    return _facts(_Extraction(known), reference)


def _facts(extraction: _Extraction, reference: str) -> tuple[Fact, ...]:
    root = extraction.known.references.get(reference)
    if root is None:
        told = ", ".join(sorted(extraction.known.references))
        raise InputError(f"no reference is called {reference}", remedy=f"known are: {told}")
    columns = [c.name for c in root.header.columns if c.name not in _IDENTIFIERS]
    return tuple(extraction.facts({_reference(root): columns}, root))


@lru_cache(maxsize=3)
def _extraction(convention: Convention) -> _Extraction:
    return _Extraction(library(convention))


@lru_cache(maxsize=64)
def facts_of(reference: str, convention: Convention = "published") -> tuple[Fact, ...]:
    """Return every fact a reference of the suite depends on under a convention, read once a process.

    Raises:
        InputError: there is no such reference, or a query of its lineage cannot be followed.
    """
    return _facts(_extraction(convention), reference)


@lru_cache(maxsize=3)
def library_facts(convention: Convention = "published") -> tuple[Fact, ...]:
    """Return every fact of every derivation, all columns needed: whether a number is known at all.

    Raises:
        InputError: a query cannot be followed.
    """
    extraction = _extraction(convention)
    concepts = extraction.known.concepts
    wanted = {name: [c.name for c in d.header.columns] for name, d in concepts.items()}
    found = dict.fromkeys(extraction.facts(wanted, None))
    for reference in extraction.known.references:
        found.update(dict.fromkeys(facts_of(reference, convention)))
    return tuple(found)
