"""One ply by sampling: what a move leads to against random replies of the others, on average.

For the greedy agent, which weighs the means.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import from_dtype, int64, void

from engines.battlesnake.geometry import off_centre
from engines.battlesnake.rules import INDEX_MASK, play_turn, restore_state
from engines.battlesnake.state import STATE, Ints, Records, State, scratch_copy
from engines.core.jit import borrowed, inlined, kernel, tuple_type
from engines.core.records import record_type
from engines.core.rng import Rng, below, seeded

SUMS: Final = record_type(
    "Sums",
    deaths=np.float64,
    space=np.float64,  # cells that the head can reach, for each reply that is survived, as all below
    closeness=np.float64,  # 1 / (1 + steps to the nearest food); 1 where it ate, 0 where it reaches none
    growth=np.float64,  # segments
    health_lost=np.float64,  # beyond the 1 of each turn; negative where hazards heal
    kills=np.float64,  # others that died, whether or not the snake survived
    off_centre=np.float64,  # steps from the head to the middle of the board
)


class Scratch(NamedTuple):
    """What a sample writes to, for S snakes on C cells of the frame."""

    moves: Ints
    """[S] the moves of the turn."""
    visited: Ints
    """[C] 1 + the distance of a cell that the head can reach."""
    queue: Ints
    """[C]"""
    rng: Rng


SCRATCH: Final = tuple_type(Scratch, *[int64[::1]] * 4)


@inlined
def random_move(state: State, i: int, rng: Rng) -> int:
    """A random move of a snake among those that run into nothing that stays, if there are any."""
    head = state.snakes[i].head & INDEX_MASK
    free = 0
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            free += 1
    if free == 0:
        return int(below(rng, 4))
    skip = below(rng, free)
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            if skip == 0:
                return move
            skip -= 1
    return 0


@inlined
def _reachable(state: State, head: int, scratch: Scratch) -> tuple[int, int]:
    """How many cells the head can reach, and the steps to the nearest food (0: none)."""
    visited, queue = scratch.visited, scratch.queue
    visited[:] = 0
    visited[head] = 1
    queue[0] = head
    end = 1
    at = 0
    nearest = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            if visited[neighbour] == 0 and state.occupancy[neighbour] == 0:
                visited[neighbour] = visited[cell] + 1
                if nearest == 0 and state.food[neighbour] != 0:
                    nearest = visited[cell]
                queue[end] = neighbour
                end += 1
    return end - 1, nearest


@inlined
def _add(sums: Records, root: State, state: State, me: int, scratch: Scratch) -> None:
    """Add what a turn has led to."""
    total, before, after = sums[0], root.snakes[me], state.snakes[me]
    died = after.cause > 0
    total.kills += root.totals[0].living - state.totals[0].living - died
    if died:
        total.deaths += 1.0
        return
    head = after.head & INDEX_MASK
    reached, steps = _reachable(state, head, scratch)
    total.space += reached
    if root.food[head] != 0:
        total.closeness += 1.0
        total.growth += after.length - before.length
    else:
        total.health_lost += before.health - 1 - after.health
        if steps > 0:
            total.closeness += 1.0 / (1 + steps)
    total.off_centre += off_centre(root, head)


@kernel(void(STATE, STATE, SCRATCH, int64, int64, int64, from_dtype(SUMS)[::1]))
def sample_replies(
    root: State, state: State, scratch: Scratch, me: int, move: int, replies: int, sums: Records
) -> None:
    """Play `move` for snake `me` against random joint replies; add what they lead to to `sums`.

    `state` is a scratch copy of `root`.
    """
    root, state, scratch = borrowed(root), borrowed(state), borrowed(scratch)
    for _ in range(replies):
        restore_state(state, root)
        for i in range(state.snakes.shape[0]):
            scratch.moves[i] = move if i == me else random_move(state, i, scratch.rng)
        play_turn(state, scratch.moves)
        _add(sums, root, state, me, scratch)


def mean_outcome(state: State, me: int, move: int, replies: int, seed: int) -> dict[str, float]:
    """The means of SUMS over `replies` random joint replies; every move meets the same draws of a seed."""
    cells, snakes = len(state.occupancy), len(state.snakes)
    scratch = Scratch(
        np.zeros(snakes, np.int64), np.zeros(cells, np.int64), np.zeros(cells, np.int64), seeded(seed)
    )
    sums = np.zeros(1, SUMS)
    sample_replies(state, scratch_copy(state), scratch, me, move, replies, sums)
    return {name: float(sums[0][name]) / replies for name in sums.dtype.names}
