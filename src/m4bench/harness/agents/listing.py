# SPDX-License-Identifier: MIT
"""Tells of each installed agent what it needs, what of it is on this machine, and how it reaches a model."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points

from m4bench.harness.agents.agent import ENTRY_POINTS, agent_names
from m4bench.harness.agents.installation import Installation, Tool
from m4bench.harness.gateway.endpoints import USUAL
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.errors import InputError
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in


@dataclass(frozen=True)
class AgentListing:
    """What there is to say of an agent.

    `needs` is what has to be on the machine to install its tool, `version` and `place` are those of the tool
    that a run would use, `pinned` the version `m4bench agents install` makes; all are None for an agent without
    a tool. `missing` says why there is no usable one, and what to do.
    """

    agent: str
    protocols: tuple[WireProtocol, ...] = ()
    endpoint: str | None = None
    needs: str | None = None
    pinned: str | None = None
    version: str | None = None
    place: str | None = None
    missing: str | None = None


def listed() -> list[AgentListing]:
    """Return what there is to say of each agent, sorted by name."""
    return [_listing(name) for name in agent_names()]


def _listing(name: str) -> AgentListing:
    factory = _factory(name)
    if isinstance(factory, BrokenPlugIn):
        return AgentListing(name, missing=f"{name} is broken ({factory.why}); {factory.remedy}")
    protocols = tuple(getattr(factory, "protocols", ()))
    endpoint = USUAL.get(protocols[0]) if protocols else None
    tool: Tool | None = getattr(factory, "tool", None)
    if tool is None:
        return AgentListing(name, protocols, endpoint)
    version = place = missing = None
    try:
        found = tool.find()
        version, place = found.version, str(found.place)
    except InputError as error:
        missing = str(error)
    return AgentListing(name, protocols, endpoint, tool.needs, tool.pinned, version, place, missing)


def installable() -> dict[str, Tool]:
    """Return the tools `install` can make, by agent."""
    found = {name: getattr(_factory(name), "tool", None) for name in agent_names()}
    return {name: tool for name, tool in found.items() if tool is not None}


def install(
    names: Iterable[str], note: Callable[[str], None] = lambda _: None
) -> dict[str, Installation]:
    """Make the pinned tools of the named agents, one after the other, and return them.

    Raises:
        InputError: an agent is not known or has no tool, or one cannot be made; what was made before stays.
    """
    known = installable()
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise InputError(
                f"no agent's tool is called {name}", remedy=f"choose of: {', '.join(known)}"
            )
    return {name: known[name].install(note) for name in wanted}


def _factory(name: str) -> object:
    (point, *_) = entry_points(group=ENTRY_POINTS, name=name)
    return loaded_plug_in(point)
