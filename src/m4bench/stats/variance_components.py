# SPDX-License-Identifier: MIT
"""Where values vary: variance components of crossed and nested random factors; knows labels, not what they name.

`variance_components(values, labels)` takes one label of each factor for each value; `labels` is in the order in which
factors are to be told apart, nested labels are unique already (a task's name belongs to one family, a cell's to one
task and one model). `one_way(values, groups)` is the analysis of variance of one factor.

The likelihood needs no matrix of the size of the values. Let the cells be the groups of values with equal labels of
all factors, n_i values each, C cells, N values. An orthogonal rotation within each cell separates sqrt(n_i) times its
mean from n_i - 1 contrasts, which are independent of everything else with variance s (the residual). The means have
covariance s W, W = sum of t_f Z_f Z_f' + diag(1/n_i), with t_f = variance of factor f / s. As the mean of all is the
only fixed effect and lies in the means' part, the restricted likelihood is, up to a constant, exactly

    -2 log L = (N - 1) log s + log|W| + log(1'W^-1 1) + (SSW + y'Py) / s,
    P = W^-1 - W^-1 1 1'W^-1 / (1'W^-1 1),

y the cells' means, SSW the sum of squares within cells; s = (SSW + y'Py) / (N - 1) is profiled out (Patterson and
Thompson 1971, doi 10.1093/biomet/58.3.545; Searle, Casella and McCulloch 1992, Variance Components, ch. 6). A factor
whose levels are the cells stands on W's diagonal, the others enter by Woodbury's identity, so that an evaluation costs
C times the square of the number of their levels.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg, optimize

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

STARTS = (1.0, 0.3, 3.0, 0.05)
LARGEST_RATIO = 1e8
SAME_GROUPING = 1e-9
NO_VARIATION = 1e-24
LEVEL_SLOPE = 1e-3


class Components(NamedTuple):
    """Variances in squared units of the values.

    `estimates` has those of the factors, 0 where the likelihood is greatest at the boundary; `residual` is what
    varies between values whose labels are all equal (between trials). `converged` is False where no maximum was
    reached: the figures must not be used. `levels` counts the labels of every factor given. `left_out` names
    factors that the data cannot tell from the residual and those before them: one level only, a level for each
    value, the same grouping as another. What such a factor causes, if anything, is within the other estimates.
    """

    estimates: dict[str, float]
    residual: float
    converged: bool
    levels: dict[str, int]
    left_out: tuple[str, ...]


class OneWay(NamedTuple):
    """Variances between and within groups, and `correlation`, between over their sum, of two values of a group.

    `mean_size` is the size that stands for all groups' in the expected mean squares (n0).
    """

    between: float
    within: float
    correlation: float
    groups: int
    mean_size: float


class _Cells(NamedTuple):
    """Means (centred, in units of the values' standard deviation), sizes, and what varies within."""

    means: Array
    sizes: Array
    within: float
    values: int


class _Design(NamedTuple):
    """`columns` (cells x levels) of the factors off the diagonal, `spans` their places, `diagonal` the factor on it."""

    names: tuple[str, ...]
    columns: Array
    spans: tuple[slice | None, ...]


class _Evaluation(NamedTuple):
    """-2 log restricted likelihood, its slope by each ratio, and the residual variance profiled out."""

    value: float
    slope: Array
    residual: float


def variance_components(values: ArrayLike, labels: Mapping[str, Sequence[Hashable]]) -> Components:
    """Return restricted maximum likelihood estimates of the variances of random factors and of the residual.

    `values`: N numbers, unbalanced as they come; `labels`: by factor, N labels. Where all values of every cell are
    equal and a factor's levels are the cells, the residual is 0 and the rest is estimated from the cells' means.
    The estimates are no less uncertain than a factor has few levels: three models say little of models.

    Raises ValueError for fewer than two values, values that are not finite and labels of another number.
    """
    y = _finite(values)
    codes = {name: _codes(given, y.size, name) for name, given in labels.items()}
    levels = {name: int(code.max()) + 1 for name, code in codes.items()}
    kept = _told_apart(codes, y.size)
    left_out = tuple(name for name in codes if name not in kept)
    spread = float(np.sqrt(np.mean((y - y.mean()) ** 2)))
    if spread <= np.sqrt(NO_VARIATION) * max(1.0, float(np.abs(y).max())):
        return Components(dict.fromkeys(kept, 0.0), 0.0, True, levels, left_out)
    cell, cells = _cells((y - y.mean()) / spread, [codes[name] for name in kept])
    first = np.unique(cell, return_index=True)[1]
    saturating = [name for name in kept if levels[name] == cells.sizes.size]
    if saturating and cells.within <= NO_VARIATION * y.size:
        means = {name: codes[name][first].tolist() for name in kept if name not in saturating}
        inner = variance_components(y[first], means)
        # Within the means, the factor of the cells is what is left: it cannot be among those left out.
        estimates = inner.estimates | {saturating[0]: inner.residual}
        ordered = {name: estimates.get(name, 0.0) for name in kept if name not in inner.left_out}
        return Components(ordered, 0.0, inner.converged, levels, left_out + inner.left_out)
    design = _design({name: codes[name][first] for name in kept}, cells.sizes.size)
    ratios, converged = _largest_likelihood(cells, design)
    residual = _evaluate(ratios, cells, design).residual * spread**2
    estimates = {name: float(ratio) * residual for name, ratio in zip(kept, ratios, strict=True)}
    return Components(estimates, residual, converged, levels, left_out)


def one_way(values: ArrayLike, groups: Sequence[Hashable]) -> OneWay:
    """Return the components of a one-way random-effects analysis of variance, groups of any size.

    within = MSW, between = (MSB - MSW) / n0 or 0 where that is negative, n0 = (N - sum n_g^2 / N) / (G - 1)
    (Searle, Casella and McCulloch 1992, 3.6).

    Raises ValueError for fewer than two groups, groups of one value each, and values that are not finite.
    """
    y = _finite(values)
    code = _codes(groups, y.size, "groups")
    sizes = np.bincount(code).astype(np.float64)
    if sizes.size < 2 or sizes.size == y.size:
        raise ValueError("needs two groups and one of them with two values")
    means = np.bincount(code, weights=y) / sizes
    within = float(np.sum((y - means[code]) ** 2)) / (y.size - sizes.size)
    square_between = float(np.sum(sizes * (means - y.mean()) ** 2)) / (sizes.size - 1)
    mean_size = float(y.size - np.sum(sizes**2) / y.size) / (sizes.size - 1)
    between = max(0.0, (square_between - within) / mean_size)
    total = between + within
    return OneWay(between, within, between / total if total else 0.0, sizes.size, mean_size)


def _finite(values: ArrayLike) -> Array:
    """Return values as an array."""
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 1 or y.size < 2:
        raise ValueError("needs at least two values in one dimension")
    if not np.isfinite(y).all():
        raise ValueError("a value is not a finite number")
    return y


def _codes(labels: Sequence[Hashable], size: int, name: str) -> Codes:
    """Return labels as 0, 1, … in order of their first appearance."""
    if len(labels) != size:
        raise ValueError(f"{name} has {len(labels)} labels for {size} values")
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(label, len(seen)) for label in labels], dtype=np.intp)


