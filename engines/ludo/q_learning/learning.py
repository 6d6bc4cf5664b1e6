"""Tabular Q-learning over an abstraction, compiled: one value a piece in every state.

A table is the indices of the states that were learnt, rising, and rows of four values: of `potential9`
one for every index (dense), of the others one for each of those states (sparse). Training works on the
whole table at once. With `from_front` the pieces are numbered from the front instead of by their index,
which folds equal situations together and lets the tuple tell more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below, unit
from engines.ludo.evaluation.rule_evaluation import threatened
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.q_learning.abstractions import (
    BOOST,
    COMBINED17,
    IN_GOAL,
    KILL,
    NEUTRAL,
    POTENTIAL9,
    RISK,
    SAFETY,
    ZONE12,
    Values,
    context_of,
    index_combined17,
    index_potential9,
    index_zone12,
    observe_combined17,
    observe_potential9,
    observe_zone12,
    potential,
    secure,
)
from engines.ludo.rules import (
    CORRIDOR,
    COUNT,
    NEXT_STAR,
    NTH,
    Board,
    all_on,
    can_move,
    move,
    next_turn,
)
from engines.ludo.simulation.games import random_piece

VIEWS = (POTENTIAL9.name, ZONE12.name, COMBINED17.name)
DENSE = VIEWS.index(POTENTIAL9.name)
"""The view whose tables have a row for every index."""
COMPONENTS = 17
REWARDED = ("potential", "events", "lead")
"""What is rewarded: what the tuple promises of the move, what comes of it, or the change of the lead."""
BY_POTENTIAL, BY_EVENTS, BY_LEAD = range(len(REWARDED))

Keys = NDArray[np.int64]
Rows = NDArray[np.float32]
"""[states or indices, 4]"""

# Base rewards by potential (none, neutral, risk, boost, safety, kill, goal) and their scale by context.
# The blunder of the documents (-10) is taken to be the landing under threat.
REWARDS = np.array([0.0, 1.0, -10.0, 10.0, 15.0, 50.0, 100.0])
SCALES = np.ones((3, 7))
SCALES[0, [RISK, BOOST, SAFETY, KILL, IN_GOAL]] = (0.5, 1.2, 0.8, 1.5, 0.5)
SCALES[2, [RISK, SAFETY, KILL]] = (1.5, 2.0, 0.8)
SENT_HOME = -20.0
LEAVE_HOME = 12.0


@inline
def number_pieces(board: Board, seat: int, from_front: bool, order: Values) -> None:
    """order[n]: the piece that the table calls n."""
    for piece in range(PIECES):
        order[piece] = piece
    if from_front:
        for place in range(1, PIECES):
            piece = order[place]
            at = place
            while at > 0 and board[seat, order[at - 1]] < board[seat, piece]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = piece


@inline
def state_index(
    view: int, board: Board, seat: int, dice: int, order: Values, seen: Board, values: Values
) -> int:
    """The index of what the view shows, the pieces taken in `order`."""
    seen[:] = board
    for piece in range(PIECES):
        seen[seat, piece] = board[seat, order[piece]]
    if view == 0:
        observe_potential9(seen, seat, dice, values[:9])
        return int(index_potential9(values[:9]))
    if view == 1:
        observe_zone12(seen, seat, dice, values[:12])
        return int(index_zone12(values[:12]))
    observe_combined17(seen, seat, dice, values)
    return int(index_combined17(values))


@inline
def find(view: int, keys: Keys, index: int) -> int:
    """The row of a state; -1 where the table has none."""
    if view == DENSE:
        return index
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < index:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == index else -1


@inline
def table_piece(
    view: int, from_front: bool, keys: Keys, rows: Rows, board: Board, seat: int, dice: int, rng: State,
    order: Values, seen: Board, values: Values,
) -> int:  # fmt: skip
    """The movable piece of the highest value, ties drawn; -1 where none can move."""
    number_pieces(board, seat, from_front, order)
    row = find(view, keys, state_index(view, board, seat, dice, order, seen, values))
    best = 0
    top = 0.0
    for place in range(PIECES):
        piece = order[place]
        if can_move(board[seat, piece], dice):
            value = float(rows[row, place]) if row >= 0 else 0.0
            if best == 0 or value > top:
                best = 0
                top = value
            if value == top:
                best |= 1 << piece
    return int(NTH[best, below(rng, COUNT[best])]) if best else -1


@kernel("int64(int64, boolean, int64[:, ::1], int64, int64, int64[::1])")
def observe(view: int, from_front: bool, board: Board, seat: int, dice: int, order: Values) -> int:
    """The index of the state that the table looks up, and how it numbers the pieces (in `order`)."""
    number_pieces(board, seat, from_front, order)
    seen = np.empty_like(board)
    values = np.zeros(COMPONENTS, np.int64)
    return int(state_index(view, board, seat, dice, order, seen, values))


@inline
def lead(board: Board, ghosts: int, seat: int) -> float:
    """Squares ahead of the others' mean, each piece on the board counting LEAVE_HOME more."""
    own = 0.0
    others = 0.0
    count = 0
    for other in range(SEATS):
        if (ghosts >> other) & 1:
            continue
        worth = 0.0
        for piece in range(PIECES):
            square = board[other, piece]
            worth += 0.0 if square == HOME else square + LEAVE_HOME
        if other == seat:
            own = worth
        else:
            others += worth
            count += 1
    return own - others / max(count, 1)


@inline
def count_home(board: Board, seat: int) -> int:
    """How many pieces of a seat are at home."""
    count = 0
    for piece in range(PIECES):
        count += board[seat, piece] == HOME
    return count


