# SPDX-License-Identifier: MIT
"""The two item dictionaries: labels, categories and units of all items used, and of look-alikes beside them.

The texts lie in `d_items.csv` (with the assessments of `assessments.csv`) and `d_labitems.csv`; the latter's
`unit` is the unit results are written in and is no column of the released dictionary. Knows no value.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np


@cache
def _rows(name: str) -> tuple[dict[str, str | None], ...]:
    text = files("m4bench.data.synthetic.mimic").joinpath(name).read_text(encoding="utf-8")
    return tuple(
        {key: value or None for key, value in row.items()}
        for row in csv.DictReader(text.splitlines())
    )


def _column(rows: tuple[dict[str, str | None], ...], name: str) -> Any:
    return np.array([row[name] for row in rows], dtype=object)


def _itemids(rows: tuple[dict[str, str | None], ...]) -> Any:
    return np.array([int(row["itemid"] or 0) for row in rows])


def _numbers(rows: tuple[dict[str, str | None], ...], name: str) -> Any:
    return np.array([float(row[name] or "nan") for row in rows])


@cache
def _items() -> tuple[dict[str, str | None], ...]:
    """Return the lines of d_items in order of the item, those of the assessments among them."""
    assessed = tuple(
        row | {"linksto": "chartevents", "lownormalvalue": None, "highnormalvalue": None}
        for row in _rows("assessments.csv")
    )
    return tuple(sorted(_rows("d_items.csv") + assessed, key=lambda row: int(row["itemid"] or 0)))


def chart_units() -> dict[int, str | None]:
    """Return the unit text of every item of d_items."""
    rows = _items()
    return dict(zip(_itemids(rows).tolist(), _column(rows, "unitname"), strict=True))


def lab_units() -> dict[int, str | None]:
    """Return the unit text of every item of d_labitems."""
    rows = _rows("d_labitems.csv")
    return dict(zip(_itemids(rows).tolist(), _column(rows, "unit"), strict=True))


def item_columns() -> dict[str, Any]:
    """Return the columns of d_items."""
    rows = _items()
    names = ("label", "abbreviation", "linksto", "category", "unitname", "param_type")
    texts = {name: _column(rows, name) for name in names}
    limits = {name: _numbers(rows, name) for name in ("lownormalvalue", "highnormalvalue")}
    return {"itemid": _itemids(rows)} | texts | limits


def lab_item_columns() -> dict[str, Any]:
    """Return the columns of d_labitems."""
    rows = _rows("d_labitems.csv")
    return {"itemid": _itemids(rows)} | {
        name: _column(rows, name) for name in ("label", "fluid", "category")
    }
