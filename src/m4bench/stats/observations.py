# SPDX-License-Identifier: MIT
"""Values and the groups they belong to, checked once for all statistics. Knows no interval and no test."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Labels = Sequence[Hashable] | NDArray[np.generic]


def finite_vector(values: ArrayLike, name: str = "values") -> Floats:
    """Return `values` as a vector of floats.

    Raises:
        ValueError: if they are not one row of at least one finite number.
    """
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(f"{name} must be a vector of at least one number")
    if not np.isfinite(vector).all():
        raise ValueError(f"{name} must be finite; leave out what was not measured")
    return vector


def in_order(terms: Sequence[Floats] | Floats) -> Floats:
    """Return the sum of equally shaped arrays, added first to last whatever the machine or its threads."""
    return reduce(np.add, terms)


@dataclass(frozen=True)
class GroupSums:
    """What a weighted mean needs of each group: shapes (groups,), groups in the order of their labels.

    `totals` holds the sums of weight times value, `weights` the sums of weights.
    """

    totals: Floats
    weights: Floats

    @property
    def mean(self) -> float:
        """The weighted mean of all values."""
        return float(in_order(self.totals)) / float(in_order(self.weights))


def group_positions(groups: Labels, count: int) -> list[NDArray[np.intp]]:
    """Return for each group, in the order of the labels, the positions of its values.

    Raises:
        ValueError: unless there is one label for each of the `count` values.
    """
    labels = list(groups)
    if len(labels) != count:
        raise ValueError("each value needs the label of its group, and no more")
    members: dict[Hashable, list[int]] = {}
    for position, label in enumerate(labels):
        members.setdefault(label, []).append(position)
    return [np.array(members[label], dtype=np.intp) for label in sorted(members)]  # type: ignore[type-var]


def group_sums(values: ArrayLike, groups: Labels, weights: ArrayLike | None = None) -> GroupSums:
    """Return the sums of `values`, shape (n,), by `groups`, shape (n,); `weights`, shape (n,), default to 1.

    Raises:
        ValueError: for lengths that differ, a value that is not finite, or a weight that is not above zero.
    """
    vector = finite_vector(values)
    shares = np.ones_like(vector) if weights is None else finite_vector(weights, "weights")
    if shares.shape != vector.shape or not (shares > 0).all():
        raise ValueError("each value needs a weight above zero")
    places = group_positions(groups, vector.size)
    return GroupSums(
        totals=np.array([float(in_order((shares * vector)[place])) for place in places]),
        weights=np.array([float(in_order(shares[place])) for place in places]),
    )


def equal_group_weights(groups: Labels) -> Floats:
    """Return the weights, shape (n,), under which the mean is that of the groups' means."""
    labels = list(groups)
    weights = np.empty(len(labels))
    for place in group_positions(labels, len(labels)):
        weights[place] = 1.0 / place.size
    return weights
