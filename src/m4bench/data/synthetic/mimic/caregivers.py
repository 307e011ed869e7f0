# SPDX-License-Identifier: MIT
"""Who documents: the table of caregivers, and who is on duty for a stay in a shift. Knows no event."""

import numpy as np

from m4bench.data.synthetic.draws import HOUR, IntArray
from m4bench.data.synthetic.tables import Columns

CAREGIVERS_FROM = 900_000
"""First identifier: the released ones have at most five digits."""
CAREGIVERS = 6_000
_SHIFT = 12 * HOUR


def caregiver_columns() -> Columns:
    """Return the columns of caregiver: all who ever document, whether or not they do in this hospital."""
    return {"caregiver_id": CAREGIVERS_FROM + np.arange(CAREGIVERS)}


def on_duty(stay: IntArray, time: IntArray) -> IntArray:
    """Return the caregiver of each row: one a stay and twelve-hour shift, coming back every fourth day.

    Args:
        stay: stay identifier (or index) of each row.
        time: clock time in seconds.
    """
    shift = time // _SHIFT
    team = stay * 7_919 + (shift % 2) * 104_729 + (shift // 2 % 4) * 15_485_863
    return CAREGIVERS_FROM + team % CAREGIVERS
