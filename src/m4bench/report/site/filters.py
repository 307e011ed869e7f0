# SPDX-License-Identifier: MIT
"""What a reader of a site can filter boards by, and how a setting is written. Knows no run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from m4bench.analysis.order import Key, condition_key, convention_key, schema_key
from m4bench.report import wording
from m4bench.report.site.boards import NOT_TOLD, Board, Place

SHORT_HASH = 8
ACCESS = {
    "open": "open data",
    "credentialed": "data given under an agreement",
    "synthetic": "recorded as invented patients",
}

ACCESS_RULES = {
    "open": "Data anyone may have, under their open licence. Rates and counts over whole tables; no row is here.",
    "credentialed": (
        "Data given to persons under an agreement that forbids passing rows on. What stands here are rates and "
        "counts over whole tables that their sources made; no row, key or value, no output, trace or reason of a "
        "run. Whether such figures may be shown, and where, is for the agreement and whoever signed it."
    ),
    "synthetic": (
        "The source says that its patients are invented; nobody has proven it here. Rates and counts only."
    ),
    "": "The source does not say who may have the data. Treated as data under an agreement: rates and counts only.",
}


@dataclass(frozen=True)
class Filter:
    """One choice: what boards are filtered by, its values, and the value of the board shown first."""

    name: str
    label: str
    values: tuple[str, ...]
    first: str


@dataclass(frozen=True)
class Part:
    """One line of what a board holds equal: a value and what it means."""

    label: str
    value: str
    meaning: str = ""


def field_values(place: Place, several: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return a board's value of each field it can be filtered by, as a page writes it.

    Args:
        place: what the board holds equal.
        several: names under which there are several datasets, which their hashes tell apart.
    """
    setting = place.setting
    dataset = setting.dataset or NOT_TOLD
    if setting.dataset in several:
        dataset += f", hash {setting.dataset_hash[:SHORT_HASH] or NOT_TOLD}"
    return {
        "condition": place.condition,
        "schema": place.schema,
        "convention": setting.convention or NOT_TOLD,
        "access": setting.access or NOT_TOLD,
        "dataset": dataset,
        "drops": setting.drops or NOT_TOLD,
    }


def several_hashes(boards: Sequence[Board]) -> frozenset[str]:
    """Return the names under which there are several datasets."""
    hashes: dict[str, set[str]] = {}
    for board in boards:
        setting = board.place.setting
        hashes.setdefault(setting.dataset, set()).add(setting.dataset_hash)
    return frozenset(name for name, found in hashes.items() if len(found) > 1)


LABELS = {
    "condition": "Condition",
    "schema": "Schema",
    "convention": "Convention",
    "access": "Access",
    "dataset": "Dataset",
    "drops": "Drops",
}
ORDERS: Mapping[str, Callable[[str], Key]] = {
    "condition": condition_key,
    "schema": schema_key,
    "convention": convention_key,
}
ALWAYS = ("condition", "schema", "convention", "access", "dataset")
MEANINGS: Mapping[str, Mapping[str, str]] = {
    "condition": wording.CONDITIONS,
    "schema": wording.SCHEMAS,
    "convention": wording.CONVENTIONS,
    "access": ACCESS,
    "drops": wording.DROPS,
}


def filters(boards: Sequence[Board]) -> list[Filter]:
    """Return the choices over some boards: those always there, and others where boards differ in them."""
    if not boards:
        return []
    several = several_hashes(boards)
    told = [field_values(board.place, several) for board in boards]
    found = []
    for name, label in LABELS.items():
        values = tuple(sorted({one[name] for one in told}, key=ORDERS.get(name)))
        if name in ALWAYS or len(values) > 1:
            found.append(Filter(name, label, values, told[0][name]))
    return found


def parts(place: Place) -> list[Part]:
    """Return what a board holds equal, in words."""
    digests = [digest[:SHORT_HASH] for digest in place.setting.dataset_hash.split(" + ") if digest]
    meanings = {
        name: MEANINGS.get(name, {}).get(value, "") for name, value in field_values(place).items()
    }
    meanings["dataset"] = f"dataset hash {' + '.join(digests)}" if digests else ""
    return [
        Part(LABELS[name], value, meanings[name]) for name, value in field_values(place).items()
    ]
