# SPDX-License-Identifier: MIT
"""Who orders and admits: the table of providers, and who is responsible for what. Knows no order."""

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.draws import BoolArray, IntArray
from m4bench.data.synthetic.tables import Columns

PROVIDERS = 4_000
_MARK = "X9"
"""How identifiers begin; the released ones begin with a P."""


def _names() -> pa.Array:
    return pa.array([f"{_MARK}{number:04X}" for number in range(PROVIDERS)], pa.string())


def provider_columns() -> Columns:
    """Return the columns of provider: all who could order, whether or not they do in this hospital."""
    return {"provider_id": _names()}


def providers(numbers: IntArray, known: BoolArray | None = None) -> pa.Array:
    """Return the identifier of each number, taken round the table; null where it is not known."""
    codes = pa.array(numbers % PROVIDERS, mask=None if known is None else ~known)
    return _names().take(codes)


def ordering_providers(patient: IntArray, order: IntArray, share: float) -> pa.Array:
    """Return who gave each order: a few of a patient's team; null for all but a share of the orders.

    Args:
        patient: index of the patient.
        order: number of the order or specimen; the rows of one have one provider.
        share: share of orders whose provider is told, in thousandths at best.
    """
    spread = (order * 2_654_435_761) % 1_000_003
    team = patient * 7_919 + (spread % 5) * 104_729
    return providers(team, np.asarray(spread % 1_000 < share * 1_000, dtype=np.bool_))
