# SPDX-License-Identifier: MIT
"""Fields of lines that do not all have the same number of them. Knows nothing of quotes or references.

Vectorised, so that a file of tiny rows takes neither a list a row nor more memory than one stretch.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from m4bench.suites.derivation.scoring.buffers import Bools
from m4bench.suites.derivation.scoring.cells import CellKind, Cells, from_texts

_STRETCH = 1 << 18
_COMMA, _NEWLINE, _RETURN = b",\n\r"

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]


def ragged_rows(
    data: memoryview, wanted: Mapping[int, CellKind]
) -> Iterator[tuple[int, dict[int, Cells]]]:
    """Yield the wanted columns of whole unquoted lines, some ten thousand rows at a time.

    A field that a row lacks is unreadable, further ones are ignored, blank lines are no rows.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    start = 0
    while start < len(text):
        stop = len(text)
        if stop - start > _STRETCH:
            ends = np.flatnonzero(text[start : start + _STRETCH] == _NEWLINE)
            stop = start + int(ends[-1]) + 1 if len(ends) else _line_end(text, start + _STRETCH)
        yield _columns(text[start:stop], wanted)
        start = stop


def _line_end(text: Bytes, start: int) -> int:
    later = np.flatnonzero(text[start:] == _NEWLINE)
    return start + int(later[0]) + 1 if len(later) else len(text)


def _columns(text: Bytes, wanted: Mapping[int, CellKind]) -> tuple[int, dict[int, Cells]]:
    """Return the wanted columns of some whole lines."""
    breaks = np.flatnonzero((text == _COMMA) | (text == _NEWLINE))
    if text[-1] != _NEWLINE:
        breaks = np.append(breaks, len(text))
    closing = np.flatnonzero(np.append(text, _NEWLINE)[breaks] == _NEWLINE)
    first = np.concatenate([[0], closing[:-1] + 1])
    fields = closing - first + 1
    begins = np.concatenate([[0], breaks[:-1] + 1])
    ends = breaks.copy()
    ends[closing] -= (breaks[closing] > 0) & (text[breaks[closing] - 1] == _RETURN)
    kept = (fields > 1) | (ends[first] > begins[first])
    first, fields = first[kept], fields[kept]
    found = {}
    for index, kind in wanted.items():
        absent = fields <= index
        place = np.where(absent, first, first + index)
        lengths = np.where(absent, 0, ends[place] - begins[place])
        texts = _gathered(text, begins[place], lengths)
        found[index] = from_texts(kind, texts, absent if absent.any() else None)
    return len(first), found


def _gathered(text: Bytes, begins: Places, lengths: Places) -> pa.Array:
    """Return stretches of a text as a binary array, null where they have no length."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    places = np.repeat(begins - offsets[:-1], lengths) + np.arange(offsets[-1])
    buffers: list[Any] = [
        pa.py_buffer(_packed(lengths > 0)),
        pa.py_buffer(offsets),
        pa.py_buffer(text[places]),
    ]
    return pa.Array.from_buffers(pa.binary(), len(lengths), buffers)


def _packed(bools: Bools) -> Bytes:
    return np.packbits(bools, bitorder="little")
