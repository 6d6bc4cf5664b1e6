"""The populations: how they begin, what they are evaluated against, and what is carried to the next turn.

Each of the snakes that matter has a population of genomes. Yours are evaluated in several scenarios: joint
plans made of the best reply that each rival has found for each of its first moves, and one in which all
others play by the rule `SMART`. Those of a rival are evaluated against your best. So nobody plans against one
guess at what the others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.battlesnake.evaluation import TERMS as EVALUATION_TERMS
from engines.battlesnake.evaluation import Weights, leaf_weights
from engines.battlesnake.evolution.genome import (
    EVENTS,
    FREE,
    HUNGRY,
    ROOMY,
    SMART,
    Breeding,
    FitnessWeights,
    Genes,
    Scratch,
    breed,
    roll_out,
)
from engines.battlesnake.position import MOVES, OFFSETS, Cell, Position, Snake
from engines.battlesnake.state import Floats, State, pack, root_and_scratch
from engines.battlesnake.territory.context import flood_context, territory_table, uses_bitboards
from engines.core.rng import Rng, seeded

TERMS: Final = EVENTS + EVALUATION_TERMS
"""What a fitness is the sum of."""

_SLICE: Final = 1_000
"""Turns of one snake, times the share of a usual board's cells, that are played in about a quarter of a
millisecond, evaluations included."""
_USUAL_CELLS: Final = 192
"""Cells of the frame of an 11x11 board, rounded up."""
_CELL_BY_CELL: Final = 2.5
"""How much longer a turn takes where territory is not counted on bitboards."""


@dataclass(frozen=True, slots=True)
class EvolutionConfig:
    """Every figure of the evolution by its name."""

    population: int = 24
    genotype: int = 20
    """Genes of a genome: turns that are planned ahead."""
    evolutions: int = 100_000
    """Generations bred after the first."""
    rivals: int = 3
    """Nearest others that have a population of their own; the rest play by `SMART`."""
    rival_population: int = 10
    replies: int = 3
    """Scenarios made of the rivals' best, one for each of their first moves."""
    foresight: int = 6
    """Turns that a rival plays by its genome in a scenario, before it plays by `SMART`."""
    wariness: float = 0.2
    """Weight of the worst scenario; the rest of the fitness is the mean of all."""
    tournament: int = 2
    """Individuals drawn for a tournament."""
    elite: int = 2
    """Fittest individuals that live on, besides the fittest of each first move."""
    crossover: float = 0.3
    """Probability of a second parent."""
    renewal: float = 0.35
    """Probability that all genes from some turn on are replaced by one rule."""
    insertion: float = 0.1
    """Probability of one more gene, the last being dropped."""
    deletion: float = 0.1
    """Probability of one gene less. Else one gene becomes free."""
    elite_parent: float = 0.2
    """Probability that the parent is one of the elite, whatever its fitness."""
    death: float = 100.0
    """What a death costs; this and the next three are discounted by the turn."""
    draw: float = 0.0
    """The score when all that are left die at once. Not the search's -60: by hand, untested."""
    win: float = 100.0
    meal: float = 1.0
    discount: float = 0.95
    """Factor by which events and evaluations count less for each turn before them."""
    stride: int = 5
    """Turns between two evaluations in a rollout; their discounted mean counts."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The populations as they stood when the move of `turn` was given; at most some kilobytes."""

    game: str
    you: str
    turn: int
    size: tuple[int, int]
    genotype: int
    heads: Mapping[str, Cell]
    genomes: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Individual:
    """The fittest of those with the same first move. `fitness` is the sum of `terms`."""

    moves: tuple[str, ...]
    fitness: float
    terms: Mapping[str, float]
    low: float
    """The score in the worst scenario."""
    mean: float
    """The mean score of all scenarios."""


