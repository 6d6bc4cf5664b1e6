"""The sparring partner: its flood and its search against plain Python, and how it behaves."""

from __future__ import annotations

from dataclasses import astuple, replace
from random import Random
from typing import Any

import numpy as np
import pytest

from engines.battlesnake.agents.flood_paranoid import Parameters
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.paranoid import LOST, WIN, ParanoidSearch, Weights, search_nodes
from engines.battlesnake.state import state_at
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import board_request, cell, request, solo_rule, turn
from tests.oracles import battlesnake as oracle

AGENT = BATTLESNAKE.agents["flood_paranoid"]
WEIGHTS = astuple(Parameters())[:-1]
OFFSETS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def crowded(count: int, seed: int, most: int = 3) -> list[dict[str, Any]]:
    """Boards of up to so many snakes with something to play for."""
    rng = Random(seed)
    found = []
    while len(found) < count:
        line = turn(rng)
        if 2 - solo_rule(line) <= len(line["before"]["snakes"]) <= most:
            found.append(line)
    return found


def beside(board: dict[str, Any], ruleset: str, at: tuple[int, int], move: str) -> tuple[int, int] | None:
    """The cell that a move leads to; None off the board."""
    x, y = (at[0] + OFFSETS[move][0], at[1] + OFFSETS[move][1])
    if ruleset.startswith("wrapped"):
        return x % board["width"], y % board["height"]
    return (x, y) if 0 <= x < board["width"] and 0 <= y < board["height"] else None


def flood_of(position: Position, thirst: float) -> list[float]:
    """What each snake's cells are worth to it."""
    search = ParanoidSearch(position, MOVES, 1, Weights(*WEIGHTS)._replace(thirst=thirst))
    search.evaluate()
    return search.areas


def plain_flood(line: dict[str, Any], thirst: float) -> list[float]:
    """The flood in the words of its description: turn by turn, all snakes at once."""
    board, ruleset = line["before"], line["ruleset"]["name"]
    damage = line["ruleset"]["settings"]["hazardDamagePerTurn"]
    food = {(spot["x"], spot["y"]) for spot in board["food"]}
    hazards = [(spot["x"], spot["y"]) for spot in board["hazards"]]
    bodies = [[(part["x"], part["y"]) for part in snake["body"]] for snake in board["snakes"]]
    clears: dict[tuple[int, int], tuple[int, int]] = {}
    for number, body in enumerate(bodies):
        for at in range(len(body) - 1, -1, -1):
            when = 10**9 if ruleset.endswith("constrictor") else len(body) - at
            clears[body[at]] = (when, number)
    occupancy = {body[0] for body in bodies}
    front = {
        body[0]: (number, snake["health"], 0)
        for number, (body, snake) in enumerate(zip(bodies, board["snakes"], strict=True))
    }
    evaluate = [0.0] * len(bodies)
    time = 0
    while front:
        time += 1
        claims: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for at, (number, health, eaten) in front.items():
            for move in MOVES:
                spot = beside(board, ruleset, at, move)
                if spot is None or spot in occupancy:
                    continue
                when, owner = clears.get(spot, (0, -1))
                if time < when + (eaten if owner == number else 0):
                    continue
                left = max(0, min(100, health - 1 - damage * hazards.count(spot)))
                arrived = 100 if spot in food else left
                if arrived > 0:
                    claims.setdefault(spot, []).append((number, arrived, eaten + (spot in food)))
        front = {}
        for spot, those in claims.items():
            occupancy.add(spot)
            reach = max(len(bodies[number]) + eaten for number, _, eaten in those)
            longest = [claim for claim in those if len(bodies[claim[0]]) + claim[2] == reach]
            if len({claim[0] for claim in longest}) == 1:
                front[spot] = longest[0]
                number, health, _ = longest[0]
                evaluate[number] += 1 - thirst * (1 - health / 100)
    return evaluate


