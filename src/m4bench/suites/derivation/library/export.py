# SPDX-License-Identifier: MIT
"""Write built concepts and references as CSV or Parquet files for other programs."""

from collections.abc import Iterable
from pathlib import Path

import duckdb

from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError, MissingError
from m4bench.model.files import PRIVATE, written_beside
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.engine import COMPRESSION, identifier, quoted
from m4bench.suites.derivation.library.exclusive import faults_told
from m4bench.suites.derivation.library.execute import ordering
from m4bench.suites.derivation.library.plan import (
    current_concept,
    current_reference,
    open_stage,
    said,
)
from m4bench.suites.derivation.library.sites import serves

_FORMATS = {"csv": "FORMAT csv, HEADER", "parquet": f"FORMAT parquet, COMPRESSION {COMPRESSION}"}


def _format(file_format: str) -> str:
    if file_format not in _FORMATS:
        raise InputError(f"no format is called {file_format}", remedy="choose csv or parquet")
    return _FORMATS[file_format]


def _copy(query: str, file: Path, options: str) -> Path:
    with (
        faults_told(f"writing {file.name}", file.parent),
        written_beside(file, mode=0o600) as partial,
        duckdb.connect() as connection,
    ):
        connection.execute(f"COPY ({query}) TO {quoted(partial)} ({options})")
    return file


def export_concepts(
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None,
    to: Path,
    file_format: str,
    convention: Convention,
) -> list[Path]:
    """Write concepts to `<to>/<name>.<format>` and return the files; all built ones when `names` is None.

    Raises:
        InputError: an unknown concept or format.
        MissingError, StaleError: a concept is absent or out of date.
    """
    options = _format(file_format)
    folder = dataset.derived(convention)
    stage = open_stage(dataset, convention)
    wanted = (
        list(names)
        if names is not None
        else sorted(set(stage.concepts.entries) & set(library.concepts))
    )
    if not wanted:
        raise MissingError(
            f"no concept has been built for {dataset.name}",
            remedy=f"run: m4bench concepts build {dataset.name}{said(convention)}",
        )
    for name in wanted:
        if name not in library.concepts:
            kind = library.find(name).header.kind
            raise InputError(f"{name} is a {kind}", remedy="use: m4bench references export")
    entries = {name: current_concept(library, stage, name) for name in wanted}
    written = []
    for name in wanted:
        file = quoted(folder / entries[name].file)
        order = ordering(library.concepts[name], whole_rows=entries[name].repeated_keys > 0)
        query = f"SELECT * FROM read_parquet({file}) ORDER BY {order}"
        written.append(_copy(query, to / f"{name}.{file_format}", options))
    return written


def export_references(
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None,
    to: Path,
    file_format: str,
    convention: Convention,
) -> list[Path]:
    """Write references, honeytokens left out, to `<to>/<name>.<format>` with mode 0600; return the files.

    Raises:
        InputError: an unknown reference or format.
        MissingError, StaleError: a reference is absent or out of date.
    """
    options = _format(file_format)
    site = open_stage(dataset, convention).source.site
    of_site = sorted(name for name in library.references if serves(library, name, site))
    wanted = list(names) if names is not None else of_site
    for name in wanted:
        if name not in library.references:
            raise InputError(
                f"no reference is called {name}",
                remedy=f"known are: {', '.join(library.references)}",
            )
    entries = {n: current_reference(library, dataset, convention, n, hashed=True) for n in wanted}
    with faults_told("making the folder", to):
        to.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    written = []
    for name, entry in entries.items():
        first = identifier(entry.key[0])
        tokens = ", ".join(quoted(key[0]) for key in entry.honeytokens)
        honest = f"WHERE ({first}::VARCHAR IN ({tokens})) IS NOT TRUE" if tokens else ""
        order = ordering(library.references[name], whole_rows=False)
        file = quoted(dataset.references(convention) / entry.file)
        query = f"SELECT * FROM read_parquet({file}) {honest} ORDER BY {order}"
        written.append(_copy(query, to / f"{name}.{file_format}", options))
    return written
