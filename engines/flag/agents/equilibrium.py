"""`equilibrium`: Flag as the simultaneous game that it is, answered by a mixed strategy.

The game of the next complete round is solved over all joint orders of both sides
(`engines.flag.equilibrium.double_oracle`), what comes after it is valued by a network learnt by self-play
(`engines.flag.equilibrium.value`), and the answer is drawn from the mixture by the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, Final

import numpy as np
from annotated_types import Ge, Le

from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.limit import Meter
from engines.core.rng import derive, seeded, unit
from engines.flag import moves, rules, step
from engines.flag.agents.common import answer, candidates, nothing_to_play, standing
from engines.flag.agents.heuristic import plan
from engines.flag.equilibrium.double_oracle import KEPT, Floats, Matrix, matrix_of, weigh
from engines.flag.equilibrium.fast_round import DIRECTION, DISTANCE
from engines.flag.equilibrium.local_search import FEW, SLIP, look_deeper, sketch
from engines.flag.position import TEAMS, Position, order_of
from engines.flag.weights import network

SHOWN: Final = 32
"""Joint orders in a mixture at most."""
ANY: Final = 3
"""Joint orders by chance that stand for all of them."""
LOOKS: Final = 6
"""Outcomes that an iteration looks at a second time."""
UNSEEN: Final = 0.02
"""How likely an outcome without a second look may be in the end."""
DONE: Final = object()
NO_HINTS: Final = (-1, -1)


@dataclass(frozen=True)
class Equilibrium:
    """How the round is solved, and which of the nearly equal mixtures is played."""

    rounds: Annotated[int, Ge(10), Le(1_000)] = 300
    """Rounds of regret matching+ in each iteration, between the orders kept so far."""
    tolerance: Annotated[float, Ge(0.0), Le(1.0)] = 0.004
    """Enough: what both sides together could still gain by leaving their mixtures (a win is worth 1)."""
    least: Annotated[float, Ge(0.0), Le(0.2)] = 0.002
    """Joint orders less likely than this are left out of the answer."""
    margin: Annotated[float, Ge(0.0), Le(2.0)] = 0.016
    """What a perfect enemy may gain (a win is worth 1): the room in which `slip`, `plies` and `tilt` choose.

    0 is the equilibrium of the round alone; much more than the default is a bet on how the enemy errs."""
    slip: Annotated[float, Ge(0.0), Le(0.9)] = 0.6
    """How likely the enemy is taken to err, for choosing among mixtures within `margin`.

    It then gives one of five kinds of naive orders, all alike: none, the best answer to that, the best
    answer to this, what the document's strategy gives, any."""
    tilt: Annotated[float, Ge(0.0), Le(1.0)] = 0.0
    """The opponent model: the part of the errors that is the document's strategy for certain. 0 is off."""
    plies: Annotated[int, Ge(1), Le(2)] = 2
    """Rounds that are solved: with 2, likely outcomes are valued by the round after them, time permitting."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """A side's mixed strategy: joint orders, the likeliest first, and where they are kept in the matrix."""

    side: int
    kept: tuple[int, ...]
    chances: tuple[float, ...]

    def draw(self, seed: int) -> int:
        """The place of one joint order, by its chance."""
        left = unit(seeded(seed))
        for place, chance in enumerate(self.chances[:-1]):
            left -= chance
            if left < 0.0:
                return place
        return len(self.chances) - 1


@dataclass(frozen=True, slots=True)
class Solved:
    """The equilibrium as far as it is known: both mixtures, and what every order is worth against them."""

    mix: Floats
    gains_a: Floats
    gains_b: Floats

    @classmethod
    def of(cls, matrix: Matrix) -> Solved:
        return cls(matrix.mix.copy(), matrix.gains_a.copy(), matrix.gains_b.copy())


