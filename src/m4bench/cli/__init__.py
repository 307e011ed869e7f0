# SPDX-License-Identifier: MIT
"""Floor 8: the command line, one module a command group; no logic."""
