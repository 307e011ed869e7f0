# SPDX-License-Identifier: MIT
"""The analysis that is made: declared in a file, or the one this program supplies. Computes nothing."""

import json
import os
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.sides import FIELDS, WRITTEN, Side, Sides, resolve
from m4bench.model.analysis import PLAN_FORMAT, AnalysisPlan, Claim, DeclaredContrast
from m4bench.model.errors import InputError
from m4bench.model.legible import shortened
from m4bench.model.near_names import near

__all__ = [
    "PAPER_PLAN",
    "EntryError",
    "Side",
    "Sides",
    "at_entry",
    "contrasts_only",
    "default_plan",
    "named_by",
    "read_plan",
    "resolve",
]

TABLE = "analysis"
PLANS = Path(__file__).parent / "plans"
PAPER_PLAN = PLANS / "paper.toml"
LISTS = ("contrasts", "exploratory")
CLAIMS = get_args(Claim)
Place = tuple[int | str, ...]
"""The key of a fault: of the plan, or a list, the number of a contrast in it from 0, and its key."""
A_CLAIM = f"choose: {', '.join(CLAIMS)}; superiority is a difference whose delta is above 0"
LEAST_LIKE = 0.6
Refusal = Callable[[str, str], InputError]
"""Makes the error of a contrast from the problem and what to do about it."""
LARGEST = 1_000_000
MOST_CONTRASTS = 1_000
LONGEST_CONTRAST = 1_000
ONCE = "name each contrast once"
A_NUMBER = "write numbers of a few digits"
A_MARGIN = "a margin is in units of the reward, between 0 and 1"
KEYS = tuple(name for name in AnalysisPlan.model_fields if name != "declared")


class EntryError(InputError):
    """What an entry of a plan asks cannot be asked of the runs; whoever knows the file names it by `place`."""

    def __init__(self, error: InputError, place: Place) -> None:
        super().__init__(error.problem, file=error.file, remedy=error.remedy)
        self.place = place


@contextmanager
def at_entry(*place: int | str) -> Iterator[None]:
    """Say of an error which entry of the plan it is of.

    Raises:
        EntryError: there was one.
    """
    try:
        yield
    except InputError as error:
        raise EntryError(error, place) from error


@contextmanager
def named_by(path: Path | None) -> Iterator[None]:
    """Name the file of a plan, and the entry, in an error of what is asked; without a file it stays as it is.

    Raises:
        InputError: there was one.
    """
    try:
        yield
    except EntryError as error:
        if path is None:
            raise
        raise _fault(path, error.place, error.problem, error.remedy) from error


def read_plan(path: Path) -> AnalysisPlan:
    """Return the analysis that the `[analysis]` table of a TOML file declares; its other tables are a campaign's.

    Raises:
        InputError: it cannot be read, has no such table, or the table holds what no analysis has.
    """
    return _declared(path, _table(path))


def default_plan(table: RunTable) -> AnalysisPlan:
    """Return the analysis supplied where none is declared: the usual contrasts of which the runs hold both sides.

    A contrast is left out when no task, system and setting has runs on both sides. `declared` is false.
    """
    supplied = read_plan(PLANS / "default.toml")
    held = {name: _held(getattr(supplied, name), table) for name in LISTS}
    return supplied.model_copy(update={**held, "declared": False})


def contrasts_only(plan: AnalysisPlan, contrasts: Sequence[str]) -> AnalysisPlan:
    """Return a plan with other contrasts, all primary and none declared before the runs.

    Raises:
        InputError: one is named twice, be it turned round.
    """
    _require_once((_fault_of_options, one) for one in contrasts)
    chosen = tuple(DeclaredContrast(contrast=one) for one in contrasts)
    return plan.model_copy(update={"contrasts": chosen, "exploratory": (), "declared": False})


def _fault_of_options(problem: str, remedy: str) -> InputError:
    return InputError(problem, remedy=remedy)


def _held(contrasts: Iterable[DeclaredContrast], table: RunTable) -> tuple[DeclaredContrast, ...]:
    return tuple(one for one in contrasts if _pairs(one.contrast, table))


def _pairs(contrast: str, table: RunTable) -> bool:
    """Tell whether a task has runs on both sides that differ in nothing else."""
    try:
        sides = resolve(contrast, table)
    except InputError:
        return False
    free = [name for name in FIELDS if name not in sides.treatment.named]

    def place(run: RunRow) -> tuple[str, ...]:
        held = (run.setting.dataset_hash, run.setting.drops, run.setting.sandbox)
        return (run.task, *held, *(FIELDS[name](run) for name in free))

    treated = {place(run) for run in table if sides.treatment.matches(run)}
    return any(place(run) in treated for run in table if sides.control.matches(run))