def _told_apart(codes: Mapping[str, Codes], size: int) -> list[str]:
    """Return the factors identified by the data, in their order.

    Components are identified where the centred matrices M Z_f Z_f' M and M (of the residual, always kept) are
    linearly independent. Their inner products need counts alone: tr(M Z_f Z_f' M Z_g Z_g') is the sum of squares of
    (n_fg - n_f n_g / N).
    """
    matrices = {"": np.arange(size, dtype=np.intp), **codes}
    kept: list[str] = [""]
    products = np.array([[size - 1.0]])
    for name, code in codes.items():
        own = _inner_product(code, code)
        across = np.array([_inner_product(matrices[other], code) for other in kept])
        left = own - across @ linalg.lstsq(products, across)[0]
        if left > SAME_GROUPING * size**2:
            products = np.block([[products, across[:, None]], [across[None, :], np.array([[own]])]])
            kept.append(name)
    return kept[1:]


def _inner_product(first: Codes, second: Codes) -> float:
    """Return the inner product of two centred matrices of equal labels."""
    size = first.size
    counts = [np.bincount(code).astype(np.float64) for code in (first, second)]
    pairs = np.unique(first * counts[1].size + second, return_counts=True)[1].astype(np.float64)
    places = np.unique(first * counts[1].size + second)
    expected = counts[0][places // counts[1].size] * counts[1][places % counts[1].size] / size
    # Pairs of levels that never meet contribute the square of what would be expected of them.
    everywhere = float(np.sum(counts[0] ** 2)) * float(np.sum(counts[1] ** 2)) / size**2
    return everywhere + float(np.sum((pairs - expected) ** 2 - expected**2))


def _cells(y: Array, codes: Sequence[Codes]) -> tuple[Codes, _Cells]:
    """Return each value's cell, and the cells."""
    if codes:
        cell = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].reshape(-1)
    else:
        cell = np.zeros(y.size, dtype=np.intp)
    sizes = np.bincount(cell).astype(np.float64)
    means = np.bincount(cell, weights=y) / sizes
    return cell, _Cells(means, sizes, float(np.sum((y - means[cell]) ** 2)), y.size)


