# SPDX-License-Identifier: MIT
"""Points on two scales, laid out on a sheet: in swarms that hide none, or by numbers beside them. Knows no run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot, log, log10

from m4bench.report import palette
from m4bench.report.campaign.figures.scales import label, marks_of
from m4bench.report.sheet import Sheet

LOG_FROM = 10
FEW_STEPS = 2
THOUSAND = 1000
LEVEL = 6
LINE = 17
PITCHES = (6.0, 5.0, 4.0, 3.0, 2.0)
MOST_ASIDE = 2
POINT, OTHER = 34, 12
BOX = (15, 13)
RINGS = (12, 19, 27, 36, 46)
TURNS = ((0, -1), (1, 0), (-1, 0), (0, 1), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


@dataclass(frozen=True)
class Point:
    """A point with what a reader sees on pointing at it; `hollow` is drawn open."""

    x: float
    y: float
    about: str
    number: int = 0
    hollow: bool = False


@dataclass(frozen=True)
class Axis:
    """A scale: its ends, its name and whether it is logarithmic."""

    low: float
    high: float
    title: str
    log: bool = False

    def share(self, value: float) -> float:
        """Return where a value lies between the ends, from 0 to 1."""
        if self.log:
            return log(value / self.low) / log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def marks(self, most: int) -> list[float]:
        """Return round values within the ends, no more than so many."""
        if self.log:
            return _decades(self.low, self.high, most)
        found = marks_of(self.low, self.high)
        if len(found) <= most:
            return list(found)
        step, every = found[1] - found[0], ceil(len(found) / max(1, most))
        return [value for value in found if round(value / step) % every == 0]


@dataclass(frozen=True)
class Plot:
    """A rectangle on a sheet in pixels, with a scale across and one upwards."""

    left: float
    top: float
    wide: float
    high: float
    across: Axis
    up: Axis

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point lies on the sheet."""
        return (
            self.left + self.wide * self.across.share(x),
            self.top + self.high * (1 - self.up.share(y)),
        )

    def frame(
        self, sheet: Sheet, *, upright: bool = True, ruled: bool = True, most: int = 4
    ) -> None:
        """Draw the values and the name of the scale across, with its lines if `ruled`, and the `upright` scale."""
        for value in self.up.marks(most) if upright else ():
            y = self.place(self.across.low, value)[1]
            sheet.line((self.left, y), (self.left + self.wide, y))
            sheet.words((self.left - 6, y), _value(value), align="right")
        for value in self.across.marks(most):
            x = self.place(value, self.up.low)[0]
            if ruled:
                sheet.line((x, self.top), (x, self.top + self.high))
            sheet.words((x, self.top + self.high + 11), _value(value), align="center")
        foot = (self.left + self.wide / 2, self.top + self.high + 27)
        sheet.words(foot, self.across.title, align="center", colour=palette.SOFT)


def axis_of(values: Sequence[float], title: str) -> Axis:
    """Return a scale that holds the values: logarithmic where they are wide and above 0, else from 0."""
    low, high = min(values), max(values)
    if low > 0 and high / low >= LOG_FROM:
        return Axis(low / 1.3, high * 1.3, f"{title}, logarithmic", log=True)
    return Axis(0.0, high * 1.08 or 1.0, title)


def rates_axis(values: Sequence[float], title: str) -> Axis:
    """Return a scale of rates around the values, whose name says where it begins if that is not at 0."""
    low = max(0.0, floor(min(values) * 10 - 0.5) / 10)
    high = min(1.0, ceil(max(values) * 10 + 0.5) / 10)
    return Axis(low, high, f"{title}, from {low:g}" if low else title)


def swarms(
    panels: Sequence[Sequence[Point]], plot: Plot
) -> tuple[float, list[list[tuple[float, float]]]]:
    """Return how far dots lie apart, and each panel's places: beside one another where one would hide another.

    The distance is the largest at which no dot of any panel hides another; of very many the smallest there is.

    Args:
        panels: the points of each panel, `y` of 0 to 1.
        plot: the rectangle they are to lie in, the same for all.
    """
    for pitch in PITCHES:
        placed = [_swarm(points, plot, pitch) for points in panels]
        if all(free for _, free in placed) or pitch == PITCHES[-1]:
            break
    return pitch, [places for places, _ in placed]


