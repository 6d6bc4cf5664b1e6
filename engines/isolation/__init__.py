"""Isolation: two knights, every cell once (docs/games/isolation.md)."""
