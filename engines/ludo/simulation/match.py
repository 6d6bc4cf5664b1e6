"""Games between two kinds of players, compiled: what the figures are counted with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below
from engines.ludo.evaluation.move_value import evaluate_moves
from engines.ludo.evaluation.race_evaluation import RACE_TERMS, Race
from engines.ludo.evaluation.rule_evaluation import COLUMNS, rule_piece
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.q_learning.table import COMPONENTS, Keys, Rows, table_piece
from engines.ludo.rules import COUNT, NTH, Board, all_on, can_move, move, next_turn
from engines.ludo.search.expectimax import NETWORK, RACE, expectimax_piece, expectimax_scratch
from engines.ludo.search.rollout import luck, make_faces, rollout_piece
from engines.ludo.simulation.games import random_piece
from engines.ludo.td.network import W, Weights

KINDS = ("random", "rule_based", "greedy", "td", "expectimax", "q_learning", "rollout")
RANDOM, RULE_BASED, GREEDY, TD, EXPECTIMAX, Q_LEARNING, ROLLOUT = range(len(KINDS))
GREEDY_WEIGHTS = np.array([12.0, 5.0, 1.0, 1.0])
"""The default parameters of `greedy`."""


@inline
def greedy_piece(
    board: Board, seat: int, dice: int, ghosts: int, greedy_weights: NDArray[np.float64],
    terms: NDArray[np.float64], rng: State,
) -> int:  # fmt: skip
    """The piece of the highest valuation, ties drawn; -1 where none can move."""
    evaluate_moves(board, seat, dice, ghosts, greedy_weights, terms)
    top = 0.0
    best = 0
    for piece in range(PIECES):
        if can_move(board[seat, piece], dice):
            value = 0.0
            for term in range(terms.shape[1]):
                value += terms[piece, term]
            if best == 0 or value > top:
                best = 0
                top = value
            if value == top:
                best |= 1 << piece
    return int(NTH[best, below(rng, COUNT[best])]) if best else -1


@kernel(
    "Tuple((int64, float64, float64))(int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], "
    f"{W}, {W}, float64[::1], int64, boolean, int64[::1], float32[:, ::1], boolean, {W}, int64[::1], "
    "int64[::1], int64)"
)
def play_match(
    games: int, ghosts: int, kinds: NDArray[np.int64], depths: NDArray[np.int64],
    rollouts: NDArray[np.int64], throws: NDArray[np.int64], one: Weights, two: Weights, race: Race,
    view: int, from_front: bool, keys: Keys, rows: Rows, fair: bool, luck_network: Weights,
    rng: State, rollout_rng: State, cap: int,
) -> tuple[int, float, float]:  # fmt: skip
    """A lone player of kinds[0] against kinds[1] on all other seats: games won, and sums over the results.

    The lone one moves on by one taken seat with each game; seat 0 always throws first, so the start
    goes round as well. The sums are of the results and of their squares, luck taken off as `judge` sees
    it where `fair`. `imagined` are the dice of roll-outs.
    """
    board = np.empty((SEATS, PIECES), np.int64)
    scratch = np.empty_like(board)
    row = np.empty(COLUMNS)
    greedy_terms = np.zeros((PIECES, 6))
    work_one = expectimax_scratch(one[0].shape[1], 1)
    work_two = expectimax_scratch(two[0].shape[1], 1)
    faces_one = make_faces(one[0].shape[1])
    faces_two = make_faces(two[0].shape[1])
    faces = make_faces(luck_network[0].shape[1])
    work_race = expectimax_scratch(1, len(RACE_TERMS))
    worth = np.empty((SEATS, 1))
    race_worth = np.empty((SEATS, len(RACE_TERMS)))
    readings = np.zeros(4, np.int64)
    greedy_weights = GREEDY_WEIGHTS.copy()
    order = np.empty(PIECES, np.int64)
    values = np.zeros(COMPONENTS, np.int64)
    lone = 0
    won = 0
    total = 0.0
    squares = 0.0
    for _ in range(games):
        board[:] = HOME
        seat, round_, attempts = 0, 1, 0
        result = 0.0
        for _ in range(cap):
            dice = 1 + below(rng, SIX)
            if fair:
                result -= luck(luck_network, board, ghosts, seat, dice, round_, attempts, lone, faces)
            side = 0 if seat == lone else 1
            kind = kinds[side]
            if kind == RULE_BASED:
                piece = rule_piece(board, seat, dice, readings, scratch, row, rng)
            elif kind == TD:
                if side == 0:
                    piece = expectimax_piece(
                        NETWORK, one, race, board, ghosts, seat, dice, round_, attempts, depths[0],
                        worth, work_one,
                    )  # fmt: skip
                else:
                    piece = expectimax_piece(
                        NETWORK, two, race, board, ghosts, seat, dice, round_, attempts, depths[1],
                        worth, work_two,
                    )  # fmt: skip
            elif kind == ROLLOUT:
                if side == 0:
                    piece = rollout_piece(
                        one, race, board, ghosts, seat, dice, round_, attempts, depths[0],
                        rollouts[0], throws[0], rollout_rng, worth, work_one, faces_one,
                    )  # fmt: skip
                else:
                    piece = rollout_piece(
                        two, race, board, ghosts, seat, dice, round_, attempts, depths[1],
                        rollouts[1], throws[1], rollout_rng, worth, work_two, faces_two,
                    )  # fmt: skip
            elif kind == EXPECTIMAX:
                piece = expectimax_piece(
                    RACE, one, race, board, ghosts, seat, dice, round_, attempts, depths[side],
                    race_worth, work_race,
                )  # fmt: skip
            elif kind == GREEDY:
                piece = greedy_piece(board, seat, dice, ghosts, greedy_weights, greedy_terms, rng)
            elif kind == Q_LEARNING:
                piece = table_piece(
                    view, from_front, keys, rows, board, seat, dice, rng, order, scratch, values
                )
            else:
                piece = random_piece(board, seat, dice, rng)
            if piece >= 0:
                move(board, seat, piece, dice)
                if all_on(board, seat, GOAL):
                    won += seat == lone
                    result += seat == lone
                    break
            seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
        total += result
        squares += result * result
        lone = (lone + 1) & 3
        while (ghosts >> lone) & 1:
            lone = (lone + 1) & 3
    return won, total, squares
