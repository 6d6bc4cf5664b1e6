"""The agent `negamax` as tuned: boards by hand, what it tells, and boards of every kind."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from engines.battlesnake.evaluation import TERMS, WIN_SCORE
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, RULESETS, Position
from engines.battlesnake.rules import play
from engines.battlesnake.search.tree import search_nodes
from engines.battlesnake.state import State, pack, scratch_copy
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import POCKET, board_request, cell, request, turn


def decide(
    position: Position, iterations: int, seed: int = 3, name: str = "negamax", **parameters: Any
) -> Any:
    agent = BATTLESNAKE.agents[name]
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(position, agent.parameters(**parameters), meter, seed, None)


def test_every_candidate_has_its_reasons() -> None:
    position = parse(request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7)))
    answer = decide(position, 1500)
    assert answer.move == "right"
    assert [candidate.move for candidate in answer.candidates] == list(MOVES)
    by_move = {candidate.move: candidate for candidate in answer.candidates}
    assert by_move["down"].score is None
    assert by_move["left"].score < by_move["right"].score
    assert by_move["left"].notes == ("loses against every reply",)
    for move in ("left", "right"):
        told = by_move[move]
        assert told.score == sum(told.terms.values())
        assert told.details["depth"] == answer.stats["depth"] > 1
        assert set(told.details["replies"]) <= set(MOVES)
    assert set(by_move["right"].terms) == {*TERMS, "search"}
    assert answer.line[0] == "right"
    assert len(answer.line) > 1


def test_it_goes_for_the_cell_that_an_equal_would_fear() -> None:
    # Food between two heads: who steps back loses it, and the rival is no surer than you.
    mine = [(1, 3), (0, 3), (0, 2), (0, 1)]
    theirs = [(3, 3), (4, 3), (4, 2), (4, 1)]
    position = parse(request(mine, theirs, size=(5, 5), food=[{"x": 2, "y": 3}]))
    bold = decide(position, 2000, draw=0.0)
    row = next(c for c in bold.candidates if c.move == "right").details["replies"]
    assert row["left"] == 0.0  # both die
    assert bold.move == "right"
    assert decide(position, 2000, draw=-100.0, caution=1.0).move != "right"


def test_the_longer_wins_where_the_shorter_must_not_go() -> None:
    mine = [(1, 3), (0, 3), (0, 2), (0, 1)]
    theirs = [(3, 3), (4, 3), (4, 2), (4, 1)]
    longer = parse(request([*mine, (0, 0)], theirs, size=(5, 5)))
    shorter = parse(request(mine, [*theirs, (4, 0)], size=(5, 5)))
    told = {candidate.move: candidate for candidate in decide(longer, 2000).candidates}
    assert told["right"].details["replies"]["left"] > WIN_SCORE
    assert told["right"].details["headToHead"] == []
    answer = decide(shorter, 2000)
    assert answer.move != "right"
    right = next(candidate for candidate in answer.candidates if candidate.move == "right")
    assert "loses if answered by left" in right.notes
    assert right.details["headToHead"] == ["s1"]


def test_a_trapped_rival_is_seen_to_be_lost() -> None:
    # The rival runs along the wall; one step more on this side and it can't turn any more.
    theirs = [(0, 3), (0, 2), (0, 1), (0, 0)]
    mine = [(1, 3), (1, 2), (1, 1), (1, 0), (2, 0), (3, 0)]
    answer = decide(parse(request(mine, theirs, size=(5, 6))), 3000)
    assert answer.move == "up"
    assert answer.score >= WIN_SCORE


def test_where_every_move_loses_to_its_best_reply_the_matrix_says_to_which() -> None:
    # Equal heads beside one open cell each: whoever goes there may meet the other.
    mine = [(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]
    theirs = [(3, 0), (4, 0), (4, 1), (4, 2), (3, 2), (3, 1), (3, 1), (3, 1)]
    position = parse(request(mine, theirs, size=(5, 3)))
    answer = decide(position, 3000, root="maximin")
    assert answer.move in MOVES
    told = {c.move: c for c in answer.candidates if c.score is not None}
    assert any("loses" in note for candidate in told.values() for note in candidate.notes)
    for candidate in told.values():
        assert set(candidate.details["replies"]) <= set(MOVES)


def test_a_lone_snake_lives_on_and_eats_when_it_must() -> None:
    position = BATTLESNAKE.new({"snakes": 1, "ruleset": "solo", "width": 7, "height": 7}, 2)
    for number in range(150):
        answer = decide(position, 120, seed=number)
        step = BATTLESNAKE.step(position, {position.you: answer.move}, 7)
        assert not step.over, number
        position = step.position
    assert len(position.snakes[0].body) > 3


def test_a_budget_that_ends_at_once_still_has_a_move() -> None:
    for options in ({"snakes": 2}, {"snakes": 4}, {"snakes": 1}):
        answer = decide(BATTLESNAKE.new(options, 3), 1)
        assert answer.move in MOVES
        assert answer.stats["iterations"] == 1


@pytest.mark.skipif(not hasattr(search_nodes, "py_func"), reason="minutes without the JIT")
def test_every_board_is_searched_safely() -> None:
    rng = Random(22)
    states = [
        board_request(line) for line in (turn(rng, odd=True) for _ in range(80)) if line["before"]["snakes"]
    ]
    states += [
        BATTLESNAKE.dump(BATTLESNAKE.new({"ruleset": ruleset, "snakes": snakes, "width": w, "height": h}, 6))
        for ruleset, (snakes, w, h) in product(RULESETS, ((1, 1, 1), (2, 3, 3), (8, 25, 25), (16, 64, 20)))
    ]
    states.append(request([(2, 2)] * 3, *[[(2, 2)]] * 63, size=(5, 5)))
    for body in states:
        answer = decide(parse(body), 500)
        assert answer.move in MOVES
        assert [candidate.move for candidate in answer.candidates] == list(MOVES)
        for candidate in answer.candidates:
            assert candidate.score is None or candidate.score == sum(candidate.terms.values())


@pytest.mark.machine_code
def test_a_proven_win_comes_true_within_its_plies() -> None:
    claims = 0
    for number in range(12):
        position = BATTLESNAKE.new({"snakes": 2, "width": 7, "height": 7}, number)
        told: dict[str, int] = {}
        while not position.over:
            moves = {}
            for snake, iterations in zip(position.snakes, (800, 80), strict=True):
                view = replace(position, you=snake.id)
                answer = decide(view, iterations, position.turn, root="maximin", lmr=3)
                moves[snake.id] = answer.move
                if answer.outcome is not None:
                    assert answer.outcome.winner == snake.id
                    claims += 1
                    told[snake.id] = min(told.get(snake.id, 10**6), position.turn + answer.outcome.plies)
            position = BATTLESNAKE.step(position, moves, position.turn).position
        for winner, last in told.items():
            assert [snake.id for snake in position.snakes] == [winner]
            assert position.turn <= last
    assert claims > 20


def wins(state: State, me: int, turns: int, moves: tuple[int, ...] = (0, 1, 2, 3)) -> bool:
    """Does one of the moves win within so many plies, whatever the only rival does, seeing it?"""
    for move in moves if turns else ():
        held = False
        for reply in range(4):
            after = scratch_copy(state)
            play(after, np.array([move, reply] if me == 0 else [reply, move], np.int64))
            survives = after.snakes[1 - me].cause <= 0
            if after.snakes[me].cause > 0 or (survives and not wins(after, me, turns - 1)):
                held = True
                break
        if not held:
            return True
    return False


def packed(rng: Random, size: int, lengths: tuple[int, ...]) -> list[list[tuple[int, int]]] | None:
    """Bodies that walk at random beside each other; None where one finds no room."""
    occupancy: set[tuple[int, int]] = set()
    bodies = []
    for length in lengths:
        body: list[tuple[int, int]] = []
        options = [(x, y) for x in range(size) for y in range(size) if (x, y) not in occupancy]
        while options and len(body) < length:
            body.append(rng.choice(options))
            occupancy.add(body[-1])
            x, y = body[-1]
            around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            options = [
                (x, y) for x, y in around if min(x, y) >= 0 and max(x, y) < size and (x, y) not in occupancy
            ]
        if len(body) < 3:
            return None
        bodies.append(body)
    return bodies


@pytest.mark.parametrize(
    "parameters",
    [{"root": "maximin", "lmr": 3, "matrix_plies": 0}, {"matrix_plies": 0}, {"name": "published_negamax"}],
)
def test_claims_on_crowded_boards_stand_up_to_every_reply(parameters: dict[str, Any]) -> None:
    claims = 0
    for number in range(250):
        rng = Random(number)
        ruleset = rng.choice(("standard", "constrictor", "wrapped", "royale"))
        size = rng.choice((3, 4, 5))
        lengths = (rng.randint(3, 8), rng.randint(3, 6))
        bodies = packed(rng, size, lengths)
        if bodies is None:
            continue
        hazards = [cell(rng.randrange(size), rng.randrange(size)) for _ in range(rng.choice((0, 0, 4)))]
        body = request(*bodies, size=(size, size), health=rng.choice((100, 3, 1)), ruleset=ruleset)
        body["board"]["hazards"] = hazards
        position = parse(body)
        answer = decide(position, 800, **parameters)
        if answer.outcome is not None and answer.outcome.plies <= 4:
            claims += 1
            assert wins(pack(position), 0, answer.outcome.plies, (MOVES.index(answer.move),)), body
    assert claims > 15


def test_who_has_nowhere_to_go_may_still_stay_in_the_way() -> None:
    # The rival can leave the board, and its body with it; or die where it is, and your head with it.
    mine, theirs = [(1, 0), (2, 0), (2, 1), (2, 2), (2, 2)], [(0, 1), (1, 1), (1, 2), (1, 2)]
    position = parse(request(mine, theirs, size=(3, 3), ruleset="constrictor", health=100))
    for parameters in ({"root": "maximin"}, {"root": "matrix"}, {"name": "published_negamax"}):
        assert decide(position, 2000, **parameters).outcome is None
