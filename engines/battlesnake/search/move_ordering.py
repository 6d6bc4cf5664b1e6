"""Which words and replies a node tries: first what was best there before, then what was best elsewhere."""

from __future__ import annotations

from typing import Final

from numba import int64, void

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.search.frame import (
    ANSWERS,
    AT_REPLY,
    AT_WORD,
    COPIED,
    HABIT,
    KIND,
    KNOWN,
    LATE,
    MATRIX,
    MINE,
    PAIRS,
    PHASE,
    PLAN,
    REPLIES,
    REPLY,
    ROW,
    SERIAL,
    THEIRS,
    TRIED,
    UNKNOWN,
    WORD,
)
from engines.battlesnake.state import STATE, Ints, State
from engines.core.jit import borrowed, fused, inline, kernel

_RIVALS: Final = 4
"""So many of the nearest may deviate."""


@fused
def _apart(state: State, i: int, j: int) -> int:
    """Steps between two heads, over no edge."""
    stride = state.rules[0].stride
    one, two = state.snakes[i].head, state.snakes[j].head
    return int(abs(one % stride - two % stride) + abs(one // stride - two // stride))


@inline
def _habit(state: State, i: int) -> int:
    """What a snake does that nobody watches: away from stronger heads, to food, to where it is open."""
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


@inline
def _last_word(state: State, i: int) -> int:
    """What a snake does that has nowhere to go: it stays on the board if it can, and as healthy as it can.

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


@fused
def open_node(
    state: State, me: int, duel: bool, radius: int, plain: bool, control: Ints, history: Ints, first: int
) -> None:
    """List the words and replies to try at a node, the likely best first; `first` is what was best before."""
    snakes, neighbours, occupancy = state.snakes, state.neighbours, state.occupancy
    head = snakes[me].head & INDEX_MASK
    count = 0
    for move in range(4):
        if occupancy[neighbours[head, move]] == 0:
            at = count
            value = history[0, head, move]
            if first >= 0 and first & 3 == move:
                value = 1 << 60
            while at > 0:
                other = control[TRIED + at - 1]
                if (first >= 0 and first & 3 == other) or history[0, head, other] >= value:
                    break
                control[TRIED + at] = other
                at -= 1
            control[TRIED + at] = move
            count += 1
    if count == 0:
        control[TRIED] = _last_word(state, me)
        count = 1
    control[MINE] = count
    count = 0
    if not duel:
        for i in range(snakes.shape[0]):
            if i != me and snakes[i].cause <= 0:
                control[PLAN + i] = _habit(state, i)
        control[ANSWERS] = HABIT
        count = 1
    for i in range(snakes.shape[0]):
        if i == me or snakes[i].cause > 0:
            continue
        if not duel:
            apart = _apart(state, me, i)
            if apart > radius:
                continue
            nearer = 0
            for j in range(snakes.shape[0]):
                if j != me and j != i and snakes[j].cause <= 0:
                    other = _apart(state, me, j)
                    nearer += other < apart or (other == apart and j < i)
            if nearer >= _RIVALS:
                continue
        place = snakes[i].head & INDEX_MASK
        tried = 0
        for move in range(4):
            if occupancy[neighbours[place, move]] != 0:
                continue
            tried += 1
            if not duel and move == control[PLAN + i]:
                continue
            if count < REPLIES:
                control[ANSWERS + count] = 4 * (1 + i) + move
                count += 1
        if duel and tried == 0:
            control[ANSWERS] = 4 * (1 + i) + _last_word(state, i)
            count = 1
    if count == 0:
        control[ANSWERS] = HABIT
        count = 1
    control[THEIRS] = count
    reply = first >> 2 if first >= 0 else -1
    for j in range(1, count):
        moved = control[ANSWERS + j]
        value = _liked(state, history, moved, reply)
        at = j
        while at > 0 and _liked(state, history, control[ANSWERS + at - 1], reply) < value:
            control[ANSWERS + at] = control[ANSWERS + at - 1]
            at -= 1
        control[ANSWERS + at] = moved
    control[KIND] = SERIAL
    if duel and not plain and control[MINE] > 1 and count > 1:
        for i in range(control[MINE]):
            for j in range(count):
                answer = control[ANSWERS + j]
                rival = snakes[(answer >> 2) - 1].head & INDEX_MASK
                if neighbours[head, control[TRIED + i]] == neighbours[rival, answer & 3]:
                    control[KIND] = MATRIX
    control[PHASE] = 0
    control[COPIED] = 0
    control[LATE] = 0
    control[AT_WORD] = 0
    control[AT_REPLY] = 0
    control[ROW] = control[ANSWERS]
    control[WORD] = control[TRIED]
    control[REPLY] = control[ANSWERS]
    if control[KIND] == MATRIX:
        for entry in range(PAIRS):
            control[KNOWN + entry] = UNKNOWN


@fused
def _liked(state: State, history: Ints, answer: int, reply: int) -> int:
    if answer == reply:
        return 1 << 60
    if answer == HABIT:
        return 1 << 30
    return int(history[1, state.snakes[(answer >> 2) - 1].head & INDEX_MASK, answer & 3])


@kernel(void(STATE, int64, int64, int64[::1], int64[:, :, ::1]))
def list_words(
    state: State,
    me: int,
    radius: int,
    control: Ints,
    history: Ints,
) -> None:
    """Fill a row of controls with the words and replies of a node."""
    state = borrowed(state)
    open_node(state, me, state.totals[0].living == 2, radius, True, control, history, -1)
