"""Flag: two teams of three on 11x11, simultaneous orders (docs/games/flag.md)."""
