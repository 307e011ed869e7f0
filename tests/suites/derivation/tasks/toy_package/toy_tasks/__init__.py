# SPDX-License-Identifier: MIT
"""A third party's tasks: a folder of families, and nothing else."""
