# SPDX-License-Identifier: MIT
"""What a provider's error means for a run, from its status, its codes and the words it is known by.

Sources: the error references of OpenAI, Anthropic and Google; the error texts of vLLM, llama.cpp, llama-cpp-python,
Ollama and LM Studio as their servers send them.
"""

import json
import re

from m4bench.harness.gateway.lane import Ending
from m4bench.harness.gateway.protocols.bodies import answer_value, member, objects, word

_MOST_TEXT = 64 << 10
_CODE = re.compile(r"[A-Za-z_]{2,64}")

CONTEXT_CODES = {
    "context_length_exceeded",
    "exceed_context_size_error",
    "request_too_large",
    "model_context_window_exceeded",
    "context_window_exceeded",
}
_CONTEXT_WORDS = re.compile(
    r"maximum context length|maximum model length|model's context|context overflow"
    r"|prompt is too long|prompt too long|input is too long"
    r"|exceed(?:s|ed)? .{0,40}context (?:limit|length|window|size)|exceeds? context"
    r"|input token count .{0,40}exceeds|exceeds the maximum number of tokens"
)
QUOTA_CODES = {
    "insufficient_quota",
    "billing_not_active",
    "billing_hard_limit_reached",
    "billing_error",
    "billing_disabled",
    "insufficient_balance",
    "insufficient_credits",
    "quota_exceeded_per_day",
}
_QUOTA_WORDS = re.compile(
    r"credit balance is too low|insufficient (?:balance|credits?|funds)|billing hard limit|out of credits"
)
AUTH_CODES = {"api_key_invalid", "invalid_api_key", "authentication_error", "unauthenticated"}
_AUTH_WORDS = re.compile(r"api key not valid|api key expired|invalid api key|incorrect api key")
FILTER_CODES = {"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}

# The status an error told inside an answer of status 200 would have had.
_STATUS_OF_CODE = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "resource_exhausted": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
    "authentication_error": 401,
    "unauthenticated": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "billing_error": 402,
    "not_found_error": 404,
    "not_found": 404,
    "model_not_found": 404,
    "request_too_large": 413,
    "overloaded_error": 529,
}


def classify(status: int, body: bytes) -> Ending:
    """Return what an answer of status >= 400 means, whichever protocol it came in."""
    value = answer_value(body[:_MOST_TEXT] if len(body) > _MOST_TEXT else body)
    said = value if value is not None else body[:_MOST_TEXT].decode("utf-8", "replace")
    codes, text = _codes_and_text(said)
    return _ending(status, codes, text)


def classify_told(error: object) -> Ending:
    """Return what an error told inside an answer of status 200 means."""
    codes, text = _codes_and_text({"error": error})
    number = member(error, "code")
    if isinstance(number, int) and 400 <= number <= 599:
        status = number
    else:
        status = next((_STATUS_OF_CODE[c] for c in codes if c in _STATUS_OF_CODE), 500)
    return _ending(status, codes, text)


def _ending(status: int, codes: list[str], text: str) -> Ending:
    """Return the class by the first rule that holds; the reason is the status and the provider's own code."""
    found = {*codes}
    state = "provider-request"
    if status == 402 or (
        status in (400, 403, 429) and (found & QUOTA_CODES or _QUOTA_WORDS.search(text))
    ):
        state = "provider-quota"
    elif status in (401, 403) or (
        status == 400 and (found & AUTH_CODES or _AUTH_WORDS.search(text))
    ):
        state = "provider-auth"
    elif status in (400, 404, 413, 422, 500) and (
        found & CONTEXT_CODES or _CONTEXT_WORDS.search(text)
    ):
        state = "context-overflow"
    elif status == 400 and found & FILTER_CODES:
        state = "refused"
    elif status == 429:
        state = "provider-rate-limit"
    elif status in (408, 409) or status >= 500:
        state = "provider-error"
    shown = next((code for code in codes if _CODE.fullmatch(code)), None)
    return Ending(state=state, reason=f"{status} {shown}" if shown else str(status))


def _codes_and_text(said: object) -> tuple[list[str], str]:
    """Return the codes an error body names, lower-case, the most telling first, and all it says, lower-case."""
    if isinstance(said, list):
        said = said[0] if said else None
    error = member(said, "error")
    if error is None:
        error = said
    named = [member(error, "code"), member(error, "type"), member(error, "status")]
    named.append(member(error, "innererror", "code"))
    for detail in objects(member(error, "details")):
        named.append(detail.get("reason"))
        # Google counts by the minute and by the day; only the second is spent for good.
        quotas = [word(v.get("quotaId")).lower() for v in objects(detail.get("violations"))]
        named.extend("quota_exceeded_per_day" for quota in quotas if "perday" in quota)
    codes = [word(code).lower() for code in named if word(code)]
    text = said if isinstance(said, str) else _text(said)
    return codes, text[:_MOST_TEXT].lower()


def _text(said: object) -> str:
    try:
        return json.dumps(said, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""
