# SPDX-License-Identifier: MIT
"""The part of a page that is on a campaign, and the page of that part alone. Knows no file and computes nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from m4bench.analysis import words
from m4bench.analysis.results import Analysis
from m4bench.analysis.runs import RunTable
from m4bench.model.task import Task
from m4bench.report.campaign import writing
from m4bench.report.campaign.caveats import family_caveats
from m4bench.report.campaign.opening import compared, found
from m4bench.report.campaign.sections import REWARD, CampaignSections
from m4bench.report.page import Drawn
from m4bench.report.templating import render

ELSEWHERE = "decomposition"
# The section a figure stands in, by the first word of its name.
PLACES = {
    "forest": "contrasts",
    "decomposition": "decomposition",
    "heat": "cells",
    "schemas": "schemas",
    "conventions": "conventions",
    "strict": "arms",
    "cost": "costs",
    "failures": "failures",
    "standings": "standings",
}


@dataclass(frozen=True)
class CampaignPart:
    """What the part on a campaign shows: an analysis, the runs it was made from, and its figures as drawn."""

    analysis: Analysis
    table: RunTable
    figures: Sequence[Drawn]
    tasks: Mapping[str, Task]


def part_context(part: CampaignPart) -> dict[str, Any]:
    """Return what the templates of the part need; `campaign` is None where there is no part."""
    analysis = part.analysis
    ahead = [one for one in analysis.contrasts if one.role == "primary" and one.metric == REWARD]
    caveats = family_caveats(analysis.families, part.tasks, ahead[0] if ahead else None)
    return {
        "campaign": CampaignSections(analysis, caveats),
        "analysis": analysis,
        "writing": writing,
        "words": words,
        "figures_of": _by_place(analysis, part.figures),
    }


def campaign_page(part: CampaignPart, table_names: Sequence[str]) -> str:
    """Return the page of a campaign whose runs were read from tables, without records to look into."""
    accesses = {run.setting.access for run in part.table}
    return render(
        "campaign/page.html",
        part_context(part)
        | {
            "root": "",
            "compared": compared(part.analysis),
            "found": found(part.analysis),
            "credentialed": "credentialed" in accesses,
            "shown": False,
            "table_names": table_names,
        },
    )


def _by_place(analysis: Analysis, figures: Sequence[Drawn]) -> Callable[[str], list[Drawn]]:
    """Return a function from a section to its figures."""
    primary = sum(one.role == "primary" and bool(one.task_deltas) for one in analysis.contrasts)

    def figures_of(place: str) -> list[Drawn]:
        return [one for one in figures if place_of(one.figure.name, primary) == place]

    return figures_of


def place_of(name: str, primary: int) -> str:
    """Return the section a figure stands in; the first forests are those of the primary contrasts."""
    kind, _, number = name.partition("-")
    if kind == "forest" and number.isdigit() and int(number) > primary:
        return "exploratory"
    return PLACES.get(kind, ELSEWHERE)
