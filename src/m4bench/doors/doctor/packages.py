# SPDX-License-Identifier: MIT
"""Whether Python and the packages are here that m4bench is built on. Needs none of them, to tell of any."""

import platform
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import m4bench
from m4bench.doors.doctor.finding import LOCKED, Finding

DISTRIBUTION = "m4bench"
LEAST_PYTHON = (3, 11)
IMPORTED_AS = {
    "markdown-it-py": "markdown_it",
    "pyyaml": "yaml",
    "vl-convert-python": "vl_convert",
}
SHOWN = 4


def python_and_packages() -> Iterator[Finding]:
    """Yield what is found of Python, of the packages m4bench declares, and of the versions it is tested with."""
    yield _python()
    yield from _packages()


def _python() -> Finding:
    found = f"Python {platform.python_version()}"
    if sys.version_info >= LEAST_PYTHON:
        return Finding("software", "Python", "ready", found, "runs m4bench")
    remedy = "make a virtual environment with Python 3.11 or newer"
    return Finding("software", "Python", "needed", found, "m4bench needs 3.11", remedy)


def _packages() -> Iterator[Finding]:
    """Yield what is found of the packages m4bench declares, and of the versions it is tested with."""
    try:
        declared = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        found, meaning = "m4bench is not installed here", "its suites and agents cannot be found"
        remedy = "pip install --no-deps --no-build-isolation -e . in its folder"
        yield Finding("software", "packages", "needed", found, meaning, remedy)
        return
    faults = [fault for text in declared if wanted(text) and (fault := fault_of(text))]
    if faults:
        meaning = "m4bench does not work without them"
        yield Finding("software", "packages", "needed", _few(faults), meaning, LOCKED)
    else:
        found = f"{sum(map(wanted, declared))} packages"
        yield Finding("software", "packages", "ready", found, "what m4bench is built on")
    lock = Path(m4bench.__file__).resolve().parents[2] / "requirements.lock"
    if lock.is_file():
        yield locked_versions(lock.read_text(encoding="utf-8"))


def wanted(requirement: str) -> bool:
    """Tell whether a requirement is one of this platform, and of no extra."""
    marker = requirement.partition(";")[2]
    try:
        from packaging.markers import Marker

        return not marker or Marker(marker).evaluate({"extra": ""})
    except Exception:  # noqa: BLE001 # `packaging` may be what is missing or broken, and is then told as that
        return "extra" not in marker


def fault_of(requirement: str) -> str | None:
    """Return what is wrong with a package, by its version and by loading it; None when it is as required."""
    fault = version_fault_of(requirement)
    if fault is not None:
        return fault
    name = _name(requirement)
    module = IMPORTED_AS.get(name.lower(), name.replace("-", "_"))
    try:
        import_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 # a broken package can fail in any way
        return f"{name} cannot be loaded ({type(error).__name__})"
    return None


def version_fault_of(requirement: str) -> str | None:
    """Return what is wrong with the version of an installed package, or None when it is as required."""
    name = _name(requirement)
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    except Exception as error:  # noqa: BLE001 # what an installer left half done can fail in any way
        return f"{name} is damaged ({type(error).__name__})"
    try:
        from packaging.requirements import Requirement
    except Exception:  # noqa: BLE001 # told when it is the turn of `packaging` to be loaded
        return None
    specifier = Requirement(requirement).specifier
    try:
        fits = specifier.contains(installed, prereleases=True)
    except (ValueError, TypeError):
        return f"{name} is damaged (no version)"
    return None if fits else f"{name} is {installed}, not {specifier}"


def _name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement.strip(), maxsplit=1)[0]


def locked_versions(lock: str) -> Finding:
    """Return whether the installed packages have the versions of a requirements file with hashes."""
    lines = re.findall(r"^(\S[^\\\n#]*?==[^\\\n#]+)", lock, flags=re.MULTILINE)
    here = [line.strip() for line in lines if wanted(line.strip())]
    faults = [fault for one in here if (fault := version_fault_of(one))]
    meaning = "versions the project is tested with"
    if not faults:
        found = f"all {len(here)} as locked"
        return Finding("software", "locked versions", "ready", found, meaning)
    return Finding("software", "locked versions", "optional", _few(faults), meaning, LOCKED)


def _few(faults: list[str]) -> str:
    more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return ", ".join(faults[:SHOWN]) + more
