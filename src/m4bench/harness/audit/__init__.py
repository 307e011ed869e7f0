# SPDX-License-Identifier: MIT
"""What makes a run publishable."""
