"""Genomes: which move a gene stands for on a board, how a genome is evaluated, how genomes reproduce.

A genome plans the moves of one snake, a gene for each turn. A gene is one of the four moves or a default rule
that picks one. It is decoded on the board of its turn into a move that is not sure to be deadly, if there is
any: a rule picks among these survivable moves, and a move that is not survivable is replaced by a survivable
one of the same number modulo their count. The first rollout writes the decoded moves back into the genome, so
selection and crossover work on moves.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import float64, int64, uint8, void
from numpy.typing import NDArray

from engines.battlesnake.evaluation import LEAF_WEIGHTS, LeafWeights, evaluate
from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.rules import INDEX_MASK, is_over, play_turn, restore_state
from engines.battlesnake.state import STATE_STACK, Floats, Ints, Records, State, StateStack, state_at
from engines.battlesnake.territory.context import FLOOD_CONTEXT, TERRITORY_TABLE, FloodContext
from engines.core.arrays import copy_into
from engines.core.jit import borrowed, inlined, inlined_once, kernel, tuple_type
from engines.core.rng import Rng, below, unit

Genes = NDArray[np.uint8]
"""[individuals, turns] or [turns]: below 4 the index of a move, else one of the rules."""

FREE: Final = 4
"""A random survivable move."""
SMART: Final = 5
"""The best by a one-ply heuristic: food, free neighbours, no stronger head next to the cell, the middle."""
STRAIGHT: Final = 6
"""Straight on; where that is not survivable, `SMART`."""
ROOMY: Final = 7
"""Into the largest region that is connected now; of equals along the walls."""
HUNGRY: Final = 8
"""Along a shortest path to food over cells that are empty now; without one, `ROOMY`."""

DEATH: Final = 0
DRAW: Final = 1
WIN: Final = 2
MEAL: Final = 3
EVENTS: Final = ("death", "draw", "win", "meal")
"""What may happen in a rollout; the indices have the names above."""
EVENT_COUNT: Final = len(EVENTS)


class FitnessWeights(NamedTuple):
    """What a rollout of T turns is scored by."""

    discount: Floats
    """[T] the factor of what happens in that turn."""
    leaf_share: Floats
    """[T] the factor of the evaluation after that turn; where it is 0 the board is not evaluated."""
    events: Floats
    """[EVENTS] the score of each, before the discount."""
    leaf: LeafWeights


class Scratch(NamedTuple):
    """What rollouts write to, for S snakes on C cells of the frame, T turns."""

    context: FloodContext
    territory: Records
    """[S] what `territory` finds."""
    terms: Floats
    """[terms of the evaluation]"""
    moves: Ints
    """[S] the moves of a turn."""
    played: Genes
    """[T] the moves of all turns, where they are not written back."""
    visited: Ints
    """[C + S] marks of a breadth-first search."""
    queue: Ints
    """[C + S]"""
    rng: Rng


class Breeding(NamedTuple):
    """How the next generation is made: the size of a tournament, and probabilities."""

    tournament: int
    """Individuals drawn, of which the fittest becomes a parent."""
    elite_parent: float
    """That the parent is one of the elite, whatever its fitness."""
    crossover: float
    """Of a second parent: one-point crossover."""
    renewal: float
    """Of mutation by replacing all genes from a turn on by one rule."""
    insertion: float
    """Of mutation by one more gene; the last is dropped."""
    deletion: float
    """Of mutation by one gene less, with `FREE` at the end. Else one gene becomes `FREE`."""


FITNESS_WEIGHTS = tuple_type(FitnessWeights, float64[::1], float64[::1], float64[::1], LEAF_WEIGHTS)
SCRATCH = tuple_type(
    Scratch,
    *(
        FLOOD_CONTEXT,
        TERRITORY_TABLE,
        float64[::1],
        int64[::1],
        uint8[::1],
        int64[::1],
        int64[::1],
        int64[::1],
    ),
)
BREEDING = tuple_type(Breeding, int64, *[float64] * 5)


@inlined
def survivable(state: State, i: int, cell: int) -> bool:
    """Is a move to the cell not sure to be deadly? No wall, no segment that stays, enough health."""
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


@inlined
def _smart(state: State, i: int, survivable_moves: int) -> int:
    """The best of the moves (a bitmask) by a one-ply heuristic; the first of equals.

    Its figures are by hand, untested: a dead end counts most, then food to the hungry, heads that are not
    weaker, food to others, free neighbours; the middle and weaker heads decide between moves else alike.
    """
    head = state.snakes[i].head & INDEX_MASK
    length, stride = state.snakes[i].length, state.rules[0].stride
    hungry = state.snakes[i].health < 30
    best, best_score = 0, -1e9
    for move in range(4):
        if survivable_moves >> move & 1 == 0:
            continue
        cell = state.neighbours[head, move]
        free_neighbours = 0
        for beyond in range(4):
            if state.occupancy[state.neighbours[cell, beyond]] == 0:
                free_neighbours += 1
        score = 6.0 * free_neighbours - off_centre(state, cell)
        if free_neighbours == 0:
            score -= 300.0
        if state.food[cell] != 0:
            score += 250.0 if hungry else 50.0
        for j in range(state.snakes.shape[0]):
            if j != i and state.snakes[j].cause <= 0:
                apart = abs(cell - state.snakes[j].head)
                if apart == 1 or apart == stride:
                    score += 5.0 if state.snakes[j].length < length else -120.0
        if score > best_score:
            best, best_score = move, score
    return best


@inlined
def _roomy(state: State, i: int, survivable_moves: int, visited: Ints, queue: Ints) -> int:
    """The move into the largest region; of equals the one with the fewest free neighbours."""
    head = state.snakes[i].head & INDEX_MASK
    visited[:] = 0
    best, best_score = 0, -1.0
    for move in range(4):
        if survivable_moves >> move & 1 == 0:
            continue
        start = state.neighbours[head, move] & INDEX_MASK
        if visited[start] == 0:
            queue[0] = start
            visited[start] = -1
            at, end = 0, 1
            while at < end:
                cell = queue[at] & INDEX_MASK
                at += 1
                for beyond in range(4):
                    neighbour = state.neighbours[cell, beyond]
                    if visited[neighbour] == 0 and state.occupancy[neighbour] == 0:
                        visited[neighbour] = -1
                        queue[end] = neighbour
                        end += 1
            for place in range(end):
                visited[queue[place] & INDEX_MASK] = end
        score = 8.0 * visited[start]
        for beyond in range(4):
            if state.occupancy[state.neighbours[start, beyond]] == 0:
                score -= 1.0
        if score > best_score:
            best, best_score = move, score
    return best


@inlined
def _hungry(state: State, i: int, survivable_moves: int, visited: Ints, queue: Ints) -> int:
    """The first move of a shortest path to food; -1 where none can be reached."""
    head = state.snakes[i].head & INDEX_MASK
    visited[:] = 0
    visited[head] = 5
    end = 0
    for move in range(4):
        start = state.neighbours[head, move] & INDEX_MASK
        if survivable_moves >> move & 1 and visited[start] == 0:
            visited[start] = move + 1
            queue[end] = start
            end += 1
    at = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        if state.food[cell] != 0:
            return int(visited[cell] - 1)
        for beyond in range(4):
            neighbour = state.neighbours[cell, beyond]
            if visited[neighbour] == 0 and state.occupancy[neighbour] == 0:
                visited[neighbour] = visited[cell]
                queue[end] = neighbour
                end += 1
    return -1


@inlined
def decode(state: State, i: int, gene: int, scratch: Scratch) -> int:
    """The move that a gene stands for on this board."""
    head = state.snakes[i].head & INDEX_MASK
    survivable_moves, count, only = 0, 0, 0
    for move in range(4):
        if survivable(state, i, state.neighbours[head, move]):
            survivable_moves |= 1 << move
            count += 1
            only = move
    if gene < FREE and survivable_moves >> gene & 1:
        return gene
    if count == 0:
        return _unobstructed(state, head)
    if count == 1:
        return only
    if gene <= FREE:
        return _nth_move(survivable_moves, below(scratch.rng, count) if gene == FREE else gene % count)
    return _decode_rule(state, i, gene, survivable_moves, scratch)


@inlined
def _unobstructed(state: State, head: int) -> int:
    """The first move that runs into no segment and no wall, if it has to die of something else; else up."""
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            return move
    return 0


@inlined
def _nth_move(moves: int, n: int) -> int:
    """The n-th move of a bitmask, counted from 0."""
    for move in range(4):
        if moves >> move & 1:
            if n == 0:
                return move
            n -= 1
    return 0


@inlined
def _decode_rule(state: State, i: int, rule: int, survivable_moves: int, scratch: Scratch) -> int:
    """The move that a rule other than `FREE` picks, where there are two or three."""
    if rule == STRAIGHT:
        move = straight(state, i)
        if survivable_moves >> move & 1:
            return move
    if rule == HUNGRY:
        move = _hungry(state, i, survivable_moves, scratch.visited, scratch.queue)
        if move >= 0:
            return move
    if rule >= ROOMY:
        return _roomy(state, i, survivable_moves, scratch.visited, scratch.queue)
    return _smart(state, i, survivable_moves)


@inlined_once
def _roll_out(
    state: State,
    weights: FitnessWeights,
    scratch: Scratch,
    me: int,
    genome: Genes,
    others: Genes,
    played: Genes,
    terms: Floats,
) -> None:
    """Play one genome to its end or that of the game."""
    moves = scratch.moves
    terms[:] = 0.0
    for t in range(genome.shape[0]):
        for i in range(moves.shape[0]):
            if state.snakes[i].cause <= 0:
                moves[i] = decode(state, i, genome[t] if i == me else others[i, t], scratch)
        played[t] = moves[me]
        length = state.snakes[me].length
        play_turn(state, moves)
        discount = weights.discount[t]
        if state.snakes[me].cause > 0:
            drawn = state.totals[0].living == 0 and state.rules[0].solo == 0
            event = DRAW if drawn else DEATH
            terms[event] += discount * weights.events[event]
            break
        if state.rules[0].constrictor == 0 and state.snakes[me].length > length:
            terms[MEAL] += discount * weights.events[MEAL]
        if is_over(state):
            terms[WIN] += discount * weights.events[WIN]
            break
        share = weights.leaf_share[t]
        if share > 0.0:
            evaluate(state, scratch.context, me, weights.leaf, scratch.territory, scratch.terms)
            for term in range(scratch.terms.shape[0]):
                terms[EVENT_COUNT + term] += share * scratch.terms[term]


@kernel(
    void(
        *(STATE_STACK, FITNESS_WEIGHTS, SCRATCH, int64, uint8[:, ::1], uint8[:, :, ::1]),
        float64[:, :, ::1],
    )
)
def roll_out(
    stack: StateStack,
    weights: FitnessWeights,
    scratch: Scratch,
    me: int,
    genomes: Genes,
    scenarios: Genes,
    terms: Floats,
) -> None:
    """Play each genome of snake `me` against each scenario; `stack` is a `root_and_scratch`.

    `scenarios[s, i, t]` is the gene of snake `i` at turn `t`. `terms[g, s]` becomes the score of genome `g`
    in scenario `s` by events, then by terms of the evaluation. The genomes are rewritten to the moves that
    they stood for in the first scenario.
    """
    stack = borrowed(stack)
    root, state = state_at(stack, 0), state_at(stack, 1)
    weights, scratch = borrowed(weights), borrowed(scratch)
    for g in range(genomes.shape[0]):
        for s in range(scenarios.shape[0]):
            restore_state(state, root)
            # The genome itself is rewritten as it is played.
            played = genomes[g] if s == 0 else scratch.played
            _roll_out(state, weights, scratch, me, genomes[g], scenarios[s], played, terms[g, s])


@inlined
def _select(fitness: Floats, tournament: int, rng: Rng) -> int:
    """Tournament selection: the fittest of some drawn with replacement, the first drawn of equals."""
    best = below(rng, fitness.shape[0])
    for _ in range(tournament - 1):
        other = below(rng, fitness.shape[0])
        if fitness[other] > fitness[best]:
            best = other
    return int(best)


@inlined
def _mutate(genome: Genes, breeding: Breeding, rng: Rng) -> None:
    """One mutation, of a kind that is drawn."""
    last = genome.shape[0] - 1
    # Early moves matter more: the lesser of two draws.
    at = min(below(rng, last + 1), below(rng, last + 1))
    kind = unit(rng) - breeding.renewal
    if kind < 0.0:
        genome[at:] = FREE if unit(rng) < 0.6 else SMART + below(rng, 4)
        return
    kind -= breeding.insertion
    if kind < 0.0:
        for t in range(last, at, -1):
            genome[t] = genome[t - 1]
        genome[at] = FREE
        return
    kind -= breeding.deletion
    if kind < 0.0:
        for t in range(at, last):
            genome[t] = genome[t + 1]
        genome[last] = FREE
        return
    genome[at] = FREE


@kernel(void(uint8[:, ::1], float64[::1], uint8[:, ::1], int64[::1], BREEDING, int64[::1]))
def breed(
    parents: Genes, fitness: Floats, children: Genes, elite: Ints, breeding: Breeding, rng: Rng
) -> None:
    """The next generation: the parents of the rows `elite` as they are, then offspring."""
    genes = parents.shape[1]
    for row in range(children.shape[0]):
        if row < elite.shape[0]:
            copy_into(children[row], parents[elite[row]])
            continue
        if unit(rng) < breeding.elite_parent:
            one = elite[below(rng, elite.shape[0])]
        else:
            one = _select(fitness, breeding.tournament, rng)
        copy_into(children[row], parents[one])
        if unit(rng) < breeding.crossover:
            two = _select(fitness, breeding.tournament, rng)
            for t in range(below(rng, genes), genes):
                children[row, t] = parents[two, t]
        _mutate(children[row], breeding, rng)
