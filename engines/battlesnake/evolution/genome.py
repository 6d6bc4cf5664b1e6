"""Lines of words: how a gene becomes a word that can be played, what a line is worth, how lines breed.

A gene is a word, or a rule that picks one. Whatever it is, what comes of it is one of the words that
are not sure to be deadly at that step, where there is one: no gene runs back into the neck. A word
that is not open there stands for the open one of its index. A line's rules are written over by the
words that they picked in its first playing, so what is bred further is words.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import float64, int64, uint8, void
from numpy.typing import NDArray

from engines.battlesnake.evaluation import evaluate
from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.rules import INDEX_MASK, is_over, play_turn, restore_state
from engines.battlesnake.state import STATE, Floats, Ints, State
from engines.battlesnake.territory.context import FLOOD_CONTEXT, FloodContext
from engines.core.jit import borrowed, fused, kernel
from engines.core.rng import State as Rng
from engines.core.rng import below, unit

Genes = NDArray[np.uint8]

FREE: Final = 4
"""Any open word."""
SMART: Final = 5
"""One ply: food beside, room, no longer neck beside the cell, the middle."""
STRAIGHT: Final = 6
"""Carry on; where that is not open, `SMART`."""
ROOMY: Final = 7
"""Into the largest region that can be reached now; of equals along the walls."""
HUNGRY: Final = 8
"""The shortest way to food over what is empty now; without one, `ROOMY`."""

DEATH: Final = 0
DRAW: Final = 1
WIN: Final = 2
ATE: Final = 3
EVENTS: Final = ("death", "draw", "win", "meal")
EVENT_COUNT: Final = 4
"""What happens on the way, each times its weight and the discount of its turn."""


@fused
def survivable(state: State, i: int, cell: int) -> bool:
    """Is a step onto the cell not sure to be deadly: no wall or body that stays, no hunger, no hazard?"""
    if state.occupancy[cell] != 0:
        return False
    if state.food[cell] != 0:
        return True
    health = state.snakes[i].health - 1
    layers = state.hazard_layers[cell]
    if layers > 0:
        # The first layer brings health into 0..100; from there on the layers only add up.
        health = min(100, health - state.rules[0].damage)
        if health > 0:
            health -= (layers - 1) * state.rules[0].damage
    return bool(health > 0)


@fused
def _smart(state: State, i: int, open_moves: int) -> int:
    """The best of the open words by one ply; the first of equals."""
    head = state.snakes[i].head & INDEX_MASK
    length, stride = state.snakes[i].length, state.rules[0].stride
    hungry = state.snakes[i].health < 30
    best, most = 0, -1e9
    for move in range(4):
        if open_moves >> move & 1 == 0:
            continue
        cell = state.neighbours[head, move]
        room = 0
        for beyond in range(4):
            if state.occupancy[state.neighbours[cell, beyond]] == 0:
                room += 1
        evaluate = 6.0 * room - off_centre(state, cell)
        if room == 0:
            evaluate -= 300.0
        if state.food[cell] != 0:
            evaluate += 250.0 if hungry else 50.0
        for j in range(state.snakes.shape[0]):
            if j != i and state.snakes[j].cause <= 0:
                apart = abs(cell - state.snakes[j].head)
                if apart == 1 or apart == stride:
                    evaluate += 5.0 if state.snakes[j].length < length else -120.0
        if evaluate > most:
            best, most = move, evaluate
    return best


@fused
def _roomy(state: State, i: int, open_moves: int, seen: Ints, queue: Ints) -> int:
    """The open word into the largest region; of equals the one with the fewest ways on."""
    head = state.snakes[i].head & INDEX_MASK
    seen[:] = 0
    best, most = 0, -1.0
    for move in range(4):
        if open_moves >> move & 1 == 0:
            continue
        start = state.neighbours[head, move] & INDEX_MASK
        if seen[start] == 0:
            queue[0] = start
            seen[start] = -1
            at, end = 0, 1
            while at < end:
                cell = queue[at] & INDEX_MASK
                at += 1
                for beyond in range(4):
                    neighbour = state.neighbours[cell, beyond]
                    if seen[neighbour] == 0 and state.occupancy[neighbour] == 0:
                        seen[neighbour] = -1
                        queue[end] = neighbour
                        end += 1
            for place in range(end):
                seen[queue[place] & INDEX_MASK] = end
        evaluate = 8.0 * seen[start]
        for beyond in range(4):
            if state.occupancy[state.neighbours[start, beyond]] == 0:
                evaluate -= 1.0
        if evaluate > most:
            best, most = move, evaluate
    return best


@fused
def _hungry(state: State, i: int, open_moves: int, seen: Ints, queue: Ints) -> int:
    """The open word that begins a shortest way to food; -1 where no food can be reached."""
    head = state.snakes[i].head & INDEX_MASK
    seen[:] = 0
    seen[head] = 5
    end = 0
    for move in range(4):
        start = state.neighbours[head, move] & INDEX_MASK
        if open_moves >> move & 1 and seen[start] == 0:
            seen[start] = move + 1
            queue[end] = start
            end += 1
    at = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        if state.food[cell] != 0:
            return int(seen[cell] - 1)
        for beyond in range(4):
            neighbour = state.neighbours[cell, beyond]
            if seen[neighbour] == 0 and state.occupancy[neighbour] == 0:
                seen[neighbour] = seen[cell]
                queue[end] = neighbour
                end += 1
    return -1


@fused
def _move(state: State, i: int, gene: int, rng: Rng, places: Ints) -> int:
    """What a gene makes the snake do here."""
    head = state.snakes[i].head & INDEX_MASK
    open_moves, count, only = 0, 0, 0
    for move in range(4):
        if survivable(state, i, state.neighbours[head, move]):
            open_moves |= 1 << move
            count += 1
            only = move
    if gene < FREE and open_moves >> gene & 1:
        return gene
    if count <= 1:
        if count == 0:
            for move in range(4):
                if state.occupancy[state.neighbours[head, move]] == 0:
                    return move
        return only
    if gene <= FREE:
        skip = below(rng, count) if gene == FREE else gene % count
        for move in range(4):
            if open_moves >> move & 1:
                if skip == 0:
                    return move
                skip -= 1
    if gene == STRAIGHT:
        move = straight(state, i)
        if open_moves >> move & 1:
            return move
    if gene == HUNGRY:
        move = _hungry(state, i, open_moves, places[0], places[1])
        if move >= 0:
            return move
    if gene >= ROOMY:
        return _roomy(state, i, open_moves, places[0], places[1])
    return _smart(state, i, open_moves)


@kernel(
    void(
        *(STATE, STATE, int64, uint8[:, ::1], int64, int64, uint8[:, :, ::1], float64[:, ::1], float64[::1]),
        *(float64[::1], float64[::1], int64[::1], int64[:, ::1], FLOOD_CONTEXT, int64[:, ::1], int64[::1]),
        float64[:, :, ::1],
    )
)
def play_lines(
    root: State,
    scratch: State,
    who: int,
    lines: Genes,
    first: int,
    last: int,
    others: NDArray[np.uint8],
    schedule: Floats,
    events: Floats,
    factors: Floats,
    terms: Floats,
    moves: Ints,
    steps: Ints,
    context: FloodContext,
    reach: Ints,
    rng: Rng,
    parts: NDArray[np.float64],
) -> None:
    """Play the lines `first` to `last - 1` of snake `who` against each row of `others`.

    `others[s, i, t]` is what snake `i` does at turn `t` in the scenario `s`. `schedule` has for each
    turn the discount of what happens in it, and the share of the leaf's value after it. `parts[line, s]`
    becomes what it came to: the events, then the leaf's terms.
    """
    root, state, context = borrowed(root), borrowed(scratch), borrowed(context)
    for row in range(first, last):
        for scenario in range(others.shape[0]):
            restore_state(state, root)
            part = parts[row, scenario]
            part[:] = 0.0
            for t in range(lines.shape[1]):
                for i in range(moves.shape[0]):
                    if state.snakes[i].cause > 0:
                        continue
                    gene = lines[row, t] if i == who else others[scenario, i, t]
                    moves[i] = _move(state, i, gene, rng, steps)
                if scenario == 0:
                    lines[row, t] = moves[who]
                length = state.snakes[who].length
                play_turn(state, moves)
                discount, share = schedule[0, t], schedule[1, t]
                if state.snakes[who].cause > 0:
                    kind = DRAW if state.totals[0].living == 0 and root.rules[0].solo == 0 else DEATH
                    part[kind] += discount * events[kind]
                    break
                if root.rules[0].constrictor == 0 and state.snakes[who].length > length:
                    part[ATE] += discount * events[ATE]
                if is_over(state):
                    part[WIN] += discount * events[WIN]
                    break
                if share > 0.0:
                    evaluate(state, context, who, factors, reach, terms)
                    for term in range(terms.shape[0]):
                        part[EVENT_COUNT + term] += share * terms[term]


@fused
def _fitter(fitness: Floats, entrants: int, rng: Rng) -> int:
    """The fittest of some drawn with replacement, the first drawn of equals."""
    best = below(rng, fitness.shape[0])
    for _ in range(entrants - 1):
        other = below(rng, fitness.shape[0])
        if fitness[other] > fitness[best]:
            best = other
    return int(best)


CROSSING: Final = 0
"""Chance of a cut with a second parent."""
ANEW: Final = 1
"""Chance that all from one turn on is made anew, by a rule drawn."""
INSERT: Final = 2
"""Chance of one more word, and the last one dropped."""
DELETE: Final = 3
"""Chance of one word less, and a free one at the end. Else one word is made free."""
SPREAD: Final = 4
"""Chance that the parent is one of the elite, whatever its fitness."""


@kernel("void(uint8[:,::1], float64[::1], uint8[:,::1], int64[::1], int64, float64[::1], int64[::1])")
def breed(
    parents: Genes, fitness: Floats, children: Genes, elite: Ints, entrants: int, chances: Floats, rng: Rng
) -> None:
    """The next population: the elite's rows as they are, then children of winners of tournaments."""
    genotype = parents.shape[1]
    for row in range(children.shape[0]):
        if row < elite.shape[0]:
            children[row] = parents[elite[row]]
            continue
        if unit(rng) < chances[SPREAD]:
            one = elite[below(rng, elite.shape[0])]
        else:
            one = _fitter(fitness, entrants, rng)
        children[row] = parents[one]
        if unit(rng) < chances[CROSSING]:
            two = _fitter(fitness, entrants, rng)
            for gene in range(below(rng, genotype), genotype):
                children[row, gene] = parents[two, gene]
        # Early words matter more: the lesser of two draws.
        at = min(below(rng, genotype), below(rng, genotype))
        kind = unit(rng) - chances[ANEW]
        if kind < 0.0:
            children[row, at:] = FREE if unit(rng) < 0.6 else SMART + below(rng, 4)
            continue
        kind -= chances[INSERT]
        if kind < 0.0:
            for gene in range(genotype - 1, at, -1):
                children[row, gene] = children[row, gene - 1]
            children[row, at] = FREE
            continue
        kind -= chances[DELETE]
        if kind < 0.0:
            for gene in range(at, genotype - 1):
                children[row, gene] = children[row, gene + 1]
            children[row, genotype - 1] = FREE
            continue
        children[row, at] = FREE
