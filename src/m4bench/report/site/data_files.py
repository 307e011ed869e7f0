# SPDX-License-Identifier: MIT
"""What a site gives to download: standings, pairs, cells and runs as CSV, and all of it as JSON. Knows no page."""

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

from m4bench.report.exhibits import Row
from m4bench.report.merged_runs import run_row
from m4bench.report.site.boards import Board, Entry, Place
from m4bench.report.site.names import source_labels
from m4bench.report.site.study import Study
from m4bench.report.tables import csv_text

SITE_FORMAT = 1
FILES = {
    "data/standings.csv": "one row a system and setting: reward, interval, counts, and its letters",
    "data/pairs.csv": "one row two systems of a setting: how far they are apart on the tasks both have",
    "data/cells.csv": "one row a task, system and setting: the mean over the trials that enter",
    "data/runs.csv": "one row a run, of all sources together; m4bench reads it again",
    "data/standings.json": "the standings with whom each system is tied, the plan and the sources, for programs",
}


def data_files(study: Study) -> dict[str, bytes]:
    """Return the files by name; texts are the sources' own, without the folders these lay in."""
    labels = source_labels(study.read.sources)
    of_boards = {
        "data/standings.csv": _standing_rows,
        "data/pairs.csv": _pair_rows,
        "data/cells.csv": _cell_rows,
    }
    files = {
        name: _csv(list(rows(board)) for board in study.boards) for name, rows in of_boards.items()
    }
    files["data/runs.csv"] = csv_text([run_row(run, labels) for run in study.read]).encode()
    return files | {"data/standings.json": _document(study)}


def _csv(parts: Iterable[Sequence[Row]]) -> bytes:
    """Return rows as one table, a part at a time: those of all pairs of many systems are too many to hold at once."""
    texts = [csv_text(rows) for rows in parts if rows]
    return "".join(texts[:1] + [text.partition("\n")[2] for text in texts[1:]]).encode()


def place_fields(place: Place) -> dict[str, Any]:
    """Return what a board holds equal, a field each; a field nobody told is empty."""
    setting = {name: value or None for name, value in place.setting._asdict().items()}
    del setting["sandbox"]  # runs of several stand on one board
    return {"condition": place.condition, "schema": place.schema, **setting}


def _standing_rows(board: Board) -> Iterator[dict[str, Any]]:
    for entries, on in ((board.entries, True), (board.aside, False)):
        for entry in entries:
            yield {
                **place_fields(board.place),
                **_system_fields(entry),
                "publishable": on,
                **_standing_fields(entry),
                **_arm_fields(entry),
                "format_version": SITE_FORMAT,
            }


def _ties(board: Board) -> Iterator[list[str] | None]:
    for entry in (*board.entries, *board.aside):
        yield list(entry.standing.tied_with) if entry.standing else None


def _system_fields(entry: Entry) -> Row:
    agent, model, effort = entry.system
    return {
        "system": str(entry.system),
        "agent": agent,
        "model": model or None,
        "effort": effort or None,
    }


def _standing_fields(entry: Entry) -> Row:
    standing, arm = entry.standing, entry.arm
    interval = standing.interval if standing else arm.interval
    return {
        "letters": standing.letters if standing else None,
        "tasks": entry.tasks,
        "reward": entry.reward,
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
        "interval_level": interval.level if interval else None,
        "interval_method": interval.method if interval else None,
    }


def _arm_fields(entry: Entry) -> Row:
    arm = entry.arm
    return {
        "families": arm.families,
        "runs": arm.runs,
        "entering_runs": arm.entering,
        "unmeasured_runs": arm.unmeasured,
        "strict_passes": arm.strict.passes,
        "strict_runs": arm.strict.runs,
        "key_f1": arm.key_f1,
        "ordered_nmae": arm.ordered_nmae,
        "cost_usd": arm.cost_usd,
        "tokens": arm.tokens,
        "seconds": arm.seconds,
        **{f"{name}_told": number for name, number in sorted(arm.told_by.items())},
        "failures": json.dumps(dict(sorted(arm.failures.items())), ensure_ascii=False),
    }


def _pair_rows(board: Board) -> Iterator[Row]:
    for pair in board.pairs:
        yield {
            **place_fields(board.place),
            "first": pair.first,
            "second": pair.second,
            "tasks": pair.tasks,
            "families": pair.families,
            "delta": pair.delta,
            "interval_low": pair.interval.low if pair.interval else None,
            "interval_high": pair.interval.high if pair.interval else None,
            "p_value": pair.p_value,
            "p_adjusted": pair.p_adjusted,
            "format_version": SITE_FORMAT,
        }


def _cell_rows(board: Board) -> Iterator[Row]:
    for entries, on in ((board.entries, True), (board.aside, False)):
        for entry in entries:
            for task, cell in sorted(entry.cells.items()):
                yield {
                    **place_fields(board.place),
                    **_system_fields(entry),
                    "publishable": on,
                    "task": task,
                    "reward": cell.reward,
                    "strict_passes": cell.strict_passes,
                    "entering_runs": cell.entering,
                    "runs": cell.runs,
                    "format_version": SITE_FORMAT,
                }


def _document(study: Study) -> bytes:
    document = {
        "format_version": SITE_FORMAT,
        "m4bench": version("m4bench"),
        "title": study.title,
        "plan": study.plan.model_dump(mode="json"),
        "plan_hash": study.plan.digest(),
        "sources": [
            {"name": one.label, "sha256": one.sha256, "runs": one.runs} for one in study.sources
        ],
        "boards": [
            {
                **place_fields(board.place),
                "systems": [
                    row | {"tied_with": tied}
                    for row, tied in zip(_standing_rows(board), _ties(board), strict=True)
                ],
                "notes": list(board.notes),
            }
            for board in study.boards
        ],
    }
    # Escaped, so that no letter in it reorders what a reader of the file sees.
    return (json.dumps(document, indent=1, allow_nan=False) + "\n").encode()