def _design(codes: Mapping[str, Codes], cells: int) -> _Design:
    """Return the columns of factors; one whose levels are the cells needs none."""
    blocks: list[Array] = []
    spans: list[slice | None] = []
    width = 0
    for code in codes.values():
        size = int(code.max()) + 1
        if size == cells:
            spans.append(None)
            continue
        blocks.append((code[:, None] == np.arange(size)).astype(np.float64))
        spans.append(slice(width, width + size))
        width += size
    columns = np.hstack(blocks) if blocks else np.empty((cells, 0))
    return _Design(tuple(codes), columns, tuple(spans))


def _evaluate(ratios: Array, cells: _Cells, design: _Design) -> _Evaluation:
    """Return the profiled criterion at ratios of factors' variances to the residual's."""
    diagonal = 1.0 / cells.sizes
    width = design.columns.shape[1]
    scale = np.ones(width)
    for ratio, span in zip(ratios, design.spans, strict=True):
        if span is None:
            diagonal = diagonal + ratio
        else:
            scale[span] = np.sqrt(ratio)
    columns, weight = design.columns, 1.0 / diagonal
    weighted = columns * weight[:, None]
    inner = columns.T @ weighted
    root = linalg.cholesky(np.eye(width) + scale[:, None] * inner * scale, lower=True)
    # half'half is the part that Woodbury's identity takes from the inverse of the diagonal.
    half = linalg.solve_triangular(root, scale[:, None] * weighted.T, lower=True)
    ones, means = (
        weight * one - half.T @ (half @ one) for one in (np.ones(weight.size), cells.means)
    )
    information = float(ones.sum())
    projected = means - ones * (float(ones @ cells.means) / information)
    squares = cells.within + float(cells.means @ projected)
    residual = squares / (cells.values - 1)
    slope = np.empty(len(ratios))
    both = half @ columns
    for place, span in enumerate(design.spans):
        if span is None:
            trace = float(np.sum(weight - np.sum(half**2, axis=0)) - ones @ ones / information)
            effect = float(projected @ projected)
        else:
            of_ones = columns[:, span].T @ ones
            trace = float(np.trace(inner[span, span]) - np.sum(both[:, span] ** 2))
            trace -= float(of_ones @ of_ones) / information
            effect = float(np.sum((columns[:, span].T @ projected) ** 2))
        slope[place] = trace - effect / residual
    value = (
        (cells.values - 1) * np.log(residual)
        + float(np.sum(np.log(diagonal)))
        + 2.0 * float(np.sum(np.log(np.diag(root))))
        + np.log(information)
    )
    return _Evaluation(float(value), slope, residual)


def _largest_likelihood(cells: _Cells, design: _Design) -> tuple[Array, bool]:
    """Return the best ratios from several starts and whether they are a maximum.

    First on the scale of standard deviations, where steps suit ratios of any size; then on that of the ratios,
    whose slope at 0 does not vanish, so that a component leaves 0 where it should and stays where it must.
    """
    count = len(design.names)
    if not count:
        return np.empty(0), True
    noise = cells.within / max(1, cells.values - cells.sizes.size)
    unit = 1.0 / noise if noise > 1e-6 else 1.0

    def by_deviation(deviations: Array) -> tuple[float, Array]:
        found = _evaluate(deviations**2 * unit, cells, design)
        return found.value, found.slope * 2.0 * deviations * unit

    def by_ratio(scaled: Array) -> tuple[float, Array]:
        found = _evaluate(scaled * unit, cells, design)
        return found.value, found.slope * unit

    limit = LARGEST_RATIO / unit
    fits = []
    for start in STARTS:
        near = _descend(by_deviation, np.full(count, np.sqrt(start)), np.sqrt(limit))
        fits.append(_descend(by_ratio, near**2, limit))
    best = min(fits, key=lambda scaled: by_ratio(scaled)[0]) * unit
    for place in range(count):
        without = np.where(np.arange(count) == place, 0.0, best)
        if _evaluate(without, cells, design).value <= _evaluate(best, cells, design).value:
            best = without
    found = _evaluate(best, cells, design)
    level = np.where(best > 0, np.abs(found.slope * best), np.maximum(0.0, -found.slope * unit))
    return best, bool(np.all(level < LEVEL_SLOPE))


def _descend(
    criterion: Callable[[Array], tuple[float, Array]], start: Array, limit: float
) -> Array:
    """Return where a bounded quasi-Newton descent ends."""
    result = optimize.minimize(
        criterion,
        np.minimum(start, limit),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, limit)] * start.size,
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500},
    )
    return np.asarray(result.x, dtype=np.float64)
