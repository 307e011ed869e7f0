# SPDX-License-Identifier: MIT
"""Chances that one of k trials passes, or all of them, from n trials. Knows not what a pass is."""

from math import comb


def _checked(trials: int, passed: int, k: int) -> None:
    if not 0 <= passed <= trials:
        raise ValueError("passes lie between none and the number of trials")
    if k < 1:
        raise ValueError("k is at least one trial")


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return the unbiased estimate that at least one of `k` trials passes, `c` of `n` having passed.

    1 - C(n - c, k) / C(n, k), in whole numbers to the last division; None with fewer than `k` trials. Chen et al.
    2021, "Evaluating Large Language Models Trained on Code" (arXiv 2107.03374).

    Raises:
        ValueError: unless 0 <= c <= n and k >= 1.
    """
    _checked(n, c, k)
    if n < k:
        return None
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Return the unbiased estimate that all of `k` trials pass, `c` of `n` having passed.

    C(c, k) / C(n, k); None with fewer than `k` trials. Yao et al. 2024, "tau-bench" (arXiv 2406.12045).

    Raises:
        ValueError: unless 0 <= c <= n and k >= 1.
    """
    _checked(n, c, k)
    return None if n < k else comb(c, k) / comb(n, k)
