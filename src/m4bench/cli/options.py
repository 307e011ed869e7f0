# SPDX-License-Identifier: MIT
"""Options that several commands share, and how results are printed."""

import json
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer
from rich.console import Console

from m4bench.data.store import Store
from m4bench.model.errors import InputError
from m4bench.model.settings import default_store
from m4bench.model.task import Convention, Drops
from m4bench.suites.derivation.tasks.cards import (
    AVAILABLE_CONDITIONS,
    AVAILABLE_SCHEMAS,
    CONDITIONS,
    SCHEMAS,
)

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        help="The store (default: M4BENCH_STORE or the platform's data folder).",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON alone on standard output.")]
ConventionOption = Annotated[
    str, typer.Option("--convention", help="published, current or adjudicated.")
]

DEFAULT_DATASET = "synthetic"


def choices(known: Iterable[str], available: Collection[str]) -> str:
    """Return choices as a help text tells them, those not available yet apart."""
    later = [name for name in known if name not in available]
    told = ", ".join(available)
    return f"{told}; not available yet: {', '.join(later)}" if later else told


CONDITION_HELP = f"What the agent is given: {choices(CONDITIONS, AVAILABLE_CONDITIONS)}."
SCHEMA_HELP = f"How the database is presented: {choices(SCHEMAS, AVAILABLE_SCHEMAS)}."


class _PipedConsole(Console):
    """A console whose reader may stop reading, as `head` does, which is no failure."""

    def on_broken_pipe(self) -> None:
        try:
            super().on_broken_pipe()  # turns what is still to be printed away
        except SystemExit:
            sys.exit(0)


notes = Console(stderr=True)
output = _PipedConsole()


def open_store(folder: Path | None) -> Store:
    """Return the store a command works on."""
    return Store((folder or default_store()).expanduser().absolute())


def print_json(value: Any) -> None:
    """Print a JSON-able value alone on standard output.

    Raises:
        ValueError: it holds a number that JSON has no sign for.
    """
    sys.stdout.write(json.dumps(value, indent=2, default=str, allow_nan=False) + "\n")


def require_convention_name(name: str) -> Convention:
    """Return a convention's name.

    Raises:
        InputError: there is no such convention.
    """
    if name not in get_args(Convention):
        raise InputError(
            f"no convention is called {name}", remedy=f"choose: {', '.join(get_args(Convention))}"
        )
    return cast(Convention, name)


def require_drops_name(name: str) -> Drops:
    """Return a drop rule's name.

    Raises:
        InputError: there is no such rule.
    """
    if name not in get_args(Drops):
        raise InputError(f"no drop rule is called {name}", remedy="choose: strict, published")
    return cast(Drops, name)


def require_folder(folder: Path | None) -> Path:
    """Return the folder files are written to.

    Raises:
        InputError: none was named; rows are never written where nobody asked for them.
    """
    if folder is None:
        raise InputError("no folder was named", remedy="say where with --to DIR")
    return folder


def counted(number: int, thing: str) -> str:
    """Return a count with its noun, as English wants it."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
