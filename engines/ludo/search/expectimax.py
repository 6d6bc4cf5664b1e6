"""Expectimax, compiled: the expected terms of a position after some throws, each answered by its best move.

Before a throw every face is as likely as the others, and the seat that throws picks the move best for
itself. At the leaves stands an evaluation: the value network or the race. Iterative deepening and
whole games call it; it knows no budget.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.arrays import copy_into
from engines.core.jit import borrowed, compiled, kernel
from engines.ludo.boundary import plain_type
from engines.ludo.evaluation.race_evaluation import (
    DEFAULT_RACE,
    RACE_TERMS,
    WON,
    RaceWeights,
    SeatTerms,
    evaluate_race,
)
from engines.ludo.position import GOAL, PIECES, SEATS, SIX
from engines.ludo.rules import Board, Turn, all_on, can_move, copy_board, move, next_turn
from engines.ludo.td.network import (
    NETWORK_SCRATCH,
    NO_NETWORK,
    NetworkScratch,
    Weights,
    evaluate_board,
    network_scratch,
)

NETWORK_LEAF, RACE_LEAF = range(2)
LEAF_TERMS = (("value",), RACE_TERMS)
"""The terms of each leaf."""
MAX_DEPTH = 6
"""Throws that scratch has room for."""
WIN = 10_000.0
"""Of a finished game, to the winner of a race; outweighs every other sum of terms."""


class Leaf(NamedTuple):
    """How positions are evaluated where the search ends."""

    kind: int
    """NETWORK_LEAF or RACE_LEAF."""
    weights: Weights
    race: RaceWeights

    def plain(self) -> tuple[Any, ...]:
        """In tuples without names."""
        return self.kind, tuple(self.weights), tuple(self.race)


class SearchScratch(NamedTuple):
    """Memory of a search."""

    boards: NDArray[np.int64]
    """[depth, seat, piece]: the board after the move being searched; the last depth is the root's."""
    moves: NDArray[np.float64]
    """[depth, seat, term]: terms of that move."""
    faces: NDArray[np.float64]
    """[depth, seat, term]: terms of one face of the throw after it."""
    result: SeatTerms
    """[seat, term]: result of the last search."""
    network: NetworkScratch

    def plain(self) -> tuple[Any, ...]:
        """In tuples without names."""
        return self.boards, self.moves, self.faces, self.result, tuple(self.network)


@compiled
def search_scratch(units: int, terms: int) -> SearchScratch:
    """Memory for searches of up to MAX_DEPTH throws."""
    return SearchScratch(
        np.empty((MAX_DEPTH + 1, SEATS, PIECES), np.int64),
        np.empty((MAX_DEPTH + 1, SEATS, terms)),
        np.empty((MAX_DEPTH + 1, SEATS, terms)),
        np.empty((SEATS, terms)),
        network_scratch(units),
    )


@compiled
def borrowed_search(scratch: SearchScratch) -> SearchScratch:
    """The same memory, borrowed."""
    return borrowed(
        SearchScratch(scratch.boards, scratch.moves, scratch.faces, scratch.result, borrowed(scratch.network))
    )


_TURN = numba.typeof(Turn(0, 0, 1, 0))
_LEAF = numba.typeof(Leaf(RACE_LEAF, NO_NETWORK, DEFAULT_RACE))
_BOARD = types.int64[:, ::1]
_TERMS = types.float64[:, ::1]
_SCRATCH = types.NamedTuple(
    (types.int64[:, :, ::1], types.float64[:, :, ::1], types.float64[:, :, ::1], _TERMS, NETWORK_SCRATCH),
    SearchScratch,
)


@compiled
def seat_score(terms: SeatTerms, seat: int) -> float:
    """The sum of a seat's terms."""
    total = 0.0
    for term in range(terms.shape[1]):
        total += terms[seat, term]
    return total


@compiled
def add_face(face: SeatTerms, mean: SeatTerms) -> None:
    """Add one face of the die to the mean over all."""
    for seat in range(SEATS):
        for term in range(mean.shape[1]):
            mean[seat, term] += face[seat, term] / SIX


@compiled
def evaluate_leaf(
    leaf: Leaf, board: Board, ghosts: int, thrower: int, out: SeatTerms, scratch: NetworkScratch
) -> None:
    """Write the static evaluation of a position before a throw."""
    if leaf.kind == NETWORK_LEAF:
        evaluate_board(leaf.weights, board, ghosts, thrower, scratch.chances, scratch)
        for seat in range(SEATS):
            out[seat, 0] = scratch.chances[seat]
    else:
        evaluate_race(leaf.race, board, ghosts, thrower, out, scratch.attacks)


@compiled
def evaluate_win(kind: int, winner: int, out: SeatTerms) -> None:
    """Write the terms of a finished game."""
    out[:] = 0.0
    if kind == NETWORK_LEAF:
        out[winner, 0] = 1.0
    else:
        for seat in range(SEATS):
            out[seat, WON] = WIN if seat == winner else -WIN


