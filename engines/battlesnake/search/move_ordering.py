"""Which moves and replies a node tries, in which order: the table's, then by the history heuristic.

In a duel the replies are the rival's moves. With more rivals they are the default (every rival plays by the
default policy), and that one of the nearer rivals deviates from it.
"""

from __future__ import annotations

from typing import Final

from numba import void

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.search.context import SEARCH_CONTEXT, SearchContext
from engines.battlesnake.search.frame import (
    DEFAULT_REPLY,
    FAIL_LOW_PROBE,
    FULL_DEPTH,
    INFINITE,
    MATRIX,
    MAX_REPLIES,
    SEARCH_STACK,
    SERIAL,
    UNKNOWN,
    Node,
    SearchStack,
    node_at,
)
from engines.battlesnake.state import STATE, Ints, State
from engines.core.jit import borrowed, compiled, inlined, kernel

MAX_RIVALS: Final = 4
"""So many of the nearest may deviate."""
_NONE: Final = -1
"""Instead of a move or reply from the table."""
_FIRST: Final = 1 << 60
_DEFAULT_FIRST: Final = 1 << 30
"""More than any history: the table's choice comes first, then the default reply."""


@inlined
def open_node(
    state: State, node: Node, context: SearchContext, hash_move: int, hash_reply: int, serial: bool
) -> None:
    """List a node's moves and replies, `hash_move` and `hash_reply` (-1: none) first, and point the frame at
    the first pair. The caller sets key, depth and window.

    A duel's node is a MATRIX node where heads can meet, unless it is to be `serial`.
    """
    frame = node.frame[0]
    duel = state.totals[0].living == 2
    frame.move_count = _list_moves(state, node, context, hash_move)
    frame.reply_count = (
        _list_duel_replies(state, node, context.me) if duel else _list_replies(state, node, context)
    )
    _order_replies(state, node, context.history, hash_reply)
    frame.kind = SERIAL
    if duel and not serial and _heads_can_meet(state, node, context.me):
        frame.kind = MATRIX
        for i in range(node.known.shape[0]):
            for j in range(node.known.shape[1]):
                node.known[i, j] = UNKNOWN
    frame.phase = FAIL_LOW_PROBE
    frame.state_copied = 0
    frame.reduction = FULL_DEPTH
    frame.move_index = 0
    frame.reply_index = 0
    frame.refutation = node.replies[0]
    frame.best_move = node.moves[0]
    frame.best_reply = node.replies[0]


@inlined
def _list_moves(state: State, node: Node, context: SearchContext, hash_move: int) -> int:
    """Your moves that run into nothing, in order; how many."""
    history = context.history
    head = state.snakes[context.me].head & INDEX_MASK
    count = 0
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] != 0:
            continue
        value = _FIRST if move == hash_move else history[0, head, move]
        at = count
        while at > 0:
            other = node.moves[at - 1]
            if other == hash_move or history[0, head, other] >= value:
                break
            node.moves[at] = other
            at -= 1
        node.moves[at] = move
        count += 1
    if count == 0:
        node.moves[0] = _move_when_trapped(state, context.me)
        count = 1
    return count


@inlined
def _list_duel_replies(state: State, node: Node, me: int) -> int:
    """The moves of the only rival that run into nothing; how many."""
    count = 0
    for i in range(state.snakes.shape[0]):
        if i == me or state.snakes[i].cause > 0:
            continue
        head = state.snakes[i].head & INDEX_MASK
        for move in range(4):
            if state.occupancy[state.neighbours[head, move]] == 0:
                node.replies[count] = 4 * (1 + i) + move
                count += 1
        if count == 0:
            node.replies[0] = 4 * (1 + i) + _move_when_trapped(state, i)
            count = 1
    return count


@inlined
def _list_replies(state: State, node: Node, context: SearchContext) -> int:
    """The default reply, and the other moves of each rival that may deviate; how many."""
    for i in range(state.snakes.shape[0]):
        if i != context.me and state.snakes[i].cause <= 0:
            node.default_moves[i] = _default_policy(state, i)
    node.replies[0] = DEFAULT_REPLY
    count = 1
    for i in range(state.snakes.shape[0]):
        if i == context.me or state.snakes[i].cause > 0 or not _may_deviate(state, context, i):
            continue
        head = state.snakes[i].head & INDEX_MASK
        for move in range(4):
            if state.occupancy[state.neighbours[head, move]] != 0 or move == node.default_moves[i]:
                continue
            if count < MAX_REPLIES:
                node.replies[count] = 4 * (1 + i) + move
                count += 1
    return count


