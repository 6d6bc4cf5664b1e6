"""The exception by which the arena refuses what it is given."""

from __future__ import annotations


class ArenaError(Exception):
    """Bad usage or input, in words for the user: the command line ends with 2."""
