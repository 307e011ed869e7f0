# SPDX-License-Identifier: MIT
"""What tokens cost, and for which models nobody may say."""

import json
from pathlib import Path

import pytest

from m4bench.harness.gateway.prices import Prices, PriceTable
from m4bench.model.errors import InputError
from m4bench.model.usage import Tokens

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "tokens", "dollars"),
    [
        # OpenAI's price page: GPT-5 at 1.25, cached 0.125, output 10 dollars a million.
        ("gpt-5", Tokens(input=MILLION), 1.25),
        ("gpt-5", Tokens(input=MILLION, cached=MILLION), 0.125),
        ("gpt-5", Tokens(output=MILLION, reasoning=900_000), 10.0),
        (
            "gpt-5-2025-08-07",
            Tokens(input=400_000, cached=200_000, output=100_000),
            0.25 + 0.025 + 1.0,
        ),
        # Anthropic's: Haiku 4.5 at 1, read 0.1, written 1.25, output 5 dollars a million.
        (
            "claude-haiku-4-5",
            Tokens(input=MILLION, cached=400_000, cache_write=400_000),
            0.2 + 0.04 + 0.5,
        ),
        ("claude-haiku-4-5-20251001", Tokens(output=1000), 0.005),
        # Google's: Gemini 2.5 Pro at 1.25 and 10, above 200,000 tokens of prompt at 2.5 and 15 dollars a million.
        ("gemini-2.5-pro", Tokens(input=200_000, output=10_000), 0.25 + 0.1),
        ("gemini-2.5-pro", Tokens(input=200_001, output=10_000), 200_001 * 2.5 / MILLION + 0.15),
        ("gemini-2.5-pro", Tokens(input=400_000, cached=400_000), 0.1),
        ("gpt-5", Tokens(), 0.0),
    ],
)
def test_a_request_costs_what_the_provider_says(model: str, tokens: Tokens, dollars: float) -> None:
    """Plain, cached and written input, output and long requests each have their rate."""
    assert Prices.load().cost(model, tokens) == pytest.approx(dollars)


@pytest.mark.parametrize(
    "model",
    ["gpt-5-2031-01-01", "GPT-5", "gpt", "openai/gpt-5", "models/gemini-2.5-pro", "llama3", ""],
)
def test_no_price_is_guessed(model: str) -> None:
    """A name that is not listed has no price, however like a listed one it is."""
    assert Prices.load().cost(model, Tokens(input=1)) is None


def test_the_table_says_what_it_is() -> None:
    """The table that comes along has a name, a day and a source, and no rate that cannot be."""
    prices = Prices.load()
    assert prices.name == "litellm 1.110.2 (2026-11-20)"
    for model in ("gpt-5", "claude-haiku-4-5", "gemini-2.5-pro"):
        plain = prices.cost(model, Tokens(input=1000))
        cached = prices.cost(model, Tokens(input=1000, cached=1000))
        made = prices.cost(model, Tokens(output=1000))
        assert plain is not None
        assert cached is not None
        assert made is not None
        assert 0 < cached < plain < made


OWN = {
    "name": "ours",
    "date": "2026-11-01",
    "source": "our contract",
    "models": {
        "gpt-5": {"input": 1, "output": 2},
        "house-model": {
            "input": 3,
            "output": 4,
            "aliases": ["house-model-v2"],
            "tiers": [
                {"above_input": 100, "input": 5, "output": 6},
                {"above_input": 1000, "input": 7, "output": 8},
            ],
        },
    },
}
TOML = """
name = "ours"
date = 2026-11-01
source = "our contract"
[models.gpt-5]
input = 1
output = 2
[models.house-model]
input = 3
output = 4
aliases = ["house-model-v2"]
tiers = [
  { above_input = 100, input = 5, output = 6 },
  { above_input = 1000, input = 7, output = 8 },
]
"""


@pytest.mark.parametrize(("name", "text"), [("own.json", json.dumps(OWN)), ("own.toml", TOML)])
def test_a_users_own_table_comes_first(tmp_path: Path, name: str, text: str) -> None:
    """A user's own prices count before ours, by alias too, and both tables are named."""
    own = tmp_path / name
    own.write_text(text, "utf-8")
    prices = Prices.load(str(own))
    assert prices.name == "ours (2026-11-01), then litellm 1.110.2 (2026-11-20)"
    assert prices.cost("gpt-5", Tokens(input=MILLION, output=MILLION)) == 3.0
    assert prices.cost("gemini-2.5-pro", Tokens(output=MILLION)) == 10.0
    # Without a rate of their own cached and written tokens cost what any do.
    assert (
        prices.cost("house-model-v2", Tokens(input=100, cached=50, cache_write=20)) == 300 / MILLION
    )
    assert prices.cost("house-model", Tokens(input=101)) == 505 / MILLION
    assert prices.cost("house-model", Tokens(input=1001, output=1)) == (7007 + 8) / MILLION


def test_a_name_counts_before_an_alias() -> None:
    """A model that is listed under its own name is not priced by another's alias."""
    table = PriceTable.model_validate(
        {
            **OWN,
            "models": {
                "a": {"input": 1, "output": 1, "aliases": ["b"]},
                "b": {"input": 9, "output": 9},
            },
        }
    )
    assert Prices(table).cost("b", Tokens(input=MILLION)) == 9.0


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("own.json", None, "cannot be read"),
        ("own.json", "{", "not JSON"),
        ("own.toml", "a = ", "not TOML"),
        ("own.json", "[]", "not a table of prices"),
        ("own.json", json.dumps({**OWN, "date": "soon"}), "date"),
        (
            "own.json",
            json.dumps({**OWN, "models": {"m": {"input": -1, "output": 1}}}),
            "models.m.input",
        ),
        ("own.json", json.dumps({**OWN, "models": {"m": {"input": 1}}}), "models.m.output"),
        (
            "own.json",
            json.dumps({**OWN, "models": {"m": {"input": 1, "ouput": 1, "output": 1}}}),
            "models.m.ouput",
        ),
        (
            "own.json",
            '{"name": "x", "date": "2026-01-01", "source": "s", "models": {"m": {"input": NaN, "output": 1}}}',
            "models.m.input",
        ),
    ],
)
def test_a_table_at_fault_is_told_in_one_line(
    tmp_path: Path, name: str, text: str | None, problem: str
) -> None:
    """A table that cannot be used is bad input, with its file and the place."""
    own = tmp_path / name
    if text is not None:
        own.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        Prices.load(own)
    assert problem in str(error.value)
    assert str(own) in str(error.value)
    assert "\n" not in str(error.value)
