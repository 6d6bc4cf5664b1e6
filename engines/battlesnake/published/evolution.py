"""The published rolling-horizon evolution: plans of your own moves, bred against one model of the others.

A genome has `genotype` genes, each a move; its fitness is that of one rollout by the exact rules, in which
every other snake plays by one simple model. The population is kept from turn to turn: the genes of the turns
played are dropped from the front of each genome, and random ones added at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numba import float64, int64, uint8, void
from numpy.typing import NDArray

from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.negamax import area_balance, lead
from engines.battlesnake.rules import INDEX_MASK, is_over, play_turn, restore_state, tail_of
from engines.battlesnake.state import (
    STATE_STACK,
    Floats,
    Ints,
    State,
    StateStack,
    pack,
    root_and_scratch,
    state_at,
)
from engines.core.arrays import copy_into
from engines.core.jit import borrowed, compiled, inlined, kernel, tuple_type
from engines.core.rng import Rng, below, draw32, seeded, unit

Genes = NDArray[np.uint8]
"""[individuals, turns] or [turns]: the index of a move."""

STRAIGHT: Final = 0
"""All others go straight on."""
SMART: Final = 1
"""All others avoid what is occupied, eat food next to them, and else head for the middle."""
RANDOM: Final = 2
"""All others play at random; the same genome always meets the same moves."""
TERRITORIAL: Final = 3
"""All others avoid what is occupied; they maximise the cells nearest to them less those nearest to you."""
MODELS: Final = {"smart": SMART, "straight": STRAIGHT, "random": RANDOM, "territorial": TERRITORIAL}

_SLICE: Final = 100_000
"""Work between two readings of a clock: 20 units for each move of a snake, and one for each cell that is
flooded to choose it."""

TERMS: Final = ("dead", "alone", "health", "length", "centre")
"""What a fitness is the sum of, each summed over the turns; the indices have names:"""
_DEAD: Final = 0
_ALONE: Final = 1
_HEALTH: Final = 2
_LENGTH: Final = 3
_CENTRE: Final = 4


@inlined
def _smart(state: State, i: int) -> int:
    """The best move by a one-ply heuristic: free cells, food, the middle; the first of equals."""
    head = state.snakes[i].head & INDEX_MASK
    hungry = state.snakes[i].health < 30
    best, best_score = 0, -1e9
    for move in range(4):
        cell = state.neighbours[head, move]
        score = -off_centre(state, cell)
        occupied = state.occupancy[cell] != 0
        for j in range(state.snakes.shape[0]):
            # The tails of others count as walls, its own does not.
            if j != i and state.snakes[j].cause <= 0 and tail_of(state, j) == cell:
                occupied = True
        if occupied:
            score -= 1000.0
        if state.food[cell] != 0:
            score += 250.0 if hungry else 50.0
        if score > best_score:
            best, best_score = move, score
    return best


@compiled
def _territorial(state: State, i: int, me: int, flood: Ints) -> int:
    """The free move of the highest area balance against you; the first of equals."""
    head = state.snakes[i].head & INDEX_MASK
    best, best_score = 0, -1_000_000
    for move in range(4):
        cell = state.neighbours[head, move]
        score = -100_000
        if state.occupancy[cell] == 0:
            score = area_balance(state, i, me, cell, flood)
        if score > best_score:
            best, best_score = move, score
    return best


class Scratch(NamedTuple):
    """What rollouts write to, for S snakes on C cells of the frame."""

    moves: Ints
    """[S] the moves of a turn."""
    flood: Ints
    """[3, C + S] the arrays of a flood: owner, distance, queue."""
    rng: Rng
    """The generator of `RANDOM` others, for one rollout."""
    seed: Rng
    """What it is seeded by, with the genome; not written to."""


SCRATCH: Final = tuple_type(Scratch, int64[::1], int64[:, ::1], int64[::1], int64[::1])


@inlined
def _model_move(state: State, i: int, me: int, model: int, scratch: Scratch) -> int:
    """The move of another snake by a model."""
    if model == SMART:
        return _smart(state, i)
    if model == RANDOM:
        return int(below(scratch.rng, 4))
    if model == TERRITORIAL:
        return _territorial(state, i, me, scratch.flood)
    return straight(state, i)


@inlined
def _seed_by_genome(rng: Rng, seed: Rng, genome: Genes) -> None:
    """Make the draws of the others a function of the seed and the genome."""
    copy_into(rng, seed)
    for t in range(genome.shape[0]):
        rng[0] = (rng[0] + genome[t]) & 0xFFFFFFFF
        draw32(rng)


@inlined
def _roll_out(state: State, me: int, genome: Genes, model: int, scratch: Scratch, terms: Floats) -> float:
    """Play a genome from the present board on; its fitness, the sum of `terms`.

    Turns after a death count as dead, and turns after a win as the last one did.
    """
    moves = scratch.moves
    terms[:] = 0.0
    turns = genome.shape[0]
    for t in range(turns):
        for i in range(moves.shape[0]):
            if i == me:
                moves[i] = genome[t]
            elif state.snakes[i].cause <= 0:
                moves[i] = _model_move(state, i, me, model, scratch)
        play_turn(state, moves)
        if state.snakes[me].cause > 0:
            terms[_DEAD] = -1000.0 * (turns - t)
            break
        over = is_over(state)
        times = turns - t if over else 1
        if state.totals[0].living == 1:
            terms[_ALONE] += 500.0 * times
        terms[_HEALTH] += times * state.snakes[me].health / 2
        terms[_LENGTH] += times * 10.0 * lead(state, me)
        terms[_CENTRE] -= times * off_centre(state, state.snakes[me].head)
        if over:
            break
    return float(terms[_DEAD] + terms[_ALONE] + terms[_HEALTH] + terms[_LENGTH] + terms[_CENTRE])


@kernel(void(STATE_STACK, int64, int64, SCRATCH, uint8[:, ::1], float64[::1], float64[::1]))
def evaluate_genomes(
    stack: StateStack,
    me: int,
    model: int,
    scratch: Scratch,
    genomes: Genes,
    fitness: Floats,
    terms: Floats,
) -> None:
    """Set the fitness of each genome, and `terms` to those of the last.

    `stack` is a `root_and_scratch`.
    """
    stack = borrowed(stack)
    root, state = state_at(stack, 0), state_at(stack, 1)
    scratch = borrowed(scratch)
    for row in range(genomes.shape[0]):
        restore_state(state, root)
        if model == RANDOM:
            _seed_by_genome(scratch.rng, scratch.seed, genomes[row])
        fitness[row] = _roll_out(state, me, genomes[row], model, scratch, terms)


@kernel("void(uint8[:,::1], int64[::1])")
def randomize(genomes: Genes, rng: Rng) -> None:
    """Fill genomes with moves of equal probability."""
    for row in range(genomes.shape[0]):
        for t in range(genomes.shape[1]):
            genomes[row, t] = below(rng, 4)


@inlined
def _select(fitness: Floats, tournament: int, rng: Rng) -> int:
    """Tournament selection: the fittest of some drawn with replacement, the first drawn of equals."""
    best = below(rng, fitness.shape[0])
    for _ in range(tournament - 1):
        other = below(rng, fitness.shape[0])
        if fitness[other] > fitness[best]:
            best = other
    return int(best)


@kernel("void(uint8[:,::1], float64[::1], uint8[:,::1], int64, int64, float64, int64[::1])")
def breed(
    parents: Genes, fitness: Floats, children: Genes, elite: int, tournament: int, mutation: float, rng: Rng
) -> None:
    """The next generation: the first `elite` individuals, then offspring.

    By tournament selection, one-point crossover and mutation.
    """
    genes = parents.shape[1]
    for row in range(children.shape[0]):
        if row < elite:
            for t in range(genes):
                children[row, t] = parents[row, t]
            continue
        one = _select(fitness, tournament, rng)
        two = _select(fitness, tournament, rng)
        cut = below(rng, genes)
        for t in range(genes):
            children[row, t] = parents[one, t] if t < cut else parents[two, t]
            if unit(rng) < mutation:
                children[row, t] = below(rng, 4)


@dataclass(frozen=True, slots=True)
class RheaConfig:
    """The published figures; where the document is silent, those of the program that it describes."""

    population: int = 50
    evolutions: int = 400
    genotype: int = 20
    mutation: float = 0.3
    tournament: int = 3
    elite: int = 1
    model: int = SMART


@dataclass(frozen=True, slots=True)
class Memory:
    """A population as it stood when the move of `turn` was given; at most some kilobytes."""

    game: str
    you: str
    turn: int
    population: int
    genotype: int
    genes: bytes


class Evolution:
    """A population that `advance` evolves, by some individuals at a time.

    The first generation is random or remembered; `evolutions` more may follow. The position must have you on
    the board and not be over.
    """

    def __init__(self, position: Position, config: RheaConfig, seed: int, memory: object) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to play for")
        self._config = config
        self._position = position
        root = pack(position)
        self._stack = root_and_scratch(root)
        self._me = position.snakes.index(me)
        snakes, cells = len(position.snakes), len(root.occupancy)
        self._scratch = Scratch(
            np.zeros(snakes, np.int64),
            np.zeros((3, cells + snakes), np.int64),
            np.zeros(4, np.int64),
            seeded(seed, 1),
        )
        self._terms = np.zeros(len(TERMS), np.float64)
        self._rng = seeded(seed)
        shape = (config.population, config.genotype)
        self._genomes = np.zeros(shape, np.uint8)
        randomize(self._genomes, self._rng)
        self._fitness = np.zeros(config.population, np.float64)
        self._offspring, self._offspring_fitness = self._genomes.copy(), self._fitness.copy()
        self._evaluated = 0
        """Offspring whose fitness is known."""
        flooded = 4 * cells if config.model == TERRITORIAL else 0
        self._slice = max(1, _SLICE // (config.genotype * snakes * (20 + flooded)))
        self.generations = 0
        self.carried = 0
        """Turns by which a remembered population was shifted, 0 for a new one."""
        if (
            isinstance(memory, Memory)
            and (memory.game, memory.you) == (position.game, position.you)
            and (memory.population, memory.genotype) == shape
            and 1 <= position.turn - memory.turn < config.genotype
        ):
            self.carried = position.turn - memory.turn
            old = np.frombuffer(memory.genes, np.uint8).reshape(shape)
            self._genomes[:, : -self.carried] = old[:, self.carried :]
            self._offspring = self._genomes.copy()

    @property
    def finished(self) -> bool:
        """Have all generations been evaluated?"""
        return self.generations > self._config.evolutions

    def advance(self) -> None:
        """Evaluate some individuals of the first generation, or of the next, which is bred before: all of
        them, where that takes no longer than a millisecond or so."""
        config = self._config
        if self.generations and not self._evaluated:
            breed(
                self._genomes,
                self._fitness,
                self._offspring,
                config.elite,
                config.tournament,
                config.mutation,
                self._rng,
            )
        rows = slice(self._evaluated, self._evaluated + self._slice)
        self._evaluate(self._offspring[rows], self._offspring_fitness[rows], self._terms)
        self._evaluated += self._slice
        if self._evaluated < config.population:
            return
        self._evaluated = 0
        # A remembered generation keeps its order: its elite is last turn's, whatever its fitness is now.
        sort = self.generations or not self.carried
        order = (-self._offspring_fitness).argsort(kind="stable") if sort else np.arange(config.population)
        self._genomes, self._fitness = self._offspring[order], self._offspring_fitness[order]
        self.generations += 1

    def generation(self) -> None:
        """Evaluate the rest of the first generation, or all of the next."""
        before = self.generations
        while self.generations == before:
            self.advance()

    def best(self) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
        """By first move the moves of the fittest individual, and the terms of its fitness."""
        found = {}
        for index, move in enumerate(MOVES):
            rows = np.flatnonzero(self._genomes[:, 0] == index)
            if self.generations and len(rows):
                genome = self._genomes[rows[np.argmax(self._fitness[rows])]]
                found[move] = (tuple(MOVES[gene] for gene in genome.tolist()), self.terms(genome))
        return found

    def terms(self, genome: Genes) -> dict[str, float]:
        """What the fitness of a genome is the sum of."""
        self._evaluate(np.ascontiguousarray(genome.reshape(1, -1)), np.zeros(1, np.float64), self._terms)
        return dict(zip(TERMS, self._terms.tolist(), strict=True))

    def memory(self) -> Memory:
        """What to pass to the evolution of the next turn."""
        size, genes = self._genomes.shape
        position = self._position
        return Memory(position.game, position.you, position.turn, size, genes, self._genomes.tobytes())

    def _evaluate(self, genomes: Genes, fitness: Floats, terms: Floats) -> None:
        evaluate_genomes(
            self._stack,
            self._me,
            self._config.model,
            self._scratch,
            genomes,
            fitness,
            terms,
        )
