# SPDX-License-Identifier: MIT
"""What a report says of a whole campaign: from an analysis to sections, tables and figures. Computes no statistic."""
