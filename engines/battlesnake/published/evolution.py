"""The document's rolling-horizon evolution: lines of your own words, bred against a guess at the others.

A line is `genotype` words, played by the exact rules while every other snake follows one simple
model. A population is kept from turn to turn: the words already played are dropped from the front
of each line and new ones drawn at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import float64, int64, uint8, void
from numpy.typing import NDArray

from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.negamax import ground_balance, lead, tail_of
from engines.battlesnake.rules import INDEX_MASK, is_over, play_turn, restore_state
from engines.battlesnake.state import STATE, Floats, Ints, State, pack, scratch_copy
from engines.core.jit import borrowed, fused, inline, kernel
from engines.core.rng import State as Rng
from engines.core.rng import below, draw32, seeded, unit

Genes = NDArray[np.uint8]

STRAIGHT: Final = 0
"""All others carry on."""
SMART: Final = 1
"""All others avoid what is occupied, take food beside them, and else go for the middle."""
RANDOM: Final = 2
"""All others draw each word: once for a line, which so has its luck for good."""
TERRITORIAL: Final = 3
"""All others avoid what is occupied; of the cells nearest to them they want more, of those to you fewer."""
MODELS: Final = {"smart": SMART, "straight": STRAIGHT, "random": RANDOM, "territorial": TERRITORIAL}

_SLICE: Final = 100_000
"""Work between two looks at the clock: twenty for each word of a snake, and the cells it floods for that."""

TERMS: Final = ("dead", "alone", "health", "length", "centre")
"""What a line's fitness is made of, each summed over its turns."""
_DEAD: Final = 0
_ALONE: Final = 1
_HEALTH: Final = 2
_LENGTH: Final = 3
_CENTRE: Final = 4


@fused
def _smart(state: State, i: int) -> int:
    """One ply of another snake: not into what is occupied, onto food, to the middle; the first of equals."""
    head = state.snakes[i].head & INDEX_MASK
    hungry = state.snakes[i].health < 30
    best, most = 0, -1e9
    for move in range(4):
        cell = state.neighbours[head, move]
        evaluate = -off_centre(state, cell)
        occupied = state.occupancy[cell] != 0
        for j in range(state.snakes.shape[0]):
            # The tails of others count as walls, its own does not.
            if j != i and state.snakes[j].cause <= 0 and tail_of(state, j) == cell:
                occupied = True
        if occupied:
            evaluate -= 1000.0
        if state.food[cell] != 0:
            evaluate += 250.0 if hungry else 50.0
        if evaluate > most:
            best, most = move, evaluate
    return best


@inline
def _territorial(state: State, i: int, me: int, places: Ints) -> int:
    """One ply of another snake for ground, by the flood of the published negamax; the first of equals."""
    head = state.snakes[i].head & INDEX_MASK
    best, most = 0, -1_000_000
    for move in range(4):
        cell = state.neighbours[head, move]
        evaluate = -100_000
        if state.occupancy[cell] == 0:
            evaluate = ground_balance(state, i, me, cell, places)
        if evaluate > most:
            best, most = move, evaluate
    return best


@fused
def _model_move(state: State, i: int, me: int, model: int, places: Ints, rng: Rng) -> int:
    """What another snake does, as it is taken to behave."""
    if model == SMART:
        return _smart(state, i)
    if model == RANDOM:
        return int(below(rng, 4))
    if model == TERRITORIAL:
        return _territorial(state, i, me, places)
    return straight(state, i)


