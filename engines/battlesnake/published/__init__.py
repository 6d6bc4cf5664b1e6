"""The plan "RHEA with Negamax Override" as published: its search, its evolution, its override.

Frozen: the three agents `published_*` are what the study and its ablation measure. `evolution` breeds lines
against one guess at the others, `negamax` is the search, `override` lets a search replace a move.
Nothing outside this room and those agents uses it.
"""
