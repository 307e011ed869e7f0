# SPDX-License-Identifier: MIT
"""The library: every concept and reference with its header, SQL and lineage. Knows no data."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_text
from m4bench.suites.derivation.library.header import Header, split
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA, build_order, relations

SUITE_ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Derivation:
    """One concept or reference: a header, a query, and the file they stand in."""

    header: Header
    sql: str
    path: Path

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
        """The qualified relations its query reads."""
        return frozenset(relations(self.sql))

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

        Raises:
            InputError: they differ.
        """
        declared = set(self.header.inputs)
        if declared != self.inputs:
            difference = ", ".join(sorted(declared ^ self.inputs))
            raise InputError(f"declared inputs and SQL differ in: {difference}", file=self.path)


@dataclass(frozen=True)
class Library:
    """All derivations of the suite, concepts and references apart."""

    concepts: dict[str, Derivation]
    references: dict[str, Derivation]

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
        derivation = self.find(name)
        upstream = self.order(derivation.concepts)
        return set(derivation.sources).union(*(self.concepts[c].sources for c in upstream))


def _read(folder: Path, kind: str) -> dict[str, Derivation]:
    found: dict[str, Derivation] = {}
    for path in sorted(folder.rglob("*.sql")):
        header, sql = split(path)
        if header.kind != kind:
            raise InputError(f"stands among the {kind}s but says {header.kind}", file=path)
        if header.name in found:
            raise InputError(f"the name {header.name} is taken twice", file=path)
        derivation = Derivation(header, sql, path)
        derivation.check()
        found[header.name] = derivation
    return found


def read_library(root: Path) -> Library:
    """Read a library from a folder with `concepts/` and `references/`.

    Raises:
        InputError: a file has no fitting header, or declares other inputs than its SQL reads.
    """
    return Library(_read(root / "concepts", "concept"), _read(root / "references", "reference"))


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the suite's own library, read once a process."""
    return read_library(SUITE_ROOT)
