# SPDX-License-Identifier: MIT
"""Writes the figures in docs/explanation/coverage.md by simulation, or prints those of a shape of your own.

Usage: python tools/coverage_page.py [--to docs/explanation/coverage.md]
       python tools/coverage_page.py --sizes 2,2,3,1 [--correlation 0.8] [--effects skewed] [--level 0.95]

What stands between `<!-- written: PART -->` and `<!-- end -->` is this script's: `made`, `paper`, `tests`, `families`,
`correlation`. It takes one to two minutes. A slow test writes all parts anew and compares.
"""

import argparse
import collections
import math
import time
from pathlib import Path

from m4bench.analysis.task_facts import installed_task_facts
from m4bench.stats.coverage import INTERVALS, Coverage, Effects, Rate, Shape, coverage

PAGE = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "coverage.md"
SEED = 20261130
RUNS = 20_000
DRAWS = 4_000
RUNS_BESIDE = 10_000
DEVIATION = math.sqrt(0.10**2 + 0.05**2)
CORRELATION = 0.8
FAMILIES = (3, 4, 5, 6, 8, 15, 30)
CORRELATIONS = (0.0, 0.2, 0.5, 0.8, 0.95)
EFFECTS: tuple[Effects, Effects] = ("normal", "skewed")
NAMES = {
    "task-percentile": "percentile bootstrap, tasks drawn",
    "family-percentile": "percentile bootstrap, families drawn",
    "family-bca": "BCa bootstrap, families drawn",
    "family-t": "**CR1 standard error, t(G − 1)**",
    "family-bootstrap-t": "**bootstrap-t, families drawn**",
    "task-sign-flip": "sign-flip, tasks flipped",
    "family-sign-flip": "**sign-flip, families flipped**",
}


def paper_sizes() -> tuple[int, ...]:
    """Return the tasks of each family of the installed tasks, the smallest family first."""
    families = collections.Counter(facts.family for facts in installed_task_facts().values())
    return tuple(sorted(families.values()))


def shape(sizes: tuple[int, ...], effects: Effects, correlation: float = CORRELATION) -> Shape:
    """Return a shape whose tasks' deviation is the same whatever two tasks of a family share."""
    between = DEVIATION * math.sqrt(correlation)
    return Shape(sizes, between, DEVIATION * math.sqrt(1 - correlation), effects)


def share(rate: Rate) -> str:
    """Return a share, or that there is none."""
    return "none" if rate.share is None else f"{rate.share:.3f}"


def width(rate: Rate) -> str:
    """Return the median and the wide width in standard deviations of a task's difference."""
    if rate.width is None or rate.wide is None:
        return "none"
    return f"{rate.width / DEVIATION:.2f} ({rate.wide / DEVIATION:.2f})"


