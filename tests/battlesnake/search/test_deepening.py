"""The search: its values by plain Python; maximin root, late move reductions, workers, tables."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.deepening import Search
from engines.battlesnake.search.matrix_game import equilibrium
from engines.battlesnake.search.result import SearchConfig, SearchResult
from engines.battlesnake.weights import evaluation_weights
from tests.battlesnake.boards import board_request, solo_rule, turn
from tests.battlesnake.leaf import leaf
from tests.oracles import battlesnake as oracle

Board = dict[str, Any]


def searched(position: Position, depth: int, **options: Any) -> SearchResult:
    search = Search(position, MOVES, evaluation_weights(position), SearchConfig(**options), depth)
    while not search.finished:
        search.advance(1_000)
    return search.result


class Plain:
    """The search of two snakes, or one, as its description has it, without pruning or tables."""

    def __init__(self, line: dict[str, Any], position: Position, draw: float, matrix_plies: int) -> None:
        self.line, self.position, self.draw, self.matrix_plies = line, position, draw, matrix_plies
        self.wrapped = position.wrapped
        self.weights = evaluation_weights(position)

    def moves(self, board: Board, index: int) -> dict[str, tuple[int, int]]:
        """The moves that run into nothing that stays, and where they lead; else one that stays inside."""
        stays = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
        head = board["snakes"][index]["body"][0]
        found, inside = {}, {}
        for move, (dx, dy) in zip(MOVES, ((0, 1), (0, -1), (-1, 0), (1, 0)), strict=True):
            x, y = head["x"] + dx, head["y"] + dy
            if self.wrapped:
                x, y = x % board["width"], y % board["height"]
            if 0 <= x < board["width"] and 0 <= y < board["height"]:
                inside[move] = self.health_lost(board, x, y)
                if (x, y) not in stays:
                    found[move] = (x, y)
        return found or {min(inside, key=lambda move: inside[move], default="up"): (head["x"], head["y"])}

    def health_lost(self, board: Board, x: int, y: int) -> int:
        if {"x": x, "y": y} in board["food"]:
            return 0
        damage = self.line["ruleset"]["settings"]["hazardDamagePerTurn"]
        return 1 + damage * board["hazards"].count({"x": x, "y": y})

    def pair(self, board: Board, mine: str, theirs: str, depth: int, played: int) -> float:
        settings = self.line["ruleset"]
        joint = {snake["id"]: theirs for snake in board["snakes"]}
        me = board["snakes"][0]["id"]
        after, over, _ = oracle.step(
            board,
            {**joint, me: mine},
            settings["name"],
            settings["settings"]["hazardDamagePerTurn"],
            self.position.solo,
        )
        played += 1
        living = oracle.alive(after["snakes"])
        if after["snakes"][0]["eliminatedCause"]:
            drawn = not living and not self.position.solo
            return self.draw if drawn else played / 64 - WIN_SCORE - 1
        if over:
            return WIN_SCORE + 1 - played / 64
        after = {**after, "snakes": living}
        if played == depth:
            body = board_request({**self.line, "before": after})
            return leaf(replace(parse(body), turn=self.position.turn), self.weights)[0]
        return self.node(after, depth, played)

    def node(self, board: Board, depth: int, played: int) -> float:
        mine = self.moves(board, 0)
        theirs = self.moves(board, 1) if len(board["snakes"]) == 2 else {"up": (-9, -9)}
        payoffs = [[self.pair(board, one, two, depth, played) for two in theirs] for one in mine]
        contest = set(mine.values()) & set(theirs.values())
        if (
            played <= self.matrix_plies
            and len(board["snakes"]) == 2
            and contest
            and min(len(mine), len(theirs)) > 1
        ):
            return equilibrium(payoffs)[0]
        return max(min(row) for row in payoffs)


def duels(count: int, seed: int, snakes: int = 2) -> list[tuple[dict[str, Any], Position]]:
    rng = Random(seed)
    found = []
    while len(found) < count:
        line = turn(rng)
        line["before"]["snakes"] = line["before"]["snakes"][:snakes]
        alone = len(line["before"]["snakes"]) == 1
        line["solo"] = solo_rule(line) or alone
        if len(line["before"]["snakes"]) == snakes and line["before"]["width"] * line["before"]["height"] > 8:
            found.append((line, parse(board_request(line))))
    return found


@pytest.mark.machine_code
@pytest.mark.parametrize("matrix_plies", [0, 1, 9])
def test_the_search_gives_the_value_of_its_description(matrix_plies: int) -> None:
    inner = 0
    for line, position in (*duels(22, 5), *duels(6, 6, snakes=1)):
        if position.over:
            continue
        plain = Plain(line, position, -7.0, matrix_plies)
        found = searched(position, 3, draw=-7.0, matrix_plies=matrix_plies)
        heads = plain.moves(line["before"], 1) if len(position.snakes) == 2 else {"default": (0, 0)}
        for move, row in zip(found.moves, found.payoffs, strict=True):
            values = dict(zip(found.replies, row, strict=True))
            assert set(values) == set(heads)
            for reply, value in values.items():
                expected = plain.pair(line["before"], move, reply, found.depth, 0)
                assert value == pytest.approx(expected, abs=1e-6), (line, move, reply)
                inner += -WIN_SCORE < value < WIN_SCORE
    assert inner > 40


def maximin(position: Position, depth: int, workers: int = 1) -> Search:
    """A search with the maximin root; as soon as all moves are lost it goes on with the matrix root."""
    weights = evaluation_weights(position)
    return Search(position, MOVES, weights, SearchConfig(), depth, workers=workers, maximin=True)


@pytest.mark.machine_code
@pytest.mark.parametrize("workers", [1, 2])
def test_the_maximin_root_has_the_best_worst_case_exactly_and_bounds_the_others(workers: int) -> None:
    bounds = doomed = 0
    for number, (_, position) in enumerate(duels(40, 77)):
        if position.over:
            continue
        whole = searched(position, 4)
        worst = {move: min(row) for move, row in zip(whole.moves, whole.payoffs, strict=True)}
        search = maximin(position, 4, workers)
        for rounds in range(100_000):
            if search.finished:
                break
            search.step(0, 7)
            if workers > 1 and (number % 2 or rounds % 50 == 49):
                search.step(1, 11)
            search.collect()
        found = search.result
        if not found.maximin:
            doomed += 1
            # An earlier depth may have proven it; by then there is nothing to look for beyond.
            assert max(worst.values()) <= -WIN_SCORE
            assert found.payoffs == whole.payoffs or found.depth < whole.depth
            continue
        if found.depth != whole.depth:
            continue
        told = dict(zip(found.moves, (value for (value,) in found.payoffs), strict=True))
        best = max(found.scores(SearchConfig()).items(), key=lambda item: item[1])[0]
        assert best not in found.upper_bounds
        assert told[best] == worst[best] == max(worst.values())
        for move, value in told.items():
            if move in found.upper_bounds:
                assert worst[move] <= value <= told[best]
            else:
                assert worst[move] == value
        bounds += len(found.upper_bounds)
        assert search.principal_variation(best).moves[0] == best
    assert bounds > 20
    assert doomed > 0


@pytest.mark.machine_code
def test_at_the_maximin_root_a_bound_is_no_proof_of_a_win_before_the_depth_is_complete() -> None:
    seen = 0
    for _, position in duels(150, 41):
        if position.over:
            continue
        weights = evaluation_weights(position)
        search = Search(position, MOVES, weights, SearchConfig(), 4, maximin=True)
        for _ in range(60):
            if search.finished:
                break
            search.advance(3)
            found = search.result
            if not found.maximin or not found.depth or found.depth > 2:
                continue
            whole = None
            for move, (value,) in zip(found.moves, found.payoffs, strict=True):
                if value >= WIN_SCORE:
                    whole = whole or searched(position, found.depth + 1)
                    assert min(whole.payoffs[whole.moves.index(move)]) >= WIN_SCORE
                    seen += 1
    assert seen > 5


@pytest.mark.machine_code
def test_the_maximin_root_takes_half_the_nodes() -> None:
    nodes = {False: 0, True: 0}
    for _, position in duels(12, 9):
        for kind in nodes:
            weights = evaluation_weights(position)
            search = Search(position, MOVES, weights, SearchConfig(), 7, maximin=kind)
            while not search.finished and search.result.depth < 7:
                nodes[kind] += search.advance(200)
    assert nodes[True] < 0.7 * nodes[False]


def searched_with_lmr(position: Position, depth: int, lmr: int, maximin: bool) -> tuple[SearchResult, int]:
    """With late move reductions; what is found, and the nodes that it took."""
    weights = evaluation_weights(position)
    search, nodes = Search(position, MOVES, weights, SearchConfig(lmr=lmr), depth, maximin=maximin), 0
    while not search.finished:
        nodes += search.advance(13)
    return search.result, nodes


@pytest.mark.machine_code
@pytest.mark.parametrize("lmr", [1, 2, 3])
def test_what_is_proven_with_late_move_reductions_is_proven_without(lmr: int) -> None:
    wins = losses = 0
    for _, position in duels(60, 23):
        if position.over:
            continue
        short, _ = searched_with_lmr(position, 6, lmr, True)
        full = searched(position, short.depth)
        if not short.maximin or full.depth != short.depth:
            continue
        for move, (told,), row in zip(short.moves, short.payoffs, full.payoffs, strict=True):
            assert told > -WIN_SCORE or min(row) <= -WIN_SCORE
            assert told < WIN_SCORE or move in short.upper_bounds or min(row) >= WIN_SCORE
            losses += told <= -WIN_SCORE
    assert losses > 10
    losses = 0
    for snakes, count in ((2, 60), (3, 12)):
        for _, position in duels(count, 19, snakes):
            if position.over:
                continue
            full = Search(position, MOVES, evaluation_weights(position), SearchConfig(), 6)
            short, _ = searched_with_lmr(position, 6, lmr, False)
            while not full.finished and full.result.depth < short.depth:
                full.advance(500)
            for move, row in zip(short.moves, short.payoffs, strict=True):
                exact = full.result.payoffs[full.result.moves.index(move)]
                for told, known in zip(row, exact, strict=True):
                    wins += told >= WIN_SCORE
                    losses += told <= -WIN_SCORE
                    assert told < WIN_SCORE or known >= WIN_SCORE
                    assert told > -WIN_SCORE or known <= -WIN_SCORE
    assert wins > 20
    assert losses > 20


@pytest.mark.machine_code
def test_late_move_reductions_take_fewer_nodes_to_a_depth_and_mostly_the_same_move() -> None:
    nodes = {0: 0, 1: 0, 2: 0, 3: 0}
    alike = 0
    places = [position for _, position in duels(24, 9)]
    for position in places:
        moves = set()
        for lmr in nodes:
            found, took = searched_with_lmr(position, 8, lmr, True)
            nodes[lmr] += took
            scores = found.scores(SearchConfig())
            moves.add(max(scores, key=lambda move: scores[move]))
        alike += len(moves) == 1
    assert nodes[3] < nodes[2] < nodes[1] < 0.6 * nodes[0]
    assert alike > 0.6 * len(places)


@pytest.mark.machine_code
def test_slices_do_not_change_a_search() -> None:
    for snakes in (1, 2, 4):
        position = BATTLESNAKE.new({"snakes": snakes, "width": 7, "height": 7}, 5)
        weights = evaluation_weights(position)
        whole = Search(position, MOVES, weights, SearchConfig(), 4)
        nodes = whole.advance(10**6)
        piecewise = Search(position, MOVES, weights, SearchConfig(), 4)
        done = 0
        while not piecewise.finished:
            done += piecewise.advance(7)
        assert (nodes, whole.result) == (done, piecewise.result)
        assert whole.principal_variation("up") == piecewise.principal_variation("up")
        one, other = maximin(position, 4), maximin(position, 4)
        nodes, done = one.advance(10**6), 0
        while not other.finished:
            done += other.advance(7)
        assert (nodes, one.result) == (done, other.result)
        assert one.principal_variation("up") == other.principal_variation("up")
        one, other = (Search(position, MOVES, weights, SearchConfig(lmr=3), 7) for _ in range(2))
        nodes, done = one.advance(10**6), 0
        while not other.finished:
            done += other.advance(7)
        assert (nodes, one.result) == (done, other.result)
        assert one.principal_variation("up") == other.principal_variation("up")


@pytest.mark.machine_code
def test_two_workers_value_every_pair_as_one_does_and_take_over_from_each_other() -> None:
    for number, (_, position) in enumerate(duels(12, 31)):
        weights = evaluation_weights(position)
        alone = Search(position, MOVES, weights, SearchConfig(), 4)
        while not alone.finished:
            alone.advance(1_000)
        together = Search(position, MOVES, weights, SearchConfig(), 4, workers=2)
        rounds = 0
        while not together.finished:
            # One of them is slow, or stands still for long.
            together.step(0, 7)
            together.step(1, 5 if number % 2 or rounds % 100 == 99 else 0)
            together.collect()
            rounds += 1
        assert together.result.payoffs == alone.result.payoffs
        for move in alone.result.moves:
            assert together.principal_variation(move).moves[0] == move


@pytest.mark.machine_code
def test_a_table_that_an_earlier_search_has_used_does_not_change_a_search() -> None:
    (_, position), (_, another) = duels(2, 8)
    weights = evaluation_weights(position)

    def searched_with(place: Position) -> tuple[SearchResult, int]:
        search, nodes = Search(place, MOVES, weights, SearchConfig(), 5), 0
        while not search.finished:
            nodes += search.advance(500)
        return search.result, nodes

    first = searched_with(position)
    searched_with(another)
    assert searched_with(position) == first


@pytest.mark.machine_code
@pytest.mark.parametrize(("maximin", "lmr"), [(False, 0), (True, 0), (True, 3)])
def test_a_principal_variation_ends_where_its_value_comes_from(maximin: bool, lmr: int) -> None:
    leaves_seen = 0
    for _, position in duels(80, 12):
        if position.over:
            continue
        weights = evaluation_weights(position)
        search = Search(position, MOVES, weights, SearchConfig(lmr=lmr, matrix_plies=0), 7, maximin=maximin)
        while not search.finished:
            search.advance(1_000)
        found = search.result
        sure = [move for move in found.moves if move not in found.upper_bounds]
        move = max(sure, key=lambda move: min(found.payoffs[found.moves.index(move)]))
        value, line = min(found.payoffs[found.moves.index(move)]), search.principal_variation(move)
        if line.terms:
            assert value == pytest.approx(sum(line.terms.values()), abs=1e-9)
            assert len(line.moves) == found.depth
            leaves_seen += 1
        else:
            assert abs(value) > WIN_SCORE or value == SearchConfig().draw
    assert leaves_seen > 10
