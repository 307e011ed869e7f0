# SPDX-License-Identifier: MIT
"""The user's own program as an agent: a file, or a folder with a `main.py` or an executable `run` in it.

With an endpoint it finds the gateway under the names that the providers' own libraries read.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from m4bench.harness.agents.agent import (
    SKILL_FOLDERS,
    AgentContext,
    AgentSettings,
    Launch,
    ModelAccess,
    refuse_settings,
)
from m4bench.harness.gateway.lane import WIRE_PROTOCOLS
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.legible import is_utf8

ENTRIES = ("run", "main.py")


class CommandAgent:
    """Runs `--program`: a `.py` file by the agent's Python, another by its own first line."""

    name = "command"
    publishable = True
    skill_folders = SKILL_FOLDERS
    protocols = WIRE_PROTOCOLS
    model_is_optional = True

    def __init__(self, settings: AgentSettings) -> None:
        refuse_settings(self.name, settings, "model", "effort", "program", "program_args")
        if settings.program is None:
            raise InputError("the agent command needs a program", remedy="add --program PATH")
        self.program = settings.program.resolve()
        if not is_utf8(self.program.name):
            raise InputError(
                "its name is not UTF-8", file=self.program, remedy="rename the program"
            )
        if not is_utf8(settings.program_args or ""):
            raise InputError(
                "--program-args is not UTF-8", remedy="give such bytes to the program in a file"
            )
        try:
            self.arguments = shlex.split(settings.program_args or "")
        except ValueError as error:
            raise InputError(f"--program-args cannot be read ({error})") from error
        self.entry = entry_of(self.program)

    def version(self) -> str:
        """Return the sha256 of the program: of the file, or of all names, modes and contents of the folder."""
        if self.program.is_file():
            return sha256_file(self.program)
        return sha256_record([list(one) for one in _contents(self.program)])

    def options(self) -> Mapping[str, str]:
        """Return the program's name and arguments."""
        return {"program": self.program.name, "arguments": shlex.join(self.arguments)}

    def prepare(self, context: AgentContext) -> Launch:
        """Return the start of the program."""
        inside = f"{context.layout.program}/{self.entry.name}"
        start = (context.layout.python, inside) if self.entry.suffix == ".py" else (inside,)
        env = model_variables(context.access) if context.access is not None else {}
        return Launch((*start, *self.arguments), env=env, program=self.program)


def model_variables(access: ModelAccess) -> dict[str, str]:
    """Return the variables by which the providers' own libraries find the gateway."""
    return {
        "M4BENCH_MODEL_URL": access.base_url,
        "M4BENCH_MODEL_KEY": access.token,
        "OPENAI_BASE_URL": f"{access.base_url}/v1",
        "OPENAI_API_KEY": access.token,
        "ANTHROPIC_BASE_URL": access.base_url,
        "ANTHROPIC_API_KEY": access.token,
        "GOOGLE_GEMINI_BASE_URL": access.base_url,
        "GEMINI_API_KEY": access.token,
    }


def entry_of(program: Path) -> Path:
    """Return the file of a program that is started.

    Raises:
        InputError: there is none, or it cannot be executed.
    """
    if not program.exists():
        raise InputError("there is no such program", file=program)
    candidates = [program] if program.is_file() else [program / name for name in ENTRIES]
    entry = next((one for one in candidates if one.is_file()), None)
    if entry is None:
        raise InputError(
            "holds no program", file=program, remedy="add an executable run or a main.py"
        )
    if entry.suffix != ".py" and not os.access(entry, os.X_OK):
        raise InputError("is not executable", file=entry, remedy=f"chmod +x {entry}")
    return entry


def _contents(folder: Path) -> Iterator[tuple[str, int, str]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name, 0, f"-> {path.readlink()}"
        elif path.is_file() and "__pycache__" not in path.parts:
            yield name, path.stat().st_mode & 0o111, sha256_file(path)