def table(head: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    ruled = [head, ("---",) * len(head), *lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ruled)


def paper_part(found: dict[str, Coverage]) -> str:
    """Return coverage and widths of the paper's shape."""
    normal, skewed = (found[effects].covered for effects in EFFECTS)
    lines = [
        (
            NAMES[name],
            share(normal[name]),
            width(normal[name]),
            share(skewed[name]),
            width(skewed[name]),
        )
        for name in INTERVALS
    ]
    head = ("interval", "covers, normal", "width (wide)", "covers, skewed", "width (wide)")
    return table(head, lines)


def tests_part(found: dict[str, Coverage]) -> str:
    """Return how often tests reject a difference that is not there."""
    normal, skewed = (found[effects].rejected for effects in EFFECTS)
    lines = [(NAMES[name], share(normal[name]), share(skewed[name])) for name in normal]
    return table(("test at 0.05", "rejects, normal", "rejects, skewed"), lines)


def families_part() -> str:
    """Return the headline's candidates over numbers of families of two tasks."""
    lines = []
    for families in FAMILIES:
        normal, skewed = (
            coverage(shape((2,) * families, effects), runs=RUNS_BESIDE, draws=DRAWS, seed=SEED)
            for effects in EFFECTS
        )
        t, studentised = (normal.covered[name] for name in ("family-t", "family-bootstrap-t"))
        cells = (share(t), width(t), share(skewed.covered["family-t"]), share(studentised))
        more = (width(studentised), share(skewed.covered["family-bootstrap-t"]))
        lines.append((str(families), *cells, *more, share(normal.rejected["family-sign-flip"])))
    head = (
        "families",
        "t covers, normal",
        "width (wide)",
        "t, skewed",
        "bootstrap-t covers, normal",
    )
    return table((*head, "width (wide)", "bootstrap-t, skewed", "sign-flip rejects"), lines)


def correlation_part(sizes: tuple[int, ...]) -> str:
    """Return what the likeness of a family's tasks does to intervals and tests of tasks and of families."""
    lines = []
    for correlation in CORRELATIONS:
        found = coverage(
            shape(sizes, "normal", correlation), runs=RUNS_BESIDE, draws=DRAWS, seed=SEED
        )
        rates = (found.covered["task-percentile"], found.covered["family-t"])
        tests = (found.rejected["task-sign-flip"], found.rejected["family-sign-flip"])
        lines.append((f"{correlation:.2f}", *map(share, rates + tests)))
    head = ("correlation", "percentile, tasks drawn", "CR1 t, by family")
    return table((*head, "sign-flip of tasks rejects", "sign-flip of families rejects"), lines)


def made(seconds: float) -> str:
    """Return how the figures were made."""
    error = math.sqrt(0.95 * 0.05 / RUNS)
    beside = math.sqrt(0.95 * 0.05 / RUNS_BESIDE)
    return (
        f"{RUNS:,} data sets for the paper's shape and {RUNS_BESIDE:,} for each line of the other tables, {DRAWS:,} "
        f"resamples, seed {SEED}.\nThe Monte Carlo standard error of a share near 0.95 is {error:.4f} and "
        f"{beside:.4f}. Made in {seconds:.0f} seconds."
    )


def parts() -> dict[str, str]:
    """Return the parts of the page that are this script's."""
    begin = time.monotonic()
    sizes = paper_sizes()
    paper = {
        effects: coverage(shape(sizes, effects), runs=RUNS, draws=DRAWS, seed=SEED)
        for effects in EFFECTS
    }
    found = {
        "paper": paper_part(paper),
        "tests": tests_part(paper),
        "families": families_part(),
        "correlation": correlation_part(sizes),
    }
    return found | {"made": made(time.monotonic() - begin)}


def written(page: str, found: dict[str, str]) -> str:
    """Return a page with parts as they should be."""
    for part, text in found.items():
        before, begin, rest = page.partition(f"<!-- written: {part} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise SystemExit(f"the page has no part {part}")
        page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return page


def own(sizes: tuple[int, ...], correlation: float, effects: Effects, level: float) -> str:
    """Return both tables of one shape."""
    found = coverage(
        shape(sizes, effects, correlation), runs=RUNS_BESIDE, draws=DRAWS, level=level, seed=SEED
    )
    intervals = [(NAMES[n], share(r), width(r)) for n, r in found.covered.items()]
    tests = [(NAMES[name], share(rate)) for name, rate in found.rejected.items()]
    first = table((f"interval at {level:g}", "covers", "width (wide)"), intervals)
    return f"{first}\n\n{table((f'test at {1 - level:.2g}', 'rejects'), tests)}"


def main() -> None:
    """Write the page, or print one shape's tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=PAGE)
    parser.add_argument(
        "--sizes", help="tasks of each family, comma-separated: print, write nothing"
    )
    parser.add_argument("--correlation", type=float, default=CORRELATION)
    parser.add_argument("--effects", choices=EFFECTS, default="normal")
    parser.add_argument("--level", type=float, default=0.95)
    given = parser.parse_args()
    if given.sizes:
        sizes = tuple(int(size) for size in given.sizes.split(","))
        print(own(sizes, given.correlation, given.effects, given.level))
        return
    given.to.write_text(written(given.to.read_text(encoding="utf-8"), parts()), encoding="utf-8")


if __name__ == "__main__":
    main()
