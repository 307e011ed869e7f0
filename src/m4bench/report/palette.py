# SPDX-License-Identifier: MIT
"""The colours of figures: what each stands for, on paper and as the page's variable. Knows no chart.

Neighbouring colours differ in lightness, so that they remain apart in grey and for colour-blind eyes; no
figure tells anything by colour alone.
"""

INK = "#1c2326"
SOFT = "#566166"
RULE = "#dcdfdb"
STRONG = "#a9b0ad"
PAPER = "#ffffff"
FILL = "#2c6c8c"
PALE = "#9db9c7"
AMBER = "#c58a3a"
DARK = "#4a4238"
VOID = "#c4c9c6"

# Agreement from whole to none: the less a column agrees, the more ink it gets.
HEAT = ("#f7f6f1", "#f3e7cd", "#e8cb97", "#d3a05a", "#9a5f22", "#6d3d12")
HEAT_FROM = (1.0, 0.95, 0.8, 0.5, 0.2)
HEAT_WORDS = ("1", "0.95 to 1", "0.8 to 0.95", "0.5 to 0.8", "0.2 to 0.5", "below 0.2")
FIRST_DEEP_HEAT = 4
ON_PALE = "#1c2327"
ON_DEEP = "#fffffe"

# What stands for each colour in a page, where it follows the reader's scheme.
VARIABLES = {
    INK: "--ink",
    SOFT: "--soft",
    RULE: "--rule",
    STRONG: "--rule-strong",
    PAPER: "--paper",
    FILL: "--fill",
    PALE: "--fill-soft",
    AMBER: "--warn-bar",
    DARK: "--dark-bar",
    VOID: "--void",
    ON_PALE: "--on-pale",
    ON_DEEP: "--on-deep",
} | {colour: f"--heat-{step}" for step, colour in enumerate(HEAT)}


def heat(rate: float) -> int:
    """Return the step of a match rate, from 0 (whole agreement) to 5; only an exact 1 is step 0."""
    return next((step for step, lowest in enumerate(HEAT_FROM) if rate >= lowest), len(HEAT_FROM))
