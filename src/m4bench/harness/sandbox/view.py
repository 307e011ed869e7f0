# SPDX-License-Identifier: MIT
"""What of the host a bubblewrap sandbox shows: a system without anyone's Python packages, and no home.

Pure arrangement of arguments and paths; it starts nothing.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from m4bench.harness.sandbox.runtime import Runtime

USR = Path("/usr")
TOP_LEVEL = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
# /usr/local and /usr/src hold what a site put there itself: clones, data, other people's packages.
SITE_OWN = ("/usr/local", "/usr/src")
CONFIGURATION = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
MASK_BYTES = "4096"
MOST_FORBIDDEN = 400


@dataclass
class View:
    """Arguments for bubblewrap, with the host folders they show and those they cover again."""

    arguments: list[str] = field(default_factory=list)
    shown: list[Path] = field(default_factory=list)
    masked: list[Path] = field(default_factory=list)

    def show(self, path: Path, place: Path | str | None = None) -> None:
        """Show a host path read-only, by default in its own place."""
        self.arguments += ["--ro-bind", str(path), str(place or path)]
        self.shown.append(path)

    def link(self, path: Path) -> None:
        """Make the same symbolic link as on the host."""
        self.arguments += ["--symlink", str(path.readlink()), str(path)]
        self.shown.append(path)

    def mask(self, path: Path) -> None:
        """Cover a folder with an empty one that cannot be written."""
        self.arguments += ["--perms", "0555", "--size", MASK_BYTES, "--tmpfs", str(path)]
        self.masked.append(path)

    def close_masks(self) -> None:
        """Make the covers read-only; to be called when nothing is put into them any more."""
        for path in self.masked:
            self.arguments += ["--remount-ro", str(path)]

    def visible(self, path: Path) -> bool:
        """Tell whether a host path lies below what is shown and not below what is covered."""
        shown, masked = set(self.shown), set(self.masked)
        for one in (path, *path.parents):
            if one in masked:
                return False
            if one in shown:
                return True
        return False

    def exposes(self, path: Path) -> bool:
        """Tell whether a host path, existing or not, can be seen, whole or in part."""
        path = path.resolve()
        return self.visible(path) or any(shown.is_relative_to(path) for shown in self.shown)


def system_view(runtime: Runtime) -> View:
    """Return the read-only system every sandbox shows, with the interpreter of the runtime."""
    view = View()
    view.show(USR)
    for name in TOP_LEVEL:
        path = Path("/") / name
        if path.is_symlink():
            view.link(path)
        elif path.is_dir():
            view.show(path)
    for path in sorted(_packages(USR)) + [Path(one) for one in SITE_OWN if Path(one).is_dir()]:
        if not any(path.is_relative_to(own) for own in SITE_OWN if str(path) != own):
            view.mask(path)
    for name in CONFIGURATION:
        if Path(name).exists():
            view.show(Path(name))
    _show_interpreter(view, runtime)
    return view


def _packages(root: Path) -> Iterator[Path]:
    for pattern in ("lib*/python*", "lib*/*/python*"):
        for library in root.glob(pattern):
            yield from (library / name for name in PACKAGE_FOLDERS if (library / name).is_dir())


def _show_interpreter(view: View, runtime: Runtime) -> None:
    """Show one interpreter and its standard library, wherever it is installed, and nothing beside them."""
    visible = runtime.base.is_relative_to(USR) and not runtime.base.is_relative_to("/usr/local")
    if visible:
        return
    view.show(runtime.interpreter)
    view.show(runtime.standard_library)
    for library in sorted((runtime.base / "lib").glob("*.so*")):
        if library.is_symlink():
            view.link(library)
        elif library.is_file():
            view.show(library)
    for name in PACKAGE_FOLDERS:
        if (runtime.standard_library / name).is_dir():
            view.mask(runtime.standard_library / name)


def unreadable_paths(paths: Iterable[Path], view: View, places: Iterable[str]) -> list[str]:
    """Return host paths none of which may be readable inside, for a check from inside.

    A folder that exists inside as well, because something is placed there or below, is replaced by its
    entries; what is shown on purpose is left out.
    """
    occupied = [*(Path(place) for place in places), *view.shown, *view.masked]
    above = {one for place in occupied for one in (place, *place.parents)}
    found: list[str] = []
    waiting = deque(path.absolute() for path in paths)
    while waiting and len(found) < MOST_FORBIDDEN:
        path = waiting.popleft()
        if view.visible(path):
            continue
        if path in above:
            if path.is_dir() and os.access(path, os.R_OK):
                waiting.extend(sorted(path.iterdir()))
        else:
            found.append(str(path))
    return found
