# SPDX-License-Identifier: MIT
"""Where an agent's program runs: bubblewrap, or nowhere special."""
