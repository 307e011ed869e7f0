# SPDX-License-Identifier: MIT
"""The wire protocols models are spoken to in: what the gateway reads of a request and of its answer."""
