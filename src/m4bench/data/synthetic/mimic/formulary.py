# SPDX-License-Identifier: MIT
"""The drugs the pharmacy has, read off `formulary.csv`: names, routes, doses, intervals. Knows no patient and no order.

Names are written as pharmacies write them, in mixed case. Beside what the derivations look for there are names
that look alike and must not count. Codes (NDC, GSN, formulary) are invented, outside what is assigned.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray

ONCE, CONTINUOUS, WHEN_NEEDED = "0", "C", "P"


class Drug(NamedTuple):
    """One line of the formulary; `every` is an interval in hours, ONCE, CONTINUOUS, or WHEN_NEEDED with hours."""

    group: str
    drug: str
    route: str
    dose: str
    unit: str
    form: str
    every: str
    weight: str
    diluent: str

    @property
    def hours(self) -> float:
        """Return the interval between doses in hours; 0 for a single dose, 4 for what runs continuously."""
        if self.every == CONTINUOUS:
            return 4.0
        return float(self.every.removeprefix(WHEN_NEEDED))

    @property
    def when_needed(self) -> bool:
        """Tell whether it is given when needed only."""
        return self.every.startswith(WHEN_NEEDED)


class Diluent(NamedTuple):
    """A fluid that carries a drug: its name in the prescription, its volume in mL, its form."""

    drug: str
    volume: str
    form: str


DILUENTS: dict[str, tuple[Diluent, ...]] = {
    "salt": (
        Diluent("0.9% Sodium Chloride", "100", "BAG"),
        Diluent("Sodium Chloride 0.9%", "250", "BAG"),
        Diluent("NS", "100", "mL"),
    ),
    "dextrose": (
        Diluent("Iso-Osmotic Dextrose", "50", "BAG"),
        Diluent("5% Dextrose", "250", "BAG"),
        Diluent("Dextrose 5%", "100", "mL"),
    ),
    "minibag": (
        Diluent("0.9% Sodium Chloride (Mini Bag Plus)", "100", "BAG"),
        Diluent("Bag", "1", "BAG"),
        Diluent("Vial", "1", "VIAL"),
    ),
    "water": (Diluent("Sterile Water", "50", "mL"), Diluent("SW", "100", "mL")),
    "salt drip": (Diluent("0.9% Sodium Chloride", "250", "BAG"), Diluent("Soln", "100", "mL")),
    "dextrose drip": (Diluent("5% Dextrose", "250", "BAG"), Diluent("D5W", "250", "BAG")),
}
OF_ITSELF = (
    Diluent("Vancomycin", "200", "BAG"),
    Diluent("CefazoLIN 2 g Premix", "1", "BAG"),
    Diluent("Meropenem", "1", "VIAL"),
)
"""Antibiotics that are entered as the base of a mixture: two of them also exist as a main drug, one does not."""


@cache
def formulary() -> tuple[Drug, ...]:
    """Return all drugs in the order of the file."""
    place = files("m4bench.data.synthetic.mimic").joinpath("formulary.csv")
    lines = place.read_text(encoding="utf-8").splitlines()
    return tuple(Drug(**row) for row in csv.DictReader(lines))


@cache
def groups() -> tuple[str, ...]:
    """Return the groups of drugs in the order of the file."""
    return tuple(dict.fromkeys(drug.group for drug in formulary()))


@cache
def group_members(group: str) -> tuple[IntArray, FloatArray]:
    """Return the places of a group's drugs in the formulary, and how often each is ordered."""
    places = [place for place, drug in enumerate(formulary()) if drug.group == group]
    weights = [float(formulary()[place].weight) for place in places]
    return np.array(places), np.array(weights)


def frequency(drug: Drug) -> str:
    """Return how often a drug is given, as it is written in an order."""
    fixed = {"0": "ONCE", "C": "TITRATE TO", "24": "DAILY", "12": "BID", "8": "TID", "6": "Q6H"}
    fixed |= {"4": "Q4H", "P1": "PRN", "P24": "DAILY:PRN", "P12": "BID:PRN"}
    return fixed.get(drug.every, f"Q{drug.every.removeprefix(WHEN_NEEDED)}H:PRN")


def schedule(drug: Drug) -> str | None:
    """Return the clock hours a drug is given at, or None when it has none."""
    return {"24": "08", "12": "08, 20", "8": "08, 14, 20", "6": "00, 06, 12, 18"}.get(drug.every)
