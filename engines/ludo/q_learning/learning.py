"""Q-learning in whole games, compiled: rewards, and the updates of a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below, unit
from engines.ludo.evaluation.rule_evaluation import threatened
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.q_learning.abstractions import (
    BOOST,
    IN_GOAL,
    KILL,
    NEUTRAL,
    RISK,
    SAFETY,
    context_of,
    potential,
    secure,
)
from engines.ludo.q_learning.table import COMPONENTS, Rows, order_pieces, state_index
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

REWARD_KINDS = ("potential", "events", "lead")
"""What is rewarded: what the tuple promises of the move, what comes of it, or the change of the lead."""
BY_POTENTIAL, BY_EVENTS, BY_LEAD = range(len(REWARD_KINDS))

# Base rewards by potential (none, neutral, risk, boost, safety, kill, goal) and their scale by context.
# The blunder of the documents (-10) is taken to be the landing under threat.
REWARDS = np.array([0.0, 1.0, -10.0, 10.0, 15.0, 50.0, 100.0])
SCALES = np.ones((3, 7))
SCALES[0, [RISK, BOOST, SAFETY, KILL, IN_GOAL]] = (0.5, 1.2, 0.8, 1.5, 0.5)
SCALES[2, [RISK, SAFETY, KILL]] = (1.5, 2.0, 0.8)
SENT_HOME = -20.0
LEAVE_HOME = 12.0


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
def event_reward(
    before: Board, board: Board, seat: int, piece: int, dice: int, taken: int, refused: bool
) -> float:
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
def update(
    table: Rows, visits: NDArray[np.int32], state: int, place: int, target: float, rate: float, least: float
) -> None:
    """Take a value a step towards what it should have been."""
    visits[state, place] += 1
    step_size = max(least, min(rate, 1.0 / visits[state, place]))
    table[state, place] += np.float32(step_size * (target - table[state, place]))


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
                order_pieces(board, seat, from_front, order)
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
                        update(table, visits, states[seat], places[seat], target, rate, least_rate)
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
                    rewards[seat] = scale * event_reward(scratch, board, seat, piece, dice, taken, refused)
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
                        update(table, visits, states[other], places[other], rewards[other], rate, least_rate)
                break
            seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
    return won, decisions