class _Search:
    """One decision while it is being made."""

    def __init__(self, position: Position, before: Position, parameters: Equilibrium) -> None:
        self.position = position
        self.side = position.mover()
        self.parameters = parameters
        self.table = rules.table_of(before)
        self.weights = network()
        self.matrix: Matrix | None = None
        self.solved: Solved | None = None
        """The equilibrium of the round by the network's values, as far as it is known."""
        self.leaning: Floats | None = None
        """The own mixture that is to be preferred as far as the margin allows."""
        self.second_looks = 0

    def slices(self) -> Iterator[None]:
        """All the work, a little with each step; what stands after any step can be answered from."""
        made, matrix = self.parameters, matrix_of(self.table)
        hints = self._sketched(matrix)
        gap = 2.0
        while gap > made.tolerance:
            gap = self._refine(matrix, next(hints, NO_HINTS))
            self.matrix, self.solved = matrix, Solved.of(matrix)
            yield
        if made.margin == 0.0:
            return
        if made.slip > 0.0:
            bonus = matrix.bonus_a if self.side == 0 else matrix.bonus_b
            column = np.zeros_like(bonus)
            for order, share in self._errors(matrix):
                column += share * matrix.column(1 - self.side, order, self.weights)
                yield
            bonus[:] = made.slip / (1.0 - made.slip) * column
            gap = 2.0
            while gap > made.tolerance:
                gap = self._refine(matrix)
                self.leaning = matrix.mix[self.side].copy()
                yield
        if made.plies == 2:
            yield from self._look_deeper(matrix)

    def _refine(self, matrix: Matrix, hints: tuple[int, int] = NO_HINTS) -> float:
        return matrix.refine(self.weights.rows, self.weights.head, self.parameters.rounds, hints)

    def _sketched(self, matrix: Matrix) -> Iterator[tuple[int, int]]:
        """Joint orders of A and B that are likely to matter: standing, the answers to it, the likeliest."""
        size, kept, mix = np.zeros(2, np.int64), np.zeros((2, FEW, 3), np.int64), np.zeros((2, FEW))
        board = (matrix.ways, matrix.counts, matrix.touch, matrix.stand)
        sketch(*board, self.weights.rows, self.weights.head, size, kept, mix)
        orders: list[list[int]] = []
        for side in (0, 1):
            _, n1, n2 = matrix.counts[3 * side : 3 * side + 3].tolist()
            chances = mix[side].tolist()
            rest = [k for k in range(2, int(size[side])) if chances[k] > self.parameters.least]
            order = [0, *range(1, min(2, int(size[side]))), *sorted(rest, key=lambda k: -chances[k])]
            orders.append([(p0 * n1 + p1) * n2 + p2 for p0, p1, p2 in kept[side, order].tolist()])
        yield from zip_longest(*orders, fillvalue=NO_HINTS[0])

    def _errors(self, matrix: Matrix) -> Iterator[tuple[int, float]]:
        """The enemy's naive joint orders, and the share of each.

        Order 0 of each side is standing, and what was kept next is the best answer to it.
        """
        side, enemy, tilt = self.side, 1 - self.side, self.parameters.tilt
        strategy = matrix.number(self.table, enemy, plan(self.position, enemy).orders)
        yield strategy, tilt + (1.0 - tilt) / 5
        if tilt == 1.0:
            return
        columns = matrix.against_a if side == 0 else matrix.against_b
        answered = columns[min(1, int(matrix.size[side]) - 1)]
        yield 0, (1.0 - tilt) / 5
        yield int(matrix.chosen[enemy, min(1, int(matrix.size[enemy]) - 1)]), (1.0 - tilt) / 5
        yield int(answered.argmin() if side == 0 else answered.argmax()), (1.0 - tilt) / 5
        for number in range(ANY):
            yield derive(enemy, number) % matrix.orders(enemy), (1.0 - tilt) / 5 / ANY

    def _look_deeper(self, matrix: Matrix) -> Iterator[None]:
        """Value the likeliest outcomes by the round after them, solve again, and so on."""
        seen = np.zeros((KEPT, KEPT), np.bool_)
        random = seeded(0)
        while True:
            size_a, size_b = matrix.size.tolist()
            likely = np.outer(matrix.mix[0, :size_a], matrix.mix[1, :size_b])
            likely[seen[:size_a, :size_b]] = 0.0
            if likely.sum() < UNSEEN:
                return
            best = np.argsort(-likely, axis=None, kind="stable")[:LOOKS]
            rows, columns = np.unravel_index(best[likely.ravel()[best] > 0.0], likely.shape)
            pairs = np.stack([matrix.chosen[0, rows], matrix.chosen[1, columns]], axis=1)
            found = np.zeros(len(pairs))
            look_deeper(
                random,
                matrix.ways,
                matrix.counts,
                matrix.touch,
                matrix.stand,
                self.weights.rows,
                self.weights.head,
                pairs,
                SLIP,
                found,
            )
            matrix.deeper[rows, columns] = found - matrix.against_b[columns, pairs[:, 0]]
            seen[rows, columns] = True
            self.second_looks += len(pairs)
            self._refine(matrix)
            self.leaning = matrix.mix[self.side].copy()
            yield


