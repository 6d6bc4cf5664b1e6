"""Which child of a node is searched next, with which window, and what a child's value does to the node.

A child is a pair: a move of yours and a reply. `tree` calls `select_child` until the node is resolved, and
`back_up` with the value of each child. Nothing here knows the board.
"""

from __future__ import annotations

from typing import Final

from engines.battlesnake.search.frame import (
    EXACT,
    EXACT_SOLUTION,
    FAIL_HIGH_PROBE,
    FAIL_LOW_PROBE,
    FULL_DEPTH,
    INFINITE,
    LOWER,
    MATRIX,
    REDUCED,
    RESEARCH,
    SERIAL,
    UNKNOWN,
    UPPER,
    Node,
)
from engines.battlesnake.search.matrix_game import solve
from engines.battlesnake.state import Floats, Ints
from engines.core.jit import inlined

# What a step of a node's selection comes to.
CHILD: Final = 0
"""The frame has the child to search next, and its window."""
RESOLVED: Final = 1
"""The frame has the node's value, bound, best move and best reply."""
_NEXT_PHASE: Final = 2

_LMR_INTO_LEAVES: Final = 3
"""The `lmr` at which a late pair is also reduced where its child has a single ply left: to none, so that the
child is a leaf and evaluated as it stands."""
_REDUCE_FROM: Final = 2
"""With so many plies or more left after it a late pair is searched one ply less deep."""
_REDUCE_TWO_FROM: Final = 5
_REDUCE_THREE_FROM: Final = 8


@inlined
def select_child(node: Node, tableau: Floats, basis: Ints) -> int:
    """CHILD or RESOLVED. Asked again before `back_up`, it selects the same child."""
    frame = node.frame[0]
    if frame.kind == SERIAL:
        return _serial_child(node)
    # Both probes search with the node's own window; what it cuts off does not matter to them.
    frame.child_alpha, frame.child_beta = frame.alpha, frame.beta
    step = _NEXT_PHASE
    if frame.phase == FAIL_LOW_PROBE:
        step = _probe_fail_low(node)
    if step == _NEXT_PHASE and frame.phase == FAIL_HIGH_PROBE:
        step = _probe_fail_high(node)
    if step == _NEXT_PHASE:
        step = _solve_exactly(node, tableau, basis)
    return step


@inlined
def _serial_child(node: Node) -> int:
    """Alpha-beta, fail-soft: a move's replies are searched until one holds it at alpha or below, moves until
    one reaches beta."""
    frame = node.frame[0]
    if frame.move_index < frame.move_count and frame.best < frame.beta:
        frame.child_alpha = max(frame.alpha, frame.best)
        frame.child_beta = min(frame.beta, frame.worst)
        return CHILD
    frame.value = frame.best
    frame.bound = EXACT
    if frame.best >= frame.beta:
        frame.bound = LOWER
    elif frame.best <= frame.alpha:
        frame.bound = UPPER
    return RESOLVED


@inlined
def _probe_fail_low(node: Node) -> int:
    """Does the first reply hold every move at alpha or below? Then no mixed strategy does better.

    `back_up` ends this phase when a move exceeds alpha.
    """
    frame = node.frame[0]
    if frame.alpha <= -INFINITE:
        frame.phase = FAIL_HIGH_PROBE
        frame.candidate = 0
        return _NEXT_PHASE
    if frame.move_index < frame.move_count:
        return CHILD
    best = 0
    for i in range(1, frame.move_count):
        if node.payoffs[i, 0] > node.payoffs[best, 0]:
            best = i
    frame.value = node.payoffs[best, 0]
    frame.bound = UPPER
    frame.best_move = node.moves[best]
    frame.best_reply = node.replies[0]
    return RESOLVED


@inlined
def _probe_fail_high(node: Node) -> int:
    """Does the candidate reach beta against every reply? Then so does the node."""
    frame = node.frame[0]
    if frame.beta >= INFINITE:
        frame.phase = EXACT_SOLUTION
        return _NEXT_PHASE
    i = frame.candidate
    worst = 0
    for j in range(frame.reply_count):
        if node.known[i, j] == UNKNOWN:
            frame.move_index = i
            frame.reply_index = j
            return CHILD
        if node.payoffs[i, j] < frame.beta:
            frame.phase = EXACT_SOLUTION
            return _NEXT_PHASE
        if node.payoffs[i, j] < node.payoffs[i, worst]:
            worst = j
    frame.value = node.payoffs[i, worst]
    frame.bound = LOWER
    frame.best_move = node.moves[i]
    frame.best_reply = node.replies[worst]
    return RESOLVED


