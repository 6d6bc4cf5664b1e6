"""Ludo: two to four seats, dice (docs/games/ludo.md)."""
