# SPDX-License-Identifier: MIT
"""The work folder: small, counted, and only where it belongs."""

from pathlib import Path

import pytest

from m4bench.harness.agents.agent import Launch
from m4bench.harness.workspace.workspace import build_workspace, place_program
from m4bench.model.errors import InputError
from m4bench.suites.suite import Staging


def staging(files: dict[str, Path]) -> Staging:
    """A staging with these files."""
    return Staging("Do it.", files, {}, "d", "r", "open", None, False)


@pytest.fixture
def instruction(tmp_path: Path) -> Path:
    """An instruction of ten bytes."""
    path = tmp_path / "instruction.md"
    path.write_bytes(b"0123456789")
    return path


def test_bytes_are_those_copied(instruction: Path, tmp_path: Path) -> None:
    """The instruction counts, and every file of the staging."""
    (tmp_path / "a").write_bytes(b"abc")
    workspace = build_workspace(staging({"s/a": tmp_path / "a"}), instruction, "output.csv")
    assert workspace.bytes == 13
    assert set(workspace.files) == {"instruction.md", "s/a"}


@pytest.mark.parametrize("name", ["../a", "/etc/a", "x/../../a", "output.csv"])
def test_a_file_out_of_place_is_refused(name: str, instruction: Path) -> None:
    """No file leaves the folder, and none is put where the answer goes."""
    with pytest.raises(InputError):
        build_workspace(staging({name: instruction}), instruction, "output.csv")


def test_a_large_folder_is_refused(instruction: Path, tmp_path: Path) -> None:
    """Two megabytes is the bound, whatever the size of the data."""
    (tmp_path / "large").write_bytes(b"x" * 1_999_990)
    assert build_workspace(staging({"l": tmp_path / "large"}), instruction, "o").bytes == 2_000_000
    (tmp_path / "large").write_bytes(b"x" * 1_999_991)
    with pytest.raises(InputError, match="2,000,000"):
        build_workspace(staging({"l": tmp_path / "large"}), instruction, "o")


def test_a_program_folder_is_shown_and_not_copied(tmp_path: Path) -> None:
    """A user's folder costs nothing; a file and texts are copied and counted."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "run").write_bytes(b"12345")
    assert place_program(Launch((), program=tmp_path / "mine"), tmp_path / "p") == (
        tmp_path / "mine",
        0,
    )
    launch = Launch((), program=tmp_path / "mine" / "run")
    assert place_program(launch, tmp_path / "q") == (tmp_path / "q", 5)
    texts = Launch((), files={"sub/a.py": "abc"})
    assert place_program(texts, tmp_path / "r") == (tmp_path / "r", 3)
    assert (tmp_path / "r" / "sub" / "a.py").read_text() == "abc"
