# SPDX-License-Identifier: MIT
"""Floor 2: what is measured. Each suite is a plug-in of the entry point group `m4bench.suites`."""
