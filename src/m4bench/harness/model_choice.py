# SPDX-License-Identifier: MIT
"""Which model a run may reach, where, and by whose leave: settled before anything is sent. Opens no connection."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import yaml

from m4bench.harness.agents.agent import Agent
from m4bench.harness.gateway.endpoints import ChosenEndpoint, locate_endpoint, recorded_endpoint
from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, LaneLimits, WireProtocol
from m4bench.harness.gateway.policy import require_permission
from m4bench.harness.gateway.prices import read_table, require_prices
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file

RECORDED_ANSWERS = "no data are sent: answers come from a recording"
MARKER_LENGTH = 60
_MODEL_IN_PATH = re.compile(r"/v1beta/models/([^/:]+):")
_FRONT = re.compile(r"\A---\n(.*?)\n---", re.DOTALL)


@dataclass(frozen=True)
class ModelSettings:
    """What a user chose for the way to a model.

    `endpoint` is a name or an address, None the agent's own. `limits` are the run's. `also_models` may be asked
    for beside the run's model. `record` keeps a recording, `replay` is one to be answered from, `bodies` logs
    what is sent and received, `prices` is a table of the user's own.
    """

    endpoint: str | None = None
    limits: LaneLimits = field(default_factory=LaneLimits)
    also_models: tuple[str, ...] = ()
    record: bool = False
    replay: Path | None = None
    bodies: bool = False
    prices: Path | None = None

    @property
    def asked(self) -> bool:
        """Whether anything was chosen."""
        return self != ModelSettings()


@dataclass(frozen=True)
class ModelChoice:
    """The way to a model that a run takes; `permitted_by` is why data of this `access` may go there."""

    access: str
    chosen: ChosenEndpoint
    model: str
    models: tuple[str, ...]
    permitted_by: str
    settings: ModelSettings

    def options(self) -> dict[str, str]:
        """Return what a result depends on, without an address or a path."""
        limits = self.settings.limits
        found = {"endpoint": self.chosen.place, "protocol": self.chosen.protocol}
        bounds = {
            "most requests": limits.requests,
            "most tokens": limits.tokens,
            "most cost": limits.cost_usd,
        }
        found |= {name: str(value) for name, value in bounds.items() if value is not None}
        if self.settings.also_models:
            found["also models"] = " ".join(self.settings.also_models)
        if self.settings.replay is not None:
            found["replay"] = sha256_file(self.settings.replay)
        return found


def choose_model(
    agent: Agent,
    model: str | None,
    settings: ModelSettings,
    *,
    access: str,
    dataset: str,
    environ: Mapping[str, str] | None = None,
) -> ModelChoice | None:
    """Return the way to the model of a run; None for an agent without one.

    Args:
        agent: its protocols decide which endpoints it can use.
        model: the run's model.
        settings: what the user chose.
        access: of the data set.
        dataset: its name, for a refusal.
        environ: where keys are looked for, by default the process's environment.

    Raises:
        InputError: an agent with a model has none, or one without was given a way; no such endpoint, no key, no
            protocol in common; the data may not be sent there, which is told before a key is looked for; a limit
            of money cannot be kept; or a recording is of another model.
    """
    protocols = tuple(getattr(agent, "protocols", ()))
    if not protocols:
        if settings.asked:
            raise InputError(
                f"the agent {agent.name} has no model to be reached",
                remedy="leave out --endpoint and what belongs to it",
            )
        return None
    if getattr(agent, "model_is_optional", False) and not settings.asked:
        return None
    if model is None:
        raise InputError(f"the agent {agent.name} needs a model", remedy="add --model NAME")
    models = (model, *(one for one in settings.also_models if one != model))
    if settings.replay is not None:
        protocol = _recorded_protocol(settings.replay, protocols)
        _require_recorded(settings.replay, model)
        chosen, permitted = recorded_endpoint(protocol), RECORDED_ANSWERS
    else:
        located = locate_endpoint(
            settings.endpoint, protocols, os.environ if environ is None else environ
        )
        place = located.chosen
        references = [require_permission(access, dataset, place, one).reference for one in models]
        permitted = "; ".join(dict.fromkeys(references))
        if settings.limits.cost_usd is not None:
            require_prices(models, settings.prices, here=place.loopback)
        chosen = located.with_key()
    if settings.prices is not None:
        read_table(settings.prices)
    return ModelChoice(access, chosen, model, models, permitted, settings)


def _recorded_protocol(recording: Path, protocols: Sequence[WireProtocol]) -> WireProtocol:
    """Return the protocol of a recording's first exchange."""
    remedy = "name the recording.jsonl of a run made with --record"
    try:
        with recording.open(encoding="utf-8") as stream:
            first = json.loads(stream.readline(64 << 20) or "null")
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", file=recording, remedy=remedy
        ) from error
    except (ValueError, RecursionError):
        raise InputError("is no recording", file=recording, row=1, remedy=remedy) from None
    found = first.get("protocol") if isinstance(first, dict) else None
    if found not in WIRE_PROTOCOLS:
        raise InputError("is no recording", file=recording, row=1, remedy=remedy)
    if found not in protocols:
        raise InputError(
            f"was recorded in a protocol this agent does not speak ({found})", file=recording
        )
    protocol: WireProtocol = found
    return protocol


def _require_recorded(recording: Path, model: str) -> None:
    """Refuse a recording in which a model was asked, and never this one."""
    others: set[str] = set()
    with recording.open("rb") as stream:
        for line in stream:
            asked = _asked_model(line)
            if asked == model:
                return
            if asked is not None:
                others.add(asked)
    if others:
        raise InputError(
            f"was recorded with another model ({', '.join(sorted(others))})",
            file=recording,
            remedy="give that one as --model",
        )


def _asked_model(line: bytes) -> str | None:
    """Return the model an exchange of a recording asked for; what is no exchange is told when it is opened."""
    try:
        exchange = json.loads(line)
        path, request = str(exchange["path"]), exchange["request"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    # Google's protocol has the model in the path
    if named := _MODEL_IN_PATH.match(path):
        return unquote(named[1])
    asked = request.get("model") if isinstance(request, dict) else None
    return asked if isinstance(asked, str) else None


def skill_markers(skills: Mapping[str, str]) -> dict[str, str]:
    """Return for each skill the words by which a request shows that the tool put it before its model.

    Args:
        skills: texts by path below a folder of skills (`sofa-score/SKILL.md`).
    """
    found = {}
    for path, text in skills.items():
        name, _, file = path.rpartition("/")
        if file == "SKILL.md":
            front = _FRONT.match(text)
            try:
                described = yaml.safe_load(front[1]).get("description") if front else None
            except (yaml.YAMLError, AttributeError):
                described = None
            if isinstance(described, str):
                found[name] = " ".join(described.split())[:MARKER_LENGTH]
    return found
