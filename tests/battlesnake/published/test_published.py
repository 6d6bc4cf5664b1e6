"""The published algorithms: what they compute, against plain Python; how they behave."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, RULESETS, Position
from engines.battlesnake.published.evolution import (
    RANDOM,
    SMART,
    STRAIGHT,
    TERMS,
    TERRITORIAL,
    Evolution,
    RheaConfig,
)
from engines.battlesnake.published.negamax import (
    HEALTH_LENGTH,
    SIMPLE,
    TERRITORY,
    PublishedSearch,
    search_nodes,
)
from engines.battlesnake.published.override import NegamaxOverrideConfig, get_override_move, is_move_bad
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import POCKET, board_request, request, solo_rule, turn
from tests.oracles import battlesnake as oracle

Board = dict[str, Any]


def lines(count: int, seed: int) -> list[dict[str, Any]]:
    """Crowded boards of up to three snakes with something to play for."""
    rng = Random(seed)
    found = []
    while len(found) < count:
        line = turn(rng)
        snakes = line["before"]["snakes"]
        if 2 - solo_rule(line) <= len(snakes) <= 3:
            found.append(line)
    return found


class Plain:
    """The search in the words of its description, without pruning."""

    def __init__(self, line: dict[str, Any], weights: tuple[float, ...], draw_is_loss: bool) -> None:
        self.ruleset = line["ruleset"]["name"]
        self.damage = line["ruleset"]["settings"]["hazardDamagePerTurn"]
        self.solo = solo_rule(line)
        self.weights = weights
        self.draw_is_loss = draw_is_loss

    def move(self, board: Board, move: str, depth: int, played: int = 0) -> float:
        me, *others = board["snakes"]
        head = me["body"][0]
        moves = {snake["id"]: "on" for snake in others}  # no word: straight on
        rival = min(others, key=lambda other: distance(other["body"][0], head), default=None)
        replies = []
        for reply in MOVES if rival else ("",):
            answer = {rival["id"]: reply} if rival else {}
            after, over, _ = oracle.step(
                board, {**moves, **answer, me["id"]: move}, self.ruleset, self.damage, self.solo
            )
            replies.append(self.after(after, over, depth, played + 1))
        return min(replies)

    def after(self, board: Board, over: bool, depth: int, played: int) -> float:
        me = board["snakes"][0]
        living = oracle.alive(board["snakes"])
        if me["eliminatedCause"]:
            drawn = not living and not self.solo
            return 0.0 if drawn and not self.draw_is_loss else -10_000 + played
        if over:
            return 10_000 - played
        board = {**board, "snakes": living}
        if played == depth:
            return self.leaf(board)
        return max(self.move(board, move, depth, played) for move in MOVES)

    def leaf(self, board: Board) -> float:
        me, *others = board["snakes"]
        health, length, territory, centre = self.weights
        longest = max((len(other["body"]) for other in others), default=0)
        middle = {"x": (board["width"] - 1) / 2, "y": (board["height"] - 1) / 2}
        return (
            health * me["health"]
            + length * (len(me["body"]) - longest)
            + territory * self.territory(board)
            - centre * distance(me["body"][0], middle)
        )

    def territory(self, board: Board) -> int:
        heads = [(snake["body"][0]["x"], snake["body"][0]["y"]) for snake in board["snakes"]]
        own, *others = nearest(board, heads, "wrapped" in self.ruleset)
        return own - sum(others)


def nearest(board: Board, heads: list[tuple[int, int]], wrapped: bool) -> list[int]:
    """How many empty cells are nearest to each head alone."""
    width, height = board["width"], board["height"]
    walls = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"]} | {*heads}
    reached = []
    for head in heads:
        steps, edge = {head: 0}, [head]
        while edge:
            x, y = edge.pop(0)
            for dx, dy in ((0, 1), (0, -1), (-1, 0), (1, 0)):
                beside = (x + dx, y + dy)
                if wrapped:
                    beside = (beside[0] % width, beside[1] % height)
                if not (0 <= beside[0] < width and 0 <= beside[1] < height):
                    continue
                if beside not in walls and beside not in steps:
                    steps[beside] = steps[(x, y)] + 1
                    edge.append(beside)
        reached.append({place: far for place, far in steps.items() if far})
    counts = [0] * len(heads)
    for place in {place for steps in reached for place in steps}:
        far = [steps.get(place, math.inf) for steps in reached]
        if far.count(min(far)) == 1:
            counts[far.index(min(far))] += 1
    return counts


def distance(a: dict[str, float], b: dict[str, float]) -> float:
    return abs(a["x"] - b["x"]) + abs(a["y"] - b["y"])


@pytest.mark.parametrize(
    ("weights", "draw_is_loss"),
    [(SIMPLE, False), (HEALTH_LENGTH, True), (TERRITORY, True), (TERRITORY, False)],
)
def test_the_search_gives_the_value_of_its_description(
    weights: tuple[float, ...], draw_is_loss: bool
) -> None:
    seen = set()
    for line in lines(25, 5):
        plain = Plain(line, weights, draw_is_loss)
        search = PublishedSearch(parse(board_request(line)), MOVES, 2, weights, draw_is_loss)
        for depth in (1, 2):
            while search.found.depth < depth:
                search.advance(1)
            for move, value in search.found.moves.items():
                assert value == pytest.approx(plain.move(line["before"], move, depth)), (line, move, depth)
                seen.add(round(value / 5000))
        assert search.finished
    assert {-2, 0, 2} <= seen


def decide(name: str, position: Position, iterations: int, seed: int = 3, **parameters: Any) -> Any:
    agent = BATTLESNAKE.agents[name]
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(position, agent.parameters(**parameters), meter, seed, None)


@pytest.mark.machine_code
def test_slices_do_not_change_a_search() -> None:
    position = BATTLESNAKE.new({"snakes": 3, "width": 7, "height": 7}, 5)
    whole = PublishedSearch(position, MOVES, 4, TERRITORY, True)
    turns = whole.advance(10**6)
    piecewise = PublishedSearch(position, MOVES, 4, TERRITORY, True)
    done = 0
    while not piecewise.finished:
        done += piecewise.advance(7)
    assert (turns, whole.found) == (done, piecewise.found)


@pytest.mark.machine_code
def test_negamax_keeps_the_last_complete_depth() -> None:
    position = BATTLESNAKE.new({"snakes": 2}, 5)
    full = decide("published_negamax", position, 10**6)
    assert full.stats["depth"] == 4
    turns = [
        decide("published_negamax", position, 10**6, max_depth=depth).stats["iterations"]
        for depth in (1, 2, 3)
    ]
    for depth, enough in enumerate(turns, 1):
        cut = decide("published_negamax", position, enough + 1)
        assert (cut.stats["depth"], cut.stats["iterations"]) == (depth, enough + 1)
        assert cut.move == decide("published_negamax", position, 10**6, max_depth=depth).move
    assert "depth" in decide("published_negamax", position, 1).stats["reason"]


def pocket() -> Position:
    return parse(request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7)))


def test_negamax_sees_a_trap_that_closes_in_two_turns() -> None:
    answer = decide("published_negamax", pocket(), 10**6)
    assert answer.move in ("right", "down")
    left = next(candidate for candidate in answer.candidates if candidate.move == "left")
    assert left.score is not None
    assert left.score < -9000


def plain_smart(board: Board, mine: dict[str, Any], ruleset: str) -> str:
    best, most = "", -math.inf
    middle = {"x": (board["width"] - 1) / 2, "y": (board["height"] - 1) / 2}
    for move in MOVES:
        moved = {"body": mine["body"]}
        oracle.move_snake(moved, move, board if "wrapped" in ruleset else None)
        head = moved["body"][0]
        off = not (0 <= head["x"] < board["width"] and 0 <= head["y"] < board["height"])
        others = [part for snake in board["snakes"] if snake["id"] != mine["id"] for part in snake["body"]]
        evaluate = -distance(head, middle)
        if off or head in others or head in mine["body"][:-1]:
            evaluate -= 1000
        if head in board["food"]:
            evaluate += 250 if mine["health"] < 30 else 50
        if evaluate > most:
            best, most = move, evaluate
    return best


def plain_territorial(board: Board, mine: dict[str, Any], rival: int, ruleset: str) -> str:
    best, most = "up", -math.inf
    index = board["snakes"].index(mine)
    for move in MOVES:
        moved = {"body": mine["body"]}
        oracle.move_snake(moved, move, board if "wrapped" in ruleset else None)
        head = moved["body"][0]
        stays = [part for snake in board["snakes"] for part in snake["body"][:-1]]
        if not (0 <= head["x"] < board["width"] and 0 <= head["y"] < board["height"]) or head in stays:
            continue
        heads = [(snake["body"][0]["x"], snake["body"][0]["y"]) for snake in board["snakes"]]
        heads[index] = (head["x"], head["y"])
        counts = nearest(board, heads, "wrapped" in ruleset)
        if counts[index] - counts[rival] > most:
            best, most = move, counts[index] - counts[rival]
    return best


def plain_word(board: Board, snake: dict[str, Any], rival: str, ruleset: str, model: int) -> str:
    if model == SMART:
        return plain_smart(board, snake, ruleset)
    if model == TERRITORIAL:
        ids = [other["id"] for other in board["snakes"]]
        return plain_territorial(board, snake, ids.index(rival), ruleset)
    return "on"


def plain_fitness(line: dict[str, Any], moves: list[str], model: int) -> dict[str, float]:
    board, ruleset = line["before"], line["ruleset"]["name"]
    me = board["snakes"][0]["id"]
    middle = {"x": (board["width"] - 1) / 2, "y": (board["height"] - 1) / 2}
    terms = dict.fromkeys(TERMS, 0.0)
    over = False
    for number, move in enumerate(moves):
        if not over:
            others = [snake for snake in board["snakes"] if snake["id"] != me]
            theirs = {snake["id"]: plain_word(board, snake, me, ruleset, model) for snake in others}
            damage = line["ruleset"]["settings"]["hazardDamagePerTurn"]
            board, over, _ = oracle.step(board, {**theirs, me: move}, ruleset, damage, solo_rule(line))
            board["snakes"] = oracle.alive(board["snakes"])
        mine = next((snake for snake in board["snakes"] if snake["id"] == me), None)
        if mine is None:
            terms["dead"] = -1000.0 * (len(moves) - number)
            return terms
        lengths = [len(snake["body"]) for snake in board["snakes"] if snake is not mine]
        terms["alone"] += 0 if lengths else 500
        terms["health"] += mine["health"] / 2
        terms["length"] += 10 * (len(mine["body"]) - max(lengths, default=0))
        terms["centre"] -= distance(mine["body"][0], middle)
    return terms


@pytest.mark.parametrize(
    "model", [SMART, STRAIGHT, pytest.param(TERRITORIAL, marks=pytest.mark.machine_code)]
)
def test_fitness_is_that_of_its_description(model: int) -> None:
    rng = Random(8)
    lived = 0
    for line in lines(200, 9):
        evolution = Evolution(parse(board_request(line)), RheaConfig(model=model), 1, None)
        genes = [rng.randrange(4)]
        while len(genes) < 20:
            gene = rng.randrange(4)
            genes += [gene] if gene ^ 1 != genes[-1] else []
        plain = plain_fitness(line, [MOVES[gene] for gene in genes], model)
        assert evolution.terms(np.array(genes, np.uint8)) == plain, line
        lived += plain["dead"] > -18_000
    assert lived > 20


@pytest.mark.machine_code
def test_against_random_words_a_line_is_what_its_draw_made_of_it() -> None:
    # Heads one apart: the rival may come to the same cell, or not.
    position = parse(request([(3, 3), (3, 2), (3, 1)], [(3, 5), (3, 6), (2, 6), (1, 6)], size=(7, 7)))
    up = np.array([MOVES.index("up")], np.uint8)
    died = 0
    for seed in range(400):
        evolution = Evolution(position, RheaConfig(model=RANDOM, genotype=1), seed, None)
        terms = evolution.terms(up)
        assert evolution.terms(up) == terms
        died += terms["dead"] < 0
    assert 60 < died < 140  # a quarter of its words go down
    named = decide("published_rhea", position, 5, opponents="random")
    assert named.stats["iterations"] == 5
    assert named.candidates == decide("published_rhea", position, 5, opponents="random").candidates
    assert named.score == max(candidate.score or -1e9 for candidate in named.candidates)


def test_territorial_opponents_on_one_cell_are_counted_within_bounds() -> None:
    crowd = [[(4, 4), (4, 3), (3, 3)]] * 60
    position = parse(request([(0, 0), (0, 1), (0, 2)], *crowd, size=(5, 5)))
    answer = decide("published_rhea", position, 1, opponents="territorial", population=3)
    assert answer.move in MOVES


@pytest.mark.machine_code
def test_a_population_is_scored_in_slices_to_the_same_end() -> None:
    position = BATTLESNAKE.new({"snakes": 3}, 4)
    config = RheaConfig(model=TERRITORIAL, genotype=6, population=9)
    whole, sliced = (Evolution(position, config, 3, None) for _ in range(2))
    for _ in range(3):
        whole.generation()
    options = 0
    while sliced.generations < 3:
        sliced.advance()
        options += 1
    assert options > 3
    assert sliced.memory() == whole.memory()
    assert sliced.best() == whole.best()


@pytest.mark.machine_code
def test_boards_that_are_worth_as_much_as_a_win_prove_nothing() -> None:
    body = [(4, y) for y in range(40, -1, -1)]
    rival = [(1, 30), (1, 29), (1, 28)]
    position = parse(request(body, rival, size=(64, 64)))
    assert decide("published_negamax", position, 3000).outcome is None
    small = parse(request(body[-5:], rival[::-1], size=(11, 40)))
    odd = replace(small, snakes=(replace(small.snakes[0], health=30_000), small.snakes[1]))
    assert decide("published_negamax", odd, 3000).outcome is None


@pytest.mark.machine_code
def test_the_fittest_line_is_never_lost() -> None:
    position = BATTLESNAKE.new({"snakes": 3}, 4)
    scores = [decide("published_rhea", position, generations).score for generations in range(1, 30)]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0]
    answer = decide("published_rhea", position, 10_000)
    assert answer.stats["iterations"] == 401
    assert len(answer.line) == 20
    assert answer.line[0] == answer.move


def test_a_population_is_carried_over_by_dropping_the_moves_played() -> None:
    config = RheaConfig(evolutions=3)
    position = replace(BATTLESNAKE.new({"snakes": 2}, 4), turn=7)
    before = Evolution(position, config, 1, None)
    before.generation()
    memory = before.memory()
    old = np.frombuffer(memory.genes, np.uint8).reshape(50, 20)
    for passed in (1, 3):
        later = Evolution(replace(position, turn=7 + passed), config, 2, memory)
        kept = np.frombuffer(later.memory().genes, np.uint8).reshape(50, 20)
        assert later.carried == passed
        assert (kept[:, :-passed] == old[:, passed:]).all()
        later.generation()
        assert later.memory().genes == kept.tobytes()  # not sorted anew
        later.generation()
        bred = np.frombuffer(later.memory().genes, np.uint8).reshape(50, 20)
        assert (bred == kept[0]).all(axis=1).any()
    for other in (
        position,
        replace(position, turn=6),
        replace(position, turn=27),
        replace(position, turn=8, game="another"),
        replace(position, turn=8, you=position.snakes[1].id),
    ):
        assert Evolution(other, config, 2, memory).carried == 0
    assert Evolution(replace(position, turn=8), RheaConfig(genotype=10), 2, memory).carried == 0
    assert Evolution(replace(position, turn=8), config, 2, {"genes": 1}).carried == 0


def test_a_move_that_loses_is_bad_and_replaced() -> None:
    config = NegamaxOverrideConfig()
    assert is_move_bad(pocket(), "left", config)
    assert is_move_bad(pocket(), "up", config)  # at once
    assert not is_move_bad(pocket(), "right", config)
    assert get_override_move(pocket(), "left", config) == "right"
    assert get_override_move(pocket(), "right", config) is None
    assert get_override_move(pocket(), "left", replace(config, bad_threshold=-20_000)) is None
    assert not is_move_bad(pocket(), "left", replace(config, max_depth=1))


def test_a_draw_is_bad_only_where_it_counts_as_a_loss() -> None:
    # Both can step onto the one free cell between them, and either dies elsewhere.
    position = parse(request([(0, 0)] * 3, [(2, 0)] * 3, size=(3, 1)))
    assert not is_move_bad(position, "right", NegamaxOverrideConfig())
    assert is_move_bad(position, "right", NegamaxOverrideConfig(draw_is_loss=True))


def test_an_override_is_told_with_both_values() -> None:
    lone = {"population": 1, "evolutions": 0, "genotype": 1}
    answers = [
        decide("published_rhea_with_negamax_override", pocket(), 5000, seed, **lone) for seed in range(10)
    ]
    overridden = [answer for answer in answers if answer.context]
    assert {answer.stats["overrides"] for answer in overridden} == {1}
    assert {answer.stats["overrides"] for answer in answers if not answer.context} == {0}
    assert overridden
    told = overridden[0].context["override"]
    assert told["text"] == "Negamax override: left -> right"
    assert told["move"] == {"from": "left", "to": "right"}
    assert told["value"]["from"] < -5000 < told["value"]["to"]
    assert {answer.move for answer in answers} <= {"right", "down"}
    assert any(decide("published_rhea", pocket(), 5000, seed, **lone).move == "left" for seed in range(10))


@pytest.mark.skipif(not hasattr(search_nodes, "py_func"), reason="minutes without the JIT")
def test_every_board_is_searched_safely() -> None:
    rng = Random(21)
    states = [
        board_request(line) for line in (turn(rng, odd=True) for _ in range(60)) if line["before"]["snakes"]
    ]
    states += [
        BATTLESNAKE.dump(BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": w, "height": h}, 6))
        for ruleset in RULESETS
        for snakes, w, h in ((1, 1, 1), (2, 3, 3), (8, 25, 25), (16, 64, 20))
    ]
    crowd = [[(2, 2)]] * 63
    states.append(request([(2, 2)] * 3, *crowd, size=(5, 5)))
    for body in states:
        position = parse(body)
        ours = ("negamax", "rhea", "rhea_with_negamax_override")
        for name in (*ours, *(f"published_{name}" for name in ours)):
            answer = decide(name, position, 400 if "rhea" not in name else 8)
            assert answer.move in MOVES
            assert [candidate.move for candidate in answer.candidates] == list(MOVES)
