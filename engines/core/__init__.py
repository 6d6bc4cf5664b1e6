"""What every game shares: the contract of a game, of an agent and of a decision.

Nothing in this package knows a particular game.
"""
