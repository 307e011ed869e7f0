# SPDX-License-Identifier: MIT
"""What a convention moves in a dataset: rows and patients of each reference, and what a study would see.

Counts and shares alone, no row; knows built references, not how they are derived.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, get_args

import duckdb

from m4bench.data.store import StoredDataset
from m4bench.model.record import Record
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.engine import identifier, quoted
from m4bench.suites.derivation.library.manifest import ReferenceEntry
from m4bench.suites.derivation.library.plan import current_reference

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
RELATIVE = 1e-9
# The scores whose mortality is told, with their total: a study stratifies by them.
SCORES = {
    "sofa-24h": "sofa",
    "sapsii-24h": "sapsii",
    "oasis-24h": "oasis",
    "apsiii-24h": "apsiii",
    "lods-24h": "lods",
    "sirs-24h": "sirs",
}


class Moved(Record):
    """How many rows and patients differ from `published`, and in how many rows each column does.

    A row present under one convention only counts as moved, and in `only_published` or `only_here`.
    """

    rows: int
    patients: int
    only_published: int
    only_here: int
    columns: dict[str, int]

    def most(self, count: int = 3) -> list[str]:
        """Return the columns that differ in most rows, with how many."""
        ordered = sorted(self.columns.items(), key=lambda item: (-item[1], item[0]))
        return [f"{name} {rows:,}" for name, rows in ordered[:count]]


class ReferenceEffect(Record):
    """One reference: its published rows and patients, and what each other convention moves."""

    rows: int
    patients: int
    moved: dict[Convention, Moved]


class EffectTable(Record):
    """A small table of a study's figures, a column a convention."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Effects(Record):
    """What conventions move in a dataset."""

    title: str
    references: dict[str, ReferenceEffect]
    tables: tuple[EffectTable, ...]


class _Built(NamedTuple):
    entry: ReferenceEntry
    honest: str


def effects(library: Library, dataset: StoredDataset, names: Iterable[str], title: str) -> Effects:
    """Return what the conventions move in references that are built under all of them.

    Raises:
        InputError: no such reference.
        MissingError, StaleError: a reference is not built under a convention, or out of date.
    """
    wanted = list(names)
    built = {
        (name, convention): _built(library, dataset, convention, name)
        for name in wanted
        for convention in CONVENTIONS
    }
    with duckdb.connect() as connection:
        moved = {name: _effect(connection, library, dataset, name, built) for name in wanted}
        tables = [*_prevalence(connection, dataset, built), *_mortality(connection, dataset, built)]
    return Effects(title=title, references=moved, tables=tuple(tables))


def _built(library: Library, dataset: StoredDataset, convention: Convention, name: str) -> _Built:
    entry = current_reference(library, dataset, convention, name, hashed=True)
    file = quoted(dataset.references(convention) / entry.file)
    first = identifier(entry.key[0])
    tokens = ", ".join(quoted(key[0]) for key in entry.honeytokens)
    where = f"WHERE ({first}::VARCHAR IN ({tokens})) IS NOT TRUE" if tokens else ""
    return _Built(entry, f"(SELECT * FROM read_parquet({file}) {where})")


def _patient(dataset: StoredDataset, key: tuple[str, ...]) -> tuple[str, str]:
    """Return the relation that tells the patient of a key's first column, and its name for a patient."""
    relation, patient = {
        "stay_id": ("mimiciv_icu.icustays", "subject_id"),
        "hadm_id": ("mimiciv_hosp.admissions", "subject_id"),
        "patientunitstayid": ("eicu_crd.patient", "uniquepid"),
    }.get(key[0], ("mimiciv_hosp.patients", "subject_id"))
    file = quoted(dataset.source(relation))
    return (
        f"(SELECT DISTINCT {key[0]} AS k, {patient} AS patient FROM read_parquet({file}))",
        patient,
    )


def _effect(
    connection: duckdb.DuckDBPyConnection,
    library: Library,
    dataset: StoredDataset,
    name: str,
    built: dict[tuple[str, Convention], _Built],
) -> ReferenceEffect:
    header = library.references[name].header
    assert header.key is not None
    patients, _ = _patient(dataset, header.key)
    published = built[name, "published"].honest
    first = identifier(header.key[0])
    counted = connection.execute(
        f"SELECT count(*), count(DISTINCT patient) FROM {published} AS r LEFT JOIN {patients} AS p "
        f"ON p.k = r.{first}"
    ).fetchone()
    assert counted is not None
    moved = {
        convention: _moved(connection, library, name, published, built[name, convention], patients)
        for convention in CONVENTIONS[1:]
    }
    return ReferenceEffect(rows=counted[0], patients=counted[1], moved=moved)


