# SPDX-License-Identifier: MIT
"""The gateway process: opens and closes lanes as it is told over its standard input, and ends when that closes.

It is started by `m4bench.harness.gateway.process`, in an environment of its own.
"""

import asyncio
import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress

from pydantic import ValidationError

from m4bench.harness.gateway.control import Asked, Event, Reply, Said
from m4bench.harness.gateway.lane import Ending, LaneConfig
from m4bench.harness.gateway.rates import FairRate
from m4bench.harness.gateway.service import Service, opened, where
from m4bench.model.errors import M4BenchError

LONGEST_LINE = 64 << 20
_PR_SET_DUMPABLE = 4
_LOOK_FOR_PARENT_SECONDS = 1.0


class GatewayServer:
    """All lanes of one harness process."""

    def __init__(self) -> None:
        self._lanes: dict[str, Service] = {}
        self._rates: dict[tuple[str, str], FairRate] = {}

    async def serve(self, parent: int) -> None:
        """Do what is asked until standard input closes, or the process that started this one is gone."""
        asked = asyncio.StreamReader(limit=LONGEST_LINE)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
        orphaned = asyncio.create_task(_orphaned(parent))
        _say(Said(event=Event(event="ready")))
        _hide_standard_error()
        reading = asyncio.create_task(self._read(asked))
        await asyncio.wait({reading, orphaned}, return_when=asyncio.FIRST_COMPLETED)
        for lane in list(self._lanes.values()):
            with suppress(Exception):
                await lane.close()

    async def _read(self, asked: asyncio.StreamReader) -> None:
        doing: set[asyncio.Task[None]] = set()
        while line := await asked.readline():
            task = asyncio.create_task(self._do(line))
            doing.add(task)
            task.add_done_callback(doing.discard)

    async def _do(self, line: bytes) -> None:
        try:
            asked = Asked.model_validate_json(line)
        except ValidationError:
            return  # the harness waits for its reply and then says that the gateway did not answer
        try:
            reply = await (self._open(asked) if asked.do == "open" else self._close(asked))
        except M4BenchError as error:
            reply = Reply(number=asked.number, error=str(error), input=error.exit_code == 2)
        except Exception as error:  # noqa: BLE001 - told to the harness without its words
            reply = Reply(number=asked.number, error=f"the gateway failed ({where(error)})")
        _say(Said(reply=reply))

    async def _open(self, asked: Asked) -> Reply:
        config = asked.config
        assert config
        if config.lane in self._lanes:
            return Reply(number=asked.number, error=f"lane {config.lane} is open already")

        def fatal(ending: Ending) -> None:
            _say(Said(event=Event(event="fatal", lane=config.lane, ending=ending)))

        service, url = await opened(config, self._rate(config), fatal)
        self._lanes[config.lane] = service
        return Reply(number=asked.number, url=url)

    async def _close(self, asked: Asked) -> Reply:
        lane = self._lanes.pop(asked.lane or "", None)
        if lane is None:
            return Reply(number=asked.number, error=f"no lane {asked.lane} is open")
        return Reply(number=asked.number, summary=await lane.close())

    def _rate(self, config: LaneConfig) -> FairRate:
        """Return what the lanes of one endpoint share; the first one says how much it is."""
        endpoint = (config.upstream.name, config.upstream.base_url)
        return self._rates.setdefault(endpoint, FairRate(config.rate))


def _say(said: Said) -> None:
    data = memoryview(said.model_dump_json().encode() + b"\n")
    with suppress(BrokenPipeError):  # then standard input closes, too
        while data:
            data = data[os.write(1, data) :]


async def _orphaned(parent: int) -> None:
    """Return when the process that started this one is gone, though another may hold its end of the pipe."""
    while os.getppid() == parent:
        await asyncio.sleep(_LOOK_FOR_PARENT_SECONDS)


def _harden() -> None:
    """Leave no memory behind in a file, and let no other process of this user read it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _hide_standard_error() -> None:
    """From here on a traceback could hold what passes."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def main() -> None:
    """Serve the process whose id is the only argument."""
    _harden()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o077)
    asyncio.run(GatewayServer().serve(int(sys.argv[1])))


if __name__ == "__main__":
    main()
