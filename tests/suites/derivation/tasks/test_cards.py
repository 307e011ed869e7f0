# SPDX-License-Identifier: MIT
"""Task folders: what they say equals the specification, and what cannot be read is refused by field."""

import csv
import re
import shutil
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.model.task import DropRules, ScoringRules, Task, TaskVersion
from m4bench.suites.derivation.tasks.cards import (
    CONDITIONS,
    SCHEMAS,
    TASKS_ROOT,
    card,
    instruction,
    load_tasks,
    read_task,
    task_folder,
)

TASKS = load_tasks()
ANY_TASK = TASKS["mimic-sofa-24h"]


def _specified(shared: Path) -> dict[str, dict[str, str]]:
    with (shared / "specs/tasks/tasks.csv").open(encoding="utf-8", newline="") as stream:
        return {row["task"]: row for row in csv.DictReader(stream)}


def _tolerances(text: str) -> dict[str, float]:
    if text == "exact":
        return {}
    return {column: float(value) for column, value in (part.split("=") for part in text.split())}


def _copied(tmp_path: Path, task: Task) -> Path:
    shutil.copytree(TASKS_ROOT / task.family, tmp_path / task.family)
    return task_folder(task, tmp_path)


def _edited(folder: Path, old: str, new: str) -> None:
    definition = folder / "task.toml"
    text = definition.read_text(encoding="utf-8")
    assert old in text
    definition.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_field_equals_the_row_of_the_task_table(name: str, shared: Path) -> None:
    """A task's fields are those of its row in the specification, columns in the stated order."""
    row, task = _specified(shared)[name], TASKS[name]
    rules = task.scoring
    dropped = row["derived_tables_dropped"].removeprefix("all of mimiciv_derived; listed: ")
    listed = [] if dropped == "none (no derived schema)" else dropped.split()
    stated = {
        "family": row["family"],
        "mode": row["mode"],
        "difficulty": row["difficulty"],
        "reference": row["reference_output"],
        "grain": row["key_grain"],
        "key": row["key_columns"].split(),
        "values": row["value_columns"].split(),
        "required": row["required_columns"].split(),
        "scored": [*row["value_columns"].split(), *row["additional_scored_columns"].split()],
        "tolerances": _tolerances(row["tolerances"]),
        "row_coverage": float(row["row_coverage_threshold"]),
        "accuracy": float(row["accuracy_threshold"]),
        "published drops": listed,
        "skills": row["targeted_skills"].split(),
        "decoy": row["decoy_skill"],
        "site": {"MIMIC-IV v3.1": "mimic-iv", "eICU-CRD v2.0": "eicu"}[row["database"]],
    }
    found = {
        "family": task.family,
        "mode": task.mode,
        "difficulty": task.difficulty,
        "reference": task.reference,
        "grain": task.grain,
        "key": list(rules.key),
        "values": list(rules.values),
        "required": list(rules.required),
        "scored": list(rules.scored),
        "tolerances": rules.tolerances,
        "row_coverage": rules.row_coverage,
        "accuracy": rules.accuracy,
        "published drops": list(task.drops.published),
        "skills": list(task.skills),
        "decoy": task.decoy,
        "site": task.site,
    }
    assert found == stated
    assert len(rules.scored) == int(row["n_scored_columns"])


def test_the_tasks_of_the_specification_are_all_there(shared: Path) -> None:
    """Fifteen families with twenty-eight tasks are found by walking, in the order of their names."""
    assert list(TASKS) == sorted(_specified(shared))
    assert len(TASKS) == 28
    assert len({task.family for task in TASKS.values()}) == 15


@pytest.mark.parametrize(
    ("family", "target", "carriers"),
    [
        ("sofa", {"sofa", "first_day_sofa"}, set()),
        ("urine-output-rate", {"urine_output_rate"}, {"kdigo_uo"}),
        ("meld", {"meld"}, set()),
        ("gcs", {"gcs", "first_day_gcs"}, set()),
        ("charlson", {"charlson"}, set()),
        ("apsiii", {"apsiii"}, set()),
        ("creatinine-baseline", {"creatinine_baseline"}, {"charlson"}),
        ("kdigo", {"kdigo_stages"}, set()),
        ("oasis", {"oasis"}, set()),
        ("sapsii", {"sapsii"}, set()),
        ("sepsis3", {"sepsis3"}, set()),
        ("sirs", {"sirs"}, set()),
        ("suspicion-infection", {"suspicion_of_infection"}, set()),
        ("vasopressor-equivalents", {"norepinephrine_equivalent_dose"}, set()),
        ("ventilation", {"ventilation"}, set()),
    ],
)
def test_strict_drops_name_the_answer_and_what_carries_it(
    family: str, target: set[str], carriers: set[str]
) -> None:
    """Both modes of a family drop the same targets and carriers; eICU has nothing derived to drop."""
    own = [task for task in TASKS.values() if task.family == family]
    drops = [task.drops for task in own if task.site == "mimic-iv"]
    assert all(task.drops == DropRules(target=()) for task in own if task.site == "eicu")
    assert [(set(rule.target), set(rule.carriers)) for rule in drops] == [(target, carriers)] * len(
        drops
    )


