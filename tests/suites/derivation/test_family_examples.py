# SPDX-License-Identifier: MIT
"""The worked examples on the families' pages: from invented source rows through the whole lineage to the answer."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks
from tests.suites.derivation.conformance import built_rows, compare, csv_rows
from tests.suites.derivation.test_examples import FIELDS, _normal, given_file

PAGES = Path(__file__).parents[3] / "docs" / "families"


def _examples() -> list[Any]:
    found = []
    for path in sorted((PAGES / "examples").glob("*.yaml")):
        for example in yaml.safe_load(path.read_text(encoding="utf-8")):
            for convention in FIELDS:
                label = f"{path.stem}-{example['title']}-{convention}"
                found.append(pytest.param(example, convention, id=label))
    return found


@pytest.mark.parametrize(("example", "convention"), _examples())
def test_a_page_tells_what_the_derivations_give(
    example: dict[str, Any], convention: Convention, tmp_path: Path
) -> None:
    """Source rows on a page, nothing else in the hospital: the whole lineage yields the answer the page shows.

    An answer that is not stated of a convention is the published one.
    """
    known = library(convention)
    reference = known.references[example["reference"]]
    sources = known.sources_of(reference)
    given = example["given"]
    assert set(given) <= sources, f"nothing reads {set(given) - sources}"
    relations = {
        name: given_file(tmp_path, name, convention, given.get(name, "")) for name in sources
    }
    for concept in (known.concepts[name] for name in known.order(reference.concepts)):
        relations[concept.relation] = tmp_path / f"{concept.name}.parquet"
        with engine(EngineLimits(threads=1), tmp_path) as connection:
            inputs = {name: relations[name] for name in concept.inputs}
            execute(connection, concept, inputs, relations[concept.relation])
    with engine(EngineLimits(threads=1), tmp_path) as connection:
        inputs = {name: relations[name] for name in reference.inputs}
        execute(connection, reference, inputs, tmp_path / "answer.parquet")
    expect = example.get(FIELDS[convention], example["expect"])
    header = expect.strip("\n").splitlines()[0].split(",")
    types = {c.name: c.type for c in reference.header.columns if c.name in header}
    assert list(types) == [c.name for c in reference.header.columns if c.name in header]
    assert set(header) == set(types)
    found = [{n: row[n] for n in types} for row in built_rows(tmp_path / "answer.parquet")]
    compared = compare(
        [_normal(row, types) for row in found],
        [_normal(row, types) for row in csv_rows(expect)],
        types,
    )
    assert compared.differences == []


def test_every_family_has_a_worked_example() -> None:
    """No family's page goes without one."""
    families = {task.family for task in load_tasks(TASKS_ROOT).values()}
    assert {path.stem for path in (PAGES / "examples").glob("*.yaml")} == families
