# SPDX-License-Identifier: MIT
"""The only way out of a sandbox: a model gateway that holds the keys, allow-lists, meters, records and replays."""
