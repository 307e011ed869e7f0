# SPDX-License-Identifier: MIT
"""Tools: where one is found, what of it is shown, how one is installed, and what a user is told when not."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.agents.installation import PINNED, managed_folder
from m4bench.harness.agents.npm import failure, install_packages
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.errors import InputError
from tests.harness.agents.recordings import INSIDE, npm_global

TOOL = NpmTool("codex", "codex", "@openai/codex", "npm install -g @openai/codex")
OPEN = Layout("/w", "/p", "/h", "python3", "/bin")
LOCKS = sorted(PINNED.glob("*/package-lock.json"))
NODE = "#!/usr/bin/env node\n"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any tool but what a test puts there; node is on PATH, in a folder of its own."""
    node = tmp_path / "opt" / "node"
    node.parent.mkdir()
    node.write_bytes(b"\x7fELF")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(node.parent))
    monkeypatch.setenv("M4BENCH_AGENTS", str(tmp_path / "agents"))
    return tmp_path


def package(folder: Path, name: str = "@openai/codex", script: str = NODE, **more: Any) -> Path:
    """Write a package with a start script."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "start.js").write_text(script, encoding="utf-8")
    (folder / "bin" / "start.js").chmod(0o755)
    told = {"name": name, "version": "1.2.3", "bin": {"codex": "bin/start.js"}, **more}
    (folder / "package.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


def local(folder: Path, version: str = "1.2.3", script: str = NODE) -> Path:
    """Make what `npm install` leaves in a folder: packages side by side and links to their commands."""
    modules = folder / "node_modules"
    optional = {"@openai/codex-linux-x64": version, "@openai/codex-darwin-arm64": version}
    package(
        modules / "@openai" / "codex", script=script, version=version, optionalDependencies=optional
    )
    (modules / "@openai" / "codex-linux-x64").mkdir()
    (modules / ".bin").mkdir()
    (modules / ".bin" / "codex").symlink_to("../@openai/codex/bin/start.js")
    return folder


def test_a_global_package_is_shown_alone_with_its_own_node(bare: Path) -> None:
    """It stands below a folder called node_modules, without which node finds no module."""
    found = TOOL.find(npm_global(bare / "prefix", "@openai/codex", "codex"))
    modules = bare / "prefix" / "lib" / "node_modules"
    assert found.tools == {
        "node_modules/@openai/codex": modules / "@openai" / "codex",
        "node": bare / "prefix" / "bin" / "node",
    }
    inside = "/tools/node_modules/@openai/codex/bin/start.js"
    assert found.argv(INSIDE) == ("/tools/node", inside)
    assert found.version == "1.2.3"


def test_a_package_whose_dependencies_are_neighbours_needs_the_whole_folder(bare: Path) -> None:
    """As npm installs it into a project."""
    found = TOOL.find(local(bare / "project"))
    modules = bare / "project" / "node_modules"
    assert found.tools == {"node_modules": modules, "node": bare / "opt" / "node"}
    assert found.argv(INSIDE)[1] == "/tools/node_modules/@openai/codex/bin/start.js"
    assert found.argv(OPEN)[1] == str(modules / "@openai" / "codex" / "bin" / "start.js")


def test_a_store_of_links_is_shown_from_its_top(bare: Path) -> None:
    """As pnpm keeps packages: the links lead from one to the other within the outermost folder."""
    modules = bare / "project" / "node_modules"
    place = modules / ".pnpm" / "@openai+codex@1.2.3" / "node_modules" / "@openai" / "codex"
    package(place)
    (modules / "@openai").mkdir()
    (modules / "@openai" / "codex").symlink_to(place)
    found = TOOL.find(bare / "project")
    assert found.tools["node_modules"] == modules
    assert found.argv(INSIDE)[1].startswith("/tools/node_modules/.pnpm/@openai+codex@1.2.3/")


def test_node_of_the_system_is_used_in_its_place(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every sandbox shows it; only another one is shown apart."""
    monkeypatch.setenv("PATH", "/usr/bin")
    if not Path("/usr/bin/node").is_file():
        pytest.skip("node is not the system's here")
    found = TOOL.find(local(bare / "project"))
    assert found.argv(INSIDE)[0] == str(Path("/usr/bin/node").resolve())
    assert "node" not in found.tools


def test_a_binary_is_shown_alone_and_asked_for_its_version(bare: Path) -> None:
    """As vendors' own installers leave it; a program of this system that tells its version stands in."""
    binary = bare / "share" / "versions" / "9.9"
    binary.parent.mkdir(parents=True)
    shutil.copy2(shutil.which("true", path="/usr/bin:/bin") or "/bin/true", binary)
    link = bare / "codex"
    link.symlink_to(binary)
    found = TOOL.find(link)
    assert found.argv(INSIDE) == ("/tools/codex",)
    assert found.tools == {"codex": binary}
    assert found.version[0].isdigit()


