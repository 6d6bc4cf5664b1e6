"""Whole games in compiled code, for measuring and training."""
