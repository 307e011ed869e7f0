# SPDX-License-Identifier: MIT
"""What runs as the first process of a sandbox: the standard library only, and no knowledge of what is measured."""
