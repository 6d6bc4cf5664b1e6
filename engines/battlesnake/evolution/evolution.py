"""The tuned rolling-horizon evolution: your lines and your rivals' are bred against each other.

Every snake that matters has a population. Yours is valued against several joint lines of the
others: the best reply that each has found for each of its first words, and a plain one-ply player.
Theirs are valued against your best lines. So a line is not bred against one guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.battlesnake.evaluation import TERMS as LEAF
from engines.battlesnake.evaluation import Weights, factors
from engines.battlesnake.evolution.genome import (
    EVENTS,
    FREE,
    HUNGRY,
    ROOMY,
    SMART,
    Genes,
    breed,
    play_lines,
)
from engines.battlesnake.position import MOVES, OFFSETS, Cell, Position, Snake
from engines.battlesnake.state import Floats, pack, scratch_copy
from engines.battlesnake.territory.context import flood_context, territory_table, uses_bitboards
from engines.core.rng import State as Rng
from engines.core.rng import seeded

TERMS: Final = EVENTS + LEAF
"""What a line's fitness is made of."""

_SLICE = 1_000
"""Turns of two snakes on a usual board that take about a quarter of a millisecond, leaves included."""


@dataclass(frozen=True, slots=True)
class EvolutionConfig:
    """Every figure of the evolution by its name."""

    population: int = 24
    genotype: int = 20
    evolutions: int = 100_000
    rivals: int = 3
    """Nearest others that have a population of their own; the rest play by one ply."""
    rival_population: int = 10
    replies: int = 3
    """Joint lines made of the rivals' best, one for each of their first words."""
    foresight: int = 6
    """Turns that a rival plays by its line, before it plays by one ply."""
    wariness: float = 0.2
    """Weight of the worst scenario beside the mean of all."""
    tournament: int = 2
    elite: int = 2
    """Best lines that live on, beside the best for each first word."""
    crossing: float = 0.3
    """Chance of a second parent."""
    renewal: float = 0.35
    """Chance that all from one turn on is made anew."""
    insert: float = 0.1
    """Chance of one more word, and the last one dropped."""
    delete: float = 0.1
    """Chance of one word less. Else one word is drawn anew."""
    spread: float = 0.2
    """Chance that the parent is one of the elite, whatever its fitness."""
    death: float = 100.0
    """What a death costs; this and the next three are discounted by the turn."""
    draw_worth: float = 0.0
    """What it is worth when all that are left die at once."""
    win: float = 100.0
    meal: float = 1.0
    keep: float = 0.95
    """Discount of each turn."""
    stride: int = 5
    """Turns between two leaves along a line; their discounted mean counts."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The populations as they stood when the word of `turn` was given; at most some kilobytes."""

    game: str
    you: str
    turn: int
    size: tuple[int, int]
    genotype: int
    heads: Mapping[str, Cell]
    lines: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Line:
    """The best line of a first word. `fitness` is the sum of `terms`."""

    moves: tuple[str, ...]
    fitness: float
    terms: Mapping[str, float]
    low: float
    """The value in the worst scenario."""
    mean: float


class _Population:
    """The lines of one snake, best first once they have been valued."""

    def __init__(self, index: int, rows: int, genotype: int) -> None:
        self.index = index
        self.lines: Genes = np.full((rows, genotype), FREE, np.uint8)
        self.spare: Genes = np.zeros_like(self.lines)
        self.fitness: Floats = np.zeros(rows, np.float64)
        self.parts = np.zeros((rows, 1, len(TERMS)), np.float64)
        self.best: list[int] = [0]
        """The best row of each first word, the fittest first."""

    def sort(self) -> None:
        order = np.argsort(-self.fitness, kind="stable")
        self.lines, self.fitness = self.lines[order], self.fitness[order]
        self.parts = self.parts[order]
        first: dict[int, int] = {}
        for row, gene in enumerate(self.lines[:, 0].tolist()):
            first.setdefault(gene, row)
        self.best = list(first.values())


