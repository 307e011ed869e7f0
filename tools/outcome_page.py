# SPDX-License-Identifier: MIT
"""Writes the table of outcomes in docs/reference/outcomes.md from `m4bench.model.outcome`.

Usage: python tools/outcome_page.py [--to docs/reference/outcomes.md]

What stands between `<!-- written: PART -->` and `<!-- end -->` is this script's: `rule` and `outcomes`. A test compares
the page with what this script writes, so run it (`make pages`) after a change to the table.
"""

import argparse
from pathlib import Path

from m4bench.model.outcome import DENOMINATOR_RULE, OUTCOMES, RULE_VERSION

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "outcomes.md"
REWARDS = {(True, True): "as scored", (False, True): "0", (False, False): "none"}
LATER = "none until it is scored again"


def outcomes() -> str:
    """Return the table, a row a state."""
    lines = [
        "| state | what happened | run again? | graded? | counts? | reward | whose doing |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in OUTCOMES:
        said = ("yes" if flag else "no" for flag in (one.retry, one.grade, one.valid))
        reward = REWARDS.get((one.grade, one.valid), LATER)
        cells = (f"`{one.state}`", one.meaning, *said, reward, one.blame)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def rule() -> str:
    """Return the rule of counting."""
    return f"> Version {RULE_VERSION}: {DENOMINATOR_RULE}."


def written(page: str) -> str:
    """Return a page with the parts that are this script's as they should be."""
    for part, text in (("rule", rule()), ("outcomes", outcomes())):
        before, begin, rest = page.partition(f"<!-- written: {part} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return page


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=PAGE)
    page = parser.parse_args().to
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
