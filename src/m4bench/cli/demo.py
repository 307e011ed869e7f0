# SPDX-License-Identifier: MIT
"""`m4bench demo`: the whole way on the embedded synthetic hospital."""

from pathlib import Path
from typing import Annotated

import typer

from m4bench.cli.demo_screen import demo_screen
from m4bench.cli.ending import INTERRUPTED
from m4bench.cli.options import JsonOption, notes, output, print_json
from m4bench.doors.demo import DENSITY, STAYS, summary
from m4bench.doors.demo import demo as whole_way
from m4bench.harness.interruption import EndedBySignal
from m4bench.model.errors import M4BenchError, MeasurementFailedError


def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for store, runs and report.")
    ] = Path("demo-output"),
    stays: Annotated[
        int, typer.Option("--stays", metavar="N", help="Number of invented ICU stays.")
    ] = STAYS,
    density: Annotated[
        float,
        typer.Option("--density", metavar="D", help="Share of a real unit's charting, up to 1."),
    ] = DENSITY,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Show nothing but notes and the report's path.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Invent a hospital, run every task, end with a report.

    The baseline agents run; the same command again goes on from what was finished.
    """
    try:
        with demo_screen(notes, quiet=quiet) as screen:
            result = whole_way(out.expanduser().absolute(), screen, stays=stays, density=density)
    except EndedBySignal as ended:
        raise _EndedError(f"ended by {ended}", ended.exit_code) from None
    except KeyboardInterrupt:
        raise _EndedError("interrupted", INTERRUPTED) from None
    if as_json:
        print_json(summary(result))
    else:
        output.print(f"report: {result.page}", markup=False, highlight=False, soft_wrap=True)
    if result.problems:
        raise MeasurementFailedError("; ".join(result.problems))


class _EndedError(M4BenchError):
    """The demo was ended from outside."""

    def __init__(self, how: str, code: int) -> None:
        super().__init__(f"{how}; finished work is kept, and the same command goes on from there")
        self.exit_code = code
