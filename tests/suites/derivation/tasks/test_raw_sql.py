# SPDX-License-Identifier: MIT
"""The raw SQL of a reference: run on what a standard task leaves, it gives the reference, and it says nothing else."""

import re

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital
from m4bench.model.task import Convention, Task
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import current_reference, open_stage
from m4bench.suites.derivation.schemas.visibility import hidden_concepts
from m4bench.suites.derivation.staging import staged
from m4bench.suites.derivation.tasks.cards import load_tasks
from m4bench.suites.derivation.tasks.materials import materials
from m4bench.suites.derivation.tasks.raw_sql import raw_sql, skill_name
from m4bench.suites.suite import StageRequest
from tests.suites.derivation.tasks.test_materials import require_valid_skill

TASKS = load_tasks()
CONVENTIONS: tuple[Convention, ...] = ("published", "current", "adjudicated")
DATASETS = {"mimic-iv": "synthetic", "eicu": "synthetic-eicu"}
# One task a reference: the standard one where there is one.
BY_REFERENCE = {
    task.reference: task for task in sorted(TASKS.values(), key=lambda one: one.mode != "raw")
}


@pytest.fixture(scope="module")
def hospitals(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with two small invented hospitals, everything built under every convention."""
    store = Store(tmp_path_factory.mktemp("hospitals") / "store")
    for site, name in (("mimic", "synthetic"), ("eicu", "synthetic-eicu")):
        store_hospital(store, stays=30, seed=3, site=site)
        for convention in CONVENTIONS:
            known = library(convention)
            if site == "mimic":
                build_concepts(known, store.dataset(name), convention=convention)
            wanted = {task.reference for task in TASKS.values() if DATASETS[task.site] == name}
            build_references(known, store.dataset(name), sorted(wanted), convention=convention)
    return store


def differences(store: Store, dataset: str, task: Task, convention: Convention) -> tuple[int, int]:
    """Run raw SQL on a database of the standard kind; count its rows, and those the reference has otherwise."""
    # A reference that has raw tasks alone is run where the concepts it reads exist.
    standard = task.model_copy(update={"mode": "standard"}) if task.site == "mimic-iv" else task
    request = StageRequest(
        store, dataset, "no-skill", "native", "strict", convention, host_paths=True
    )
    database = staged(standard, request).files["database.duckdb"]
    stage = open_stage(store.dataset(dataset), convention)
    entry = current_reference(library(convention), stage.dataset, convention, task.reference)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = connection.execute(raw_sql(task, TASKS.values(), convention)).to_arrow_table()
        file = stage.dataset.references(convention) / entry.file
        wanted = connection.execute("SELECT * FROM read_parquet(?)", [str(file)]).to_arrow_table()
        assert found.column_names == wanted.column_names
        keys = ", ".join(task.scoring.key)
        tokens = ", ".join(f"({', '.join(map(repr, key))})" for key in entry.honeytokens)
        real = f"SELECT * FROM wanted WHERE ({keys}) NOT IN ({tokens})" if tokens else "FROM wanted"
        query = (
            f"SELECT (SELECT count(*) FROM found), (SELECT count(*) FROM (FROM found EXCEPT ALL {real})), "
            f"(SELECT count(*) FROM ({real} EXCEPT ALL FROM found))"
        )
        row = connection.execute(query).fetchone()
        assert row is not None
        rows, surplus, lacking = row
        return rows, surplus + lacking


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("reference", sorted(BY_REFERENCE))
def test_it_gives_the_reference_row_for_row(
    reference: str, convention: Convention, hospitals: Store
) -> None:
    """Under every convention, from the relations that strict drops leave a standard task."""
    task = BY_REFERENCE[reference]
    rows, differ = differences(hospitals, DATASETS[task.site], task, convention)
    assert rows > 0
    assert differ == 0


@pytest.mark.parametrize("reference", sorted(BY_REFERENCE))
def test_it_gives_the_reference_of_the_open_demo(
    reference: str, demo_store: Store, eicu_demo_store: Store
) -> None:
    """On charted data, too."""
    task = BY_REFERENCE[reference]
    store = demo_store if task.site == "mimic-iv" else eicu_demo_store
    dataset = "mimic-iv-demo" if task.site == "mimic-iv" else "eicu-demo"
    rows, differ = differences(store, dataset, task, "published")
    assert rows > 0
    assert differ == 0


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_it_is_one_skill_of_one_block(task: Task) -> None:
    """One SKILL.md by the standard's rules, whose body is one fenced block without a comment."""
    found = materials(task, "with-skill-rawsql", "native").skills
    name = skill_name(task.reference)
    assert list(found) == [f"{name}/SKILL.md"]
    text = found[f"{name}/SKILL.md"]
    require_valid_skill(text, name)
    body = re.fullmatch(r"---\n.*?\n---\n\n```sql\n(.*)\n```\n", text, re.DOTALL)
    assert body is not None
    assert "```" not in body[1]
    assert [
        token.comments for token in sqlglot.tokenize(body[1], read="duckdb") if token.comments
    ] == []
    assert len(text) < 60_000


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_it_names_what_a_standard_task_shows_and_source_tables(task: Task) -> None:
    """No hidden concept is read by name but those it makes, and no path or other schema is named."""
    text = raw_sql(task, TASKS.values(), "published")
    trees = [tree for tree in sqlglot.parse(text, dialect="duckdb") if tree is not None]
    made = {tree.this.name for tree in trees if isinstance(tree, exp.Create)}
    read = {
        (table.db, table.name) for tree in trees for table in tree.find_all(exp.Table) if table.db
    }
    assert {schema for schema, _ in read} <= {
        "mimiciv_hosp", "mimiciv_icu", "mimiciv_derived", "eicu_crd"
    }  # fmt: skip
    standard = BY_REFERENCE[task.reference].model_copy(update={"mode": "standard"})
    hidden = hidden_concepts(library(), standard, "strict")
    assert not hidden & {name for schema, name in read if schema == "mimiciv_derived"}
    assert made <= hidden | {f"{name}_concept" for name in hidden}
    assert isinstance(trees[-1], exp.Query)
    assert not re.search(
        r"/(?:home|root|work|tmp)\b|\.parquet|honeytoken|watermark|references", text
    )


def test_one_text_serves_standard_and_raw() -> None:
    """Tasks of one reference are given the same code, and references differ in theirs."""
    texts: dict[str, set[str]] = {}
    for task in TASKS.values():
        texts.setdefault(task.reference, set()).add(raw_sql(task, TASKS.values(), "published"))
    assert [len(found) for found in texts.values()] == [1] * len(texts)
    assert len(set().union(*texts.values())) == len(texts)


def test_conventions_change_the_code() -> None:
    """What is given is the run's own convention, not the published one under another name."""
    task = TASKS["mimic-sofa-24h"]
    published, adjudicated = (
        raw_sql(task, TASKS.values(), name) for name in ("published", "adjudicated")
    )
    assert published != adjudicated
