# SPDX-License-Identifier: MIT
"""Runs CSVs to build sites from, and reading what a site says."""

import csv
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

FAMILIES = {
    "alpha": "a",
    "beta": "b",
    "gamma": "c",
    "delta": "d",
    "epsilon": "e",
    "zeta": "f",
    "eta": "g",
}
TASKS = tuple(FAMILIES)


def build_row(task: str = "alpha", agent: str = "solver", **given: Any) -> dict[str, Any]:
    """Return a row of a runs CSV: a run on open data that may be published."""
    row = {
        "task": task,
        "family": FAMILIES.get(task, task),
        "condition": "no-skill",
        "schema": "native",
        "agent": agent,
        "model": "m",
        "trial": 1,
        "reasoning_effort": "",
        "reward": 0.5,
        "passed": 3,
        "failed": 1,
        "errors": 0,
        "agent_status": "completed",
        "publishable": True,
        "dataset": "mimic-iv-demo",
        "dataset_hash": "",
        "access": "open",
        "convention": "published",
        "drops": "strict",
        "sandbox": "bwrap",
        "task_version": "1.0",
        "cost_usd": "",
        **given,
    }
    name = (
        "task agent condition schema model trial reasoning_effort dataset dataset_hash access "
        "convention drops sandbox task_version publishable"
    )
    return {"run_id": "|".join(str(row[part]) for part in name.split()), **row}


def build_rows(agent: str, reward: float, **given: Any) -> list[dict[str, Any]]:
    """Return a row a task for a system; rewards vary a little by task, alike for all systems."""
    return [
        build_row(task, agent, reward=round(reward + 0.01 * place, 4), **given)
        for place, task in enumerate(TASKS)
    ]


def write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write a runs CSV and return its path."""
    listed = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(listed[0]))
        writer.writeheader()
        writer.writerows(listed)
    return path


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


class Skeleton(HTMLParser):
    """The tags, attributes and texts of a page; tags must be closed in order."""

    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, which must be of that name."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note a text that is shown."""
        if data.strip() and not {"script", "style"} & set(self.open):
            self.texts.append(data.strip())

    @property
    def links(self) -> list[str]:
        """Where the page leads or what it loads."""
        return [
            value
            for _, attributes in self.tags
            for name, value in attributes.items()
            if name in ("src", "href", "srcset", "action") and value
        ]


def skeleton(path: Path) -> Skeleton:
    """Return the skeleton of a page."""
    return Skeleton(path.read_text(encoding="utf-8"))
