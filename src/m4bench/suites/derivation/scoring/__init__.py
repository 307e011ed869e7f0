# SPDX-License-Identifier: MIT
"""The comparer: an agent's table against the hidden reference."""
