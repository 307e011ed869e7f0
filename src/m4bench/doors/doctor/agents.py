# SPDX-License-Identifier: MIT
"""Which agents' command-line tools are here, of which version, and how to get the others. Starts no agent."""

from collections.abc import Iterator

from m4bench.doors.doctor.finding import Finding
from m4bench.harness.agents.listing import AgentListing, listed


def agents() -> Iterator[Finding]:
    """Yield a finding for each agent that is made of a tool."""
    for one in listed():
        if one.pinned is not None:
            yield _finding(one)


def _finding(one: AgentListing) -> Finding:
    meaning = f"a command-line tool, tested at {one.pinned}; its usual endpoint is {one.endpoint}"
    facts = {"version": one.version, "pinned": one.pinned, "protocols": one.protocols}
    if one.missing is not None:
        problem, _, remedy = one.missing.partition("; ")
        remedy = remedy or f"m4bench agents install {one.agent}"
        return Finding("agents", one.agent, "optional", problem, meaning, remedy, facts)
    place = {"place": one.place}
    found = f"{one.version}, {one.place}"
    if one.version != one.pinned:
        remedy = f"m4bench agents install {one.agent} for the tested version"
        return Finding("agents", one.agent, "ready", found, meaning, remedy, facts | place)
    return Finding("agents", one.agent, "ready", found, meaning, facts=facts | place)
