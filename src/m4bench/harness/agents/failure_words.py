# SPDX-License-Identifier: MIT
"""What a tool's words about a failure mean as a state of `m4bench.model.outcome`. Knows no tool.

Words are the last resort: what the gateway saw counts before them.
"""

import re

CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|prompt is too long|input is too long|"
    r"too many (input )?tokens|(input )?token count .{0,40}exceed|exceeds? (the )?(model'?s )?"
    r"(max(imum)? )?(number of )?(input )?(tokens|context)|request too large|ran out of room",
    re.IGNORECASE,
)
QUOTA = re.compile(
    r"insufficient[ _]quota|exceeded your current quota|credit balance|billing|payment required|"
    r"usage limit|out of credits",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\brefus(al|ed to)\b|content[ _]filter|content policy|usage policy|safety filter|"
    r"blocked by safety|PROHIBITED_CONTENT|RECITATION|unable to respond to this request",
    re.IGNORECASE,
)
UNREACHABLE = re.compile(
    r"ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|connection refused|"
    r"unable to connect|cannot connect|fetch failed|error sending request",
    re.IGNORECASE,
)
BROKEN = re.compile(
    r"stream (disconnected|closed|ended|error)|connection (closed|reset|error|lost)|ECONNRESET|"
    r"socket hang up|terminated|overloaded|internal server error|bad gateway|service unavailable|"
    r"premature(ly)? clos|timed? ?out|incomplete (response|stream)|high demand",
    re.IGNORECASE,
)
RATE = re.compile(
    r"rate[ _-]?limit|too many requests|RESOURCE_EXHAUSTED|increase your limits", re.IGNORECASE
)
AUTH = re.compile(
    r"unauthorized|invalid[ _-]?(x-)?api[ _-]?key|authentication|permission[ _]denied|forbidden|"
    r"API key not valid|incorrect api key",
    re.IGNORECASE,
)
LIMIT = re.compile(
    r"max(imum)?[ _-]?(session[ _-]?)?(turns|steps|iterations|output[ _-]?tokens)|step limit|turn limit|"
    r"output token (maximum|limit)|MAX_TOKENS",
    re.IGNORECASE,
)
STATUS = re.compile(
    r"(?:status|code|error|http)\D{0,12}\b([45]\d\d)\b|^\s*([45]\d\d)\b", re.IGNORECASE
)


def state_of(text: str, status: int | None = None) -> str | None:
    """Return the state a failure stands for, None when nothing in it is known.

    Args:
        text: what the tool says.
        status: the HTTP status where it tells one apart; else one is looked for in the text.
    """
    if status is None:
        told = STATUS.search(text)
        status = int(told[1] or told[2]) if told else None
    if status is not None and 400 <= status < 600:
        return _of_status(status, text)
    for words, state in (
        (CONTEXT, "context-overflow"),
        (QUOTA, "provider-quota"),
        (REFUSAL, "refused"),
        (LIMIT, "agent-limit"),
        (AUTH, "provider-auth"),
        (RATE, "provider-rate-limit"),
        (UNREACHABLE, "provider-unreachable"),
        (BROKEN, "provider-error"),
    ):
        if words.search(text):
            return state
    return None


def _of_status(status: int, text: str) -> str:
    if status in (401, 403):
        return "provider-auth"
    if status == 402 or (status == 429 and QUOTA.search(text)):
        return "provider-quota"
    if status == 429:
        return "provider-rate-limit"
    if status in (408, 409, 425) or status >= 500:
        return "provider-error"
    return "context-overflow" if CONTEXT.search(text) else "provider-request"
