"""Roll-outs with a luck-based control variate, compiled.

Luck of a throw: the network's value of its best reply minus the mean over six faces. Its expectation is 0 for
any player and any network, so subtracting it leaves the mean unbiased and removes most of the variance.

Called by whole games alone: too slow to serve.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.core.arrays import copy_into
from engines.core.jit import borrowed, compiled, inlined_once
from engines.core.rng import Rng, below
from engines.ludo.position import GOAL, PIECES, SEATS, SIX
from engines.ludo.rules import Board, Turn, all_on, can_move, copy_board, move, next_turn
from engines.ludo.search.expectimax import Leaf, SearchScratch, is_duplicate, search_move, seat_score
from engines.ludo.td.network import NetworkScratch, Weights, network_scratch
from engines.ludo.td.self_play import best_reply

MARGIN = 0.04
"""Win probability: moves more than this below the best by expectimax are not rolled out."""


class RolloutSettings(NamedTuple):
    """How much is rolled out."""

    depth: int
    """Throws that expectimax looks ahead to find the moves worth rolling out."""
    games: int
    """For each of these moves."""
    throws: int
    """Length of a game; the network evaluates the end."""


class FaceScratch(NamedTuple):
    """What the network makes of the six faces of a throw."""

    chances: NDArray[np.float64]
    """[face - 1, seat]: after the best move."""
    pieces: NDArray[np.int64]
    """[face - 1]: the piece that the best move moves; -1 where none can."""
    board: Board
    """[seat, piece]: the game that is rolled out."""
    network: NetworkScratch


@compiled
def face_scratch(units: int) -> FaceScratch:
    """Memory for a network of so many hidden units."""
    return FaceScratch(
        np.empty((SIX, SEATS)),
        np.empty(SIX, np.int64),
        np.empty((SEATS, PIECES), np.int64),
        network_scratch(units),
    )


@compiled
def borrowed_faces(scratch: FaceScratch) -> FaceScratch:
    """The same memory, borrowed."""
    return borrowed(FaceScratch(scratch.chances, scratch.pieces, scratch.board, borrowed(scratch.network)))


@compiled
def luck(weights: Weights, board: Board, turn: Turn, dice: int, seat: int, faces: FaceScratch) -> float:
    """The luck of a throw for `seat`, in win probability.

    Each face's best move and chances are left in `faces`.
    """
    mean = 0.0
    for face in range(SIX):
        faces.pieces[face] = best_reply(weights, board, turn, face + 1, faces.chances[face], faces.network)
        mean += faces.chances[face, seat] / SIX
    return float(faces.chances[dice - 1, seat] - mean)


@inlined_once
def roll_out(
    weights: Weights, board: Board, turn: Turn, seat: int, throws: int, game: int, rng: Rng,
    faces: FaceScratch,
) -> float:  # fmt: skip
    """The chance of `seat` after some throws of the network against itself, less luck; overwrites `board`.

    `game` numbers the games: their first two throws go through all 36 pairs.
    """
    total_luck = 0.0
    chance = 0.0
    for throw in range(throws):
        dice = 1 + below(rng, SIX)
        if throw == 0:
            dice = 1 + game % SIX
        elif throw == 1:
            dice = 1 + game // SIX % SIX
        total_luck += luck(weights, board, turn, dice, seat, faces)
        chance = faces.chances[dice - 1, seat]
        piece = faces.pieces[dice - 1]
        if piece >= 0:
            move(board, turn.seat, piece, dice)
            if all_on(board, turn.seat, GOAL):
                break
        turn = next_turn(board, turn, dice)
    return chance - total_luck


@inlined_once
def rollout_piece(
    leaf: Leaf, settings: RolloutSettings, board: Board, turn: Turn, dice: int, rng: Rng,
    scratch: SearchScratch, faces: FaceScratch,
) -> int:  # fmt: skip
    """The movable piece whose roll-outs end best, the same dice for all; -1 where none can move.

    Only moves within MARGIN of the best by expectimax are rolled out.
    """
    seat = turn.seat
    values = np.full(PIECES, -1.0)
    top = -1.0
    chosen = -1
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        value = 0.0
        count = SIX if settings.depth > 0 else 1
        for face in range(1, count + 1):
            search_move(leaf, board, turn, piece, dice, settings.depth, face, scratch)
            value += seat_score(scratch.result, seat) / count
        values[piece] = value
        if value > top:
            top = value
            chosen = piece
    close = 0
    for piece in range(PIECES):
        close += values[piece] >= top - MARGIN
    if chosen < 0 or close < 2:
        return chosen
    start = rng.copy()
    most = -1e9
    for piece in range(PIECES):
        if values[piece] < 0.0 or values[piece] < top - MARGIN:
            continue
        copy_into(rng, start)
        total = 0.0
        for game in range(settings.games):
            after = faces.board
            copy_board(after, board)
            move(after, seat, piece, dice)
            if all_on(after, seat, GOAL):
                total += 1.0
                continue
            following = next_turn(after, turn, dice)
            total += roll_out(leaf.weights, after, following, seat, settings.throws, game, rng, faces)
        if total > most:
            most = total
            chosen = piece
    return chosen