@inlined
def _may_deviate(state: State, context: SearchContext, i: int) -> bool:
    """Is a rival within the radius, and among the MAX_RIVALS nearest? Of equals the earlier one is nearer."""
    distance = _head_distance(state, context.me, i)
    if distance > context.radius:
        return False
    nearer = 0
    for j in range(state.snakes.shape[0]):
        if j != context.me and j != i and state.snakes[j].cause <= 0:
            other = _head_distance(state, context.me, j)
            nearer += other < distance or (other == distance and j < i)
    return bool(nearer < MAX_RIVALS)


@inlined
def _head_distance(state: State, i: int, j: int) -> int:
    """Manhattan distance of two heads, as if the board had no wrapped edges."""
    stride = state.rules[0].stride
    one, two = state.snakes[i].head, state.snakes[j].head
    return int(abs(one % stride - two % stride) + abs(one // stride - two // stride))


@inlined
def _order_replies(state: State, node: Node, history: Ints, hash_reply: int) -> None:
    """Sort by insertion: stable, and there are few."""
    for j in range(1, node.frame[0].reply_count):
        reply = node.replies[j]
        priority = _reply_priority(state, history, reply, hash_reply)
        at = j
        while at > 0 and _reply_priority(state, history, node.replies[at - 1], hash_reply) < priority:
            node.replies[at] = node.replies[at - 1]
            at -= 1
        node.replies[at] = reply


@inlined
def _reply_priority(state: State, history: Ints, reply: int, hash_reply: int) -> int:
    if reply == hash_reply:
        return _FIRST
    if reply == DEFAULT_REPLY:
        return _DEFAULT_FIRST
    return int(history[1, state.snakes[(reply >> 2) - 1].head & INDEX_MASK, reply & 3])


@inlined
def _heads_can_meet(state: State, node: Node, me: int) -> bool:
    """In a duel: do a move and a reply lead to the same cell, where neither side is forced?"""
    frame, neighbours = node.frame[0], state.neighbours
    if frame.move_count == 1 or frame.reply_count == 1:
        return False
    head = state.snakes[me].head & INDEX_MASK
    for i in range(frame.move_count):
        for j in range(frame.reply_count):
            reply = node.replies[j]
            rival = state.snakes[(reply >> 2) - 1].head & INDEX_MASK
            if neighbours[head, node.moves[i]] == neighbours[rival, reply & 3]:
                return True
    return False


@compiled
def _default_policy(state: State, i: int) -> int:
    """What a snake plays that nobody searches: away from heads of its length or longer, to food, to where it
    is open.

    Its figures are by hand, untested: such a head counts for more than food does even to the hungry, a hazard
    for more than two open neighbours.
    """
    head = state.snakes[i].head & INDEX_MASK
    best = 0
    most = -1_000
    for move in range(4):
        cell = state.neighbours[head, move] & INDEX_MASK
        if state.occupancy[cell] != 0:
            continue
        score = 0
        for beyond in range(4):
            neighbour = state.neighbours[cell, beyond] & INDEX_MASK
            if state.occupancy[neighbour] == 0:
                score += 2
            for j in range(state.snakes.shape[0]):
                if (
                    j != i
                    and state.snakes[j].cause <= 0
                    and state.snakes[j].head == neighbour
                    and state.snakes[j].length >= state.snakes[i].length
                ):
                    score -= 12
        if state.food[cell] != 0:
            score += 3 if state.snakes[i].health > 40 else 9
        elif state.hazard_layers[cell] > 0:
            score -= 5
        if score > most:
            best, most = move, score
    return best


@compiled
def _move_when_trapped(state: State, i: int) -> int:
    """What a snake plays that can only run into something: it stays on the board if it can, and as healthy
    as it can.

    Who dies of the wall or of hunger is off the board before any head comes to its body.
    """
    head = state.snakes[i].head & INDEX_MASK
    best = 0
    most = -1_000_000_000
    for move in range(4):
        cell = state.neighbours[head, move] & INDEX_MASK
        if state.hazard_layers[cell] < 0:
            continue
        score = 0
        if state.food[cell] == 0:
            score = -1 - state.hazard_layers[cell] * state.rules[0].damage
        if score > most:
            best, most = move, score
    return best


@kernel(void(STATE, SEARCH_STACK, SEARCH_CONTEXT))
def open_root(state: State, stack: SearchStack, context: SearchContext) -> None:
    """List the moves and replies of a serial node at ply 0 of the stack."""
    state, stack, context = borrowed(state), borrowed(stack), borrowed(context)
    node = node_at(stack, 0)
    open_node(state, node, context, _NONE, _NONE, True)
    node.frame[0].best = -INFINITE
    node.frame[0].worst = INFINITE
