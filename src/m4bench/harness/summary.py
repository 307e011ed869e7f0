# SPDX-License-Identifier: MIT
"""One line that says how a run went, for people, and where to look; it knows the record and the folder's place."""

from pathlib import Path

from m4bench.harness.run_folder import FAILED
from m4bench.model.outcome import UNSCORED, rule_of
from m4bench.model.run import RunRecord
from m4bench.model.score import Score
from m4bench.model.usage import Usage


def summary(record: RunRecord) -> str:
    """Return the run's id, ending, reward and what speaks against publishing it."""
    ending = record.outcome.state + (f" ({record.outcome.reason})" if record.outcome.reason else "")
    parts = [f"{record.run_id}: {ending}"]
    if record.score is not None:
        parts.append(f"reward {record.score.reward:.4f}")
        if record.outcome.state == "completed":
            parts.append("strict pass" if record.score.strict.passed else "no strict pass")
            why = record.score.error or why_nothing(record.score)
            parts += [why] if why else []
    parts.append(f"{record.outcome.seconds:.1f} s")
    parts += spent(record.usage) if record.usage is not None else []
    if not record.publishability.publishable:
        parts.append(f"not publishable: {', '.join(record.publishability.reasons)}")
    return "; ".join(parts)


def spent(usage: Usage) -> list[str]:
    """Return what a run used: requests, tokens, dollars, and what nobody knows of them."""
    parts = [f"{usage.requests:,} model requests", f"{usage.tokens.total:,} tokens"]
    if usage.uncounted:
        parts.append(f"{usage.uncounted:,} answers without a count of tokens")
    if usage.cost_usd is not None and usage.prices is not None:
        parts.append(f"{usage.cost_usd:.4f} US dollars by {usage.prices}")
    return parts


def where_to_look(record: RunRecord, results: Path) -> str:
    """Return where a run that did not complete lies, and which file of it holds the program's own words."""
    folder = results.absolute() / record.run_id
    if not rule_of(record.outcome.state).valid and record.outcome.state != UNSCORED:
        # Its folder has a mark of its own, so that the run can be repeated.
        folder = max((results.absolute() / FAILED).glob(f"{record.run_id}__*"), key=_made)
    left = {file.name for file in record.artefacts if file.bytes}
    told = [name for name in ("trace.jsonl", "egress.jsonl") if name in left and record.activity]
    words = ""
    if told:
        words = f"; what it did is in {' and '.join(told)} there"
    elif "stderr.txt" in left:
        words = "; the program's own words are in stderr.txt there"
    return f"its folder is {folder}{words}"


def _made(folder: Path) -> int:
    return folder.stat().st_mtime_ns


def why_nothing(score: Score) -> str | None:
    """Return why a comparison earned nothing, in a few words; None when it earned something."""
    if score.reward > 0:
        return None
    if score.columns and not any(column.present for column in score.columns.values()):
        return "no scored column is present"
    if score.keys.reference and not score.keys.output:
        return "the output has no row"
    if score.keys.reference and not score.keys.matched:
        return "no key of the output is one of the reference's"
    failed = next((check for check in score.strict.checks if not check.passed), None)
    if failed is None:
        return "no value matches" if score.columns else None
    if failed.value is None or failed.threshold is None:
        return f"{failed.name} fails"
    return f"{failed.name} is {failed.value:.4g}, needs {failed.threshold:.4g}"
