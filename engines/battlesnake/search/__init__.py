"""Iterative deepening alpha-beta for moves that are made at once; and the paranoid search beside it.

One search, from the root to a leaf::

    deepening.Search      depth 1, 2, 3, …: deals out the root's pairs (a move, a column of replies)
      worker.Worker       one pair after the other, with tables of its own
        tree.search_nodes       from here on compiled; the stack of frames is explicit
          node.select_child           the next pair of the node, and its window (alpha, beta)
          rules.play_turn             one joint move: a node, as searches count them
          node.reduction_of           late move reductions
            evaluation.evaluate       at a leaf
            transposition             else: known, deep enough to cut off?
            move_ordering.open_node   else: a frame for the child, its moves and replies in order
          node.back_up                a value on its way up, to the next pair or the node's own value
          transposition.store         a resolved node, and its best moves in the history
    result.SearchResult   the payoff matrix at the root, and scores from it
    variation             the principal variation, out of the worker's tables

What is particular: between two snakes a node near the root (`SearchConfig.matrix_plies`) where both heads can
enter one cell is a MATRIX node, whose value is that of the matrix game over all pairs of moves
(`matrix_game`). Elsewhere the order of moving changes little: a SERIAL node lets the rival reply to your
move, which costs a fraction of the pairs. With more rivals one of those near you deviates at a time from a
default policy that all others follow. A draw has a value of its own.

The root is a payoff matrix (matrix root); or in a duel, at half the nodes, only each move's worst case, exact
for the best move and an upper bound for the others (maximin root).

`paranoid` has a search, a stack and an evaluation of its own.
"""
