# SPDX-License-Identifier: MIT
"""Run the real command-line tools against the scripted model server and keep what they print.

Usage: python tools/record_agents.py --npm NODE_MODULES --mini PROGRAM [--tool NAME …] [--scenario NAME …]

Writes `tests/harness/agents/recorded/<tool>/<scenario>.jsonl` (`.json` for mini-swe-agent's trajectory file) and
the exit codes into `index.toml` beside them. Each run has a fresh home, a fresh work folder, no input and no
environment but its own; machine paths in what it prints become `/task` and `/home/agent`.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.harness.gateway.scripted import (  # noqa: E402 # the tree is not installed with its tests
    Call,
    Cut,
    Done,
    Overflow,
    Overlong,
    Refuse,
    Say,
    ScriptedServer,
    Slow,
    Status,
)
from tests.harness.gateway.scripted.script import Turn  # noqa: E402

WORK, HOME, KEY = "/task", "/home/agent", "lane-token"
PROMPT = "Write the word hello into output.csv."
LONGEST = 45.0
# Of a tool that repeats itself until it is ended, the first lines tell all.
MOST_LINES = 60
WRITE = Call("echo hello > output.csv")
QUOTA = Status(429, times=None, word="insufficient_quota", message="no credit left")

SCENARIOS: dict[str, list[Turn]] = {
    "happy": [WRITE, Done()],
    "tool-error": [Call("ls /nowhere; exit 3"), WRITE, Done()],
    "401": [Status(401, times=None)],
    "500": [Status(500, times=None)],
    "500-then-well": [Status(500), WRITE, Done()],
    "429-then-well": [Status(429, {"retry-after": "1"}), WRITE, Done()],
    "refusal": [WRITE, Refuse()],
    "cut": [WRITE, Cut(Say("It is written. " * 200), after=2500, times=None)],
    "cut-then-well": [Cut(WRITE, after=200), Done()],
    "overlong": [Overlong(6_000), WRITE, Done()],
    "overflow": [WRITE, Overflow()],
    "quota": [QUOTA],
    "slow": [Slow(WRITE, 0.3), Slow(Done(), 0.3)],
}


@dataclass(frozen=True)
class Prepared:
    """A command line, its environment beyond PATH and HOME, and files of the home by relative name."""

    argv: list[str]
    env: dict[str, str]
    home: dict[str, str]


def codex(program: Path, url: str) -> Prepared:
    """Codex over Responses, without retries of its own."""
    config = f"""model_provider = "m4bench"
web_search = "disabled"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.m4bench]
name = "m4bench"
base_url = "{url}/v1"
env_key = "M4BENCH_TOKEN"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
    argv = ["codex", "exec", "--json", "--skip-git-repo-check"]
    argv += ["--dangerously-bypass-approvals-and-sandbox", "--ephemeral", "-m", "scripted", PROMPT]
    return Prepared(_program(program, argv), {"M4BENCH_TOKEN": KEY}, {".codex/config.toml": config})


def claude_code(program: Path, url: str) -> Prepared:
    """Claude Code over Messages, without retries of its own."""
    env = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "IS_SANDBOX": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    argv = ["claude", "-p", "--output-format", "stream-json", "--verbose", "--model", "scripted"]
    argv += ["--dangerously-skip-permissions", "--no-session-persistence", PROMPT]
    return Prepared(_program(program, argv), env, {})


