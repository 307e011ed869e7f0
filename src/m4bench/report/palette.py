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
DARK = "#4a4238"
# What stands side by side in a bar is light and dark in turn: neighbours differ by three to one and more.
GOLD = "#e9bd7c"
ICE = "#a8c2ce"
SLATE = "#566167"

# Agreement from whole to none: the less a column agrees, the more ink it gets.
HEAT = ("#f7f6f1", "#f3e7cd", "#e8cb97", "#d3a05a", "#9a5f22", "#6d3d12")
HEAT_FROM = (1.0, 0.95, 0.8, 0.5, 0.2)
HEAT_WORDS = ("1", "≥ 0.95", "≥ 0.8", "≥ 0.5", "≥ 0.2", "< 0.2")
FIRST_DEEP_HEAT = 4
# Tenths of a rate, from 0 to 0.1 up to 0.9 to 1: equal steps, the lower the more ink.
TENTHS = (
    "#502d0d",
    "#6e3e12",
    "#87501b",
    "#9e6426",
    "#bd8744",
    "#d19d58",
    "#ddb578",
    "#e8cb96",
    "#efdebb",
    "#f6eedd",
)
DEEP_TENTHS = 4
NOISE = 1e-9
# What share of a row's runs ended so: few are many already.
SHARES_FROM = (0.0, 0.01, 0.03, 0.1, 0.3)
SHARES_WORDS = ("0", "≤ 1 %", "≤ 3 %", "≤ 10 %", "≤ 30 %", "> 30 %")
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
    GOLD: "--values-bar",
    DARK: "--dark-bar",
    ICE: "--excess-bar",
    SLATE: "--nothing-bar",
    ON_PALE: "--on-pale",
    ON_DEEP: "--on-deep",
}
VARIABLES |= {colour: f"--heat-{step}" for step, colour in enumerate(HEAT)}
VARIABLES |= {colour: f"--tenth-{step}" for step, colour in enumerate(TENTHS)}


def heat(rate: float) -> int:
    """Return the step of a match rate, from 0 (whole agreement) to 5; only an exact 1 is step 0."""
    return next((step for step, lowest in enumerate(HEAT_FROM) if rate >= lowest), len(HEAT_FROM))


def tenth(rate: float) -> int:
    """Return the tenth a rate lies in, from 0 to 9; an exact 1 lies in the last."""
    return min(int(rate * 10 + NOISE), len(TENTHS) - 1)


def share_step(share: float) -> int:
    """Return the step of a share of runs, from 0 (none) to 5 (more than 30 %)."""
    return sum(share > limit + NOISE for limit in SHARES_FROM)
