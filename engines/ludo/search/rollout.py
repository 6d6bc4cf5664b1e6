"""Play told by playing on, compiled: a strong, slow player, and what of a game was the luck of the dice.

Both weigh luck alike: before a throw the network says what each of the six faces would be worth, answered
by its own best move. A face is as lucky as it is worth more than the mean of the six. That sum is nought
on average whoever plays and however well the network judges, so taking it off a result leaves the mean of
the results where it was and takes most of their spread away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline
from engines.core.rng import State, below
from engines.ludo.evaluation.race_evaluation import Race
from engines.ludo.position import GOAL, PIECES, SEATS, SIX
from engines.ludo.rules import RING, Board, all_on, can_move, move, next_turn
from engines.ludo.search.expectimax import NETWORK, Scratch, SeatTerms, is_duplicate, search_move, seat_score
from engines.ludo.td.network import FEATURES, Active, Chances, Features, Weights
from engines.ludo.td.self_play import best_reply

MARGIN = 0.04
"""Moves whose chance seems worse than the best one's by more are not played on."""

Faces = tuple[
    NDArray[np.int64], NDArray[np.float64], Chances, Active, Features, NDArray[np.int64], Features,
    NDArray[np.int64],
]  # fmt: skip
"""Scratch: a board, the chances after each face's best move, chances, rows, numbers, hits, hidden, and the
piece that answers each face."""


@inline
def make_faces(units: int) -> Faces:
    return (
        np.empty((SEATS, PIECES), np.int64),
        np.empty((SIX, SEATS)),
        np.empty(SEATS),
        np.empty(SEATS * PIECES, np.int64),
        np.empty(FEATURES, np.float32),
        np.empty(RING, np.int64),
        np.empty(units, np.float32),
        np.empty(SIX, np.int64),
    )


@inline
def luck(
    weights: Weights, board: Board, ghosts: int, seat: int, dice: int, round_: int, attempts: int,
    whose: int, faces: Faces,
) -> float:  # fmt: skip
    """By how much a throw of `seat` favours `whose`; each face's answer and chances are left in `faces`."""
    after, best, chances, active, features, attacks, hidden, pieces = faces
    mean = 0.0
    for one_face in range(SIX):
        pieces[one_face] = best_reply(
            weights, board, ghosts, seat, one_face + 1, round_, attempts, after, chances, best[one_face],
            active, features, attacks, hidden,
        )  # fmt: skip
        mean += best[one_face, whose] / SIX
    return float(best[dice - 1, whose] - mean)


@inline
def roll_out(
    weights: Weights, board: Board, ghosts: int, seat: int, round_: int, attempts: int, whose: int,
    throws: int, first: int, rng: State, faces: Faces,
) -> float:  # fmt: skip
    """The chance of `whose` after some throws of the network against itself, less luck; overwrites `board`.

    `first` numbers the game: the first two throws go through all 36 pairs.
    """
    lucky = 0.0
    chance = 0.0
    for throw in range(throws):
        dice = 1 + below(rng, SIX)
        if throw == 0:
            dice = 1 + first % SIX
        elif throw == 1:
            dice = 1 + first // SIX % SIX
        lucky += luck(weights, board, ghosts, seat, dice, round_, attempts, whose, faces)
        chance = faces[1][dice - 1, whose]
        piece = faces[7][dice - 1]
        if piece >= 0:
            move(board, seat, piece, dice)
            if all_on(board, seat, GOAL):
                break
        seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
    return chance - lucky


@inline
def rollout_piece(
    weights: Weights, race: Race, board: Board, ghosts: int, seat: int, dice: int, round_: int, attempts: int,
    depth: int, games: int, throws: int, rng: State, worth: SeatTerms, scratch: Scratch, faces: Faces,
) -> int:  # fmt: skip
    """The movable piece after which playing on ends best, the same dice for all; -1 where none can move.

    Only moves that look good by `depth` throws of expected replies are played on.
    """
    values = np.full(PIECES, -1.0)
    top = -1.0
    chosen = -1
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        value = 0.0
        faces_seen = SIX if depth > 0 else 1
        for face in range(1, faces_seen + 1):
            search_move(
                NETWORK, weights, race, board, ghosts, seat, piece, dice, round_, attempts, depth, face,
                worth, scratch,
            )  # fmt: skip
            value += seat_score(worth, seat) / faces_seen
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
    played = np.empty_like(board)
    for piece in range(PIECES):
        if values[piece] < 0.0 or values[piece] < top - MARGIN:
            continue
        rng[:] = start
        total = 0.0
        for game in range(games):
            played[:] = board
            move(played, seat, piece, dice)
            if all_on(played, seat, GOAL):
                total += 1.0
                continue
            thrower, next_round, next_attempts = next_turn(played, ghosts, seat, dice, round_, attempts)
            total += roll_out(
                weights, played, ghosts, thrower, next_round, next_attempts, seat, throws, game, rng, faces
            )
        if total > most:
            most = total
            chosen = piece
    return chosen
