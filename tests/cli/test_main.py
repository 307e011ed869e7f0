# SPDX-License-Identifier: MIT
"""The door: exit codes, one-line errors, JSON alone on standard output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interrupts import heed_interrupts


def m4bench(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "M4BENCH_STORE": str(store)},
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tasks", "show", "mimic-sofa-48h"], "no task is called mimic-sofa-48h"),
        (["tasks", "show", "mimic-meld-24h", "--condition", "skilful"], "no condition is called skilful"),
        (["tasks", "show", "mimic-meld-24h", "--schema", "shifted"], "not available yet"),
        (["concepts", "build", "mimic-iv"], "m4bench data import mimic-iv --from DIR"),
        (["concepts", "show", "sofia"], "no concept or reference is called sofia"),
        (["references", "build", "synthetic", "--convention", "ours"], "no convention is called ours"),
        (["databases", "build", "synthetic", "--drops", "none"], "no drop rule is called none"),
        (["data", "import", "mimic-iii", "--from", "/nowhere"], "there is no dataset called mimic-iii"),
        (["data", "import", "mimic-iv", "--from", "/nowhere"], "/nowhere"),
        (["score", "mimic-meld-24h", "/nowhere/output.csv", "--dataset", "synthetic"], "/nowhere"),
        (["report", "/nowhere", "--out", "/tmp/never"], "/nowhere"),
        (["references", "export", "synthetic"], "say where with --to DIR"),
        (["concepts", "export", "synthetic"], "say where with --to DIR"),
        (["nonsense"], "No such command"),
    ],
)  # fmt: skip
def test_bad_usage_is_exit_2_with_one_clear_line(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    """Whatever is asked wrongly ends with exit code 2, says what to do, and prints no traceback."""
    done = m4bench(*arguments, store=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "name",
    [b"/nowhere\x1b[31m", b"/nowhere\r\n\x07", b"/nowhere\xff", "/nowhere\x9b\u202e".encode()],
)
def test_an_error_commands_no_terminal(name: bytes, tmp_path: Path) -> None:
    """What a path holds that a terminal would obey, or that is no text, is escaped in the one line."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "report", name, "--out", tmp_path / "out"],
        capture_output=True,
        check=False,
    )
    line = done.stderr.decode()
    assert done.returncode == 2
    assert line.endswith("\n")
    assert line[:-1].isprintable()
    assert line.startswith("m4bench: /nowhere\\")


@pytest.mark.parametrize("module", ["duckdb", "numpy", "pyarrow"])
@pytest.mark.parametrize("swallowed", [False, True])
def test_an_interrupt_while_packages_are_imported(
    module: str, swallowed: bool, tmp_path: Path
) -> None:
    """One line and 130, even where a package turns the interrupt into an error of its own."""
    interrupt = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    if swallowed:
        inner = interrupt.replace("\n", "\n    ").rstrip()
        interrupt = f"try:\n    {inner}\nexcept BaseException:\n    raise ImportError('no')\n"
    (tmp_path / f"{module}.py").write_text(interrupt)
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "data", "list", "--store", tmp_path / "store"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        preexec_fn=heed_interrupts,
    )
    assert (done.returncode, done.stderr) == (130, "m4bench: interrupted\n")


def test_an_interrupt_of_a_command_is_one_line(tmp_path: Path) -> None:
    """Ctrl-C once the command is at work: one line and 130."""
    code = (
        "import os, signal\n"
        "from m4bench.cli import commands\n"
        "from m4bench.cli.main import run\n"
        "@commands.app.command('wait')\n"
        "def wait() -> None:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "import sys\nsys.argv[1:] = ['wait']\nrun()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=heed_interrupts,
    )
    assert (done.returncode, done.stderr) == (130, "m4bench: interrupted\n")


def test_any_encoding_does(tmp_path: Path) -> None:
    """What an output's encoding has no sign for is escaped, and ends no command."""
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "--version"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


TABLE = (
    "run_id,task,condition,schema,agent,model,trial,reward,publishable,strict_pass\n"
    "a,mimic-meld-24h,no-skill,native,tool,m,1,0.5,True,False\n"
    "b,mimic-meld-24h,with-skill,native,tool,m,1,0.75,True,False\n"
)
NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("locale", [{}, NO_UTF8], ids=["utf-8", "ascii"])
@pytest.mark.parametrize(
    ("place", "name"), [("--site", "sources.html"), ("--out", "index.html")], ids=["site", "out"]
)
def test_names_that_are_not_utf8_are_told(
    tmp_path: Path, place: str, name: str, locale: dict[str, str]
) -> None:
    """A table, a folder and a title of any bytes, in any locale: written, with letters as they were meant."""
    source, out = os.fsencode(tmp_path) + b"/w\xff.csv", os.fsencode(tmp_path) + b"/o\xfe"
    Path(os.fsdecode(source)).write_text(TABLE)
    title = [b"--title", "Größe".encode() + b"\xff"] if place == "--site" else []
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", b"report", source, place, out, *title],
        capture_output=True,
        check=False,
        env={**os.environ, **locale},
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert done.stdout.endswith("/o\ufffd/index.html\n".encode())
    assert "w\ufffd.csv" in Path(os.fsdecode(out), name).read_text()
    assert not title or "Größe\ufffd" in Path(os.fsdecode(out), "index.html").read_text()


def test_statistics_are_printed_in_any_locale(tmp_path: Path) -> None:
    """What ASCII has no sign for is escaped."""
    (tmp_path / "runs.csv").write_text(TABLE)
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "stats", tmp_path / "runs.csv"],
        capture_output=True,
        check=False,
        env={**os.environ, **NO_UTF8},
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert done.stdout.isascii()


@pytest.mark.parametrize("form", [[], ["--json"], ["--published"]], ids=["", "json", "published"])
def test_a_reader_that_stops_is_no_failure(tmp_path: Path, form: list[str]) -> None:
    """As `| head -1` does: exit code 0 and no traceback, however results are printed."""
    (tmp_path / "runs.csv").write_text(TABLE)
    with subprocess.Popen(
        [sys.executable, "-m", "m4bench.cli.main", "stats", tmp_path / "runs.csv", *form],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        told = running.stderr.read()
    assert (running.returncode, b"Traceback" in told) == (0, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["tasks", "list", "--json"],
        ["concepts", "list", "--json"],
        ["concepts", "show", "meld", "--json"],
        ["references", "list", "--json"],
        ["data", "list", "--json"],
    ],
)
def test_json_stands_alone_on_standard_output(arguments: list[str], tmp_path: Path) -> None:
    """With --json the standard output is one JSON document."""
    done = m4bench(*arguments, store=tmp_path)
    assert done.returncode == 0
    json.loads(done.stdout)


def test_lineage_is_shown(tmp_path: Path) -> None:
    """A concept tells what it is built from."""
    shown = json.loads(m4bench("concepts", "show", "meld", "--json", store=tmp_path).stdout)
    assert {"first_day_lab", "first_day_rrt", "rrt", "chemistry"} <= set(shown["lineage"])
    assert "mimiciv_hosp.labevents" in shown["source_tables"]


def test_the_version_is_told(tmp_path: Path) -> None:
    """The tool and its engine say which they are."""
    done = m4bench("--version", store=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("m4bench 0.")
    assert "duckdb 1." in done.stdout
