# SPDX-License-Identifier: MIT
"""How a database is presented to an agent, and what is kept out of it."""
