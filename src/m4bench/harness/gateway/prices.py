# SPDX-License-Identifier: MIT
"""What tokens cost, by a dated table of prices. Knows no invoice: discounts, batches and taxes are not in it.

The table that comes along, `prices.json`, is made by `tools/price_table.py`. A user's own table, JSON or TOML of
the same form, comes before it, model by model.
"""

import datetime
import json
import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.usage import Tokens

PER = 1_000_000
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Rates(Record):
    """Dollars per million tokens.

    `input` is for tokens that no cache took part in, `cached_input` for those read from one, `cache_write` for
    those written into one for the shortest time a provider offers; both are as `input` where they are None.
    `output` is for all tokens made, unseen reasoning too.
    """

    input: Dollars
    cached_input: Dollars | None = None
    cache_write: Dollars | None = None
    output: Dollars

    def cost(self, tokens: Tokens) -> float:
        """Return dollars."""
        cached = self.input if self.cached_input is None else self.cached_input
        write = self.input if self.cache_write is None else self.cache_write
        plain = max(0, tokens.input - tokens.cached - tokens.cache_write)
        dollars = plain * self.input + tokens.cached * cached + tokens.cache_write * write
        return (dollars + tokens.output * self.output) / PER


class Tier(Rates):
    """The rates of every token of a request whose input is more than `above_input` tokens."""

    above_input: int = Field(ge=1)


class Price(Rates):
    """What one model costs. `aliases` are other names the provider lists for the same model."""

    provider: str | None = None
    aliases: tuple[str, ...] = ()
    tiers: tuple[Tier, ...] = ()

    def rates(self, tokens: Tokens) -> Rates:
        """Return the rates that hold for one request."""
        above = [tier for tier in self.tiers if tokens.input > tier.above_input]
        return max(above, key=lambda tier: tier.above_input, default=self)


class PriceTable(Record):
    """A table of prices as it is written: what it is called, of which day it is, and where it is from."""

    format: Literal[1] = 1
    name: str
    date: datetime.date
    source: str
    models: dict[str, Price]


class Prices:
    """Prices looked up by a model's name.

    Attributes:
        name: the tables used, each with its date, the first one that has a model counts.
    """

    def __init__(self, *tables: PriceTable) -> None:
        self.name = ", then ".join(f"{table.name} ({table.date.isoformat()})" for table in tables)
        self._by_model: dict[str, Price] = {}
        for table in tables:
            own: dict[str, Price] = {}
            for model, price in table.models.items():
                own.update(dict.fromkeys(price.aliases, price))
                own[model] = price
            for model in {**own, **table.models}:
                self._by_model.setdefault(model, own[model])

    @classmethod
    def load(cls, own: Path | str | None = None) -> Self:
        """Return the prices that come along, after those of a user's own table.

        Args:
            own: a JSON or TOML file of the same form.

        Raises:
            InputError: the file is missing, unreadable or not of that form.
        """
        text = resources.files(__package__).joinpath("prices.json").read_text("utf-8")
        ours = PriceTable.model_validate_json(text)
        return cls(ours) if own is None else cls(read_table(Path(own)), ours)

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """Return the dollars of one request, or None when the model is in no table: a price is never guessed.

        A name counts as it stands: `gpt-5-2025-08-07` has a price where that name or alias is listed, never
        because `gpt-5` has one. The sum of many requests must not be priced as one, as rates may rise with the
        length of a request. Prices of the table that comes along are a provider's: they are not asked for a
        server of this machine.
        """
        price = self._by_model.get(model)
        return None if price is None else price.rates(tokens).cost(tokens)


def prices_of(own: Path | None, *, here: bool) -> "Prices":
    """Return the prices that hold at an address: of this machine (`here`) those of the user's own table alone.

    Raises:
        InputError: the table cannot be used.
    """
    return Prices(*([read_table(own)] if own else [])) if here else Prices.load(own)


def require_prices(models: Sequence[str], own: Path | None, *, here: bool) -> None:
    """Refuse a limit of money where the price of a model is not known.

    Args:
        models: all that may be asked for.
        own: a table of the user's own.
        here: whether they are asked at an address of this machine, where that table alone has prices.

    Raises:
        InputError: a model has no price, or the table cannot be used.
    """
    table = prices_of(own, here=here)
    for model in models:
        if table.cost(model, Tokens(input=1, output=1)) is None:
            raise InputError(
                f"no price is known for model {model}, so its cost cannot be limited",
                remedy="give a table that holds it with --prices, or bound it by --max-tokens instead",
            )


def read_table(path: Path) -> PriceTable:
    """Return a user's own table.

    Raises:
        InputError: the file is missing, unreadable or not of that form.
    """
    remedy = "write it as docs/reference/gateway.md shows: name, date, source, models"
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("the table of prices cannot be read", file=path, remedy=remedy) from None
    try:
        value = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        return PriceTable.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        problem = f"not a table of prices ({place}: {first['msg']})"
        raise InputError(problem, file=path, remedy=remedy) from None
    except (ValueError, RecursionError):
        kind = "TOML" if path.suffix == ".toml" else "JSON"
        raise InputError(f"not {kind}", file=path, remedy=remedy) from None
