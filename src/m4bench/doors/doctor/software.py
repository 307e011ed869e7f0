# SPDX-License-Identifier: MIT
"""Whether the engine, the plug-ins and the agents' Python work. Knows no disk and no dataset."""

from collections.abc import Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec

import duckdb

from m4bench.doors.doctor.finding import LOCKED, Finding
from m4bench.harness.agents.agent import ENTRY_POINTS as AGENTS
from m4bench.harness.attempt import attempt
from m4bench.harness.sandbox.runtime import standing_runtime
from m4bench.model.errors import InputError
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in
from m4bench.suites.suite import ENTRY_POINTS as SUITES
from m4bench.suites.suite import made_suite

PATIENCE = 60.0


def software() -> Iterator[Finding]:
    """Yield what is found of the engine, the plug-ins and the agents' Python."""
    yield _engine()
    yield from _plug_ins()
    yield _agents_python()


def _engine() -> Finding:
    """Run the engine: it has to answer a query and to know Parquet without fetching anything."""
    meaning = "imports, derives and scores"
    try:
        with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as connection:
            row = connection.execute(
                "SELECT version(), count(*) FILTER (WHERE installed) FROM duckdb_extensions() "
                "WHERE extension_name = 'parquet'"
            ).fetchone()
    except Exception as error:  # noqa: BLE001 # a damaged engine can fail in any way
        found = f"the engine fails ({type(error).__name__})"
        return Finding("software", "DuckDB", "needed", found, meaning, LOCKED)
    assert row is not None
    if not row[1]:
        found = f"{row[0]} without Parquet"
        return Finding("software", "DuckDB", "needed", found, meaning, LOCKED)
    return Finding("software", "DuckDB", "ready", f"DuckDB {row[0]} with Parquet", meaning)


def _plug_ins() -> Iterator[Finding]:
    """Load every suite and agent, and yield those that work together and each that does not by itself."""
    loaded = {
        "suite": [
            (one.name, loaded_plug_in(one, made_suite)) for one in entry_points(group=SUITES)
        ],
        "agent": [(one.name, loaded_plug_in(one, _factory)) for one in entry_points(group=AGENTS)],
    }
    suites, agents = (
        sorted({name for name, one in found if not isinstance(one, BrokenPlugIn)})
        for found in loaded.values()
    )
    found = f"suites: {', '.join(suites) or 'none'}; agents: {', '.join(agents) or 'none'}"
    facts = {"suites": suites, "agents": agents}
    meaning = "what is measured, and who"
    if suites and agents:
        yield Finding("software", "suites, agents", "ready", found, meaning, facts=facts)
    else:
        remedy = "pip install --no-deps --no-build-isolation -e . in the project's folder"
        yield Finding("software", "suites, agents", "needed", found, meaning, remedy, facts)
    for kind, plug_ins in loaded.items():
        for name, one in plug_ins:
            if isinstance(one, BrokenPlugIn):
                meaning, told = f"the {kind} it would be cannot be used", f"broken ({one.why})"
                yield Finding("software", f"{kind} {name}", "needed", told, meaning, one.remedy)


def _factory(found: object) -> object:
    if not callable(found):
        raise TypeError("no agent can be made of it")
    return found


def _agents_python() -> Finding:
    """Return whether the Python that agents are given is made and works."""
    name, meaning = "agents' Python", "what an agent finds in its sandbox, apart from this one"
    try:
        runtime = standing_runtime()
    except InputError as error:
        remedy = f"delete {error.file}; the next run makes it again"
        return Finding("software", name, "needed", "made, and damaged", meaning, remedy)
    if runtime is None:
        if find_spec("ensurepip") is None:
            found, remedy = "not made, and Python cannot make it", "apt-get install python3-venv"
            return Finding("software", name, "needed", found, meaning, remedy)
        remedy = "the first run makes it, once, about 500 MB; pip has to reach a package index then"
        return Finding("software", name, "optional", "not made yet", meaning, remedy)
    command = [str(runtime.python), "-I", "-c", "import duckdb, numpy, pandas, pyarrow"]
    if attempt(command, seconds=PATIENCE).works:
        found = f"{len(runtime.packages)} packages"
        return Finding("software", name, "ready", found, meaning, facts={"id": runtime.identity})
    remedy = f"delete {runtime.root}; the next run makes it again"
    return Finding("software", name, "needed", "made, and does not work", meaning, remedy)
