# SPDX-License-Identifier: MIT
"""Open a warehouse by the name of its engine. Knows the engines there are, and imports none before it is asked for."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import (
    BuildReport,
    Progress,
    build_concepts,
    chosen,
    silent,
)
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.engines.build import build_in
from m4bench.suites.derivation.library.engines.engine import Warehouse
from m4bench.suites.derivation.library.sites import serves

EngineName = Literal["duckdb", "postgres", "spark"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)


class EngineOptions(Record):
    """What was said of an engine; an option of another engine than the one that is named is refused.

    `url` and `source_schema` are PostgreSQL's: where it is, and which schemas of source tables stand there
    already, `SCHEMA` or `SCHEMA=NAME THERE`. `master`, `source` and `work` are Spark's, as are its bounds:
    see `engines.spark.SparkOptions`.
    """

    engine: str = "duckdb"
    url: str | None = None
    source_schema: tuple[str, ...] = ()
    master: str | None = None
    source: Path | None = None
    work: Path | None = None

    @property
    def is_warehouse(self) -> bool:
        """Tell whether an engine other than DuckDB is meant.

        Raises:
            InputError: there is no such engine, or an option is not one of it.
        """
        if self.engine not in ENGINES:
            raise InputError(
                f"no engine is called {self.engine}", remedy=f"choose: {', '.join(ENGINES)}"
            )
        given: dict[str, dict[str, object]] = {
            "postgres": {"--url": self.url, "--source-schema": self.source_schema},
            "spark": {"--master": self.master, "--source": self.source, "--work": self.work},
        }
        for engine, options in given.items():
            for option, value in options.items():
                if value and engine != self.engine:
                    raise InputError(f"{option} is an option of --engine {engine}")
        return self.engine != "duckdb"


def existing_schemas(said: Sequence[str]) -> Mapping[str, str]:
    """Return schemas of source tables with their names in a database, from `SCHEMA` or `SCHEMA=NAME`.

    Raises:
        InputError: a name is missing.
    """
    found = {}
    for each in said:
        schema, _, there = each.partition("=")
        if not schema or ("=" in each and not there) or "." in each:
            raise InputError(
                f"{each!r} names no schema", remedy="give --source-schema SCHEMA or SCHEMA=NAME"
            )
        if schema in found:
            raise InputError(f"--source-schema names {schema} more than once")
        found[schema] = there or schema
    return found


def require_read(schemas: Collection[str], library: Library, dataset: StoredDataset) -> None:
    """Make sure that every schema holds source tables which the concepts of a dataset read.

    Args:
        schemas: their own names, as the library has them.
        library: the library under the convention of the build.
        dataset: an imported dataset.

    Raises:
        InputError: with the schemas that are read.
    """
    site = dataset.manifest().site
    read = {
        table.split(".")[0]
        for name in library.concepts
        if serves(library, name, site)
        for table in library.source_tables(name)
    }
    for schema in schemas:
        if schema not in read:
            raise InputError(
                f"no concept of {dataset.name} reads a schema called {schema}",
                remedy=f"give --source-schema with {' or '.join(sorted(read))}, "
                "as SCHEMA=NAME where the database calls it otherwise",
            )


@contextmanager
def warehouse(options: EngineOptions, folder: Path, memory: str) -> Iterator[Warehouse]:
    """Yield the warehouse that options name.

    Args:
        options: the engine and where it is.
        folder: a folder of the store, for what an engine writes while a build lasts.
        memory: the bound on this machine, such as 4GB.

    Raises:
        InputError: the engine's package is not installed, or it cannot be reached.
    """
    if options.engine == "postgres":
        if not options.url:
            raise InputError(
                "no server was named", remedy="give --url postgresql://USER@HOST:PORT/DATABASE"
            )
        try:
            from m4bench.suites.derivation.library.engines.postgres import postgres
        except ModuleNotFoundError as error:
            raise InputError(
                f"PostgreSQL needs the package {error.name}, which is not installed",
                remedy="from the project's folder: pip install -e '.[postgres]'",
            ) from error

        with postgres(options.url, existing_schemas(options.source_schema)) as opened:
            yield opened
        return
    from m4bench.suites.derivation.library.engines.spark import (
        LOCAL,
        SparkOptions,
        spark_warehouse,
    )

    spark = SparkOptions(
        master=options.master or LOCAL, memory=memory, source=options.source, work=options.work
    )
    with spark_warehouse(folder, spark) as session:
        yield session


def build_with(
    options: EngineOptions,
    library: Library,
    dataset: StoredDataset,
    names: Iterable[str] | None = None,
    *,
    convention: Convention,
    limits: EngineLimits,
    progress: Progress = silent,
) -> BuildReport:
    """Build concepts in the engine that options name; the rest is as in `build_concepts` and `build_in`.

    Raises:
        InputError: no such engine, or what a build raises.
    """
    if not options.is_warehouse:
        return build_concepts(
            library, dataset, names, convention=convention, limits=limits, progress=progress
        )
    named = list(names) if names is not None else None
    # Refused before a session is opened, which takes a server or a Java.
    chosen(library.under(convention), dataset, named, convention)
    require_read(existing_schemas(options.source_schema), library.under(convention), dataset)
    with warehouse(options, dataset.root, limits.memory) as opened:
        return build_in(
            opened,
            library,
            dataset,
            named,
            convention=convention,
            limits=limits,
            progress=progress,
        )