def played(count: int, seed: int) -> list[dict[str, Any]]:
    """Boards from random play, without food and hazards: by different paths a snake is the same there."""
    rng = Random(seed)
    rulesets = ("standard", "wrapped", "constrictor")
    found: list[dict[str, Any]] = []
    while len(found) < count:
        options = {"width": rng.randint(4, 9), "height": rng.randint(4, 9), "snakes": rng.randint(1, 4)}
        options |= {"ruleset": rulesets[len(found) % 3], "minimumFood": 8}
        position = BATTLESNAKE.new(options, rng.getrandbits(60))
        for _ in range(rng.randint(3, 25)):
            moves = {snake: rng.choice(legal) for snake, legal in BATTLESNAKE.legal(position).items()}
            after = BATTLESNAKE.step(position, moves, rng.getrandbits(60))
            if after.over:
                break
            position = after.position
        heads = [part for snake in position.snakes for part in snake.body if part == snake.head]
        if len(heads) == len(position.snakes):  # a plain picture has room for one thing in a cell
            dumped = BATTLESNAKE.dump(replace(position, food=(), hazards=()))
            found.append({**dumped["game"], "before": dumped["board"], "solo": dumped["solo"]})
    return found


def test_the_flood_is_the_plain_one():
    for line in played(40, 3):
        dumped = {"game": {"ruleset": line["ruleset"]}, "board": line["before"], "solo": line["solo"]}
        position = parse({**dumped, "you": line["before"]["snakes"][0]})
        assert flood_of(position, 0.5) == pytest.approx(plain_flood(line, 0.5))


def test_the_longer_snake_takes_what_both_reach_and_equals_share_nothing():
    row = {"size": (7, 1), "health": 100}
    equal = parse(request([(0, 0)] * 3, [(6, 0)] * 3, **row))
    assert flood_of(equal, 0.0) == [2, 2]  # the cell in the middle is nobody's
    longer = parse(request([(0, 0)] * 3, [(6, 0)] * 4, **row))
    assert flood_of(longer, 0.0) == [2, 3]
    fed = parse(request([(0, 0)] * 3, [(6, 0)] * 3, food=[cell(1, 0)], **row))
    assert flood_of(fed, 0.0) == [3, 2]  # who eats on the way is the longer one there


def test_a_body_opens_when_it_will_have_moved_away():
    body = [(1, 0), (2, 0), (3, 0), (4, 0)]
    row = {"size": (6, 1), "ruleset": "solo"}
    assert flood_of(parse(request(body, **row)), 0.0) == [1]  # the neck stands for three turns more
    after = [(1, 0), (1, 1), (2, 1), (3, 1), (3, 0)]
    assert flood_of(parse(request(after, size=(6, 2), ruleset="solo")), 0.0)[0] > 5  # the tail leaves in time
    stuck = parse(request(after, size=(6, 2), ruleset="constrictor"))
    assert flood_of(stuck, 0.0) == [3]


def test_who_eats_on_the_way_leaves_later():
    ring = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (3, 0)]
    assert flood_of(parse(request(ring, size=(4, 2), ruleset="solo")), 0.0) == [7]  # the whole board, just so
    fed = parse(request(ring, size=(4, 2), ruleset="solo", food=[cell(1, 0)]))
    assert flood_of(fed, 0.0) == [1]  # the doubled tail bars the only way


def test_cells_count_by_the_health_on_arrival():
    row = {"size": (5, 1), "ruleset": "solo"}
    assert flood_of(parse(request([(0, 0)] * 3, health=3, **row)), 1.0) == pytest.approx([0.02 + 0.01])
    hazards = [cell(2, 0)]
    assert flood_of(parse(request([(0, 0)] * 3, health=16, hazards=hazards, **row)), 0.0) == [
        1
    ]  # 14 and hunger
    fed = request([(0, 0)] * 3, health=2, food=[cell(1, 0)], **row)
    assert flood_of(parse(fed), 1.0) == pytest.approx([1 + 0.99 + 0.98 + 0.97])