def _table(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(_content(path).decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", file=path, remedy="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML ({error})", file=path) from error
    except ValueError:  # as Python is of digits without end
        raise InputError("holds a number that is too long", file=path, remedy=A_NUMBER) from None
    except RecursionError:
        raise InputError("is nested too deeply", file=path, remedy="write it plainly") from None
    table = found.get(TABLE)
    if not isinstance(table, dict):
        raise InputError(
            "has no [analysis] table", file=path, remedy="declare the analysis under [analysis]"
        )
    return table


def _content(path: Path) -> bytes:
    """Return what a regular file of a plan's size holds; never waits.

    Raises:
        InputError: it is something else, or larger.
        OSError: it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError("is not a regular file", file=path, remedy="name a TOML file")
    with os.fdopen(descriptor, "rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError("is larger than 1 MB", file=path, remedy="name a file with [analysis]")
    return content


def _declared(path: Path, table: dict[str, Any]) -> AnalysisPlan:
    _require_known(path, table, KEYS, ())
    values = dict(table)
    for name in LISTS:
        values[name] = _contrasts(path, name, table.get(name, []))
    version = table.get("format_version", PLAN_FORMAT)
    if isinstance(version, int) and version < 1:
        remedy = f"write {PLAN_FORMAT}, or leave it out"
        raise _fault(path, ("format_version",), "is no format", remedy)
    if isinstance(version, int) and version > PLAN_FORMAT:
        raise _fault(
            path,
            ("format_version",),
            f"is of a later format than {PLAN_FORMAT}",
            "read it with a newer m4bench",
        )
    try:
        plan = AnalysisPlan.model_validate_json(
            json.dumps({**values, "declared": True}, default=str), strict=True
        )
    except ValidationError as error:
        raise _refusal(path, error) from error
    except ValueError:
        raise InputError("holds a number that is too long", file=path, remedy=A_NUMBER) from None
    _require_once(
        [
            (partial(_fault, path, (name, at)), one.contrast)
            for name in LISTS
            for at, one in enumerate(getattr(plan, name))
        ]
    )
    return plan


def _contrasts(path: Path, name: str, listed: Any) -> Any:
    """Return a list of contrasts with each text made a table."""
    if not isinstance(listed, list):
        raise _fault(path, (name,), "is not a list", f"write a list of {WRITTEN}")
    if len(listed) > MOST_CONTRASTS:
        remedy = f"name at most {MOST_CONTRASTS:,}"
        raise _fault(path, (name,), f"names {len(listed):,} contrasts", remedy)
    made = []
    for at, one in enumerate(listed):
        if isinstance(one, dict):
            _require_known(path, one, tuple(DeclaredContrast.model_fields), (name, at))
        elif not isinstance(one, str):
            raise _fault(path, (name, at), "is neither a text nor a table", f"write {WRITTEN}")
        made.append({"contrast": one} if isinstance(one, str) else one)
        text = made[-1].get("contrast")
        if isinstance(text, str) and ":" not in text:
            raise _fault(path, (name, at), "has no two sides", f"write {WRITTEN}")
        if isinstance(text, str) and len(text) > LONGEST_CONTRAST:
            problem = f"is {len(text):,} letters long"
            raise _fault(path, (name, at), problem, f"write at most {LONGEST_CONTRAST:,}")
    return made


def _require_known(path: Path, table: dict[str, Any], known: Sequence[str], place: Place) -> None:
    for key in table:
        if key not in known:
            what = "a contrast" if place else "an analysis"
            meant = near(key, known, LEAST_LIKE)
            remedy = f"did you mean {meant}?" if meant else f"keys are: {', '.join(known)}"
            raise _fault(path, (*place, key), f"is no key of {what}", remedy)


def _refusal(path: Path, error: ValidationError) -> InputError:
    """Return the first fault that validation found, in words."""
    first = error.errors(include_input=False, include_url=False)[0]
    place: Place = first["loc"]
    if place[-1] == "margin":
        within = first["type"] in ("greater_than", "less_than")
        return _fault(path, place, "is out of range" if within else "is not a number", A_MARGIN)
    remedy = "see docs/reference/stats.md"
    if first["type"] == "literal_error":
        if place[-1] == "claim":
            return _fault(path, place, "has no such choice", A_CLAIM)
        known = get_args(AnalysisPlan.model_fields[str(place[0])].annotation)
        return _fault(path, place, "has no such choice", f"choose: {', '.join(known)}")
    if first["type"] == "missing":
        return _fault(path, place, "is missing", remedy)
    problem = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return _fault(path, place, problem, remedy)


def _require_once(contrasts: Iterable[tuple[Refusal, str]]) -> None:
    """Refuse a contrast of the same text as one before it, be it turned round; each comes with what words its error."""
    formers: set[str] = set()
    for refusal, one in contrasts:
        if one in formers:
            raise refusal(f"the contrast {shortened(one)} is named twice", ONCE)
        turned = next((former for former in _turned_round(one) if former in formers), None)
        if turned is not None:
            both = f"{shortened(turned)} and {shortened(one)}"
            raise refusal(f"the contrasts {both} are the same, turned round", ONCE)
        formers.add(one)


def _turned_round(contrast: str) -> Iterator[str]:
    """Return the contrast from its other side, at each colon where its sides may meet."""
    parts = contrast.split(":")
    for at in range(1, len(parts)):
        yield f"{':'.join(parts[at:])}:{':'.join(parts[:at])}"


def _fault(path: Path, place: Place, problem: str, remedy: str | None) -> InputError:
    """Return the error of a key, or of a contrast of a list by its number."""
    name, *inner = place
    words = shortened(str(name))
    if inner:
        words = f"entry {int(inner[0]) + 1} of {words}"
    if inner[1:]:
        words = f"{words}, {shortened(str(inner[1]))}"
    return InputError(f"[{TABLE}], {words}: {problem}", file=path, remedy=remedy)
