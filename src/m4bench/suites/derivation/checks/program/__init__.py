# SPDX-License-Identifier: MIT
"""The program `check` in parts, each a module here; they are joined to one file for the agent. Knows no task."""
