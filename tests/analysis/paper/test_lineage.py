# SPDX-License-Identifier: MIT
"""Changing one run moves every figure that depends on it and no other.

A run is changed four ways, each in all that was measured of it, and the figures that moved under any of them have to
be exactly those whose lineage holds the run. One way would not do, since a count moves only where a threshold is
crossed: far up, so that a task improves and the run passes strictly; far down, so that the task declines and audits
fail; void, without a reward, not publishable, failing a check of accuracy though all its keys are there; and
twice, as one more trial that measured what `up` did. Which rows a table has, and their order, is one figure of its own.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from m4bench.analysis.paper import Computed, PaperTable, published_tables
from m4bench.analysis.paper.cells import Column, design, figure
from m4bench.analysis.runs import RunRow, RunTable

ORDER = "rows and their order"
FAR, MANY = 10.0, 10**9
Name = tuple[str, tuple[str, ...], str]
Figures = dict[Name, Computed]
Compute = Callable[[RunTable], dict[str, PaperTable]]


def figures(tables: dict[str, PaperTable]) -> Figures:
    """Return every figure by table, row and column."""
    found: Figures = {}
    for table in tables.values():
        if table.order is not None:
            found[table.name, (), ORDER] = table.order
        for row in table.rows:
            for column, cell in row.items():
                if isinstance(cell, Computed):
                    found[table.name, table.key(row), column] = cell
    return found


def shifted(run: RunRow, sign: int) -> RunRow:
    """Return a run with all its numbers far up or far down; what does not exist counts as 0."""
    rates = ("reward", "key_precision", "key_recall", "key_f1", "ordered_nmae")
    counts = ("truth_rows", "agent_unique_keys", "extra_keys", "seconds", "input_tokens")
    changes: dict[str, float] = {
        **{name: (getattr(run, name) or 0.0) + sign * FAR for name in rates},
        **{name: (getattr(run, name) or 0) + sign * MANY for name in counts},
    }
    return replace(
        run,
        **changes,
        strict=sign > 0,
        diagnostics_failed=sign < 0,
        returncode=0 if sign > 0 else 1,
        errors=0 if sign > 0 else 1,
        failed=0 if sign > 0 else MANY,
        passed=MANY if sign > 0 else 0,
        match_rates={column: rate + sign * FAR for column, rate in run.match_rates.items()},
    )


def up(run: RunRow) -> tuple[RunRow, ...]:
    """Far up, publishable, every audit passed."""
    flags = dict.fromkeys(("isolated", "filesystem_canary", "contamination_lint"), True)
    return (replace(shifted(run, 1), publishable=True, **flags),)


def down(run: RunRow) -> tuple[RunRow, ...]:
    """Far down, every audit failed."""
    flags = dict.fromkeys(("isolated", "filesystem_canary", "contamination_lint"), False)
    return (replace(shifted(run, -1), **flags),)


def void(run: RunRow) -> tuple[RunRow, ...]:
    """Without a reward, not publishable; all keys there and one check of accuracy failed."""
    return (
        replace(
            run,
            reward=None,
            valid=False,
            publishable=False,
            strict=False,
            passed=1,
            failed=1,
            errors=0,
            key_recall=FAR,
        ),
    )


def twice(run: RunRow) -> tuple[RunRow, ...]:
    """The run as it is, and another trial of its cell far up."""
    return (run, replace(shifted(run, 1), run_id=f"{run.run_id}-again", trial=run.trial + 100))


CHANGES: tuple[Callable[[RunRow], tuple[RunRow, ...]], ...] = (up, down, void, twice)


def moved(before: Figures, runs: RunTable, run: RunRow, compute: Compute) -> set[Name]:
    """Return the figures that differ under any of the changes of a run, among those that there still are."""
    found = set()
    for change in CHANGES:
        changed = [new for old in runs for new in (change(old) if old is run else (old,))]
        after = figures(compute(RunTable(tuple(changed))))
        found |= {name for name in before.keys() & after if after[name].value != before[name].value}
    return found


def assert_exactly_what_depends_moves(
    tables: dict[str, PaperTable],
    runs: RunTable,
    run: RunRow,
    compute: Compute = published_tables,
) -> None:
    """Assert that the figures that a run moves are those whose lineage holds it."""
    before = figures(tables)
    depend = {name for name, cell in before.items() if run.run_id in cell.runs}
    found = moved(before, runs, run, compute)
    assert found - depend == set(), f"{run.run_id} moves what does not depend on it"
    assert depend - found == set(), f"{run.run_id} does not move what depends on it"
    assert depend


KINDS: dict[str, Callable[[RunRow], bool]] = {
    "no skill, standard": lambda run: run.cell[:3] == ("mimic-sofa-24h", "no-skill", "native"),
    "with skill, raw": lambda run: run.cell[:3] == ("mimic-kdigo-48h-raw", "with-skill", "native"),
    "with skill, in every control": lambda run: (
        run.cell[:3] == ("mimic-creatinine-baseline-raw", "with-skill", "native")
        and run.system.model == "gpt-5.5"
    ),
    "another database": lambda run: run.task == "eicu-gcs",
    "decoy": lambda run: run.condition == "with-skill-decoy",
    "raw SQL that passes strictly": lambda run: run.condition == "with-skill-rawsql" and run.strict,
    "strict pass without skill": lambda run: run.condition == "no-skill" and run.strict,
    "failed agent": lambda run: run.schema == "native" and run.returncode == -1,
    "no ordered column, coverage missed": lambda run: (
        run.task == "mimic-ventilation-raw" and run.condition == "no-skill"
    ),
    "largest extra keys": lambda run: (run.extra_keys or 0) > 110_000 and run.failed > 0,
    "operational specification": lambda run: run.condition == "operational-spec",
    "transformed": lambda run: run.schema == "obfuscated" and run.system.agent == "codex",
    "transformed, failed agent": lambda run: (
        run.schema != "native" and bool(run.returncode) and run.system.agent == "codex"
    ),
    "local, without any output": lambda run: (
        run.system.agent == "pi-ollama" and run.reward == 0 and run.key_precision is None
    ),
    "local, with a reward": lambda run: run.system.agent == "pi-ollama" and (run.reward or 0) > 0,
    "local, transformed": lambda run: (
        run.system.agent == "pi-ollama" and run.schema == "restructured"
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_each_kind_moves_what_depends_on_it(
    tables: dict[str, PaperTable], released: RunTable, kind: str
) -> None:
    """The first run of each kind moves its figures and no other."""
    run = next(run for run in released if KINDS[kind](run))
    assert_exactly_what_depends_moves(tables, released, run)


@pytest.mark.slow
def test_every_run_moves_what_depends_on_it(
    tables: dict[str, PaperTable], released: RunTable
) -> None:
    """Each of the 1,210 runs moves its figures and no other."""
    for run in released:
        assert_exactly_what_depends_moves(tables, released, run)


def test_every_measured_figure_depends_on_some_run(tables: dict[str, PaperTable]) -> None:
    """What is measured names runs; what is by design or definition names none."""
    for name, cell in figures(tables).items():
        assert (cell.origin == "measured") == bool(cell.runs), name


def one_figure(cell: Computed) -> dict[str, PaperTable]:
    """Return a table of one figure."""
    row = {"row": "one", "value": cell}
    return {"made": PaperTable("made", "", ("row",), (Column("row"), Column("value")), (row,))}


def reading_outside(table: RunTable) -> dict[str, PaperTable]:
    """Return a figure of one run whose function also reads another."""
    return one_figure(
        figure(table.runs[:1], lambda runs: (runs[0].reward or 0) + (table.runs[1].reward or 0))
    )


def reading_too_little(table: RunTable) -> dict[str, PaperTable]:
    """Return a figure of two runs whose function reads one."""
    return one_figure(figure(table.runs[:2], lambda runs: runs[0].reward))


@pytest.mark.parametrize(
    ("compute", "fault"),
    [(reading_outside, "moves what does not depend"), (reading_too_little, "does not move what")],
)
def test_a_wrong_lineage_is_found(released: RunTable, compute: Compute, fault: str) -> None:
    """A figure that reads a run outside its selection, or names one that it does not read, is told."""
    runs = RunTable(released.runs[:2])
    with pytest.raises(AssertionError, match=fault):
        assert_exactly_what_depends_moves(compute(runs), runs, runs.runs[1], compute)


def test_a_design_sees_nothing_that_was_measured(released: RunTable) -> None:
    """A figure by design is given names of cells and trials alone."""
    seen = design(released.runs[:1], lambda keys: " ".join(keys[0]._fields))
    assert seen == Computed("task condition schema model trial", frozenset(), "design")
