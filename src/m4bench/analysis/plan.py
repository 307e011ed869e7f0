# SPDX-License-Identifier: MIT
"""The analysis that is made: declared in a file, or the one this program supplies. Computes nothing."""

import difflib
import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from m4bench.analysis.runs import RunRow, RunTable
from m4bench.analysis.sides import FIELDS, WRITTEN, Side, Sides, resolve
from m4bench.model.analysis import PLAN_FORMAT, AnalysisPlan, DeclaredContrast
from m4bench.model.errors import InputError

__all__ = ["PAPER_PLAN", "Side", "Sides", "contrasts_only", "default_plan", "read_plan", "resolve"]

TABLE = "analysis"
PLANS = Path(__file__).parent / "plans"
PAPER_PLAN = PLANS / "paper.toml"
LISTS = ("contrasts", "exploratory")
KEYS = tuple(name for name in AnalysisPlan.model_fields if name != "declared")


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
        InputError: one is named twice.
    """
    _require_once(None, contrasts)
    chosen = tuple(DeclaredContrast(contrast=one) for one in contrasts)
    return plan.model_copy(update={"contrasts": chosen, "exploratory": (), "declared": False})


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
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", file=path, remedy="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML ({error})", file=path) from error
    table = found.get(TABLE)
    if not isinstance(table, dict):
        raise InputError(
            "has no [analysis] table", file=path, remedy="declare the analysis under [analysis]"
        )
    return table


def _declared(path: Path, table: dict[str, Any]) -> AnalysisPlan:
    _require_known(path, table, KEYS, "")
    values = dict(table)
    for name in LISTS:
        values[name] = _contrasts(path, name, table.get(name, []))
    version = table.get("format_version", PLAN_FORMAT)
    if isinstance(version, int) and version > PLAN_FORMAT:
        raise _fault(
            path,
            "format_version",
            f"is of a later format than {PLAN_FORMAT}",
            "read it with a newer m4bench",
        )
    try:
        plan = AnalysisPlan.model_validate_json(
            json.dumps({**values, "declared": True}, default=str), strict=True
        )
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise _fault(path, place, problem, "see docs/reference/stats.md") from error
    _require_once(path, [one.contrast for name in LISTS for one in getattr(plan, name)])
    return plan


def _contrasts(path: Path, name: str, listed: Any) -> Any:
    """Return a list of contrasts with each text made a table."""
    if not isinstance(listed, list):
        raise _fault(path, name, "is not a list", f"write a list of {WRITTEN}")
    made = []
    for at, one in enumerate(listed):
        if isinstance(one, dict):
            _require_known(path, one, tuple(DeclaredContrast.model_fields), f"{name}.{at}.")
        elif not isinstance(one, str):
            raise _fault(path, f"{name}.{at}", "is neither a text nor a table", f"write {WRITTEN}")
        made.append({"contrast": one} if isinstance(one, str) else one)
        text = made[-1].get("contrast")
        if isinstance(text, str) and ":" not in text:
            raise _fault(path, f"{name}.{at}", "has no two sides", f"write {WRITTEN}")
    return made


def _require_known(path: Path, table: dict[str, Any], known: Sequence[str], place: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"keys are: {', '.join(known)}"
            raise _fault(path, f"{place}{key}", "is no key of an analysis", remedy)


def _require_once(path: Path | None, contrasts: Sequence[str]) -> None:
    for at, one in enumerate(contrasts):
        if one in contrasts[:at]:
            raise InputError(
                f"the contrast {one} is named twice", file=path, remedy="name each contrast once"
            )


def _fault(path: Path, key: str, problem: str, remedy: str) -> InputError:
    return InputError(problem, file=path, column=f"{TABLE}.{key}", remedy=remedy)
