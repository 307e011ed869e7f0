# SPDX-License-Identifier: MIT
"""The synthetic hospital: invented patients in the shape of MIMIC-IV, for anyone without credentials."""

from m4bench.data.synthetic.hospital import generate

__all__ = ["generate"]
