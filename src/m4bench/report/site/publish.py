# SPDX-License-Identifier: MIT
"""The folder of a site: its form, and where it may not lie. Knows no content."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from m4bench.model.errors import InputError
from m4bench.report.contents import CONTENTS
from m4bench.report.destination import kind_of
from m4bench.report.placing import Form

FOLDERS = ("systems", "tasks", "data")
SITE = Form(
    "leaderboard",
    "site",
    "--site",
    FOLDERS,
    re.compile(r"(?:systems|tasks)/[a-z0-9][a-z0-9-]{0,119}\.html"),
)
ELSEWHERE = "move it away or name another folder with --site"


def refuse_place(out: Path, sources: Sequence[Path]) -> None:
    """Refuse a folder that is none, that holds something else, or that lies among the sources or over one.

    Raises:
        InputError: with the place.
    """
    if kind_of(out) is not None and not out.is_dir():
        raise InputError("is not a folder", file=out, remedy="name a folder with --site")
    places = [Path(os.path.realpath(out / folder)) for folder in ("", *FOLDERS)]
    for source in sources:
        among = Path(os.path.realpath(source))
        if source.is_dir() and any(place.is_relative_to(among) for place in places):
            raise InputError(
                "lies in a folder of runs", file=out, remedy="name another folder with --site"
            )
        if among.parent in places[1:]:
            raise InputError(
                "holds a source where the site has files of its own", file=out, remedy=ELSEWHERE
            )
    if (out / CONTENTS).exists() and _former(out).get("kind") != SITE.kind:
        raise InputError("holds a report or something else", file=out, remedy=ELSEWHERE)


def _former(out: Path) -> dict[str, Any]:
    try:
        document = json.loads((out / CONTENTS).read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
