# SPDX-License-Identifier: MIT
"""Time and memory of all concepts and references, and how both grow with the hospital; plain SQL beside them.

Usage: python benchmarks/concepts.py [--stays 1000 4000 16000] [--density 0.2] [--memory-limit 8GiB]
    [--rounds 2] [--keep DIR] [--plain-stays 2000]
    python benchmarks/concepts.py --full 94458 --keep DIR

Each size is built in a process of its own from a hospital of the density given (share of charted rows: 0.2
makes 16,000 stays about 19 million charted events, a size that draws in a minute). Seconds are those of all
cores (user and system), the least of the rounds, since other work on the machine lengthens the wall clock
more than these. The exponent is the slope of log seconds over log stays, 1 is linear; what a build does once
whatever the size makes it smaller. A step under the name of a source table is the one pass over it that
serves all its readers.

Plain SQL: for the heaviest concepts, `plain_sql/` holds what their specifications say word for word, run as
CREATE TABLE over a DuckDB file that holds the same rows as tables, of a hospital of full density: what a
join of entries with entries costs hangs on the entries of a stay. Ours, from and to Parquet, sorted and
checked, is timed in the same process, in turn with it; the rows of both have to be equal. `--plain-stays 0`
leaves it out.

Prints JSON. Exits 1 when the exponent of the total or of one of the ten slowest steps passes 1.1, when memory
passes the limit, when rows differ, or when ours is slower than the plain SQL. `--full` builds one large
hospital alone and judges its memory.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.creation import DATASET, store_hospital
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.engine import EngineLimits, engine, identifier, quoted
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.library.large_tables import LargeTables
from m4bench.suites.derivation.library.lineage import relations
from m4bench.suites.derivation.library.plan import Stage, open_stage
from synthetic import exponent

MOST_EXPONENT = 1.1
SLOWEST = 10
RELATIVE = 1e-9
PLAIN = Path(__file__).parent / "plain_sql"
TOTAL = "in all"

Seconds = dict[str, float]


def processor() -> float:
    """Return the seconds that all cores have worked for this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def least(rounds: list[Seconds]) -> Seconds:
    """Return the least seconds of every step."""
    return {name: min(each[name] for each in rounds) for name in rounds[0]}


class Steps:
    """The seconds of all cores between one report of progress and the next, by the name reported."""

    def __init__(self) -> None:
        """Begin with no step."""
        self.seconds: Seconds = {}
        self._name, self._began = "", 0.0

    def __call__(self, name: str, _done: int, _total: int) -> None:
        """End one step and begin another; what a build of references reports of concepts is none."""
        now = processor()
        if self._name:
            self.seconds[self._name] = self.seconds.get(self._name, 0.0) + now - self._began
        self._name = "" if name.startswith("concept ") else name
        self._began = now


def unbuilt(dataset: StoredDataset) -> StoredDataset:
    """Remove all that was derived from a dataset."""
    shutil.rmtree(dataset.root / "derived", ignore_errors=True)
    shutil.rmtree(dataset.references("published"), ignore_errors=True)
    return dataset


