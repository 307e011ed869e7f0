# SPDX-License-Identifier: MIT
"""`m4bench doctor` where the command line itself cannot be loaded: the same findings, with Python alone."""

import argparse
import json
import sys
from pathlib import Path

from m4bench.cli.doctor_lines import plain_lines
from m4bench.doors.doctor import examine


def bare_doctor() -> None:
    """Tell what is ready and what is missing; exit 1 when the main job cannot be done."""
    parser = argparse.ArgumentParser("m4bench doctor", description=bare_doctor.__doc__)
    parser.add_argument("--store", metavar="DIR", type=Path, help="The store.")
    parser.add_argument("--reach", action="store_true", help="Try connections to endpoints.")
    parser.add_argument("--json", action="store_true", help="Print JSON alone.")
    asked = parser.parse_args(sys.argv[2:])
    diagnosis = examine(asked.store, Path.cwd(), reach=asked.reach)
    if asked.json:
        sys.stdout.write(json.dumps(diagnosis.as_json(), indent=2, default=str) + "\n")
    else:
        sys.stdout.write(plain_lines(diagnosis, sys.stdout.encoding))
    sys.exit(not diagnosis.ready)
