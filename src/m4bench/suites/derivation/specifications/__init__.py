# SPDX-License-Identifier: MIT
"""What a specification has to say: the facts of a derivation, and texts held against them."""
