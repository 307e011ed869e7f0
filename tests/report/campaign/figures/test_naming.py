# SPDX-License-Identifier: MIT
"""How a campaign's figures write numbers and names."""

import re

import pytest

from m4bench.analysis.runs import System
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    by_name,
    cut,
    distinct,
    signed,
    system_labels,
)
from tests.report.campaign.samples import build_run, table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1357, "+0.136"),
        (-0.0404, "−0.040"),
        (0.0, "0.000"),
        (1e-12, "0.000"),
        (0.0002, "+0.0002"),
        (-0.0002, "−0.0002"),
        (None, "–"),
        (float("nan"), "–"),
    ],
)
def test_a_difference_has_its_sign(value: float | None, text: str) -> None:
    """Only what is 0 within 1e-9 is written as 0; what rounds to it says on which side it lies."""
    assert signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0001, "−0.0001"), (-0.0344, "−0.034"), (1.2, "1.200")]
)
def test_a_bound_has_no_plus(value: float, text: str) -> None:
    """Bounds of an interval are plain numbers."""
    assert writing.bound(value) == text


def test_names_cut_alike_are_numbered() -> None:
    """No two names have one label, and none is longer than it may be."""
    names = [f"{'x' * 30}{n}{'y' * 30}" for n in range(12)]
    labels = distinct(names)
    assert len(set(labels.values())) == 12
    assert max(map(len, labels.values())) <= 41
    assert cut("short") == "short"


QWEN = "qwen3-coder-480b-a35b-instruct"


@pytest.mark.parametrize(
    ("text", "longest", "shown"),
    [
        (
            "with-skill@obfuscated · codex · gpt-5.4-mini",
            40,
            "with-skill@obfuscated · … · gpt-5.4-mini",
        ),
        ("codex · gpt-5.4-mini", 19, "codex · gpt-…-mini"),
        (f"opencode · {QWEN}", 40, "opencode · qwen3-coder-…-a35b-instruct"),
        ("x" * 30, 11, "xxxxx…xxxxx"),
    ],
)
def test_a_name_is_cut_between_its_parts_and_then_its_words(
    text: str, longest: int, shown: str
) -> None:
    """The middle part goes before a model's name is touched, and that keeps whole words; one word alone is cut."""
    assert cut(text, longest) == shown


@pytest.mark.parametrize("longest", range(8, 40))
def test_a_small_model_never_reads_like_another(longest: int) -> None:
    """However short it is cut, neither `gpt-5.4-mini` nor a row it stands in shows a part of its number."""
    for text in ("gpt-5.4-mini", "with-skill-rawsql@restructured · codex · gpt-5.4-mini"):
        shown = cut(text, longest)
        assert len(shown) <= longest
        assert not re.search(r"(?<!5\.)4-mini", shown)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("codex · m · high", "m"),
        ("codex · m · high · published", "m · published"),
        ("other · n", "other · n"),
    ],
)
def test_a_system_told_with_a_setting_has_its_label_and_that(name: str, label: str) -> None:
    """What stands behind a system's name is kept, and a name without a label is itself."""
    assert by_name({"codex · m · high": "m"}, name) == label


@pytest.mark.parametrize(
    ("systems", "labels"),
    [
        (
            [System("codex", "m", "high"), System("codex", "n", "low")],
            ["m", "n"],
        ),
        (
            [System("claude", "m", "high"), System("codex", QWEN + "-long", "")],
            ["m", QWEN + "-long"],
        ),
        (
            [
                System("claude", "m", ""),
                System("codex", "m", ""),
                System("codex", QWEN + "-long", ""),
            ],
            ["claude · m", "codex · m", QWEN + "-long"],
        ),
        ([System("codex", "m", "medium")], ["m"]),
        ([System("codex", "m", "high"), System("codex", "m", "low")], ["m · high", "m · low"]),
        ([System("claude", "m", ""), System("codex", "m", "")], ["claude · m", "codex · m"]),
        ([System("reference", "", ""), System("reference", "n", "")], ["reference", "n"]),
    ],
)
def test_a_system_is_called_by_what_sets_it_apart(systems: list[System], labels: list[str]) -> None:
    """The model always; the effort where a model has several, agents where they differ, if there is room for them."""
    runs = table([build_run(system=system) for system in systems])
    assert [system_labels(runs)[str(system)] for system in systems] == labels