def build(store: Path, memory: str, rounds: int) -> dict[str, object]:
    """Build everything of a stored hospital, in this process."""
    limits = EngineLimits.of_memory(memory)
    each: list[Seconds] = []
    walls = []
    for _ in range(rounds):
        dataset = unbuilt(Store(store).dataset(DATASET))
        steps = Steps()
        began, worked = time.perf_counter(), processor()
        build_concepts(library(), dataset, limits=limits, progress=steps)
        build_references(library(), dataset, limits=limits, progress=steps)
        steps("", 0, 0)
        each.append(steps.seconds | {TOTAL: processor() - worked})
        walls.append(time.perf_counter() - began)
    seconds = least(each)
    return {
        "stays": next(t.rows for t in dataset.manifest().tables if t.table == "icustays"),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "wall": round(min(walls), 2),
        "cores": round(max(s[TOTAL] / wall for s, wall in zip(each, walls, strict=True)), 2),
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "source_bytes": sum(file.stat().st_size for file in dataset.root.glob("source/*/*")),
        "derived_bytes": sum(file.stat().st_size for file in dataset.root.glob("derived/*/*")),
    }


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of all cores that something takes."""
    began = processor()
    work()
    return processor() - began


def differing(connection: duckdb.DuckDBPyConnection, concept: Derivation, file: Path) -> int:
    """Return how many rows of the plain table `mine.answer` and of our file have no equal in the other."""
    key = ", ".join(identifier(name) for name in concept.header.key or ())
    unequal = []
    for column in concept.header.columns:
        a, b = (f"{side}.{identifier(column.name)}" for side in ("a", "b"))
        equal = f"{a} IS NOT DISTINCT FROM {b}"
        if column.type == "DOUBLE":
            equal += f" OR coalesce(abs({a} - {b}) <= {RELATIVE} * abs({a}), false)"
        unequal.append(f"NOT ({equal})")
    found = connection.execute(
        f"SELECT count(*) FROM mine.answer AS a FULL JOIN read_parquet({quoted(file)}) AS b USING ({key}) "
        f"WHERE {' OR '.join(unequal)}"
    ).fetchone()
    assert found is not None
    return int(found[0])


def load(connection: duckdb.DuckDBPyConnection, stage: Stage, wanted: set[str], to: Path) -> None:
    """Put the rows that the plain SQL reads into tables of a DuckDB file."""
    connection.execute(f"ATTACH {quoted(to)} AS mine")
    for relation in sorted(wanted):
        schema, table = relation.split(".")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS mine.{schema}")
        connection.execute(
            f"CREATE TABLE mine.{schema}.{table} AS FROM read_parquet({quoted(stage.file(relation))})"
        )
    connection.execute("CHECKPOINT mine")


def plain(store: Path, memory: str, rounds: int) -> dict[str, object]:
    """Time plain SQL and ours over the same rows, in this process."""
    limits = EngineLimits.of_memory(memory)
    stage = open_stage(Store(store).dataset(DATASET), "published")
    texts = {file.stem: file.read_text() for file in sorted(PLAIN.glob("*.sql"))}
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory(dir=store) as folder, engine(limits, store) as connection:
        wanted = set().union(*(relations(text) for text in texts.values()))
        load(connection, stage, wanted, Path(folder) / "plain.db")
        large = LargeTables(connection, stage, limits, library().concepts.values())
        passes: Seconds = {}
        for name, text in texts.items():
            concept = library().concepts[name]
            for relation in large.due(concept):
                passes[relation] = timed(lambda relation=relation: large.hold(relation))  # type: ignore[misc]
            files = {relation: stage.file(relation) for relation in concept.inputs}
            file, queries = Path(folder) / f"{name}.parquet", large.queries(concept)
            each: list[Seconds] = []
            for _ in range(rounds):
                connection.execute("USE mine")
                theirs = timed(
                    lambda text=text: connection.execute(  # type: ignore[misc]
                        f"CREATE OR REPLACE TABLE mine.answer AS {text}"
                    )
                )
                connection.execute("USE memory")
                ours = timed(
                    lambda c=concept, r=files, f=file, q=queries: execute(  # type: ignore[misc]
                        connection, c, r, f, queries=q
                    )
                )
                each.append({"plain": theirs, "ours": ours})
            seconds = least(each)
            found[name] = {
                "plain": round(seconds["plain"], 3),
                "ours": round(seconds["ours"], 3),
                "ratio": round(seconds["plain"] / seconds["ours"], 2),
                "rows": connection.execute("SELECT count(*) FROM mine.answer").fetchall()[0][0],
                "rows_that_differ": differing(connection, concept, file),
            }
    return {"concepts": found, "passes": {name: round(took, 3) for name, took in passes.items()}}


def apart(what: str, store: Path, memory: str, rounds: int) -> dict[str, object]:
    """Run a measurement in a process of its own and return what it prints."""
    given = [what, str(store), memory, str(rounds)]
    done = subprocess.run(
        [sys.executable, __file__, "--apart", *given], check=True, stdout=subprocess.PIPE
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def stored(folder: Path, stays: int, density: float) -> Path:
    """Return the store of a hospital, drawn when it is not there."""
    store = folder / f"store-{stays}-{density:g}"
    if not Store(store).dataset(DATASET).exists():
        store_hospital(Store(store), stays=stays, seed=1, density=density)
    return store


def growth(sizes: list[dict[str, object]]) -> dict[str, float]:
    """Return the exponents of the total and of the steps that are slowest at the largest size."""
    stays = [float(str(size["stays"])) for size in sizes]
    seconds: list[Seconds] = [size["seconds"] for size in sizes]  # type: ignore[misc]
    slowest = sorted(seconds[-1], key=lambda name: -seconds[-1][name])[: SLOWEST + 1]
    return {
        name: round(exponent(stays, [max(each.get(name, 0.0), 0.001) for each in seconds]), 3)
        for name in slowest
        if all(name in each for each in seconds)
    }


def judged(found: dict[str, object], memory: str) -> bool:
    """Tell whether all that was measured is within its bounds."""
    sizes: list[dict[str, object]] = found["sizes"]  # type: ignore[assignment]
    holds = all(
        float(str(size["peak_bytes"])) <= EngineLimits.of_memory(memory).memory_bytes()
        for size in sizes
    )
    exponents: dict[str, float] = found.get("exponents", {})  # type: ignore[assignment]
    holds &= all(value <= MOST_EXPONENT for value in exponents.values())
    beside: dict[str, dict[str, float]] = found.get("plain", {"concepts": {}})["concepts"]  # type: ignore[index]
    return holds and all(
        each["rows_that_differ"] == 0 and each["ratio"] >= 1 for each in beside.values()
    )


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stays", type=int, nargs="+", default=[1000, 4000, 16000])
    parser.add_argument("--density", type=float, default=0.2)
    parser.add_argument("--memory-limit", default="8GiB")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--plain-stays", type=int, default=2000)
    parser.add_argument("--full", type=int, metavar="N")
    parser.add_argument("--apart", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.apart:
        what, store, memory, rounds = options.apart
        measure = {"build": build, "plain": plain}[what]
        print(json.dumps(measure(Path(store), memory, int(rounds))))
        return 0
    stays = [options.full] if options.full else sorted(options.stays)
    memory = options.memory_limit
    found: dict[str, object] = {"density": options.density, "memory_limit": memory}
    with tempfile.TemporaryDirectory(prefix="m4bench-concepts-") as temporary:
        stores = [stored(options.keep or Path(temporary), n, options.density) for n in stays]
        sizes = [apart("build", store, memory, options.rounds) for store in stores]
        found["sizes"] = sizes
        if len(sizes) > 1:
            found["exponents"] = growth(sizes)
        if options.plain_stays and not options.full:
            dense = stored(options.keep or Path(temporary), options.plain_stays, 1.0)
            build_concepts(
                library(), Store(dense).dataset(DATASET), limits=EngineLimits.of_memory(memory)
            )
            found["plain"] = apart("plain", dense, memory, options.rounds)
    print(json.dumps(found, indent=2))
    return 0 if judged(found, memory) else 1


if __name__ == "__main__":
    sys.exit(main())
