# SPDX-License-Identifier: MIT
"""Floor 1: intervals, tests and power. Arrays in, numbers out; knows no benchmark."""
