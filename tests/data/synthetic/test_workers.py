# SPDX-License-Identifier: MIT
"""Several processes draw the same hospital as one, and no end of any of them leaves a trace."""

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from m4bench.data.synthetic import hospital
from m4bench.data.synthetic import workers as pool
from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.hospital import generate
from m4bench.data.synthetic.workers import Workers
from m4bench.model.hashing import sha256_file
from tests.interrupts import heed_interrupts

SMALL_BLOCK = 10
WORKER = "m4bench.data.synthetic.worker"
PATIENCE = 60
SEED = "987654321987654321987654321"
ENDLESS = """
import sys
from pathlib import Path
from m4bench.data.synthetic import hospital
from m4bench.data.synthetic.block import Block
hospital.BLOCK = 10
hospital.generate(Path(sys.argv[1]), stays=100_000, seed=SEED, density=0.05, workers=2)
""".replace("SEED", SEED)


def files(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file of a hospital."""
    return {
        str(file.relative_to(folder)): sha256_file(file)
        for file in sorted(folder.rglob("*.parquet"))
    }


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few stays be many blocks."""
    monkeypatch.setattr(hospital, "BLOCK", SMALL_BLOCK)


@contextmanager
def endless(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[psutil.Process]]]:
    """Yield a process that draws a hospital, with its workers, once these have begun."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(folder)],
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    ) as process:
        try:
            until = time.monotonic() + PATIENCE
            while not list(folder.parent.glob(".partial-*/work/blocks/*/*.arrow")):
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.01)
            children = psutil.Process(process.pid).children()
            workers = [child for child in children if WORKER in child.cmdline()]
            assert len(workers) == 2
            yield process, workers
        finally:
            process.kill()


def assert_gone(workers: list[psutil.Process]) -> None:
    """Check that no worker outlives its hospital."""
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert alive == []


def test_any_number_of_workers_writes_the_same_bytes(tmp_path: Path) -> None:
    """One, two and four processes give files that are equal to the byte, in the order of the blocks."""
    for workers in (1, 2, 4):
        generate(tmp_path / str(workers), stays=75, seed=4, density=0.1, workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "2") == files(tmp_path / "4")
    assert content_hash(tmp_path / "1") == content_hash(tmp_path / "2")


def test_a_worker_that_is_killed_ends_the_rest_in_one_line(tmp_path: Path) -> None:
    """The hospital is given up, the other worker ends, and nothing is left."""
    with endless(tmp_path / "files") as (process, workers):
        workers[0].kill()
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert b"ended from outside (signal 9)" in told
    assert_gone(workers)
    assert list(tmp_path.iterdir()) == []


def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    """They end by themselves; what the parent left is removed by the next who writes there."""
    with endless(tmp_path / "files") as (process, workers):
        process.kill()
        process.wait()
        assert_gone(workers)
    assert not (tmp_path / "files").exists()
    generate(tmp_path / "files", stays=1, seed=1)
    assert [path.name for path in tmp_path.iterdir()] == ["files"]


def test_the_leavings_of_another_place_and_of_the_living_are_not_touched(tmp_path: Path) -> None:
    """A hospital under way beside this one goes on."""
    with endless(tmp_path / "files") as (process, _):
        generate(tmp_path / "other", stays=1, seed=1)
        generate(tmp_path / "files", stays=1, seed=1)
        assert process.poll() is None
        assert len(list(tmp_path.glob(".partial-*"))) == 1


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    """Control-C ends all processes and removes what was drawn."""
    with endless(tmp_path / "files") as (process, workers):
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)
        assert_gone(workers)
    assert process.returncode == -signal.SIGINT
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_leaves_nothing(tmp_path: Path, workers: int) -> None:
    """Where a file cannot grow, the error of the disk reaches the caller and nothing is kept."""
    script = (
        "import sys, resource\nfrom pathlib import Path\n"
        "from m4bench.data.synthetic.creation import write_hospital\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "write_hospital(Path(sys.argv[1]), stays=800, seed=1, density=0.2, workers=int(sys.argv[2]))\n"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "files"), str(workers)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "cannot be written (File too large)" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_seed_is_not_among_the_arguments_or_the_environment(tmp_path: Path) -> None:
    """Who lists processes does not learn what a worker draws from."""
    with endless(tmp_path / "files") as (process, workers):
        assert SEED in " ".join(psutil.Process(process.pid).cmdline())
        for worker in workers:
            assert worker.cmdline()[1:] == ["-P", "-m", WORKER]
            assert not [value for value in worker.environ().values() if SEED in value]


def test_a_worker_whose_answer_nobody_reads_ends_without_a_word(tmp_path: Path) -> None:
    """A broken pipe is no error of the worker: neither traceback, nor abort, nor core."""
    job = {
        "site": "mimic",
        "block": {"seed": int(SEED), "number": 0, "stays": 1, "first": 0},
        "folder": str(tmp_path / "0"),
    }
    with subprocess.Popen(
        [sys.executable, "-P", "-m", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        worker.stdout.close()
        worker.stdin.write(json.dumps(job).encode() + b"\n")
        worker.stdin.flush()
        assert worker.stderr.read() == b""
        assert worker.wait(PATIENCE) == 0


@pytest.mark.parametrize("cut", [b"", b'{"site": "mimic", "block": {"seed": 12'])
def test_a_worker_whose_input_ends_ends_without_a_word(cut: bytes) -> None:
    """Also where its parent was killed in the midst of a line."""
    run = subprocess.run(
        [sys.executable, "-P", "-m", WORKER], input=cut, capture_output=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_a_worker_leaves_no_core(tmp_path: Path) -> None:
    """The limit of its core files is nothing, though its parent's is not."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    assert most != 0
    with Workers(1, tmp_path) as workers:
        list(workers.drawn("mimic", [Block(3, 0, 1, 0, 0.1)]))
        (worker,) = (each for each in psutil.Process().children() if WORKER in each.cmdline())
        assert worker.rlimit(psutil.RLIMIT_CORE)[0] == 0


def test_a_private_seed_leaves_no_core_of_the_process_that_drew_it() -> None:
    """Where cores are allowed, they no longer are once there is a secret."""
    script = (
        "import resource\nfrom m4bench.data.synthetic.recipe import private_seed\n"
        "most = resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (most, most))\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0] != 0)\nprivate_seed()\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "0"]


def test_workers_import_nothing_of_the_folder_they_are_called_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the user's that is named as a module of the library is not run."""
    (tmp_path / "types.py").write_text("raise SystemExit('the user is imported')\n")
    monkeypatch.chdir(tmp_path)
    with Workers(1, tmp_path) as workers:
        (drawn,) = workers.drawn("mimic", [Block(3, 0, 1, 0, 0.1)])
        assert list(drawn.iterdir())


def test_a_hospital_never_starts_hundreds_of_interpreters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever number is asked for, there are at most as many as the cap, which is 64."""
    assert pool.MOST == 64
    monkeypatch.setattr(pool, "MOST", 2)
    with Workers(500, tmp_path):
        started = [each for each in psutil.Process().children() if "-P" in each.cmdline()]
        assert len(started) == 2


def test_a_failure_in_a_worker_is_told_without_the_seed(tmp_path: Path) -> None:
    """What goes wrong in a worker reaches the parent as a traceback, and names no seed."""
    impossible = Block(int(SEED), 0, -5, 0)
    with (
        Workers(1, tmp_path) as workers,
        pytest.raises(RuntimeError, match="a worker failed\nTraceback") as told,
    ):
        list(workers.drawn("mimic", [impossible]))
    assert SEED not in str(told.value)
    assert SEED not in repr(impossible)
