# SPDX-License-Identifier: MIT
"""Time, memory and rows of the synthetic hospital by its size: linear in time, bounded in memory.

    python benchmarks/synthetic.py [--site mimic] [--stays 250 500 1000] [--density 1] [--workers 2]
    python benchmarks/synthetic.py --full 94000 --density 1 [--to DIR]

Each size is drawn by a process of its own. Memory is the largest sum, over that process and its workers, of
what each holds in memory (what they share is counted for each). The exponent is the slope of log seconds
over log stays: 1 is linear. `--full` draws one hospital of that size alone, for a run that nobody waits
for, and keeps it where `--to` says. Prints JSON; exits 1 when memory passes 2 GiB or the exponent 1.15.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyarrow.parquet as pq

from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.workers import cores

MOST_BYTES = 2 << 30
MOST_EXPONENT = 1.15
SAMPLED_EVERY = 0.05
"""Seconds between two looks at the memory."""
DRAW = """
import sys
from pathlib import Path
from m4bench.data.synthetic.hospital import generate
folder, stays, site, density, workers = sys.argv[1:]
generate(Path(folder), stays=int(stays), seed=1, site=site, density=float(density), workers=int(workers))
"""


@dataclass(frozen=True)
class Settings:
    """What all sizes of a measurement have in common."""

    site: str
    density: float
    workers: int


def held(process: psutil.Process) -> int:
    """Return the bytes that a process and its children hold in memory now."""
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += one.memory_info().rss
    except psutil.NoSuchProcess:
        pass
    return total


def drawn(folder: Path, stays: int, settings: Settings) -> dict[str, object]:
    """Draw a hospital and return its figures."""
    began = time.perf_counter()
    given = (folder, stays, settings.site, settings.density, settings.workers)
    peak = 0
    with subprocess.Popen([sys.executable, "-c", DRAW, *map(str, given)]) as process:
        while process.poll() is None:
            peak = max(peak, held(psutil.Process(process.pid)))
            time.sleep(SAMPLED_EVERY)
    seconds = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"a hospital of {stays} stays could not be drawn")
    files = list(folder.rglob("*.parquet"))
    rows = sum(pq.read_metadata(file).num_rows for file in files)
    return {
        "stays": stays,
        "seconds": round(seconds, 2),
        "peak_bytes": peak,
        "rows": rows,
        "rows_a_stay": round(rows / stays, 1),
        "rows_a_second": round(rows / seconds),
        "bytes_a_stay": round(sum(file.stat().st_size for file in files) / stays),
    }


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of log seconds over log sizes by least squares."""
    x, y = ([math.log(value) for value in values] for values in (sizes, seconds))
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    rise = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return rise / sum((a - middle_x) ** 2 for a in x)


def full(stays: int, settings: Settings, to: Path) -> dict[str, object]:
    """Draw one large hospital and hash it."""
    figures = drawn(to, stays, settings)
    began = time.perf_counter()
    content = content_hash(to)
    return figures | {"content": content, "hash_seconds": round(time.perf_counter() - began, 1)}


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="mimic")
    parser.add_argument("--stays", type=int, nargs="+", default=[250, 500, 1000])
    parser.add_argument("--density", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--full", type=int, metavar="N")
    parser.add_argument("--to", type=Path, metavar="DIR")
    options = parser.parse_args()
    settings = Settings(options.site, options.density, options.workers)
    found: dict[str, object] = {
        "site": settings.site,
        "density": settings.density,
        "workers": settings.workers,
    }
    holds = True
    with tempfile.TemporaryDirectory(prefix="m4bench-synthetic-") as temporary:
        if options.full:
            to = options.to or Path(temporary) / "full"
            sizes = [full(options.full, settings, to)]
        else:
            folder = Path(temporary)
            sizes = [drawn(folder / str(n), n, settings) for n in options.stays]
    if len(sizes) > 1:
        slope = exponent(
            *([float(str(size[name])) for size in sizes] for name in ("stays", "seconds"))
        )
        found["exponent"] = round(slope, 3)
        holds = slope <= MOST_EXPONENT
    print(json.dumps(found | {"sizes": sizes}, indent=2))
    return 0 if holds and all(int(str(size["peak_bytes"])) <= MOST_BYTES for size in sizes) else 1


if __name__ == "__main__":
    sys.exit(main())
