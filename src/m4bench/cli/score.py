# SPDX-License-Identifier: MIT
"""`m4bench score`: compare outputs with a hidden reference. Knows only how to choose and print."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from m4bench.cli.options import (
    DEFAULT_DATASET,
    ConventionOption,
    JsonOption,
    StoreOption,
    notes,
    open_store,
    output,
    print_json,
    require_convention_name,
)
from m4bench.model.errors import InputError
from m4bench.model.score import Score
from m4bench.suites.derivation.scoring import score_file
from m4bench.suites.suite import find_task


def score(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A name that `tasks list` prints.")],
    deliverable: Annotated[
        Path, typer.Argument(metavar="OUTPUT", help="A CSV file, or a folder of CSV files.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option(
            metavar="DATASET",
            help="Score against this dataset's reference (default: synthetic).",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Score against this Parquet or CSV file instead."),
    ] = None,
    convention: ConventionOption = "published",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score an output, or a folder of them, against a reference."""
    suite, found = find_task(task)
    chosen = require_convention_name(convention)
    if dataset is not None and reference is not None:
        raise InputError("one reference is needed", remedy="give --dataset or --reference")
    files = _files(deliverable)
    if reference is not None:
        if not _found(reference, Path.is_file):
            raise InputError("there is no such reference", file=reference)
        compare = partial(
            score_file,
            reference=reference,
            rules=found.scoring,
            task=task,
            convention=chosen,
        )
        scores = [compare(file) for file in files]
    else:
        place = open_store(store)
        scores = [
            suite.score(
                found, file, store=place, dataset=dataset or DEFAULT_DATASET, convention=chosen
            )
            for file in files
        ]
    if files != [deliverable]:
        _print_many(files, scores, as_json=as_json)
    elif as_json:
        print_json(scores[0].model_dump(mode="json"))
    else:
        _print_one(scores[0])


def _files(deliverable: Path) -> list[Path]:
    """Return the files to score."""
    if _found(deliverable, Path.is_dir) and not deliverable.is_symlink():
        files = sorted(deliverable.glob("*.csv"))
        if not files:
            raise InputError("there is no CSV file in this folder", file=deliverable)
        return files
    if not _found(deliverable, os.path.lexists):
        raise InputError("there is no such output", file=deliverable)
    return [deliverable]


def _found(path: Path, test: Callable[[Path], bool]) -> bool:
    """Ask something of a path whose name may be one no file can have."""
    try:
        return test(path)
    except (OSError, ValueError):
        return False


def _shown(name: str) -> Text:
    """Return a name an agent chose as it can be shown: no markup, no line ends, no control characters."""
    return Text("".join(c if c.isprintable() else repr(c)[1:-1] for c in name))


def _print_many(files: Sequence[Path], scores: Sequence[Score], *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"output": file.name, **score.model_dump(mode="json")}
                for file, score in zip(files, scores, strict=True)
            ]
        )
        return
    table = Table("output", "reward", "strict", "missing", "extra", "duplicate", "", box=None)
    for file, score in zip(files, scores, strict=True):
        keys = score.keys
        table.add_row(
            _shown(file.name),
            f"{score.reward:.8f}",
            "pass" if score.strict.passed else "fail",
            *(str(count) for count in (keys.missing, keys.extra, keys.duplicate)),
            Text(score.error or ""),
        )
    output.print(table)


def _print_one(score: Score) -> None:
    failed = [check.name for check in score.strict.checks if not check.passed]
    keys = score.keys
    summary = Table(box=None, show_header=False)
    against = f" of {score.dataset}" if score.dataset else ""
    summary.add_row("scored against", f"the {score.convention} convention{against}")
    summary.add_row("reward", f"{score.reward:.8f}")
    summary.add_row("strict", "pass" if not failed else f"fail: {', '.join(failed)}")
    summary.add_row(
        "keys",
        f"{keys.matched} of {keys.reference} found, {keys.missing} missing, {keys.extra} extra, "
        f"{keys.duplicate} duplicate (precision {keys.precision:.4f}, recall {keys.recall:.4f})",
    )
    if score.ordered_nmae is not None:
        summary.add_row("ordered nMAE", f"{score.ordered_nmae:.6f}")
    output.print(summary)
    columns = Table("column", "match rate", "matched", "total", "kind", "tolerance", "", box=None)
    for name, column in score.columns.items():
        columns.add_row(
            name,
            f"{column.match_rate:.8f}",
            str(column.matched),
            str(column.total),
            column.kind,
            f"{column.tolerance:g}",
            "" if column.present or score.error else "not in the output",
        )
    output.print(columns)
    for line in (*([f"not scored: {score.error}"] if score.error else []), *score.notes):
        notes.print(line, markup=False, highlight=False)
