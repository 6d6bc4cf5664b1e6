"""Iterative deepening: pairs of words and replies dealt out to walkers, counted, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engines.battlesnake.evaluation import TERMS, WIN_SCORE, Weights, evaluate_position, factors
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.rules import play
from engines.battlesnake.search.frame import ANSWERS, BEYOND, HABIT, PLAN, THEIRS
from engines.battlesnake.search.move_ordering import list_words
from engines.battlesnake.search.result import PrincipalVariation, SearchConfig, SearchResult
from engines.battlesnake.search.tree import follow, walk
from engines.battlesnake.search.worker import Pair, RootValue, Worker
from engines.battlesnake.state import pack, scratch_copy
from engines.battlesnake.territory.context import CELLS, flood_context, uses_bitboards, uses_two_bitboards

MAX_DEPTH: Final = 48
_SLACK: Final = 3.0
"""By word: before the best of a depth is known, others are asked whether they beat that of the depth before
less this."""
_WELL_FED: Final = 60
"""Steps that a flood and a line before it take, on all but the largest boards."""


class Search:
    """Iterative deepening over your `words`, within memory for `max_depth` levels and, for each walker, a
    table of nodes.

    `found` holds the deepest complete depth, with what has been proven since. The position must have
    you on the board and not be over.

    The pairs of words and replies are dealt out to the walkers, who share nothing that changes: they may
    `step` at the same time. Whoever has valued all of its pairs goes on to those of the next depth. What they
    find counts from `settle` on, which is for when all stand still, and then who is ahead takes over what
    another has not begun. So what is found depends on how often each has stepped, not on who was quicker.

    `by_word` a duel's word is one pair with all replies. The best word of the depth before is valued first,
    the others are asked whether they are better. If all are seen to lose to the right reply the search begins
    anew by pairs: which of the rival's replies they lose to is then all that is left to know.
    """

    def __init__(
        self,
        position: Position,
        moves: Sequence[str],
        weights: Weights,
        search_config: SearchConfig,
        max_depth: int = MAX_DEPTH,
        workers: int = 1,
        maximin: bool = False,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to search")
        self._world = state = pack(position)
        self._me = position.snakes.index(me)
        self._names = tuple(snake.id for snake in position.snakes)
        self._search_config = search_config
        self._max_depth = max_depth if len(moves) > 1 else min(max_depth, 4)
        self._factors = factors(weights, position)
        context = flood_context(state)
        self._workers = tuple(Worker(which, state, context, max_depth + 1) for which in range(workers))
        self._row = np.zeros(PLAN + len(position.snakes), np.int64)
        list_words(state, self._me, search_config.radius, self._row, self._workers[0].history)
        answers = self._row[ANSWERS : ANSWERS + int(self._row[THEIRS])].tolist()
        self._duel = len(position.snakes) == 2
        self._maximin = maximin and self._duel
        columns: list[tuple[str, list[int]]]
        if self._maximin:
            columns = [("worst", answers)]
        elif self._duel:
            columns = _by_pairs(answers)
        else:
            columns = [("habit", [HABIT])]
            if len(answers) > 1:
                columns.append(("worst", answers))
        self._columns = columns
        self._moves = tuple(moves)
        self.uses_bitboards = uses_bitboards(context, starving=not _well_fed(position))
        """Are leaves counted by words of bits, now and on all the boards to come?"""
        work = 16_384 if not self.uses_bitboards else 262_144 if uses_two_bitboards(context) else 65_536
        self.slice = max(32, work // len(state.occupancy))
        """Turns after which a clock should be looked at again: about half a millisecond, a few times as much
        while somebody may starve."""
        self._abandoned: set[int] = set()
        self._counted: dict[tuple[str, int], RootValue] = {}
        """Of the deepest complete depth."""
        self._values: dict[Pair, RootValue] = {}
        self._complete = SearchResult()
        self._given_up = SearchResult()
        """By word, before the search began anew."""
        self._refuted: dict[tuple[str, int], RootValue] = {}
        """What each word lost to then."""

    @property
    def workers(self) -> int:
        """How many there are."""
        return len(self._workers)

    @property
    def finished(self) -> bool:
        """Is the greatest depth complete, or the outcome proven?"""
        complete = self._complete
        if complete.depth >= self._max_depth or not self._moves:
            return True
        worst = [min(row) for row in complete.payoffs]
        return bool(worst) and (
            max(worst) >= WIN_SCORE or max(max(row) for row in complete.payoffs) <= -WIN_SCORE
        )

    @property
    def found(self) -> SearchResult:
        """What is known of the words by now."""
        complete = self._complete if self._complete.depth else self._given_up
        if not self._complete.depth or not self._values:
            return complete
        proven = {
            valued.pair[1:]: valued.value
            for valued in self._values.values()
            if valued.pair[0] == complete.depth + 1
            and (valued.value <= -WIN_SCORE or (valued.value >= WIN_SCORE and not valued.at_most))
        }
        won = {move for (move, _), value in proven.items() if value >= WIN_SCORE}
        payoffs = tuple(
            tuple(proven.get((move, column), old) for column, old in enumerate(row))
            for move, row in zip(complete.moves, complete.payoffs, strict=True)
        )
        return replace(complete, payoffs=payoffs, at_most=complete.at_most - won)

    def advance(self, turns: int) -> int:
        """Search on for up to so many turns; how many it took (fewer only when finished). For one walker."""
        own = self._workers[0]
        played = 0
        while played < turns and not self.finished and self._ready(own):
            played += self._walk(own, turns - played)
            if own.pair is None:
                self.settle()
        return played

    def step(self, which: int, turns: int) -> int:
        """One walker goes on for up to so many turns; how many it took."""
        own = self._workers[which]
        played = 0
        while played < turns and self._ready(own):
            played += self._walk(own, turns - played)
        return played

    def settle(self) -> None:
        """Count what has been valued; where the last pair of a depth was, that depth is complete."""
        if not any(worker.valued or worker.listed for worker in self._workers):
            return  # nobody has come to the end of anything: most rounds
        for worker in self._workers:
            for valued in worker.valued:
                self._values[valued.pair] = valued
            worker.valued.clear()
            worker.listed = False
        self._count()
        self._share_out()

    def _count(self) -> None:
        replies = tuple(name for name, _ in self._columns)
        while True:
            depth = self._complete.depth + 1
            pairs = [[(depth, move, column) for column in range(len(replies))] for move in self._moves]
            if not pairs or any(pair not in self._values for row in pairs for pair in row):
                return
            if self._maximin and self._ask_again([pair for (pair,) in pairs]):
                return
            at_most = frozenset(row[0][1] for row in pairs if any(self._values[pair].at_most for pair in row))
            self._counted = {pair[1:]: self._values.pop(pair) for row in pairs for pair in row}
            payoffs = tuple(tuple(self._counted[pair[1:]].value for pair in row) for row in pairs)
            self._complete = SearchResult(depth, self._moves, replies, payoffs, at_most)
            if self._maximin and all(self._complete.lost(move) for move in self._moves):
                self._begin_anew()
                return

    def _ask_again(self, pairs: list[Pair]) -> bool:
        """Words are better than the best, for all that is known: they are still to be valued against it."""
        exact = [self._values[pair].value for pair in pairs if not self._values[pair].at_most]
        if exact:
            best = max(exact)
            again = [pair for pair in pairs if self._values[pair].at_most and self._values[pair].value > best]
        else:
            # The best of the depth before has changed since they were asked.
            again = [pair for pair in pairs if self._floor(pair) == -BEYOND]
        for pair in again:
            del self._values[pair]
            self._workers[self._dealt(*pair[1:])].todo.insert(0, pair)
        return bool(again)

    def _begin_anew(self) -> None:
        """From now on by pairs."""
        self._given_up = self._complete
        self._maximin, self._complete = False, SearchResult()
        self._columns = _by_pairs(self._columns[0][1])
        self._refuted, self._counted = self._counted, {}
        self._values.clear()
        for worker in self._workers:
            worker.depth, worker.level, worker.pair = 0, -1, None
            worker.todo.clear()

    def _share_out(self) -> None:
        """Who is beyond the depth that is to be completed takes over a pair of it that nobody has begun."""
        depth = self._complete.depth + 1
        for own in self._workers:
            in_hand = own.todo if own.pair is None else [own.pair, *own.todo]
            if any(pair[0] == depth for pair in in_hand):
                continue
            for other in self._workers:
                left = [pair for pair in other.todo if pair[0] == depth]
                if left and other is not own:
                    other.todo.remove(left[-1])
                    if own.pair is not None:
                        own.todo.insert(0, own.pair)
                        own.pair = None
                    own.todo.insert(0, left[-1])
                    break

    def abandon(self, which: int) -> None:
        """A walker is on its way and will not be waited for: nothing of it is looked at any more."""
        self._abandoned.add(which)

    def line(self, move: str) -> PrincipalVariation:
        """The line that the search expects after a word, answered by what is worst for it."""
        found = self.found
        if move not in found.moves:
            return PrincipalVariation((move,), {}, {})
        row = found.payoffs[found.moves.index(move)]
        # With more rivals the habit is the reply that is known by name.
        column = row.index(min(row)) if self._duel else 0
        if found.maximin and not self._maximin:
            valued = self._refuted[move, column]
        else:
            valued = self._values.get((found.depth + 1, move, column), self._counted[move, column])
            if valued.value != row[column]:
                valued = self._counted[move, column]
        answer = valued.reply if self._duel else self._columns[column][1][0]
        own = self._workers[valued.worker]
        if own.number in self._abandoned:
            return PrincipalVariation((move,), {}, {})
        state = scratch_copy(self._world)
        control = self._row.copy()
        own.played[:] = control[PLAN:]
        if answer != HABIT:
            own.played[(answer >> 2) - 1] = answer & 3
        own.played[self._me] = MOVES.index(move)
        play(state, own.played)
        played = [move]
        over = 1 - int(state.rules[0].solo)
        while (
            len(played) < found.depth and state.totals[0].living > over and not state.snakes[self._me].cause
        ):
            said = follow(
                state,
                own.flood_context.meals,
                *own.nodes,
                self._me,
                self._search_config.radius,
                valued.pair[0] - len(played),
                control,
                own.history,
                own.played,
            )
            if said < 0:
                break
            played.append(MOVES[said])
        if state.snakes[self._me].cause > 0 or state.totals[0].living <= over:
            return PrincipalVariation(tuple(played), {}, {})
        evaluate_position(state, own.flood_context, self._me, self._factors, own.leaf, own.terms)
        territory = {
            name: int(own.leaf[index, CELLS])
            for index, name in enumerate(self._names)
            if state.snakes[index].cause <= 0
        }
        return PrincipalVariation(tuple(played), dict(zip(TERMS, own.terms.tolist(), strict=True)), territory)

    def _dealt(self, move: str, column: int) -> int:
        """Whose pair it is: the same walker's at every depth, whose table knows what was best there."""
        return (self._moves.index(move) + column) % len(self._workers)

    def _ready(self, own: Worker) -> bool:
        """Has a walker a pair in hand? It takes the next: of its depth, the most promising words first, or of
        the one after."""
        if own.pair is not None:
            return True
        while not own.todo:
            if own.depth >= self._max_depth:
                return False
            own.depth += 1
            own.listed = True
            scores = self._complete.scores(self._search_config)
            own.todo = [
                (own.depth, move, column)
                for move in sorted(self._moves, key=lambda move: -scores.get(move, 0.0))
                for column in range(len(self._columns))
                if self._dealt(move, column) == own.number
            ]
        own.pair = own.todo.pop(0)
        answers = self._columns[own.pair[2]][1]
        if self._maximin:
            answers = own.orders.get(own.pair[1], answers)
        own.begin(self._row, own.pair[1], own.pair[0], answers, self._floor(own.pair))
        return True

    def _floor(self, pair: Pair) -> float:
        """What a word must be worth more than to be of interest, by all that has been counted."""
        if not self._maximin:
            return -BEYOND
        counted = (valued for valued in self._values.values() if valued.pair[0] == pair[0])
        known = [valued.value for valued in counted if not valued.at_most]
        if known:
            return max(known)
        before = self._complete.scores(self._search_config)
        best = max(before, key=lambda move: before[move], default=pair[1])
        return -BEYOND if pair[1] == best else before[best] - _SLACK

    def _walk(self, own: Worker, turns: int) -> int:
        """Value the pair in hand, for up to so many turns; how many it took."""
        if own.pair is None:
            return 0
        own.level, played = walk(
            own.stack,
            own.kept,
            *own.nodes,
            self._me,
            own.level,
            turns,
            self._search_config.draw,
            self._search_config.radius,
            self._search_config.matrix_plies,
            self._search_config.lmr,
            self._factors,
            own.controls,
            own.bounds,
            *own.room,
            own.history,
            own.played,
            own.leaf,
            own.terms,
        )
        if own.level < 0:
            own.valued.append(own.concluded())
            own.pair = None
        return int(played)


def _by_pairs(answers: list[int]) -> list[tuple[str, list[int]]]:
    """A column for each of the only rival's words."""
    return [(MOVES[answer & 3], [answer]) for answer in answers]


def _well_fed(position: Position) -> bool:
    """Is nobody near starving? Else leaves are counted cell by cell where not all of them are words of bits,
    or hazards heal."""
    return min(snake.health for snake in position.snakes) > _WELL_FED
