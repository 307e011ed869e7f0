# SPDX-License-Identifier: MIT
"""What an agent is, and where installed ones are found. Knows no sandbox and no score."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from m4bench.harness.agents.reading import StreamReader
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.errors import InputError, M4BenchError
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in
from m4bench.model.task import Task
from m4bench.suites.suite import StageRequest, Suite

ENTRY_POINTS = "m4bench.agents"
# The folders of skills that between them the command-line tools of today look into.
SKILL_FOLDERS = (".agents/skills", ".claude/skills")


@dataclass(frozen=True)
class AgentSettings:
    """What a user chose for an agent; an agent refuses what it has no use for."""

    model: str | None = None
    effort: str | None = None
    program: Path | None = None
    program_args: str | None = None


@dataclass(frozen=True)
class ModelAccess:
    """How an agent reaches its model: the gateway's address as it sees it, and what it uses as its key there.

    `base_url` has no path (`http://127.0.0.1:8377`): OpenAI's protocols follow at `/v1`, Anthropic's at
    `/v1/messages`, Google's at `/v1beta`.
    """

    base_url: str
    token: str
    protocol: WireProtocol
    model: str


@dataclass(frozen=True)
class AgentContext:
    """What an agent may know when a run is prepared: the task, and where things will stand.

    `prompt` is the text to hand to a command-line tool: the instruction. `skills` are the names of the skills in
    the work folder. `access` is None when the run has no model.
    """

    suite: Suite
    task: Task
    request: StageRequest
    instruction: str
    layout: Layout
    access: ModelAccess | None = None
    skills: tuple[str, ...] = ()
    timeout: float = 1800.0

    @property
    def prompt(self) -> str:
        """The text a command-line tool is started with."""
        return self.instruction


@dataclass(frozen=True)
class Launch:
    """How an agent is started.

    `argv` is its command line as seen inside. `files` are texts placed in the program folder by relative
    name; or `program` is a host file or folder shown there, read-only: a folder's content stands in the
    program folder, a file under its own name. `env` is added to the run's environment. `tools`, `home` and
    `collect` are those of `m4bench.harness.sandbox.sandbox.Plan`. `reader` reads what the tool prints.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    program: Path | None = None
    tools: Mapping[str, Path] = field(default_factory=dict)
    home: Mapping[str, str] = field(default_factory=dict)
    collect: Mapping[str, str] = field(default_factory=dict)
    reader: StreamReader | None = None


class Agent(Protocol):
    """A program that is given a work folder and writes the deliverable.

    `skill_folders` are the folders of the work folder in which it looks for Agent Skills; an agent without
    the attribute gets each skill in all of `SKILL_FOLDERS`. `protocols` are the wire protocols it can speak, the
    preferred one first; an agent without any has no model of its own and no gateway. `model_is_optional` is true
    for one that is also run without a gateway, when no endpoint is named.
    """

    name: str
    publishable: bool
    skill_folders: tuple[str, ...] = SKILL_FOLDERS
    protocols: tuple[WireProtocol, ...] = ()
    model_is_optional: bool = False

    def version(self) -> str:
        """Return what tells two programs of this name apart."""

    def options(self) -> Mapping[str, str]:
        """Return the settings a result depends on, without any path of this machine."""

    def prepare(self, context: AgentContext) -> Launch:
        """Return how to start it for one run."""


AgentFactory = Callable[[AgentSettings], Agent]


def agent_names() -> list[str]:
    """Return the names of the installed agents, sorted."""
    return sorted({point.name for point in entry_points(group=ENTRY_POINTS)})


def make_agent(name: str, settings: AgentSettings) -> Agent:
    """Return the agent of that name with the user's settings.

    Raises:
        InputError: it is not installed, cannot be loaded or made, or refuses a setting.
    """
    points = list(entry_points(group=ENTRY_POINTS, name=name))
    if not points:
        known = ", ".join(agent_names())
        raise InputError(f"no agent is called {name}", remedy=f"choose one of: {known}")
    loaded = loaded_plug_in(points[0])
    if isinstance(loaded, BrokenPlugIn):
        raise InputError(f"the agent {name} is broken ({loaded.why})", remedy=loaded.remedy)
    factory: AgentFactory = loaded
    try:
        return factory(settings)
    except M4BenchError:
        raise
    except Exception as error:  # noqa: BLE001 # a third party's, whose words may hold a credential
        raise InputError(
            f"the agent {name} is broken ({type(error).__name__})", remedy="mend its package"
        ) from None


def skill_folders(agent: Agent) -> tuple[str, ...]:
    """Return the folders, relative to the work folder, into which an agent's skills are put."""
    return tuple(getattr(agent, "skill_folders", SKILL_FOLDERS))


def refuse_settings(agent: str, settings: AgentSettings, *allowed: str) -> None:
    """Raise InputError for a setting an agent has no use for, so that none is lost unseen."""
    for name in ("model", "effort", "program", "program_args"):
        if getattr(settings, name) is not None and name not in allowed:
            option = "--" + name.replace("_", "-")
            raise InputError(f"the agent {agent} takes no {option}", remedy=f"leave out {option}")
