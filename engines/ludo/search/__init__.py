"""Expectimax over the throws to come, and roll-outs."""
