# SPDX-License-Identifier: MIT
"""The work folder: small, counted, and only where it belongs."""

import stat
from pathlib import Path

import pytest

from m4bench.harness.agents.agent import Launch
from m4bench.harness.workspace.given import (
    Given,
    given_as_text,
    given_files,
    materials_hash,
)
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


OUT_OF_PLACE = (
    "../a", "/etc/a", "x/../../a", "", ".", "output.csv", "./output.csv", "OUTPUT.csv", "output.csv/a",
    "instruction.md", "s", "s/a/b", "S/A",
)  # fmt: skip


@pytest.mark.parametrize("name", OUT_OF_PLACE)
def test_a_file_out_of_place_is_refused(name: str, instruction: Path, tmp_path: Path) -> None:
    """No file leaves the folder, stands where the answer goes, or in another's way, whatever the case of letters."""
    own = {"s/a": instruction}
    build_workspace(staging(own), instruction, "output.csv")
    with pytest.raises(InputError, match="may not put a file there"):
        build_workspace(staging(own | {name: instruction}), instruction, "output.csv")
    with pytest.raises(InputError, match="may not put a file there"):
        build_workspace(
            staging(own), instruction, "output.csv", {name: Given("x")}, tmp_path / "given"
        )


def test_texts_are_placed_as_they_are(instruction: Path, tmp_path: Path) -> None:
    """A skill stands in every folder an agent looks into, a program can be executed, and all of it counts."""
    given = given_files({"s/SKILL.md": "µ\r\n"}, {"check": "#!x\n"}, (".a/skills", ".b"))
    workspace = build_workspace(staging({}), instruction, "output.csv", given, tmp_path / "given")
    found = {
        name: (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for name, path in workspace.files.items()
        if name != "instruction.md"
    }
    skill = ("µ\r\n".encode(), 0o600)
    assert found == {
        ".a/skills/s/SKILL.md": skill,
        ".b/s/SKILL.md": skill,
        "check": (b"#!x\n", 0o700),
    }
    assert workspace.bytes == 10 + 2 * 4 + 4


def test_the_hash_of_materials_covers_every_text_place_and_mode() -> None:
    """Instruction, path, text and executability each change it; the order in which texts are told does not."""
    base = {"a": Given("1"), "b": Given("2", executable=True)}
    assert materials_hash("i", base) == materials_hash("i", dict(reversed(base.items())))
    others = (
        ("j", base),
        ("i", {"a": Given("1")}),
        ("i", base | {"a": Given("2")}),
        ("i", base | {"a": Given("1", executable=True)}),
        ("i", {"c": Given("1"), "b": base["b"]}),
    )
    hashes = {materials_hash(text, given) for text, given in others}
    assert len(hashes) == len(others)
    assert materials_hash("i", base) not in hashes


def test_texts_are_shown_whole_below_their_paths() -> None:
    """First the instruction as it is; a text that stands in two places is shown once, under both paths."""
    given = given_files({"s/SKILL.md": "one\n"}, {"check": "two"}, ("a", "b"))
    rule = "=" * 20
    assert given_as_text("Do it.\n", given) == (
        f"Do it.\n{rule} check {rule}\ntwo\n{rule} a/s/SKILL.md, b/s/SKILL.md {rule}\none\n"
    )
    assert given_as_text("Do it.\n", {}) == "Do it.\n"


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
