# SPDX-License-Identifier: MIT
"""A process that draws blocks of a hospital into files: `python -m m4bench.data.synthetic.worker`.

It reads jobs from standard input, one line of JSON each, and answers each with one line on standard output;
it ends when its standard input does, which is also when its parent ends in whatever way, and then without a
word. The seed comes by that way alone: a process's arguments and environment can be read by others, and so
can the core it would leave, which is why it leaves none. Knows no order of blocks.
"""

import json
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import pyarrow as pa

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.hospital import SITES, drawn
from m4bench.data.synthetic.secrecy import leave_no_core
from m4bench.data.synthetic.spool import spool


def _read(jobs: queue.SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        # A line without its end is one that a parent could not write to the end.
        if line.endswith(b"\n"):
            jobs.put(line)
    # At once, in the midst of a block if need be: nobody is left to read it.
    os._exit(0)


def _answer(line: bytes) -> dict[str, Any]:
    job = json.loads(line)
    try:
        block = Block(**job["block"])
        spool(drawn(SITES[job["site"]](), block), Path(job["folder"]))
    except OSError as error:
        return {"errno": error.errno, "strerror": error.strerror or str(error)}
    except BaseException:  # noqa: BLE001 - whatever it is, the parent tells it
        return {"failed": traceback.format_exc()}
    return {"done": block.number}


def main() -> None:
    """Draw what is asked for until nobody asks."""
    leave_no_core()
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(jobs,), daemon=True).start()
    while True:
        answer = _answer(jobs.get())
        try:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
        except OSError:
            # Nobody reads. An orderly end would wait for the thread that reads, and abort.
            os._exit(0)


if __name__ == "__main__":
    main()
