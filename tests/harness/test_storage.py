# SPDX-License-Identifier: MIT
"""Full disks, real ones of a few megabytes: named in one line, with nothing half kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox

from .conftest import TOY_PACKAGE

UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")
OUTPUT = "open('answer.txt', 'wb').write(b'x' * (5 << 20))\n"
PRINTS = "print('x' * (5 << 20))\nopen('answer.txt', 'w').close()\n"
BESIDE = "open('notes.txt', 'wb').write(b'x' * (5 << 20))\nopen('answer.txt', 'w').close()\n"


def on_small_disk(
    place: Path, mebibytes: int, command: list[str]
) -> subprocess.CompletedProcess[str]:
    """Run a command in a mount namespace where a folder is a disk of its own; what it lists is appended."""
    place.mkdir()
    if (
        shutil.which("unshare") is None
        or subprocess.run([*UNSHARE, "true"], check=False).returncode
    ):
        pytest.skip("needs a mount namespace of its own")
    script = (
        f'mount -t tmpfs -o size={mebibytes}m none "$0" && "$@"; code=$?; ls -A "$0"; exit $code'
    )
    paths = os.pathsep.join([str(TOY_PACKAGE), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [*UNSHARE, "sh", "-c", script, str(place), *command],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip


CASES = {
    "no room for a record": ("", 2, "bwrap"),
    "the output fills it": (OUTPUT, 8, "bwrap"),
    "what is printed fills it": (PRINTS, 8, "bwrap"),
    "a file beside the output fills it": (BESIDE, 8, "bwrap"),
    "without isolation": (OUTPUT, 8, "none"),
}


@pytest.mark.parametrize(("script", "mebibytes", "sandbox"), CASES.values(), ids=CASES)
def test_a_full_disk_is_one_line_and_leaves_nothing(
    script: str, mebibytes: int, sandbox: str, toy_store: Store, tmp_path: Path,
    bubblewrap: BubblewrapSandbox,
) -> None:  # fmt: skip
    """Exit 2, the disk by the folder on it, and no partial run."""
    program = tmp_path / "programs" / "agent.py"
    program.parent.mkdir()
    program.write_text(script)
    results = tmp_path / "results"
    done = on_small_disk(results, mebibytes, [
        sys.executable, "-m", "m4bench.cli.main", "run", "toy-word", "--dataset", "toy",
        "--condition", "plain", "--store", str(toy_store.root), "--agent", "command",
        "--results", str(results), "--program", str(program), "--sandbox", sandbox,
    ])  # fmt: skip
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert f"{results}: no space is left" in done.stderr


def test_a_record_has_its_room_kept(tmp_path: Path) -> None:
    """Whatever fills the disk while an agent works, its finished run is written down."""
    results = tmp_path / "results"
    script = (
        "import sys\nfrom pathlib import Path\nfrom m4bench.harness.run_folder import RunFolder\n"
        "from m4bench.model.files import write_text\nresults = Path(sys.argv[1])\n"
        "with RunFolder(results, 'run', 'token') as folder:\n"
        "  try:\n"
        "    with (results / 'neighbour').open('wb', buffering=0) as full:\n"
        "      while True: full.write(b'x' * 4096)\n"
        "  except OSError: pass\n"
        "  folder.clear_scratch()\n"
        "  write_text(folder.path / 'record', 'r' * 100_000)\n"
        "  (folder.path / 'record').rename(results / 'kept')\n"
    )
    done = on_small_disk(results, 8, [sys.executable, "-c", script, str(results)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["kept", "neighbour"]
