# SPDX-License-Identifier: MIT
"""A model server that says what a script tells it to, in all four wire protocols, on loopback."""

from tests.harness.gateway.scripted.script import (
    Call,
    Counts,
    Cut,
    Done,
    Overflow,
    Overlong,
    Refuse,
    Say,
    Script,
    Slow,
    Status,
)
from tests.harness.gateway.scripted.server import ScriptedServer, Seen

__all__ = [
    "Call",
    "Counts",
    "Cut",
    "Done",
    "Overflow",
    "Overlong",
    "Refuse",
    "Say",
    "Script",
    "ScriptedServer",
    "Seen",
    "Slow",
    "Status",
]
