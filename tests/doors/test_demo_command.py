# SPDX-License-Identifier: MIT
"""`m4bench demo` as a user meets it: what it prints where, and what an end at any moment leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import psutil
import pytest

from m4bench.doors.demo_stages import STAGES
from tests.harness.processes import await_true
from tests.interrupts import heed_interrupts

from .conftest import SMALL, Copy, Finished

pytestmark = pytest.mark.sandbox
UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")


def command(out: Path, *options: str) -> list[str]:
    """Return the command line of a small demo."""
    sizes = ["--stays", str(SMALL["stays"]), "--density", str(SMALL["density"])]
    return [sys.executable, "-m", "m4bench.cli.main", "demo", "--out", str(out), *sizes, *options]


def m4bench(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a small demo to its end."""
    return subprocess.run(command(out, *options), capture_output=True, text=True, check=False)


def test_the_path_comes_last_and_a_line_a_stage(finished: Finished) -> None:
    """In a pipe: a headline and a line a stage on standard error, the report's path alone on the other."""
    done = m4bench(finished.out)
    assert (done.returncode, done.stdout) == (0, f"report: {finished.result.page}\n")
    lines = done.stderr.splitlines()
    assert len(lines) == 1 + len(STAGES)
    for number, (line, stage) in enumerate(zip(lines[1:], STAGES, strict=True), start=1):
        assert line.startswith(f"{number}/{len(STAGES)} {stage.name}: ")
    assert "reference 1.000" in lines[5]


def test_json_stands_alone(finished: Finished) -> None:
    """With --json and --quiet there is one document and nothing beside it."""
    done = m4bench(finished.out, "--json", "--quiet")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert told["report"] == str(finished.result.page)
    assert {run["run_id"] for run in told["runs"]} == {
        record.run_id for record in finished.result.records
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--stays", "0"), "--stays"), (("--density", "2"), "density"), (("--colour",), "No such option")],
)  # fmt: skip
def test_bad_usage_is_exit_2(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """What cannot be is refused without a traceback."""
    done = m4bench(tmp_path / "out", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def await_line(stream: IO[str], start: str) -> None:
    """Read lines until one begins so."""
    for line in stream:
        if line.startswith(start):
            return
    pytest.fail(f"it never said: {start}")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),
        (signal.SIGKILL, -9),
    ],
)
def test_an_ended_demo_is_gone_on_with(
    number: signal.Signals, code: int, without_runs: Copy
) -> None:
    """Ended among the runs, it leaves no process and no half run; the next keeps what was finished."""
    out = without_runs()
    process = subprocess.Popen(
        command(out), stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    assert process.stderr is not None
    await_line(process.stderr, "4/6")
    # A run under way holds its record for an instant under its partial name.
    await_true(lambda: list((out / "runs").glob("[!.]*/run.json")))
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    said = process.stderr.read()
    assert process.wait(60) == code
    await_true(lambda: not any(one.is_running() for one in family))
    assert len(said.splitlines()) == (0 if number is signal.SIGKILL else 1), said
    assert ("the same command goes on from there" in said) == (number is not signal.SIGKILL)
    assert not list((out / "runs").glob(".partial-*"))
    times = {path: path.stat().st_mtime_ns for path in (out / "runs").glob("*/run.json")}
    assert times
    if number is signal.SIGKILL:
        done = m4bench(out)
        assert done.returncode == 0, done.stderr
        assert times == {path: path.stat().st_mtime_ns for path in times}


def test_a_demo_killed_at_its_hospital_is_begun_again(tmp_path: Path) -> None:
    """Killed before a hospital stands, it leaves no process, and the next one makes the hospital."""
    for number, line in ((signal.SIGKILL, "demo:"), (signal.SIGTERM, "2/6")):
        process = subprocess.Popen(command(tmp_path / "out"), stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        await_line(process.stderr, line)
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        process.communicate()
        await_true(lambda family=family: not any(one.is_running() for one in family))
    assert sorted(path.name for path in (tmp_path / "out" / "store").iterdir()) == [
        ".references",
        "synthetic",
    ]


def on_small_disk(place: Path, mebibytes: int, script: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a mount namespace where a folder is a disk of its own."""
    place.mkdir()
    unavailable = shutil.which("unshare") is None
    if unavailable or subprocess.run([*UNSHARE, "true"], check=False).returncode:
        pytest.skip("needs a mount namespace of its own")
    whole = f'mount -t tmpfs -o size={mebibytes}m none "$0" && {script}'
    return subprocess.run(
        [*UNSHARE, "sh", "-c", whole, str(place), *command(place / "out")],
        capture_output=True, text=True, check=False, env=os.environ,
    )  # fmt: skip


def test_a_disk_too_small_is_told_before_anything_is_made(tmp_path: Path) -> None:
    """One line says how much is free and how much it takes."""
    done = on_small_disk(tmp_path / "disk", 20, '"$@" --quiet')
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "MiB are free on this disk, and the demo needs" in done.stderr


def test_a_disk_that_fills_is_one_line(finished: Finished, tmp_path: Path) -> None:
    """When room runs out among the runs, one line names the disk, and no half run is left."""
    script = (
        f'cp -r {finished.out} "$0"/out && rm -r "$0"/out/runs && '
        '{ head -c 400m /dev/zero >"$0"/filler 2>/dev/null; "$@" --quiet; code=$?; '
        'rm "$0"/filler; ls -A "$0"/out/runs; exit $code; }'
    )
    done = on_small_disk(tmp_path / "disk", 300, script)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "no space is left on the disk" in done.stderr
