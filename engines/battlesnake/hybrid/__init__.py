"""The hybrid of search and evolution: how `rhea_with_negamax_override` comes to its decision.

In a duel the search alone decides; the evolution proposes lines and stands in until the search has a value.
With more rivals both decide.

1. `interleave` runs the search (`search/`) and the rolling-horizon evolution (`evolution/`) in slices until
   time is up: the search looks a few plies deep against all replies, the evolution along lines of twenty
   plies against some. Both evaluate with the same leaf, so their values are on
   one scale; but a draw is 0 to the evolution, -60 to the search.
2. `opponent_model` (duels in which every move may lose): predicts the rival's reply from the search's payoff
   matrix, and adjusts the scores by the confidence in that.
3. `veto` chooses: the evolution proposes the first move of its fittest line; moves that are proven to lose,
   or are clearly worse to the search than its best, are vetoed; of the others the greatest sum of the
   search's value and the evolution's share is played. With one rival that share is 0; as long as the
   search has no value, the fittest line's first move is.

`config` has the figures: of the hybrid (`HybridConfig`, others in duels) and of its search (`SEARCH_CONFIG`).

Called by `agents/rhea_with_negamax_override.py`. Nothing in here knows of requests or of other agents.
"""
