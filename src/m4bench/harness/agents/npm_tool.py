# SPDX-License-Identifier: MIT
"""Command-line tools of the npm world: where one is, what of it has to be shown, how the pinned one is made.

It knows packages, launchers and native binaries, and no agent.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from m4bench.harness.agents.installation import (
    PINNED,
    Installation,
    Part,
    is_binary,
    managed_folder,
    missing,
    only_installer,
    told_version,
    visible_inside,
)
from m4bench.harness.agents.npm import install_packages
from m4bench.model.errors import InputError

MODULES = "node_modules"
SHEBANG_BYTES = 200


@dataclass(frozen=True)
class NpmTool:
    """A tool that comes as an npm package, and perhaps as a binary by its vendor's installer too.

    `command` is what it is started by, `package` the npm package. `scripts` are the packages whose install
    scripts have to be run; those of all others are not.
    """

    name: str
    command: str
    package: str
    vendor: str
    scripts: tuple[str, ...] = ()
    needs: str = "node and npm"

    @property
    def pinned(self) -> str:
        """The version in the pinned `package.json`."""
        manifest = _manifest(PINNED / self.name)
        return str(manifest["dependencies"][self.package])

    def find(self, program: Path | None = None) -> Installation:
        """Return the one to use; see `Tool`."""
        if program is not None:
            return self._at(self._launcher(program.expanduser().absolute()))
        on_path = shutil.which(self.command)
        if on_path is not None:
            return self._at(Path(on_path))
        managed = managed_folder(self.name, self.pinned)
        if managed.is_dir():
            return self._at(self._launcher(managed))
        raise missing(self.name, self.vendor)

    def install(self, note: Callable[[str], None] = lambda _: None) -> Installation:
        """Make the pinned one by its lock; what is there already is left as it is."""
        folder = managed_folder(self.name, self.pinned)
        with only_installer(folder):
            if not folder.is_dir():
                note(f"installing {self.name} {self.pinned} with npm")
                install_packages(PINNED / self.name, folder, self.scripts, check=self._whole)
        return self._at(self._launcher(folder))

    def _whole(self, folder: Path) -> None:
        self._at(self._launcher(folder))

    def _launcher(self, program: Path) -> Path:
        """Return the file that starts the tool: what the user named, or what lies in the folder they named."""
        if program.is_file():
            return program
        if not program.exists():
            raise InputError("there is no such program", file=program)
        for modules in (program / MODULES, program):
            launcher = modules / ".bin" / self.command
            if launcher.is_file():
                return launcher
            binaries = _binaries(modules / self.package)
            if self.command in binaries and (modules / self.package).is_dir():
                return modules / self.package / binaries[self.command]
        own = _binaries(program) if (program / "package.json").is_file() else {}
        if self.command in own:
            return program / own[self.command]
        raise InputError(
            f"holds no {self.command}",
            file=program,
            remedy=f"name the program itself, or the folder whose {MODULES} holds {self.package}",
        )

    def _at(self, launcher: Path) -> Installation:
        try:
            program = launcher.resolve(strict=True)
            binary = is_binary(program)
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=launcher) from error
        package = self._package_of(program)
        if binary:
            return self._binary(program, launcher, package)
        if package is None:
            raise InputError(
                f"is not {self.name} itself but something that starts it",
                file=launcher,
                remedy=f"--program with its npm package or binary, or m4bench agents install {self.name}",
            )
        return self._script(program, launcher, package)

    def _package_of(self, program: Path) -> Path | None:
        """Return the folder of the package a program belongs to."""
        for folder in program.parents:
            if (folder / "package.json").is_file() and _manifest(folder).get(
                "name"
            ) == self.package:
                return folder
        return None

    def _binary(self, program: Path, launcher: Path, package: Path | None) -> Installation:
        if package is not None:
            version: str | None = str(_manifest(package).get("version"))
        else:
            version = told_version([str(program)])
        if version is None:
            raise InputError(
                f"does not tell the version of {self.name}",
                file=launcher,
                remedy=f"--program with the tool itself, or m4bench agents install {self.name}",
            )
        return Installation(version, launcher, (Part("", self.command),), {self.command: program})

    def _script(self, program: Path, launcher: Path, package: Path) -> Installation:
        with program.open("rb") as stream:
            first = stream.read(SHEBANG_BYTES).split(b"\n", 1)[0]
        if not (first.startswith(b"#!") and b"node" in first):
            raise InputError(
                f"is no program of node's; {self.name} was not installed whole",
                file=launcher,
                remedy=f"install it again with its install scripts, or m4bench agents install {self.name}",
            )
        tools, below = shown(package)
        ((name, host),) = tools.items()
        node = node_of(host, self.name)
        parts = (Part(f"{below}{program.relative_to(package).as_posix()}", name),)
        if visible_inside(node):
            start = (Part(str(node)), *parts)
        else:
            start, tools = (Part("", "node"), *parts), {**tools, "node": node}
        return Installation(str(_manifest(package).get("version")), launcher, start, tools)


def shown(package: Path) -> tuple[dict[str, Path], str]:
    """Return what has to be shown of an installed package, and the package's place below it.

    A package that has its dependencies within, as npm installs it globally, is enough. One whose dependencies
    are its neighbours needs the whole `node_modules`. Either stands below a folder of that name, without which
    node does not find modules.
    """
    outer = next((one.parent for one in package.parents if one.name == ".pnpm"), None)
    if outer is None and any(_is_neighbour(package, name) for name in _dependencies(package)):
        outer = _modules_of(package)
    if outer is not None:
        return {MODULES: outer}, f"{package.relative_to(outer).as_posix()}/"
    name = str(_manifest(package)["name"])
    return {f"{MODULES}/{name}": package}, ""


def node_of(installed: Path, tool: str) -> Path:
    """Return node for an installation: that of the same prefix where there is one, else that on PATH."""
    beside: Iterator[Path] = (
        one.parent.parent / "bin" / "node"
        for one in (installed, *installed.parents)
        if one.name == MODULES and one.parent.name == "lib"
    )
    found = next((one for one in beside if one.is_file()), None) or shutil.which("node")
    if found is None:
        raise InputError(
            f"{tool} needs node, which is not on PATH", remedy="install Node.js 20 or later"
        )
    return Path(found).resolve()


def _modules_of(package: Path) -> Path | None:
    return next((one for one in package.parents if one.name == MODULES), None)


def _is_neighbour(package: Path, dependency: str) -> bool:
    modules = _modules_of(package)
    within = (package / MODULES / dependency).is_dir()
    return modules is not None and not within and (modules / dependency).is_dir()


def _dependencies(package: Path) -> Iterator[str]:
    manifest = _manifest(package)
    for kind in ("dependencies", "optionalDependencies"):
        yield from manifest.get(kind) or {}


def _binaries(package: Path) -> Mapping[str, str]:
    manifest = _manifest(package) if (package / "package.json").is_file() else {}
    told = manifest.get("bin") or {}
    return told if isinstance(told, dict) else {str(manifest.get("name")): str(told)}


def _manifest(folder: Path) -> dict[str, Any]:
    """Return a package's `package.json`.

    Raises:
        InputError: it cannot be read.
    """
    path = folder / "package.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("cannot be read as a package's description", file=path) from error
    return found if isinstance(found, dict) else {}
