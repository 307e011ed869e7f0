# SPDX-License-Identifier: MIT
"""What an agent did, as one trace whatever tool it was: events, their summary, and the ATIF form."""
