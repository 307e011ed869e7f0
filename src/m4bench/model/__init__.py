# SPDX-License-Identifier: MIT
"""Floor 0: the typed records everything passes along, errors, hashing, files and settings."""
