# SPDX-License-Identifier: MIT
"""What the doctor finds on machines and in stores as they are: with something missing, broken, full or closed."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from m4bench.data.store import Store
from m4bench.doors.doctor import examine
from m4bench.doors.doctor.datasets import datasets
from m4bench.doors.doctor.finding import Diagnosis, Finding
from m4bench.doors.doctor.machine import FEATURES, file_system, memory_bytes
from m4bench.doors.doctor.packages import fault_of, locked_versions, wanted
from m4bench.harness.sandbox import readiness
from m4bench.harness.sandbox.runtime import ensure_runtime, standing_runtime
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks

from .conftest import Finished

UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")
SECRET = "not-to-be-shown-5f2c"
GROUPS = [
    "software",
    "isolation",
    "machine",
    "disk",
    "datasets",
    "agents",
    "models",
    "data use",
]


def doctor(
    store: Path, *before: str, code: int = 0, **environment: str
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Ask the doctor in a process of its own; return the findings by name and the whole."""
    done = subprocess.run(
        [*before, sys.executable, "-m", "m4bench.cli.main", "doctor", "--json", "--store", store],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENAI_API_KEY": SECRET, **environment},
    )
    assert done.returncode == code, done.stderr
    assert SECRET not in done.stdout + done.stderr
    told = json.loads(done.stdout)
    return {finding["name"]: finding for finding in told["findings"]}, told


def test_a_machine_as_it_is(tmp_path: Path) -> None:
    """Each group is looked at; what runs these tests is ready; nothing is made where the store would be."""
    found, told = doctor(tmp_path / "store")
    assert list(dict.fromkeys(finding["group"] for finding in told["findings"])) == GROUPS
    assert told["ready"]
    for name in ("Python", "packages", "DuckDB", "suites, agents", "store"):
        assert found[name]["state"] == "ready", found[name]
    assert found["none yet"]["remedy"].startswith("m4bench data synth")
    assert all(f["remedy"] for f in found.values() if f["state"] != "ready")
    assert list(tmp_path.iterdir()) == []


def test_without_bubblewrap_the_job_can_be_done_unpublished(tmp_path: Path) -> None:
    """No bwrap on the path: optional, with what it takes and how to get it; programs likewise."""
    found, told = doctor(tmp_path, PATH=str(tmp_path / "nothing"))
    assert (told["ready"], told["publishable"]) == (True, False)
    assert found["bubblewrap"]["state"] == "optional"
    assert "not publishable" in found["bubblewrap"]["meaning"]
    assert found["bubblewrap"]["remedy"] == "apt-get install bubblewrap"
    assert {found[name]["state"] for name in ("containers", "Chromium")} == {"optional"}