@compiled
def is_duplicate(board: Board, seat: int, piece: int) -> bool:
    """Does an earlier piece of the seat stand on the same square, so that both moves are one?"""
    for other in range(piece):  # noqa: SIM110 (compiled code has no generators)
        if board[seat, other] == board[seat, piece]:
            return True
    return False


@kernel(types.void(_LEAF, _BOARD, _TURN, types.int64, types.int64, _TERMS, _SCRATCH))
def search_throw(
    leaf: Leaf, board: Board, turn: Turn, dice: int, depth: int, out: SeatTerms, scratch: SearchScratch
) -> None:
    """Write the terms of a throw answered by its best move (first of ties), searched `depth` throws deep."""
    after, terms, face_terms = scratch.boards[depth], scratch.moves[depth], scratch.faces[depth]
    seat = turn.seat
    chosen = -1
    top = 0.0
    # The last round of the loop stands for the pass, where no piece can move.
    for piece in range(PIECES + 1):
        if piece == PIECES:
            if chosen >= 0:
                break
            copy_board(after, board)
        else:
            if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
                continue
            copy_board(after, board)
            move(after, seat, piece, dice)
        if all_on(after, seat, GOAL):
            evaluate_win(leaf.kind, seat, terms)
        else:
            following = next_turn(after, turn, dice)
            if depth == 0:
                evaluate_leaf(leaf, after, following.ghosts, following.seat, terms, scratch.network)
            else:
                terms[:] = 0.0
                for face in range(1, SIX + 1):
                    search_throw(leaf, after, following, face, depth - 1, face_terms, scratch)
                    add_face(face_terms, terms)
        score = seat_score(terms, seat)
        if chosen < 0 or score > top:
            chosen = piece
            top = score
            copy_into(out, terms)


@compiled
def search_move(
    leaf: Leaf, board: Board, turn: Turn, piece: int, dice: int, depth: int, face: int, scratch: SearchScratch
) -> None:
    """Write into `scratch.result` the terms of a movable piece's move, searched `depth` throws deep.

    Only `face` of the next throw is searched; the caller averages the six. Ignored at depth 0.
    """
    after, out = scratch.boards[MAX_DEPTH], scratch.result
    copy_board(after, board)
    move(after, turn.seat, piece, dice)
    if all_on(after, turn.seat, GOAL):
        evaluate_win(leaf.kind, turn.seat, out)
        return
    following = next_turn(after, turn, dice)
    if depth == 0:
        evaluate_leaf(leaf, after, following.ghosts, following.seat, out, scratch.network)
    else:
        search_throw(leaf, after, following, face, depth - 1, out, scratch)


@kernel(plain_type(_SCRATCH)(types.int64, types.int64))
def make_scratch(units: int, terms: int) -> tuple[Any, ...]:
    """`search_scratch`, for Python, in plain tuples: SearchScratch(*make_scratch(units, terms)).

    Not made with numpy outside: Numba's memory is aligned for vectors, which is worth a fifth of the
    time of a search with the network.
    """
    scratch = search_scratch(units, terms)
    network = scratch.network
    room = (
        network.after, network.chances, network.active, network.features, network.attacks, network.hidden,
    )  # fmt: skip
    return scratch.boards, scratch.moves, scratch.faces, scratch.result, room


@kernel(
    types.void(
        plain_type(_LEAF), _BOARD, plain_type(_TURN), types.int64, types.int64, types.int64, types.int64,
        plain_type(_SCRATCH),
    )
)  # fmt: skip
def search_slice(
    leaf: Any, board: Board, turn: Any, piece: int, dice: int, depth: int, face: int, scratch: Any
) -> None:
    """`search_move`, for Python: takes a Leaf, a Turn and a SearchScratch made `plain`."""
    kind, (first, second), race = leaf
    out, goal, corridor, safe, danger, later_danger, leader = race
    ghosts, seat, round_, attempts = turn
    boards, moves, faces, result, network = scratch
    after, chances, active, features, attacks, hidden = network
    search_move(
        Leaf(
            kind,
            borrowed(Weights(first, second)),
            RaceWeights(out, goal, corridor, safe, danger, later_danger, leader),
        ),
        board,
        Turn(ghosts, seat, round_, attempts),
        piece,
        dice,
        depth,
        face,
        borrowed(
            SearchScratch(
                boards,
                moves,
                faces,
                result,
                borrowed(NetworkScratch(after, chances, active, features, attacks, hidden)),
            )
        ),
    )


@compiled
def expectimax_piece(
    leaf: Leaf, board: Board, turn: Turn, dice: int, depth: int, scratch: SearchScratch
) -> int:
    """The movable piece of the best move, the first of equals; -1 where none can move."""
    seat = turn.seat
    chosen = -1
    count = 0
    for piece in range(PIECES):
        if can_move(board[seat, piece], dice):
            count += 1
            chosen = piece
    if count < 2:
        return chosen
    chosen = -1
    top = 0.0
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        score = 0.0
        for face in range(1, SIX + 1 if depth > 0 else 2):
            search_move(leaf, board, turn, piece, dice, depth, face, scratch)
            score += seat_score(scratch.result, seat)
        if chosen < 0 or score > top:
            chosen = piece
            top = score
    return chosen
