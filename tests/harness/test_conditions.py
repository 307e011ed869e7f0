# SPDX-License-Identifier: MIT
"""The conditions through the harness: what stands in a work folder, what an agent sees, what no agent can reach."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from m4bench.cli.tasks import app
from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital
from m4bench.harness.agents.empty import EmptyAgent
from m4bench.harness.environment import RunEnvironment
from m4bench.harness.preparation import Prepared, RunRequest, prepare
from m4bench.harness.run import run
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.workspace.workspace import build_workspace
from m4bench.model.run import RunRecord
from m4bench.model.task import Task
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import SUITE_ROOT, library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.derivation.tasks.cards import CONDITIONS, TASKS_ROOT, card, load_tasks
from m4bench.suites.derivation.tasks.raw_sql import raw_sql
from tests.suites.derivation.tasks.test_materials import SAME_INSTRUCTION, expected_skills

ROOT = Path(__file__).parents[2]
TASKS = load_tasks()
TASK = TASKS["mimic-sepsis3-raw"]
HOSPITALS = {"mimic-iv": "synthetic", "eicu": "synthetic-eicu"}
FOLDERS = (".agents/skills", ".claude/skills")
LOOK_AROUND = Path(__file__).with_name("look_around.py")
LEAST_LETTERS = 50
LINES_OF_A_FILE = 60
LARGEST_READ_OF_SYSTEM = 1 << 18


@pytest.fixture(scope="module")
def hospitals(tmp_path_factory: pytest.TempPathFactory, bubblewrap: BubblewrapSandbox) -> Store:
    """A store with an invented hospital of each site, ready for every task."""
    store = Store(tmp_path_factory.mktemp("hospitals") / "store")
    for site, name in (("mimic", "synthetic"), ("eicu", "synthetic-eicu")):
        store_hospital(store, stays=20, seed=1, site=site)
        dataset = store.dataset(name)
        if site == "mimic":
            build_concepts(library(), dataset)
        stage = open_stage(dataset, "published")
        tasks = [task for task in TASKS.values() if task.site == stage.source.site]
        build_references(library(), dataset, sorted({task.reference for task in tasks}))
        for task in tasks:
            build_database(library(), stage, task, schema="native", drops="strict")
    return store


def request(store: Store, results: Path, task: Task, condition: str, **more: Any) -> RunRequest:
    """A run of a task under a condition, by the agent that does nothing unless said."""
    return RunRequest(
        **{
            "results": results,
            "store": store,
            "dataset": HOSPITALS[task.site],
            "task": task.name,
            "condition": condition,
            "agent": "empty",
            **more,
        }
    )


def work_folder(prepared: Prepared, folder: Path) -> dict[str, tuple[bytes, bool]]:
    """Content and executability of the work folder's files, but for the database, as the harness gathers them."""
    folder.mkdir(parents=True)
    instruction = folder / "instruction.md"
    instruction.write_text(prepared.staging.instruction, encoding="utf-8")
    workspace = build_workspace(
        prepared.staging, instruction, prepared.task.deliverable, prepared.given, folder / "given"
    )
    assert workspace.bytes <= 2_000_000
    return {
        name: (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for name, path in workspace.files.items()
        if name != "database.duckdb"
    }


def shown(task: Task, condition: str) -> dict[str, Any]:
    """What `m4bench tasks show --json` prints."""
    command = ["show", task.name, "--condition", condition, "--json"]
    told: dict[str, Any] = json.loads(CliRunner().invoke(app, command).stdout)
    return told


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_work_folder_holds_exactly_what_its_condition_gives(
    task: Task, hospitals: Store, tmp_path: Path
) -> None:
    """Under each condition the folder has the files of the table, in both folders of skills, and no other."""
    instructions: dict[str, bytes] = {}
    digests: set[str] = set()
    for condition in CONDITIONS:
        prepared = prepare(request(hospitals, tmp_path, task, condition))
        assert prepared.staging.files.keys() == {"database.duckdb"}
        found = work_folder(prepared, tmp_path / condition)
        skills = expected_skills(task, condition)
        programs = {"check"} if condition.endswith("checks") else set()
        placed = {f"{folder}/{name}" for folder in FOLDERS for name in skills}
        assert set(found) == {"instruction.md"} | placed | programs
        assert {name for name, (_, executable) in found.items() if executable} == programs
        for name in skills:
            assert found[f"{FOLDERS[0]}/{name}"] == found[f"{FOLDERS[1]}/{name}"]
        instructions[condition] = found["instruction.md"][0]
        digests.add(str(prepared.identity.materials))
    assert len({instructions[condition] for condition in SAME_INSTRUCTION}) == 1
    assert len(set(instructions.values())) == 3
    assert len(digests) == len(CONDITIONS)


def test_an_edited_skill_is_another_run(
    hospitals: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The identity covers every text that is given; a text another condition gives changes nothing."""

    def digest(condition: str) -> str:
        return prepare(request(hospitals, tmp_path, TASK, condition)).digest

    before = {condition: digest(condition) for condition in CONDITIONS}
    edited = TASKS_ROOT / TASK.family / "skills" / TASK.skills[0] / "SKILL.md"
    read = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: read(path) + (b"\nMore.\n" if path == edited else b"")
    )
    changed = {condition for condition in CONDITIONS if digest(condition) != before[condition]}
    assert changed == {"with-skill", "with-skill-all", "with-skill+checks"}


def test_an_adapter_narrows_where_skills_are_put(
    hospitals: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that looks into one folder of its own gets its skills there alone, and that is another run."""
    asked = request(hospitals, tmp_path, TASK, "with-skill")
    both = prepare(asked)
    monkeypatch.setattr(EmptyAgent, "skill_folders", (".codex/skills",))
    narrowed = prepare(asked)
    assert {name.rpartition("/skills/")[0] for name in narrowed.given} == {".codex"}
    assert {name.rpartition("/skills/")[0] for name in both.given} == {".agents", ".claude"}
    assert narrowed.digest != both.digest
    monkeypatch.delattr(EmptyAgent, "skill_folders")
    assert prepare(asked).given == both.given


def distinctive(texts: Iterable[str], common: str) -> list[str]:
    """Long lines of texts, some of each, that stand in no instruction."""
    found: dict[str, None] = {}
    for text in texts:
        lines = [line.strip() for line in text.splitlines()]
        own = [line for line in lines if len(line) >= LEAST_LETTERS and line not in common]
        step = max(1, len(own) // LINES_OF_A_FILE)
        found |= dict.fromkeys(own[::step])
    return list(found)


@pytest.fixture(scope="module")
def secrets() -> dict[str, list[str]]:
    """Distinctive lines of all that some agent must not see, by kind."""
    tasks = list(TASKS.values())
    common = "\n".join(card(task) for task in tasks)
    sql = [
        path.read_text()
        for path in [*SUITE_ROOT.glob("references/*.sql"), *SUITE_ROOT.glob("concepts/*/*.sql")]
    ]
    generated = {raw_sql(task, tasks, "published") for task in tasks}
    kinds = {
        "derivations": [*sql, *sorted(generated)],
        "skills": [path.read_text() for path in TASKS_ROOT.glob("*/skills/*/SKILL.md")],
        "rules": [path.read_text() for path in TASKS_ROOT.rglob("operational-spec.md")],
        "provenance": [path.read_text() for path in TASKS_ROOT.rglob("PROVENANCE.yaml")],
        "naive queries": [path.read_text() for path in TASKS_ROOT.rglob("naive.sql")],
    }
    found = {kind: distinctive(texts, common) for kind, texts in kinds.items()}
    assert all(len(lines) > 30 for lines in found.values()), {k: len(v) for k, v in found.items()}
    return found


def look_around(
    folder: Path, secrets: dict[str, list[str]], *, system: int, skipped: tuple[str, ...] = ()
) -> Path:
    """Write the hostile program with what it looks for, hidden from itself, and return its folder.

    `system` is the size in bytes up to which files of the host's own programs are read.
    """
    folder.mkdir()
    (folder / "main.py").write_text(LOOK_AROUND.read_text())
    lines = "\n".join(line for kind in secrets.values() for line in kind)
    sought = {
        "lines": base64.b64encode(lines.encode()).decode(),
        "skipped": skipped,
        "largest_of_system": system,
    }
    (folder / "sought.json").write_text(json.dumps(sought))
    return folder


def expected_finds(condition: str) -> set[str]:
    """Where the hostile program has to find something: in what the condition gives, so that it can find at all."""
    skills = {
        f"/task/{folder}/{name}" for folder in FOLDERS for name in expected_skills(TASK, condition)
    }
    return skills | ({"/task/instruction.md"} if condition == "operational-spec" else set())


def seen_in(results: Path, record: RunRecord) -> dict[str, Any]:
    """What the hostile program wrote."""
    folder = results / record.run_id
    assert (folder / "files" / "seen.json").is_file(), (folder / "stderr.txt").read_text()
    seen: dict[str, Any] = json.loads((folder / "files" / "seen.json").read_text())
    return seen


def require_nothing_but_the_given(seen: dict[str, Any], condition: str) -> None:
    """Hold what was seen to the table of conditions."""
    assert set(seen["found"]) == expected_finds(condition)
    assert seen["named"] == []
    assert seen["imports"] is False


@pytest.mark.sandbox
@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_agent_sees_what_tasks_show_prints_and_reaches_no_answer(
    condition: str, hospitals: Store, secrets: dict[str, list[str]], tmp_path: Path
) -> None:
    """In the real sandbox: every file given, byte for byte, and of all other conditions' texts no line anywhere."""
    full = condition == "no-skill"
    program = look_around(
        tmp_path / "program",
        secrets,
        system=LARGEST_READ_OF_SYSTEM if full else 0,
        skipped=() if full else ("/usr", "/runtime"),
    )
    results = tmp_path / "results"
    record = run(request(hospitals, results, TASK, condition, agent="command", program=program))
    assert record.outcome.state == "no-output", record.outcome
    seen = seen_in(results, record)
    told = shown(TASK, condition)
    texts = {"instruction.md": told["instruction"], **told["files"]}
    database = seen["work"].pop(told["database"])
    assert database[1] is False
    assert seen["work"] == {
        name: [hashlib.sha256(text.encode()).hexdigest(), name == "check"]
        for name, text in texts.items()
    }
    require_nothing_but_the_given(seen, condition)
    assert seen["looked_at"] > (10_000 if full else 20)
    environment = RunEnvironment.read(results / record.run_id / "environment.json")
    recorded = {"instruction.md": environment.instruction, **environment.given}
    assert recorded == {name: digest for name, (digest, _) in seen["work"].items()}
    assert record.materials is not None
    if "check" in texts:
        assert seen["checks"][0] == 1
        assert "verdict" in seen["checks"][1][0]
    else:
        assert seen["checks"] == []


def test_without_a_sandbox_the_same_files_are_given(hospitals: Store, tmp_path: Path) -> None:
    """Without isolation an agent is given what `tasks show` prints, too, and the program check can be run."""
    program = tmp_path / "look.py"
    program.write_text(
        "import hashlib, json, os\n"
        "seen = {os.path.relpath(os.path.join(f, n)): [hashlib.sha256(open(os.path.join(f, n), 'rb').read())"
        ".hexdigest(), os.access(os.path.join(f, n), os.X_OK)] for f, _, ns in os.walk('.') for n in ns}\n"
        "json.dump(seen, open('seen.json', 'w'))\n"
    )
    results = tmp_path / "results"
    asked = request(
        hospitals,
        results,
        TASK,
        "with-skill+checks",
        agent="command",
        program=program,
        sandbox="none",
    )
    seen = seen_in(results, run(asked))
    told = shown(TASK, "with-skill+checks")
    seen.pop(told["database"])
    texts = {"instruction.md": told["instruction"], **told["files"]}
    assert seen == {
        name: [hashlib.sha256(text.encode()).hexdigest(), name == "check"]
        for name, text in texts.items()
    }


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel installs it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site-packages")
    return folder / "site-packages"


def test_a_wheel_holds_what_is_to_be_hidden(installed: Path) -> None:
    """Every derivation, skill, specification, provenance and check is installed, or there would be nothing to hide."""
    package = installed / "m4bench" / "suites" / "derivation"
    patterns = (
        "references/*.sql", "concepts/*/*.sql", "tasks/*/skills/*/SKILL.md", "tasks/**/operational-spec.md",
        "tasks/**/naive.sql", "tasks/*/PROVENANCE.yaml", "tasks/**/checks.toml", "tasks/*/*/instruction.md",
    )  # fmt: skip
    for pattern in patterns:
        names = {path.relative_to(package) for path in package.glob(pattern)}
        assert names == {path.relative_to(SUITE_ROOT) for path in SUITE_ROOT.glob(pattern)}
        assert len(names) >= 15, pattern


@pytest.mark.sandbox
def test_an_installed_package_is_out_of_reach(
    installed: Path, hospitals: Store, secrets: dict[str, list[str]], tmp_path: Path
) -> None:
    """Run from an installed wheel, an agent without skills finds nothing of it either."""
    program = look_around(tmp_path / "program", secrets, system=0, skipped=("/usr", "/runtime"))
    results = tmp_path / "results"
    command = [
        "run", TASK.name, "--condition", "no-skill", "--agent", "command", "--program", str(program),
        "--dataset", "synthetic", "--store", str(hospitals.root), "--results", str(results),
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    assert done.returncode == 1, done.stderr
    (folder,) = [path for path in results.iterdir() if not path.name.startswith(".")]
    require_nothing_but_the_given(seen_in(results, RunRecord.read(folder / "run.json")), "no-skill")


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("condition", ["no-skill", "with-skill+checks"])
def test_no_file_of_the_machine_tells_an_answer(
    condition: str, hospitals: Store, secrets: dict[str, list[str]], tmp_path: Path
) -> None:
    """The same with every file of the host's own programs read whole."""
    program = look_around(tmp_path / "program", secrets, system=1 << 40)
    results = tmp_path / "results"
    record = run(request(hospitals, results, TASK, condition, agent="command", program=program))
    require_nothing_but_the_given(seen_in(results, record), condition)
