# SPDX-License-Identifier: MIT
"""The library: every concept and reference with its header, SQL and lineage. Knows no data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_text
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.header import Header, Parameter, split
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA, build_order, relations
from m4bench.suites.derivation.library.resolution import (
    Macro,
    expanded,
    parameters_of,
    read_macros,
    with_values,
)
from m4bench.suites.derivation.tasks.roots import reference_files, task_roots

SUITE_ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Written:
    """A derivation as its file, and the file of its body, state it: parameters and macros unresolved.

    `parameters` are those of the conventions, `settings` the values of the others; a file that names a
    body brings only what differs from it.
    """

    header: Header
    text: str
    path: Path
    parameters: tuple[Parameter, ...]
    settings: Mapping[str, str]

    def under(self, convention: Convention, macros: Mapping[str, Macro]) -> "Derivation":
        """Return the derivation with the SQL of a convention.

        Raises:
            InputError: a parameter is not declared, or the declared inputs are not those of the SQL.
        """
        values = {each.name: each.under(convention) for each in self.parameters}
        try:
            sql = expanded(with_values(self.text, {**self.settings, **values}), macros)
        except InputError as error:
            raise InputError(error.problem, file=self.path, remedy=error.remedy) from error
        header = self.header.under(convention)
        if header.body is not None:
            columns = ", ".join(column.name for column in header.columns)
            sql = f"SELECT {columns}\nFROM (\n{sql}\n) AS {header.body.replace('-', '_')}"
        return Derivation(header, sql, self.path, self)

    @property
    def inputs_vary(self) -> bool:
        """Tell whether a convention may read other relations than another: whether a parameter names one."""
        values = [v for p in self.parameters for v in (p.published, p.current, p.adjudicated) if v]
        return any(name in value for name in self.header.inputs for value in values)


@dataclass(frozen=True)
class Derivation:
    """One concept or reference under a convention: a header, the query that runs, and what its file says."""

    header: Header
    sql: str
    path: Path
    written: Written

    @property
    def name(self) -> str:
        """Its name, which is the file's stem."""
        return self.header.name

    @property
    def relation(self) -> str:
        """The qualified name under which others read it."""
        return f"{DERIVED_SCHEMA}.{self.name}"

    @cached_property
    def inputs(self) -> frozenset[str]:
        """The qualified relations its query reads under its convention."""
        if self.written.inputs_vary:
            return frozenset(relations(self.sql))
        return frozenset(self.header.inputs)

    @property
    def concepts(self) -> frozenset[str]:
        """The names of the concepts it reads."""
        prefix = f"{DERIVED_SCHEMA}."
        return frozenset(
            name.removeprefix(prefix) for name in self.inputs if name.startswith(prefix)
        )

    @property
    def sources(self) -> frozenset[str]:
        """The qualified source tables it reads itself."""
        return frozenset(n for n in self.inputs if not n.startswith(f"{DERIVED_SCHEMA}."))

    @property
    def sql_hash(self) -> str:
        """The sha256 of the query, header left out."""
        return sha256_text(self.sql)

    def check(self) -> None:
        """Compare the declared inputs with those of the query.

        A convention may read less than all that is declared, when it differs from others at all.

        Raises:
            InputError: they differ.
        """
        declared = set(self.header.inputs)
        read = relations(self.sql)
        difference = read - declared if self.written.inputs_vary else declared ^ read
        if difference:
            told = ", ".join(sorted(difference))
            raise InputError(f"declared inputs and SQL differ in: {told}", file=self.path)


@dataclass(frozen=True)
class Library:
    """All derivations of the suite under one convention, concepts and references apart."""

    concepts: dict[str, Derivation]
    references: dict[str, Derivation]
    macros: dict[str, Macro]
    convention: Convention = "published"
    _others: dict[Convention, "Library"] = field(default_factory=dict, compare=False, repr=False)

    def under(self, convention: Convention) -> "Library":
        """Return the library with everything in it resolved for a convention."""
        if convention == self.convention:
            return self
        if convention not in self._others:
            self._others[convention] = Library(
                {n: d.written.under(convention, self.macros) for n, d in self.concepts.items()},
                {n: d.written.under(convention, self.macros) for n, d in self.references.items()},
                self.macros,
                convention,
            )
        return self._others[convention]

    def find(self, name: str) -> Derivation:
        """Return a concept or reference by name.

        Raises:
            InputError: there is none.
        """
        found = self.concepts.get(name) or self.references.get(name)
        if found is None:
            known = ", ".join(sorted({*self.concepts, *self.references}))
            raise InputError(
                f"no concept or reference is called {name}", remedy=f"known are: {known}"
            )
        return found

    def order(self, names: Iterable[str]) -> list[str]:
        """Return the concepts that `names` (concepts) need, themselves included, in build order."""
        wanted: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name not in wanted:
                if name not in self.concepts:
                    raise InputError(f"a derivation needs the concept {name}, which does not exist")
                wanted.add(name)
                pending.extend(self.concepts[name].concepts)
        return build_order({name: self.concepts[name].concepts for name in wanted})

    def descendants(self, names: Iterable[str]) -> set[str]:
        """Return the concepts that read one of `names`, directly or through others; `names` not included."""
        seeds = set(names)
        found: set[str] = set()
        grown = True
        while grown:
            grown = False
            for concept in self.concepts.values():
                if concept.name not in found | seeds and concept.concepts & (found | seeds):
                    found.add(concept.name)
                    grown = True
        return found

    def source_tables(self, name: str) -> set[str]:
        """Return the source tables a derivation rests on, through its whole lineage."""
        return self.sources_of(self.find(name))

    def sources_of(self, derivation: Derivation) -> set[str]:
        """Return the source tables a concept or reference rests on; some of each bear one name."""
        upstream = self.order(derivation.concepts)
        return set(derivation.sources).union(*(self.concepts[c].sources for c in upstream))