def _swarm(
    points: Sequence[Point], plot: Plot, pitch: float
) -> tuple[list[tuple[float, float]], bool]:
    """Return where points lie, in their order, and whether all of them found a free place."""
    levels: dict[int, list[int]] = {}
    for number, point in enumerate(points):
        levels.setdefault(round(point.y * plot.high / LEVEL), []).append(number)
    rooms = _rooms(sorted(levels), plot.high * plot.up.share(0.0))
    found: dict[int, tuple[float, float]] = {}
    free = True
    for level, members in levels.items():
        most = int(rooms[level] // pitch)
        lanes = [turn * step for step in range(most + 1) for turn in (1, -1)][1:]
        places = [(lane, shift) for shift in range(MOST_ASIDE + 1) for lane in lanes]
        taken: dict[int, list[float]] = {lane: [] for lane in lanes}
        for number in sorted(members, key=lambda one: (points[one].x, points[one].about)):
            x, y = plot.place(points[number].x, points[number].y)
            lane, shift = next(
                (
                    (lane, shift)
                    for lane, shift in places
                    if all(abs(x - shift * pitch - other) >= pitch for other in taken[lane])
                ),
                (0, 0),
            )
            free = free and all(abs(x - shift * pitch - other) >= pitch for other in taken[lane])
            taken[lane].append(x - shift * pitch)
            found[number] = (x - shift * pitch, y - lane * pitch)
    return [found[number] for number in range(len(points))], free


def _rooms(levels: Sequence[int], most: float) -> dict[int, float]:
    """Return how far each level may swell upwards and downwards, in pixels, so that it meets no other."""
    rooms = dict.fromkeys(levels, most)
    for one, other in pairwise(levels):
        half = (other - one) * LEVEL / 2
        rooms[one], rooms[other] = min(rooms[one], half), min(rooms[other], half)
    return rooms


def numbered(sheet: Sheet, plot: Plot, points: Sequence[Point], others: Sequence[Point]) -> None:
    """Draw points with their numbers, joined by a line to a number that stands apart; others pale and without."""
    if not points:
        middle = (plot.left + plot.wide / 2, plot.top + 12)
        sheet.words(middle, "not recorded", align="center", colour=palette.SOFT)
    for point in others:
        at = plot.place(point.x, point.y)
        sheet.dot(at, size=OTHER, stroke=palette.STRONG, fill=palette.STRONG, about=point.about)
    for point, at, beside in _labels(plot, points, others):
        far = hypot(beside[0] - at[0], beside[1] - at[1])
        if far > RINGS[0] + 3:
            short = 1 - 8 / far
            end = (at[0] + (beside[0] - at[0]) * short, at[1] + (beside[1] - at[1]) * short)
            sheet.line(at, end, palette.STRONG)
        fill = palette.PAPER if point.hollow else palette.FILL
        sheet.dot(at, size=POINT, fill=fill, about=point.about, value=point.y)
        sheet.words(beside, str(point.number), align="center")


def _labels(
    plot: Plot, points: Sequence[Point], others: Sequence[Point]
) -> Iterator[tuple[Point, tuple[float, float], tuple[float, float]]]:
    """Yield each point with its place and its number's: near it, and on no other number or point."""
    places = [plot.place(point.x, point.y) for point in points]
    taken = [(x, y, 5.0, 5.0) for x, y in places]
    taken += [(*plot.place(point.x, point.y), 1.0, 1.0) for point in others]
    for point, (x, y) in zip(points, places, strict=True):
        around = [(x + ring * dx, y + ring * dy) for ring in RINGS for dx, dy in TURNS]
        at = next((place for place in around if _is_free(place, taken, plot)), around[0])
        taken.append((*at, BOX[0] / 2, BOX[1] / 2))
        yield point, (x, y), at


def _is_free(
    at: tuple[float, float], taken: Sequence[tuple[float, float, float, float]], plot: Plot
) -> bool:
    x, y = at
    if not (plot.left + BOX[0] / 2 <= x <= plot.left + plot.wide - BOX[0] / 2):
        return False
    if not (plot.top + BOX[1] / 2 <= y <= plot.top + plot.high - BOX[1] / 2):
        return False
    return all(
        abs(x - other) >= BOX[0] / 2 + half or abs(y - level) >= BOX[1] / 2 + tall
        for other, level, half, tall in taken
    )


def listed_columns(
    sheet: Sheet,
    at: tuple[float, float],
    heads: Mapping[str, float],
    lines: Sequence[Sequence[str]],
) -> float:
    """Write lines below heads and return where they end; the first column to the left, the rest to the right.

    Args:
        sheet: takes the words.
        at: the upper left corner.
        heads: the name of each column and how wide it is, in pixels.
        lines: as many texts as heads in each.
    """
    left, top = at
    ends = [left]
    for wide in heads.values():
        ends.append(ends[-1] + wide)
    for row, line in enumerate([list(heads), *lines]):
        y = top + LINE * row + LINE / 2
        colour = palette.INK if row else palette.SOFT
        sheet.words((left, y), line[0], colour=colour)
        for text, end in zip(line[1:], ends[2:], strict=True):
            sheet.words((end, y), text, align="right", colour=colour)
    return top + LINE * (len(lines) + 1)


def _decades(low: float, high: float, most: int) -> list[float]:
    """Return the steps of a logarithmic scale: powers of ten, with their doubles and fives where these are few."""
    powers = [10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1)]
    within = [step for step in powers if low <= step <= high]
    if len(within) > FEW_STEPS:
        return within[:: ceil(len(within) / most)]
    finer = [times * step for step in powers for times in (1, 2, 5) if low <= times * step <= high]
    return finer if len(finer) <= most + 1 else finer[::2]


def _value(value: float) -> str:
    if value >= THOUSAND * THOUSAND:
        return f"{value / THOUSAND / THOUSAND:g}M"
    return f"{value / THOUSAND:g}k" if value >= THOUSAND else label(value)
