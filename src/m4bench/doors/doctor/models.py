# SPDX-License-Identifier: MIT
"""Where models can be reached: which endpoints are known here and whether each has a key. Shows no key, runs nothing.

Of the environment it tells which variables are set, never to what. It reaches for an endpoint only when asked to,
and sends it nothing then.
"""

import os
import socket
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from m4bench.doors.doctor.finding import Finding, State
from m4bench.harness.gateway.address import Address
from m4bench.harness.gateway.endpoints import BUILT_IN, KEY_VARIABLE, USUAL
from m4bench.harness.gateway.own_endpoints import OwnEndpoint, endpoints_file, own_endpoints
from m4bench.model.errors import InputError

GROUP = "models"
REACH_SECONDS = 5.0


def models(*, reach: bool = False, environ: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Yield a finding for each endpoint that has a name, and one for addresses.

    Args:
        reach: whether to try a connection to each that has a key or needs none.
        environ: where keys are looked for, by default the process's environment.
    """
    environ = os.environ if environ is None else environ
    try:
        own = own_endpoints(environ, frozenset(BUILT_IN))
    except InputError as error:
        own = {}
        yield _broken_file(error)
    for name, known in BUILT_IN.items():
        given = own.get(name, OwnEndpoint())
        found, remedy = _key(given, known.keys, environ)
        speakers = ", ".join(protocol for protocol, usual in USUAL.items() if usual == name)
        meaning = f"the usual endpoint of agents that speak {speakers}"
        yield _finding(name, known.base_url, found, meaning, remedy, reach)
    for name, one in sorted(own.items()):
        if name not in BUILT_IN and one.base_url is not None:
            found, remedy = _key(one, (), environ)
            place = str(Address.read(one.base_url).site)
            meaning = f"{place}, described in {endpoints_file(environ)}"
            yield _finding(name, one.base_url, found, meaning, remedy, reach)
    yield _addresses(environ)


def _broken_file(error: InputError) -> Finding:
    meaning = "no run with a named endpoint can be prepared"
    problem, _, told = str(error).partition("; ")
    remedy = told or "mend the file; see docs/reference/endpoints.md"
    return Finding(GROUP, "endpoints file", "optional", problem, meaning, remedy)


def _key(
    one: OwnEndpoint, variables: tuple[str, ...], environ: Mapping[str, str]
) -> tuple[str, str | None]:
    """Return where a key is, and what to do where it is not."""
    if one.key_env is not None:
        variables = (one.key_env,)
    elif one.key_command is not None:
        return "its key comes from a command (not run)", None
    elif one.key_file is not None:
        return _key_file(
            endpoints_file(environ).absolute().parent / Path(one.key_file).expanduser()
        )
    if not variables:
        return "takes no key", None
    there = [name for name in variables if environ.get(name, "").strip()]
    if there:
        return f"{there[0]} is set", None
    return "has no key", f"set {' or '.join(variables)}"


def _key_file(path: Path) -> tuple[str, str | None]:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return f"its key file cannot be read ({error.strerror})", f"write the key into {path}"
    if stat.S_IMODE(mode) & 0o077:
        return "others can read its key file", f"chmod 600 {path}"
    return "its key file is there", None


def _finding(
    name: str, base_url: str, found: str, meaning: str, remedy: str | None, reach: bool
) -> Finding:
    state: State = "ready" if remedy is None else "optional"
    finding = Finding(GROUP, name, state, found, meaning, remedy, {"key": remedy is None})
    if not reach or remedy is not None:
        return finding
    address = Address.read(base_url)
    fault = unreachable(address)
    facts = {"key": True, "reached": fault is None}
    if fault is None:
        return replace(finding, found=f"{found}, reached", facts=facts)
    remedy = f"look at {address.site} and the way there; no proxy is used"
    return replace(
        finding,
        state="optional",
        found=f"{found}, not reached ({fault})",
        remedy=remedy,
        facts=facts,
    )


def unreachable(address: Address) -> str | None:
    """Return why no connection can be made, None when one can; nothing is sent."""
    try:
        with socket.create_connection((address.host, address.port), timeout=REACH_SECONDS):
            return None
    except socket.gaierror:
        return "its name leads nowhere"
    except OSError as error:
        return error.strerror or "no connection"


def _addresses(environ: Mapping[str, str]) -> Finding:
    keyed = bool(environ.get(KEY_VARIABLE, "").strip())
    found = (
        f"with the key in {KEY_VARIABLE}" if keyed else f"without a key ({KEY_VARIABLE} is not set)"
    )
    meaning = (
        "--endpoint ADDRESS: Ollama, vLLM, llama.cpp on this machine, or a company's own; none is tried here, "
        "curl ADDRESS/models does"
    )
    return Finding(GROUP, "any address", "ready", found, meaning, facts={"key": keyed})
