# SPDX-License-Identifier: MIT
"""The real command-line tools, in the real sandbox, through the real gateway, at a real task."""
