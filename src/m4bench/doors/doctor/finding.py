# SPDX-License-Identifier: MIT
"""One thing looked at: what was found, what it is good for, and how to get it. It looks at nothing itself."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

State = Literal["ready", "optional", "needed"]
LOCKED = "pip install --require-hashes -r requirements.lock"


@dataclass(frozen=True)
class Finding:
    """What was found of one thing.

    Attributes:
        group: what it belongs to, such as `isolation`.
        name: what was looked at.
        state: `ready`; `optional` when it is missing and the main job does without; `needed` when not.
        found: what is there, in a few words.
        meaning: what it gives, or what goes without it.
        remedy: how to get it; none where nothing is missing.
        facts: the same as numbers and names, for programs.
    """

    group: str
    name: str
    state: State
    found: str
    meaning: str
    remedy: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def runnable(findings: Iterable[Finding]) -> bool:
    """Tell whether some dataset is there of which a task can be run as it is."""
    return any(finding.facts.get("databases", {}).get("current", 0) > 0 for finding in findings)


@dataclass(frozen=True)
class Diagnosis:
    """All findings of a machine."""

    findings: tuple[Finding, ...]

    @property
    def ready(self) -> bool:
        """Whether the main job, from data to a scored run, can be done here."""
        return all(finding.state != "needed" for finding in self.findings)

    @property
    def publishable(self) -> bool:
        """Whether runs made here are isolated, as they must be to be published."""
        isolation = [finding for finding in self.findings if finding.group == "isolation"]
        return self.ready and all(finding.state == "ready" for finding in isolation)

    def as_json(self) -> dict[str, Any]:
        """Return the diagnosis as JSON knows it."""
        return {
            "ready": self.ready,
            "publishable": self.publishable,
            "findings": [asdict(finding) for finding in self.findings],
        }
