# SPDX-License-Identifier: MIT
"""Floor 5: from finished runs to declared comparisons and the tables of the paper. Knows no page and no file layout
but the runs CSV."""