def test_a_bubblewrap_that_does_not_work_says_why(tmp_path: Path) -> None:
    """One that is there and is refused its namespaces is told with its own words."""
    program = tmp_path / "bwrap"
    program.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    found, told = doctor(tmp_path / "store", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert not told["publishable"]
    assert found["bubblewrap"]["found"] == "bwrap: No permissions to create new namespace"
    assert found["bubblewrap"]["remedy"]


@pytest.mark.parametrize("where", ["below a file", "a file", "where nothing can be made"])
def test_a_store_that_cannot_be_is_needed(where: str, tmp_path: Path) -> None:
    """Without a place for the store nothing can be done: exit 1, with what to do."""
    (tmp_path / "file").touch()
    places = {"below a file": tmp_path / "file" / "store", "a file": tmp_path / "file"}
    found, told = doctor(places.get(where, Path("/proc/store")), code=1)
    assert not told["ready"]
    assert found["store"]["state"] == "needed"
    assert "--store" in found["store"]["remedy"]


def mounted(place: Path, how: str) -> tuple[str, ...]:
    """Return the beginning of a command that runs where a folder is mounted otherwise."""
    unavailable = shutil.which("unshare") is None
    if unavailable or subprocess.run([*UNSHARE, "true"], check=False).returncode:
        pytest.skip("needs a mount namespace of its own")
    return (*UNSHARE, "sh", "-c", f'{how} && exec "$@"', str(place))


def test_a_full_store_is_needed(tmp_path: Path) -> None:
    """A disk of 20 MiB is too little, and how little is told."""
    found, _ = doctor(tmp_path, *mounted(tmp_path, 'mount -t tmpfs -o size=20m none "$0"'), code=1)
    assert found["room in the store"]["state"] == "needed"
    assert found["room in the store"]["facts"]["free"] <= 20 << 20
    assert found["room for results"]["facts"]["path"] == str(Path.cwd())


@pytest.mark.sandbox
def test_a_store_that_is_only_read_serves_what_it_holds(copy: Path) -> None:
    """A read-only store with a dataset ready to be run is enough for the main job."""
    read_only = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
    found, told = doctor(copy, *mounted(copy, read_only))
    assert told["ready"]
    assert (found["store"]["state"], found["synthetic"]["state"]) == ("optional", "ready")
    assert "Read-only" in found["store"]["found"]


@pytest.fixture
def copy(finished: Finished, tmp_path: Path) -> Path:
    """A store with a hospital of which everything is built, to be spoiled; a demo makes one database a family."""
    folder = Path(shutil.copytree(finished.out / "store", tmp_path / "store"))
    stage = open_stage(Store(folder).dataset("synthetic"), "published")
    for task in load_tasks(TASKS_ROOT).values():
        if task.site == "mimic-iv":
            build_database(library(), stage, task, schema="native", drops="strict")
    return folder


def hospital(store: Path) -> Finding:
    """Return what is found of the hospital."""
    return next(finding for finding in datasets(Store(store)) if finding.name == "synthetic")


@pytest.mark.sandbox
def test_a_dataset_that_is_built_is_ready(copy: Path) -> None:
    """Everything current: access, rows and counts are told, and no command is needed."""
    found = hospital(copy)
    assert (found.state, found.remedy) == ("ready", None)
    assert found.facts["access"] == "synthetic"
    for step in ("concepts", "references", "databases"):
        counts = found.facts[step]
        assert counts["current"] > 0
        assert (counts["stale"], counts["missing"]) == (0, 0)


def _without_references(store: Path) -> None:
    shutil.rmtree(store / ".references" / "synthetic" / "published")


def _without_one_concept(store: Path) -> None:
    path = store / "synthetic" / "derived" / "published" / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["entries"]["age"]
    path.write_text(json.dumps(manifest))


def _with_other_patients(store: Path) -> None:
    path = store / "synthetic" / "source" / "manifest.json"
    manifest = json.loads(path.read_text())
    for table in manifest["tables"]:
        table["sha256"] = "0" * 64
    path.write_text(json.dumps(manifest))


def _without_databases(store: Path) -> None:
    shutil.rmtree(store / "synthetic" / "databases")


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("spoil", "step", "state", "remedy"),
    [
        (_without_one_concept, "concepts", "missing", "m4bench concepts build synthetic"),
        (_with_other_patients, "concepts", "stale", "m4bench concepts build synthetic"),
        (_without_references, "references", "missing", "m4bench references build synthetic"),
        (_without_databases, "databases", "missing", "m4bench databases build synthetic"),
    ],
)
def test_a_dataset_on_its_way_is_told_the_next_step(
    spoil: Callable[[Path], None], step: str, state: str, remedy: str, copy: Path
) -> None:
    """What is missing or out of date is counted, and the command for the first of it is named."""
    before = hospital(copy).facts[step]["current"]
    spoil(copy)
    found = hospital(copy)
    assert (found.state, found.remedy) == ("optional", remedy)
    assert found.facts[step][state] > 0
    assert sum(found.facts[step].values()) == before


@pytest.mark.sandbox
def test_a_broken_dataset_and_what_was_left_are_told(copy: Path) -> None:
    """A damaged manifest and the rest of a deletion do not stop the doctor, nor are their contents shown."""
    (copy / "synthetic" / "source" / "manifest.json").write_text('{"patient": "Doe"}')
    (copy / ".partial-deleted-0123456789ab-mimic-iv").mkdir()
    found = {finding.name: finding for finding in datasets(Store(copy))}
    assert found["synthetic"].found == "broken"
    assert found["synthetic"].remedy == "make it again: m4bench data synth --site mimic --replace"
    assert found["remains"].remedy == "finish it with: m4bench data delete mimic-iv"
    assert "Doe" not in str(found)


