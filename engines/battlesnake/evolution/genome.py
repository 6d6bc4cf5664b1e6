"""Lines of words: how a gene becomes a word that can be played, what a line is worth, how lines breed.

A gene is a word, or a rule that picks one. Whatever it is, what comes of it is one of the words that
are not sure to be deadly at that step, where there is one: no gene runs back into the neck. A word
that is not open there stands for the open one of its index. A line's rules are written over by the
words that they picked in its first playing, so what is bred further is words.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.battlesnake.evaluation import worth
from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.rules import NATURAL, is_over, rewind, turn
from engines.battlesnake.state import (
    CAUSE,
    CHANGING,
    CONSTRICTOR,
    DAMAGE,
    HEAD,
    HEALTH,
    LENGTH,
    LIVING,
    SIGNATURE,
    SOLO,
    STRIDE,
    Cells,
    Floats,
    Ints,
    Shorts,
    World,
)
from engines.battlesnake.territory.context import CHART, Chart
from engines.core.jit import borrowed, fused, kernel
from engines.core.rng import State, below, unit

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
def survivable(world: World, i: int, cell: int) -> bool:
    """Is a step onto the cell not sure to be deadly: no wall or body that stays, no hunger, no hazard?"""
    if world.taken[cell] != 0:
        return False
    if world.food[cell] != 0:
        return True
    health = world.snakes[i, HEALTH] - 1
    layers = world.ground[cell]
    if layers > 0:
        # The first layer brings health into 0..100; from there on the layers only add up.
        health = min(100, health - world.rules[DAMAGE])
        if health > 0:
            health -= (layers - 1) * world.rules[DAMAGE]
    return bool(health > 0)


@fused
def _smart(world: World, i: int, open_words: int) -> int:
    """The best of the open words by one ply; the first of equals."""
    head = world.snakes[i, HEAD] & NATURAL
    length, stride = world.snakes[i, LENGTH], world.rules[STRIDE]
    hungry = world.snakes[i, HEALTH] < 30
    best, most = 0, -1e9
    for word in range(4):
        if open_words >> word & 1 == 0:
            continue
        cell = world.exits[head, word]
        room = 0
        for beyond in range(4):
            if world.taken[world.exits[cell, beyond]] == 0:
                room += 1
        worth = 6.0 * room - off_centre(world, cell)
        if room == 0:
            worth -= 300.0
        if world.food[cell] != 0:
            worth += 250.0 if hungry else 50.0
        for j in range(world.snakes.shape[0]):
            if j != i and world.snakes[j, CAUSE] <= 0:
                apart = abs(cell - world.snakes[j, HEAD])
                if apart == 1 or apart == stride:
                    worth += 5.0 if world.snakes[j, LENGTH] < length else -120.0
        if worth > most:
            best, most = word, worth
    return best


@fused
def _roomy(world: World, i: int, open_words: int, seen: Ints, queue: Ints) -> int:
    """The open word into the largest region; of equals the one with the fewest ways on."""
    head = world.snakes[i, HEAD] & NATURAL
    seen[:] = 0
    best, most = 0, -1.0
    for word in range(4):
        if open_words >> word & 1 == 0:
            continue
        start = world.exits[head, word] & NATURAL
        if seen[start] == 0:
            queue[0] = start
            seen[start] = -1
            at, end = 0, 1
            while at < end:
                cell = queue[at] & NATURAL
                at += 1
                for beyond in range(4):
                    beside = world.exits[cell, beyond]
                    if seen[beside] == 0 and world.taken[beside] == 0:
                        seen[beside] = -1
                        queue[end] = beside
                        end += 1
            for place in range(end):
                seen[queue[place] & NATURAL] = end
        worth = 8.0 * seen[start]
        for beyond in range(4):
            if world.taken[world.exits[start, beyond]] == 0:
                worth -= 1.0
        if worth > most:
            best, most = word, worth
    return best


@fused
def _hungry(world: World, i: int, open_words: int, seen: Ints, queue: Ints) -> int:
    """The open word that begins a shortest way to food; -1 where no food can be reached."""
    head = world.snakes[i, HEAD] & NATURAL
    seen[:] = 0
    seen[head] = 5
    end = 0
    for word in range(4):
        start = world.exits[head, word] & NATURAL
        if open_words >> word & 1 and seen[start] == 0:
            seen[start] = word + 1
            queue[end] = start
            end += 1
    at = 0
    while at < end:
        cell = queue[at] & NATURAL
        at += 1
        if world.food[cell] != 0:
            return int(seen[cell] - 1)
        for beyond in range(4):
            beside = world.exits[cell, beyond]
            if seen[beside] == 0 and world.taken[beside] == 0:
                seen[beside] = seen[cell]
                queue[end] = beside
                end += 1
    return -1


@fused
def _word(world: World, i: int, gene: int, rng: State, places: Ints) -> int:
    """What a gene makes the snake do here."""
    head = world.snakes[i, HEAD] & NATURAL
    open_words, count, only = 0, 0, 0
    for word in range(4):
        if survivable(world, i, world.exits[head, word]):
            open_words |= 1 << word
            count += 1
            only = word
    if gene < FREE and open_words >> gene & 1:
        return gene
    if count <= 1:
        if count == 0:
            for word in range(4):
                if world.taken[world.exits[head, word]] == 0:
                    return word
        return only
    if gene <= FREE:
        skip = below(rng, count) if gene == FREE else gene % count
        for word in range(4):
            if open_words >> word & 1:
                if skip == 0:
                    return word
                skip -= 1
    if gene == STRAIGHT:
        word = straight(world, i)
        if open_words >> word & 1:
            return word
    if gene == HUNGRY:
        word = _hungry(world, i, open_words, places[0], places[1])
        if word >= 0:
            return word
    if gene >= ROOMY:
        return _roomy(world, i, open_words, places[0], places[1])
    return _smart(world, i, open_words)


@kernel(
    f"void({SIGNATURE}, {CHANGING}, int64, uint8[:,::1], int64, int64, uint8[:,:,::1], float64[:,::1],"
    f" float64[::1], float64[::1], float64[::1], int64[::1], int64[:,::1], {CHART}, int64[:,::1],"
    " int64[::1], float64[:,:,::1])"
)
def play_lines(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    own_snakes: Ints,
    own_rings: Cells,
    own_taken: Shorts,
    own_food: Shorts,
    own_tally: Ints,
    who: int,
    lines: Genes,
    first: int,
    last: int,
    others: NDArray[np.uint8],
    schedule: Floats,
    events: Floats,
    factors: Floats,
    terms: Floats,
    words: Ints,
    steps: Ints,
    places: Ints,
    plan: Ints,
    meals: Ints,
    blocked: Ints,
    notes: Ints,
    marks: Ints,
    trails: Ints,
    reach: Ints,
    rng: State,
    parts: NDArray[np.float64],
) -> None:
    """Play the lines `first` to `last - 1` of snake `who` against each row of `others`.

    `others[s, i, t]` is what snake `i` does at turn `t` in the scenario `s`. `schedule` has for each
    turn the discount of what happens in it, and the share of the leaf's value after it. `parts[line, s]`
    becomes what it came to: the events, then the leaf's terms.
    """
    root = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    world = borrowed(World(own_snakes, own_rings, own_taken, own_food, own_tally, ground, exits, rules))
    chart = borrowed(Chart(places, plan, meals, blocked, notes, marks, trails))
    for row in range(first, last):
        for scenario in range(others.shape[0]):
            rewind(world, root)
            part = parts[row, scenario]
            part[:] = 0.0
            for t in range(lines.shape[1]):
                for i in range(words.shape[0]):
                    if world.snakes[i, CAUSE] > 0:
                        continue
                    gene = lines[row, t] if i == who else others[scenario, i, t]
                    words[i] = _word(world, i, gene, rng, steps)
                if scenario == 0:
                    lines[row, t] = words[who]
                length = world.snakes[who, LENGTH]
                turn(world, words)
                discount, share = schedule[0, t], schedule[1, t]
                if world.snakes[who, CAUSE] > 0:
                    kind = DRAW if world.tally[LIVING] == 0 and rules[SOLO] == 0 else DEATH
                    part[kind] += discount * events[kind]
                    break
                if rules[CONSTRICTOR] == 0 and world.snakes[who, LENGTH] > length:
                    part[ATE] += discount * events[ATE]
                if is_over(world):
                    part[WIN] += discount * events[WIN]
                    break
                if share > 0.0:
                    worth(world, chart, who, factors, reach, terms)
                    for term in range(terms.shape[0]):
                        part[EVENT_COUNT + term] += share * terms[term]


@fused
def _fitter(fitness: Floats, entrants: int, rng: State) -> int:
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
    parents: Genes, fitness: Floats, children: Genes, elite: Ints, entrants: int, chances: Floats, rng: State
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
