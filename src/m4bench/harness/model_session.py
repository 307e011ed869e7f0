# SPDX-License-Identifier: MIT
"""One run's way to its model while it lasts: a gateway process, one lane, and the request to end when it closes.

It does not know what the agent is or what is measured.
"""

import secrets
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from m4bench.harness.agents.agent import ModelAccess
from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary
from m4bench.harness.gateway.process import Gateway, GatewayError
from m4bench.harness.model_choice import ModelChoice
from m4bench.harness.sandbox.sandbox import MODEL_PORT, ModelSocket, Stop
from m4bench.model.run import ModelFacts

EGRESS, RECORDING = "egress.jsonl", "recording.jsonl"
SOCKET = "socket"


class ModelSession:
    """A context in which the model of a run can be reached; without a choice it opens nothing.

    `access` is what the agent is told, `socket` what the sandbox binds, `summary` what the gateway saw, once
    the session is closed; `broken` says why the gateway failed, when it did.

    Args:
        choice: the way to take.
        folder: the run's private folder, for the log and the recording.
        lane: a name of the run.
        isolated: whether the agent reaches a socket through a sandbox, or a port of this machine.
        stop: asked when the requests of the run will not be answered any more.
        markers: words by skill, see `skill_markers`.
        gateway: one that is shared by several runs, which share its rate limits fairly; by default one of its own.
    """

    def __init__(
        self,
        choice: ModelChoice | None,
        folder: Path,
        *,
        lane: str,
        isolated: bool,
        stop: Stop,
        markers: dict[str, str],
        gateway: Gateway | None = None,
    ) -> None:
        self.choice, self.folder, self.lane = choice, folder, lane
        self.isolated, self.stop, self.markers = isolated, stop, markers
        self.access: ModelAccess | None = None
        self.socket: ModelSocket | None = None
        self.summary: LaneSummary | None = None
        self.broken: str | None = None
        self._shared = gateway
        self._gateway: Gateway | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if self.choice is None:
            return self
        with ExitStack() as stack:
            self._gateway = self._shared or stack.enter_context(Gateway())
            # A socket's path may have 107 bytes; a results folder may lie deeper.
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="m4bench-")))
            token = f"run-{secrets.token_hex(16)}"
            address = self._gateway.open(self._config(self.choice, place, token), self._fatal)
            if address.socket is not None:
                self.socket = ModelSocket(address.socket)
            base = address.url or f"http://127.0.0.1:{MODEL_PORT}"
            self.access = ModelAccess(
                base_url=base.rstrip("/"),
                token=token,
                protocol=self.choice.chosen.protocol,
                model=self.choice.model,
            )
            self._stack = stack.pop_all()
        return self

    def _config(self, choice: ModelChoice, place: Path, token: str) -> LaneConfig:
        settings = choice.settings
        return LaneConfig.model_validate(
            {
                "lane": self.lane,
                "socket": str(place / SOCKET) if self.isolated else None,
                "token": token,
                "upstream": choice.chosen.upstream,
                "models": choice.models,
                "access": choice.access,
                # without an agreement the gateway sees to it that credentialed data stay on this machine
                "permitted_by": None if choice.chosen.loopback else choice.permitted_by,
                "limits": settings.limits,
                "retry": choice.chosen.retry,
                "rate": choice.chosen.rate,
                "egress": str(self.folder / EGRESS),
                "bodies": settings.bodies,
                "record": str(self.folder / RECORDING) if settings.record else None,
                "replay": str(settings.replay.resolve()) if settings.replay else None,
                "prices": str(settings.prices.resolve()) if settings.prices else None,
                "markers": self.markers,
            }
        )

    def _fatal(self, ending: Ending) -> None:
        self.stop.ask(f"{ending.state}: {ending.reason}")

    def close(self) -> LaneSummary | None:
        """Close the lane and return what it has seen; a gateway that died makes `broken` say so."""
        if self._gateway is not None and self.access is not None and self.summary is None:
            try:
                self.summary = self._gateway.close(self.lane)
            except GatewayError as error:
                self.broken = str(error)
        return self.summary

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        self._stack.__exit__(kind, error, trace)

    def facts(self) -> ModelFacts | None:
        """Return what a record says of the way to the model."""
        if self.choice is None:
            return None
        facts = ModelFacts(
            endpoint=self.choice.chosen.place,
            protocol=self.choice.chosen.protocol,
            permitted_by=self.choice.permitted_by,
            models=self.choice.models,
        )
        seen = self.summary
        if seen is None:
            return facts
        last = seen.fatal or seen.last_failure or seen.refused
        return facts.model_copy(
            update={
                "models_seen": seen.models_seen,
                "models_answered": seen.models_answered,
                "skills_seen": seen.skills_seen,
                "hosts": seen.hosts,
                "stop_reasons": seen.stop_reasons,
                "refusals": seen.refusals,
                "last_failure": f"{last.state}: {last.reason}" if last else None,
                "recorded": seen.recorded,
                "replayed": seen.replayed,
                "divergences": seen.divergences,
            }
        )