def test_the_agents_python_is_looked_at(tmp_path: Path) -> None:
    """Not made yet is no hindrance; one that is there and does not work is."""
    found, _ = doctor(tmp_path / "store", M4BENCH_RUNTIME=str(tmp_path / "none"))
    assert (found["agents' Python"]["state"], found["agents' Python"]["found"]) == (
        "optional",
        "not made yet",
    )
    standing = ensure_runtime()
    assert standing_runtime() == standing
    spoiled = tmp_path / "spoiled" / standing.root.name
    spoiled.mkdir(parents=True)
    shutil.copy(standing.root / "complete.json", spoiled)
    found, _ = doctor(tmp_path / "store", code=1, M4BENCH_RUNTIME=str(spoiled.parent))
    assert found["agents' Python"]["state"] == "needed"
    assert str(spoiled) in found["agents' Python"]["remedy"]


NUMPY = importlib.metadata.version("numpy")


@pytest.mark.parametrize(
    ("lock", "state", "said"),
    [
        (f"numpy=={NUMPY} \\\n    --hash=sha256:00\n", "ready", "all 1 as locked"),
        (f"numpy=={NUMPY}\nno-such-package==1 ; sys_platform == 'win32' \\\n", "ready", "all 1"),
        ("numpy==1.0 \\\n    --hash=sha256:00\n", "optional", f"numpy is {NUMPY}, not ==1.0"),
        ("no-such-package==1.0\n", "optional", "no-such-package is missing"),
        ("".join(f"no-such-{n}==1\n" for n in range(9)), "optional", "and 5 more"),
    ],
)
def test_locked_versions_are_compared(lock: str, state: str, said: str) -> None:
    """A package of another version, or one that is missing, is named; other platforms' are not asked for."""
    found = locked_versions(lock)
    assert found.state == state
    assert said in found.found


@pytest.mark.parametrize(
    ("bound", "expected"),
    [("max\n", 8 << 30), (f"{2 << 30}\n", 2 << 30), (f"{99 << 30}\n", 8 << 30)],
)
def test_memory_is_that_of_the_container(bound: str, expected: int, tmp_path: Path) -> None:
    """The smaller of the machine's memory and the container's bound counts."""
    (tmp_path / "meminfo").write_text("MemFree: 1 kB\nMemTotal:        8388608 kB\n")
    (tmp_path / "memory.max").write_text(bound)
    assert memory_bytes(tmp_path / "meminfo", tmp_path / "memory.max") == expected
    assert memory_bytes(tmp_path / "meminfo", tmp_path / "none") == 8 << 30


