"""Flag as the simultaneous game that it is, answered by a mixed strategy.

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

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.core.rng import derive, seeded
from engines.flag import rules, step
from engines.flag.agents.common import answer, candidates_of, nothing_to_play, stand_orders
from engines.flag.agents.heuristic import plan
from engines.flag.equilibrium.double_oracle import MAX_KEPT_COLUMNS, NO_SEEDS, DoubleOracle
from engines.flag.equilibrium.local_search import SLIP, no_strategies, second_ply, warm_start
from engines.flag.equilibrium.mixed_strategy import (
    MixedStrategy,
    blend,
    described,
    end_cells,
    orders_of,
    payoffs_against,
    proven_win,
)
from engines.flag.equilibrium.payoff import Floats
from engines.flag.position import TEAMS, Position
from engines.flag.weights import network

RANDOM_ORDERS: Final = 3
"""Joint orders by chance that stand for all of them."""
BATCH: Final = 6
"""Outcomes evaluated by the second ply in one iteration: some 3 ms, the granularity at which a deadline is
noticed."""
UNSEEN: Final = 0.02
"""The second ply ends when the outcomes that it has not evaluated have a total probability below this."""
DONE: Final = object()


@dataclass(frozen=True)
class Parameters:
    """How the round is solved, and which of the nearly equal mixtures is played."""

    rounds: Annotated[int, Ge(10), Le(1_000)] = 300
    """Rounds of regret matching+ in each iteration, between the orders kept so far."""
    tolerance: Annotated[float, Ge(0.0), Le(1.0)] = 0.004
    """Stop when the NashConv (the sum of both sides' gains by a best response; a win is 1) is at most
    this."""
    least: Annotated[float, Ge(0.0), Le(0.2)] = 0.002
    """Joint orders less likely than this are left out of the answer."""
    margin: Annotated[float, Ge(0.0), Le(2.0)] = 0.016
    """Largest loss of value against a best response (a win is 1) that `slip`, `plies` and `tilt` may cost.

    0 plays the round's equilibrium; values far above the default exploit the assumed errors and can be
    exploited."""
    slip: Annotated[float, Ge(0.0), Le(0.9)] = 0.6
    """Assumed probability that the enemy errs, for choosing among mixtures within `margin`.

    An erring enemy plays, each with probability 1/5 (see `tilt`): standing; the best response to our
    standing; the best response to our best response to its standing; the `heuristic` agent's orders;
    uniformly random orders."""
    tilt: Annotated[float, Ge(0.0), Le(1.0)] = 0.0
    """Opponent model: share of the errors that is `heuristic`'s orders; the rest are the five kinds of
    `slip`. 0: off."""
    plies: Annotated[int, Ge(1), Le(2)] = 2
    """Rounds solved. With 2, the likeliest outcomes are evaluated by solving the round after them, while the
    budget lasts."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The equilibrium as far as it is known: both mixtures, and the value of every order against them."""

    mix: Floats
    """float64[2, MAX_KEPT_COLUMNS]."""
    values_a: Floats
    values_b: Floats

    @classmethod
    def of(cls, oracle: DoubleOracle) -> Solved:
        known = oracle.restricted
        return cls(known.mix.copy(), known.values_a.copy(), known.values_b.copy())


class _Search:
    """One decision while it is being made."""

    def __init__(self, position: Position, before: Position, parameters: Parameters) -> None:
        self.position = position
        self.side = position.mover()
        self.parameters = parameters
        self.oracle = DoubleOracle(rules.table_of(before), network())
        self.solved: Solved | None = None
        """The equilibrium of the round by the network's values; None before the first iteration."""
        self.preferred: Floats | None = None
        """The own mixture that is to be preferred as far as the margin allows."""
        self.second_ply = 0
        """Outcomes valued by the second ply."""

    def iterations(self) -> Iterator[None]:
        """All the work, one iteration with each step; after any step there is something to answer with."""
        made, oracle = self.parameters, self.oracle
        seeds = self._warm_start()
        gap = 2.0
        while gap > made.tolerance:
            gap = oracle.iterate(made.rounds, next(seeds, NO_SEEDS))
            self.solved = Solved.of(oracle)
            yield
        if made.margin == 0.0:
            return
        if made.slip > 0.0:
            bonus = oracle.restricted.bonus_a if self.side == 0 else oracle.restricted.bonus_b
            column = np.zeros_like(bonus)
            for order, share in self._naive_orders():
                column += share * oracle.column(1 - self.side, order)
                yield
            # An enemy that errs with chance s plays these in s of all rounds and its mixture in 1 - s; the
            # game is divided by 1 - s, so that the mixture's payoffs stay what they are.
            bonus[:] = made.slip / (1.0 - made.slip) * column
            gap = 2.0
            while gap > made.tolerance:
                gap = oracle.iterate(made.rounds)
                self.preferred = oracle.restricted.mix[self.side].copy()
                yield
        if made.plies == 2:
            yield from self._second_ply()

    def _warm_start(self) -> Iterator[tuple[int, int]]:
        """Joint orders of A and B that are likely to matter: standing, the responses to it, the likeliest."""
        strategies = no_strategies()
        warm_start(self.oracle.game, strategies)
        seeds: list[list[int]] = []
        for side in (0, 1):
            size, chances = int(strategies.size[side]), strategies.mix[side].tolist()
            _, n1, n2 = self.oracle.game.survey.counts[3 * side : 3 * side + 3].tolist()
            likely = [k for k in range(2, size) if chances[k] > self.parameters.least]
            order = [0, *range(1, min(2, size)), *sorted(likely, key=lambda k: -chances[k])]
            seeds.append([(a0 * n1 + a1) * n2 + a2 for a0, a1, a2 in strategies.orders[side, order].tolist()])
        yield from zip_longest(*seeds, fillvalue=NO_SEEDS[0])

    def _naive_orders(self) -> Iterator[tuple[int, float]]:
        """The enemy's naive joint orders, and the share of each.

        Order 0 of each side is standing, and what was kept next is the best response to it.
        """
        side, enemy, tilt = self.side, 1 - self.side, self.parameters.tilt
        oracle, known = self.oracle, self.oracle.restricted
        share = (1.0 - tilt) / 5
        yield oracle.number(enemy, plan(self.position, enemy).orders), tilt + share
        if tilt == 1.0:
            return
        response = oracle.columns(side)[min(1, int(known.size[side]) - 1)]
        yield 0, share
        yield int(known.orders[enemy, min(1, int(known.size[enemy]) - 1)]), share
        yield int(response.argmin() if side == 0 else response.argmax()), share
        for number in range(RANDOM_ORDERS):
            yield derive(enemy, number) % oracle.joint_orders(enemy), share / RANDOM_ORDERS

    def _second_ply(self) -> Iterator[None]:
        """Value the likeliest outcomes by the round after them, solve again, and so on."""
        oracle, known = self.oracle, self.oracle.restricted
        seen = np.zeros((MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS), np.bool_)
        rng = seeded(0)
        while True:
            size_a, size_b = known.size.tolist()
            likely = np.outer(known.mix[0, :size_a], known.mix[1, :size_b])
            likely[seen[:size_a, :size_b]] = 0.0
            if likely.sum() < UNSEEN:
                return
            best = np.argsort(-likely, axis=None, kind="stable")[:BATCH]
            rows, columns = np.unravel_index(best[likely.ravel()[best] > 0.0], likely.shape)
            profiles = np.stack([known.orders[0, rows], known.orders[1, columns]], axis=1)
            values = np.zeros(len(profiles))
            second_ply(rng, oracle.game, profiles, SLIP, values)
            known.correction[rows, columns] = values - known.columns_b[columns, profiles[:, 0]]
            seen[rows, columns] = True
            self.second_ply += len(profiles)
            oracle.iterate(self.parameters.rounds)
            self.preferred = known.mix[self.side].copy()
            yield


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """One joint order of the mixture, drawn by the seed."""
    if nothing := nothing_to_play(position):
        return nothing
    before = step.with_rescuers_home(position)
    search = _Search(position, before, parameters)
    iterations = search.iterations()
    done = 0
    while meter.more(done) and next(iterations, DONE) is not DONE:
        done += 1
    if search.solved is None:
        return Decision(
            answer(before, stand_orders()),
            candidates=candidates_of(before, ()),
            stats={"iterations": 0, "reason": "out of budget before the first iteration: all stand"},
        )
    return _decision(before, search, search.solved, seed, done)


def _decision(before: Position, search: _Search, solved: Solved, seed: int, done: int) -> Decision:
    """The answer from what is solved; all values are seen from the mover's side."""
    oracle, side, parameters = search.oracle, search.side, search.parameters
    known = oracle.restricted
    sign = 1.0 if side == 0 else -1.0
    values = sign * (solved.values_a if side == 0 else solved.values_b)
    best = float(values.max())
    floor = float((sign * (solved.values_b if side == 0 else solved.values_a)).min())
    mix = solved.mix[side]
    if search.preferred is not None:
        mix = blend(oracle, side, mix, search.preferred, best - parameters.margin)
    ours = MixedStrategy.of(mix, side, parameters.least)
    theirs = MixedStrategy.of(solved.mix[1 - side], 1 - side, parameters.least)
    responses = sign * payoffs_against(oracle, ours)
    exploitability = max(0.0, best - float(responses.min()))
    orders = known.orders[side].tolist()
    figures = {"value": round((best + floor) / 2, 6), "exploitability": round(exploitability, 6)}
    return Decision(
        orders_of(before, oracle, side, orders[ours.kept[ours.draw(seed)]]),
        ours.expected(values, orders),
        proven_win(oracle, side),
        end_cells(before, oracle, ours, values),
        {
            "iterations": done,
            "evaluations": int(known.size[0] * known.values_b.size + known.size[1] * known.values_a.size),
            "second_ply": search.second_ply,
            **figures,
        },
        {
            **figures,
            "joint_orders": {TEAMS[team]: oracle.joint_orders(team) for team in (0, 1)},
            "mixture": described(before, oracle, ours, values),
            "enemy_mixture": described(before, oracle, theirs, -responses),
        },
    )


AGENT: Agent[Position] = Agent(
    "equilibrium",
    "Solves the round's matrix game over all joint orders by double oracle and draws from the mixed "
    "strategy.",
    decide,
    "one step of the double oracle, one naive order of the enemy valued, or six outcomes by the second ply",
    Parameters,
    Budgets(iterations=Range(40, 1, 1_000)),
)
