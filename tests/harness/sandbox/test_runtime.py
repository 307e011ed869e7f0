# SPDX-License-Identifier: MIT
"""The agent's Python: exactly what is locked, made once even by two at a time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.harness.sandbox.runtime import LOCK, Runtime, ensure_runtime, runtime_identity
from m4bench.model.errors import InputError


def test_it_holds_exactly_the_locked_packages(runtime: Runtime) -> None:
    """No installer and nothing of the project's is in it, and every version is the lock's."""
    locked = dict(re.findall(r"^([a-z-]+)==(\S+)", LOCK.read_text(), re.MULTILINE))
    assert {name.lower(): version for name, version in runtime.packages.items()} == locked
    listed = subprocess.run(
        [runtime.python, "-c", "import sys, duckdb, pandas; print(sys.prefix)"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert listed.strip() == str(runtime.root)


def test_its_programs_work_from_any_place(runtime: Runtime) -> None:
    """Only the interpreter and the DuckDB shell are there, and neither names the folder it was made in."""
    programs = sorted(path.name for path in (runtime.root / "bin").iterdir())
    assert programs == ["duckdb", "python", "python3", f"python3.{sys.version_info.minor}"]
    assert str(runtime.root) not in (runtime.root / "pyvenv.cfg").read_text()


def test_its_identity_names_no_place() -> None:
    """What a run records is the same on every machine with the same Python, platform and lock."""
    assert "/" not in runtime_identity()
    assert re.fullmatch(r"python-3\.\d+\.\d+-\S+-[0-9a-f]{12}", runtime_identity())


def test_two_makers_at_a_time_make_one(tmp_path: Path) -> None:
    """The second waits for the first and uses what it made; a half-made one is made again."""
    lock = tmp_path / "empty.lock"
    lock.write_text("")
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from m4bench.harness.sandbox.runtime import ensure_runtime\n"
        f"ensure_runtime(Path({str(tmp_path / 'root')!r}), lock=Path({str(lock)!r}), note=print)\n"
    )
    makers = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [maker.communicate(timeout=120)[0] for maker in makers]
    assert [maker.returncode for maker in makers] == [0, 0]
    assert sum("making" in one for one in said) == 1
    made = ensure_runtime(tmp_path / "root", lock=lock)
    assert made.packages == {}
    (made.root / "complete.json").unlink()
    (made.root / "half").touch()
    assert not (ensure_runtime(tmp_path / "root", lock=lock).root / "half").exists()


def test_an_index_that_cannot_be_reached_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failing installation is bad input with a remedy, and shows no address."""
    lock = tmp_path / "some.lock"
    lock.write_text("no-such-package-anywhere==1.0 --hash=sha256:" + "0" * 64 + "\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(InputError, match="pip reaches") as caught:
        ensure_runtime(tmp_path / "root", lock=lock)
    assert "\n" not in str(caught.value)
    assert "://" not in str(caught.value)
