"""The search itself: alpha-beta over pairs of moves, on an explicit stack, a number of nodes at a time.

The stack is explicit so that a search can stop after any node and go on from there. `deepening` calls
`search_nodes` for one pair of moves at the root after the other, and `extend_pv` for what it found.
"""

from __future__ import annotations

from typing import Any

from numba import int64
from numba.types import Tuple, UniTuple

from engines.battlesnake.evaluation import PLY_COST, WIN_SCORE, evaluate
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn, restore_state
from engines.battlesnake.search.context import SEARCH_CONTEXT, SearchContext
from engines.battlesnake.search.frame import (
    INFINITE,
    LOWER,
    REDUCED,
    SEARCH_STACK,
    UPPER,
    Node,
    SearchStack,
    node_at,
)
from engines.battlesnake.search.move_ordering import open_node
from engines.battlesnake.search.node import RESOLVED, back_up, reduction_of, select_child
from engines.battlesnake.search.transposition import (
    TRANSPOSITION_TABLE,
    TranspositionTable,
    cuts_off,
    pv_slot_of,
    slot_of,
    store,
)
from engines.battlesnake.search.zobrist import zobrist_key, zobrist_key_from_prefixes
from engines.battlesnake.state import STATE, STATE_STACK, Ints, State, StateStack, state_at
from engines.battlesnake.territory.body_prefixes import extend_prefix
from engines.battlesnake.territory.context import FLOOD_CONTEXT, FloodContext
from engines.core.jit import borrowed, inlined, inlined_once, kernel


@inlined
def _set_joint_move(node: Node, context: SearchContext, move: int, reply: int) -> None:
    """Yours, the reply's, and the default moves of all others."""
    joint_move = context.joint_move
    for i in range(joint_move.shape[0]):
        joint_move[i] = node.default_moves[i]
    if reply >= 4:
        joint_move[(reply >> 2) - 1] = reply & 3
    joint_move[context.me] = move


@inlined
def _make_moves(
    states: StateStack, flood: FloodContext, node: Node, context: SearchContext, ply: int
) -> State:
    """Play the node's present pair from its state; the state of the next ply."""
    frame = node.frame[0]
    state, child = state_at(states, ply), state_at(states, ply + 1)
    _set_joint_move(node, context, node.moves[frame.move_index], node.replies[frame.reply_index])
    if frame.state_copied == 0:
        frame.state_copied = 1
        copy_state(child, state)
    else:
        restore_state(child, state)
    play_turn(child, context.joint_move)
    if flood.grid[0].incremental != 0:
        for i in range(child.snakes.shape[0]):
            if child.snakes[i].cause <= 0:
                extend_prefix(child, flood, i, context.zobrist)
    return child


@inlined
def _terminal_value(state: State, context: SearchContext, ply: int) -> float:
    """Of a game that is over, for you at least: by `PLY_COST`, plies being counted from the root."""
    if state.snakes[context.me].cause <= 0:
        return WIN_SCORE + 1.0 - ply * PLY_COST
    if state.totals[0].living == 0 and state.rules[0].solo == 0:
        return context.draw
    return ply * PLY_COST - WIN_SCORE - 1.0


@inlined
def _child_depth(node: Node, lmr: int) -> int:
    """Plies from the present child to the leaves, reduced where it is late."""
    depth = node.frame[0].depth - 1
    reduction = reduction_of(node, depth, lmr)
    if reduction > 0:
        node.frame[0].reduction = REDUCED
    return int(depth - reduction)


@inlined_once
def _enter_child(
    state: State,
    flood: FloodContext,
    stack: SearchStack,
    table: TranspositionTable,
    context: SearchContext,
    ply: int,
    depth: int,
) -> int:
    """Open a frame for the child, unless the table has its value; the ply to go on from."""
    node = node_at(stack, ply)
    alpha, beta = node.frame[0].child_alpha, node.frame[0].child_beta
    if flood.grid[0].incremental != 0:
        key = zobrist_key_from_prefixes(state, flood, context.zobrist)
    else:
        key = zobrist_key(state, flood.root_food, context.zobrist)
    hash_move = hash_reply = -1
    entry = table.entries[slot_of(table, key)]
    if entry.key == key ^ table.salt:
        if cuts_off(entry, depth, alpha, beta):
            back_up(node, entry.value)
            return ply
        hash_move, hash_reply = entry.move, entry.reply
    ply += 1
    child = node_at(stack, ply)
    open_node(state, child, context, hash_move, hash_reply, ply > context.matrix_plies)
    frame = child.frame[0]
    frame.key = key
    frame.depth = depth
    frame.alpha = alpha
    frame.beta = beta
    frame.best = -INFINITE
    frame.worst = INFINITE
    return ply


