# SPDX-License-Identifier: MIT
"""Elementary functions are right to the last places, and give the same bits with and without vector units."""

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from m4bench.data.synthetic import elementary
from tests.data.synthetic.conftest import vector_units

RNG = np.random.default_rng(1)
MODERATE = np.concatenate([RNG.uniform(-30, 30, 50_000), RNG.uniform(-1, 1, 50_000), [0.0]])
BITS = """
import hashlib
import numpy as np
from m4bench.data.synthetic.elementary import exp, log, power, sin
x = np.random.default_rng(2).uniform(-40, 40, 200_000)
values = [exp(x), log(np.abs(x)), sin(x), power(np.abs(x), 0.37)]
print(hashlib.sha256(np.concatenate(values).tobytes()).hexdigest())
"""


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("exp", np.concatenate([MODERATE, RNG.uniform(-700, 700, 50_000)])),
        ("log", np.concatenate([np.exp(MODERATE), RNG.uniform(0.5, 2.0, 50_000), [5e-324]])),
        ("sin", np.concatenate([MODERATE, RNG.uniform(-1e6, 1e6, 50_000)])),
    ],
)
def test_values_are_right_to_within_three_units_of_the_last_place(
    name: str, given: np.ndarray
) -> None:
    """Held against the same function in a wider type, whose own error does not count."""
    wide: Callable[..., np.ndarray] = getattr(np, name)
    truth = wide(given.astype(np.longdouble))
    found = getattr(elementary, name)(given)
    unit = np.spacing(np.abs(truth.astype(np.float64)))
    assert np.max(np.abs(found - truth) / unit) <= 3


def test_powers_are_those_of_numpy() -> None:
    """A power agrees with NumPy's to a few units in proportion to the logarithm of the result."""
    base, exponent = RNG.uniform(0.01, 50, 10_000), RNG.uniform(-4, 4, 10_000)
    found = elementary.power(base, exponent)
    assert np.allclose(found, base**exponent, rtol=2e-14, atol=0)


def test_limits_are_kept() -> None:
    """What is infinite, zero, negative or not a number comes out as mathematics has it."""
    nan, infinite = np.nan, np.inf
    found = elementary.exp([nan, infinite, -infinite, 0.0, 1e9, -1e9, 709.7])
    assert np.array_equal(found[:6], [nan, infinite, 0.0, 1.0, infinite, 0.0], equal_nan=True)
    assert np.isfinite(found[6])
    found = elementary.log([0.0, -1.0, infinite, nan, 1.0])
    assert np.array_equal(found, [-infinite, nan, infinite, nan, 0.0], equal_nan=True)


def test_bits_do_not_hang_on_the_vector_units() -> None:
    """All functions give the same bits when NumPy may not use what this processor has."""
    prints = [
        subprocess.run(
            [sys.executable, "-c", BITS],
            env=os.environ | limits,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for limits in ({}, {"NPY_DISABLE_CPU_FEATURES": " ".join(vector_units())})
    ]
    assert prints[0] == prints[1]