@inline
def earned(before: Board, board: Board, seat: int, piece: int, dice: int, taken: int, refused: bool) -> float:
    """The base rewards of all that came of a move, added up; `neutral` where that makes nothing."""
    old = before[seat, piece]
    new = board[seat, piece]
    total = REWARDS[KILL] * taken
    if not refused:
        if new == GOAL and old != GOAL:
            total += REWARDS[IN_GOAL]
        if secure(new) and not secure(old):
            total += REWARDS[SAFETY]
        if old != HOME and old < CORRIDOR and NEXT_STAR[old + dice] > 0:
            total += REWARDS[BOOST]
        if threatened(board, seat, new):
            total += REWARDS[RISK]
    if total == 0.0:
        total = REWARDS[NEUTRAL]
    return float(total + (SENT_HOME if refused else 0.0))


@inline
def correct(
    table: Rows, visits: NDArray[np.int32], state: int, place: int, target: float, rate: float, least: float
) -> None:
    """Take a value a step towards what it should have been."""
    visits[state, place] += 1
    pace = max(least, min(rate, 1.0 / visits[state, place]))
    table[state, place] += np.float32(pace * (target - table[state, place]))


@kernel(
    "Tuple((int64, int64))(int64, int64, boolean, int64, boolean, boolean, boolean, float32[:, ::1], "
    "int32[:, ::1], int64, float64, float64, float64, float64, float64, float64, int64[::1], int64)"
)
def learn_games(
    games: int,
    view: int,
    from_front: bool,
    rewarded: int,
    ties_first: bool,
    rotate: bool,
    everyone: bool,
    table: Rows,
    visits: NDArray[np.int32],
    ghosts: int,
    rate: float,
    least_rate: float,
    discount: float,
    explore: float,
    explore_decay: float,
    explore_floor: float,
    rng: State,
    first: int,
) -> tuple[int, int]:
    """Games of one learner against random players: games won, and decisions. `first` games came before.

    With `everyone` the same table plays and learns on all seats instead. `rewarded` is one of `REWARDED`.
    Of equal values the learner tries the first (`ties_first`) or draws one. The rate of a value is 1 over
    its visits, `rate` at most and `least_rate` at least.
    """
    board = np.empty((SEATS, PIECES), np.int64)
    seen = np.empty_like(board)
    scratch = np.empty_like(board)
    order = np.empty(PIECES, np.int64)
    values = np.zeros(COMPONENTS, np.int64)
    # Of each seat's last decision: state (-1: none yet), place of the piece, reward since, lead before.
    states = np.empty(SEATS, np.int64)
    places = np.zeros(SEATS, np.int64)
    rewards = np.zeros(SEATS)
    leads = np.zeros(SEATS)
    homes = np.zeros(SEATS, np.int64)
    scale = 1.0
    won = 0
    decisions = 0
    learner = 0
    for game in range(games):
        epsilon = max(explore_floor, explore * explore_decay ** (first + game))
        board[:] = HOME
        seat, round_, attempts = 0, 1, 0
        if rotate:
            learner = (first + game) & 3
            while (ghosts >> learner) & 1:
                learner = (learner + 1) & 3
        states[:] = -1
        while True:
            dice = 1 + below(rng, SIX)
            ours = everyone or seat == learner
            piece = -1
            if ours:
                number_pieces(board, seat, from_front, order)
                movable = 0
                for place in range(PIECES):
                    movable |= int(can_move(board[seat, order[place]], dice)) << place
                if movable:
                    decisions += 1
                    index = state_index(view, board, seat, dice, order, seen, values)
                    top = -1e30
                    best = 0
                    for place in range(PIECES):
                        if (movable >> place) & 1:
                            value = table[index, place]
                            if value > top:
                                top = value
                                best = 0
                            if value == top:
                                best |= 1 << place
                    if states[seat] >= 0:
                        if rewarded == BY_LEAD:
                            rewards[seat] = lead(board, ghosts, seat) - leads[seat]
                        target = rewards[seat] + discount * top
                        correct(table, visits, states[seat], places[seat], target, rate, least_rate)
                    if unit(rng) < epsilon:
                        best = movable
                    elif ties_first:
                        best &= -best
                    place = int(NTH[best, below(rng, COUNT[best])])
                    states[seat], places[seat] = index, place
                    piece = order[place]
                    rewards[seat] = 0.0
                    if rewarded == BY_LEAD:
                        leads[seat] = lead(board, ghosts, seat)
                    else:
                        kind = potential(board, seat, dice, piece, scratch)
                        scale = SCALES[context_of(board, seat), kind]
                        rewards[seat] = REWARDS[kind] * scale
            else:
                piece = random_piece(board, seat, dice, rng)
            over = False
            if piece >= 0:
                for other in range(SEATS):
                    homes[other] = count_home(board, other)
                scratch[:] = board
                taken, refused = move(board, seat, piece, dice)
                for other in range(SEATS):
                    if other != seat:
                        rewards[other] += SENT_HOME * (count_home(board, other) - homes[other])
                if ours and rewarded == BY_EVENTS:
                    rewards[seat] = scale * earned(scratch, board, seat, piece, dice, taken, refused)
                elif ours and refused:
                    rewards[seat] += SENT_HOME
                over = all_on(board, seat, GOAL)
            if over:
                won += seat == learner
                for other in range(SEATS):
                    if states[other] >= 0:
                        if rewarded == BY_LEAD:
                            rewards[other] = lead(board, ghosts, other) - leads[other]
                            rewards[other] += 50.0 if other == seat else -50.0
                        correct(table, visits, states[other], places[other], rewards[other], rate, least_rate)
                break
            seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
    return won, decisions
