# SPDX-License-Identifier: MIT
"""The work folder an agent sees."""