@fused
def _fitness(
    state: State, me: int, line: Genes, model: int, moves: Ints, places: Ints, rng: Rng, parts: Floats
) -> float:
    """Play a line from the present `world`, and sum up its turns; `parts` tells the sum apart.

    Turns after a death count as dead, and turns after a win as the last one did.
    """
    parts[:] = 0.0
    turns = line.shape[0]
    for t in range(turns):
        for i in range(moves.shape[0]):
            if i == me:
                moves[i] = line[t]
            elif state.snakes[i].cause <= 0:
                moves[i] = _model_move(state, i, me, model, places, rng)
        play_turn(state, moves)
        if state.snakes[me].cause > 0:
            parts[_DEAD] = -1000.0 * (turns - t)
            break
        over = is_over(state)
        times = turns - t if over else 1
        if state.totals[0].living == 1:
            parts[_ALONE] += 500.0 * times
        parts[_HEALTH] += times * state.snakes[me].health / 2
        parts[_LENGTH] += times * 10.0 * lead(state, me)
        parts[_CENTRE] -= times * off_centre(state, state.snakes[me].head)
        if over:
            break
    return float(parts[_DEAD] + parts[_ALONE] + parts[_HEALTH] + parts[_LENGTH] + parts[_CENTRE])


@fused
def _winner(fitness: Floats, entrants: int, rng: Rng) -> int:
    """The fittest of some drawn with replacement, the first drawn of equals."""
    best = below(rng, fitness.shape[0])
    for _ in range(entrants - 1):
        other = below(rng, fitness.shape[0])
        if fitness[other] > fitness[best]:
            best = other
    return int(best)


@kernel("void(uint8[:,::1], int64[::1])")
def draw(lines: Genes, rng: Rng) -> None:
    """Fill lines with words, each as likely as the next."""
    for row in range(lines.shape[0]):
        for gene in range(lines.shape[1]):
            lines[row, gene] = below(rng, 4)


@kernel("void(uint8[:,::1], float64[::1], uint8[:,::1], int64, int64, float64, int64[::1])")
def breed(
    parents: Genes, fitness: Floats, children: Genes, elite: int, entrants: int, mutation: float, rng: Rng
) -> None:
    """The next population: the first `elite` lines as they are, the rest by selection, cut and mutation."""
    genotype = parents.shape[1]
    for row in range(children.shape[0]):
        if row < elite:
            for gene in range(genotype):
                children[row, gene] = parents[row, gene]
            continue
        one = _winner(fitness, entrants, rng)
        two = _winner(fitness, entrants, rng)
        cut = below(rng, genotype)
        for gene in range(genotype):
            children[row, gene] = parents[one, gene] if gene < cut else parents[two, gene]
            if unit(rng) < mutation:
                children[row, gene] = below(rng, 4)


@kernel(
    void(
        *(STATE, STATE, int64, uint8[:, ::1], float64[::1], int64, int64[::1], int64[:, ::1], int64[::1]),
        float64[::1],
    )
)
def score(
    root: State,
    scratch: State,
    me: int,
    lines: Genes,
    fitness: Floats,
    model: int,
    moves: Ints,
    places: Ints,
    luck: Rng,
    parts: Floats,
) -> None:
    """The fitness of each line; `parts` keeps the terms of the last. `words` and `places` are scratch.

    `luck` and a line's own words tell what random others do against it.
    """
    root, state = borrowed(root), borrowed(scratch)
    moves, places, luck = borrowed((moves, places, luck))
    rng = np.empty_like(luck)
    for row in range(lines.shape[0]):
        restore_state(state, root)
        if model == RANDOM:
            rng[:] = luck
            for gene in range(lines.shape[1]):
                rng[0] = (rng[0] + lines[row, gene]) & 0xFFFFFFFF
                draw32(rng)
        fitness[row] = _fitness(state, me, lines[row], model, moves, places, rng, parts)


@dataclass(frozen=True, slots=True)
class RheaConfig:
    """The figures of the document, and of the program where it is silent."""

    population: int = 50
    evolutions: int = 400
    genotype: int = 20
    mutation: float = 0.3
    tournament: int = 3
    elite: int = 1
    model: int = SMART


@dataclass(frozen=True, slots=True)
class Memory:
    """A population as it stood when the word of `turn` was given; at most some kilobytes."""

    game: str
    you: str
    turn: int
    population: int
    genotype: int
    genes: bytes