def _blend(matrix: Matrix, side: int, solved: Floats, leaning: Floats, floor: float) -> Floats:
    """As much of the leaning mixture as keeps the worst answer at the floor."""
    sign = 1.0 if side == 0 else -1.0

    def worst(mix: Floats) -> float:
        kept = tuple(range(int(matrix.size[side])))
        return float((sign * _against(matrix, Mixture(side, kept, tuple(mix[: len(kept)].tolist())))).min())

    safe, bold = worst(solved), worst(leaning)
    share = 1.0 if bold >= floor else max(0.0, min(1.0, (safe - floor) / (safe - bold)))
    return (1.0 - share) * solved + share * leaning


def _mixture(mix: Floats, side: int, least: float) -> Mixture:
    """The orders that matter, at most SHOWN, their chances adding up to 1."""
    chances = mix.tolist()
    kept = sorted(range(KEPT), key=lambda k: -chances[k])[:SHOWN]
    kept = [k for k in kept if chances[k] > 0.0 and chances[k] >= min(least, chances[kept[0]])]
    total = sum(chances[k] for k in kept)
    return Mixture(side, tuple(kept), tuple(chances[k] / total for k in kept))


def _against(matrix: Matrix, mixture: Mixture) -> Floats:
    """The payoff to A of every joint order of the other side against a mixture."""
    weights = np.zeros(KEPT)
    for k, chance in zip(mixture.kept, mixture.chances, strict=True):
        weights[k] = chance
    columns = matrix.against_a if mixture.side == 0 else matrix.against_b
    gains = np.zeros(columns.shape[1])
    weigh(weights, columns, gains, int(matrix.size[mixture.side]))
    return gains


def _outcome(matrix: Matrix, side: int) -> Outcome | None:
    """A win within this round that no answer can prevent."""
    for team, columns in ((side, matrix.against_b if side else matrix.against_a), (1 - side, None)):
        found = columns if columns is not None else (matrix.against_a if side else matrix.against_b)
        won = found[: matrix.size[team]] == (1.0 if team == 0 else -1.0)
        if won.all(axis=1).any():
            return Outcome(TEAMS[team], plies=1)
    return None


def _orders(position: Position, matrix: Matrix, side: int, order: int) -> list[dict[str, Any]]:
    """A joint order as answers write it."""
    chosen = matrix.ways_of(side, order)
    return [
        order_of(piece, (int(way[DIRECTION]), int(way[DISTANCE])))
        for piece in position.living(side)
        for way in (matrix.ways[piece, chosen[piece % 3]],)
    ]


