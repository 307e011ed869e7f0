# SPDX-License-Identifier: MIT
"""What 28 tasks leave to be seen: nothing of the target under strict drops, and what published ones leave."""

import csv
import json
import shutil
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from m4bench.cli.databases import app as databases
from m4bench.data.store import Store
from m4bench.model.task import DropRules, Drops, ScoringRules, Task, TaskVersion
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.engine import EngineLimits
from m4bench.suites.derivation.library.plan import Stage, open_stage
from m4bench.suites.derivation.schemas.answers import Answer, answer_of, answers
from m4bench.suites.derivation.schemas.databases import shown_files
from m4bench.suites.derivation.schemas.equal_columns import EqualColumn
from m4bench.suites.derivation.schemas.remnants import remnants
from m4bench.suites.derivation.schemas.verify import by_lineage, by_rows, is_given
from m4bench.suites.derivation.tasks.cards import load_tasks

MIMIC = sorted(answers())
EICU = ["eicu-gcs", "eicu-oasis"]


def specified(shared: Path) -> list[dict[str, str]]:
    """Return the rows of the list of tasks."""
    with (shared / "specs" / "tasks" / "tasks.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def task_of(row: dict[str, str], drops: DropRules | None = None) -> Task:
    """Return a task as the list specifies it, with the drop rules stated of its reference."""
    reference = row["reference_output"]
    values = tuple(row["value_columns"].split())
    return Task(
        name=row["task"],
        suite="derivation",
        family=row["family"],
        title=row["task"],
        mode="raw" if row["mode"] == "raw" else "standard",
        site="mimic-iv" if row["database"].startswith("MIMIC") else "eicu",
        difficulty=row["difficulty"],
        grain=row["key_grain"],
        reference=reference,
        version=TaskVersion(scoring=1, interface=1),
        drops=drops or answers().get(reference, Answer()).drops(),
        scoring=ScoringRules(
            key=tuple(row["key_columns"].split()),
            values=values,
            scored=(*values, *row["additional_scored_columns"].split()),
            required=tuple(row["required_columns"].split()),
            row_coverage=1.0,
            accuracy=1.0,
        ),
    )


def tasks_of(shared: Path, reference: str) -> list[Task]:
    """Return the tasks that ask for a reference."""
    return [task_of(row) for row in specified(shared) if row["reference_output"] == reference]


def findings(stage: Stage, task: Task) -> set[str]:
    """Return what strict drops leave of a target, by lineage and by rows."""
    files, _ = shown_files(library(), stage, task, "strict")
    by_descent = by_lineage(library(), task, "strict", files)
    equal = by_rows(library(), stage, task, files, EngineLimits())
    return {f"{f.relation}.{f.column}" for f in by_descent} | {m.as_given() for m in equal}


def test_every_listed_task_has_its_answer_stated(shared: Path) -> None:
    """28 tasks ask for 17 references; of the 15 on MIMIC-IV the answer and the published list are stated."""
    rows = specified(shared)
    assert len(rows) == 28
    assert sorted({row["reference_output"] for row in rows}) == sorted([*MIMIC, *EICU])
    for row in rows:
        if row["mode"] == "standard":
            stated = answers()[row["reference_output"]].published
            assert set(stated) == set(row["derived_tables_dropped"].split()), row["task"]
    for answer in answers().values():
        named = {*answer.target, *answer.carriers, *answer.published}
        assert named <= set(library().concepts)


def test_tasks_that_exist_agree_with_what_is_stated() -> None:
    """The definition of a task and the answer stated of its reference name the same concepts and inputs."""
    for task in load_tasks().values():
        stated = answers().get(task.reference)
        if stated is None:
            assert task.site == "eicu", task.name
            continue
        assert set(task.drops.target) == set(stated.target), task.name
        assert set(task.drops.carriers) == set(stated.carriers), task.name
        assert set(task.drops.given) <= set(stated.given), task.name


def test_a_task_whose_reference_is_not_stated_has_its_own_rules() -> None:
    """What a task declares stands alone where nothing is stated of its reference."""
    drops = DropRules(target=("summed",), given=("toy_icu.stays.hint = value",))
    task = next(iter(load_tasks().values()))
    own = answer_of(task.model_copy(update={"reference": "answer", "drops": drops}))
    assert own == Answer(target=("summed",), given=("toy_icu.stays.hint = value",))


LEFT = {
    "mimic-creatinine-baseline": {"charlson"},
    "mimic-sofa-24h": {"sepsis3"},
    "mimic-urine-output-rate": {"sofa", "sepsis3"},
    "mimic-ventilation": {"apsiii", "first_day_sofa", "lods", "oasis", "sapsii", "sofa", "sepsis3"},
}


@pytest.mark.parametrize("reference", MIMIC)
def test_strict_drops_leave_nothing_and_what_published_ones_leave_is_listed(
    reference: str, demo_store: Store, shared: Path
) -> None:
    """On the open demo, in either mode, no relation shown under strict drops holds the target.

    Under published drops what descends from the target or equals it is listed. Those show all that strict ones
    show and more, so that rows are compared once for all tasks of a reference.
    """
    stage = open_stage(demo_store.dataset("mimic-iv-demo"), "published")
    tasks = tasks_of(shared, reference)
    shown = {
        (task.name, drops): shown_files(library(), stage, task, drops)[0]
        for task in tasks
        for drops in get_args(Drops)
    }
    most = max(shown.values(), key=len)
    equal = by_rows(library(), stage, tasks[0], most, EngineLimits())
    for task in tasks:
        strict, published = shown[task.name, "strict"], shown[task.name, "published"]
        assert set(strict) <= set(published) <= set(most)
        assert by_lineage(library(), task, "strict", strict) == []
        assert [match for match in equal if match.relation in strict] == []
        left = remnants(library(), task, published, equal)
        relations = {remnant.relation.removeprefix("mimiciv_derived.") for remnant in left}
        assert relations == (LEFT.get(task.name, set()) if task.mode == "standard" else set())
        assert all(remnant.stated or remnant.lineage or remnant.equal for remnant in left)


@pytest.mark.parametrize("reference", [name for name in MIMIC if answers()[name].given])
def test_inputs_and_their_copies_are_no_findings_on_other_rows(
    reference: str, conformance_store: Store, shared: Path
) -> None:
    """On the invented patients, of whom nearly all admissions have a stay, age and sex stand in more concepts.

    They are copies of what is given, and nothing is found under strict drops there either.
    """
    stage = open_stage(conformance_store.dataset("synthetic"), "published")
    for task in tasks_of(shared, reference):
        assert findings(stage, task) == set(), task.name


def test_a_copy_of_an_input_is_the_input() -> None:
    """A concept's column that carries a given one is given, for the scored column it is given for."""
    given = answers()["creatinine-baseline"].given
    copy = EqualColumn(
        relation="mimiciv_derived.oasis", column="age", target="age", how="row by row", agreement=1.0, rows=9
    )  # fmt: skip
    assert is_given(library(), given, copy)
    assert not is_given(library(), given, copy.model_copy(update={"target": "scr_min"}))
    assert not is_given(library(), given, copy.model_copy(update={"column": "age_score"}))


@pytest.mark.parametrize("reference", EICU)
def test_on_eicu_there_is_nothing_to_drop(
    reference: str, eicu_conformance_store: Store, shared: Path
) -> None:
    """eICU has no derived relation; a task shows source tables alone, and none holds a scored column."""
    stage = open_stage(eicu_conformance_store.dataset("synthetic-eicu"), "published")
    for task in tasks_of(shared, reference):
        assert task.mode == "raw"
        files, _ = shown_files(library(), stage, task, "strict")
        assert {relation.split(".")[0] for relation in files} == {"eicu_crd"}
        assert findings(stage, task) == set(), task.name


@pytest.mark.parametrize(
    ("name", "without", "found"),
    [
        (
            "mimic-creatinine-baseline",
            {"carriers": ()},
            {"mimiciv_derived.charlson.renal_disease = ckd"},
        ),
        (
            "mimic-meld-24h",
            {"target": ()},
            {"mimiciv_derived.meld.meld", "mimiciv_derived.meld.meld = meld"},
        ),
        (
            "mimic-suspicion-infection",
            {"target": ("sepsis3",)},
            {"mimiciv_derived.suspicion_of_infection.suspected_infection = suspected_infection"},
        ),
    ],
)
def test_what_is_not_stated_is_found(
    name: str, without: dict[str, tuple[str, ...]], found: set[str], demo_store: Store, shared: Path
) -> None:
    """Each way of finding finds: a carrier by its rows, a target by its rows and by what is carried from it."""
    stage = open_stage(demo_store.dataset("mimic-iv-demo"), "published")
    row = next(row for row in specified(shared) if row["task"] == name)
    stated = answers()[row["reference_output"]].drops()
    assert findings(stage, task_of(row, stated.model_copy(update=without))) >= found


def test_a_remnant_is_told_by_names_and_shares(shared: Path) -> None:
    """Sepsis-3 carries the hourly SOFA components; a column that equals a scored one is named with its share."""
    (task,) = [task for task in tasks_of(shared, "sofa-24h") if task.mode == "standard"]
    shown = ["mimiciv_derived.sepsis3", "mimiciv_derived.first_day_sofa", "mimiciv_derived.age"]
    match = EqualColumn(
        relation="mimiciv_derived.age", column="a", target="cns", how="row by row", agreement=0.9874, rows=140
    )  # fmt: skip
    told = [remnant.told() for remnant in remnants(library(), task, shown, [match])]
    assert told[0] == "mimiciv_derived.age a equals cns on 98.7% of rows row by row"
    assert told[1] == "mimiciv_derived.first_day_sofa is stated as a target"
    assert told[2].startswith(
        "mimiciv_derived.sepsis3 carries the target's cardiovascular, cns, coagulation, liver, "
    )


@pytest.mark.sandbox
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_the_command_lists_what_published_drops_leave_and_does_not_fail(
    conformance_store: Store,
) -> None:
    """`databases verify --drops published` ends with 0, and names relations, columns and ways."""
    where = ["--drops", "published", "--store", str(conformance_store.root)]
    task = "mimic-sofa-24h"
    built = CliRunner().invoke(databases, ["build", "synthetic", task, *where])
    assert built.exit_code == 0, built.output
    verified = CliRunner().invoke(databases, ["verify", "synthetic", task, *where])
    assert verified.exit_code == 0, verified.output
    assert (
        f"{task}: mimiciv_derived.sepsis3 carries the target's cardiovascular," in verified.stdout
    )
    assert "1 database, 0 findings" in verified.stdout
    told = json.loads(
        CliRunner().invoke(databases, ["verify", "synthetic", *where, "--json"]).stdout
    )
    (left,) = told["left"]
    assert (left["relation"], left["lineage"]["cns"]) == ("mimiciv_derived.sepsis3", "carries")
