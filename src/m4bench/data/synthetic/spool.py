# SPDX-License-Identifier: MIT
"""The tables of a block on their way from the process that drew them: Arrow files in a folder. Knows no table."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc

_SUFFIX = ".arrow"
_OPTIONS = ipc.IpcWriteOptions(compression="lz4", use_threads=False)


def spool(tables: Iterable[tuple[str, pa.Table]], folder: Path) -> None:
    """Write tables into a new folder, each by itself, so that one at a time is in memory."""
    folder.mkdir()
    for number, (name, rows) in enumerate(tables):
        file = folder / f"{number:03}-{name}{_SUFFIX}"
        with (
            pa.OSFile(str(file), "wb") as sink,
            ipc.new_stream(sink, rows.schema, options=_OPTIONS) as writer,
        ):
            writer.write_table(rows)


def unspooled(folder: Path) -> Iterator[tuple[str, pa.Table]]:
    """Yield the tables in the order in which they were written, and remove each, then the folder."""
    for file in sorted(folder.iterdir()):
        with pa.OSFile(str(file), "rb") as source, ipc.open_stream(source) as reader:
            rows = reader.read_all()
        yield file.name.removesuffix(_SUFFIX).partition("-")[2], rows
        del rows
        file.unlink()
    shutil.rmtree(folder)