def _shown(position: Position, matrix: Matrix, mixture: Mixture, values: Floats) -> list[dict[str, Any]]:
    """A mixture in words: orders, chance, and what each is worth to its side."""
    orders = matrix.chosen[mixture.side]
    return [
        {
            "move": _orders(position, matrix, mixture.side, int(orders[k])),
            "probability": round(chance, 6),
            "value": round(float(values[orders[k]]), 6),
        }
        for k, chance in zip(mixture.kept, mixture.chances, strict=True)
    ]


def _candidates(
    position: Position, matrix: Matrix, mixture: Mixture, values: Floats
) -> tuple[Candidate, ...]:
    """Every end cell of every piece: the most that any joint order with it is worth against the mixture."""
    side = mixture.side
    cube = values.reshape(tuple(matrix.counts[3 * side : 3 * side + 3].tolist()))
    listed = []
    for piece in position.living(side):
        axis = piece % 3
        best = cube.max(axis=tuple(other for other in range(3) if other != axis))
        chance = [0.0] * int(matrix.counts[piece])
        for k, part in zip(mixture.kept, mixture.chances, strict=True):
            chance[matrix.ways_of(side, int(matrix.chosen[side, k]))[axis]] += part
        for way, (order, end) in enumerate(moves.ends(position, piece)):
            listed.append(
                Candidate.of(
                    order_of(piece, order),
                    {"value": float(best[way])},
                    details={"end": end, "probability": round(chance[way], 6)},
                )
            )
    return tuple(listed)


def decide(position: Position, parameters: Equilibrium, meter: Meter, seed: int, memory: Any) -> Decision:
    """One joint order of the mixture, drawn by the seed."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    before = step.with_rescuers_home(position)
    search = _Search(position, before, parameters)
    slices = search.slices()
    done = 0
    while meter.more(done) and next(slices, DONE) is not DONE:
        done += 1
    matrix, solved, leaning = search.matrix, search.solved, search.leaning
    if matrix is None or solved is None:
        return Decision(
            answer(before, standing()),
            candidates=candidates(before, ()),
            stats={"iterations": 0, "reason": "out of budget before the first iteration: all stand"},
        )
    # All values are seen from the mover's side from here on.
    sign = 1.0 if side == 0 else -1.0
    values = sign * (solved.gains_a if side == 0 else solved.gains_b)
    best = float(values.max())
    mix = solved.mix[side]
    if leaning is not None:
        mix = _blend(matrix, side, mix, leaning, best - parameters.margin)
    ours = _mixture(mix, side, parameters.least)
    theirs = _mixture(solved.mix[1 - side], 1 - side, parameters.least)
    answers = sign * _against(matrix, ours)
    worth = sum(
        float(values[matrix.chosen[side, k]]) * chance
        for k, chance in zip(ours.kept, ours.chances, strict=True)
    )
    exploitability = max(0.0, best - float(answers.min()))
    order = int(matrix.chosen[side, ours.kept[ours.draw(seed)]])
    floor = float((sign * (solved.gains_b if side == 0 else solved.gains_a)).min())
    figures = {"value": round((best + floor) / 2, 6), "exploitability": round(exploitability, 6)}
    return Decision(
        _orders(before, matrix, side, order),
        worth,
        _outcome(matrix, side),
        _candidates(before, matrix, ours, values),
        {
            "iterations": done,
            "evaluations": int(matrix.size[0] * len(matrix.gains_b) + matrix.size[1] * len(matrix.gains_a)),
            "second_looks": search.second_looks,
            **figures,
        },
        {
            **figures,
            "joint_orders": {TEAMS[team]: matrix.orders(team) for team in (0, 1)},
            "mixture": _shown(before, matrix, ours, values),
            "enemy_mixture": _shown(before, matrix, theirs, -answers),
        },
    )


EQUILIBRIUM: Agent[Position] = Agent(
    "equilibrium",
    "the round's game solved over all joint orders of both sides; draws from the mixed strategy found",
    decide,
    "both sides' best answers added and regrets matched, an enemy's error, or a few second looks",
    parameters=Equilibrium,
    budgets=Budgets(iterations=Range(40, 1, 1_000)),
)