class _Population:
    """The genomes of one snake, the fittest first once they have been evaluated."""

    def __init__(self, snake: int, size: int, genes: int) -> None:
        self.snake = snake
        self.genomes: Genes = np.full((size, genes), FREE, np.uint8)
        self.offspring: Genes = np.zeros_like(self.genomes)
        self.fitness: Floats = np.zeros(size, np.float64)
        self.terms: Floats = np.zeros((size, 1, len(TERMS)), np.float64)
        """[individuals, scenarios, TERMS]"""
        self.fittest: list[int] = [0]
        """The fittest row of each first move, the fittest of all first."""

    def sort(self) -> None:
        """Bring the rows into the order of their fitness."""
        order = np.argsort(-self.fitness, kind="stable")
        self.genomes, self.fitness = self.genomes[order], self.fitness[order]
        self.terms = self.terms[order]
        first: dict[int, int] = {}
        for row, gene in enumerate(self.genomes[:, 0].tolist()):
            first.setdefault(gene, row)
        self.fittest = list(first.values())


class Evolution:
    """Populations that `advance` evolves, by a slice of less than a millisecond at a time.

    The position must have you on the board and not be over. `moves` are those that your plans may begin with,
    `weights` those of the evaluation. A memory of another game, snake or board, or of too long ago, is not
    used; what a good one holds is evaluated anew anyway.
    """

    def __init__(
        self,
        position: Position,
        config: EvolutionConfig,
        weights: Weights,
        moves: Sequence[str],
        seed: int,
        memory: object,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to play for")
        self._config = config
        self._position = position
        root = pack(position)
        self._stack = root_and_scratch(root)
        self._rng: Rng = seeded(seed)
        self._weights = _fitness_weights(config, weights, position)
        self._breeding = Breeding(
            config.tournament,
            float(config.elite_parent),
            float(config.crossover),
            float(config.renewal),
            float(config.insertion),
            float(config.deletion),
        )
        self._scratch = _scratch(root, config.genotype, self._rng)
        snakes = len(position.snakes)
        usual = max(1.0, len(root.occupancy) / _USUAL_CELLS)
        cost = usual * (1.0 if uses_bitboards(self._scratch.context) else _CELL_BY_CELL)
        self._rollouts = max(1, int(_SLICE / (config.genotype * snakes * cost)))
        """Rollouts in a slice."""
        # On a large or crowded board smaller populations, so that a generation does not outlast a move.
        largest = max(8, 8 * self._rollouts)
        self._mine = _Population(position.snakes.index(me), min(config.population, largest), config.genotype)
        self._rivals = [
            _Population(position.snakes.index(snake), min(config.rival_population, largest), config.genotype)
            for snake in _nearest(position, me)[: config.rivals]
        ]
        self.generations = 0
        self.carried = 0
        """Turns by which remembered populations were shifted, 0 for new ones."""
        self.found: dict[str, Individual] = {}
        """By first move the fittest individual of the last generation."""
        self._suggestions: list[Sequence[str]] = []
        self._initialize(moves, memory)
        self._slices = self._run()

    @property
    def finished(self) -> bool:
        """Have all generations been evaluated?"""
        return self.generations > self._config.evolutions

    def advance(self) -> None:
        """Work for a slice."""
        next(self._slices)

    def suggest(self, moves: Sequence[str]) -> None:
        """Have a sequence of moves tried in the next generation."""
        self._suggestions = [*self._suggestions[-1:], moves]

    def memory(self) -> Memory:
        """What to pass to the evolution of the next turn."""
        position = self._position
        return Memory(
            position.game,
            position.you,
            position.turn,
            (position.width, position.height),
            self._config.genotype,
            {snake.id: snake.head for snake in position.snakes},
            {position.snakes[one.snake].id: one.genomes.tobytes() for one in self._populations},
        )

    @property
    def _populations(self) -> list[_Population]:
        return [self._mine, *self._rivals]

    def _initialize(self, moves: Sequence[str], memory: object) -> None:
        """The first genomes: remembered ones, then each rule after each first move, then random ones."""
        position, genes = self._position, self._config.genotype
        remembered = memory if isinstance(memory, Memory) and self._fits(memory) else None
        if remembered is not None:
            self.carried = position.turn - remembered.turn
        for one in self._populations:
            mine = one is self._mine
            snake = position.snakes[one.snake]
            first_moves = [MOVES.index(move) for move in moves] if mine else list(range(4))
            rules = (HUNGRY, ROOMY, SMART) if mine else (SMART,)
            seeds = [[first, *[rule] * (genes - 1)] for rule in rules for first in first_moves]
            kept = _shifted(position, snake, remembered) if remembered is not None else one.genomes[:0]
            size = len(one.genomes)
            # Remembered genomes leave room for one of each rule.
            kept = kept[: max(0, size - len(seeds))]
            one.genomes[: len(kept)] = kept
            seeds = seeds[: size - len(kept)]
            if seeds:
                one.genomes[len(kept) : len(kept) + len(seeds)] = seeds
            for row in range(len(kept) + len(seeds), size):
                one.genomes[row, 0] = first_moves[row % len(first_moves)]

    def _fits(self, memory: Memory) -> bool:
        """Is it of this game, and of few enough turns ago?"""
        position, genes = self._position, self._config.genotype
        return (
            (memory.game, memory.you) == (position.game, position.you)
            and memory.size == (position.width, position.height)
            and memory.genotype == genes
            and 1 <= position.turn - memory.turn < genes
        )

    def _run(self) -> Iterator[None]:
        """Evaluate and breed all populations in turn, without end; a yield is the end of a slice."""
        while True:
            for rival in self._rivals:
                yield from self._evaluate(rival, self._scenarios_of(rival))
            yield from self._evaluate(self._mine, self._my_scenarios())
            self.found = self._fittest()
            self.generations += 1
            yield
            for one in self._populations:
                self._breed(one)

    def _breed(self, one: _Population) -> None:
        elite = [*one.fittest, *(row for row in range(self._config.elite) if row not in one.fittest)]
        rows = np.array(elite[: len(one.genomes)], np.int64)
        breed(one.genomes, one.fitness, one.offspring, rows, self._breeding, self._rng)
        one.genomes, one.offspring = one.offspring, one.genomes
        if one is self._mine:
            room = len(one.genomes) - len(elite)
            for row, moves in enumerate(self._suggestions[:room], 1):
                one.genomes[-row] = self._encode(moves)
            self._suggestions = []

    def _encode(self, moves: Sequence[str]) -> list[int]:
        """Moves as genes; what they leave open is played by `SMART`."""
        genes = [MOVES.index(move) for move in moves[: self._config.genotype]]
        return genes + [SMART] * (self._config.genotype - len(genes))

    def _evaluate(self, one: _Population, scenarios: Genes) -> Iterator[None]:
        """Play a population's genomes in the scenarios, and sort them by fitness."""
        size = len(one.genomes)
        one.terms = np.zeros((size, len(scenarios), len(TERMS)), np.float64)
        step = max(1, self._rollouts // len(scenarios))
        for first in range(0, size, step):
            if first:
                yield
            rows = slice(first, first + step)
            roll_out(
                self._stack,
                self._weights,
                self._scratch,
                one.snake,
                one.genomes[rows],
                scenarios,
                one.terms[rows],
            )
        scores = one.terms.sum(axis=2)
        wariness = self._config.wariness
        one.fitness = wariness * scores.min(axis=1) + (1 - wariness) * scores.mean(axis=1)
        one.sort()

    def _smart_scenario(self) -> Genes:
        """A scenario in which everybody plays by `SMART`."""
        return np.full((len(self._position.snakes), self._config.genotype), SMART, np.uint8)

    def _my_scenarios(self) -> Genes:
        """What yours are evaluated against: the rivals' best for each of their first moves, then `SMART`."""
        most = max((len(rival.fittest) for rival in self._rivals), default=0)
        known = slice(self._config.foresight)
        scenarios = []
        for rank in range(min(self._config.replies, most)):
            scenario = self._smart_scenario()
            for rival in self._rivals:
                row = rival.fittest[rank % len(rival.fittest)]
                scenario[rival.snake, known] = rival.genomes[row, known]
            scenarios.append(scenario)
        scenarios.append(self._smart_scenario())
        return np.array(scenarios)

    def _scenarios_of(self, rival: _Population) -> Genes:
        """What a rival's are evaluated against: your two best by first move, with the others' best."""
        scenarios = []
        for row in self._mine.fittest[:2]:
            scenario = self._smart_scenario()
            for other in self._populations:
                if other is not rival:
                    scenario[other.snake] = other.genomes[row if other is self._mine else 0]
            scenarios.append(scenario)
        return np.array(scenarios)

    def _fittest(self) -> dict[str, Individual]:
        """The fittest individual of each first move."""
        found, mine, wariness = {}, self._mine, self._config.wariness
        for row in mine.fittest:
            by_scenario = mine.terms[row]
            scores = by_scenario.sum(axis=1)
            low = int(np.argmin(scores))
            terms = wariness * by_scenario[low] + (1 - wariness) * by_scenario.mean(axis=0)
            genes = mine.genomes[row].tolist()
            found[MOVES[genes[0]]] = Individual(
                tuple(MOVES[gene] for gene in genes[: self._moves_on_board(genes)]),
                float(mine.fitness[row]),
                dict(zip(TERMS, terms.tolist(), strict=True)),
                float(scores[low]),
                float(scores.mean()),
            )
        return found

    def _moves_on_board(self, genes: list[int]) -> int:
        """How many genes, at least one, are moves that stay on the board: those after a death are none."""
        me = self._position.me
        assert me is not None
        cell = me.head
        for t, gene in enumerate(genes):
            if gene >= FREE:
                return t
            cell = self._position.destination(cell, OFFSETS[gene])
            if t and not self._position.contains(cell):
                return t
        return len(genes)


def _fitness_weights(config: EvolutionConfig, weights: Weights, position: Position) -> FitnessWeights:
    """What rollouts from a position are scored by."""
    turns = np.arange(config.genotype)
    discount = config.discount**turns
    evaluated = (turns + 1) % config.stride == 0
    evaluated[-1] = True
    share = np.zeros(config.genotype, np.float64)
    share[evaluated] = discount[evaluated] / discount[evaluated].sum()
    events = np.array([-config.death, config.draw, config.win, config.meal], np.float64)
    return FitnessWeights(discount.astype(np.float64), share, events, leaf_weights(weights, position))


def _scratch(root: State, genes: int, rng: Rng) -> Scratch:
    """What rollouts from a state write to."""
    snakes = len(root.snakes)
    cells = len(root.occupancy) + snakes
    return Scratch(
        flood_context(root),
        territory_table(root),
        np.zeros(len(EVALUATION_TERMS), np.float64),
        np.zeros(snakes, np.int64),
        np.zeros(genes, np.uint8),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        rng,
    )


def _nearest(position: Position, me: Snake) -> list[Snake]:
    """The others, the nearest head first."""

    def distance(snake: Snake) -> int:
        steps = [abs(one - two) for one, two in zip(snake.head, me.head, strict=True)]
        if position.wrapped:
            sides = (position.width, position.height)
            steps = [min(step, side - step) for step, side in zip(steps, sides, strict=True)]
        return sum(steps)

    return sorted((snake for snake in position.snakes if snake is not me), key=distance)


def _shifted(position: Position, snake: Snake, memory: Memory) -> Genes:
    """A snake's remembered genomes without the genes of the turns played since, those first that led to where
    it stands now."""
    genes, passed = memory.genotype, position.turn - memory.turn
    raw, head = memory.genomes.get(snake.id), memory.heads.get(snake.id)
    if raw is None or head is None:
        return np.zeros((0, genes), np.uint8)
    genomes = np.frombuffer(raw, np.uint8).reshape(-1, genes)
    right = [_destination(position, head, genome[:passed].tolist()) == snake.head for genome in genomes]
    order = np.argsort(np.logical_not(right), kind="stable")
    shifted = np.full(genomes.shape, FREE, np.uint8)
    shifted[:, :-passed] = genomes[order, passed:]
    return shifted


def _destination(position: Position, cell: Cell, genes: list[int]) -> Cell | None:
    """Where the moves lead from a cell; None where a gene is no move."""
    for gene in genes:
        if gene >= FREE:
            return None
        cell = position.destination(cell, OFFSETS[gene])
    return cell
