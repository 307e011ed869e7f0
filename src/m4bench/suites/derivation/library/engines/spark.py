# SPDX-License-Identifier: MIT
"""Spark as a warehouse: relations are Parquet in a work folder, read back by those that need them. Knows no store."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet
from pydantic import Field
from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.record import Record
from m4bench.suites.derivation.library.dialects.spark import WRITING
from m4bench.suites.derivation.library.dialects.translate import Dialect
from m4bench.suites.derivation.library.engines.engine import ColumnType, RowsLoaded
from m4bench.suites.derivation.library.engines.spark_session import (
    await_workers,
    faults_told,
    session,
)
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import DataType

LOCAL = "local[*]"
WORK_PREFIX = f"{PARTIAL_PREFIX}spark-"
BYTES_A_PARTITION = 2**25
FEWEST_PARTITIONS = 8
_WIDER = ("tinyint", "smallint", "int", "bigint")


class SparkOptions(Record):
    """Where Spark runs.

    `master` is Spark's own word for it; `memory` bounds the Java process of this machine, which in local
    mode does all the work; `source` is a folder of Parquet, `SCHEMA/TABLE.parquet` a file or a folder of
    files, read in the place of the store's own; `work` is where derived tables lie while a build lasts.
    With a master on other machines both have to be at the same path on every worker.
    """

    master: str = LOCAL
    memory: str = "4GB"
    source: Path | None = None
    work: Path | None = Field(default=None)


def spark_type(duckdb_type: str) -> str:
    """Return a DuckDB type as Spark spells it."""
    text: str = exp.DataType.build(duckdb_type, dialect="duckdb").sql(dialect=WRITING.writer)
    return text


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _relation(qualified: str) -> str:
    return ".".join(_quoted(part) for part in qualified.split("."))


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """Yield a folder that is gone afterwards, and clear those that killed builds have left beside it."""
    for left in parent.glob(f"{WORK_PREFIX}*"):
        with _held(left) as free:
            if free:
                shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=parent))
    try:
        with _held(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold a folder as long as the block lasts, and tell whether nobody else did."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


@contextmanager
def spark_warehouse(folder: Path, options: SparkOptions) -> Iterator["SparkWarehouse"]:
    """Yield a warehouse in a Spark session of its own.

    Args:
        folder: where the work folder is made when `options.work` names no other.
        options: where Spark runs.

    Raises:
        InputError: Spark cannot be started, a folder is missing, or workers do not see the work folder.
    """
    parent = options.work or folder
    for each in filter(None, (parent, options.source)):
        if not each.is_dir():
            raise InputError(
                "there is no such folder", file=each, remedy="make it, or name another"
            )
    try:
        with (
            work_folder(parent.resolve()) as work,
            session(options.master, options.memory, work) as spark,
        ):
            warehouse = SparkWarehouse(spark, work, options.source)
            if not options.master.startswith("local["):
                with faults_told("trying Spark's workers", work):
                    await_workers(spark)
                    warehouse.require_shared_folder()
            yield warehouse
    except OSError as error:
        raise InputError(
            f"Spark's work folder failed: {error.strerror}",
            file=parent,
            remedy="check free disk space and permissions",
        ) from error


class SparkWarehouse:
    """A warehouse in Spark; what it holds stands as long as the session."""

    dialect: Dialect = "spark"
    reads_files = True

    def __init__(self, spark: "SparkSession", work: Path, source: Path | None) -> None:
        self.spark = spark
        self._work = work
        self._source = source
        self._standing: dict[str, str] = {}
        self._bytes = 0

    @property
    def version(self) -> str:
        """The engine and its version."""
        return f"spark {self.spark.version}"

    def made_by(self, sources: Collection[str]) -> str:
        """Return the version, and that source tables were read in a folder when they were not the store's."""
        return (
            f"{self.version}, source tables of a folder"
            if self._source and sources
            else self.version
        )

    def require_shared_folder(self) -> None:
        """Let workers write and read a file where derived tables will lie.

        Raises:
            InputError: they write it elsewhere, or do not see it.
        """
        probe = self._work / "probe"
        self.spark.range(8).repartition(4).write.parquet(_uri(probe))
        if sum(pyarrow.parquet.read_metadata(f).num_rows for f in _parts(probe)) != 8:
            raise InputError(
                "workers of Spark do not write where this machine reads",
                file=self._work.parent,
                remedy="give --work, a folder on shared storage, and the store or --source there too",
            )
        self.spark.read.parquet(_uri(probe)).count()

    def source(
        self,
        relation: str,
        file: Path | None,
        columns: Sequence[ColumnType],
        digest: str,
        report: RowsLoaded,
    ) -> None:
        """Make a table readable under its name; nothing is copied."""
        if self._standing.get(relation) == digest:
            return
        if file is None:
            nothing = ", ".join(
                f"CAST(NULL AS {spark_type(t)}) AS {_quoted(n)}" for n, t in columns
            )
            self._view(relation, f"SELECT {nothing} FROM RANGE(0)")
        else:
            with faults_told(f"reading {relation}", file):
                self._read(relation, self._place(relation, file), columns)
        self._standing[relation] = digest

    def _place(self, relation: str, file: Path) -> Path:
        """Return where a source table is read: the file given, or its like in the source folder."""
        schema, table = relation.split(".")
        if self._source is None or schema.startswith(DERIVED_SCHEMA):
            return file
        place = self._source / schema / f"{table}.parquet"
        if not place.exists():
            raise InputError(
                f"the source folder has no {schema}/{table}.parquet",
                file=self._source,
                remedy="write every table the dataset has, as a file or a folder of files",
            )
        rows = sum(pyarrow.parquet.read_metadata(part).num_rows for part in _parts(place))
        expected = pyarrow.parquet.read_metadata(file).num_rows
        if rows != expected:
            raise InputError(
                f"{relation} has {rows} rows in the source folder and {expected} in the store",
                file=place,
                remedy="import the release that the source folder holds",
            )
        return place

    def _read(self, relation: str, place: Path, columns: Sequence[ColumnType]) -> None:
        found = {f.name.lower(): f.dataType for f in self.spark.read.parquet(_uri(place)).schema}
        fields = []
        for name, declared in columns:
            if name.lower() not in found:
                raise InputError(f"{relation} has no column {name}", file=place)
            _require(relation, name, found[name.lower()], declared, place)
            fields.append(f"CAST({_quoted(name)} AS {spark_type(declared)}) AS {_quoted(name)}")
        self._bytes += sum(part.stat().st_size for part in _parts(place))
        self.spark.conf.set("spark.sql.shuffle.partitions", str(self._partitions()))
        self._view(relation, f"SELECT {', '.join(fields)} FROM parquet.{_quoted(_uri(place))}")

    def _partitions(self) -> int:
        cores = self.spark.sparkContext.defaultParallelism
        return max(FEWEST_PARTITIONS, 2 * cores, self._bytes // BYTES_A_PARTITION)

    def _view(self, relation: str, query: str) -> None:
        schema, _ = relation.split(".")
        self.spark.sql(f"CREATE DATABASE IF NOT EXISTS {_quoted(schema)}")
        self.spark.sql(f"CREATE OR REPLACE VIEW {_relation(relation)} AS {query}")

    def standing(self, relation: str) -> str | None:
        """Return the digest of a relation of this session."""
        return self._standing.get(relation)

    def derive(self, relation: str, query: str, columns: Sequence[ColumnType], digest: str) -> None:
        """Write the rows of a query to the work folder, and let others read them there."""
        self._standing.pop(relation, None)
        place = self._work / relation
        with faults_told(f"building {relation}", self._work.parent):
            frame = self.spark.sql(query)
            names = [field.name for field in frame.schema]
            if names != [name for name, _ in columns]:
                raise InputError(f"the query of {relation} gives the columns {', '.join(names)}")
            for field, (name, declared) in zip(frame.schema, columns, strict=True):
                _require(relation, name, field.dataType, declared, None)
            typed = [frame[_quoted(n)].cast(spark_type(t)).alias(n) for n, t in columns]
            frame.select(*typed).write.mode("overwrite").parquet(_uri(place))
            self._read(relation, place, columns)
        self._standing[relation] = digest

    def export(self, relation: str, columns: Sequence[ColumnType], folder: Path) -> Sequence[Path]:
        """Return the files of the work folder, which have the declared types already."""
        return _parts(self._work / relation)


def _uri(path: Path) -> str:
    return f"file:{path}"


def _parts(place: Path) -> list[Path]:
    """Return the Parquet files of a table that is a file or a folder of files."""
    return sorted(place.rglob("*.parquet")) if place.is_dir() else [place]


def _require(
    relation: str, column: str, found: "DataType", declared: str, place: Path | None
) -> None:
    """Refuse a column whose values the declared type would change.

    A narrower integer, a decimal of the same scale, and a time of UTC for one without a zone will do.
    """
    has, wants = found.simpleString(), spark_type(declared).lower().replace(", ", ",")
    fits = (
        has == wants
        or (has in _WIDER and wants in _WIDER and (place is None or _narrower(has, wants)))
        or (
            has.startswith("decimal")
            and wants.startswith("decimal")
            and _scale(has) == _scale(wants)
        )
        or (has == "timestamp" and wants == "timestamp_ntz")
    )
    if not fits:
        raise InputError(
            f"{relation} is of type {has} where {wants} is declared", file=place, column=column
        )


def _narrower(one: str, other: str) -> bool:
    return _WIDER.index(one) <= _WIDER.index(other)


def _scale(decimal: str) -> str:
    return decimal.rstrip(")").rpartition(",")[2]
