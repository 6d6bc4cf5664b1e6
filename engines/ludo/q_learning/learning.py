"""Q-learning in whole games, compiled: rewards, and the updates of a table."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import borrowed, compiled, inlined, inlined_once, kernel
from engines.core.rng import Rng, below, unit
from engines.ludo.evaluation.rule_evaluation import threatened
from engines.ludo.memory import keep_alive
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
from engines.ludo.q_learning.table import Rows, StateScratch, order_pieces, state_index, state_scratch
from engines.ludo.rules import (
    CORRIDOR,
    COUNT,
    NEXT_STAR,
    NTH,
    Board,
    Turn,
    all_on,
    can_move,
    copy_board,
    move,
    next_turn,
)
from engines.ludo.simulation.games import random_piece

REWARD_KINDS = ("potential", "events", "lead")
"""What is rewarded: the document's amount for the move's potential, for all events of the move, or the change
of the lead in squares."""
BY_POTENTIAL, BY_EVENTS, BY_LEAD = range(len(REWARD_KINDS))

# Base rewards by potential (none, neutral, risk, boost, safety, kill, goal) and their scale by context.
# The blunder of the documents (-10) is taken to be the landing under threat.
REWARDS = np.array([0.0, 1.0, -10.0, 10.0, 15.0, 50.0, 100.0])
SCALES = np.ones((3, 7))
SCALES[0, [RISK, BOOST, SAFETY, KILL, IN_GOAL]] = (0.5, 1.2, 0.8, 1.5, 0.5)
SCALES[2, [RISK, SAFETY, KILL]] = (1.5, 2.0, 0.8)
SENT_HOME = -20.0
LEAVE_HOME = 12.0
WIN = 50.0
"""What the end of a game adds to the change of the lead, or takes from it."""


class LearningSettings(NamedTuple):
    """Everything that decides a table, the seed and the number of games aside."""

    abstraction: int
    """Index into VIEWS."""
    from_front: bool
    reward: int
    """Index into REWARD_KINDS."""
    ties_first: bool
    """Of equal values the learner tries the first, instead of drawing one."""
    rotate: bool
    """The learner's seat moves on with each game."""
    every_seat: bool
    """The same table plays and learns on all seats, instead of one learner against random players."""
    ghosts: int
    """The empty seats, a bit mask."""
    rate: float
    least_rate: float
    """Step size of a value: 1 / visits, clamped to least_rate..rate."""
    discount: float
    """Gamma, from one own decision to the next."""
    explore: float
    explore_decay: float
    explore_floor: float
    """Epsilon of game n: max(explore_floor, explore * explore_decay**n)."""


class Learner(NamedTuple):
    """A table while it is learnt, dense for every abstraction."""

    values: Rows
    visits: NDArray[np.int32]
    """[index, place]: how often each value was updated."""


_SETTINGS = numba.typeof(
    LearningSettings(0, False, 0, False, False, False, 0, 0.1, 0.1, 0.9, 0.1, 0.9995, 0.01)
)
_LEARNER = types.NamedTuple((types.float32[:, ::1], types.int32[:, ::1]), Learner)

DECISION = np.dtype(
    [
        ("state", np.int64),  # -1 before the first decision of a game
        ("place", np.int64),  # of the piece, in the order of the state
        ("reward", np.float64),  # since then
        ("scale", np.float64),  # of its rewards, by the context and the potential of the piece
        ("lead", np.float64),  # before it, where the change of the lead is rewarded
    ]
)
"""The last decision of a seat."""


class LearningScratch(NamedTuple):
    """Memory of a game that is learnt from."""

    state: StateScratch
    board: Board
    """The board before the move."""
    homes: NDArray[np.int64]
    """[seat]: pieces at home before the move."""
    decisions: NDArray[np.void]
    """[seat]: a DECISION."""


@compiled
def lead(board: Board, ghosts: int, seat: int) -> float:
    """Squares: the seat's progress minus the mean of the others'.

    Each piece out of home counts LEAVE_HOME more.
    """
    own = 0.0
    others = 0.0
    count = 0
    for other in range(SEATS):
        if (ghosts >> other) & 1:
            continue
        squares = 0.0
        for piece in range(PIECES):
            square = board[other, piece]
            squares += 0.0 if square == HOME else square + LEAVE_HOME
        if other == seat:
            own = squares
        else:
            others += squares
            count += 1
    return own - others / max(count, 1)


@compiled
def count_home(board: Board, seat: int) -> int:
    """How many pieces of a seat are at home."""
    count = 0
    for piece in range(PIECES):
        count += board[seat, piece] == HOME
    return count


@compiled
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


@inlined
def update(learner: Learner, settings: LearningSettings, state: int, place: int, target: float) -> None:
    """Q-update: move `values[state, place]` towards `target` by the step size."""
    learner.visits[state, place] += 1
    step_size = max(settings.least_rate, min(settings.rate, 1.0 / learner.visits[state, place]))
    learner.values[state, place] += np.float32(step_size * (target - learner.values[state, place]))


@inlined
def best_places(values: Rows, state: int, movable: int) -> tuple[float, int]:
    """The highest value of the movable places (bits), and all places that have it."""
    top = -1e30
    best = 0
    for place in range(PIECES):
        if (movable >> place) & 1:
            value = values[state, place]
            if value > top:
                top = value
                best = 0
            if value == top:
                best |= 1 << place
    return top, best


