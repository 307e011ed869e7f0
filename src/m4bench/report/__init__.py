# SPDX-License-Identifier: MIT
"""Floor 5: tables and the HTML report."""
