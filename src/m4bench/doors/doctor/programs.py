# SPDX-License-Identifier: MIT
"""Whether programs are here that m4bench can do without. Starts none of them."""

import shutil
from collections.abc import Iterator

from m4bench.doors.doctor.finding import Finding

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CONTAINERS = ("docker", "podman")


def programs() -> Iterator[Finding]:
    """Yield what is found of containers and of a browser."""
    yield _container()
    yield _browser()


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
