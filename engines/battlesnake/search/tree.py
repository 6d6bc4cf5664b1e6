"""The walk through the tree, a turn at a time, and what else of it is asked from Python."""

from __future__ import annotations

from typing import Final

from numba import float64, int64
from numba.types import UniTuple

from engines.battlesnake.evaluation import PLY_COST, WIN_SCORE, evaluate
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn, restore_state
from engines.battlesnake.search.frame import (
    ALPHA,
    ANSWERS,
    AT_LEAST,
    AT_MOST,
    AT_REPLY,
    AT_WORD,
    BEST,
    BETA,
    BEYOND,
    COPIED,
    EXACT,
    FLAG,
    HIGH,
    KEY,
    LATE,
    LEAST,
    LEFT,
    LOW,
    PLAN,
    REPLY,
    SHORTER,
    TRIED,
    VALUE,
    WORD,
)
from engines.battlesnake.search.move_ordering import open_node
from engines.battlesnake.search.node import choose, receive, turns_less
from engines.battlesnake.search.zobrist import plain_key, quick_key
from engines.battlesnake.state import (
    STATE,
    STATE_STACK,
    Floats,
    Ints,
    State,
    StateStack,
    state_at,
)
from engines.battlesnake.territory.body_prefixes import enter
from engines.battlesnake.territory.context import FLOOD_CONTEXT, KEPT, FloodContext
from engines.core.jit import borrowed, fused, kernel

_SPREAD: Final = 0x9E3779B97F4A7
"""Odd, and large: one node has places far apart for different numbers of turns."""
_NODES = (int64[::1], int64[::1], int64[::1], float64[::1], int64[:, ::1])


@fused
def _place(key: int, left: int, exact: Ints) -> int:
    """Where the best pair of a node stands that was valued exactly with so many turns left."""
    return int((key + left * _SPREAD) & (exact.shape[0] - 1))


@fused
def _set_moves(control: Ints, moves: Ints, me: int, move: int, reply: int) -> None:
    """Fill in the word of every snake: yours, the one that deviates, and the habits of the others."""
    for i in range(moves.shape[0]):
        moves[i] = control[PLAN + i]
    if reply >= 4:
        moves[(reply >> 2) - 1] = reply & 3
    moves[me] = move


