# SPDX-License-Identifier: MIT
"""Why the gateway does not forward what a request asks for, in words that hold nothing of the request."""

import re
from typing import Any

MALFORMED = "malformed"
URL_CONTENT = "url-content"
PROVIDER_ROUTING = "provider-routing"
PROVIDER_STATE = "provider-state"
PROVIDER_TOOL = "provider-tool"

# Named in a reason; any other is `other`, so that reasons stay few whatever a program asks for.
_KNOWN = (
    "web_search",
    "web_fetch",
    "code_interpreter",
    "code_execution",
    "file_search",
    "computer",
    "mcp",
    "image_generation",
    "shell",
    "tool_search",
    "google_search",
    "google_maps",
    "url_context",
    "advisor",
)
# Members by which a provider searches or runs something: OpenAI, xAI, OpenRouter, DashScope, Azure.
_RUN_BY_MEMBER = {
    "websearchoptions": "web_search",
    "searchparameters": "web_search",
    "websearch": "web_search",
    "enablesearch": "web_search",
    "datasources": "other",
    "plugins": "other",
    "mcpservers": "mcp",
}
# Members by which a router picks another model, place, key or prompt: OpenRouter, LiteLLM, Anthropic.
_ROUTED_BY_MEMBER = frozenset(
    {
        "models", "modellist", "route", "provider", "providers", "preset", "transforms", "deploymentid",
        "specificdeployment", "apibase", "apikey", "apiversion", "apitype", "baseurl", "customllmprovider",
        "organization", "extraheaders", "extrabody", "extraquery", "headers", "promptid", "userconfig",
        "routersettingsoverride", "contextwindowfallbacks", "contentpolicyfallbacks", "inferencegeo",
    }
)  # fmt: skip
_ROUTED_BY_PREFIX = ("fallback", "mock", "litellm", "aws", "azure", "vertex")
_USUAL_TIERS = frozenset({"", "auto", "default", "standard", "standard_only", "on_demand"})
# Members that hold a place of what is shown to a model, whatever the place looks like.
_PLACES = frozenset({"imageurl", "fileurl", "audiourl", "videourl", "fileuri"})
_REMOTE = re.compile(r"[\x00-\x20]*(?:https?|ftps?|file|gs|s3):", re.IGNORECASE)
# Members whose strings are text that a model reads as it stands.
_TEXT = frozenset(
    {
        "text", "content", "output", "refusal", "thinking", "reasoning", "reasoningcontent", "reasoningtext",
        "summary", "title", "context", "stdout", "stderr", "code",
    }
)  # fmt: skip
# Members that hold free JSON: arguments of a tool, what it answered, what may be called, what was cited.
_FREE = frozenset(
    {
        "arguments", "args", "input", "response", "toolcalls", "functioncall", "action", "operation", "tools",
        "parameters", "schema", "annotations", "citations", "reasoningdetails", "logprobs", "generationconfig",
        "toolconfig",
    }
)  # fmt: skip
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def provider_tool(kind: str) -> str:
    """Return the reason for a tool that the provider would run, by its type or name."""
    plain = _CAPITAL.sub("_", kind).lower()
    return f"{PROVIDER_TOOL}:{next((known for known in _KNOWN if known in plain), 'other')}"


def routed_by_member(asked: dict[str, Any]) -> str | None:
    """Return why a request's own members are refused: they have the provider run something or answer elsewhere.

    Members that say nothing (null, empty, false) are let pass.
    """
    for name, value in asked.items():
        plain = _plain(name)
        if plain == "servicetier":
            # Another tier is another price, and with some providers another model.
            if value is not None and not (isinstance(value, str) and value in _USUAL_TIERS):
                return PROVIDER_ROUTING
        elif not value:
            continue
        elif plain in _RUN_BY_MEMBER:
            return provider_tool(_RUN_BY_MEMBER[plain])
        elif plain in _ROUTED_BY_MEMBER or plain.startswith(_ROUTED_BY_PREFIX):
            return PROVIDER_ROUTING
    return None


def fetched_by_provider(said: object, name: str = "content") -> str | None:
    """Return the reason when content stands at a URL, which the provider would fetch. Not recursive.

    Args:
        said: messages, or whatever holds them.
        name: the member they stand under.
    """
    waiting: list[tuple[str, object]] = [(_plain(name), said)]
    while waiting:
        under, item = waiting.pop()
        if isinstance(item, str):
            if under not in _TEXT and _REMOTE.match(item):
                return URL_CONTENT
        elif isinstance(item, list):
            waiting.extend((under, part) for part in item)
        elif isinstance(item, dict):
            members = [(_plain(name), part) for name, part in item.items()]
            if any(_is_elsewhere(name, part) for name, part in members):
                return URL_CONTENT
            is_text = item.get("type") == "text"
            waiting.extend(
                (name, part)
                for name, part in members
                if name not in _FREE
                # the text of Anthropic's documents
                and not (is_text and name == "data" and isinstance(part, str))
            )
    return None


def _is_elsewhere(name: str, value: object) -> bool:
    if name in _PLACES:
        place = value
        if isinstance(value, dict):
            place = next((part for inner, part in value.items() if _plain(inner) == "url"), None)
        return place is not None and not (isinstance(place, str) and place.startswith("data:"))
    if name == "source" and isinstance(value, dict):
        kind = value.get("type")
        named = any(_plain(inner) == "url" for inner in value)
        return named or (isinstance(kind, str) and kind.lower() == "url")
    # Google's; OpenAI's holds the content itself, as a string.
    return name == "filedata" and isinstance(value, dict)


def _plain(name: str) -> str:
    """Return a member's name without what servers may read over: its case and underscores."""
    return name.replace("_", "").lower()