def _read(files: Iterable[Path], kind: str) -> dict[str, Written]:
    found: dict[str, Written] = {}
    for path in sorted(files):
        header, sql = split(path)
        if header.kind != kind:
            raise InputError(f"stands among the {kind}s but says {header.kind}", file=path)
        if header.name in found:
            raise InputError(f"the name {header.name} is taken twice", file=path)
        found[header.name] = Written(header, sql, path, header.conventions, header.settings)
    return found


def _embodied(written: Written, bodies: Mapping[str, Written]) -> Written:
    """Return a derivation with the SQL and the parameters of its body, its own values before theirs."""
    name = written.header.body
    if name is None:
        return written
    body = bodies.get(name)
    if body is None or body.header.body is not None:
        raise InputError(f"its body {name} is no derivation with SQL", file=written.path)
    own = {*written.settings, *(parameter.name for parameter in written.parameters)}
    known = {*body.settings, *(parameter.name for parameter in body.parameters)}
    if unknown := sorted(own - known):
        raise InputError(f"its body has no parameter {unknown[0]}", file=written.path)
    return Written(
        written.header,
        body.text,
        written.path,
        (*(p for p in body.parameters if p.name not in own), *written.parameters),
        {**{n: v for n, v in body.settings.items() if n not in own}, **written.settings},
    )


def _require_use(written: Written) -> None:
    """Refuse a declared parameter that nothing mentions."""
    mentioned = parameters_of(written.text)
    for value in written.settings.values():
        mentioned |= parameters_of(value)
    for parameter in written.parameters:
        for text in (parameter.published, parameter.current, parameter.adjudicated):
            mentioned |= parameters_of(text or "")
    declared = {*written.settings, *(parameter.name for parameter in written.parameters)}
    if unused := sorted(declared - mentioned):
        raise InputError(
            f"declares the parameter {unused[0]} and does not use it", file=written.path
        )


def checked(known: Library) -> Library:
    """Return a library after comparing the inputs its headers declare with those its queries read.

    Raises:
        InputError: they differ.
    """
    for derivation in (*known.concepts.values(), *known.references.values()):
        derivation.check()
    return known


def read_library(root: Path) -> Library:
    """Read and check a library from a folder with `concepts/`, `references/` and, where there are any, `macros/`.

    Raises:
        InputError: a file has no fitting header, declares other inputs than its SQL reads, or a
            parameter, body or macro that does not fit.
    """
    return checked(_read_unchecked(root))


def _read_unchecked(root: Path, guests: Iterable[Path] = ()) -> Library:
    """Read a library, and beside its own references those in the files `guests`."""
    concepts = _read((root / "concepts").rglob("*.sql"), "concept")
    references = _read([*(root / "references").rglob("*.sql"), *guests], "reference")
    macros = read_macros(root / "macros")
    bodies = {**references, **concepts}
    resolved: list[dict[str, Derivation]] = []
    for kind in (concepts, references):
        whole = {name: _embodied(written, bodies) for name, written in kind.items()}
        for written in whole.values():
            _require_use(written)
        resolved.append({n: w.under("published", macros) for n, w in whole.items()})
    return Library(resolved[0], resolved[1], macros)


@lru_cache(maxsize=8)
def _known(guests: tuple[Path, ...]) -> Library:
    # The suite's own headers are held against its queries by a test, so that no command waits for it.
    found = _read_unchecked(SUITE_ROOT, guests)
    for derivation in found.references.values():
        if derivation.path in guests:
            derivation.check()
    return found


def library(convention: Convention = "published") -> Library:
    """Return the suite's library under a convention, read once a process.

    References that come with tasks of other packages or of the user's are part of it.

    Raises:
        InputError: such a reference does not fit.
    """
    guests = tuple(file for root in task_roots() for file in reference_files(root))
    return _known(guests).under(convention)
