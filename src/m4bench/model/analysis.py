# SPDX-License-Identifier: MIT
"""A declared analysis: what is compared, how tasks weigh, which runs count. Knows no run and computes nothing."""

from typing import Literal

from pydantic import Field, model_validator

from m4bench.model.hashing import sha256_record
from m4bench.model.record import Record

PLAN_FORMAT = 1

Weighting = Literal["task", "family"]
Denominator = Literal["valid", "all"]
Claim = Literal["difference", "non-inferiority", "equivalence"]
IntervalMethod = Literal["family-t", "family-bootstrap-t"]
Level = float


class DeclaredContrast(Record):
    """One comparison, `treatment:control`: its delta is the treatment's mean minus the control's.

    Each side is `CONDITION[@SCHEMA]` or `FIELD=VALUE[,FIELD=VALUE…]`; what neither side names is held equal on
    both. `margin` is in units of the metric and belongs to a claim of non-inferiority (the treatment is worse by
    less than it) or equivalence (the two differ by less than it); rewards lie in 0..1, and a margin between.
    """

    contrast: str
    claim: Claim = "difference"
    margin: float | None = Field(default=None, gt=0, lt=1)

    @model_validator(mode="after")
    def _margin_where_claimed(self) -> "DeclaredContrast":
        if (self.claim == "difference") != (self.margin is None):
            raise ValueError(
                "a claim of non-inferiority or equivalence has a margin, a difference none"
            )
        return self


class AnalysisPlan(Record):
    """The `[analysis]` table of a campaign, whole: given before the runs, its hash stands in the report.

    `contrasts` are the primary ones, over whose p-values, each of what is claimed, Holm's correction is made;
    `exploratory` ones are corrected by Benjamini and Hochberg's. `weighting`: each task equal, or each family.
    `denominator`: `valid`, every run whose state counts, an agent's failure as 0; `all`, runs without a measurement
    as 0 too. `interval` is the headline's. `declared` is false of the analysis this program supplies
    where none was given.
    """

    format_version: int = PLAN_FORMAT
    contrasts: tuple[DeclaredContrast, ...] = ()
    exploratory: tuple[DeclaredContrast, ...] = ()
    weighting: Weighting = "task"
    denominator: Denominator = "valid"
    interval: IntervalMethod = "family-t"
    confidence: float = Field(default=0.95, gt=0.5, le=0.9999)
    draws: int = Field(default=20_000, ge=1_000, le=1_000_000)
    seed: int = Field(default=20261130, ge=0, lt=2**32)
    declared: bool = False

    def digest(self) -> str:
        """Return the sha256 of the plan, by which a report names it."""
        return sha256_record(self.model_dump(mode="json"))