class Evolution:
    """Populations on their way; `advance` brings them on by a slice of less than a millisecond.

    The position must have you on the board and not be over. `words` are those that your lines may
    begin with, `weights` those of the leaf. A memory of another game, snake or board, or of too long ago,
    is not used; what it holds is played and valued anew anyway.
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
        self._root = pack(position)
        self._world = scratch_copy(self._root)
        self._rng: Rng = seeded(seed)
        self._moves = np.zeros(len(position.snakes), np.int64)
        self._steps = np.zeros((2, len(self._root.occupancy) + len(position.snakes)), np.int64)
        self._chart = flood_context(self._root)
        self._reach = territory_table(self._root)
        turns = np.arange(config.genotype)
        schedule = np.zeros((2, config.genotype), np.float64)
        schedule[0] = config.keep**turns
        at = (turns + 1) % config.stride == 0
        at[-1] = True
        schedule[1, at] = schedule[0, at] / schedule[0, at].sum()
        self._schedule: Floats = schedule
        self._events: Floats = np.array(
            [-config.death, config.draw_worth, config.win, config.meal], np.float64
        )
        self._factors: Floats = factors(weights, position)
        self._terms: Floats = np.zeros(len(LEAF), np.float64)
        self._chances: Floats = np.array(
            [config.crossing, config.renewal, config.insert, config.delete, config.spread], np.float64
        )
        # Rows between two looks at a clock. Leaves take longer where they are counted cell by cell.
        cells = max(1.0, len(self._root.occupancy) / 192) * (1.0 if uses_bitboards(self._chart) else 2.5)
        weight = config.genotype * len(position.snakes) * cells
        self._rows = max(1, int(_SLICE / weight))
        # On a large or crowded board fewer lines, so that a generation does not outlast a move.
        most = max(8, 8 * self._rows)
        mine = min(config.population, most)
        self._mine = _Population(position.snakes.index(me), mine, config.genotype)
        self._rivals = [
            _Population(position.snakes.index(snake), min(config.rival_population, most), config.genotype)
            for snake in _nearest(position, me)[: config.rivals]
        ]
        self.generations = 0
        self.carried = 0
        """Turns by which carried populations were shifted, 0 for new ones."""
        self.found: dict[str, Line] = {}
        self._hints: list[Sequence[str]] = []
        self._sow(moves, memory)
        self._work = self._generations()

    @property
    def finished(self) -> bool:
        """Have all evolutions been made?"""
        return self.generations > self._config.evolutions

    def advance(self) -> None:
        """Work for a slice."""
        next(self._work)

    def suggest(self, line: Sequence[str]) -> None:
        """Have a line of words tried in the next generation."""
        self._hints = [*self._hints[-1:], line]

    def memory(self) -> Memory:
        """What to hand in next turn."""
        position = self._position
        everyone = [self._mine, *self._rivals]
        return Memory(
            position.game,
            position.you,
            position.turn,
            (position.width, position.height),
            self._config.genotype,
            {snake.id: snake.head for snake in position.snakes},
            {position.snakes[one.index].id: one.lines.tobytes() for one in everyone},
        )

    def _sow(self, moves: Sequence[str], memory: object) -> None:
        """The first lines: those carried over, then by each rule for each first word."""
        position, genotype = self._position, self._config.genotype
        carried = memory if isinstance(memory, Memory) else None
        if carried is not None and (
            (carried.game, carried.you) != (position.game, position.you)
            or carried.size != (position.width, position.height)
            or carried.genotype != genotype
            or not 1 <= position.turn - carried.turn < genotype
        ):
            carried = None
        if carried is not None:
            self.carried = position.turn - carried.turn
        for one in (self._mine, *self._rivals):
            mine = one is self._mine
            snake = position.snakes[one.index]
            firsts = [MOVES.index(move) for move in moves] if mine else list(range(4))
            rules = (HUNGRY, ROOMY, SMART) if mine else (SMART,)
            seeds = [[first, *[rule] * (genotype - 1)] for rule in rules for first in firsts]
            kept = _kept(position, snake, carried) if carried is not None else one.lines[:0]
            rows = len(one.lines)
            # What is carried leaves room for a line by each rule.
            kept = kept[: max(0, rows - len(seeds))]
            one.lines[: len(kept)] = kept
            seeds = seeds[: rows - len(kept)]
            if seeds:
                one.lines[len(kept) : len(kept) + len(seeds)] = seeds
            for row in range(len(kept) + len(seeds), rows):
                one.lines[row, 0] = firsts[row % len(firsts)]

    def _generations(self) -> Iterator[None]:
        """Breed and value everybody in turn, without end; a yield is the end of a slice."""
        while True:
            for rival in self._rivals:
                yield from self._value(rival, self._against_rival(rival))
            yield from self._value(self._mine, self._against_me())
            self.found = self._tell()
            self.generations += 1
            yield
            for one in (self._mine, *self._rivals):
                self._breed(one)

    def _breed(self, one: _Population) -> None:
        elite = [*one.best, *(row for row in range(self._config.elite) if row not in one.best)]
        breed(
            one.lines,
            one.fitness,
            one.spare,
            np.array(elite[: len(one.lines)], np.int64),
            self._config.tournament,
            self._chances,
            self._rng,
        )
        one.lines, one.spare = one.spare, one.lines
        if one is self._mine:
            for row, hint in enumerate(self._hints[: len(one.lines) - len(elite)], 1):
                one.lines[-row] = self._coded(hint)
            self._hints = []

    def _coded(self, line: Sequence[str]) -> list[int]:
        """A line of words as genes; what it leaves open is played by one ply."""
        genes = [MOVES.index(move) for move in line[: self._config.genotype]]
        return genes + [SMART] * (self._config.genotype - len(genes))

    def _value(self, one: _Population, others: Genes) -> Iterator[None]:
        """Play a population's lines against the scenarios, and sort them."""
        rows = len(one.lines)
        one.parts = np.zeros((rows, len(others), len(TERMS)), np.float64)
        step = max(1, self._rows // len(others))
        for first in range(0, rows, step):
            if first:
                yield
            play_lines(
                self._root,
                self._world,
                one.index,
                one.lines,
                first,
                min(rows, first + step),
                others,
                self._schedule,
                self._events,
                self._factors,
                self._terms,
                self._moves,
                self._steps,
                self._chart,
                self._reach,
                self._rng,
                one.parts,
            )
        values = one.parts.sum(axis=2)
        wariness = self._config.wariness
        one.fitness = wariness * values.min(axis=1) + (1 - wariness) * values.mean(axis=1)
        one.sort()

    def _scenario(self) -> Genes:
        """A joint line in which everybody plays by one ply."""
        return np.full((len(self._moves), self._config.genotype), SMART, np.uint8)

    def _against_me(self) -> Genes:
        """The rivals' best for each of their first words, then the plain players."""
        replies = min(self._config.replies, max((len(rival.best) for rival in self._rivals), default=0))
        joint = []
        for rank in range(replies):
            scenario = self._scenario()
            for rival in self._rivals:
                row = rival.best[rank % len(rival.best)]
                scenario[rival.index, : self._config.foresight] = rival.lines[row, : self._config.foresight]
            joint.append(scenario)
        joint.append(self._scenario())
        return np.array(joint)

    def _against_rival(self, rival: _Population) -> Genes:
        """Your best line, and your best with another first word; the other rivals' best."""
        joint = []
        for row in self._mine.best[:2]:
            scenario = self._scenario()
            for other in (self._mine, *self._rivals):
                if other is not rival:
                    scenario[other.index] = other.lines[row if other is self._mine else 0]
            joint.append(scenario)
        return np.array(joint)

    def _tell(self) -> dict[str, Line]:
        """The best line of each first word as it stands."""
        found, mine, wariness = {}, self._mine, self._config.wariness
        for row in mine.best:
            parts = mine.parts[row]
            values = parts.sum(axis=1)
            low = int(np.argmin(values))
            terms = wariness * parts[low] + (1 - wariness) * parts.mean(axis=0)
            genes = mine.lines[row].tolist()
            end = self._told(genes)
            found[MOVES[genes[0]]] = Line(
                tuple(MOVES[gene] for gene in genes[:end]),
                float(mine.fitness[row]),
                dict(zip(TERMS, terms.tolist(), strict=True)),
                float(values[low]),
                float(values.mean()),
            )
        return found

    def _told(self, genes: list[int]) -> int:
        """How much of a line is worth telling: words, as long as they lead over the board; one at least."""
        me = self._position.me
        assert me is not None
        cell = me.head
        for at, gene in enumerate(genes):
            if gene >= FREE:
                return at
            cell = self._position.destination(cell, OFFSETS[gene])
            if at and not self._position.contains(cell):
                return at
        return len(genes)


def _nearest(position: Position, me: Snake) -> list[Snake]:
    """The others, the nearest head first."""

    def apart(snake: Snake) -> int:
        steps = [abs(one - two) for one, two in zip(snake.head, me.head, strict=True)]
        if position.wrapped:
            sides = (position.width, position.height)
            steps = [min(step, side - step) for step, side in zip(steps, sides, strict=True)]
        return sum(steps)

    return sorted((snake for snake in position.snakes if snake is not me), key=apart)


def _kept(position: Position, snake: Snake, memory: Memory) -> Genes:
    """The lines of a snake that led where it stands now, their played words dropped, all others behind."""
    genotype, passed = memory.genotype, position.turn - memory.turn
    raw, head = memory.lines.get(snake.id), memory.heads.get(snake.id)
    if raw is None or head is None:
        return np.zeros((0, genotype), np.uint8)
    lines = np.frombuffer(raw, np.uint8).reshape(-1, genotype)
    right = [_lands(position, head, line[:passed].tolist()) == snake.head for line in lines]
    order = np.argsort(np.logical_not(right), kind="stable")
    kept = np.full(lines.shape, FREE, np.uint8)
    kept[:, :-passed] = lines[order, passed:]
    return kept


def _lands(position: Position, cell: Cell, genes: list[int]) -> Cell | None:
    for gene in genes:
        if gene >= FREE:
            return None
        cell = position.destination(cell, OFFSETS[gene])
    return cell