@kernel(
    UniTuple(int64, 2)(
        *(STATE_STACK, FLOOD_CONTEXT, *_NODES, int64, int64, int64, float64, int64, int64, int64),
        *(float64[::1], int64[:, ::1], float64[:, ::1], float64[:, :, ::1], float64[:, ::1], int64[:, ::1]),
        *(int64[:, :, ::1], int64[::1], int64[:, ::1], float64[::1]),
    )
)
def walk(
    stack: StateStack,
    context: FloodContext,
    numbers: Ints,
    keys: Ints,
    entries: Ints,
    values: Floats,
    exact: Ints,
    me: int,
    level: int,
    quota: int,
    draw: float,
    radius: int,
    matrix_plies: int,
    lmr: int,
    factors: Floats,
    controls: Ints,
    bounds: Floats,
    payoffs: Floats,
    tableau: Floats,
    names: Ints,
    history: Ints,
    moves: Ints,
    found: Ints,
    terms: Floats,
) -> tuple[int, int]:
    """Walk the tree from `level` on for up to `quota` turns; the level reached (-1: done) and the turns.

    The first five arrays hold a world for each level. When done, `bounds[0, VALUE]` is the value.
    """
    stack, context = borrowed(stack), borrowed(context)
    # Counting references to these for every helper would cost as much as the rest of a turn.
    numbers, history, moves, found, names = borrowed((numbers, history, moves, found, names))
    controls, bounds, payoffs, tableau = borrowed((controls, bounds, payoffs, tableau))
    factors, terms, exact = borrowed((factors, terms, exact))
    slots = keys.shape[0] - 1
    mark = numbers[numbers.shape[0] - 1]
    trailing = context.plan[KEPT] != 0
    played = 0
    while level >= 0:
        control, bound = controls[level], bounds[level]
        if choose(control, bound, payoffs[level], tableau, names):
            value = bound[VALUE]
            if level > 0:
                slot = control[KEY] & slots
                best = control[REPLY] * 4 + control[WORD]
                keys[slot] = control[KEY] ^ mark
                entries[slot] = (best << 16) | (control[LEFT] << 2) | control[FLAG]
                values[slot] = value
                if control[FLAG] == EXACT:
                    place = _place(control[KEY], control[LEFT], exact)
                    exact[place, 0] = control[KEY] ^ mark ^ control[LEFT]
                    exact[place, 1] = best
                gain = control[LEFT] * control[LEFT]
                if control[FLAG] != AT_MOST:
                    history[0, stack.snakes[level, me].head & INDEX_MASK, control[WORD]] += gain
                if control[FLAG] != AT_LEAST and control[REPLY] >= 4:
                    rival = (control[REPLY] >> 2) - 1
                    history[1, stack.snakes[level, rival].head & INDEX_MASK, control[REPLY] & 3] += gain
            level -= 1
            if level >= 0:
                receive(controls[level], bounds[level], payoffs[level], value)
            continue
        if played >= quota:
            break
        below = level + 1
        state, after = state_at(stack, level), state_at(stack, below)
        _set_moves(
            control, moves, me, control[TRIED + control[AT_WORD]], control[ANSWERS + control[AT_REPLY]]
        )
        if control[COPIED] == 0:
            control[COPIED] = 1
            copy_state(after, state)
        else:
            restore_state(after, state)
        play_turn(after, moves)
        if trailing:
            for i in range(after.snakes.shape[0]):
                if after.snakes[i].cause <= 0:
                    enter(after, context, i, numbers)
        played += 1
        if after.snakes[me].cause > 0:
            value = below * PLY_COST - WIN_SCORE - 1.0
            if after.totals[0].living == 0 and stack.rules[0].solo == 0:
                value = draw
        elif is_over(after):
            value = WIN_SCORE + 1.0 - below * PLY_COST
        else:
            left = control[LEFT] - 1
            less = turns_less(control, left, lmr)
            if less > 0:
                control[LATE] = SHORTER
                left -= less
            if left == 0:
                value = evaluate(after, context, me, factors, found, terms)
                receive(control, bound, payoffs[level], value)
                continue
            key = quick_key(after, context, numbers) if trailing else plain_key(after, context.meals, numbers)
            first = -1
            if keys[key & slots] == key ^ mark:
                entry = entries[key & slots]
                first = entry >> 16
                if (entry >> 2) & 0x3FFF == left:
                    value = values[key & slots]
                    flag = entry & 3
                    if (
                        flag == EXACT
                        or (flag == AT_LEAST and value >= bound[HIGH])
                        or (flag == AT_MOST and value <= bound[LOW])
                    ):
                        receive(control, bound, payoffs[level], value)
                        continue
            control = controls[below]
            control[KEY] = key
            control[LEFT] = left
            duel = after.totals[0].living == 2
            open_node(after, me, duel, radius, below > matrix_plies, control, history, first)
            bounds[below, ALPHA] = bound[LOW]
            bounds[below, BETA] = bound[HIGH]
            bounds[below, BEST] = -BEYOND
            bounds[below, LEAST] = BEYOND
            level = below
            continue
        receive(control, bound, payoffs[level], value)
    return level, played


@kernel(int64(STATE, int64[::1], *_NODES, int64, int64, int64, int64[::1], int64[:, :, ::1], int64[::1]))
def follow(
    state: State,
    meals: Ints,
    numbers: Ints,
    keys: Ints,
    entries: Ints,
    values: Floats,
    exact: Ints,
    me: int,
    radius: int,
    left: int,
    control: Ints,
    history: Ints,
    moves: Ints,
) -> int:
    """Play what was found to be best with so many turns left, for all; else what was last. Your word, or -1
    where nothing was found."""
    state = borrowed(state)
    key = plain_key(state, meals, numbers)
    mark = numbers[numbers.shape[0] - 1]
    place, slot = _place(key, left, exact), key & (keys.shape[0] - 1)
    if exact[place, 0] == key ^ mark ^ left:
        best = exact[place, 1]
    elif keys[slot] == key ^ mark:
        best = entries[slot] >> 16
    else:
        return -1
    open_node(state, me, state.totals[0].living == 2, radius, True, control, history, best)
    _set_moves(control, moves, me, best & 3, best >> 2)
    play_turn(state, moves)
    return int(best & 3)
