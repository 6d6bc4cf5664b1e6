"""Games between two kinds of players, compiled: what the figures in docs/ludo.md are counted with."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import borrowed, compiled, inlined_once, kernel
from engines.core.rng import Rng, below
from engines.ludo.evaluation.move_value import DEFAULT_WEIGHTS, TERMS, evaluate_moves
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE, RACE_TERMS, RaceWeights
from engines.ludo.evaluation.rule_evaluation import DEFAULT_READINGS, MOVE, MoveRows, rule_piece
from engines.ludo.memory import keep_alive
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.q_learning.table import NO_TABLE, StateScratch, Table, state_scratch, table_piece
from engines.ludo.rules import COUNT, NTH, Board, Turn, all_on, can_move, move, next_turn
from engines.ludo.search.expectimax import (
    NETWORK_LEAF,
    RACE_LEAF,
    Leaf,
    SearchScratch,
    borrowed_search,
    expectimax_piece,
    search_scratch,
)
from engines.ludo.search.rollout import (
    FaceScratch,
    RolloutSettings,
    borrowed_faces,
    face_scratch,
    luck,
    rollout_piece,
)
from engines.ludo.simulation.games import random_piece
from engines.ludo.td.network import NO_NETWORK, WEIGHTS, Weights

KINDS = ("random", "rule_based", "greedy", "td", "expectimax", "q_learning", "rollout")
RANDOM, RULE_BASED, GREEDY, TD, EXPECTIMAX, Q_LEARNING, ROLLOUT = range(len(KINDS))
GREEDY_WEIGHTS = tuple(DEFAULT_WEIGHTS)
MAX_THROWS = 100_000
"""Throws after which a game ends without a winner."""


class MatchPlayer(NamedTuple):
    """Who sits on a seat: a kind, and what that kind needs."""

    kind: int
    """Of KINDS."""
    rollout: RolloutSettings
    """Its depth is that of `td` and `expectimax` too."""
    weights: Weights
    race: RaceWeights
    table: Table


class PlayerScratch(NamedTuple):
    """Memory of one player."""

    search: SearchScratch
    faces: FaceScratch
    state: StateScratch
    board: Board
    moves: MoveRows
    """[1]: room for one move's rule evaluation."""
    terms: NDArray[np.float64]
    """[piece, term]: move values."""


_PLAYER = numba.typeof(MatchPlayer(RANDOM, RolloutSettings(0, 0, 0), NO_NETWORK, DEFAULT_RACE, NO_TABLE))


@compiled
def player_scratch(player: MatchPlayer) -> PlayerScratch:
    """Memory for a player."""
    units = player.weights.first.shape[1]
    terms = len(RACE_TERMS) if player.kind == EXPECTIMAX else 1
    return PlayerScratch(
        search_scratch(units, terms),
        face_scratch(units),
        state_scratch(),
        np.empty((SEATS, PIECES), np.int64),
        np.empty(1, MOVE),
        np.zeros((PIECES, len(TERMS))),
    )


@compiled
def borrowed_player(player: MatchPlayer) -> MatchPlayer:
    """The same player, its arrays borrowed."""
    return MatchPlayer(
        player.kind, player.rollout, borrowed(player.weights), player.race, borrowed(player.table)
    )


@compiled
def borrowed_memory(scratch: PlayerScratch) -> PlayerScratch:
    """The same memory, borrowed."""
    return borrowed(
        PlayerScratch(
            borrowed_search(scratch.search),
            borrowed_faces(scratch.faces),
            borrowed(scratch.state),
            scratch.board,
            scratch.moves,
            scratch.terms,
        )
    )


@compiled
def greedy_piece(
    board: Board, seat: int, dice: int, ghosts: int, terms: NDArray[np.float64], rng: Rng
) -> int:
    """The piece of the highest move value, ties drawn; -1 where none can move."""
    evaluate_moves(board, seat, dice, ghosts, GREEDY_WEIGHTS, terms)
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


@inlined_once
def choose_piece(
    player: MatchPlayer, board: Board, turn: Turn, dice: int, rng: Rng, rollout_rng: Rng,
    scratch: PlayerScratch,
) -> int:  # fmt: skip
    """The piece that a player moves; -1 where none can move."""
    kind, seat = player.kind, turn.seat
    if kind == RULE_BASED:
        return rule_piece(board, seat, dice, DEFAULT_READINGS, scratch.board, scratch.moves[0], rng)
    if kind == GREEDY:
        return greedy_piece(board, seat, dice, turn.ghosts, scratch.terms, rng)
    if kind == TD:
        leaf = Leaf(NETWORK_LEAF, player.weights, player.race)
        return expectimax_piece(leaf, board, turn, dice, player.rollout.depth, scratch.search)
    if kind == EXPECTIMAX:
        leaf = Leaf(RACE_LEAF, player.weights, player.race)
        return expectimax_piece(leaf, board, turn, dice, player.rollout.depth, scratch.search)
    if kind == Q_LEARNING:
        return table_piece(player.table, board, seat, dice, rng, scratch.state)
    if kind == ROLLOUT:
        leaf = Leaf(NETWORK_LEAF, player.weights, player.race)
        return rollout_piece(
            leaf, player.rollout, board, turn, dice, rollout_rng, scratch.search, scratch.faces
        )
    return random_piece(board, seat, dice, rng)


@kernel(
    types.Tuple((types.int64, types.float64, types.float64))(
        types.int64, types.int64, _PLAYER, _PLAYER, types.boolean, WEIGHTS, types.int64[::1], types.int64[::1]
    )
)
def play_match(
    games: int, ghosts: int, one: MatchPlayer, two: MatchPlayer, luck_adjusted: bool, luck_weights: Weights,
    rng: Rng, rollout_rng: Rng,
) -> tuple[int, float, float]:  # fmt: skip
    """`one` alone against `two` on all other seats: games won, and sums over the results.

    The lone one moves on by one taken seat with each game; seat 0 always throws first, so the start
    goes round as well. The sums are of the results and of their squares, the luck taken off as the
    network of `luck_weights` sees it where they are `luck_adjusted`.
    """
    board = np.empty((SEATS, PIECES), np.int64)
    memory = player_scratch(one), player_scratch(two), face_scratch(luck_weights.first.shape[1])
    scratches = borrowed_memory(memory[0]), borrowed_memory(memory[1])
    faces, luck_network = borrowed_faces(memory[2]), borrowed(luck_weights)
    players = borrowed_player(one), borrowed_player(two)
    lone = 0
    won = 0
    total = 0.0
    squares = 0.0
    for _ in range(games):
        board[:] = HOME
        turn = Turn(ghosts, 0, 1, 0)
        result = 0.0
        for _ in range(MAX_THROWS):
            seat = turn.seat
            dice = 1 + below(rng, SIX)
            if luck_adjusted:
                result -= luck(luck_network, board, turn, dice, lone, faces)
            side = int(seat != lone)
            piece = choose_piece(players[side], board, turn, dice, rng, rollout_rng, scratches[side])
            if piece >= 0:
                move(board, seat, piece, dice)
                if all_on(board, seat, GOAL):
                    won += seat == lone
                    result += seat == lone
                    break
            turn = next_turn(board, turn, dice)
        total += result
        squares += result * result
        lone = (lone + 1) & 3
        while (ghosts >> lone) & 1:
            lone = (lone + 1) & 3
    keep_alive(memory)
    return won, total, squares