@inlined
def _solve_exactly(node: Node, tableau: Floats, basis: Ints) -> int:
    """The value of the matrix game, from the exact values of all pairs: a bound of one could change it."""
    frame = node.frame[0]
    frame.child_alpha, frame.child_beta = -INFINITE, INFINITE
    for i in range(frame.move_count):
        for j in range(frame.reply_count):
            if node.known[i, j] != EXACT:
                frame.move_index = i
                frame.reply_index = j
                return CHILD
    frame.bound = EXACT
    maximin = -INFINITE
    for i in range(frame.move_count):
        worst = INFINITE
        for j in range(frame.reply_count):
            worst = min(worst, node.payoffs[i, j])
        if worst > maximin:
            maximin = worst
            frame.best_move = node.moves[i]
    minimax = INFINITE
    for j in range(frame.reply_count):
        largest = -INFINITE
        for i in range(frame.move_count):
            largest = max(largest, node.payoffs[i, j])
        if largest < minimax:
            minimax = largest
            frame.best_reply = node.replies[j]
    frame.value = maximin
    # Where both are the same the game has a saddle point.
    if minimax > maximin:
        frame.value = solve(node.payoffs, frame.move_count, frame.reply_count, tableau, basis)
    return RESOLVED


@inlined
def reduction_of(node: Node, depth: int, lmr: int) -> int:
    """Plies less than `depth` that the present child is searched, at first (late move reductions).

    Never the first pair, which is the likely principal variation; nor a matrix node, whose solution needs
    every pair.
    """
    frame = node.frame[0]
    if lmr == 0 or depth < (1 if lmr == _LMR_INTO_LEAVES else _REDUCE_FROM):
        return 0
    if frame.kind == MATRIX or frame.reduction == RESEARCH:
        return 0
    if frame.move_index == 0 and frame.reply_index == 0:
        return 0
    return int(min(lmr, 3 if depth >= _REDUCE_THREE_FROM else 2 if depth >= _REDUCE_TWO_FROM else 1))


@inlined
def back_up(node: Node, value: float) -> None:
    """Enter the present child's value and go on to the next; or search it again in full where a reduced
    search found what it was not expected to."""
    frame = node.frame[0]
    # The first reply to a late move should refute it; a late reply, to any move, should not.
    surprising = value > frame.child_alpha if frame.reply_index == 0 else value < frame.child_beta
    if frame.reduction == REDUCED and surprising:
        frame.reduction = RESEARCH
        return
    frame.reduction = FULL_DEPTH
    if frame.kind == MATRIX:
        _back_up_matrix(node, value)
    else:
        _back_up_serial(node, value)


@inlined
def _back_up_matrix(node: Node, value: float) -> None:
    frame = node.frame[0]
    i, j = frame.move_index, frame.reply_index
    node.payoffs[i, j] = value
    known = EXACT
    if value <= frame.child_alpha:
        known = UPPER
    elif value >= frame.child_beta:
        known = LOWER
    node.known[i, j] = known
    if frame.phase == FAIL_LOW_PROBE:
        if value > frame.alpha:
            frame.candidate = i
            frame.phase = FAIL_HIGH_PROBE
        else:
            frame.move_index += 1


@inlined
def _back_up_serial(node: Node, value: float) -> None:
    frame = node.frame[0]
    if value < frame.worst:
        frame.worst = value
        frame.refutation = node.replies[frame.reply_index]
    frame.reply_index += 1
    if frame.reply_index < frame.reply_count and frame.worst > max(frame.alpha, frame.best):
        return
    if frame.worst > frame.best:
        frame.best = frame.worst
        frame.best_move = node.moves[frame.move_index]
        frame.best_reply = frame.refutation
    frame.worst = INFINITE
    _move_refutation_to_front(node)
    frame.move_index += 1
    frame.reply_index = 0


@inlined
def _move_refutation_to_front(node: Node) -> None:
    """The reply that refuted this move is tried first against the next (killer heuristic)."""
    frame = node.frame[0]
    for at in range(1, frame.reply_count):
        if node.replies[at] == frame.refutation:
            for before in range(at, 0, -1):
                node.replies[before] = node.replies[before - 1]
            node.replies[0] = frame.refutation
            break
