"""Opening theory: boards solved from the empty board on."""
