# SPDX-License-Identifier: MIT
"""What spark needs otherwise than sqlglot writes it."""

from m4bench.suites.derivation.library.dialects.rule import Writing

WRITING = Writing("spark")
