# SPDX-License-Identifier: MIT
"""Where rows, names and columns of figures lie, in pixels, and where a chart is parted for a paper. Draws nothing."""

from collections.abc import Sequence
from dataclasses import replace

from m4bench.report.campaign.figures.lettering import width
from m4bench.report.campaign.figures.naming import distinct
from m4bench.report.campaign.figures.rows import Row, Scale
from m4bench.report.chart_parts import Layout
from m4bench.report.drawing import LEAST_LETTER, TEXT_HEIGHT, TEXT_WIDTH

LETTERS = 12  # pixels
SLACK = 8  # letters may be a little wider than reckoned
MOST_ON_PAPER = int(TEXT_WIDTH / LEAST_LETTER * LETTERS) - SLACK
WIDE_ROWS = Layout(row=21, plot=380)
COMPACT_ROWS = Layout(row=13, plot=230, most=MOST_ON_PAPER)
NARROW_ROWS = Layout(row=37, plot=312, mark=8, above=True)
INDENT = 14
PARTED, PARTED_ON_PAPER = 9, 2
HEAD = 18
HEAD_LINE = 13
SCALE_ABOVE = 16
TALL = 600
AXIS = 44  # the scale below the rows, its title, and the room around all
HEADING = 20
LEAST_PLOT = 130
FIRST_NUMBER = 14
BETWEEN_NUMBERS = 14
BESIDE_NAMES = 10
CONTINUED = " (continued)"


def parted(rows: Sequence[Row], scale: Scale, layout: Layout) -> list[list[Row]]:
    """Return the rows in as few parts, equally long, as make each fit a paper's page; groups stay whole."""
    scale = with_heads(rows, scale, layout)
    most = TEXT_HEIGHT / LEAST_LETTER * LETTERS
    groups = groups_of(rows, scale, layout, most)
    fewest = len(_packed(groups, scale, layout, most))
    lowest = next(
        limit
        for limit in range(int(most / fewest), int(most) + 1)
        if len(_packed(groups, scale, layout, limit)) == fewest or limit == int(most)
    )
    return _packed(groups, scale, layout, lowest)


def groups_of(
    rows: Sequence[Row], scale: Scale, layout: Layout, most: float
) -> list[tuple[Row, ...]]:
    """Return rows that stand together: from one that leaves room above to before the next, no more than a page."""
    groups: list[list[Row]] = []
    for row in rows:
        if row.parted or not groups:
            groups.append([row])
        elif height([*groups[-1], row], scale, layout) > most:
            head = groups[-1][0]
            name = f"{head.name.removesuffix(CONTINUED)}{CONTINUED}"
            again = [] if head.dots else [replace(head, name=name)]
            groups.append([*again, row])
        else:
            groups[-1].append(row)
    return [tuple(group) for group in groups]


def _packed(
    groups: Sequence[tuple[Row, ...]], scale: Scale, layout: Layout, most: float
) -> list[list[Row]]:
    """Return the groups in parts no higher than so many pixels, but for a group that is so alone."""
    parts: list[list[Row]] = []
    for group in groups:
        if parts and height([*parts[-1], *group], scale, layout) <= most:
            parts[-1] += group
        else:
            parts.append(list(group))
    return parts


def height(rows: Sequence[Row], scale: Scale, layout: Layout) -> float:
    """Return the height of a chart in pixels, with the scale below it."""
    return places_of(rows, scale, layout)[1] + AXIS


def with_heads(rows: Sequence[Row], scale: Scale, layout: Layout) -> Scale:
    """Return a scale whose columns' heads stand in two lines on paper where they are wider than what is below."""
    if not layout.most:
        return scale
    heads = []
    for column, head in enumerate(scale.heads):
        texts = [row.numbers[column] for row in rows if column < len(row.numbers)]
        first, _, last = head.rpartition(" ")
        too_wide = first and width(head) > max(map(width, texts), default=0.0)
        heads.append(f"{first}\n{last}" if too_wide else head)
    return replace(scale, heads=tuple(heads))


def fitted(rows: Sequence[Row], scale: Scale, layout: Layout) -> Layout:
    """Return a layout whose plot leaves room for all words where the whole has a width that it should not exceed."""
    if not layout.most:
        return layout
    room = int(layout.most - _breadth(rows, scale, layout))
    return replace(layout, plot=max(LEAST_PLOT, min(layout.plot, room)))


def _breadth(rows: Sequence[Row], scale: Scale, layout: Layout) -> float:
    """Return how wide all is beside the plot: names, columns and the room around."""
    if layout.above:
        return 8
    return left_of(rows) + columns_of(rows, scale)[-1] + 8


def left_of(rows: Sequence[Row]) -> float:
    """Return the room that names take to the left of the plot; a heading may reach into it."""
    named = [width(row.name) + INDENT * row.level for row in rows if row.dots or row.spans]
    return max(named, default=0.0) + BESIDE_NAMES


def shown_names(rows: Sequence[Row], scale: Scale, layout: Layout) -> dict[str, str]:
    """Return what stands for each row's name: shortened where all would be too wide for a paper."""
    over = _breadth(rows, scale, layout) + layout.plot - layout.most
    named = [row.name for row in rows if row.dots or row.spans]
    if not layout.most or over <= 0 or not named:
        return {}
    room = max(width(name) for name in named) - over
    letters = max(len(name) for name in named)
    while letters > 12:
        shown = distinct(named, letters)
        if max(map(width, shown.values())) <= room:
            break
        letters -= 1
    return distinct(named, letters)


def _words_at_the_top(scale: Scale, layout: Layout) -> int:
    """Return the room of the words above all rows."""
    if layout.above:
        return HEAD if scale.sides else 0
    more = max((head.count("\n") for head in scale.heads), default=0)
    return HEAD + more * HEAD_LINE if scale.sides or scale.heads else 0


def scale_at(rows: Sequence[Row], scale: Scale, layout: Layout) -> int | None:
    """Return where the scale stands above the rows too: on a screen, where they reach far down."""
    if layout.most or len(rows) * layout.row <= TALL:
        return None
    return _words_at_the_top(scale, layout) + SCALE_ABOVE // 2


def places_of(rows: Sequence[Row], scale: Scale, layout: Layout) -> tuple[list[int], int]:
    """Return the middle of each row and where the last one ends, in pixels from the top."""
    at = _words_at_the_top(scale, layout)
    at += SCALE_ABOVE if scale_at(rows, scale, layout) else 0
    places = []
    for row in rows:
        at += (PARTED_ON_PAPER if layout.most else PARTED) if row.parted else 0
        high = layout.row if row.dots or row.spans or not layout.above else HEADING
        places.append(at + high // 2)
        at += high
    return places, at + 4


def columns_of(rows: Sequence[Row], scale: Scale) -> list[float]:
    """Return where each column of figures begins, in pixels to the right of the plot, and where the last one ends."""
    many = max([len(scale.heads), *(len(row.numbers) for row in rows)], default=0)
    starts, at = [], float(FIRST_NUMBER)
    for column in range(many):
        starts.append(at)
        texts = [row.numbers[column] for row in rows if column < len(row.numbers)]
        texts += scale.heads[column].split("\n") if column < len(scale.heads) else []
        at += max(map(width, texts)) + BETWEEN_NUMBERS
    return [*starts, at - BETWEEN_NUMBERS if many else at]
