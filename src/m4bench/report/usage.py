# SPDX-License-Identifier: MIT
"""What a run with a model used and did, as a report writes it: versions, requests, tokens, money. Knows no page."""

from collections.abc import Iterable
from dataclasses import dataclass

from m4bench.model.run import RunRecord
from m4bench.model.usage import Usage
from m4bench.report import wording
from m4bench.report.arms import ArmName, version_shown
from m4bench.report.summary import Cell

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Used:
    """What one run used, each in words; `unknown` where nobody counted it, never 0.

    `answered` are the names under which the model answered, `tokens_note` says why a count is too low.
    """

    name: ArmName
    run: RunRecord
    version: str
    answered: str
    endpoint: str
    requests: str
    requests_note: str
    tokens: str
    tokens_note: str
    cost: str
    tool_calls: str
    commands: str
    skills: str


def used(cells: Iterable[tuple[ArmName, Cell]]) -> list[Used]:
    """Return what each run used that reached a model through the gateway; other runs are left out."""
    return [
        found
        for name, cell in cells
        for run in cell.runs
        if (found := _used(name, run)) is not None
    ]


def tool_version(run: RunRecord) -> str:
    """Return the version a tool told of itself, else the one it was recorded under."""
    told = run.tool.version if run.tool else None
    return told or version_shown(run.agent_version)


def _used(name: ArmName, run: RunRecord) -> Used | None:
    model, usage, seen = run.model, run.usage, run.activity
    if model is None:
        return None
    tokens, note = _tokens(usage)
    return Used(
        name=name,
        run=run,
        version=tool_version(run),
        answered=", ".join(model.models_answered) or UNKNOWN,
        endpoint=f"{model.endpoint}, {model.protocol}" + (", recorded" if model.replayed else ""),
        requests=wording.count(usage.requests) if usage else UNKNOWN,
        requests_note=f"{wording.count(usage.failed)} failed" if usage and usage.failed else "",
        tokens=tokens,
        tokens_note=note,
        cost=cost(usage),
        tool_calls=wording.count(seen.tool_calls) if seen else UNKNOWN,
        commands=wording.count(seen.commands) if seen else UNKNOWN,
        skills=", ".join(model.skills_seen) or "none",
    )


def _tokens(usage: Usage | None) -> tuple[str, str]:
    """Return tokens sent and made, and what is not in them."""
    if usage is None or (usage.uncounted and not usage.tokens.total):
        return UNKNOWN, ""
    text = f"{wording.count(usage.tokens.input)} in, {wording.count(usage.tokens.output)} out"
    if not usage.uncounted:
        return text, ""
    answers = wording.plural(usage.uncounted, "answer")
    return f"at least {text}", f"{answers} came without a count"


def cost(usage: Usage | None) -> str:
    """Return the cost in US dollars: to the cent from one dollar on, else with two figures that tell."""
    if usage is None or usage.cost_usd is None:
        return UNKNOWN
    dollars = usage.cost_usd
    if dollars == 0 or dollars >= 1:
        return f"${dollars:.2f}"
    return f"${dollars:.4f}" if dollars >= 0.0001 else "<$0.0001"
