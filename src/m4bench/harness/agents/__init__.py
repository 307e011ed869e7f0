# SPDX-License-Identifier: MIT
"""One module an agent: a program that reads a work folder and writes the deliverable."""