@inlined
def choose_place(best: int, movable: int, epsilon: float, ties_first: bool, rng: Rng) -> int:
    """One of the best places (bits), or of all movable ones in a share `epsilon` of the cases."""
    if unit(rng) < epsilon:
        best = movable
    elif ties_first:
        best &= -best
    return int(NTH[best, below(rng, COUNT[best])])


@inlined
def decide(
    learner: Learner, settings: LearningSettings, epsilon: float, board: Board, seat: int, dice: int,
    rng: Rng, scratch: LearningScratch,
) -> int:  # fmt: skip
    """Update the seat's last decision and make the next: the piece to move, -1 where none can."""
    order, decision = scratch.state.order, scratch.decisions[seat]
    order_pieces(board, seat, settings.from_front, order)
    movable = 0
    for place in range(PIECES):
        movable |= int(can_move(board[seat, order[place]], dice)) << place
    if movable == 0:
        return -1
    state = state_index(settings.abstraction, board, seat, dice, scratch.state)
    top, best = best_places(learner.values, state, movable)
    if decision["state"] >= 0:
        if settings.reward == BY_LEAD:
            decision["reward"] = lead(board, settings.ghosts, seat) - decision["lead"]
        target = decision["reward"] + settings.discount * top
        update(learner, settings, decision["state"], decision["place"], target)
    place = choose_place(best, movable, epsilon, settings.ties_first, rng)
    piece = order[place]
    decision["state"] = state
    decision["place"] = place
    if settings.reward == BY_LEAD:
        decision["reward"] = 0.0
        decision["lead"] = lead(board, settings.ghosts, seat)
    else:
        kind = potential(board, seat, dice, piece, scratch.board)
        decision["scale"] = SCALES[context_of(board, seat), kind]
        decision["reward"] = REWARDS[kind] * decision["scale"]
    return int(piece)


@inlined_once
def play_and_reward(
    settings: LearningSettings, board: Board, seat: int, piece: int, dice: int, learns: bool,
    scratch: LearningScratch,
) -> None:  # fmt: skip
    """Move, and reward what comes of it: the mover if it learns, the others for what is captured."""
    before, homes, decisions = scratch.board, scratch.homes, scratch.decisions
    for other in range(SEATS):
        homes[other] = count_home(board, other)
    copy_board(before, board)
    captured, refused = move(board, seat, piece, dice)
    for other in range(SEATS):
        if other != seat:
            decisions[other]["reward"] += SENT_HOME * (count_home(board, other) - homes[other])
    if learns and settings.reward == BY_EVENTS:
        events = event_reward(before, board, seat, piece, dice, captured, refused)
        decisions[seat]["reward"] = decisions[seat]["scale"] * events
    elif learns and refused:
        decisions[seat]["reward"] += SENT_HOME


@inlined
def end_game(
    learner: Learner, settings: LearningSettings, board: Board, winner: int, decisions: NDArray[np.void]
) -> None:
    """Update every seat's last decision: nothing comes after it."""
    for seat in range(SEATS):
        decision = decisions[seat]
        if decision["state"] >= 0:
            if settings.reward == BY_LEAD:
                decision["reward"] = lead(board, settings.ghosts, seat) - decision["lead"]
                decision["reward"] += WIN if seat == winner else -WIN
            update(learner, settings, decision["state"], decision["place"], decision["reward"])


@kernel(
    types.UniTuple(types.int64, 2)(types.int64, _SETTINGS, _LEARNER, types.int64[::1], types.int64),
)
def learn_games(
    games: int, settings: LearningSettings, learner: Learner, rng: Rng, first: int
) -> tuple[int, int]:
    """Play some games and learn from them: games won by the learner, and decisions made.

    `first` games came before.
    """
    board = np.empty((SEATS, PIECES), np.int64)
    memory = LearningScratch(
        state_scratch(), np.empty_like(board), np.zeros(SEATS, np.int64), np.zeros(SEATS, DECISION)
    )
    scratch = borrowed(LearningScratch(borrowed(memory.state), memory.board, memory.homes, memory.decisions))
    table = borrowed(learner)
    won = 0
    made = 0
    learner_seat = 0
    for game in range(first, first + games):
        epsilon = max(settings.explore_floor, settings.explore * settings.explore_decay**game)
        if settings.rotate:
            learner_seat = game & 3
            while (settings.ghosts >> learner_seat) & 1:
                learner_seat = (learner_seat + 1) & 3
        board[:] = HOME
        for seat in range(SEATS):
            scratch.decisions[seat]["state"] = -1
        turn = Turn(settings.ghosts, 0, 1, 0)
        while True:
            seat = turn.seat
            dice = 1 + below(rng, SIX)
            learns = settings.every_seat or seat == learner_seat
            if learns:
                piece = decide(table, settings, epsilon, board, seat, dice, rng, scratch)
                made += piece >= 0
            else:
                piece = random_piece(board, seat, dice, rng)
            if piece >= 0:
                play_and_reward(settings, board, seat, piece, dice, learns, scratch)
                if all_on(board, seat, GOAL):
                    won += seat == learner_seat
                    end_game(table, settings, board, seat, scratch.decisions)
                    break
            turn = next_turn(board, turn, dice)
    keep_alive(memory)
    return won, made
