"""Hand-made values: of one move, of a race, and of the documented rules. All compiled."""
