# SPDX-License-Identifier: MIT
"""What an execution under bubblewrap came to, from what the inside reported and what was seen from outside."""

from collections.abc import Mapping
from pathlib import Path

from m4bench.harness.sandbox.command_line import HOME, SCRATCH, WORK
from m4bench.harness.sandbox.receive import Report
from m4bench.harness.sandbox.sandbox import Execution, Plan, State
from m4bench.model.errors import InputError

ENDINGS = ("exited", "timeout", "resources", "stopped")


def execution(
    report: Report, plan: Plan, start_seconds: float, total: float, cut: Mapping[str, int]
) -> Execution:
    """Return how it ended.

    Once the agent has started, a report that breaks off is the agent's failure. That it was stopped counts
    only when that was asked for, and the reason is the asker's.
    """

    def cut_short(state: State, why: str | None) -> Execution:
        seconds = round(total - start_seconds, 3)
        return Execution(state, why, None, seconds, start_seconds, "missing", {}, cut)

    asked = plan.stop if plan.stop is not None and plan.stop.asked else None
    ended = report.ended
    if ended is None:
        if total >= plan.limits.timeout:
            return cut_short("timeout", "did not end in time")
        return cut_short("agent-error", "the sandbox ended before its program")
    if not report.complete:
        return cut_short("agent-error", "the sandbox ended before it handed out its files")
    state: State = ended.get("state", "infrastructure")
    reason, code = ended.get("reason"), ended.get("exit_code")
    if state not in ENDINGS or not isinstance(code, int) or (state == "stopped" and asked is None):
        return cut_short("agent-error", "the sandbox reported no ending")
    if state == "stopped" and asked is not None:
        reason = asked.reason
    if state == "exited" and code and (place := full_place(ended.get("full"), plan)):
        state, reason = "resources", f"{place} is full"
    return Execution(
        state=state,
        reason=str(reason)[:200] if reason else None,
        exit_code=code,
        seconds=seconds_of(ended.get("seconds")) or 0.0,
        start_seconds=start_seconds,
        output=report.output,
        left_out=report.left_out,
        cut=cut,
        first_output_seconds=seconds_of(ended.get("first_output")),
    )


def full_place(reported: object, plan: Plan) -> str | None:
    """Return the first of the folders an agent may write that is reported full, with its size; None for none."""
    if not isinstance(reported, list):
        return None
    sizes = {WORK: plan.limits.disk, **dict.fromkeys(SCRATCH, plan.limits.scratch)}
    names = {WORK: "the work folder", HOME: "the home"}
    for folder, size in sizes.items():
        if folder in reported:
            return f"{names.get(folder, folder)} of {size >> 20} MiB"
    return None


def seconds_of(value: object) -> float | None:
    """Return a number of seconds, whatever came in."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        return None
    return float(value)


def damaged(found: Mapping[str, str], plan: Plan, work: str) -> InputError:
    """Return the error that names the first host file of those that cannot be read inside."""
    given = {**{f"{work}/{name}": path for name, path in plan.work.items()}, **plan.binds}
    place, why = next(iter(found.items()))
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return InputError(
        f"an agent could not read this file ({why}){more}; nothing was run",
        file=given.get(place, place),
        remedy="m4bench data verify says what is damaged; make it again, and see that you may read it",
    )


def last_line(path: Path, code: int) -> str:
    """Return the last line a failed start printed."""
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else f"exit {code}"


def never_started(plan: Plan, into: Path) -> Execution | None:
    """Return the ending of a plan that was to stop before it began, with what a run leaves; otherwise None."""
    if plan.stop is None or not plan.stop.asked:
        return None
    for name in ("stdout.txt", "stderr.txt"):
        (into / name).touch(mode=0o600)
    return Execution("stopped", plan.stop.reason, None, 0.0, 0.0, "missing")
