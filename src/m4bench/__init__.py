# SPDX-License-Identifier: MIT
"""Measure whether AI coding agents can rebuild the derived variables of critical-care research."""

import os

# No linear algebra is done here, and the idle threads kept for it would spin on the processors.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
