# SPDX-License-Identifier: MIT
"""Make `src/m4bench/harness/gateway/prices.json` from the price map that a litellm wheel carries (MIT).

Usage: python tools/price_table.py SITE_PACKAGES

SITE_PACKAGES holds an installed litellm. Kept are chat and responses models of OpenAI, Anthropic and Google's
Gemini API under the names their own APIs know, without fine-tuned ones and those paid for by anything but text.
The day of the table is the day the wheel was made, as its bill of materials says.
"""

import json
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

MAP = "litellm/model_prices_and_context_window_backup.json"
TARGET = Path(__file__).resolve().parent.parent / "src/m4bench/harness/gateway/prices.json"
PROVIDERS = {"openai": "", "anthropic": "", "gemini": "gemini/"}
NOT_TEXT = re.compile(r"audio|tts|image|live|realtime|lyria|search|computer-use|deep-research|omni")
ABOVE = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")
NAMES = {
    "input": "input_cost_per_token",
    "cached_input": "cache_read_input_token_cost",
    "cache_write": "cache_creation_input_token_cost",
    "output": "output_cost_per_token",
}


def rates(entry: dict[str, Any], ending: str = "") -> dict[str, float]:
    """Return the rates of an entry in dollars per million tokens."""
    found = {name: entry.get(f"{theirs}{ending}") for name, theirs in NAMES.items()}
    return {
        name: float(Decimal(str(cost)) * 1_000_000)
        for name, cost in found.items()
        if cost is not None
    }


def price(provider: str, entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return what an entry says a model costs; None where it is not told for text both ways."""
    base = rates(entry)
    if not base.get("input") or not base.get("output"):
        return None
    tiers = []
    for name in entry:
        if found := ABOVE.fullmatch(name):
            above = f"_above_{found[1]}k_tokens"
            tiers.append({"above_input": int(found[1]) * 1000, **base, **rates(entry, above)})
    made: dict[str, Any] = {"provider": provider, **base}
    if tiers:
        made["tiers"] = sorted(tiers, key=lambda tier: tier["above_input"])
    return made


def models(theirs: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the prices by model."""
    kept: dict[str, dict[str, Any]] = {}
    for name, entry in theirs.items():
        provider = entry.get("litellm_provider")
        if provider not in PROVIDERS or entry.get("mode") not in ("chat", "responses"):
            continue
        plain = name.removeprefix(PROVIDERS[provider])
        if "/" in plain or ":" in plain or NOT_TEXT.search(plain):
            continue
        made = price(provider, entry)
        if made:
            kept[plain] = made
    return dict(sorted(kept.items()))


def made_on(packages: Path) -> tuple[str, str]:
    """Return the version of litellm and the day its wheel was made."""
    [info] = packages.glob("litellm-*.dist-info")
    [bill] = info.glob("sboms/*.json")
    day = json.loads(bill.read_text("utf-8"))["metadata"]["timestamp"][:10]
    return info.name.removeprefix("litellm-").removesuffix(".dist-info"), day


def main() -> None:
    """Write the table."""
    packages = Path(sys.argv[1])
    version, day = made_on(packages)
    table = {
        "format": 1,
        "name": f"litellm {version}",
        "date": day,
        "source": f"the price map in the wheel of litellm {version} (MIT), which names each provider's own price page",
        "models": models(json.loads((packages / MAP).read_text("utf-8"))),
    }
    lines = [f" {json.dumps(name)}: {json.dumps(one)}" for name, one in table.pop("models").items()]
    head = json.dumps(table, indent=1)[:-2]
    TARGET.write_text(f'{head},\n "models": {{\n ' + ",\n ".join(lines) + "\n }\n}\n", "utf-8")
    print(f"{len(lines)} models, {version} of {day}")


if __name__ == "__main__":
    main()
