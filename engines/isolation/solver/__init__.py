"""Exact solving: who wins, in how many plies."""
