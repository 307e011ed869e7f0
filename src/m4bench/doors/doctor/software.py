# SPDX-License-Identifier: MIT
"""Whether the programs and packages are here that m4bench is made of. Knows no disk and no dataset."""

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from importlib.util import find_spec
from pathlib import Path

import duckdb
from packaging.requirements import Requirement
from packaging.version import Version

import m4bench
from m4bench.doors.doctor.finding import Finding
from m4bench.harness.agents.agent import ENTRY_POINTS as AGENTS
from m4bench.harness.sandbox.runtime import standing_runtime
from m4bench.suites.suite import ENTRY_POINTS as SUITES

DISTRIBUTION = "m4bench"
LEAST_PYTHON = (3, 11)
LOCKED = "pip install --require-hashes -r requirements.lock"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CONTAINERS = ("docker", "podman")
SHOWN = 4


def software() -> Iterator[Finding]:
    """Yield what is found of Python, packages, engine, plug-ins, the agents' Python and other programs."""
    yield _python()
    yield from _packages()
    yield _engine()
    yield _plug_ins()
    yield _agents_python()
    yield _container()
    yield _browser()


def _python() -> Finding:
    found = f"Python {platform.python_version()}"
    if sys.version_info >= LEAST_PYTHON:
        return Finding("software", "Python", "ready", found, "runs m4bench")
    remedy = "make a virtual environment with Python 3.11 or newer"
    return Finding("software", "Python", "needed", found, "m4bench needs 3.11", remedy)


def _packages() -> Iterator[Finding]:
    """Yield what is found of the packages m4bench declares, and of the versions it is tested with."""
    try:
        declared = [Requirement(text) for text in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        found, meaning = "m4bench is not installed here", "its suites and agents cannot be found"
        remedy = "pip install --no-deps --no-build-isolation -e . in its folder"
        yield Finding("software", "packages", "needed", found, meaning, remedy)
        return
    wanted = [one for one in declared if one.marker is None or one.marker.evaluate({"extra": ""})]
    faults = [fault for one in wanted if (fault := fault_of(one))]
    if faults:
        meaning = "m4bench does not work without them"
        yield Finding("software", "packages", "needed", _few(faults), meaning, LOCKED)
        return
    found = f"{len(wanted)} packages"
    yield Finding("software", "packages", "ready", found, "what m4bench is built on")
    lock = Path(m4bench.__file__).resolve().parents[2] / "requirements.lock"
    if lock.is_file():
        yield locked_versions(lock.read_text(encoding="utf-8"))


def fault_of(requirement: Requirement) -> str | None:
    """Return what is wrong with an installed package, or None when it is as required."""
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return f"{requirement.name} is missing"
    if requirement.specifier.contains(Version(installed), prereleases=True):
        return None
    return f"{requirement.name} is {installed}, not {requirement.specifier}"


def locked_versions(lock: str) -> Finding:
    """Return whether the installed packages have the versions of a requirements file with hashes."""
    lines = re.findall(r"^(\S[^\\\n#]*?==[^\\\n#]+)", lock, flags=re.MULTILINE)
    pinned = [Requirement(line.strip()) for line in lines]
    here = [one for one in pinned if one.marker is None or one.marker.evaluate({"extra": ""})]
    faults = [fault for one in here if (fault := fault_of(one))]
    meaning = "versions the project is tested with"
    if not faults:
        found = f"all {len(here)} as locked"
        return Finding("software", "locked versions", "ready", found, meaning)
    return Finding("software", "locked versions", "optional", _few(faults), meaning, LOCKED)


def _few(faults: list[str]) -> str:
    more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return ", ".join(faults[:SHOWN]) + more


def _engine() -> Finding:
    """Run the engine: it has to answer a query and to know Parquet without fetching anything."""
    meaning = "imports, derives and scores"
    try:
        with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as connection:
            row = connection.execute(
                "SELECT version(), count(*) FILTER (WHERE installed) FROM duckdb_extensions() "
                "WHERE extension_name = 'parquet'"
            ).fetchone()
    except duckdb.Error as error:
        found = f"the engine fails ({type(error).__name__})"
        return Finding("software", "DuckDB", "needed", found, meaning, LOCKED)
    assert row is not None
    if not row[1]:
        found = f"{row[0]} without Parquet"
        return Finding("software", "DuckDB", "needed", found, meaning, LOCKED)
    return Finding("software", "DuckDB", "ready", f"DuckDB {row[0]} with Parquet", meaning)


def _plug_ins() -> Finding:
    suites = sorted({point.name for point in entry_points(group=SUITES)})
    agents = sorted({point.name for point in entry_points(group=AGENTS)})
    found = f"suites: {', '.join(suites) or 'none'}; agents: {', '.join(agents) or 'none'}"
    facts = {"suites": suites, "agents": agents}
    meaning = "what is measured, and who"
    if suites and agents:
        return Finding("software", "suites, agents", "ready", found, meaning, facts=facts)
    remedy = "pip install --no-deps --no-build-isolation -e . in the project's folder"
    return Finding("software", "suites, agents", "needed", found, meaning, remedy, facts)


def _agents_python() -> Finding:
    """Return whether the Python that agents are given is made and works."""
    name, meaning = "agents' Python", "what an agent finds in its sandbox, apart from this one"
    runtime = standing_runtime()
    if runtime is None:
        if find_spec("ensurepip") is None:
            found, remedy = "not made, and Python cannot make it", "apt-get install python3-venv"
            return Finding("software", name, "needed", found, meaning, remedy)
        remedy = "the first run makes it, once, about 500 MB; pip has to reach a package index then"
        return Finding("software", name, "optional", "not made yet", meaning, remedy)
    command = [str(runtime.python), "-I", "-c", "import duckdb, numpy, pandas, pyarrow"]
    try:
        works = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    if works:
        found = f"{len(runtime.packages)} packages"
        return Finding("software", name, "ready", found, meaning, facts={"id": runtime.identity})
    remedy = f"delete {runtime.root}; the next run makes it again"
    return Finding("software", name, "needed", "made, and does not work", meaning, remedy)


def _container() -> Finding:
    there = [program for program in CONTAINERS if shutil.which(program)]
    meaning = "a second kind of sandbox, not used by this version"
    if there:
        return Finding("software", "containers", "ready", ", ".join(there), meaning)
    remedy = "nothing to do; docker or podman can be installed later"
    return Finding("software", "containers", "optional", "no docker or podman", meaning, remedy)


def _browser() -> Finding:
    there = next((program for program in BROWSERS if shutil.which(program)), None)
    meaning = "the project's own tests of its pages, nothing else"
    if there:
        return Finding("software", "Chromium", "ready", there, meaning)
    remedy = "apt-get install chromium"
    return Finding("software", "Chromium", "optional", "not installed", meaning, remedy)
