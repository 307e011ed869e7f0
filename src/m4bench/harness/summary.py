# SPDX-License-Identifier: MIT
"""One line that says how a run went, for people; it knows nothing but the record."""

from m4bench.model.run import RunRecord


def summary(record: RunRecord) -> str:
    """Return the run's id, ending, reward and what speaks against publishing it."""
    ending = record.outcome.state + (f" ({record.outcome.reason})" if record.outcome.reason else "")
    parts = [f"{record.run_id}: {ending}"]
    if record.score is not None:
        parts.append(f"reward {record.score.reward:.4f}")
        if record.outcome.state == "completed":
            parts.append("strict pass" if record.score.strict.passed else "no strict pass")
            parts += [record.score.error] if record.score.error else []
    parts.append(f"{record.outcome.seconds:.1f} s")
    if not record.publishability.publishable:
        parts.append(f"not publishable: {', '.join(record.publishability.reasons)}")
    return "; ".join(parts)
