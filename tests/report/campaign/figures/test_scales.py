# SPDX-License-Identifier: MIT
"""A scale ends at values it names, so that no mark lies outside of the last line."""

import pytest

from m4bench.report.campaign.figures.scales import label, marks_of, room_around, round_ends


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        # the published decoy by task: -0.26 to 0.18 lay outside of a scale named from -0.2 to 0.1
        ([-0.26, 0.18], (-0.3, -0.2, -0.1, 0.0, 0.1, 0.2)),
        ([0.0, 0.59], (-0.2, 0.0, 0.2, 0.4, 0.6, 0.8)),
        ([-0.004, 0.012], (-0.005, 0.0, 0.005, 0.01, 0.015)),
        ([0.0, 0.0], (-0.1, -0.05, 0.0, 0.05, 0.1)),
        ([-0.9, 0.9], (-1.0, -0.5, 0.0, 0.5, 1.0)),
    ],
)
def test_a_scale_of_differences_ends_at_what_it_names(
    values: list[float], marks: tuple[float, ...]
) -> None:
    """The first and last value named are the ends, and all values lie between them."""
    low, high = room_around(values)
    assert marks_of(low, high) == pytest.approx(marks)
    assert (low, high) == (marks[0], marks[-1])
    assert low <= min(values) <= max(values) <= high


@pytest.mark.parametrize("high", [0.11, 0.37, 0.9, 3.0, 17.0, 1234.0])
@pytest.mark.parametrize("share", [0.05, 0.4, 1.0])
def test_ends_are_named_whatever_the_range(high: float, share: float) -> None:
    """Rounding outwards makes a range longer, whose own steps then have to name its ends."""
    ends = round_ends(-share * high, high)
    assert ends[0] <= -share * high < high <= ends[1]
    marks = marks_of(*ends)
    assert (marks[0], marks[-1]) == ends
    assert 3 <= len(marks) <= 10


def test_a_value_is_written_as_the_drawing_writes_it() -> None:
    """With a minus and not a hyphen, without zeros at its end."""
    assert [label(value) for value in (-0.2, 0.0, 0.05, 1.0)] == ["−0.2", "0", "0.05", "1"]
