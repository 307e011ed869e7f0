# SPDX-License-Identifier: MIT
"""Gets an endpoint's key from where its owner keeps it. Prints none, keeps none, puts none in an error."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import SecretStr

from m4bench.harness.gateway.guarded_file import guarded_text
from m4bench.model.errors import InputError

COMMAND_SECONDS = 30.0
LONGEST_KEY = 1 << 16


def key_from_environment(
    endpoint: str, variables: Sequence[str], environ: Mapping[str, str]
) -> SecretStr:
    """Return the first variable that is set.

    Raises:
        InputError: none is, or it holds what no header can.
    """
    for name in variables:
        if text := environ.get(name, "").strip():
            return _key(text, f"{name} (key of the endpoint {endpoint})")
    wanted = " or ".join(variables)
    raise InputError(f"the endpoint {endpoint} needs a key", remedy=f"set {wanted}")


def key_from_file(endpoint: str, path: Path) -> SecretStr:
    """Return the content of a file that nobody but its owner can read.

    Raises:
        InputError: there is none, others can read it, or it holds no key.
    """
    text = guarded_text(path, private=True).strip()
    return _key(text, f"the key file of the endpoint {endpoint}")


def key_from_command(
    endpoint: str, command: Sequence[str], environ: Mapping[str, str]
) -> SecretStr:
    """Return what a command prints, without the space around it.

    Raises:
        InputError: it cannot be started, fails, or does not end in 30 s; nothing it says is repeated.
    """
    what = f"the key command of the endpoint {endpoint}"
    remedy = "run it yourself to see why"
    try:
        process = subprocess.Popen(
            list(command),
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(f"{what} cannot be started ({error.strerror})", remedy=remedy) from None
    except ValueError:
        raise InputError(f"{what} cannot be started (NUL in it)", remedy=remedy) from None
    try:
        with process:
            try:
                printed, _ = process.communicate(timeout=COMMAND_SECONDS)
            except BaseException:
                # what it has started may hold its pipe when it is gone itself
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise
    except subprocess.TimeoutExpired:
        raise InputError(
            f"{what} does not end within {COMMAND_SECONDS:g} s", remedy=remedy
        ) from None
    if process.returncode:
        raise InputError(f"{what} fails ({process.returncode})", remedy=remedy)
    return _key(printed.decode("utf-8", "replace").strip(), what)


def header_values(
    endpoint: str, headers: Mapping[str, str], environ: Mapping[str, str]
) -> dict[str, SecretStr]:
    """Return headers by name, each from the variable it names.

    Raises:
        InputError: a variable is not set or holds what no header can.
    """
    found = {}
    for header, name in headers.items():
        text = environ.get(name, "").strip()
        if not text:
            raise InputError(
                f"the endpoint {endpoint} needs a header {header}", remedy=f"set {name}"
            )
        found[header] = _key(text, f"{name} (header {header} of the endpoint {endpoint})", " ")
    return found


def _key(text: str, what: str, allowed: str = "") -> SecretStr:
    if not text:
        raise InputError(f"{what} is empty")
    plain = all("!" <= one <= "~" or one in allowed for one in text)
    if not plain or len(text) > LONGEST_KEY:
        raise InputError(
            f"{what} holds what no header can", remedy="give the key alone, on one line"
        )
    return SecretStr(text)
