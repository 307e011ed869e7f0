# SPDX-License-Identifier: MIT
"""Writes down what became of each of a lane's requests: in its log, its counts and its recording."""

import json
import time
from dataclasses import dataclass, replace
from typing import Self

from m4bench.harness.gateway.admission import Call, ended_refusal
from m4bench.harness.gateway.egress import EgressLine, EgressLog
from m4bench.harness.gateway.lane import Ending, LaneConfig
from m4bench.harness.gateway.metering import Meter, Traffic
from m4bench.harness.gateway.protocols.protocol import AnswerReader
from m4bench.harness.gateway.rates import FairRate
from m4bench.harness.gateway.recording import ChunkTexts, Exchange, Recorder
from m4bench.harness.gateway.secrecy import Secrets
from m4bench.harness.gateway.under_way import UnderWay

ENDED_EARLY = Ending(state="provider-error", reason="the answer ended before its end")
# How a recording marks an answer that it could not hold; a replay breaks off there.
OVERLONG = Ending(state="provider-error", reason="the answer was longer than a recording holds")


@dataclass(frozen=True)
class Told:
    """What the agent was answered; `failure` is what that counted as."""

    status: int
    content_type: str
    cut: bool = False
    failure: Ending | None = None


class Attempt:
    """One attempt, written down when it is `done` and at the latest when its block ends."""

    def __init__(
        self, books: "Books", line: EgressLine, call: Call, texts: ChunkTexts | None
    ) -> None:
        self._books, self._line, self._call, self._texts = books, line, call, texts
        self._started = time.monotonic()
        self._done = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.done()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return round(time.monotonic() - self._started, 4)

    def done(self) -> None:
        """Write it down, before the agent is told the end: it may leave then, and its lane be closed."""
        if not self._done:
            self._done = True
            self._line.seconds = self.seconds
            self._books.attempted(self._line, self._call, self._texts)


class Books:
    """One lane's log, counts and recording.

    A log or recording that cannot be written ends the lane: what is not written down must not happen.
    """

    def __init__(
        self,
        config: LaneConfig,
        meter: Meter,
        log: EgressLog,
        recorder: Recorder | None,
        rate: FairRate,
        secrets: Secrets,
    ) -> None:
        self.config, self.meter, self.log, self.rate, self.secrets = (
            config, meter, log, rate, secrets,
        )  # fmt: skip
        self._recorder = recorder
        self.under_way = UnderWay(config.limits, meter)

    def texts(self) -> ChunkTexts | None:
        """Return what keeps an answer, where somebody asks for it."""
        return ChunkTexts() if self._recorder or self.config.bodies else None

    def line(self, call: Call, number: int, attempt: int) -> EgressLine:
        """Return the log's line of an attempt, to be filled in."""
        return EgressLine(
            lane=self.config.lane,
            request=number,
            attempt=attempt,
            protocol=call.route.protocol,
            method=call.method,
            path=call.route.upstream_path.partition("?")[0],
            model=call.model,
        )

    def clean(self, headers: dict[str, str]) -> dict[str, str]:
        """Return headers without secrets in their values."""
        return {name: self.secrets.scrub_text(value) for name, value in headers.items()}

    def attempt(self, line: EgressLine, call: Call, texts: ChunkTexts | None) -> "Attempt":
        """Return what holds the log's room for an attempt.

        Raises:
            RefusedError: there is none, which ends the lane; nothing is sent without.
        """
        try:
            self.log.reserve()
        except OSError as error:
            self._lost("egress log", error)
            assert self.meter.fatal
            raise ended_refusal(self.meter.fatal) from None
        return Attempt(self, line, call, texts)

    def attempted(self, line: EgressLine, call: Call, texts: ChunkTexts | None) -> None:
        """Write down an attempt that has ended."""
        self.log.release()
        self.meter.sent(Traffic(line.bytes_sent, line.bytes_received))
        bodies = None
        if self.config.bodies:
            sent = call.body.decode("utf-8", "replace")
            bodies = {
                "request_body": self.secrets.scrub_text(sent),
                "response_body": "".join(texts.end()) if texts else "",
            }
        self._write(line, bodies)

    def refused(self, line: EgressLine, why: str, ending: Ending | None) -> None:
        """Write down a request that is not forwarded; `ending` is what it means for the run, if it asked a model."""
        self.meter.refused(why, ending)
        line.outcome = f"refused:{why}"
        self._write(line, None)

    def settle(
        self,
        call: Call,
        reader: AnswerReader | None,
        line: EgressLine,
        *,
        cut: Ending | None = None,
        gone: bool = False,
    ) -> Ending | None:
        """Count an answer that was passed on, and return what it failed of, or None when it was answered well.

        Args:
            call: the request.
            reader: what read the answer; None when it is not a model's.
            line: of the log, which is told tokens and outcome.
            cut: why the upstream's answer broke off.
            gone: whether the client went away; an answer that was whole by then was answered well.
        """
        answered = reader.end() if reader else None
        whole = answered.complete if answered else not (gone or cut)
        if answered:
            line.tokens = answered.tokens
            traffic = Traffic(line.bytes_sent, line.bytes_received)
            self.meter.count(call.model, answered.tokens, traffic)
            self.rate.used((answered.tokens or traffic.estimate).total)
        failure = answered.failure if answered else None
        if not whole and not gone:
            failure = failure or cut or ENDED_EARLY
        line.outcome = "answered" if whole else "cut"
        if failure:
            line.outcome = "cut" if cut else f"failed:{failure.state}"
            self.meter.failed(failure, call.route.kind)
        elif whole:
            self.meter.answered(answered)
        else:
            self.meter.abandoned()
        return failure

    def record(self, call: Call, told: Told, texts: ChunkTexts | None) -> None:
        """Add an exchange to the recording, where there is one."""
        if not self._recorder:
            return
        chunks = texts.end() if texts else ()
        if texts and texts.overfull:
            told, chunks = replace(told, cut=True, failure=told.failure or OVERLONG), ()
        asked = call.asked
        exchange = Exchange(
            n=self.meter.recorded + 1,
            protocol=call.route.protocol,
            path=call.route.upstream_path,
            shape=asked.shape if asked else "",
            fingerprint=asked.fingerprint if asked else "",
            request=_plain(call),
            status=told.status,
            content_type=told.content_type,
            chunks=chunks,
            cut=told.cut,
            failure=told.failure,
        )
        try:
            self._recorder.write(exchange)
        except OSError as error:
            self._lost("recording", error)
            return
        self.meter.recorded += 1

    def close(self) -> None:
        """Close the files."""
        self.log.close()
        if self._recorder:
            self._recorder.close()

    def _write(self, line: EgressLine, bodies: dict[str, str] | None) -> None:
        try:
            self.log.write(line, bodies)
        except OSError as error:
            self._lost("egress log", error)

    def _lost(self, what: str, error: OSError) -> None:
        why = f"the {what} cannot be written ({error.strerror or error})"
        self.meter.end(Ending(state="infrastructure", reason=why))


def _plain(call: Call) -> object:
    try:
        return json.loads(call.body) if call.body else None
    except (ValueError, RecursionError):
        return None
