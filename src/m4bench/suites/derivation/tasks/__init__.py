# SPDX-License-Identifier: MIT
"""The tasks of the suite: one folder a task, found by walking; how they are read, shown and linted."""
