# SPDX-License-Identifier: MIT
"""Floor 7: the local web page."""
