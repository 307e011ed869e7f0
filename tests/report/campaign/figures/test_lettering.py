# SPDX-License-Identifier: MIT
"""Texts are as wide as Helvetica sets them."""

import pytest

from m4bench.report.campaign.figures.lettering import width


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("", 0.0),
        ("0.5", (556 + 278 + 556) * 0.012),
        ("Mil", (833 + 222 + 222) * 0.012),
        ("−1 → 2", (584 + 556 + 278 + 1000 + 278 + 556) * 0.012),
        ("名", 12.0),
    ],
)
def test_a_width_is_that_of_the_font(text: str, wide: float) -> None:
    """Adobe's metrics at 12 pixels; a letter of full width is as wide as it is high."""
    assert width(text) == pytest.approx(wide)
