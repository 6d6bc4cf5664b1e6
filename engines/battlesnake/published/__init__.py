"""The plan "RHEA with Negamax Override" as published: its evolution, its search, its override.

Frozen: the study and its ablation measure the three agents `published_*`, and nothing else but the benchmarks
uses this package. `evolution` breeds plans against one model of the others, `negamax` is the search,
`override` lets a search replace a move.
"""