def test_a_new_folder_is_a_new_task(tmp_path: Path) -> None:
    """A family copied under new names is found with nothing else edited."""
    folder = tmp_path / "lactate" / "mimic-lactate-24h"
    shutil.copytree(task_folder(ANY_TASK), folder)
    _edited(folder, 'name = "mimic-sofa-24h"', 'name = "mimic-lactate-24h"')
    _edited(folder, 'family = "sofa"', 'family = "lactate"')
    found = load_tasks(tmp_path)
    assert list(found) == ["mimic-lactate-24h"]
    assert "SOFA" in instruction(found["mimic-lactate-24h"], "no-skill", "native", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('mode = "standard"', 'mode = "easy"', "mode"),
        ('title = "SOFA on the first ICU day"\n', "", "title"),
        ('grain = "stay"', 'grain = "stay"\nsurplus = 1', "surplus"),
        ("row_coverage = 1.0", 'row_coverage = "all"', "scoring.row_coverage"),
        ('key = ["stay_id"]', 'key = ["stay_id", 7]', "scoring.key.1"),
        ("interface = 1", 'interface = "one"', "version.interface"),
        ('target = ["first_day_sofa", "sofa"]\n', "", "drops.target"),
        ('family = "sofa"', 'family = "meld"', "family"),
        ('name = "mimic-sofa-24h"', 'name = "mimic-sofa"', "name"),
        ('name = "mimic-sofa-24h"', 'name = "mimic-sofa-24h"\nsuite = "portals"', "suite"),
    ],
)
def test_a_definition_that_does_not_fit_names_file_and_field(
    tmp_path: Path, old: str, new: str, field: str
) -> None:
    """An unknown, missing, mistyped or contradictory field is refused with its file and its name."""
    folder = _copied(tmp_path, ANY_TASK)
    _edited(folder, old, new)
    with pytest.raises(InputError) as refused:
        read_task(folder)
    assert refused.value.file == folder / "task.toml"
    assert refused.value.column == field


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"name = ", "is not TOML"),
        (b'title = "\xff"', "is not UTF-8"),
        (None, "cannot be read"),
    ],
)
def test_a_definition_that_is_no_toml_is_refused(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    """A missing, garbled or wrongly encoded definition is one clear error."""
    folder = _copied(tmp_path, ANY_TASK)
    if content is None:
        (folder / "task.toml").unlink()
    else:
        (folder / "task.toml").write_bytes(content)
    with pytest.raises(InputError, match=problem) as refused:
        read_task(folder)
    assert refused.value.file == folder / "task.toml"


def test_a_name_taken_by_two_families_is_refused(tmp_path: Path) -> None:
    """Task names are unique across families."""
    _copied(tmp_path, ANY_TASK)
    twin = tmp_path / "another" / ANY_TASK.name
    shutil.copytree(task_folder(ANY_TASK), twin)
    _edited(twin, 'family = "sofa"', 'family = "another"')
    with pytest.raises(InputError, match="taken by another folder"):
        load_tasks(tmp_path)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_an_instruction_holds_notes_and_card_in_order(task: Task) -> None:
    """Isolation, convention and environment come before the card, which is given word for word."""
    text = instruction(task, "no-skill", "native")
    marks = [
        "## Isolation",
        "## Convention",
        "## Environment",
        "database.duckdb",
        card(task).strip(),
    ]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "`./output.csv`" in text
    assert re.search(r"[{}]", text) is None


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_an_instruction_says_whether_derived_tables_remain(task: Task) -> None:
    """A raw task says that no derived table is there; a standard one that the target was removed."""
    text = instruction(task, "no-skill", "native")
    assert ("no derived table" in text) == (task.mode == "raw")
    assert ("has been removed" in text) == (task.mode == "standard")


@pytest.mark.parametrize("schema", [name for name in SCHEMAS if name != "native"])
def test_a_schema_of_a_later_version_is_refused_by_name(schema: str) -> None:
    """The other schemas are known, and not available yet."""
    with pytest.raises(InputError, match=f"schema {schema} is not available yet"):
        instruction(ANY_TASK, "no-skill", schema)


@pytest.mark.parametrize(
    ("condition", "schema", "known"),
    [("skilful", "native", CONDITIONS), ("no-skill", "foreign", SCHEMAS)],
)
def test_an_unknown_choice_lists_the_known_ones(
    condition: str, schema: str, known: tuple[str, ...]
) -> None:
    """A condition or schema that does not exist is refused with all that do."""
    with pytest.raises(InputError) as refused:
        instruction(ANY_TASK, condition, schema)
    assert all(name in str(refused.value) for name in known)


def test_the_reference_page_tells_the_tasks_and_fields_of_this_version() -> None:
    """The documented tables hold every task with its thresholds, and every field of a definition."""
    page = (Path(__file__).parents[4] / "docs/reference/tasks.md").read_text(encoding="utf-8")
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in page.splitlines()]
    documented = {row[0]: row for row in rows if row[0] in TASKS}
    assert {
        name: (row[1], row[2], int(row[4]), float(row[5]), float(row[6]))
        for name, row in documented.items()
    } == {
        task.name: (
            task.mode,
            task.difficulty,
            len(task.scoring.scored),
            task.scoring.row_coverage,
            task.scoring.accuracy,
        )
        for task in TASKS.values()
    }
    nested = {"version": TaskVersion, "drops": DropRules, "scoring": ScoringRules}
    fields = {name for name in Task.model_fields if name not in {*nested, "suite", "deliverable"}}
    fields |= {
        f"{table}.{name}" for table, record in nested.items() for name in record.model_fields
    }
    assert fields <= {row[0] for row in rows}
