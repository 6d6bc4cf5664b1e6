"""The game of one round, solved over all joint orders of both sides (docs/games/flag.md)."""