def _moved(
    connection: duckdb.DuckDBPyConnection,
    library: Library,
    name: str,
    published: str,
    other: _Built,
    patients: str,
) -> Moved:
    header = library.references[name].header
    key = header.key or ()
    on = " AND ".join(f"a.{identifier(k)} IS NOT DISTINCT FROM b.{identifier(k)}" for k in key)
    values = [column for column in header.columns if column.name not in key]
    differ = [_differs(column.name, column.type) for column in values]
    both = "a.here AND b.here"
    parts = ", ".join(f"count(*) FILTER ({both} AND {test})" for test in differ)
    anything = " OR ".join(["a.here IS NULL", "b.here IS NULL", *differ])
    first = identifier(key[0])
    row = connection.execute(
        f"SELECT count(*) FILTER ({anything}), count(DISTINCT p.patient) FILTER ({anything}), "
        f"count(*) FILTER (b.here IS NULL), count(*) FILTER (a.here IS NULL)"
        f"{', ' + parts if parts else ''} "
        f"FROM (SELECT *, true AS here FROM {published}) AS a "
        f"FULL OUTER JOIN (SELECT *, true AS here FROM {other.honest}) AS b ON {on} "
        f"LEFT JOIN {patients} AS p ON p.k = coalesce(a.{first}, b.{first})"
    ).fetchone()
    assert row is not None
    return Moved(
        rows=row[0],
        patients=row[1],
        only_published=row[2],
        only_here=row[3],
        columns={c.name: n for c, n in zip(values, row[4:], strict=True) if n},
    )


def _differs(name: str, kind: str) -> str:
    a, b = f"a.{identifier(name)}", f"b.{identifier(name)}"
    if kind != "DOUBLE":
        return f"({a} IS DISTINCT FROM {b})"
    near = f"abs({a} - {b}) <= {RELATIVE} * greatest(abs({a}), abs({b}))"
    return f"({a} IS DISTINCT FROM {b} AND NOT coalesce({near}, false))"


def _prevalence(
    connection: duckdb.DuckDBPyConnection,
    dataset: StoredDataset,
    built: dict[tuple[str, Convention], _Built],
) -> list[EffectTable]:
    """Return the stays with sepsis and with each AKI stage."""
    names = {name for name, _ in built}
    rows: list[tuple[str, ...]] = []
    asked = [
        ("sepsis3", "sepsis (Sepsis-3)", "count(DISTINCT stay_id)", "true"),
        *(
            ("kdigo-48h", f"AKI within 48 h, stage {stage}", "count(*)", f"aki_stage = {stage}")
            for stage in (1, 2, 3)
        ),
        ("kdigo-48h", "AKI within 48 h, any stage", "count(*)", "aki_stage > 0"),
        ("suspicion-infection", "antibiotics with suspected infection", "count(*)", "suspected_infection = 1"),
    ]  # fmt: skip
    for name, label, counted, where in asked:
        if name in names:
            cells = [
                _number(connection, f"SELECT {counted} FROM {built[name, c].honest} WHERE {where}")
                for c in CONVENTIONS
            ]
            rows.append((label, *(f"{cell:,.0f}" for cell in cells)))
    if not rows:
        return []
    stays = quoted(dataset.source("mimiciv_icu.icustays"))
    whole = _number(connection, f"SELECT count(*) FROM read_parquet({stays})")
    title = f"Cohorts, of {whole:,.0f} ICU stays"
    return [EffectTable(title=title, columns=("cohort", *CONVENTIONS), rows=tuple(rows))]


def _mortality(
    connection: duckdb.DuckDBPyConnection,
    dataset: StoredDataset,
    built: dict[tuple[str, Convention], _Built],
) -> list[EffectTable]:
    """Return hospital mortality by the published quarters of each score."""
    names = {name for name, _ in built}
    rows: list[tuple[str, ...]] = []
    for name, total in SCORES.items():
        if name not in names:
            continue
        score = identifier(total)
        published = built[name, "published"].honest
        limits = connection.execute(
            f"SELECT quantile_disc({score}, [0.25, 0.5, 0.75]) FROM {published}"
        ).fetchone()
        if limits is None or limits[0] is None:
            continue
        for band, where in _bands(score, limits[0]):
            cells = []
            for convention in CONVENTIONS:
                found = connection.execute(
                    f"SELECT count(*), avg(a.hospital_expire_flag) * 100 "
                    f"FROM {built[name, convention].honest} AS r "
                    f"JOIN read_parquet({quoted(dataset.source('mimiciv_icu.icustays'))}) AS s USING (stay_id) "
                    f"JOIN read_parquet({quoted(dataset.source('mimiciv_hosp.admissions'))}) AS a "
                    f"ON a.hadm_id = s.hadm_id WHERE {where}"
                ).fetchone()
                assert found is not None
                died = "–" if found[1] is None else f"{found[1]:.1f} %"
                cells.append(f"{died} of {found[0]:,}")
            rows.append((name, band, *cells))
    if not rows:
        return []
    title = "Hospital deaths by the published quarters of a score (deaths of stays)"
    return [EffectTable(title=title, columns=("score", "points", *CONVENTIONS), rows=tuple(rows))]


def _bands(score: str, limits: list[float]) -> list[tuple[str, str]]:
    """Return the label and the condition of each band between distinct limits."""
    ends = sorted(set(limits))
    bands = [(f"≤ {ends[0]:g}", f"r.{score} <= {ends[0]}")]
    bands += [
        (f"> {low:g} to {high:g}", f"r.{score} > {low} AND r.{score} <= {high}")
        for low, high in pairwise(ends)
    ]
    return [*bands, (f"> {ends[-1]:g}", f"r.{score} > {ends[-1]}")]


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> float:
    row = connection.execute(query).fetchone()
    assert row is not None
    return float(row[0])