@pytest.mark.parametrize("feature", FEATURES)
def test_what_the_store_relies_on_is_tried(feature: str, tmp_path: Path) -> None:
    """Each feature works on this disk; one that does not is named, and nothing is left behind."""
    assert FEATURES[feature](tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert file_system(empty, needed=True).state == "ready"
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(
    ("states", "ready", "publishable"),
    [
        ((("software", "ready"), ("isolation", "ready")), True, True),
        ((("software", "optional"), ("isolation", "ready")), True, True),
        ((("software", "ready"), ("isolation", "optional")), True, False),
        ((("disk", "needed"), ("isolation", "ready")), False, False),
    ],
)
def test_the_verdict(states: Any, ready: bool, publishable: bool) -> None:
    """Ready unless something needed is missing; publishable only with all of isolation."""
    found = Diagnosis(tuple(Finding(group, "x", state, "f", "m") for group, state in states))
    assert (found.ready, found.publishable) == (ready, publishable)


HANGING = """#!/bin/sh
sleep 1000 &
sleep 1000
"""


def test_a_bubblewrap_that_hangs_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that does not end, nor what it started, is ended and told; so is one that is no program."""
    program = tmp_path / "bwrap"
    program.write_text(HANGING)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(readiness, "PATIENCE", 0.5)
    found = readiness.probe()
    assert (found.ready, found.reason) == (False, "does not end within 0.5 s")
    assert str(program) in str(found.remedy)
    program.write_bytes(b"\x7fELF, and no more")
    found = readiness.probe()
    assert (found.ready, found.reason) == (False, "cannot be started (Exec format error)")
    assert "bubblewrap" in str(found.remedy)


def test_what_a_bubblewrap_says_commands_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words are one line of a bounded length in which nothing is a control character."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nprintf 'no \\033[31m\\377 %0999d' 1 >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    reason = str(readiness.probe().reason)
    assert reason.startswith("no \\x1b[31m\N{REPLACEMENT CHARACTER} 0000")
    assert len(reason) == 200


def plug_in(folder: Path, kind: str, code: str | None) -> str:
    """Install a package with one suite or agent, as far as Python can tell; return its PYTHONPATH."""
    about = folder / "foreign-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[m4bench.{kind}s]\nalien = foreign_part:Made\n")
    if code is not None:
        (folder / "foreign_part.py").write_text(code)
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])


BROKEN = {
    "module missing": (None, "ModuleNotFoundError"),
    "raises": (f"raise ValueError({SECRET!r})", "ValueError"),
    "exits": (f"raise SystemExit({SECRET!r})", "SystemExit"),
    "name missing": ("", "AttributeError"),
    "no plug-in": ("Made = 1", "TypeError"),
}


@pytest.mark.parametrize(
    ("kind", "fault"),
    [*(("suite", fault) for fault in BROKEN), ("agent", "raises"), ("agent", "no plug-in")],
)
def test_a_broken_plug_in_is_named(kind: str, fault: str, tmp_path: Path) -> None:
    """It is needed that it be mended or go; the others are told as ready, and no word of its error."""
    code, why = BROKEN[fault]
    found, _ = doctor(tmp_path / "store", code=1, PYTHONPATH=plug_in(tmp_path / "x", kind, code))
    broken = found[f"{kind} alien"]
    assert (broken["state"], broken["found"]) == ("needed", f"broken ({why})")
    assert "the package foreign" in broken["remedy"]
    assert found["suites, agents"]["state"] == "ready"
    assert "alien" not in found["suites, agents"]["found"]


def test_a_broken_suite_stops_no_command(tmp_path: Path) -> None:
    """Other commands name it in one line and do what they can without it."""
    path = plug_in(tmp_path / "x", "suite", f"raise ValueError({SECRET!r})")
    (tmp_path / "runs").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "report", tmp_path / "runs", "--out", tmp_path / "r",
         "--store", tmp_path / "store"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr
    named = [line for line in done.stderr.splitlines() if "alien" in line]
    assert named == [
        "m4bench: the suite alien is broken (ValueError); "
        "install the package foreign again, mend or uninstall it"
    ]


def test_a_broken_agent_is_refused_in_one_line(tmp_path: Path) -> None:
    """Asked for, it is bad input: named with the type of its error alone."""
    path = plug_in(tmp_path / "x", "agent", f"def Made(_): raise KeyError({SECRET!r})")
    done = subprocess.run(
        [sys.executable, "-c",
         "from m4bench.harness.agents.agent import AgentSettings, make_agent\n"
         "from m4bench.model.errors import InputError\n"
         "try: make_agent('alien', AgentSettings())\n"
         "except InputError as error: print(error)"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.stdout == "the agent alien is broken (KeyError); mend its package\n", done.stderr


@pytest.mark.parametrize(
    "package",
    ["duckdb", "numpy", "platformdirs", "pyarrow", "pydantic", "pydantic_core", "rich", "typer"],
)
def test_without_a_package_the_doctor_can_tell(package: str, tmp_path: Path) -> None:
    """Whichever is broken is named with what to do; other groups are looked at, and it is not ready."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / f"{package}.py").write_text(f"raise ImportError({SECRET!r})\n")
    path = os.pathsep.join([str(broken), os.environ.get("PYTHONPATH", "")])
    found, told = doctor(tmp_path / "store", code=1, PYTHONPATH=path)
    assert not told["ready"]
    assert found["packages"]["state"] == "needed"
    assert "cannot be loaded (ImportError)" in found["packages"]["found"]
    assert "requirements.lock" in found["packages"]["remedy"]
    assert list(dict.fromkeys(finding["group"] for finding in told["findings"])) == GROUPS


def test_without_a_package_other_commands_say_so(tmp_path: Path) -> None:
    """One line that names the doctor, exit 2; and the doctor's own lines without the package."""
    (tmp_path / "duckdb.py").write_text(f"raise ImportError({SECRET!r})\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])

    def asked(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "m4bench.cli.main", *words],
            capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip

    done = asked("data", "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "m4bench doctor" in done.stderr
    assert SECRET not in done.stderr
    done = asked("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ packages duckdb cannot be loaded (ImportError)" in " ".join(done.stdout.split())


def declared() -> list[str]:
    """Return the packages the project declares."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    return list(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"])


@pytest.mark.parametrize("requirement", declared())
def test_each_declared_package_is_loaded(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here each is as required; one that fails on being loaded is told."""
    assert fault_of(requirement) is None

    def fail(module: str) -> None:
        raise OSError(SECRET)

    monkeypatch.setattr("m4bench.doors.doctor.packages.import_module", fail)
    assert str(fault_of(requirement)).endswith("cannot be loaded (OSError)")


def test_without_packaging_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What compares versions may itself be what is missing; markers of extras are known without it."""
    for name in ("packaging", "packaging.markers", "packaging.requirements"):
        monkeypatch.setitem(sys.modules, name, None)
    assert fault_of("packaging>=24") == "packaging cannot be loaded (ModuleNotFoundError)"
    assert fault_of("numpy>=2.2") is None
    assert (wanted("numpy>=2"), wanted("ruff>=0.11; extra == 'dev'")) == (True, False)


@pytest.mark.parametrize("package", ["typer", "duckdb"])
def test_a_package_that_is_not_there_is_named(package: str, tmp_path: Path) -> None:
    """One whose files are gone but whose record is there cannot be loaded."""
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "sys.argv[1:] = ['doctor', '--json', '--store', sys.argv[1]]\n"
        "from m4bench.cli.main import run\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert f"{package} cannot be loaded (ModuleNotFoundError)" in found["packages"]["found"]


@pytest.mark.parametrize(
    "metadata", [None, "", "Metadata-Version: 2.1\nName: half\nVersion: x y\n"]
)
def test_a_half_installed_package_is_a_fault(
    metadata: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package whose record is missing, empty or wrong is told, and does not stop the doctor."""
    about = tmp_path / "half-1.0.dist-info"
    about.mkdir()
    if metadata is not None:
        (about / "METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "half" in str(fault_of("half>=1"))


@pytest.mark.parametrize("columns", ["0", "20", "60"])
def test_no_width_loses_a_word(columns: str, tmp_path: Path) -> None:
    """However narrow the terminal, names and remedies are there whole, if folded."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "doctor", "--store", tmp_path / "s"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": str(tmp_path), "COLUMNS": columns},
    )  # fmt: skip
    assert done.returncode == 0
    printed = "".join(done.stdout.split())
    for finding in examine(tmp_path / "s", Path.cwd()).findings:
        assert finding.name.replace(" ", "") in printed
    assert "→apt-getinstallbubblewrap" in printed
    assert "m4benchdatasynth,orm4benchdataimportDATASET--fromDIR" in printed


@pytest.mark.parametrize("encoding", ["ascii", "ascii:strict", "latin-1"])
def test_an_encoding_without_the_marks_gets_others(encoding: str, tmp_path: Path) -> None:
    """Where a mark cannot be written it is an ASCII one; a path that cannot be is escaped."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "doctor", "--store", tmp_path / "Mäuse-μ"],
        capture_output=True, text=True, check=False, encoding="latin-1",
        env={**os.environ, "PATH": str(tmp_path), "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "+ Python: " in done.stdout
    assert "  -> apt-get install bubblewrap" in done.stdout
    assert "\\u03bc" in done.stdout


def test_a_path_commands_no_terminal(tmp_path: Path) -> None:
    """Control characters and bytes that are not UTF-8 in a store's path are shown escaped."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "doctor", "--store", os.fsencode(tmp_path) + b"/\x1bc\xff"],
        capture_output=True, check=False, env={**os.environ, "COLUMNS": "20"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout
    assert rb"/\x1bc\udcff" in done.stdout


def test_a_terminal_gets_a_table(tmp_path: Path) -> None:
    """Without --json there is a mark, a name, and a remedy for each, and the verdict comes last."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "doctor", "--store", tmp_path],
        capture_output=True, text=True, check=False, env={**os.environ, "PATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0
    expected = examine(tmp_path, Path.cwd())
    for finding in expected.findings:
        assert finding.name in done.stdout
    assert "→ apt-get install bubblewrap" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("ready, but without isolation")
