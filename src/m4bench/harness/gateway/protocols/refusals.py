# SPDX-License-Identifier: MIT
"""Why the gateway does not forward what a request asks for, in words that hold nothing of the request."""

import re

from m4bench.harness.gateway.protocols.bodies import every_object

MALFORMED = "malformed"
URL_CONTENT = "url-content"
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
# Members of OpenAI's protocols and of servers compatible with them that hold what is shown to a model.
_PLACES = ("image_url", "file_url", "audio_url", "video_url")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def provider_tool(kind: str) -> str:
    """Return the reason for a tool that the provider would run, by its type or name."""
    plain = _CAPITAL.sub("_", kind).lower()
    return f"{PROVIDER_TOOL}:{next((known for known in _KNOWN if known in plain), 'other')}"


def fetched_by_provider(said: object) -> str | None:
    """Return the reason when content of OpenAI's protocols stands at a URL, which the provider would fetch."""
    for item in every_object(said, frozenset()):
        for name in _PLACES:
            value = item.get(name)
            place = value.get("url") if isinstance(value, dict) else value
            if place is not None and not (isinstance(place, str) and place.startswith("data:")):
                return URL_CONTENT
    return None