def test_a_binary_that_tells_no_version_is_refused(bare: Path) -> None:
    """A launcher of a version manager is such a one: it is not the tool."""
    binary = bare / "codex"
    binary.write_bytes(b"\x7fELF nothing")
    binary.chmod(0o755)
    with pytest.raises(InputError, match="does not tell the version of codex; --program"):
        TOOL.find(binary)


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ("wrapper", "is not codex itself but something that starts it"),
        ("half", "codex was not installed whole"),
        ("empty folder", "holds no codex"),
        ("nothing", "there is no such program"),
    ],
)
def test_what_is_not_the_tool_is_refused_in_one_line(bare: Path, made: str, problem: str) -> None:
    """A script that starts it, a package whose install script was not run, a folder of something else."""
    program = bare / "codex"
    if made == "wrapper":
        program.write_text('#!/bin/sh\nexec somewhere/codex "$@"\n')
    elif made == "half":
        local(program, script='echo "not installed" >&2\nexit 1\n')
    elif made == "empty folder":
        program.mkdir()
    with pytest.raises(InputError, match=problem) as caught:
        TOOL.find(program)
    assert "\n" not in str(caught.value)


def test_a_named_program_comes_before_path_and_path_before_the_installed_one(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With none of them the line says how to get one."""
    with pytest.raises(InputError, match="m4bench agents install codex, or npm install -g"):
        TOOL.find()
    local(managed_folder("codex", TOOL.pinned), version="1.0.0")
    assert TOOL.find().version == "1.0.0"
    npm_global(bare / "prefix", "@openai/codex", "codex", "2.0.0")
    monkeypatch.setenv("PATH", str(bare / "prefix" / "bin"))
    assert TOOL.find().version == "2.0.0"
    assert TOOL.find(local(bare / "project", version="3.0.0")).version == "3.0.0"


def test_without_node_the_line_says_so(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Node is looked for when a script needs it."""
    monkeypatch.setenv("PATH", str(bare))
    with pytest.raises(InputError, match="codex needs node"):
        TOOL.find(local(bare / "project"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.parent.name)
def test_a_lock_names_every_package_by_its_hash_and_no_registry(lock: Path) -> None:
    """What an optional dependency names is in the lock, so that nothing without a hash is ever installed."""
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    root = packages.pop("")
    manifest = json.loads(lock.with_name("package.json").read_text(encoding="utf-8"))
    assert root["dependencies"] == manifest["dependencies"]
    assert all(version[0].isdigit() for version in root["dependencies"].values())
    held = {place.rpartition("node_modules/")[2] for place in packages}
    for entry in packages.values():
        assert entry["integrity"].startswith("sha512-")
        assert "resolved" not in entry
        assert set(entry.get("optionalDependencies", {})) <= held


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("npm error code ENOTFOUND\nnpm error network request to https://x failed", "no package registry"),
        ("npm error code ENOSPC\nnpm error nospc no space left", "no space is left"),
        ("npm error code EINTEGRITY\nnpm error sha512-a integrity checksum failed", "byte for byte"),
        ("npm error code E404\nnpm error 404 Not Found - GET https://u:secret@x/y", "404 Not Found"),
        ("", "it does not say why"),
    ],
)  # fmt: skip
def test_why_npm_failed_is_one_line_without_an_address(told: str, said: str) -> None:
    """An address may carry a password."""
    line = str(failure(told, Path("agents/codex")))
    assert said in line
    assert "secret" not in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("version", "problem"), [("v18.19.0", "node is too old"), (None, "node is not on PATH")]
)
def test_a_machine_without_a_good_node_is_told_what_to_install(
    bare: Path, monkeypatch: pytest.MonkeyPatch, version: str | None, problem: str
) -> None:
    """Nothing is made then."""
    programs = bare / "programs"
    programs.mkdir()
    if version is not None:
        for name in ("node", "npm"):
            (programs / name).write_text(f"#!/bin/sh\necho {version}\n")
            (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(InputError, match=problem):
        TOOL.install()
    assert not managed_folder("codex", TOOL.pinned).exists()


def test_without_a_registry_nothing_is_left(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real npm, with nobody at the registry's address and an empty cache."""
    if shutil.which("npm", path=os.defpath) is None:
        pytest.skip("npm is not here")
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(bare / "cache"))
    folder = bare / "agents" / "codex"
    with pytest.raises(InputError, match="npm reaches no package registry"):
        install_packages(PINNED / "codex", folder)
    assert [path.name for path in folder.parent.iterdir()] == []
