# SPDX-License-Identifier: MIT
"""The pages on endpoints, the gateway, outcomes and data use, held against the code: settings, tables and examples."""

import ast
import dataclasses
import datetime
import importlib.util
import re
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import m4bench.harness.gateway as package
from m4bench.harness.agents.agent import ENTRY_POINTS
from m4bench.harness.gateway import policy
from m4bench.harness.gateway.egress import EgressLine
from m4bench.harness.gateway.endpoints import BUILT_IN, USUAL
from m4bench.harness.gateway.lane import RetryPolicy
from m4bench.harness.gateway.own_endpoints import OwnEndpoint, own_endpoints
from m4bench.harness.gateway.policy import Permitted, read_policy
from m4bench.harness.gateway.prices import Price, read_table
from m4bench.harness.gateway.protocols import refusals
from m4bench.model.outcome import OUTCOMES
from m4bench.model.plug_ins import loaded_plug_in
from m4bench.model.record import Record
from m4bench.model.run import (
    Artefact,
    Cell,
    ModelFacts,
    Outcome,
    Publishability,
    RunRecord,
    ToolFacts,
)
from m4bench.model.score import Check, ColumnScore, KeyScore, Score, StrictResult
from m4bench.model.trace import Activity
from m4bench.model.usage import ModelUsage, Tokens, Usage

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TOML = re.compile(r"^( *)```toml\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """Return a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """Return the cells of the table whose first cell of the head is this."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {heading} |"):
            break
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("| ").split(" | ")])
    return found[1:]


def named(cells: list[str]) -> set[str]:
    """Return the names in code within cells."""
    return {name for cell in cells for name in re.findall(r"`([a-z][a-z0-9_-]*)`", cell)}


def examples(name: str) -> list[str]:
    """Return the TOML blocks of a page, without what they are indented by."""
    return [re.sub(rf"(?m)^{indent}", "", body) for indent, body in TOML.findall(page(name))]


def test_the_page_of_outcomes_is_the_table() -> None:
    """Every state with its flags, and the rule, as the script writes them (`make pages`)."""
    place = ROOT / "tools" / "outcome_page.py"
    spec = importlib.util.spec_from_file_location("outcome_page", place)
    assert spec is not None
    assert spec.loader is not None
    script: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = page("reference/outcomes.md")
    assert script.written(text) == text, "run: python tools/outcome_page.py"
    assert [row[0] for row in rows(text, "state")] == [f"`{one.state}`" for one in OUTCOMES]


@pytest.mark.parametrize(
    ("name", "model"),
    [("reference/endpoints.md", OwnEndpoint), ("how-to/credentialed-data.md", Permitted)],
)
def test_each_setting_of_a_file_is_described(name: str, model: Any) -> None:
    """The page's table has every setting and no other."""
    assert named([row[0] for row in rows(page(name), "setting")]) == set(model.model_fields)


@pytest.mark.parametrize("name", ["reference/endpoints.md", "how-to/run-an-agent.md"])
def test_examples_of_endpoints_are_read(name: str, tmp_path: Path) -> None:
    """Each block of a page is a file that is taken as it stands."""
    tmp_path.chmod(0o700)
    found = examples(name)
    assert found
    for number, text in enumerate(found):
        path = tmp_path / f"{number}.toml"
        path.write_text(text)
        path.chmod(0o600)
        assert own_endpoints({"M4BENCH_ENDPOINTS": str(path)}, frozenset(BUILT_IN))


def test_the_example_of_a_policy_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's block is a file that is taken as it stands."""
    monkeypatch.setattr(policy, "SYSTEM_POLICY", tmp_path / "none")
    tmp_path.chmod(0o700)
    (text,) = examples("how-to/credentialed-data.md")
    path = tmp_path / "policy.toml"
    path.write_text(text)
    path.chmod(0o600)
    assert len(read_policy({"M4BENCH_POLICY": str(path)}).permitted) == 3


def test_the_example_of_prices_is_read(tmp_path: Path) -> None:
    """The page's block is a table that is taken as it stands, and each setting of a price is described."""
    (text,) = examples("reference/gateway.md")
    path = tmp_path / "prices.toml"
    path.write_text(text)
    found = read_table(path)
    assert (found.date, set(found.models)) == (
        datetime.date(2026, 11, 1),
        {"house-model", "qwen3-coder:30b"},
    )
    house = found.models["house-model"]
    assert house.model_fields_set == set(Price.model_fields), "the example shows each setting"
    # 300,000 tokens sent are beyond the tier's bound, so that each costs 2.5 dollars a million
    assert house.rates(Tokens(input=300_000)).cost(Tokens(input=300_000)) == 0.75
    described = {row[0] for row in rows(page("reference/gateway.md"), "price")}
    assert named(list(described)) == set(Price.model_fields)


RECORDS: dict[str, type[Record]] = {
    "field": RunRecord,
    "of the cell": Cell,
    "of the outcome": Outcome,
    "of the usage": Usage,
    "of the tokens": Tokens,
    "of the model": ModelFacts,
    "of the activity": Activity,
    "of the tool": ToolFacts,
    "of the score": Score,
}


def fields(model: type[Record]) -> set[str]:
    """Return the names of a record's fields as they are written."""
    return {field.alias or name for name, field in model.model_fields.items()}


@pytest.mark.parametrize("heading", RECORDS)
def test_each_field_of_a_record_is_described(heading: str) -> None:
    """The table has every field of the record and no other."""
    told = [row[0] for row in rows(page("reference/run-record.md"), heading)]
    assert named(told) == fields(RECORDS[heading])


@pytest.mark.parametrize(
    ("heading", "field", "models"),
    [
        ("field", "publishability", [Publishability]),
        ("field", "artefacts", [Artefact]),
        ("of the usage", "models", [ModelUsage]),
        ("of the score", "columns", [ColumnScore]),
        ("of the score", "keys", [KeyScore]),
        ("of the score", "strict", [StrictResult, Check]),
    ],
)
def test_each_field_of_a_record_within_is_named(
    heading: str, field: str, models: list[type[Record]]
) -> None:
    """In the row of the field that holds it."""
    (row,) = [
        one for one in rows(page("reference/run-record.md"), heading) if field in named(one[:1])
    ]
    expected = set[str]().union(*(fields(model) for model in models))
    assert named(row) - {field} == expected - {field}


def test_the_built_in_endpoints_are_described() -> None:
    """Name, address, protocols and variables."""
    found = {
        row[0].strip("`"): (
            row[1].strip("`"),
            set(re.findall(r"`([a-z-]+)`", row[2])),
            re.findall(r"`([A-Z_]+)`", row[3]),
        )
        for row in rows(page("reference/endpoints.md"), "name")
    }
    assert found == {
        name: (one.base_url, set(one.protocols), list(one.keys)) for name, one in BUILT_IN.items()
    }


def test_each_agent_is_described_with_its_protocols() -> None:
    """The table of agents is what is installed, in the order in which each prefers them."""
    factories: dict[str, Any] = {
        point.name: loaded_plug_in(point) for point in entry_points(group=ENTRY_POINTS)
    }
    expected = {
        name: (list(factory.protocols), USUAL[factory.protocols[0]])
        for name, factory in factories.items()
        if getattr(factory, "protocols", ()) and name != "command"
    }
    told = {
        row[0].strip("`"): (re.findall(r"`([a-z-]+)`", row[1]), row[2].strip("`"))
        for row in rows(page("how-to/run-an-agent.md"), "agent")
    }
    assert told.pop("command")
    assert told == expected


def test_each_member_of_the_log_is_described() -> None:
    """And none that is not there."""
    members = {field.name for field in dataclasses.fields(EgressLine)} | {"time"}
    assert named([row[0] for row in rows(page("reference/gateway.md"), "member")]) == members


def test_each_reason_of_a_refusal_is_described() -> None:
    """Every word the gateway refuses a request with is in the page's table."""
    kept = [value for name, value in vars(refusals).items() if name.isupper()]
    words = {word for word in kept if isinstance(word, str)} - {refusals.PROVIDER_TOOL}
    for path in Path(str(package.__path__[0])).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("RefusedError"), args=[ast.Constant(str(word)), *_]):
                    words.add(word)
    told = rows(page("reference/gateway.md"), "reason")
    assert named([row[0] for row in told]) == words
    assert any(row[0] == f"`{refusals.PROVIDER_TOOL}:…`" for row in told)


def test_the_policy_of_retries_is_described() -> None:
    """Tries and waits are those of the code, on both pages."""
    default = RetryPolicy()
    assert (default.tries, default.first_wait, default.longest_wait) == (5, 1.0, 60.0)
    section = page("reference/gateway.md").split("## Retries")[1].split("\n## ")[0]
    for words in ("five tries", "1 s before the second", "at most 60 s"):
        assert words in section
    assert "`{ tries = 5, first_wait = 1, longest_wait = 60 }`" in page("reference/endpoints.md")
