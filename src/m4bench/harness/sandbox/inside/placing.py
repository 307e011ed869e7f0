# SPDX-License-Identifier: MIT
"""Puts what an agent is given into its folders, from messages; knows neither agent nor task."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from .frames import FrameError, copy_body, receive

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def unpack(incoming: BinaryIO) -> dict[str, Any]:
    """Return the orders, with the files of the work folder and the home written to their places.

    Raises:
        FrameError: the stream ended, or holds something else.
    """
    config = receive(incoming)
    os.chdir(config["work"])
    while (header := receive(incoming))["kind"] != "end":
        match header["kind"]:
            case "file":
                place_work(Path(config["work"]), header, incoming)
            case "home":
                with private_file(Path(config["home"]), header["path"]) as target:
                    copy_body(incoming, target, header["size"])
            case _:
                raise FrameError("an unknown order")
    return config


def place_work(work: Path, header: Mapping[str, Any], incoming: BinaryIO) -> None:
    """Write one file of the work folder."""
    path = work / header["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as target:
        copy_body(incoming, target, header["size"])
    if header.get("executable"):
        path.chmod(0o755)


def private_file(home: Path, name: str) -> BinaryIO:
    """Return a new file below a home, open for writing, that only its user can read, as its folders."""
    folder = home
    for part in name.split("/")[:-1]:
        folder = folder / part
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    return os.fdopen(os.open(home / name, flags, PRIVATE_FILE), "wb")
