# SPDX-License-Identifier: MIT
"""What the store holds and how far each dataset has come on the way to a run. Opens manifests, and no table."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from m4bench.data.catalogue import site_word
from m4bench.data.inventory import Holding, take_inventory
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic.recipe import DATASETS as SYNTHETIC
from m4bench.doors.doctor.finding import Finding
from m4bench.model.errors import InputError, MissingError, StaleError
from m4bench.model.task import Convention, Drops
from m4bench.suites.derivation.library.catalogue import Library, library
from m4bench.suites.derivation.library.plan import Stage, current_reference, lacking, open_stage
from m4bench.suites.derivation.schemas.databases import current_database
from m4bench.suites.derivation.tasks.cards import load_tasks

CONVENTION: Convention = "published"
SCHEMA = "native"
DROPS: Drops = "strict"
REMADE = {
    dataset: f"m4bench data synth --site {site} --replace" for site, dataset in SYNTHETIC.items()
}
"""The commands that invent a hospital again, by the dataset it is kept as."""


@dataclass(frozen=True)
class Progress:
    """How many results of one kind are current, out of date and not made, of those the dataset can have."""

    current: int = 0
    stale: int = 0
    missing: int = 0

    @property
    def total(self) -> int:
        """How many there can be."""
        return self.current + self.stale + self.missing

    def told(self, name: str) -> str:
        """Return it in a few words."""
        stale = f", {self.stale} out of date" if self.stale else ""
        return f"{self.current} of {self.total} {name}{stale}"


def datasets(store: Store) -> Iterator[Finding]:
    """Yield a finding for each dataset in a store, and for what commands cut short have left there.

    Of what is derived, the `published` convention, the `native` schema and `strict` drops are looked at.
    """
    try:
        inventory = take_inventory(store)
    except InputError as error:
        yield Finding(
            "datasets", "store", "optional", "cannot be read", str(error.problem), error.remedy
        )
        return
    for line in inventory.remains:
        problem, _, remedy = line.partition("; ")
        yield Finding("datasets", "remains", "optional", problem, "takes room", remedy)
    for holding in inventory.holdings:
        yield _dataset(store, holding)
    if not inventory.holdings:
        meaning = "the demo brings its own; everything else needs one here"
        remedy = "m4bench data synth, or m4bench data import DATASET --from DIR"
        yield Finding("datasets", "none yet", "optional", "the store is empty", meaning, remedy)


def _dataset(store: Store, holding: Holding) -> Finding:
    name, manifest = holding.name, holding.manifest
    if manifest is None:
        remedy = (
            f"make it again: {REMADE[name]}"
            if name in REMADE
            else f"import it again: m4bench data import {name} --from DIR"
        )
        return Finding("datasets", name, "optional", "broken", "its manifest is damaged", remedy)
    release = f" {manifest.release}" if manifest.release else ""
    modified = ", modified" if manifest.modified else ""
    rows = sum(table.rows for table in manifest.tables)
    unproven = ", not proven to be invented" if manifest.kept_as != manifest.access else ""
    meaning = f"{manifest.access}{unproven}{release}{modified}, {rows:,} rows"
    facts: dict[str, Any] = {
        "access": manifest.access,
        "site": site_word(manifest.site),
        "release": manifest.release,
        "modified": manifest.modified,
        "tables": len(manifest.tables),
        "rows": rows,
    }
    try:
        steps = _steps(store.dataset(name))
    except InputError as error:
        found, remedy = f"imported; {error.problem}", f"m4bench concepts build {name}"
        return Finding("datasets", name, "optional", found, meaning, remedy, facts)
    facts |= {what: asdict(step) for what, step in steps.items()}
    told = "; ".join(["imported", *(step.told(what) for what, step in steps.items() if step.total)])
    behind = next((w for w, s in steps.items() if s.current < s.total), None)
    if behind is None:
        return Finding("datasets", name, "ready", told, meaning, facts=facts)
    remedy = f"m4bench {behind} build {name}"
    return Finding("datasets", name, "optional", told, meaning, remedy, facts)


def _steps(dataset: StoredDataset) -> dict[str, Progress]:
    known, stage = library(), open_stage(dataset, CONVENTION)
    folder = dataset.derived(CONVENTION)

    def concept(name: str) -> None:
        entry = stage.concepts.entries.get(name)
        if entry is None:
            raise MissingError("not built")
        if not stage.fresh(known.concepts[name], entry, folder):
            raise StaleError("out of date")

    tasks = {n: t for n, t in load_tasks().items() if t.site == stage.source.site}

    def database(name: str) -> None:
        current_database(known, stage, tasks[name], schema=SCHEMA, drops=DROPS)

    served = [n for n, task in tasks.items() if not lacking(known, stage, task.reference)]
    return {
        "concepts": _count(_possible(known, stage, known.concepts), concept),
        "references": _count(
            _possible(known, stage, known.references),
            lambda name: current_reference(known, dataset, CONVENTION, name),
        ),
        "databases": _count(served, database),
    }


def _possible(known: Library, stage: Stage, names: Iterable[str]) -> list[str]:
    return [name for name in names if not lacking(known, stage, name)]


def _count(names: Iterable[str], check: Callable[[str], object]) -> Progress:
    """Count what a check says of each name: nothing, or that it is out of date or missing."""
    current = stale = missing = 0
    for name in names:
        try:
            check(name)
        except StaleError:
            stale += 1
        except MissingError:
            missing += 1
        else:
            current += 1
    return Progress(current, stale, missing)
