# SPDX-License-Identifier: MIT
"""Every concept and reference is the same to the last byte, whatever the order of the rows and the threads."""

from hashlib import sha256
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic import generate
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.lineage import parse
from m4bench.suites.derivation.library.manifest import read_references

STAYS, DENSITY, SEED = 40, 0.2, 20260101
DATASETS = {"mimic": "synthetic", "eicu": "synthetic-eicu"}
VARIANTS = {1: "place", 2: "hash(place)", 4: "hash(-place)"}  # threads: the order of all input rows
REPEATED = {
    # tables whose rows come again at the same time with other numbers, so that sums and means have terms
    # whose order tells, and every choice among rows of one time has a tie to break
    "hosp/labevents": ("labevent_id", "valuenum"),
    "icu/chartevents": (None, "valuenum"),
    "icu/outputevents": (None, "value"),
    "icu/inputevents": ("orderid", "rate"),
    "intakeoutput": ("intakeoutputid", "cellvaluenumeric"),
}

EXACT_COLUMNS = {
    # sums over columns that are no floats, with the concept and the column that say so
    ("first_day_height", "AVG(charted.height)"): ("height", "height"),
    ("first_day_vitalsign", "AVG(vital.temperature)"): ("vitalsign", "temperature"),
}


def crowd(file: Path, identifier: str | None, number: str) -> None:
    """Repeat every row of a table three times with numbers no binary fraction holds."""
    changes = [
        f"CASE WHEN again = 0 THEN {number} ELSE {number} * 1.0137 + again / 7.0 END AS {number}"
    ]
    if identifier:
        changes.append(f"{identifier} + again * 100000007 AS {identifier}")
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE crowded AS SELECT * EXCLUDE again REPLACE ({', '.join(changes)}) "
            f"FROM '{file}', range(4) AS t(again)"
        )
        connection.execute(f"COPY crowded TO '{file}' (FORMAT parquet)")


def shuffle(files: Path, folder: Path, order: str) -> Path:
    """Write all tables of a folder with their rows in another order, and return where."""
    with duckdb.connect(config={"threads": "1"}) as connection:
        for file in files.rglob("*.parquet"):
            target = folder / file.relative_to(files)
            target.parent.mkdir(parents=True, exist_ok=True)
            connection.execute(
                f"COPY (SELECT * EXCLUDE place FROM (SELECT *, row_number() OVER () AS place FROM '{file}') "
                f"ORDER BY {order}) TO '{target}' (FORMAT parquet)"
            )
    return folder


@pytest.fixture(scope="module", params=list(DATASETS))
def variants(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[int, StoredDataset]:
    """The same crowded hospital imported with its rows in different orders, by the threads to build it with."""
    root = tmp_path_factory.mktemp(f"orders-{request.param}")
    generate(root / "files", stays=STAYS, seed=SEED, density=DENSITY, site=request.param)
    for name, (identifier, number) in REPEATED.items():
        if (file := root / "files" / f"{name}.parquet").exists():
            crowd(file, identifier, number)
    found = {}
    for threads, order in VARIANTS.items():
        stored = Store(root / str(threads)).dataset(DATASETS[request.param])
        import_dataset(stored, shuffle(root / "files", root / f"files-{threads}", order))
        found[threads] = stored
    return found


def rows_hash(stored: StoredDataset, convention: Convention, name: str) -> str:
    """Return the hash of a reference's rows in the order of its file, honeytokens left out."""
    folder = stored.references(convention)
    entry = read_references(folder, stored.name, convention).entries[name]
    planted = {key[0] for key in entry.honeytokens}
    rows = duckdb.sql(f"SELECT * FROM '{folder / entry.file}'").fetchall()
    place = [c.name for c in library().references[name].header.columns].index(entry.key[0])
    return sha256(
        repr([row for row in rows if str(row[place]) not in planted]).encode()
    ).hexdigest()


def derived(stored: StoredDataset, convention: Convention, threads: int) -> dict[str, str]:
    """Build everything and return a hash of each concept's file and of each reference's rows."""
    limits = EngineLimits(threads=threads)
    hashes = {}
    if stored.manifest().site == "mimic-iv":
        built = build_concepts(library(), stored, convention=convention, limits=limits).built
        hashes = {f"concept {name}": entry.sha256 for name, entry in built.items()}
    references = build_references(library(), stored, convention=convention, limits=limits).built
    names = [name.removeprefix("reference ") for name in references]
    return hashes | {f"reference {name}": rows_hash(stored, convention, name) for name in names}


@pytest.mark.parametrize(
    ("convention", "threads"),
    [("published", (1, 2, 4)), ("current", (1, 4)), ("adjudicated", (1, 4))],
)
def test_neither_threads_nor_the_order_of_rows_tell(
    variants: dict[int, StoredDataset], convention: Convention, threads: tuple[int, ...]
) -> None:
    """One, two and four threads over differently ordered rows give the same concepts and references."""
    sources = [
        {table.qualified: table.sha256 for table in stored.manifest().tables if table.rows > 20}
        for stored in variants.values()
    ]
    assert not {*sources[0].items()} & {*sources[1].items()} & {*sources[2].items()}
    first, *others = (derived(variants[n], convention, n) for n in threads)
    assert len(first) >= 3
    for other in others:
        assert {name for name in first if first[name] != other[name]} == set()


def unordered_sums(sql: str) -> set[str]:
    """Return the sums and means of groups that state no order, those of decimals and whole numbers left out."""
    found = set()
    for node in parse(sql).find_all(exp.Sum, exp.Avg):
        place = node.parent.parent if isinstance(node.parent, exp.Filter) else node.parent
        exact = any(cast.to.is_type("decimal") for cast in node.find_all(exp.Cast, exp.TryCast))
        if (
            isinstance(place, exp.Window)
            or node.find(exp.Order)
            or node.find(exp.DateDiff)
            or exact
        ):
            continue
        found.add(node.sql(dialect="duckdb"))
    return found


@pytest.mark.parametrize("convention", ["published", "current", "adjudicated"])
def test_every_sum_of_floats_has_an_order(convention: Convention) -> None:
    """Threads add the parts of a large group in any order, so a sum of floats states its own."""
    derivations = library(convention)
    for derivation in (*derivations.concepts.values(), *derivations.references.values()):
        for each in unordered_sums(derivation.sql):
            concept, column = EXACT_COLUMNS[derivation.name, each]
            header = derivations.concepts[concept].header
            (kind,) = (known.type for known in header.columns if known.name == column)
            assert kind.startswith("DECIMAL"), f"{derivation.name}: {each}"
