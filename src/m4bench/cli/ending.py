# SPDX-License-Identifier: MIT
"""How a command ends early: one line and an exit code. Needs no package, so that it can tell of any."""

import sys
from typing import NoReturn

from m4bench.model.legible import legible

INTERRUPTED = 130


def end(line: str, code: int) -> NoReturn:
    """Print one line on standard error, with nothing in it that a terminal would obey, and exit."""
    sys.stderr.write(f"m4bench: {legible(line)}\n")
    sys.exit(code)


def unloadable(error: Exception) -> str:
    """Return the line for a package that cannot be loaded, without its own words."""
    name = getattr(error, "name", None)
    what = f"the module {name}" if isinstance(name, str) else "a package m4bench is built on"
    return f"{what} cannot be loaded ({type(error).__name__}); m4bench doctor tells what is missing"