class Plain:
    """The search without pruning, on the independent rules; its leaf is the engine's own."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.line = line
        self.ruleset = line["ruleset"]["name"]
        self.damage = line["ruleset"]["settings"]["hazardDamagePerTurn"]
        self.solo = solo_rule(line)

    def move(self, board: dict[str, Any], move: str, depth: int, played: int = 0) -> float:
        me, *others = board["snakes"]
        replies: list[dict[str, str]] = [{}]
        for other in others:
            replies = [
                {**so_far, other["id"]: each} for so_far in replies for each in self.open(board, other)
            ]
        return min(self.after(board, {**reply, me["id"]: move}, depth, played + 1) for reply in replies)

    def open(self, board: dict[str, Any], snake: dict[str, Any]) -> list[str]:
        walls = {(part["x"], part["y"]) for each in board["snakes"] for part in each["body"][:-1]}
        at = (snake["body"][0]["x"], snake["body"][0]["y"])
        free = [w for w in MOVES if beside(board, self.ruleset, at, w) not in {None, *walls}]
        return free or ["up"]

    def after(self, board: dict[str, Any], moves: dict[str, str], depth: int, played: int) -> float:
        after, over, _ = oracle.step(board, moves, self.ruleset, self.damage, self.solo)
        living = oracle.alive(after["snakes"])
        if after["snakes"][0]["eliminatedCause"]:
            return WEIGHTS[-1] + played if not living and not self.solo else played - WIN
        if over:
            return WIN - played
        board = {**after, "snakes": living}
        if played == depth:
            return leaf({**self.line, "before": board}, played)
        me = living[0]
        return max(self.move(board, move, depth, played) for move in self.open(board, me))


def leaf(line: dict[str, Any], played: int) -> float:
    position = parse(board_request(line))
    return ParanoidSearch(replace(position, turn=position.turn + played), MOVES, 1, WEIGHTS).evaluate()


def test_the_best_word_has_the_value_of_the_plain_search():
    for line in crowded(12, 8):
        position = parse(board_request(line))
        me = position.me
        assert me is not None
        moves = legal_moves(move_safety(position, me, find_obstacles(position)))
        depth = 2 if len(position.snakes) < 3 else 1
        search = ParanoidSearch(position, moves, depth, WEIGHTS)
        while not search.finished:
            search.advance(50)
        plain = Plain(line)
        exact = {move: plain.move(line["before"], move, search.depth) for move in moves}
        assert max(search.values.values()) == pytest.approx(max(exact.values()))
        assert all(search.values[move] >= exact[move] - 1e-9 for move in moves)


def answer(position: Position, iterations: int, seed: int = 0, **given: Any) -> Any:
    return AGENT.decide(position, Parameters(**given), Meter(Budget(iterations=iterations)), seed, None)


def searched(position: Position, depth: int, piece: int) -> ParanoidSearch:
    me = position.me
    assert me is not None
    search = ParanoidSearch(
        position, legal_moves(move_safety(position, me, find_obstacles(position))), depth, WEIGHTS
    )
    while not search.finished:
        search.advance(piece)
    return search


def test_a_search_in_pieces_is_the_search_in_one():
    for line in crowded(10, 5):
        position = parse(board_request(line))
        whole, pieces = searched(position, 3, 10**9), searched(position, 3, 7)
        assert (whole.move, whole.values, whole.depth) == (pieces.move, pieces.values, pieces.depth)


@pytest.mark.machine_code
def test_where_all_words_lose_the_choice_of_the_depth_before_stays():
    compared = 0
    for line in crowded(150, 6):
        position = parse(board_request(line))
        found = searched(position, 5, 1000)
        if found.depth > 1 and max(found.values.values()) < LOST:
            assert found.move == searched(position, found.depth - 1, 1000).move
            compared += 1
    assert compared > 10


def test_a_head_that_would_win_is_kept_away_from():
    """Two snakes side on: the equal one stays out of the cell between, the longer one takes it."""
    rival = [(4, 3), (5, 3), (6, 3)]
    equal = parse(request([(2, 3), (1, 3), (0, 3)], rival))
    assert answer(equal, 3_000).move != "right"
    longer = parse(request([(2, 3), (1, 3), (0, 3), (0, 2), (0, 1)], rival))
    values = {one.move: one.score for one in answer(longer, 3_000, max_depth=1).candidates}
    assert values["right"] > -5_000


@pytest.mark.parametrize("snakes", [1, 4])
def test_it_answers_on_any_number_of_snakes_and_after_any_number_of_slices(snakes: int):
    position = BATTLESNAKE.new({"snakes": snakes}, 1)
    for iterations in (0, 1, 5, 300):
        found = answer(position, iterations)
        assert found.move in MOVES
        assert found.stats["iterations"] <= iterations
    assert answer(position, 300) == answer(position, 300)


@pytest.mark.machine_code
def test_machine_code_and_python_agree():
    position = parse(board_request(crowded(1, 21)[0]))
    compiled, plain = searched(position, 2, 10**9), None
    with pytest.MonkeyPatch.context() as patch:
        room = "engines.battlesnake.search.paranoid"
        patch.setattr(f"{room}.search_nodes", search_nodes.py_func)
        patch.setattr(f"{room}.state_at", state_at.py_func)
        with np.errstate(all="raise"):
            plain = searched(position, 2, 10**9)
    assert (compiled.move, compiled.values) == (plain.move, plain.values)
