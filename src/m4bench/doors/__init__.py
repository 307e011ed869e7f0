# SPDX-License-Identifier: MIT
"""Floor 7: conveniences for other programs and for newcomers."""
