"""What is noted of a node while the search is there: for each level a row of controls and one of bounds."""

from __future__ import annotations

from typing import Final

BEYOND: Final = 1e9
"""More than anything is worth."""
HABIT: Final = 0
"""The reply in which nobody deviates; else 4 * (1 + snake) + word."""

# Columns of a level's controls.
KIND: Final = 0
"""SERIAL or MATRIX: does the rival see your word, or are all pairs of a node to be valued?"""
PHASE: Final = 1
"""Of a matrix game: what is asked of it next."""
AT_WORD: Final = 2
"""Place of the present pair in your words, and in the replies."""
AT_REPLY: Final = 3
MINE: Final = 4
"""How many words of yours, and how many replies."""
THEIRS: Final = 5
WORD: Final = 6
"""The best so far, or the best at last: your word and the reply to it."""
REPLY: Final = 7
ROW: Final = 8
"""The best reply to the present word."""
SCOUT: Final = 9
"""Of a matrix game: the word that may hold the upper end of the window."""
KEY: Final = 10
FLAG: Final = 11
"""What the node's value is: EXACT, AT_LEAST or AT_MOST."""
LEFT: Final = 12
"""Turns from the node to the leaves, along the first pair of each node."""
LATE: Final = 13
"""Of the present pair: 0, SHORTER while it is looked at less deep, IN_FULL when that was a surprise."""
COPIED: Final = 14
"""1 once the level below has held this node's world: what the turn since has changed is set back then."""
TRIED: Final = 16
"""From here on your words, the likely best first."""
ANSWERS: Final = 20
"""From here on the replies."""
KNOWN: Final = 36
"""From here on what is known of each pair of a matrix game: UNKNOWN, or as FLAG."""
PLAN: Final = 52
"""From here on the word of each snake by habit."""

REPLIES: Final = KNOWN - ANSWERS
"""Room for replies: with more rivals the habit and three other words of each who may deviate, else four."""
PAIRS: Final = PLAN - KNOWN
"""Room for what is known of pairs: four words by four replies."""

SERIAL: Final = 0
MATRIX: Final = 1
SHORTER: Final = 1
IN_FULL: Final = 2
UNKNOWN: Final = 0
EXACT: Final = 1
AT_LEAST: Final = 2
AT_MOST: Final = 3

# Columns of a level's bounds.
ALPHA: Final = 0
"""The node's window."""
BETA: Final = 1
BEST: Final = 2
"""Of your words so far."""
LEAST: Final = 3
"""Of the replies to the present word so far."""
LOW: Final = 4
"""The window of the present child."""
HIGH: Final = 5
VALUE: Final = 6
BOUNDS: Final = 7
"""How many columns."""