class Evolution:
    """A population on its way; `advance` brings it on by some lines.

    The first generation is the one begun with (drawn, or carried over); `evolutions` more may
    follow. The position must have you on the board and not be over.
    """

    def __init__(self, position: Position, config: RheaConfig, seed: int, memory: object) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to play for")
        self._config = config
        self._position = position
        self._root = pack(position)
        self._world = scratch_copy(self._root)
        self._me = position.snakes.index(me)
        self._moves = np.zeros(len(position.snakes), np.int64)
        self._places = np.zeros((3, len(self._root.occupancy) + len(position.snakes)), np.int64)
        self._luck = seeded(seed, 1)
        self._rng = seeded(seed)
        shape = (config.population, config.genotype)
        self._genes = np.zeros(shape, np.uint8)
        draw(self._genes, self._rng)
        self._fitness = np.zeros(config.population, np.float64)
        self._bred, self._new = self._genes.copy(), self._fitness.copy()
        self._scored = 0
        """Lines of the bred population that have their fitness."""
        flooded = 4 * len(self._root.occupancy) if config.model == TERRITORIAL else 0
        self._slice = max(1, _SLICE // (config.genotype * len(position.snakes) * (20 + flooded)))
        self.generations = 0
        self.carried = 0
        """Turns by which a carried population was shifted, 0 for a new one."""
        if (
            isinstance(memory, Memory)
            and (memory.game, memory.you) == (position.game, position.you)
            and (memory.population, memory.genotype) == shape
            and 1 <= position.turn - memory.turn < config.genotype
        ):
            self.carried = position.turn - memory.turn
            old = np.frombuffer(memory.genes, np.uint8).reshape(shape)
            self._genes[:, : -self.carried] = old[:, self.carried :]
            self._bred = self._genes.copy()

    @property
    def finished(self) -> bool:
        """Have all evolutions been made?"""
        return self.generations > self._config.evolutions

    def advance(self) -> None:
        """Score some lines of the first population, or of the next, which is bred before: all of them, where
        that takes no longer than a millisecond or so."""
        config = self._config
        if self.generations and not self._scored:
            breed(
                self._genes,
                self._fitness,
                self._bred,
                config.elite,
                config.tournament,
                config.mutation,
                self._rng,
            )
        rows = slice(self._scored, self._scored + self._slice)
        self._score(self._bred[rows], self._new[rows])
        self._scored += self._slice
        if self._scored < config.population:
            return
        self._scored = 0
        # Carried lines keep their order, so the first elite is last turn's best whatever it is worth now.
        sort = self.generations or not self.carried
        order = np.argsort(-self._new, kind="stable") if sort else np.arange(config.population)
        self._genes, self._fitness = self._bred[order], self._new[order]
        self.generations += 1

    def generation(self) -> None:
        """The whole of the first population, or of the next."""
        before = self.generations
        while self.generations == before:
            self.advance()

    def best(self) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
        """For each word that begins a line of the population the fittest such line, and its terms."""
        found = {}
        for index, move in enumerate(MOVES):
            rows = np.flatnonzero(self._genes[:, 0] == index)
            if self.generations and len(rows):
                line = self._genes[rows[np.argmax(self._fitness[rows])]]
                found[move] = (tuple(MOVES[gene] for gene in line.tolist()), self.terms(line))
        return found

    def terms(self, line: Genes) -> dict[str, float]:
        """What the fitness of a line is made of."""
        parts = np.zeros(len(TERMS), np.float64)
        self._score(np.ascontiguousarray(line.reshape(1, -1)), np.zeros(1, np.float64), parts)
        return dict(zip(TERMS, parts.tolist(), strict=True))

    def memory(self) -> Memory:
        """What to hand in next turn."""
        rows, genotype = self._genes.shape
        position = self._position
        return Memory(position.game, position.you, position.turn, rows, genotype, self._genes.tobytes())

    def _score(self, lines: Genes, fitness: Floats, parts: Floats | None = None) -> None:
        score(
            self._root,
            self._world,
            self._me,
            lines,
            fitness,
            self._config.model,
            self._moves,
            self._places,
            self._luck,
            np.zeros(len(TERMS), np.float64) if parts is None else parts,
        )
