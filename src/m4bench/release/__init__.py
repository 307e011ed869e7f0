# SPDX-License-Identifier: MIT
"""Floor 6: evidence packages."""