def gemini(program: Path, url: str) -> Prepared:
    """Gemini CLI over generateContent."""
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"disableAutoUpdate": True, "maxAttempts": 1},
        "privacy": {"usageStatisticsEnabled": False},
    }
    env = {
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": KEY,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    argv = ["gemini", "--yolo", "--model", "scripted", "--output-format", "stream-json"]
    argv += ["--prompt", PROMPT]
    return Prepared(
        _program(program, argv), env, {".gemini/settings.json": json.dumps(settings, indent=1)}
    )


def opencode(program: Path, url: str) -> Prepared:
    """Opencode over Chat Completions."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "m4bench",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {"scripted": {"name": "scripted"}},
    }
    config = {"provider": {"m4bench": provider}, "autoupdate": False, "share": "disabled"}
    env = {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
    argv = ["opencode", "--model", "m4bench/scripted", "run", "--format", "json", "--auto", PROMPT]
    return Prepared(
        _program(program, argv),
        env,
        {".config/opencode/opencode.json": json.dumps(config, indent=1)},
    )


def pi(program: Path, url: str) -> Prepared:
    """Pi over Chat Completions."""
    models = {
        "providers": {
            "m4bench": {
                "baseUrl": f"{url}/v1",
                "apiKey": "M4BENCH_TOKEN",
                "api": "openai-completions",
                "models": [{"id": "scripted"}],
            }
        }
    }
    env = {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "M4BENCH_TOKEN": KEY}
    argv = ["pi", "--print", "--mode", "json", "--provider", "m4bench", "--model", "scripted"]
    argv += ["--no-session", PROMPT]
    return Prepared(
        _program(program, argv), env, {".pi/agent/models.json": json.dumps(models, indent=1)}
    )


def qwen(program: Path, url: str) -> Prepared:
    """Qwen Code over Chat Completions."""
    settings = {
        "general": {"disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
    }
    argv = ["qwen", "--yolo", "--auth-type", "openai", "--model", "scripted"]
    argv += ["--openai-api-key", KEY, "--openai-base-url", f"{url}/v1"]
    argv += ["--output-format", "stream-json", PROMPT]
    return Prepared(
        _program(program, argv), {}, {".qwen/settings.json": json.dumps(settings, indent=1)}
    )


def mini_swe_agent(program: Path, url: str) -> Prepared:
    """Mini-swe-agent over Chat Completions, not streamed."""
    env = {
        "OPENAI_API_KEY": KEY,
        "MSWEA_CONFIGURED": "true",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    argv = [str(program), "--yolo", "--exit-immediately", "--model", "openai/scripted"]
    argv += ["--task", PROMPT, "--output", "{home}/trajectory.json", "--cost-limit", "0"]
    argv += ["-c", "mini.yaml", "-c", f"model.model_kwargs.api_base={url}/v1"]
    return Prepared(argv, env, {})


TOOLS: dict[str, Callable[[Path, str], Prepared]] = {
    "codex": codex,
    "claude-code": claude_code,
    "gemini": gemini,
    "opencode": opencode,
    "pi": pi,
    "qwen": qwen,
    "mini-swe-agent": mini_swe_agent,
}


def _program(modules: Path, argv: list[str]) -> list[str]:
    return [str(modules / ".bin" / argv[0]), *argv[1:]]


@dataclass(frozen=True)
class Recorded:
    """What a run left."""

    exit_code: int | None
    seconds: float
    requests: int
    side_requests: int
    output: bool
    text: str


def record(tool: str, program: Path, turns: list[Turn]) -> Recorded:
    """Run a tool once against a script."""
    place = Path(tempfile.mkdtemp(prefix="record-"))
    try:
        home, work = place / "home" / "agent", place / "task"
        home.mkdir(parents=True)
        work.mkdir()
        with ScriptedServer(turns) as server:
            prepared = TOOLS[tool](program, server.url)
            for name, text in prepared.home.items():
                target = home / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"} | prepared.env
            argv = [part.replace("{home}", str(home)) for part in prepared.argv]
            began = time.monotonic()
            code, printed = _run(argv, env, work)
            seconds = time.monotonic() - began
            trajectory = home / "trajectory.json"
            if tool == "mini-swe-agent":
                printed = _shortened(trajectory.read_text("utf-8")) if trajectory.exists() else ""
            text = _without_paths(printed, place, program, server.port)
            if code is None:
                text = "".join(text.splitlines(keepends=True)[:MOST_LINES])
            asked = len(server.asked)
            return Recorded(
                code,
                seconds,
                asked,
                len(server.seen) - asked,
                (work / "output.csv").exists(),
                text,
            )
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _run(argv: list[str], env: dict[str, str], work: Path) -> tuple[int | None, str]:
    """Return exit code, None when it had to be ended, and standard output."""
    with tempfile.TemporaryFile() as kept:
        process = subprocess.Popen(
            argv,
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=kept,
            stderr=subprocess.PIPE if os.environ.get("SHOW") else subprocess.DEVNULL,
            start_new_session=True,
        )
        code: int | None
        try:
            _, error = process.communicate(timeout=LONGEST)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, error = process.communicate()
            code = None
        if error:
            print(error.decode("utf-8", "replace")[-3000:], file=sys.stderr)
        kept.seek(0)
        return code, kept.read().decode("utf-8", "replace")


def _shortened(trajectory: str) -> str:
    """Return mini-swe-agent's trajectory without its own long prompts, which name the machine."""
    kept = json.loads(trajectory)
    for part in kept["info"]["config"].values():
        for name in part if isinstance(part, dict) else ():
            if name.endswith("_template"):
                part[name] = "…"
    for message in kept["messages"]:
        if message.get("role") == "user" and PROMPT in str(message["content"]):
            message["content"] = f"Please solve this issue: {PROMPT} …"
        if "traceback" in message.get("extra", {}):
            message["extra"]["traceback"] = "…"
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _without_paths(text: str, place: Path, program: Path, port: int) -> str:
    text = text.replace(str(place / "task"), WORK).replace(str(place / "home/agent"), HOME)
    text = re.sub(rf"127\.0\.0\.1:{port}\b", "127.0.0.1:8377", text)
    modules = str(program.parent if program.name == "node_modules" else program.parent.parent)
    return text.replace(modules, "/opt/tools")


def _write_index(folder: Path, found: dict[str, Recorded]) -> None:
    index = folder / "index.toml"
    lines = {}
    if index.exists():
        for line in index.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                lines[line.split(" = ")[0].strip('"')] = line
    for scenario, seen in found.items():
        code = "" if seen.exit_code is None else f"exit_code = {seen.exit_code}, "
        lines[scenario] = (
            f'"{scenario}" = {{ {code}requests = {seen.requests}, '
            f"side_requests = {seen.side_requests}, output = {str(seen.output).lower()} }}"
        )
    order = [name for name in SCENARIOS if name in lines]
    head = (
        "# How each recorded run ended; one without exit_code did not end by itself in 45 s, "
        "and its first lines are kept.\n"
    )
    index.write_text(head + "\n".join(lines[name] for name in order) + "\n", encoding="utf-8")


def main() -> None:
    """Record the chosen tools and scenarios."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--npm", type=Path, required=True)
    options.add_argument("--mini", type=Path, required=True)
    options.add_argument("--tool", action="append", choices=[*TOOLS])
    options.add_argument("--scenario", action="append", choices=[*SCENARIOS])
    options.add_argument("--to", type=Path, default=ROOT / "tests/harness/agents/recorded")
    chosen = options.parse_args()
    for tool in chosen.tool or TOOLS:
        folder = chosen.to / tool
        folder.mkdir(parents=True, exist_ok=True)
        program = chosen.mini if tool == "mini-swe-agent" else chosen.npm
        for scenario in chosen.scenario or SCENARIOS:
            seen = record(tool, program.absolute(), SCENARIOS[scenario])
            suffix = "json" if tool == "mini-swe-agent" else "jsonl"
            (folder / f"{scenario}.{suffix}").write_text(seen.text, encoding="utf-8")
            _write_index(folder, {scenario: seen})
            print(
                f"{tool} {scenario}: exit {seen.exit_code}, {seen.seconds:.1f} s, "
                f"{seen.requests}+{seen.side_requests} requests, output {seen.output}, "
                f"{len(seen.text)} characters",
                flush=True,
            )


if __name__ == "__main__":
    main()
