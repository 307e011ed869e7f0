# SPDX-License-Identifier: MIT
"""What an agent may check of its own answer: its form, its keys and what the card states. Knows no right answer."""
