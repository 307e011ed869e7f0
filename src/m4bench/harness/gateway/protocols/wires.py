# SPDX-License-Identifier: MIT
"""The wire protocols by their names."""

from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.gateway.protocols.chat_completions import ChatCompletions
from m4bench.harness.gateway.protocols.generate_content import GenerateContent
from m4bench.harness.gateway.protocols.messages import Messages
from m4bench.harness.gateway.protocols.protocol import Wire
from m4bench.harness.gateway.protocols.responses import Responses

_WIRES: dict[WireProtocol, Wire] = {
    "responses": Responses(),
    "chat-completions": ChatCompletions(),
    "messages": Messages(),
    "generate-content": GenerateContent(),
}


def wire_of(name: WireProtocol) -> Wire:
    """Return a wire protocol; it holds no state."""
    return _WIRES[name]
