# SPDX-License-Identifier: MIT
"""The script that installs what is missing: it asks for nothing, fails never, and says what to do in one line."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "tools" / "system-packages"


def asked(path: Path, programs: dict[str, str], *packages: str) -> str:
    """Run the script where only these programs are, each with this body; return what it says."""
    path.mkdir()
    for name in ("sh", "id", "true"):
        (path / name).symlink_to(str(shutil.which(name)))
    for name, body in programs.items():
        (path / name).write_text(f"#!{shutil.which('sh')}\n{body}\n")
        (path / name).chmod(0o755)
    done = subprocess.run(
        ["sh", SCRIPT, *packages],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr


@pytest.mark.parametrize(
    ("programs", "said"),
    [
        ({}, "sudo apt-get install bubblewrap"),
        ({"dnf": "exit 1"}, "sudo dnf install bubblewrap"),
        ({"pacman": "exit 1"}, "sudo pacman -S bubblewrap"),
        ({"apk": "exit 1"}, "sudo apk add bubblewrap"),
    ],
)
def test_what_cannot_be_installed_is_one_line(
    programs: dict[str, str], said: str, tmp_path: Path
) -> None:
    """The line names what is missing and the command of this system's package manager."""
    lines = asked(tmp_path / "bin", programs, "bubblewrap").splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_what_is_there_is_not_asked_for(tmp_path: Path) -> None:
    """Nothing is said when every program is there, a browser under any of its names."""
    programs = {"bwrap": "exit 0", "google-chrome": "exit 0", "apt-get": "exit 1"}
    assert asked(tmp_path / "bin", programs, "bubblewrap", "chromium") == ""


def test_old_lists_are_renewed_before_giving_up(tmp_path: Path) -> None:
    """When the first attempt fails, the lists are fetched and the second one counts."""
    log = tmp_path / "log"
    body = f'echo "$*" >>{log}\ncase "$1" in update) : >{tmp_path}/lists ;; *) [ -e {tmp_path}/lists ] ;; esac'
    said = asked(tmp_path / "bin", {"apt-get": body, "sudo": 'shift; exec "$@"'}, "bubblewrap")
    assert said == "installing system packages: bubblewrap\n"
    assert [line.split()[0] for line in log.read_text().splitlines()] == [
        "install",
        "update",
        "install",
    ]
