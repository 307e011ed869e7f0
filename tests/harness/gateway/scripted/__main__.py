# SPDX-License-Identifier: MIT
"""The scripted model server from the command line: one command, then done."""

import argparse
import threading

from tests.harness.gateway.scripted import Call, Done, ScriptedServer


def main() -> None:
    """Serve until interrupted."""
    options = argparse.ArgumentParser(prog="python -m tests.harness.gateway.scripted")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--command", default="echo hello > output.csv")
    chosen = options.parse_args()
    with ScriptedServer([Call(chosen.command), Done()], port=chosen.port) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