@inlined
def _reward_history(history: Ints, states: StateStack, me: int, node: Node, ply: int) -> None:
    """Count a resolved node's best move and reply, where they are known to be good."""
    frame = node.frame[0]
    gain = frame.depth * frame.depth
    if frame.bound != UPPER:
        history[0, states.snakes[ply, me].head & INDEX_MASK, frame.best_move] += gain
    if frame.bound != LOWER and frame.best_reply >= 4:
        rival = (frame.best_reply >> 2) - 1
        history[1, states.snakes[ply, rival].head & INDEX_MASK, frame.best_reply & 3] += gain


@inlined_once
def _search_nodes(
    states: StateStack,
    flood: FloodContext,
    stack: SearchStack,
    table: TranspositionTable,
    context: SearchContext,
    ply: int,
    quota: int,
) -> tuple[int, int]:
    nodes = 0
    while ply >= 0:
        node = node_at(stack, ply)
        if select_child(node, context.tableau, context.basis) == RESOLVED:
            if ply > 0:
                store(table, node.frame[0])
                _reward_history(context.history, states, context.me, node, ply)
            ply -= 1
            if ply >= 0:
                back_up(node_at(stack, ply), node.frame[0].value)
            continue
        if nodes >= quota:
            break
        nodes += 1
        child = _make_moves(states, flood, node, context, ply)
        if child.snakes[context.me].cause > 0 or is_over(child):
            back_up(node, _terminal_value(child, context, ply + 1))
            continue
        depth = _child_depth(node, context.lmr)
        if depth == 0:
            value = evaluate(child, flood, context.me, context.weights, context.territory, context.terms)
            back_up(node, value)
            continue
        ply = _enter_child(child, flood, stack, table, context, ply, depth)
    return ply, nodes


def _plain(named: Any) -> Any:
    return Tuple(tuple(named.types))


@kernel(
    UniTuple(int64, 2)(
        *(_plain(STATE_STACK), _plain(FLOOD_CONTEXT), _plain(SEARCH_STACK)),
        *(_plain(TRANSPOSITION_TABLE), _plain(SEARCH_CONTEXT), int64, int64),
    )
)
def search_nodes(
    states: tuple[Any, ...],
    flood: tuple[Any, ...],
    stack: tuple[Any, ...],
    table: tuple[Any, ...],
    context: tuple[Any, ...],
    ply: int,
    quota: int,
) -> tuple[int, int]:
    """Search on from `ply` for up to `quota` nodes; the ply reached and the nodes searched.

    `states` holds the state of each node from the root to `ply`. Ply -1: done, the root's frame is resolved.

    It takes the fields of its tuples as plain ones: named ones cost a call 3 us more, and there is a call for
    each root pair.
    """
    return _search_nodes(
        borrowed(StateStack(*states)),
        borrowed(FloodContext(*flood)),
        borrowed(SearchStack(*stack)),
        borrowed(TranspositionTable(*table)),
        borrowed(SearchContext(*context)),
        ply,
        quota,
    )


@kernel(
    int64(
        *(STATE, int64[::1], _plain(SEARCH_STACK), _plain(TRANSPOSITION_TABLE), _plain(SEARCH_CONTEXT)),
        int64,
    )
)
def extend_pv(
    state: State,
    food_cells: Ints,
    stack_fields: tuple[Any, ...],
    table_fields: tuple[Any, ...],
    context_fields: tuple[Any, ...],
    depth: int,
) -> int:
    """Play, in place, the pair that was best in this state when searched `depth` plies deep, else at whatever
    depth it was searched last. Your move, or -1 where the tables have nothing. Ply 0 of the stack is scratch.

    May leave the line that the value comes from where the tables were overwritten.
    """
    state, stack = borrowed(state), borrowed(SearchStack(*stack_fields))
    table = borrowed(TranspositionTable(*table_fields))
    context = borrowed(SearchContext(*context_fields))
    key = zobrist_key(state, food_cells, context.zobrist)
    best, entry = table.pv[pv_slot_of(table, key, depth)], table.entries[slot_of(table, key)]
    if best.key == key ^ table.salt ^ depth:
        move, reply = int(best.move), int(best.reply)
    elif entry.key == key ^ table.salt:
        move, reply = int(entry.move), int(entry.reply)
    else:
        return -1
    node = node_at(stack, 0)
    open_node(state, node, context, move, reply, True)  # for the default moves
    _set_joint_move(node, context, move, reply)
    play_turn(state, context.joint_move)
    return move
