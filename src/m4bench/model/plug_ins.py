# SPDX-License-Identifier: MIT
"""Loads what other packages offer, and tells what is broken without its words. Knows no suite and no agent."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any


@dataclass(frozen=True)
class BrokenPlugIn:
    """An entry point that does not work: the type of its error, never its text, which may hold a secret."""

    name: str
    package: str
    why: str

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return f"install the package {self.package} again, mend or uninstall it"


def loaded_plug_in(
    point: EntryPoint, make: Callable[[Any], Any] = lambda found: found
) -> Any | BrokenPlugIn:
    """Return what an entry point names, or how it fails: whatever a third party's package does on being loaded.

    Args:
        point: the entry point.
        make: given what was loaded; what it returns is returned, and its failure is the plug-in's.
    """
    try:
        return make(point.load())
    except (Exception, SystemExit) as error:  # noqa: BLE001 # a third party's may fail in any way
        package = point.dist.name if point.dist is not None else point.value
        return BrokenPlugIn(point.name, package, type(error).__name__)
